"""Fixes for NCCL: where it failed, how it was installed, and where there is none."""

from __future__ import annotations

import pytest

from support.pasted import finding, printed

NCCL = "import torch\nundefined symbol: ncclCommResume\n[pip3] nvidia-nccl-cu12==2.29.3\n"


def test_two_packages_of_nccl_lie_in_one_folder() -> None:
    two = printed(f"{NCCL}[pip3] nvidia-nccl-cu13==2.29.7")
    assert "pip uninstall --yes nvidia-nccl-cu12 nvidia-nccl-cu13" in two
    assert "uninstall" not in printed(NCCL)


def test_what_hangs_gives_no_warning() -> None:
    hangs = "when I try nccl_test, the test will be stuck with -g 8, and will test well with -g 1"
    assert finding(hangs).title == "NCCL hangs with several GPUs, as the text says"
    assert "NCCL_P2P_DISABLE=1 PROGRAM" in printed(hangs)
    failed = "torch/csrc/distributed/ProcessGroupNCCL.cpp: NCCL error: unhandled cuda error"
    assert "P2P_DISABLE" not in printed(failed)


ACCELERATE = (
    "NotImplementedError: Using RTX 4000 series doesn't support faster communication broadband via "
    'P2P or IB. Please set `NCCL_P2P_DISABLE="1"` and `NCCL_IB_DISABLE="1"\n'
)
REFUSED = "socketPollConnect: Connect to 10.0.0.5<512> returned 111(Connection refused) errno 115\n"
SYSTEM = "NCCL error in: ../c10d/ProcessGroupNCCL.cpp:839, unhandled {} error, NCCL version 2.8\n"


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        (ACCELERATE, "NCCL_P2P_DISABLE=1 NCCL_IB_DISABLE=1"),
        (REFUSED, "NCCL_SOCKET_IFNAME=eth0"),
        (SYSTEM.format("system"), "df -h /dev/shm"),
        (SYSTEM.format("cuda"), "NCCL_DEBUG=INFO python PROGRAM"),
    ],
)
def test_nccl_is_mended_where_it_failed(pasted: str, words: str) -> None:
    assert words in "\n".join(finding(pasted).fix.commands)


def test_nccl_that_logs_already_need_not_be_told_to() -> None:
    warned = "host:1:1 [0] NCCL WARN Cuda failure 'unknown error'\n"
    assert "NCCL_DEBUG" not in str(finding(f"{warned}{SYSTEM.format('cuda')}").fix)


def test_windows_has_no_nccl() -> None:
    without = "RuntimeError: Distributed package doesn't have NCCL built in\n"
    assert finding(without).title == "This PyTorch is a build without NCCL"
    assert "gloo" in finding(without).fix.text
    assert "WSL 2" in finding(f"OS: Windows\n{without}").fix.text
    assert "install one with CUDA" in finding(f"OS: Linux\n{without}").fix.text


CODE = "NCCL error in: ../c10d/ProcessGroupNCCL.cpp:{}, NCCL version 2.20.5\n{}: it failed.\n"
OF_SYSTEM = CODE.format("1691, unhandled system error", "ncclSystemError")
OF_CUDA = CODE.format("1691, unhandled cuda error", "ncclUnhandledCudaError")
ABORTED = "socketStartConnect: Connect to 10.3.0.1<41231> failed : Software caused connection abort"


@pytest.mark.parametrize(
    ("code", "last", "advice"),
    [
        (OF_SYSTEM, ABORTED, "NCCL_SOCKET_IFNAME=eth0"),
        (OF_SYSTEM, "socketStartConnect: exceeded timeouts (3)", "NCCL_SOCKET_IFNAME=eth0"),
        (OF_SYSTEM, "Call to socket failed: Permission denied", "df -h /dev/shm"),
        (OF_CUDA, "Failed to CUDA calloc async 608 bytes", "found no memory on the GPU"),
        (OF_CUDA, "Failed to CUDA host alloc 32 bytes", "found no memory on the GPU"),
        (OF_CUDA, "Cuda failure 2 'out of memory'", "found no memory on the GPU"),
        (OF_CUDA, "Cuda failure 1 'invalid argument'", "nvidia-smi topo -m"),
    ],
)
@pytest.mark.parametrize("who", ["", "[rank1]: ", "(Runner pid=16018) "])
def test_what_nccl_warned_of_last_decides(who: str, code: str, last: str, advice: str) -> None:
    pasted = f"{code}{who}Last error:\n{who}{last}\n"
    assert advice in printed(pasted)
    assert any(last.strip("'")[-12:] in str(each.value) for each in finding(pasted).evidence)
    assert "NCCL_DEBUG=INFO python" not in printed(pasted)  # it told already


def test_a_last_error_of_another_program_is_not_of_nccl() -> None:
    pasted = f"{OF_SYSTEM}The server's log:\nLast error: none\nAll is well.\n"
    assert "NCCL_DEBUG=INFO python" in printed(pasted)


REMOTE = "remote process exited or there was a network error"


@pytest.mark.parametrize(
    ("pasted", "kind"),
    [
        (CODE.format(f"2251, {REMOTE}", "ncclRemoteError"), REMOTE),
        (OF_CUDA, "unhandled cuda error"),
        (f"OSError: (External)  Nccl error, {REMOTE}, detail: none", REMOTE),
        (CODE.format("38, unknown result code", "NCCL"), "unknown result code"),
    ],
)
def test_no_word_of_a_kind_is_cut(pasted: str, kind: str) -> None:
    assert finding(pasted).title == f"NCCL failed: {kind}"


def test_where_another_process_ended_its_own_error_is_asked_for() -> None:
    assert "its own error" in printed(CODE.format(f"2251, {REMOTE}", "ncclRemoteError"))
    assert "its own error" not in printed(OF_CUDA)


def test_a_sentence_of_a_person_is_no_title() -> None:
    pasted = (
        "8 GPUs, torch\nNCCL INFO comm 0x1 rank 0 nranks 8 cudaDev 0 busId 4f000 - Init COMPLETE\n"
    )
    pasted += "I found that when I set the ddp with 'gloo', I can use 8 gpus.\n"
    assert finding(pasted).title == "The work fails with NCCL, and goes with Gloo in its place"


TIMED_OUT = "Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE)\n"


@pytest.mark.parametrize(
    ("line", "bridge"),
    [
        ("node1:41:43 [0] NCCL INFO Bootstrap : Using docker0:172.17.0.1<0>", "docker0"),
        ("a:9:9 [0] NCCL INFO NET/Socket : Using [0]br-1f2e3d4c5b6a:172.18.0.1<0>", "br-1f2e"),
        ("a:9:9 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0> [1]docker0:172.17.0.1<0>", ""),
    ],
)
def test_a_bridge_of_containers_leads_to_no_other_machine(line: str, bridge: str) -> None:
    shown = printed(f"{line}\n{TIMED_OUT}")
    assert ("a bridge that ends in its machine" in shown) == bool(bridge)
    assert ("NCCL_SOCKET_IFNAME=eth0" in shown) == bool(bridge)
    assert bridge in shown


def test_mpi_shares_memory_of_gpus_that_each_process_sees() -> None:
    by_mpi = "(GTL DEBUG: 2) cuIpcOpenMemHandle: invalid argument, CUDA_ERROR_INVALID_VALUE\n"
    assert "--gpu-bind=none" in printed(by_mpi)
    assert "MPICH_GPU_IPC_ENABLED=0" in printed(by_mpi)
    assert "NCCL" not in finding(by_mpi).title
    by_nccl = "transport/p2p.cc:238 NCCL WARN failed to open CUDA IPC handle : 30 unknown error\n"
    assert "--gpu-bind" not in printed(by_nccl)
