"""A compiled extension that was built for something else, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

PLUGIN = "Mismatched PJRT plugin PJRT API version (0.54) and framework PJRT API version 0.51)."
SGL = 'ImportError: libnvrtc.so.12: cannot open shared object file\n File "/x/sgl_kernel/load.py"'
RAPIDS = (
    "ImportError: /home/user/envs/r/lib/python3.7/site-packages/../../libNVStrings.so: "
    "undefined symbol: _Z10rmmGetInfoPmS_P11CUstream_st"
)
OTHER_TAG = (
    "Error Code 1: Serialization (Serialization assertion stdVersionRead == serializationVersion "
    "failed.Version tag does not match. Note: Current Version: 213, Serialized Engine Version: 232)"
)
GONE = "\nImportError: libcudart.so.9.2: cannot open shared object file: No such file or directory"
NO_TRITON = "RuntimeError: Cannot find a working triton installation.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "ModuleNotFoundError: No module named 'MultiScaleDeformableAttention'",
            "extension-mismatch",
        ),
        (
            "TypeError: causal_conv1d_fwd(): incompatible function arguments. The following",
            "extension-mismatch",
        ),
        ("TypeError: forward(): incompatible function arguments.", "unknown"),
        ("lltm_cuda: incompatible function arguments", "unknown"),
        (
            (
                "CUDA SETUP: Problem: The main issue seems to be that the main CUDA runtime library"
                " was not detected."
            ),
            "extension-mismatch",
        ),
        ("Main.java:12: error: cannot find symbol\n  symbol:   class CuContext", "unknown"),
        ("Exception: CUDA SETUP: Setup Failed!", "extension-mismatch"),
        ("ModuleNotFoundError: No module named 'triton.ops'", "extension-mismatch"),
        ("ModuleNotFoundError: No module named 'triton'", "unknown"),
        ("NameError: name 'str2optimizer32bit' is not defined", "extension-mismatch"),
        (PLUGIN, "extension-mismatch"),
        (
            "The plugin is likely built with a later version than the framework.",
            "extension-mismatch",
        ),
        ("The plugin is built with care", "unknown"),
        ("No module named 'diff_gaussian_rasterization._C'", "extension-mismatch"),
        ("ModuleNotFoundError: No module named 'rotary_emb_cuda'", "extension-mismatch"),
        ("ModuleNotFoundError: No module named 'torch._C'", "unknown"),
        ("ModuleNotFoundError: No module named 'requests_ext_tools'", "unknown"),
        ("[sgl_kernel] CRITICAL: Could not load any common_ops library!", "extension-mismatch"),
        (SGL, "extension-mismatch"),
        (
            "Could not find compatible tinycudann extension for compute capability 86.",
            "extension-mismatch",
        ),
        (
            (
                "error in ms_deformable_im2col_cuda: no kernel image is available for execution on"
                " the device"
            ),
            "extension-mismatch",
        ),
        (
            "TypeError: C function cuda.ccudart.cudaFree has wrong signature (expected x",
            "extension-mismatch",
        ),
        (
            "RuntimeError: nms_impl: implementation for device cuda:0 not found.",
            "extension-mismatch",
        ),
        ("nms_impl: implementation found for device cuda:0", "unknown"),
        (RAPIDS, "extension-mismatch"),
        (RAPIDS.replace("_Z10rmmGetInfoPmS_P11CUstream_st", "_Z10getInfoPm"), "unknown"),
        (OTHER_TAG, "extension-mismatch"),
        ("cuda 10.2\nLoading extension module rcca..." + GONE, "extension-mismatch"),
        ("cuda: 10.1\nimport spatial_correlation_sampler" + GONE, "extension-mismatch"),
        ("cuda: 10.1\n    import resample2d_cuda" + GONE, "extension-mismatch"),
        ("cuda: 10.0\nfrom core.nn import _C" + GONE, "extension-mismatch"),
        ("cuda: 10.0\nfrom . import _ext" + GONE, "extension-mismatch"),
        (
            "* CUDA/cuDNN version: 10.1\n* How did you try to install PyTorch Geometric and its "
            "extensions (wheel, source): wheel" + GONE,
            "extension-mismatch",
        ),
        ("* CUDA/cuDNN version: 10.1\nPyTorch Geometric" + GONE, "framework-cuda-mismatch"),
        (NO_TRITON, "extension-mismatch"),
        ("RuntimeError: Not compiled with CUDA support", "extension-mismatch"),
        (
            "ImportError: libc10_cuda.so: cannot open shared object file: No such file",
            "extension-mismatch",
        ),
    ],
)
def test_an_extension_that_does_not_fit_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "TypeError: C function app.core.run has wrong signature (expected x",
    ],
)
def test_kin_of_an_extension_that_does_not_fit_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "TypeError: argument of type 'PosixPath' is not iterable",
    ],
)
def test_this_is_not_an_extension_that_does_not_fit(text: str):
    assert ruled(text) != "extension-mismatch"


@pytest.mark.parametrize(
    ("wanted_by", "symbol", "cause"),
    [
        ("./tf_ops/tf_sampling_so.so", "__cudaPushCallConfiguration", "extension-mismatch"),
        ("./tf_ops/tf_sampling_so.so", "__cudaRegisterFatBinaryEnd", "extension-mismatch"),
        ("./tf_ops/tf_sampling_so.so", "__gxx_personality_v0", "unknown"),
    ],
)
def test_an_operation_was_compiled_with_another_run_time(wanted_by: str, symbol: str, cause: str):
    assert ruled(f"NotFoundError: {wanted_by}: undefined symbol: {symbol}\n") == cause
