"""The build that has code for a GPU, and GPUs for which there is none."""

from __future__ import annotations

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge.pytorch_advice import never_for
from support.pasted import finding, printed

INDEX = "https://download.pytorch.org/whl"
NOT_COVERED = (
    "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current "
    "PyTorch installation.\nThe current PyTorch install supports CUDA capabilities {}.\n"
)


def test_a_newer_gpu_gets_the_index_that_has_its_code() -> None:
    found = finding(NOT_COVERED.format("sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90"))
    assert found.title == (
        "torch has no code for NVIDIA GeForce RTX 5090 (sm_120), only for sm_50 to sm_90"
    )
    assert found.fix is not None
    install = f"pip install torch --index-url {INDEX}/cu128"
    assert found.fix.commands == ("pip uninstall --yes torch", install)


V = Version


def test_a_gpu_for_which_there_is_no_pytorch_at_all() -> None:
    old = (
        "Found GPU0 GeForce GTX 670M which is of cuda capability {}.\n"
        "PyTorch no longer supports this GPU because it is too old.\n"
    )
    assert "No build of PyTorch since 1.0 has code for sm_21" in finding(old.format("2.1")).fix.text
    assert never_for(V("2.1"))
    assert not never_for(V("3.7"))


def test_a_gpu_that_toolkits_still_serve_has_no_last_one() -> None:
    error = "CUDA error: no kernel image is available for execution on the device"
    fix = finding(f"GPU: Tesla T4\nCUDA Version: 12.8\n{error}\n").fix
    assert "has code for sm_75, compile it for this GPU" in fix.text


JULIA = """CUDA toolchain:
- runtime 13.0, artifact installation
- driver 580.65.6 for 13.0

Julia packages:
- CUDA: 5.8.3

1 device:
  0: Tesla V100-SXM2-32GB (sm_70, 27.902 GiB / 32.000 GiB available)
"""


def test_cuda_jl_is_told_in_julia() -> None:
    found = finding(JULIA)
    assert found.title.startswith("CUDA.jl 5.8.3 has no code for Tesla V100-SXM2-32GB (sm_70)")
    assert found.fix is not None
    assert 'CUDA.set_runtime_version!(v"12.9")' in found.fix.commands[0]


UNKNOWN_TO_JULIA = """┌ Warning: Your RTX 5080 GPU (compute capability 12.0) is not fully \
supported by CUDA 12.8.0.
  0: NVIDIA GeForce RTX 5080 (sm_120, 13.4 GiB / 15.9 GiB available)
ERROR: LoadError:
  [3] CuModule(data::Vector{UInt8}, options::Dict{CUDA.CUjit_option_enum, Any})
"""


def test_a_cuda_jl_that_does_not_know_the_gpu_is_renewed_itself() -> None:
    found = finding(UNKNOWN_TO_JULIA)
    assert found.fix is not None
    assert "Pkg.update" in found.fix.commands[0]


def test_no_other_build_of_flash_attention_serves_an_older_gpu() -> None:
    told = printed("GPU: V100\nRuntimeError: FlashAttention only supports Ampere GPUs or newer.\n")
    assert "sdpa" in told
    assert "compile it" not in told


AMPERE = """torch: 1.8.1+cu102
torchvision: 0.9.1
Python version: 3.9.7
OS: Ubuntu 20.04
Nvidia driver version: 535.54.03
NVIDIA A100-SXM4-40GB with CUDA capability sm_80 is not compatible with the current PyTorch
installation.
The current PyTorch install supports CUDA capabilities sm_37 sm_50 sm_60 sm_70.
"""


def test_what_is_compiled_for_torch_goes_with_it_and_numpy_stays() -> None:
    removed, installed = finding(AMPERE).fix.commands
    assert removed == "pip uninstall --yes torch torchvision"
    assert '" torchvision' in installed
    assert "--force-reinstall" not in installed
    alone = finding(AMPERE.replace("torchvision: 0.9.1\n", "")).fix.commands
    assert alone[0] == "pip uninstall --yes torch"
    assert "torchvision" not in alone[1]


NVCC = "nvcc fatal   : Unsupported gpu architecture 'compute_{}'\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (NVCC.format(75), "CUDA 10.0 is the first that compiles for 7.5."),
        (
            "GTX 1080, CUDA 13.0\n" + NVCC.format(61),
            "CUDA 12.9 is the last that compiles for 6.1.",
        ),
        (
            "torch 2.5.1+cu124\n" + NVCC.format(120),
            "PyTorch is of CUDA 12.4 here: take a build for 12.8 or later with it.",
        ),
    ],
)
def test_what_nvcc_refuses_another_toolkit_compiles(text: str, told: str) -> None:
    fix = finding(text).fix
    assert fix is not None
    assert told in fix.text
    assert "toolkit" in fix.text


@pytest.mark.parametrize(
    "text",
    [
        "torch 2.8.0+cu129\n" + NVCC.format(120),
        "CUDA 13.0, torch 2.5.1+cu124\nGTX 1080\n" + NVCC.format(61),
    ],
)
def test_a_pytorch_of_the_same_cuda_serves_the_other_toolkit(text: str) -> None:
    fix = finding(text).fix
    assert fix is not None
    assert "PyTorch" not in fix.text


def test_what_others_refuse_is_not_mended_by_a_toolkit() -> None:
    clang = finding("clang: error: Unsupported CUDA gpu architecture: sm_120\n")
    assert clang.title == "clang does not yet compile for compute capability 12.0"
    torch = finding("ValueError: Unknown CUDA arch (8.9) or GPU not supported\nRTX 4090\n")
    assert torch.title.startswith("PyTorch's builder of extensions does not yet compile")
    for found in (clang, torch):
        assert found.fix is not None
        assert "toolkit" not in found.fix.text


@pytest.mark.parametrize(
    "text",
    [
        (
            "Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your "
            "Tesla T4 GPU has compute capability 7.5."
        ),
        'DriverError(CUDA_ERROR_NOT_FOUND, "named symbol not found") when loading cast_f32_bf16',
    ],
)
def test_of_bfloat16_no_build_makes_a_gpu_capable(text: str) -> None:
    assert "float16 or float32" in printed(f"GPU 0: Tesla T4\n{text}\n")
    assert "8.0 or later" in printed(f"GPU 0: Tesla T4\n{text}\n")


def test_a_limit_that_is_not_known_is_not_spoken_of() -> None:
    told = "GPU: Quadro RTX 5000\nRuntimeError: needs a GPU with compute capability of at least 8.0"
    assert "the last that makes any" not in printed(told)
    older = told.replace("Quadro RTX 5000", "GTX 1080").replace("8.0", "7.0")
    assert "CUDA 12.9 is the last that makes any" in printed(older)


def test_who_refuses_a_gpu_is_not_guessed() -> None:
    told = "GTX 560 Ti\nError: CUDA backend requires compute capability 3.0 or up, but found 2.1."
    assert "vLLM" not in printed(told)
    assert finding(told).title.startswith("A program says")
