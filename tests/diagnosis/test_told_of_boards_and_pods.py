"""Containers of a Jetson, what stands below a heading, and words of miners and modules."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import fix

JETSON = "Machine: Jetson Nano, jetpack 4.5.1\n"
SINGULARITY = (
    "user@host:~$ singularity exec --nv image.sif bash\n"
    "INFO:    Could not find any nv files on this host!\n"
)
CLI = (
    "sudo docker run --runtime nvidia ubuntu:20.04\n"
    "stderr: nvidia-container-cli: initialization error: driver error: failed to process request\n"
    "could not start driver service: load library failed: libnvidia-ml.so.1: cannot open shared"
    " object file: No such file or directory\n"
)
SHORT = (
    "Started with docker run IMAGE\n./segnet: error while loading shared libraries: "
    "/usr/lib/aarch64-linux-gnu/libnvinfer.so.7: file too short\n"
)


@pytest.mark.parametrize("missed", [SINGULARITY, CLI, SHORT])
def test_a_container_on_a_jetson_lacks_what_the_board_has(missed: str):
    assert ruled(JETSON + missed) == "container-no-gpu"
    assert "docker run --runtime nvidia IMAGE" in fix(JETSON + missed).commands


@pytest.mark.parametrize("missed", [SINGULARITY, CLI])
def test_on_another_machine_the_host_has_no_driver(missed: str):
    assert ruled(missed) == "driver-missing"


LIBCUDA = (
    "I tensorflow/stream_executor/dso_loader.cc:99] Couldn't open CUDA library libcuda.so.1. "
    "LD_LIBRARY_PATH: /usr/local/nvidia/lib\n"
    "I tensorflow/stream_executor/cuda/cuda_diagnostics.cc:257] driver version file contents: "
    '"""NVRM version: NVIDIA UNIX x86_64 Kernel Module  367.44  Wed Aug 17 22:24:07 PDT 2016\n'
)


@pytest.mark.parametrize(
    ("heading", "cause"),
    [
        ("In the container:", "container-no-gpu"),
        ("**Inside a running container (CentOS):**", "container-no-gpu"),
        ("In a pod of the cluster:", "container-no-gpu"),
        ("In the terminal:", "driver-missing"),
        ("In the container it is the same. On the host:", "driver-missing"),
    ],
)
def test_a_heading_tells_where_that_below_it_was_printed(heading: str, cause: str):
    assert ruled(f"{heading}\n\n{LIBCUDA}") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("[2017-08-11 23:06:20] GPU #0: invalid device function", "gpu-too-old"),
        ("[2017-08-11 23:06:20] GPU #0: Tesla K80, 1099.78 MH/s", "healthy"),
    ],
)
def test_a_miner_tells_of_code_that_it_lacks_by_the_gpus_number(line: str, cause: str):
    assert ruled(f"GPU: Tesla K80\nRunning ./ccminer\n{line}\n") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('KawPow failed to initialize DAG: <prepare>:62 "out of memory"', "oom-workload"),
        ("Failed to allocate DAG: CUDA error, out of memory", "oom-workload"),
        ("DAG of epoch 215 in 8488 ms; out of memory? no", "unknown"),
    ],
)
def test_a_miners_dag_does_not_fit(line: str, cause: str):
    assert ruled(f"GPU: GTX 780 (3GB)\n{line}\n") == cause


def test_a_monitor_on_windows_writes_lost_in_one_word():
    told = "OS: Windows\nGPU: GTX 1080 Ti\n[NVML] NVML get load failed with code: GPUIs{}\n"
    assert ruled(told.format("Lost")) == "device-lost"
    assert ruled(told.format("Idle")) != "device-lost"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("the nvidia-uvm module is not loaded by itself any more", "device-nodes"),
        ("After a boot the nvidia module is loaded, nvidia-uvm is not.", "device-nodes"),
        ("nvidia_uvm does not get loaded at boot", "device-nodes"),
        ("nvidia_uvm is loaded, nvidia_drm is not needed", "unknown"),
    ],
)
def test_the_module_of_cudas_device_file_is_not_loaded(told: str, cause: str):
    assert ruled(f"OS: Fedora 27\n\nSince the upgrade {told}\n") == cause
