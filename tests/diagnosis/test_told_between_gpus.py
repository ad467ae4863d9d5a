"""What NCCL's wrappers, MPI, UCX, NVSHMEM and the module for network cards say when they fail."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

IN_TORCH = "RuntimeError: NCCL error in: ../c10d/NCCLUtils.hpp:121, {}, NCCL version 2.17.1"
REFUSED = "modprobe: ERROR: could not insert '{}': Invalid argument"


@pytest.mark.parametrize(
    "pasted",
    [
        IN_TORCH.format("invalid argument"),
        "ncclInvalidArgument: Invalid value for an argument.",
        "torch.distributed.DistBackendError: something failed",
        "UnknownError: NCCL: internal error. Set NCCL_DEBUG=WARN for detail.",
        "node1: Test NCCL failure all_reduce.cu:43 'remote process exited or there was a network",
        "socketPollConnect: Connect to 10.0.0.5<512> returned 111(Connection refused) errno 115",
        "[PG 0 Rank 0] Heartbeat monitor timed out! Process will be terminated",
        "Watchdog got stuck for 480 seconds without making progress",
        "transport/p2p.cc:238 NCCL WARN failed to open CUDA IPC handle : 30 unknown error",
        "NCCL WARN NET/OFI Request completed with error. RC: 5. Error: unknown error",
        "The call to cuIpcOpenMemHandle failed. This is an unrecoverable error",
        "cuda_ipc_md.c:62   UCX  ERROR cuIpcGetMemHandle(&key->ph, addr)() failed: invalid",
        "main_nvshmem/src/host/init/init.cu:812: non-zero status: 7 nvshmem detect topo failed",
        "transport/ibrc/ibrc.cpp: NULL value get_device_list failed",
        "RendezvousConnectionError: The connection to the C10d store has failed.",
        "[c10d] The IPv6 network addresses of (node1, 29500) cannot be retrieved (gai error: -2",
    ],
)
def test_communication_is_named(pasted: str) -> None:
    assert ruled(pasted) == "nccl"


@pytest.mark.parametrize("module", ["nvidia_peermem", "nvidia-peermem", "nv_peer_mem"])
def test_a_module_for_network_cards_breaks_a_part_only(module: str) -> None:
    report = gpuprobe.explain(REFUSED.format(module))
    root = report.diagnosis.root
    assert root is not None
    assert root.cause == "nccl"
    assert report.verdict.value == "degraded"


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        ("RuntimeError: invalid argument 2: size mismatch", "unknown"),
        ("The call to cuIpcOpenMemHandle is the one that I would make", "unknown"),
        ("nvshmem is initialized in 3 s", "unknown"),
        ("nvidia_peermem: loaded", "unknown"),
        ("misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]", "unknown"),
        ("NCCL WARN Could not find a path for pattern 4, falling back to simple order", "unknown"),
        (REFUSED.format("nvidia"), "driver-not-loaded"),
        (REFUSED.format("nvidia_uvm"), "driver-not-loaded"),
        ("failed call to cuInit: UNKNOWN ERROR (999)", "device-nodes"),
    ],
)
def test_kin_is_not_taken_for_it(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict


def test_a_mapping_that_failed_may_have_been_for_another_gpu() -> None:
    root = gpuprobe.explain("CUDA error 205").diagnosis.root
    assert root is not None
    assert root.cause == "nccl"
    assert root.finding.confidence.name == "POSSIBLE"
    assert not root.finding.title.startswith("NCCL failed")
