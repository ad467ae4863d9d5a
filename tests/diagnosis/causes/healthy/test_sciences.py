"""A set-up that works, as programs of the sciences tell of it."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.report.words import verdict_sentence
from support.cases import ruled

TPU = "Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so: libtpu.so: cannot"
AVX = "This TensorFlow binary is optimized to use available CPU instructions"
GROMACS = "    #0: NVIDIA {name}, compute cap.: {number}, ECC:  no, stat: {state}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # What shows a GPU at work.
        (">>> torch.cuda.memory_allocated() // 2**20\n200\n", "healthy"),
        (">>> torch.cuda.memory_allocated()\n0\n", "unknown"),
        (
            ">>> out.device, out.shape\n(device(type='cuda', index=0), torch.Size([1, 2]))\n",
            "healthy",
        ),
        (">>> torch.device('cuda')\ndevice(type='cuda')\n", "unknown"),
        ("[CUDA Bandwidth Test] - Starting...\n Device 0: T4\nResult = PASS\n", "healthy"),
        (">> gpuDevice\nans = \n  CUDADevice with properties:\n", "healthy"),
        ("numba  <CUDA device 0 'b'NVIDIA L40S''>\n", "healthy"),
        # Messages that only alarm show no fault.
        (f"AlphaFold v3.0.2\nRTX 6000 Ada\n{TPU}", "healthy"),
        (f"python server.py\n{AVX}\nTF-TRT Warning: Could not find TensorRT", "healthy"),
        (f"{TPU}\nand then it is slow", "unknown"),
        (f"{AVX}\nTraceback (most recent call last):", "unknown"),
        (f"{TPU}\nNo GPU/TPU found, falling back to CPU.", "unknown"),
        ("No running processes found", "unknown"),
        (" 2.5\n[torch.cuda.FloatTensor of size 1x2 (GPU 0)]", "healthy"),
        ("a torch.cuda.FloatTensor of size 1x2 (GPU 0) would be better", "unknown"),
        # Program that lists a GPU is healthy.
        (GROMACS.format(name="NVIDIA A100", number="8.0", state="compatible"), "healthy"),
        (
            GROMACS.format(name="NVIDIA A100", number="8.0", state="compatible")
            + GROMACS.format(name="GT 710", number="3.5", state="incompatible").replace("#0", "#1"),
            "healthy",
        ),
        (
            (
                "Pe 0 physical rank 0 binding to CUDA device 0 on node1: 'NVIDIA "
                "A100-SXM4-40GB'  Mem: "
                "40536MB  Rev: 8.0  PCI: 0:1:0"
            ),
            "healthy",
        ),
        (
            (
                '   Devices:\n     "cpu"      : "x86_64"\n'
                '     "cuda:0"   : "NVIDIA RTX A6000" (48 GiB, sm_86, mempool enabled)'
            ),
            "healthy",
        ),
        ("3 CUDA - Successfully computed forces", "healthy"),
    ],
)
def test_a_gpu_at_work_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


def test_what_is_harmless_is_the_answer_where_nothing_else_is_said() -> None:
    report = gpuprobe.explain(f"AlphaFold v3.0.2\n{TPU}")
    assert verdict_sentence(report).startswith("Healthy, as far as this text tells. ")
    assert "<details open><summary>Harmless" in report.html()


FOLDED = '[n1:7] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages'
NO_CPCS = "[n1:7] 3 more processes have sent help message help-mpi-btl-openib-cpc-base.txt / {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"{NO_CPCS.format('no cpcs for port')}{FOLDED}\nDoes it need a treatment?", "healthy"),
        (
            (
                "A high-performance Open MPI point-to-point messaging module\n"
                "was unable to find any relevant network interfaces:\n\n"
                "Module: OpenFabrics (openib)\n"
            ),
            "healthy",
        ),
        ("WARNING: There was an error initializing an OpenFabrics device.\n", "healthy"),
        (
            f"[n1:7] 1 more process has sent help message help-mpi-errors.txt / x\n{FOLDED}",
            "unknown",
        ),
        (FOLDED, "unknown"),
        (f"{NO_CPCS.format('no cpcs for port')}\nmpirun: killed by signal 9", "unknown"),
    ],
)
def test_open_mpi_takes_another_way_and_says_so(text: str, cause: str):
    assert ruled(text) == cause


LAMMPS = "Cuda driver error {} in call at file '/a/lammps/lib/gpu/geryon/nvd_device.h' in line 98."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (LAMMPS.format(4), "healthy"),
        (LAMMPS.format(46), "device-busy"),
        (f">>> torch.cuda.is_available()\nTrue\n{LAMMPS.format(4)}", "healthy"),
    ],
)
def test_lammps_after_cuda_has_ended(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("call", "cause"),
    [
        ("cuCheckpointProcessLock for PID 7 failed: ", "healthy"),
        ("cuCheckpointProcessCheckpoint returned ", "healthy"),
        ("cuInit: ", "device-nodes"),
    ],
)
def test_a_process_that_cannot_be_saved(call: str, cause: str):
    failed = f"{call}CUDA_ERROR_OPERATING_SYSTEM\n"
    assert ruled(f"{failed}>>> torch.cuda.is_available()\nTrue") == cause
