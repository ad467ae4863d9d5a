"""A GPU that is too old for the software, title_and_fix by a Jetson, containers and Windows."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import title_and_fix

MINOR = (
    "WARNING: CUDA Minor Version Compatibility mode ENABLED.\n"
    "  CUDA Forward Compatibility is preferred over Minor Version Compatibility for use\n"
    "  with this container but was unavailable:\n"
)
REFUSED = (
    "  [[System has unsupported display driver / cuda driver combination "
    "(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) cuInit()=803]]\n"
)
OLD = "ERROR: Detected Tesla V100S-PCIE-32GB GPU, which is not supported by this container\n"
NONE = "ERROR: No supported GPU(s) detected to run this container\n"
CLI = "nvidia-container-cli: {}: unknown"
INVALID_FUNCTION = (
    "RuntimeError: cuda runtime error (8) : invalid device function at THCTensorCopy.cu:204\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (OLD + NONE + MINOR + REFUSED, "gpu-too-old"),
        (MINOR + REFUSED, "unknown"),
        (OLD, "gpu-too-old"),
        (CLI.format("requirement error: unsatisfied condition: arch >= 7.0"), "gpu-too-old"),
        (
            (
                'device_cuda.cpp:149] Ignoring device "GeForce GTX 580", this graphics card is no '
                "longer supported.\n"
            ),
            "gpu-too-old",
        ),
        ("The vendor says that this graphics card is no longer supported.\n", "unknown"),
        (INVALID_FUNCTION + "Windows 10, GTX870 M", "gpu-too-old"),
    ],
)
def test_a_gpu_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


IGNORED = (
    "\tIgnoring visible gpu device (device: 0, name: Tesla M60, pci bus id: 0000:00:1e.0, compute "
    "capability: 5.2) with {}\n\tThe minimum required {}"
)


@pytest.mark.parametrize(
    ("with_what", "least", "cause"),
    [
        ("Cuda compute capability 5.2.", "Cuda capability is 6.0.", "gpu-too-old"),
        ("core count: 2.", "count is 8.", "healthy"),
    ],
)
def test_a_gpu_that_is_left_out_is_told_in_two_lines_too(with_what: str, least: str, cause: str):
    assert ruled(IGNORED.format(with_what, least)) == cause


IMAGE = "GPU: {}\n$ docker run {} nvcr.io/nvidia/tritonserver:25.02-py3{}\n"


@pytest.mark.parametrize(
    ("gpu", "options", "kind", "cause"),
    [
        ("Tesla P40", "--gpus all", "", "gpu-too-old"),
        ("Tesla P40", "--gpus all", "-sdk perf_analyzer -m x", "unknown"),  # a client
        ("Tesla P40", "--rm", "", "unknown"),  # a server of models on the CPU
        ("Jetson AGX Xavier", "--gpus all", "-igpu", "unknown"),
        ("Jetson Nano", "--gpus all", "", "unknown"),
    ],
)
def test_an_image_is_judged_where_its_server_gets_the_gpu(
    gpu: str, options: str, kind: str, cause: str
):
    assert ruled(IMAGE.format(gpu, options, kind)) == cause


def test_for_an_older_gpu_an_earlier_image_is_taken():
    fix = title_and_fix(IMAGE.format("Tesla P40", "--gpus all", ""))
    assert "earlier release of the image" in fix
    assert "compile" not in fix
