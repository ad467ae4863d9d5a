"""A CUDA toolkit that is missing, told by PyTorch, CuPy or XGBoost, JAX and older frameworks."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Caffe2: CUDA cannot be found.  Depending on whether you are building", "toolkit-missing"),
        (
            ">>> import triton\nWARNING: Failed to find CUDA.\n>>> torch.cuda.is_available()\nTrue",
            "toolkit-missing",
        ),
        (
            (
                "numba-cuda, CUDA 13\nFileNotFoundError: [Errno 2] No such file or directory: "
                "'/home/user/env/nvvm/libdevice/libdevice.10.bc'"
            ),
            "toolkit-missing",
        ),
        (
            "ERROR (theano.sandbox.cuda): nvcc compiler not found on $PATH. Check your nvcc",
            "toolkit-missing",
        ),
        ("numba.cuda.cudadrv.error.NvvmSupportError: libNVVM cannot be found\n", "toolkit-missing"),
        ("numba cannot find ``libnvvm.so``", "toolkit-missing"),
        (
            (
                "W tensorflow/core/framework/op_kernel.cc:1855] OP_REQUIRES failed at xla_ops.cc"
                ":590 : UNAVAILABLE: No PTX compilation provider is available. Neither ptxas/nvlink"
                " nor nvjtlink is available."
            ),
            "toolkit-missing",
        ),
        (
            (
                "Could not find a valid NVCC executable\nTesla K40\n>>> "
                "torch.cuda.is_available()\nTrue\n"
            ),
            "toolkit-missing",
        ),
        ("nvcc: command not found\nTesla K40\n>>> torch.cuda.is_available()\nTrue\n", "healthy"),
    ],
)
def test_a_toolkit_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "Triton found CUDA.",
        "ls env/nvvm/libdevice/libdevice.10.bc",
        "the C++ compiler was found on $PATH, nvcc is not needed",
    ],
)
def test_kin_of_a_toolkit_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


OPERATORS = """torch 2.1.0+cu121
UserWarning: Failed to load custom C++ ops. Running on CPU mode Only!
NameError: name '_C' is not defined
>>> from torch.utils.cpp_extension import CUDA_HOME; print(CUDA_HOME)
{home}
"""


@pytest.mark.parametrize(
    ("home", "cause"), [("None", "toolkit-missing"), ("/usr/local/cuda", "extension-mismatch")]
)
def test_operators_were_left_out_where_torch_finds_no_toolkit(home: str, cause: str):
    assert ruled(OPERATORS.format(home=home)) == cause


def test_a_program_that_calls_nvcc():
    error = "pytools.prefork.ExecError: error invoking 'nvcc --version': [Errno 2] "
    error += "No such file or directory: '{}'\n"
    machine = "pycuda 2021.1, RTX 3070, driver 510.47\n"
    assert ruled(machine + error.format("nvcc")) == "toolkit-missing"
    assert ruled(machine + error.format("cl.exe")) != "toolkit-missing"


NOTHING = "unknown", "healthy"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
ENDED = "make: *** [Makefile:10: all] Error 127\n"
NO_NVCC = "/bin/sh: 1: nvcc: not found\n"


@pytest.mark.parametrize(
    "text",
    [
        "$ nvcc --version\nbash: nvcc: command not found\n$ make\nmake: protoc: No such file\n"
        + ENDED,
        f"{NO_NVCC}Building for the CPU.\n/bin/sh: 1: clang-format: not found\n{ENDED}",
        NO_NVCC + "make: [Makefile:3: about] Error 127 (ignored)\n",
    ],
)
def test_make_wanted_another_program(text: str):
    assert ruled(text + SEES) in NOTHING


def test_make_of_windows_wanted_nvcc_itself():
    missed = "'nvcc' is not recognized as an internal or external command,\n"
    ended = "NMAKE : fatal error U1077: '{}' : return code '0x1'\n"
    assert ruled(missed + ended.format("nvcc") + SEES) == "toolkit-missing"
    assert ruled(missed + ended.format("rc") + SEES) in NOTHING


SETUP = 'File "setup.py", line 41, in get_extensions\nNotImplementedError: Cuda is not {}\n'


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (SEES + SETUP.format("available"), "toolkit-missing"),
        (SEES + SETUP.format("availabel"), "toolkit-missing"),  # as many copies of it have it
        ("CUDA_HOME is None here.\n" + SETUP.format("available"), "toolkit-missing"),
        ("torch.cuda.is_available:True,CUDA_HOME:None\n" + SETUP.format("available"),
         "toolkit-missing"),
        (SEES.replace("True", "False") + SETUP.format("available"), "unknown"),
        (SEES + "CUDA_HOME is None.", "healthy"),
        (SEES + 'raise NotImplementedError("Cuda is not available")', "healthy"),
    ],
)  # fmt: skip
def test_a_setup_that_takes_a_toolkit_that_is_not_there_for_cuda(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("Numba does not find libnvvm here", "toolkit-missing"),
        ("Numba didn't find `libnvvm`", "toolkit-missing"),
        ("Numba does find libnvvm here", "unknown"),
    ],
)
def test_somebody_says_that_numba_finds_no_libnvvm(said: str, cause: str):
    assert ruled(f"{said}:\nTraceback (most recent call last):\n") == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (
            (
                "[WARN] Skipped [JCublasBackend] backend (unavailable): "
                "java.lang.RuntimeException: CUDA backend can't find NVCC within PATH environment "
                "variable"
            ),
            "toolkit-missing",
        ),
        ("The build of the plugin can't find nvcc in PATH.", "toolkit-missing"),
        ("It can find nvcc within PATH.", "unknown"),
    ],
)
def test_a_backend_finds_no_nvcc(said: str, cause: str):
    assert ruled(said) == cause
