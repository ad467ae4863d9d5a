"""A GPU that is newer than the software, told by TensorRT, CuPy or XGBoost and others."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.questions.builds.for_gpu import targets_of
from gpuprobe.facts.version import Version
from support.cases import explained, ruled

PADDLE_WORKS = "PaddlePaddle works well on 1 GPU.\nPaddlePaddle is installed successfully!"
PADDLE = (
    "The GPU architecture in your current machine is {}, which is not compatible with Paddle "
    "installation with arch: {} , it is recommended to install the corresponding wheel"
)
TENSORRT_FORM = (
    "ERROR: cuda/cudaConvolutionLayer.cpp (163) - Cudnn Error in execute: 8\n"
    "GPU type - {}\nCUDA version -9.0\nCUDNN version - 7.3.1\nTRT version - 5.0.2.6"
)
FAISS = "Faiss assertion 'err == CUBLAS_STATUS_SUCCESS' failed in void faiss::gpu::runMatrixMult()"
TENSORRT = "[TRT] [E] 1: [caskUtils.cpp::trtSmToCask::114] Error Code 1: (Unsupported SM: {})"
PADDLE_MISMATCH = (
    "Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for 75 80 86 89 "
    ",but your current GPU is {} Solution: Install the correct wheel package"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for"
                " 70 75 80 86, but your current GPU is 120."
            ),
            "gpu-too-new",
        ),
        (PADDLE_WORKS, "healthy"),
        ("(Target GPU SM 120 is not supported by this TensorRT release.)", "gpu-too-new"),
        (PADDLE.format("Ampere", "60 61 70"), "gpu-too-new"),
        (TENSORRT_FORM.format("2080 TI"), "gpu-too-new"),
        ("GPU: A100\ncuda: 10.0\n" + FAISS, "gpu-too-new"),
        ("GPU: A100\ncuda: 11.4\n" + FAISS, "unknown"),
        ("Faiss hangs, 100% of a core is in libnvidia-ptxjitcompiler.so.510.54", "gpu-too-new"),
        (TENSORRT.format("0x809"), "gpu-too-new"),
        (TENSORRT.format("0xc00"), "gpu-too-new"),
        (PADDLE_MISMATCH.format(120), "gpu-too-new"),
        ("PaddlePaddle was compiled for 75 80 86 89", "unknown"),
    ],
)
def test_a_gpu_that_is_too_new_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "The GPU architecture in your current machine is Ampere, and Paddle has code for it",
        TENSORRT_FORM.format("1080 TI"),
    ],
)
def test_kin_of_a_gpu_that_is_too_new_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NO_IMAGE = "CUDA error cudaErrorNoKernelImageForDevice:no kernel image is available for execution"
BESIDE_TORCH = """GPU: RTX 5080
torch 2.8.0+cu128
{who}{failed} on the device
"""


@pytest.mark.parametrize(
    ("who", "cause"),
    [
        ("[ONNXRuntimeError] : 1 : FAIL : Non-zero status code. ", "gpu-too-new"),
        ("", "extension-mismatch"),
    ],
)
def test_onnx_runtime_has_kernels_of_its_own_beside_a_torch_that_covers(who: str, cause: str):
    assert ruled(BESIDE_TORCH.format(who=who, failed=NO_IMAGE)) == cause


SM = """TensorRT 6.0.1.5, {gpu}
[E] [TRT] ../rtSafe/cuda/caskUtils.cpp (80) - Assertion Error in trtSmToCask: 0 ({why})
"""


@pytest.mark.parametrize(
    ("gpu", "why", "cause"),
    [
        ("GeForce RTX 3090", "Unsupported SM.", "gpu-too-new"),
        ("GeForce GTX 680", "Unsupported SM.", "gpu-too-old"),
        ("GeForce RTX 3090", "out of range", "unknown"),
        ("a GPU", "Unsupported SM.", "unknown"),
    ],
)
def test_an_old_tensorrt_has_no_kernels_for_the_gpu(gpu: str, why: str, cause: str):
    assert ruled(SM.format(gpu=gpu, why=why)) == cause


_NVRTC = "nvrtc: error: invalid value for --gpu-architecture (-arch)\nOptions: -arch=compute_61"


@pytest.mark.parametrize(
    ("path", "cause"),
    [
        ("/usr/lib/cupy-4.0.0b2-py3.5-linux-x86_64.egg/cupy/core", "gpu-too-new"),
        ("/usr/lib/site-packages/cupy_cuda12x-12.3.0.dist-info/RECORD", "gpu-too-new"),
        ("/usr/lib/site-packages/cupy_cuda13x-14.1.0.dist-info/RECORD", "gpu-too-old"),
        ("/usr/lib/python3.13/site-packages/cupy/core", "gpu-too-old"),
    ],
)
def test_age_of_cupy_tells_which_toolkits_it_can_have(path: str, cause: str):
    assert ruled(f"{_NVRTC}\nFile {path}") == cause


XLA_FALLS_BACK = "Falling back to the CUDA driver for PTX compilation; ptxas does not support CC {}"
TOO_OLD_PTXAS = "XlaRuntimeError: UNIMPLEMENTED: /usr/bin/ptxas ptxas too old. Falling back to it."


def test_xla_fails_where_its_ptxas_is_older_than_the_gpu():
    falls_back = XLA_FALLS_BACK.format("12.0")
    assert ruled(f"{falls_back}\n{TOO_OLD_PTXAS}\n") == "gpu-too-new"
    assert ruled(f"{falls_back}\n") == "unknown"
    assert ruled(f"{TOO_OLD_PTXAS}\n") == "unknown"


TENSORRT = "TensorRT Version: {}\nNVIDIA GPU: GeForce RTX {}\nThe process failed.\n"


@pytest.mark.parametrize(
    ("release", "card", "cause"),
    [
        ("10.7", "5090", "gpu-too-new"),
        ("10.8.0.43", "5090", "unknown"),
        ("10.7", "4090", "unknown"),
    ],
)
def test_a_tensorrt_that_came_before_the_gpu(release: str, card: str, cause: str):
    assert ruled(TENSORRT.format(release, card)) == cause


FAISS_NO_CODE = (
    "void faiss::gpu::runL2Norm() L2Norm.cu:257; details: CUDA error 209 no kernel image"
)
FAISS_NO_CODE += " is available for execution on the device\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Everything was fine before I got an RTX50 card.", "gpu-too-new"),
        ("It fails since the new RTX 50 series GPU is in.", "gpu-too-new"),
        ("GPU: Hopper", "gpu-too-new"),
        ("GPU: 50-series", "gpu-too-new"),
        ("The old one is out, now it runs on a 50 series card.", "extension-mismatch"),
        ("Nothing but this error on 50 series GPUs", "gpu-too-new"),
        ("GPU: NVIDIA GeForce RTX 5090", "gpu-too-new"),
        ("GPU: GeForce GTX 680", "gpu-too-old"),
        ("It works on an RTX 50 card.", "extension-mismatch"),
        ("Do you support an RTX 50 card?", "extension-mismatch"),
        ("I am going to buy an RTX 50 card.", "extension-mismatch"),
        ("In the museum hangs Edward Hopper", "extension-mismatch"),
    ],
)
def test_faiss_belongs_to_no_pytorch_so_that_the_gpus_age_decides(told: str, cause: str):
    assert ruled(f"{told}\n{FAISS_NO_CODE}") == cause


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [
        ("GPU: RTX 40 series", "gpu-too-new"),
        ("GPU: 30-series", "gpu-too-new"),
        ("CUSOLVER_STATUS_INTERNAL_ERROR on 40 series gpu", "gpu-too-new"),
        ("I am 40, this is my 30th series.", "unknown"),
        ("GPU: 20-series", "unknown"),
    ],
)
def test_a_solver_of_before_the_series_fails_on_its_gpus(gpu: str, cause: str):
    call = "cusolver error: CUSOLVER_STATUS_INTERNAL_ERROR, when calling `cusolverDnCreate(handle)`"
    assert ruled(f"{gpu}\ntorch 1.7.1+cu101\nRuntimeError: {call}\n") == cause


def test_a_major_of_cuda_alone_has_the_targets_of_its_last_release():
    """A version equals one with zeros behind it; who asked before must not matter."""
    answers = [targets_of(Version(cuda))[-1] for cuda in ("11.0", "11", "11.0")]
    assert answers == [Version("8.0"), Version("9.0"), Version("8.0")]


def test_of_other_extensions_the_file_decides_whatever_the_gpu_is() -> None:
    line = "CUDA error (/x/flash-attention/csrc/flash.h:5): no kernel image is available for "
    assert ruled(f"I got an RTX50 card.\n{line}execution on the device\n") == "extension-mismatch"


SPCONV = "[WARNING]your gpu arch {} isn't compiled in prebuilt, may cause invalid device function. "


@pytest.mark.parametrize(
    ("own", "cause"),
    [
        ("(8, 6)", "gpu-too-new"),
        ("(3, 5)", "gpu-too-old"),
        ("(7, 5)", "unknown"),  # runs what was compiled for 7.0
    ],
)
def test_spconv_tells_the_gpu_and_what_it_was_compiled_for(own: str, cause: str):
    assert ruled(f"{SPCONV.format(own)}available: {{(7, 0), (5, 2), (6, 1)}}\n") == cause


# -- what CUDA.jl lists ------------------------------------------------------------------------
JULIA = """CUDA runtime 11.8, artifact installation
{packages}
Toolchain:
- Julia: 1.9.1
- LLVM: 14.0.6
- Device capability support: sm_37, sm_50, sm_52, sm_60, sm_61, sm_70, sm_75, sm_80, sm_86

1 device:
  0: NVIDIA {gpu} GiB / 93.584 GiB available)
{status}
"""
REPORTED = "- CUDA.jl: {}\n"
STATUS = "  [052768ef] CUDA v{}"
H100, RTX_4090 = "H100 NVL (sm_90, 93.000", "GeForce RTX 4090 (sm_89, 23.000"


@pytest.mark.parametrize(
    ("gpu", "packages", "status", "cause"),
    [
        (H100, "", STATUS.format("4.0.1"), "gpu-too-new"),
        (H100, REPORTED.format("4.3.0"), "", "gpu-too-new"),
        (H100, REPORTED.format("4.3.1"), "", "healthy"),  # its ptxas is told which GPU it is
        (H100, "", STATUS.format("3.2.1"), "unknown"),  # the driver may have compiled for it
        (H100, "", "", "unknown"),
        (RTX_4090, "", STATUS.format("4.0.1"), "healthy"),  # code for sm_86 runs on it
        (RTX_4090, "", "", "healthy"),
        ("GeForce GT 650M (sm_30, 1.932", REPORTED.format("4.4.1"), "", "gpu-too-old"),
    ],
)
def test_cuda_jl_lists_what_it_makes_code_for(gpu: str, packages: str, status: str, cause: str):
    assert explained(JULIA.format(gpu=gpu, packages=packages, status=status)) == cause


def test_a_cuda_jl_that_lists_no_code_for_the_gpu_is_renewed_itself() -> None:
    text = JULIA.format(gpu=H100, packages="", status=STATUS.format("4.0.1"))
    fix = gpuprobe.explain(text).diagnosis.placed[0].finding.fix
    assert fix is not None
    assert "Pkg.update" in fix.commands[0]
