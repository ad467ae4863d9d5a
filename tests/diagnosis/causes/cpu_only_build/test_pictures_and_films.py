"""A build without CUDA, as programs for pictures and films tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding, fix

OPENCV = ">>> cv2.cuda.getCudaEnabledDeviceCount()\n{count}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "colmap exhaustive_matcher --database_path colmap.db\nGPU: RTX 2070\n"
                "Shader not supported by your hardware!\nERROR: SiftGPU not fully supported"
            ),
            "cpu-only-build",
        ),
        ("AttributeError: module 'cv2' has no attribute 'cuda_GpuMat'", "cpu-only-build"),
        (
            (
                "dnn.cpp:1304: (-215:Assertion failed) preferableBackend != DNN_BACKEND_OPENCV "
                "|| preferableTarget == DNN_TARGET_CPU || preferableTarget == DNN_TARGET_OPENCL"
            ),
            "cpu-only-build",
        ),
        (OPENCV.format(count=0), "cpu-only-build"),
        (OPENCV.format(count=1), "healthy"),
        (
            (
                "ERROR: Dense stereo reconstruction requires CUDA, which is not available on your "
                "system."
            ),
            "cpu-only-build",
        ),
    ],
)
def test_a_build_without_cuda_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "GPU: RTX 2070\nThis shader is supported by your hardware",
        "AttributeError: module 'cv2' has no attribute 'xfeatures2d'",
    ],
)
def test_kin_of_a_build_without_cuda_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


MATCHING = """Matching block [1/9, 1/9] in 231.020s
WARNING: {whose} of SiftGPU only supports a maximum of 8192 matches - consider changing to \
CUDA-based feature matching to avoid this limitation.
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (MATCHING.format(whose="OpenGL version"), "cpu-only-build"),
        ("Matching block [1/9, 1/9] in 0.231s\nSiftGPU with CUDA, 8192 matches", "unknown"),
    ],
)
def test_colmap_without_cuda_matches_by_opengl(text: str, cause: str):
    assert ruled(text) == cause


def test_opencv_counts_devices_and_lists_them():
    asked = (
        '$ python3 -c "import cv2; print(cv2.__version__, cv2.cuda.getCudaEnabledDeviceCount());'
        ' cv2.cuda.printShortCudaDeviceInfo(0)"\n'
    )
    device = 'Device 0:  "NVIDIA GeForce GTX 1070"  8118Mb, sm_61, Driver/Runtime ver.11.70/11.70\n'
    assert ruled(f"{asked}4.6.0 1\n{device}") == "healthy"
    assert ruled(f"{asked}4.6.0 0\n") == "cpu-only-build"


@pytest.mark.parametrize(
    ("call", "cause"),
    [("Cv2.GetCudaEnabledDeviceCount()", "cpu-only-build"), ("Cv2.ImRead()", "unknown")],
)
def test_opencv_without_cuda_matters_to_who_asks_it_for_gpus(call: str, cause: str):
    assert ruled(f"{call}\nOther third-party libraries:\n  Use Cuda:            NO\n") == cause


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("flow.cpp:7:10: fatal error: opencv2/cudaoptflow.hpp: No such file or directory", True),
        ("main.mm:2:9: fatal error: 'opencv2/cudaimgproc.hpp' file not found", True),
        ("C1083: Cannot open include file: 'opencv2/cudev/ptr2d/gpumat.hpp': No such file", True),
        ("Could NOT find OpenCV (missing: cudaarithm cudawarping) (found version 4.5.4)", True),
        # OpenCV itself, another of its modules, or a file that its own modules ask for.
        ("flow.cpp:7:10: fatal error: opencv2/core.hpp: No such file or directory", False),
        ("detail.hpp:52:12: fatal error: opencv2/xfeatures2d/cuda.hpp: No such file", False),
        ("Could NOT find OpenCV (missing: xfeatures2d) (found version 4.5.4)", False),
    ],
)
def test_opencv_whose_modules_for_cuda_are_missed_was_built_without(text: str, missed: bool):
    assert ruled(f"{text}\n") == ("cpu-only-build" if missed else "unknown")


def test_the_toolkits_headers_that_opencv_asks_for_are_missed_in_the_toolkit():
    asked = "opencv2/cudalegacy/NCV.hpp:52:26: fatal error: cuda_runtime.h: No such file"
    assert ruled(f"/usr/include/{asked}\n") == "toolkit-missing"


def test_who_builds_a_program_of_opencv_is_told_to_compile_opencv_with_its_modules():
    told = fix("flow.cpp:7:10: fatal error: opencv2/cudaoptflow.hpp: No such file or directory\n")
    assert "opencv_contrib" in told.text
    assert not any(command.startswith("pip ") for command in told.commands)


@pytest.mark.parametrize(
    ("printed", "cause"),
    [
        ("[AVFilterGraph @ 0x55] No such filter: 'scale_cuda'", "cpu-only-build"),
        ("No such filter: 'scale_npp'", "cpu-only-build"),
        ("Unknown decoder 'hevc_cuvid'", "cpu-only-build"),
        ("Unrecognized hwaccel: cuda.", "cpu-only-build"),
        ("No such filter: 'drawtext'", "unknown"),
        ("Unknown decoder 'libdav1d'", "unknown"),
        ("Unrecognized hwaccel: videotoolbox.", "unknown"),
    ],
)
def test_ffmpeg_does_not_know_what_it_was_built_without(printed: str, cause: str):
    assert ruled(f"{printed}\nError initializing complex filters.\n") == cause


CONFIGURED = "-- Enabling SIMD support\n-- {} CUDA support\n-- Enabling OpenGL support\n"


@pytest.mark.parametrize(
    ("told", "which", "behind", "cause"),
    [
        ("GPU: RTX 2060", "Disabling", "", "cpu-only-build"),
        ("Driver Version: 460.32.03    CUDA Version: 11.2", "Disabling", "", "cpu-only-build"),
        ("GPU: RTX 2060", "Enabling", "", "unknown"),
        # Nobody tells of a GPU, or something else fails.
        ("OS: Debian 12", "Disabling", "", "unknown"),
        ("GPU: RTX 2060", "Disabling", "CUDA error: out of memory\n", "oom-workload"),
    ],
)
def test_cmake_leaves_cuda_out_on_a_machine_with_a_gpu(
    told: str, which: str, behind: str, cause: str
):
    text = f"{told}\n{CONFIGURED.format(which)}{behind}"
    assert ruled(text) == cause
    if cause == "cpu-only-build":
        assert "-DCMAKE_CUDA_COMPILER=" in finding(text).fix.commands[0]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("OS: Windows 11\nopen3d.core.cuda.is_available()\nFalse", "cpu-only-build"),
        ("Windows 10\n>>> o3d.core.cuda.is_available()\nFalse", "cpu-only-build"),
        ("Ubuntu 22.04\n>>> o3d.core.cuda.is_available()\nFalse", "unknown"),
        ("Windows 10\n>>> o3d.core.cuda.is_available()\nTrue", "healthy"),
    ],
)
def test_open3d_from_pip_on_windows(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "package", "cause"),
    [
        ("CudaInvoke.HasCuda is always false.", "libemgucv-windesktop-4.7.0.5276.exe", True),
        ("HasCuda: False", "NuGet package Emgu.CV.runtime.windows 4.9.0", True),
        ("HasCuda: False", "libemgucv-windesktop_x64-cuda-4.5.1.4349.exe", False),
        ("HasCuda: True", "libemgucv-windesktop-4.7.0.5276.exe", False),
        ("if (!CudaInvoke.HasCuda) return false;", "libemgucv-windesktop-4.7.0.5276.exe", False),
    ],
)
def test_a_run_time_of_emgu_cv_is_made_without_cuda(told: str, package: str, *, cause: bool):
    assert (ruled(f"GPU: GTX 1050 Ti\n{told}\nI use {package}\n") == "cpu-only-build") is cause
