"""What programs in Rust, Go, Julia, JavaScript, C++ and others have to say, by their sources."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import root_by_rules, ruled

CUDARC = (
    'Unable to dynamically load the "{0}" shared library - searched for library names:'
    ' ["lib{0}.so", "lib{0}64.so", "lib{0}64_13.so"]. Ensure that `LD_LIBRARY_PATH` has the path'
)


@pytest.mark.parametrize(
    ("text", "cause", "title"),
    [
        (CUDARC.format("cuda"), "driver-missing", "No NVIDIA driver"),
        (CUDARC.format("cusolver"), "cublas-missing", "cuSOLVER"),
        (CUDARC.format("cudnn"), "cudnn-missing", "cuDNN"),
        (CUDARC.format("nccl"), "nccl", "NCCL"),
        (
            (
                'Unable to dynamically load the "curand" library - searched for library names:'
                ' ["curand.dll", "curand64.dll"].'
            ),
            "cublas-missing",
            "cuRAND",
        ),
        (
            (
                'Unable to find `include/cuda.h` under any of: ["/opt/cuda", "/usr/lib/cuda"]. Set'
                " the"
                " `CUDA_ROOT` environment variable"
            ),
            "toolkit-missing",
            "the toolkit",
        ),
        (
            "Could not find CUDA in standard locations, set it manually using Builder()",
            "toolkit-missing",
            "the toolkit",
        ),
        ("Couldn't find nvcc - `which nvcc` returned non-zero", "toolkit-missing", "the toolkit"),
        (
            (
                "Error: Could not create backend: Could not start backend: `cuda` feature is not"
                " enabled"
            ),
            "cpu-only-build",
            "candle says",
        ),
        (
            (
                "┌ Error: This version of CUDA.jl requires an NVIDIA driver for CUDA 13.x or higher"
                " (yours only supports up to CUDA 12.2.0)"
            ),
            "driver-too-old",
            "12.2",
        ),
        ("ERROR: NVIDIA driver too old\nStacktrace:", "driver-too-old", "too old for it"),
        (
            (
                "┌ Warning: You are using CUDA toolkit 11.6.0 with a driver that only supports up"
                " to 11.4.0."
            ),
            "driver-too-old",
            "11.4",
        ),
        ("Outdated NVIDIA CUDA driver version '8010' detected!", "driver-too-old", "8.1"),
        (
            "CUDA: NVIDIA driver is installed, but CUDA runtime is not",
            "cudart-missing",
            "run time",
        ),
        (
            "CUDA: CUDA runtime is installed, but NVIDIA driver is not",
            "driver-missing",
            "No NVIDIA driver",
        ),
        (
            (
                "Failed to initialize the NVIDIA main driver CUDA runtime library.\n\n"
                "* Device #2: CUDA SDK Toolkit not installed or incorrectly installed."
            ),
            "driver-missing",
            "No NVIDIA driver",
        ),
        (
            (
                "CMake Error at modules/dnn/CMakeLists.txt:41 (message):\n"
                "  DNN: CUDA backend requires CUDA Toolkit.  Please resolve dependency"
            ),
            "toolkit-missing",
            "the toolkit",
        ),
        (
            "ERROR   CUDA not found. Install and try again.",
            "toolkit-missing",
            "the toolkit",
        ),
        (
            (
                "WARNING : at least one of your GPUs is not compatible with RELION (CUDA-capable"
                " and compute-capability >= 5.0)"
            ),
            "gpu-too-old",
            "5.0",
        ),
        (
            "ERROR: Double precision is not supported on this accelerator (src/GPU/gpu_extra.h:70)",
            "gpu-too-old",
            "Double precision",
        ),
        (
            (
                "F0101 mvs.cc:9] Dense stereo reconstruction requires CUDA or HIP, neither of which"
                " is available on your system."
            ),
            "cpu-only-build",
            "COLMAP says",
        ),
        (
            "Cannot use GPU feature matching without CUDA or OpenGL support. Set use_gpu to false.",
            "cpu-only-build",
            "COLMAP says",
        ),
        (
            (
                "what():  /src/ginkgo/core/device_hooks/cuda_hooks.cpp:71: feature copy is part of"
                " the cuda module, which is not compiled on this system"
            ),
            "cpu-only-build",
            "ginkgo says",
        ),
        (
            "This program is tested with 3.10.6 Python, but you have 3.13.0.",
            "python-unsupported",
            "3.13.0",
        ),
    ],
)
def test_other_languages_name_the_cause(text: str, cause: str, title: str) -> None:
    root = root_by_rules(text)
    assert root.cause == cause
    assert title in root.finding.title


@pytest.mark.parametrize(
    "text",
    [
        "* Device #3: Not enough allocatable device memory for this hashlist/ruleset.",
        "ERROR: Not enough GPU memory to match 16384 features. Reduce the number of matches.",
        "WARNING --> Insufficient GPU memory to load model. Aborting",
        (
            "java.lang.IllegalArgumentException: The pool allocation of 100.0 MiB was less than"
            " allocation of 9 MiB. Please ensure that the GPU has enough free memory, or adjust"
        ),
    ],
)
def test_too_little_memory_is_told_in_other_words(text: str) -> None:
    assert ruled(text) == "oom-workload"


@pytest.mark.parametrize(
    "text",
    [
        '["libssl.so", "libssl64.so"]: searched for library names: ["libssl.so"]',
        "`nvcc` not found. Assuming CUDA 12.\nDownloading onnxruntime-linux-x64-gpu-1.21.0.tgz",
        "Failed to detect CUDA version from `nvcc --version`: Unsupported CUDA version: 13",
        "The Metal backend requires the Metal toolkit",
        "yours only supports up to CUDA 12.2.0",
        "Successfully initialized the NVIDIA main driver CUDA runtime library.",
        "NVIDIA driver is installed, and so is the CUDA runtime",
        "My NVIDIA driver is installed, but CUDA runtime is not the newest",
        "How can COLMAP do GPU feature matching without CUDA?",
        "feature copy is part of the hip module, which is not compiled on this system",
        "This program is tested with 3.10.6 Python.",
        "Not enough allocatable host memory for this hashlist/ruleset.",
        'Error: NotEnoughCUDADevices("`sharded` is true but only found 1 CUDA devices")',
    ],
)
def test_what_only_looks_alike_names_nothing(text: str) -> None:
    assert ruled(text) not in (
        *("toolkit-missing", "cudart-missing", "driver-missing", "driver-too-old"),
        *("cpu-only-build", "python-unsupported", "oom-workload", "healthy"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "CUDA nvcc compiler not found. Install CUDA toolkit in default location.",  # Blender
        "* Device #1: CUDA SDK Toolkit not installed or incorrectly installed.",  # hashcat
        "thread 'main' panicked at lib.rs:12:13:\nCould not find a cuda installation",
    ],
)
def test_toolkit_of_another_program_is_not_pytorchs(text: str) -> None:
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert "torch" not in root.finding.fix.text
    assert not any("torch" in each for each in root.finding.fix.commands)


def test_onnxruntime_of_dotnet_comes_from_nuget() -> None:
    text = (
        "System.EntryPointNotFoundException: Unable to find an entry point named"
        " 'OrtSessionOptionsAppendExecutionProvider_CUDA' in DLL 'onnxruntime'."
    )
    root = root_by_rules(text)
    assert root.cause == "cpu-only-build"
    assert root.finding.fix is not None
    assert root.finding.fix.commands[1].endswith("Microsoft.ML.OnnxRuntime.Gpu")


def test_host_memory_that_is_not_pinned_is_no_closed_device_file() -> None:
    text = (
        "Could not register the host memory for page locking for GPU transfers. CUDA error #304"
        " (cudaErrorOperatingSystem): OS call failed or operation not supported on this OS."
    )
    assert ruled(text) == "unknown"
    assert ruled(text.replace("register the host memory for page locking", "start")) != "unknown"
