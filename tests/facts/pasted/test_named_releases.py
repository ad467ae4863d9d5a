"""The releases of CUDA and cuDNN that a text names, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import said
from gpuprobe.facts.pasted.people import named_releases
from gpuprobe.facts.pasted.text import Text
from support.pasted import told


@pytest.mark.parametrize(
    ("text", "releases"),
    [
        ("I use CUDA 12.3", ("12.3",)),
        ("cuda toolkit version is 12", ("12",)),
        ("CUDA Toolkit v11.8", ("11.8",)),
        ("CUDA版本: 11.7", ("11.7",)),
        ("ls /usr/local/cuda-11.7/lib64", ("11.7",)),
        ("FROM nvidia/cuda:11.8.0-runtime", ("11.8",)),
        ("CUDA 12.3 here\nCUDA 11.8 there\nCUDA 12.3 again", ("12.3", "11.8")),
        ("CUDA 12.1, not CUDA 11.8", ("12.1",)),
        ("CUDA 12 - capable of all that", ("12",)),
        ("On this machine with CUDA 12.1 it fails", ("12.1",)),
        ("It works on another machine, but here with CUDA 12.1 it fails", ("12.1",)),
    ],
)
def test_releases_of_cuda_are_named(text: str, releases: tuple[str, ...]) -> None:
    assert told(text)["cuda.named"] == releases


@pytest.mark.parametrize(
    "text",
    [
        "it needs CUDA 12",
        "it requires CUDA>=12.1",
        "torch was compiled against CUDA 12.1",
        "upgraded to CUDA 12",
        "without CUDA 12",
        "需要 CUDA 12",
        "| NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4 |",
        "there are CUDA 12.1 wheels and CUDA 11 builds",
        "pip install torch==2.3.0+cu121",
        "cuda-12.tar.gz",
        "cuda_12.1.0_530.30.02_linux.run",
        "device cuda:0, CUDA 99.1",
        "model.to('cuda:7')",
        "with CUDA, 8 GPUs",
        "Please install CUDA 12",
        "nvidia-smi shows CUDA 12.2",
        "https://developer.nvidia.com/cuda-12-1-download-archive",
        "it has a CUDA 12-capable driver",
        "a CUDA 12.1 compatible card",
        "On another machine with CUDA 12.1 it works",
        "It runs on my colleague's machine, which has CUDA 12.1",
    ],
)
def test_what_is_needed_made_for_or_served_is_not_named(text: str) -> None:
    assert "cuda.named" not in told(text)


@pytest.mark.parametrize(
    ("text", "releases"),
    [
        ("cudnn 4", ("4",)),
        ("CUDNN8.3", ("8.3",)),
        ("NVIDIA cuDNN version: 8.9.2", ("8.9.2",)),
        ("libcudnn_ops_infer.so.8", ("8",)),
        ("cudnn64_7.dll", ("7",)),
        ("cudnn_cnn_infer64_8.dll", ("8",)),
    ],
)
def test_releases_of_cudnn_are_named(text: str, releases: tuple[str, ...]) -> None:
    assert told(text)["cudnn.named"] == releases


@pytest.mark.parametrize(
    "text",
    [
        "it needs cuDNN 8",
        "cuDNN 12",
        "a cuDNN 8-compatible build",
        "Could not load library cudnn64_7.dll",
        "libcudnn.so.8: no such file",
        "找不到 cudnn64_8.dll",
        "cudnn-10.1-windows10-x64-v7.6.5.32.zip",
        "cudnn-windows-x86_64-8.3.1.22_cuda11.5-archive",
    ],
)
def test_a_cudnn_that_is_sought_or_lies_in_an_archive_is_not_named(text: str) -> None:
    assert "cudnn.named" not in told(text)


@given(st.text(alphabet="cudaCUDNnn 0123456789.:-_v版本>=/so", max_size=200))
def test_no_text_breaks_the_reader(noise: str) -> None:
    for key, _ in named_releases.read(Text(f"cuda {noise}\ncudnn{noise}")):
        assert key in (said.CUDA_NAMED, said.CUDNN_NAMED)
