"""Fields that tell of a container, extensions of another CUDA, and owners of no NVIDIA GPU."""

from __future__ import annotations

import pytest

from support.cases import ruled

NVENC = "[hevc_nvenc @ 0x560d1c298580] Cannot load libnvidia-encode.so.1\n"
CUDA = "Cannot load libcuda.so.1\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("OS: Unraid, docker\n" + CUDA, "container-no-gpu"),
        ("OS: Debian 12 (podman)\n" + CUDA, "container-no-gpu"),
        ("OS: Ubuntu 22.04 in an LXC container\n" + CUDA, "container-no-gpu"),
        ("Unmanic: 0.1.1+68717c4 in a container; Plex in another\n" + NVENC, "container-no-gpu"),
        ("Tdarr: 2.17.01, running in docker\n" + NVENC, "container-no-gpu"),
        ("Jellyfin container: 10.8.13\n" + CUDA, "container-no-gpu"),
        ("The container has no libcuda.so.1, so it does not start", "container-no-gpu"),
        ("My Emby container lacks libnvidia-encode.so.1", "container-no-gpu"),
        ("OS: Unraid\n" + CUDA, "driver-missing"),
        ("OS: Debian 12\nDocker: 20.10.8, nvidia-container-runtime 3.5\n" + CUDA, "driver-missing"),
        ("Plex: 1.40 (container toolkit 1.14)\n" + CUDA, "driver-missing"),
        ("NVIDIA container: 1.14.3\n" + CUDA, "driver-missing"),
        ("The container has no libcublas.so.12", "cublas-missing"),
    ],
)
def test_container_is_told_in_a_field(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


GONE = "\nImportError: libcudart.so.9.2: cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("cuda 10.2\nLoading extension module rcca..." + GONE, "extension-mismatch"),
        ("cuda: 10.1\nimport spatial_correlation_sampler" + GONE, "extension-mismatch"),
        ("cuda: 10.1\n    import resample2d_cuda" + GONE, "extension-mismatch"),
        ("cuda: 10.0\nfrom core.nn import _C" + GONE, "extension-mismatch"),
        ("cuda: 10.0\nfrom . import _ext" + GONE, "extension-mismatch"),
        ("cuda: 9.2\nimport spatial_correlation_sampler" + GONE, "cudart-missing"),
        ("import spatial_correlation_sampler" + GONE, "cudart-missing"),
        ("cuda: 10.1\nimport mxnet" + GONE, "framework-cuda-mismatch"),
        ("cuda: 10.1\nLoading model rcca..." + GONE, "framework-cuda-mismatch"),
    ],
)
def test_extension_of_another_cuda_is_told_by_its_import(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


TENSORFLOW = (
    "2025-04-22 19:12:19.069558: W tensorflow/compiler/xla/stream_executor/platform/default/"
    "dso_loader.cc:64] Could not load dynamic library 'libcudart.so.11.0'; dlerror: "
    "libcudart.so.11.0: cannot open shared object file: No such file or directory\n"
)
WAITS = "On the nodes without an NVIDIA card {} waits for /sys/bus/pci/drivers/nvidia\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("CPU-only machine, DeepVariant quick start\n" + TENSORFLOW, "no-nvidia-gpu"),
        ("I run it on a CPU-only server.\n" + TENSORFLOW, "no-nvidia-gpu"),
        (TENSORFLOW, "cudart-missing"),
        ("CPU-only machine image\n" + TENSORFLOW, "cudart-missing"),
        ("CPU-only machine, all is well", "unknown"),
        (WAITS.format("ext-nvidia-persistenced"), "no-nvidia-gpu"),
        (WAITS.format("it").replace("without", "with"), "unknown"),
        ("On the nodes without an NVIDIA card all is well", "unknown"),
        ("GPU: AMD\nIs there a way for owners of AMD cards?", "no-nvidia-gpu"),
        ("GPU: AMD Radeon RX 5700\nHow is a Radeon card used here?", "no-nvidia-gpu"),
        ("GPU: AMD Radeon RX 5700\nHow is the picture saved?", "unknown"),
        ("GPU: RTX 3060\nIs there a way for owners of AMD cards?", "unknown"),
    ],
)
def test_machine_is_told_to_have_no_nvidia_gpu(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ("Can I use CUDA inside a VMware guest?", "no-nvidia-gpu"),
        ("Is it possible to use the GPU in VirtualBox?", "no-nvidia-gpu"),
        (
            "It is to be built with CUDA inside the VMware guest. Can it have CUDA there?",
            "no-nvidia-gpu",
        ),
        ("Can I use CUDA in VMware ESXi with passthrough?", "unknown"),
        ("I use CUDA on the host and VMware for mail. Can it print?", "unknown"),
    ],
)
def test_question_of_a_desktops_guest(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        ('the nvidia DKMS module ends with "... FAILED!"', "driver-not-loaded"),
        ('the zfs DKMS module ends with "... FAILED!"', "unknown"),
    ],
)
def test_dkms_that_ends_with_failed(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause
