"""What compilers say of an extension's source; each with a text that only looks alike."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    "line",
    [
        "gpu.c:15:10: fatal error: THC/THC.h: No such file or directory",
        "fatal error: 'THC/THC.h' file not found",
        "fatal error C1083: Cannot open include file: 'ATen/ceil_div.h': No such file",
        "致命错误: fatal error: ATen/ceil_div.h: 没有那个文件或目录",
        "conv.cpp:66:3: error: \u2018AT_CHECK\u2019 was not declared in this scope",
        'conv.cu(66): error: identifier "THCState_getCurrentStream" is undefined',
        "cpu.cpp:9: error: 'THFloatBlas_gemv' was not declared in this scope; did you mean",
        "error: \u2018optional\u2019 is not a member of \u2018c10\u2019",
        'error: namespace "at" has no member "ceil_div"',
        "#error C++17 or later compatible compiler is required to use PyTorch.",
        "torch.utils.ffi is deprecated. Please use cpp extensions instead.",
        "cannot convert 'at::DeprecatedTypeProperties' to 'c10::ScalarType'",
    ],
)
def test_source_for_another_torch_is_an_extension_that_does_not_fit(line: str):
    assert ruled(line) == "extension-mismatch"


@pytest.mark.parametrize(
    "line",
    [
        "fatal error: boost/thread.hpp: No such file or directory",
        "error: \u2018MY_CHECK\u2019 was not declared in this scope",
        "error: \u2018optional\u2019 is not a member of \u2018std\u2019",
        "#error C++17 or later compatible compiler is required to build folly.",
    ],
)
def test_source_that_lacks_something_else_says_nothing_of_torch(line: str):
    assert ruled(line) == "unknown"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "incompatibility: PyTorch was compiled against (8, 3, 2) but linked against (8, 0, 3)",
            "library-path-conflict",
        ),
        (
            "mismatch: PyTorch was compiled against 6021 but linked against 5110",
            "library-path-conflict",
        ),
        ("notes: PyTorch was compiled against 6021", "unknown"),
    ],
)
def test_another_cudnn_than_torchs_own_was_found_first(told: str, cause: str):
    assert ruled(f"cuDNN version {told}") == cause


@pytest.mark.parametrize(("path", "cause"), [("D:\\env\\", "extension-mismatch"), ("", "unknown")])
def test_a_library_for_linux_on_windows_is_a_bitsandbytes_for_linux(path: str, cause: str):
    assert ruled(f"bin {path}bitsandbytes\\libbitsandbytes_cpu.so") == cause


@pytest.mark.parametrize(
    ("before", "cause"),
    [("system not yet initialized\n", "fabric-manager"), ("", "device-nodes")],
)
def test_what_fails_beside_a_fabric_that_is_not_ready_fails_with_it(before: str, cause: str):
    assert ruled(f"{before}OS call failed or operation not supported on this OS") == cause


def test_a_warning_about_cl_is_a_compiler_that_is_not_there():
    told = "UserWarning: Error checking compiler version for cl: [WinError 2] cannot find the file"
    assert ruled(told) == "toolkit-missing"
