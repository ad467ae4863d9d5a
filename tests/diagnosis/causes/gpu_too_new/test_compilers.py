"""A GPU that is newer than the software, as compilers and builders tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

REFUSED = "clang: error: Unsupported CUDA gpu architecture: {}"
FALLS_BACK = "Falling back to the CUDA driver for PTX compilation; ptxas does not support CC 8.9\n"
ARCH = "nvcc fatal   : Unsupported gpu architecture '{}'"
OLD_NVCC = "nvcc fatal   : Unsupported gpu architecture 'compute_{}'\nGPU: {}\nCUDA: {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("CUDA 8.0, GTX 1080\n" + REFUSED.format("sm_61"), "gpu-too-new"),
        (
            FALLS_BACK + 'failed to get PTX kernel "x" from module: CUDA_ERROR_NOT_FOUND',
            "gpu-too-new",
        ),
        (FALLS_BACK, "unknown"),
        (
            (
                "ptxas fatal   : Program with .target 'sm_90a' cannot be compiled to future "
                "architecture"
            ),
            "gpu-too-new",
        ),
        (ARCH.format("compute_120a"), "gpu-too-new"),
        (OLD_NVCC.format(61, "GTX 1080", "7.5"), "gpu-too-new"),
    ],
)
def test_a_gpu_that_is_too_new_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


PTXAS = (
    "subprocess.CalledProcessError: Command '['/opt/env/site-packages/triton/backends/nvidia/bin/"
    "ptxas', '-v', '--gpu-name={}', '/tmp/a.ptx', '-o', '/tmp/a.o']' returned non-zero exit "
    "status 255."
)


@pytest.mark.parametrize(("arch", "cause"), [("sm_100", "gpu-too-new"), ("sm_80", "unknown")])
def test_tritons_ptxas_that_fails_for_a_later_gpu_does_not_know_it(arch: str, cause: str):
    assert ruled(PTXAS.format(arch)) == cause


NVCC = """GPU 0: GeForce GTX 1080
GPU 1: {second}
nvcc fatal : Value '{value}' is not defined for option '{option}'
"""


@pytest.mark.parametrize(
    ("second", "value", "option", "cause"),
    [
        ("Quadro M6000", "sm_61", "gpu-architecture", "gpu-too-new"),
        ("Quadro M6000", "sm_61", "gpu-code", "gpu-too-new"),
        ("GeForce GTX 1080", "sm_61", "gpu-architecture", "gpu-too-old"),
        ("Quadro M6000", "c++17", "std", "toolkit-mismatch"),
    ],
)
def test_an_older_gpu_beside_it_shows_which_side_nvcc_is_on(
    second: str, value: str, option: str, cause: str
):
    assert ruled(NVCC.format(second=second, value=value, option=option)) == cause


@pytest.mark.parametrize("end", ["'", ""])
def test_nvccs_word_for_an_architecture_may_have_lost_its_end(end: str):
    line = f"nvcc fatal   : Unsupported gpu architecture 'compute_61{end}\n"
    assert "6.1" in finding(f"GPU: NVIDIA P6000\nCUDA: 7.5\n{line}").title


@pytest.mark.parametrize(
    ("arch", "cause"), [("89", "gpu-too-new"), ("35", "toolkit-mismatch"), ("native", "unknown")]
)
def test_a_build_script_in_rust_asks_nvcc_for_the_gpu(arch: str, cause: str):
    line = f"nvcc cannot target gpu arch {arch}. Available nvcc targets are [50, 86, 87]."
    assert ruled(f"{line}\n") == cause


WITHOUT_INSTRUCTION = (
    "ptxas /tmp/gemm.ptx, line 132; error   : Instruction '{}' not supported on .target '{}'\n"
    "ptxas fatal   : Ptx assembly aborted due to errors"
)


@pytest.mark.parametrize(
    ("instruction", "target", "cause"),
    [
        ("setmaxnreg.dec", "sm_120", "gpu-too-new"),
        ("wgmma.fence", "sm_86", "gpu-too-old"),
        ("tcgen05.alloc", "sm_120a", "gpu-too-new"),
        ("wgmma.fence", "sm_90", "unknown"),  # compiled for sm_90 and not for sm_90a
        ("cp.async", "sm_75", "unknown"),  # what all later generations have is told otherwise
    ],
)
def test_code_for_the_tensor_cores_of_another_generation(instruction: str, target: str, cause: str):
    assert ruled(WITHOUT_INSTRUCTION.format(instruction, target)) == cause


@pytest.mark.parametrize("target", ["sm_107a", "sm_120"])
def test_a_target_that_the_ptx_of_this_toolkit_does_not_reach(target: str):
    text = f"Reason: PTX version 8.6 does not support target '{target}'."
    assert ruled(text) == "gpu-too-new"


NO_IMAGE = "CUDA error: no kernel image is available for execution on the device\n"


@pytest.mark.parametrize(
    ("built", "gpu", "cause"),
    [
        ("./configure --with-cuda-arch=sm_52", "GeForce GTX 1080", "gpu-too-new"),
        ('cmake .. -DCMAKE_CUDA_ARCHITECTURES="70;75"', "A100", "gpu-too-new"),
        ("cmake -DCUDA_ARCH=80 ..", "Quadro RTX 6000", "gpu-too-old"),
    ],
)
def test_a_build_that_was_asked_for_other_architectures(built: str, gpu: str, cause: str):
    pasted = f"GPU: {gpu}\n$ {built}\n{NO_IMAGE}"
    assert ruled(pasted) == cause
    assert "was compiled for sm_" in finding(pasted).title


def test_a_build_for_an_earlier_gpu_of_the_same_major_is_not_at_fault():
    pasted = f"GPU: RTX 3080\n$ cmake -DCMAKE_CUDA_ARCHITECTURES=80 ..\n{NO_IMAGE}"
    assert "was compiled for" not in finding(pasted).title


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("ERROR::invalid device function (8) in src/whiten.cu at line 77", "gpu-too-new"),
        ("ERROR: invalid device function (8) in src/whiten.c at line 77", "unknown"),
        ("ERROR: invalid device function (9) in src/whiten.cu at line 77", "unknown"),
    ],
)
def test_an_error_with_its_old_number_in_a_source_of_cuda(line: str, cause: str):
    assert ruled(f"GPU: GTX 1060\n./configure --with-cuda-arch=50\n{line}\n") == cause


SYMBOL = "java.lang.RuntimeException: {} failed; Error code: [13]\n"


@pytest.mark.parametrize(
    ("call", "cause"),
    [("cudaGetSymbolAddress(...)", "gpu-too-new"), ("cudaGetSymbolAddress(&k)", "unknown")],
)
def test_a_library_that_shows_no_arguments_is_not_somebodys_own_code(call: str, cause: str):
    assert ruled(f"GPU: GeForce RTX 3070\nCUDA: 11.1\n{SYMBOL.format(call)}") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            ("ptxas /tmp/f, line 6; error   : PTX .version 7.4 does not support .target sm_89\n"),
            "gpu-too-new",
        ),
        (
            ("ptxas /tmp/f, line 9; error   : PTX .version 8.4 does not support .target sm_120\n"),
            "gpu-too-new",
        ),
        ("ptxas /tmp/f, line 9; error   : PTX .version 8.4 does not support this\n", "unknown"),
        (
            ('[F] [TRT] Assertion failed: x && "SM version not supported in this NVRTC version"\n'),
            "gpu-too-new",
        ),
        (
            ("It ends in an internal error: Unsupported SM: 0x809, engine != nullptr fails.\n"),
            "gpu-too-new",
        ),
        ("GPU: RTX 3060\nassertion error in trtSmToCask, Unsupported SM.\n", "gpu-too-new"),
    ],
)
def test_compilers_that_are_older_than_the_gpu(text: str, cause: str):
    assert ruled(text) == cause
