"""What lists of packages, kernels and folders say of an error that says nothing itself."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.facts import said
from support.cases import ruled

NONE = "RuntimeError: No CUDA GPUs are available\n"
DKMS = """$ uname -r
{runs}
$ dkms status
nvidia/535.129.03, 6.2.0-37-generic, x86_64: installed
nvidia/535.129.03, 6.2.0-39-generic, x86_64: installed
"""


@pytest.mark.parametrize(
    ("runs", "error", "cause"),
    [
        ("6.5.0-14-generic", NONE, "driver-not-loaded"),
        ("6.2.0-39-generic", NONE, "unknown"),
        ("6.5.0-14-generic", "", "unknown"),
    ],
)
def test_the_module_was_built_for_other_kernels(runs: str, error: str, cause: str):
    assert ruled(DKMS.format(runs=runs) + error) == cause


MODULE = (
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.107.02  Wed Jul 24 23:53:00 UTC 2024\n"
)
LOG = (
    "Upgrade: libnvidia-compute-550:amd64 (550.107.02-0ubuntu0.24.04.1, {now}-0ubuntu0.24.04.1), "
    "nvidia-utils-550:amd64 (550.107.02-0ubuntu0.24.04.1, {now}-0ubuntu0.24.04.1)\n"
)
ROW = "ii  libnvidia-compute-550:amd64  {now}-0ubuntu0.24.04.1  amd64  NVIDIA libcompute package\n"


@pytest.mark.parametrize("told", [LOG, ROW])
@pytest.mark.parametrize(
    ("now", "error", "cause"),
    [
        ("550.120", NONE, "driver-library-mismatch"),
        ("550.107.02", NONE, "unknown"),
        ("550.120", "", "unknown"),
    ],
)
def test_the_driver_was_upgraded_while_its_module_ran(told: str, now: str, error: str, cause: str):
    assert ruled(MODULE + told.format(now=now) + error) == cause


def test_both_versions_of_the_driver_are_named():
    root = gpuprobe.explain(MODULE + ROW.format(now="550.120") + NONE).diagnosis.root
    assert root is not None
    assert {"550.120", "550.107.02"} <= set(root.finding.title.replace(",", "").split())


RESERVE = """XLA backend allocating 19049078784 bytes on device 0 for BFCAllocator.
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.00 GiB (GPU 0; 23.69 GiB \
total capacity; 612.40 MiB already allocated; 4.31 GiB free; 640.00 MiB reserved in total by \
PyTorch)
"""


def test_what_xla_takes_in_advance_is_not_what_was_asked_for_in_vain():
    report = gpuprobe.explain(RESERVE)
    assert report.facts.known(said.MEMORY_ASKED) == 5 << 30
    assert report.diagnosis.root is not None
    assert report.diagnosis.root.cause == "oom-preallocation"


def test_a_build_for_the_cpu_sees_no_gpu_whatever_the_driver_is():
    torch = "torch 2.1.0+cpu\n>>> torch.cuda.is_available()\nFalse\n"
    assert ruled(MODULE + ROW.format(now="550.120") + torch) == "cpu-only-build"


JAX = """jax                       0.4.31
jaxlib                    0.4.31
jax-cuda12-plugin         0.4.31
nvidia-cudnn-cu12         {cudnn}
jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization failed.
"""


@pytest.mark.parametrize(
    ("cudnn", "cause"), [("8.9.2.26", "cudnn-mismatch"), ("9.3.0.75", "oom-preallocation")]
)
def test_pip_has_an_older_cudnn_than_jax_asks_for(cudnn: str, cause: str):
    assert ruled(JAX.format(cudnn=cudnn)) == cause


ENGINE = """GPU: {gpu}
nvidia-cudnn-cu12         {cudnn}
torch                     2.9.1+cu126
RuntimeError: GET was unable to find an engine to execute this computation
"""


@pytest.mark.parametrize(
    ("gpu", "cudnn", "old"),
    [
        ("Tesla V100-SXM2-32GB", "9.15.1.9", True),
        ("Tesla V100-SXM2-32GB", "9.10.2.21", False),
        ("NVIDIA A100-SXM4-40GB", "9.15.1.9", False),
    ],
)
def test_a_later_cudnn_dropped_the_gpu(gpu: str, cudnn: str, *, old: bool):
    assert (ruled(ENGINE.format(gpu=gpu, cudnn=cudnn)) == "gpu-too-old") is old


PIP = """pip 21.1.3 from c:\\programs\\{folder}\\lib\\site-packages\\pip \
(python 3.9)
ERROR: Could not find a version that satisfies the requirement torch==1.9.0+cu111 (from versions: \
0.1.2)
ERROR: No matching distribution found for torch==1.9.0+cu111
"""


@pytest.mark.parametrize(("folder", "unsupported"), [("python39-32", True), ("python39", False)])
def test_pip_tells_of_a_python_of_32_bits(folder: str, *, unsupported: bool):
    assert (ruled(PIP.format(folder=folder)) == "python-unsupported") is unsupported


NCCL = "node-a:41233:41233 [0] NCCL INFO Using network Socket\n... {told}.\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("and there it sits", "nccl"),
        ("and there it goes", "unknown"),
        ("it just sits there for a minute, then training starts", "unknown"),
    ],
)
def test_a_program_stands_where_nccl_has_begun(told: str, cause: str):
    assert ruled(NCCL.format(told=told)) == cause
