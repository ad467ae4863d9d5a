"""An extension that was compiled against another NumPy, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled

BFLOAT16 = "    _np_bfloat16 = _pywrap_bfloat16.TF_bfloat16_type()\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("ImportError: numpy.core.umath failed to import", "numpy-abi"),
        ("ImportError: numpy.core._multiarray_umath failed to import", "numpy-abi"),
        (
            BFLOAT16 + "TypeError: Unable to convert function return value to a Python type!",
            "numpy-abi",
        ),
        (BFLOAT16 + "TypeError: Unable to convert the argument", "unknown"),
        ("ImportError: Numba needs NumPy 1.24 or less", "numpy-abi"),
        ("ImportError: Numba needs a newer LLVM", "unknown"),
        ("SystemError: initialization of _internal failed without an exception", "numpy-abi"),
        ("SystemError: initialization of _external failed without an exception", "unknown"),
        ("TypeError: Unable to convert function return value to a Python type!", "unknown"),
        (
            "cupy 13.1.0\nnumpy 2.0.0\nAttributeError: module 'numpy' has no attribute 'AxisError'",
            "numpy-abi",
        ),
        ("AttributeError: module 'numpy' has no attribute 'int'", "unknown"),
        ("It complains that a module compiled with NumPy 1.x cannot be run.", "numpy-abi"),
        ("A module compiled with NumPy 1.x can be run.", "unknown"),
        # In people's words.
        ("The wheel was compiled against NumPy 1.x and fails to import with NumPy 2.", "numpy-abi"),
        ("It is built with numpy<2.0; numpy>=2.0 throws an incompatibility error.", "numpy-abi"),
        ("It is not compatible with numpy 2.1, as it was built against numpy 1.26", "numpy-abi"),
        ("The wheel is built for numpy 1 and numpy 2.", "unknown"),
        ("Is the wheel built with numpy<2? With numpy 2 I get an error.", "unknown"),
        ("The wheel is built with numpy 2. With numpy 1.26 there is no error.", "unknown"),
    ],
)
def test_an_extension_for_another_numpy_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("numpy.ndarray has the wrong size, try recompiling. Expected 80, got 88", "numpy-abi"),
        ("topics.Model has the wrong size, try recompiling. Expected 80, got 88", "unknown"),
    ],
)
def test_an_older_cython_asks_to_recompile(words: str, cause: str):
    assert ruled(f"GTX 1080, pygpu\nValueError: {words}\n") == cause


IN_NUMPY = (
    ">>> torch.__version__\n'2.2.2+cpu'\n{}A module that was compiled using NumPy 1.x cannot be "
    "run in NumPy 2.0.0\nRuntimeError: Numpy is not available"
)


def test_a_build_for_the_cpu_is_not_what_fails_in_numpy():
    assert ruled(IN_NUMPY.format("")) == "numpy-abi"
    asked = ">>> torch.cuda.is_available()\nFalse\n"
    assert ruled(IN_NUMPY.format(asked)) == "cpu-only-build"


ON_A_MAC = '  File "/Users/user/main.py", line 2, in <module>\n'
ASKED = ">>> torch.cuda.is_available()\nFalse\n"
CLASH = "A module that was compiled using NumPy 1.x cannot be run in NumPy 2.0.0\n"


def test_numpys_clash_on_a_mac_asks_for_no_gpu():
    assert ruled(ON_A_MAC + CLASH) == "numpy-abi"
    for asked in ("AssertionError: Torch not compiled with CUDA enabled\n", ASKED):
        assert ruled(ON_A_MAC + CLASH + asked) == "no-nvidia-gpu"


NAMED_A_MAC = (
    "macOS 14.5, Apple M2\nA module that was compiled using NumPy 1.x cannot be run in NumPy 2.0.0 "
    "as it may crash.\n"
)


@pytest.mark.parametrize(
    ("tried", "cause"), [("", "numpy-abi"), ("CUDNN_STATUS_NOT_INITIALIZED\n", "no-nvidia-gpu")]
)
def test_on_a_mac_numpys_clash_asks_for_no_gpu_and_a_code_of_cudnn_does(tried: str, cause: str):
    assert ruled(NAMED_A_MAC + tried) == cause
