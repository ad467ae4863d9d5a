"""A part of the machine works, and what was asked of it does not: that is not healthy.

Each text shows a GPU that answers; beside it stands the near miss, which is healthy or unknown.
"""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import printed, told

A100 = "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
SMI = """+-----------------------------------------------------------------------------+
| NVIDIA-SMI 460.91.03    Driver Version: 460.91.03    CUDA Version: {cuda}     |
|===============================+======================+======================|
|   0  GeForce GTX 1080    Off  | 00000000:2D:00.0  On |                  N/A |
| 29%   68C    P0    77W / 250W |    414MiB /  8119MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
"""
FINE = "healthy", "unknown"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Enabled MIG Mode for GPU 00000000:06:00.0\n" + A100 + "initialization error", "mig"),
        (A100 + "  MIG 1g.5gb     Device  0: (UUID: MIG-1)\nThe basecaller fails on MIG", "mig"),
        ("CUDA_VISIBLE_DEVICES=NoDevFiles\n" + A100, "hidden-by-visible-devices"),
        ("node-7 has lost a GPU\n" + A100, "device-lost"),
        ("Cannot open libcuda.so.1\n\n" + SMI.format(cuda="N/A "), "driver-missing"),
        (
            "I'm getting a failure on trying to load ``libcuda.so.1``\n" + SMI.format(cuda="11.2"),
            "container-no-gpu",
        ),
    ],
)
def test_the_driver_answers_and_a_program_does_not_reach_it(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "Enabled MIG Mode for GPU 00000000:06:00.0\n" + A100,
        A100 + "  MIG 1g.5gb     Device  0: (UUID: MIG-1)\nIt never fails with MIG if asked.",
        "CUDA_VISIBLE_DEVICES=NoDevFiles\n" + A100 + SEES,
        "The container has lost a GPU\n" + A100,
        "node-7 has lost a GPU fan\n" + A100,
        SMI.format(cuda="N/A "),
    ],
)
def test_the_driver_answers_and_nothing_says_otherwise(pasted: str) -> None:
    assert ruled(pasted) in FINE


PADDLE = """paddlepaddle-gpu 2.5.1.post117
gpu_resources.cc:119] Please NOTE: device: 0, GPU Compute Capability: 7.0, Driver API Version: \
11.4, Runtime API Version: 11.7
gpu_resources.cc:175] WARNING: device: 0. The installed Paddle is compiled with CUDA 11.7, but \
{what} in your machine is {found}, which may cause serious incompatible bug.
"""
QUERY = """{told}

Device 0: "GeForce RTX 2080 Ti"
  CUDA Driver Version / Runtime Version          10.0 / 9.2
  CUDA Capability Major/Minor version number:    7.5
{below}
"""
UNDEFINED = "MapSMtoCores for SM 7.5 is undefined.  Default to use 64 Cores/SM"
DETECTRON = """sys.platform              linux
Detectron2 CUDA Compiler  {compiler}
PyTorch                   1.3.1
CUDA available            {sees}
GPU 0                     GeForce RTX 2070 SUPER
CUDA_HOME                 None
"""


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (PADDLE.format(what="CUDA runtime version", found="11.4"), "framework-cuda-mismatch"),
        (QUERY.format(told="Internal error whenever I use it", below=UNDEFINED), "gpu-too-new"),
        (DETECTRON.format(compiler="not available", sees="True"), "toolkit-missing"),
    ],
)
def test_a_build_that_does_not_fit_what_is_there(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        PADDLE.format(what="the newest release", found="11.4"),
        QUERY.format(told="My card:", below=UNDEFINED),
        QUERY.format(told="Internal error whenever I use it", below=""),
        DETECTRON.format(compiler="10.1", sees="True"),
    ],
)
def test_a_build_of_which_nothing_bad_is_told(pasted: str) -> None:
    assert ruled(pasted) in FINE


def test_detectron_without_cuda_where_torch_sees_none_has_another_cause() -> None:
    assert ruled(DETECTRON.format(compiler="not available", sees="False")) != "toolkit-missing"


GROMACS = """Command line:
  gmx mdrun -deffnm md_0_1 {options} -v

    Number of GPUs detected: 1
    #0: NVIDIA GeForce RTX 3080, compute cap.: 8.6, ECC:  no, stat: compatible
"""
LLAMA = "llm_load_tensors: offloaded {layers} layers to GPU\n"
MODEL = "torch 1.11.0+cu113\n" + A100 + ">>> {asked}\n{answer}\n"


@pytest.mark.parametrize(
    "pasted",
    [
        GROMACS.format(options="-nb cpu -pme cpu"),
        LLAMA.format(layers="1/35"),
        MODEL.format(asked="classifier.model.device", answer="device(type='cpu')"),
        (
            "TensorFlow 1.1\nI gpu_device.cc:977] Creating TensorFlow device (/gpu:0) -> "
            "(device: 0, name: GeForce GTX 1080, pci bus id: 0000:01:00.0)\nYet the load is 0%."
        ),
    ],
)
def test_the_cpu_does_the_work(pasted: str) -> None:
    assert ruled(pasted) == "silent-cpu-fallback"


@pytest.mark.parametrize(
    "pasted",
    [
        GROMACS.format(options="-nb gpu -pme cpu"),
        LLAMA.format(layers="35/35"),
        LLAMA.format(layers="3/12"),  # all of a small model, or what fits
        LLAMA.format(layers="20/35"),
        "ollama 0.1.32\n" + LLAMA.format(layers="1/35"),  # it asks by the memory that is free
        MODEL.format(asked="classifier.model.device", answer="device(type='cuda', index=0)"),
        MODEL.format(asked="classifier.model.to(classifier.model.device)", answer="cpu"),
        "The CPU load is 0%.\n" + SEES,
    ],
)
def test_the_gpu_does_its_part(pasted: str) -> None:
    assert ruled(pasted) in FINE


LEFT = "GPU: Tesla K40m\n{told}\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Our program cannot support CUDA with computing capability==3.5", "gpu-too-old"),
        ("The build doesn't support compute capability 3.5.", "gpu-too-old"),
        ("The build doesn't support compute capability 3.0.", "unknown"),  # it is another one
        ("The build supports compute capability 3.5.", "unknown"),
        ("The build doesn't support compute capability 3.5 and newer.", "unknown"),
    ],
)
def test_a_capability_that_is_told_to_be_unserved(told: str, cause: str) -> None:
    assert ruled(LEFT.format(told=told)) == cause


def test_ollama_does_not_reach_the_driver_that_answers() -> None:
    warned = "routes.go:891: warning: gpu support may not be enabled: nvidia-smi command failed\n"
    assert ruled(SMI.format(cuda="12.3")) == "healthy"
    assert ruled(warned + SMI.format(cuda="12.3")) == "unknown"


def test_ollama_lost_the_process_that_computes() -> None:
    works = "llm_load_tensors: offloaded 47/49 layers to GPU\n"
    died = 'Error: POST predict: Post "http://127.0.0.1:39149/completion": EOF\n'
    assert ruled(works) == "healthy"
    assert ruled(works + died) == "unknown"


def test_the_end_of_paddles_message_tells_that_a_library_is_missing() -> None:
    works = "Please NOTE: device: 0, GPU Compute Capability: 7.5, Driver API Version: 11.3\n"
    end = "You should do this according to your CUDA installation directory and CUDNN version\n"
    assert ruled(works + end) != "healthy"
    assert ruled(works) in FINE


def test_the_fix_is_of_what_is_not_reached() -> None:
    assert "#SBATCH --gres=gpu:1" in printed("CUDA_VISIBLE_DEVICES=NoDevFiles\n" + A100)
    untold = "OS: Ubuntu 20.04\nCannot open libcuda.so.1\n\n" + SMI.format(cuda="N/A ")
    assert "sudo apt install 'libnvidia-compute-460=460.91.03*'" in printed(untold)
    assert "compile Detectron2 anew" in printed(
        DETECTRON.format(compiler="not available", sees="True")
    )


@pytest.mark.parametrize(
    ("field", "toolkit"), [("11.20", "11.2"), ("11.2", "11.2"), ("10.1.243", "10.1.243")]
)
def test_a_release_that_is_told_by_its_number(field: str, toolkit: str) -> None:
    assert told(f"CUDA runtime: {field}")["toolkit.version"] == toolkit


@pytest.mark.parametrize(
    ("end", "verdict"),
    [
        ("модель не загружена", "unknown"),
        ("処理中に問題が発生しました。", "unknown"),
        ("KeyError: 'weights'", "healthy"),
        ("KeyError: 'веса'", "healthy"),
        # Python's own end of a trace stands right below it.
        ("\nThat is where it stops.", "unknown"),
        ("KeyboardInterrupt\n\nThat is where I stopped it.", "healthy"),
        ("\nThis is the trace of KeyError.", "healthy"),
    ],
)
def test_what_fails_is_not_told_or_in_a_language_that_is_not_read(end: str, verdict: str) -> None:
    works = ">>> torch.cuda.is_available()\nTrue\n"
    trace = 'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\n    main()\n'
    assert ruled(works + trace + end) == verdict
