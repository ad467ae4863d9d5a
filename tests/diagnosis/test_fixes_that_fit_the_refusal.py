"""Fixes by what exactly was refused: each pair differs in the words or facts that decide."""

from __future__ import annotations

import pytest

from gpuprobe import explain
from gpuprobe.diagnosis.model import Safety
from gpuprobe.facts import names
from gpuprobe.facts.version import Version
from support.pasted import finding, printed

WARNED = "bootstrap.py:219: {}: numpy.dtype size changed, may indicate binary incompatibility.\n"


def test_a_warning_of_numpy_asks_for_nothing() -> None:
    told = finding(WARNED.format("RuntimeWarning"))
    assert "Python warns, and loads it" in told.title
    assert told.fix.safety is Safety.SAFE
    assert 'ignore:numpy.dtype size changed"' in told.fix.commands[0]
    ended = finding(WARNED.format("ValueError"))
    assert "does not load" in ended.title
    assert ended.fix.commands == ('pip install "numpy<2"',)


TWO = (
    "{}A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.2.6 as it may crash.\n"
)


def test_numpy_of_an_image_is_changed_where_it_is_built() -> None:
    assert "Dockerfile" in printed(TWO.format("Environment: docker\n"))
    assert "Dockerfile" not in printed(TWO.format(""))


NODES = "$ ls -l /dev/nvidia*\n{} 1 root video 195, 0 Jun 25 11:05 /dev/nvidia0\n"
NODES += "{} 1 root video 195, 255 Jun 25 11:05 /dev/nvidiactl\nRuntimeError: no GPU\n"


@pytest.mark.parametrize(
    ("mode", "there"),
    [
        ("c-w--wx-wT", "mode 1232, in which"),
        ("c-w--wx-wT", "written as 666"),
        ("crw-------", "mode 600, in which"),
    ],
)
def test_a_group_that_is_shut_out_is_not_joined(mode: str, there: str) -> None:
    told = printed(NODES.format(mode, mode))
    assert there in told
    assert "usermod" not in told


def test_a_group_that_may_open_them_is_joined() -> None:
    assert "usermod -aG video" in printed(NODES.format("crw-rw----", "crw-rw----"))
    assert "written as" not in printed(NODES.format("crw-------", "crw-------"))


REFUSED = "$ modprobe nvidia\nFATAL: Error inserting nvidia (/lib/modules/2.6.32/nvidia.ko): {}\n"


def test_a_module_that_finds_no_gpu_is_not_built_again() -> None:
    told = finding(REFUSED.format("No such device"))
    assert "finds no GPU that it serves" in told.title
    assert told.fix.commands[0] == "lspci | grep -i nvidia"
    assert "modprobe nvidia" in printed(REFUSED.format("Operation not permitted"))


MIXED = "GPU: NVIDIA A30\npanic: At least one device with migEnabled=true was not configured"
MIXED += " correctly: {}\n"


def test_instances_of_several_types_are_no_missing_ones() -> None:
    told = finding(MIXED.format("More than one MIG device type present on node"))
    assert "instances of several types" in told.title
    assert "nvidia.com/mig.config=all-1g.6gb" in told.fix.commands[1]
    assert "no instance" in finding(MIXED.format("no MIG devices found")).title


def test_a_linux_driver_in_wsl_is_removed() -> None:
    told = finding("Windows 11\nBy mistake I have a Linux GPU driver inside WSL.\n")
    assert "A Linux driver was installed inside WSL" in told.title
    assert told.fix.commands[0].startswith("sudo apt purge 'nvidia-driver-*'")
    other = finding("Windows 11\nMy GPU is not detected in WSL2.\n")
    assert "apt purge" not in " ".join(other.fix.commands)


CODE = "I installed the driver of my RTX 3060 and get {} in Device Manager"


def test_code_43_is_of_windows() -> None:
    told = finding(CODE.format("error 43"))
    assert "Windows stopped the GPU" in told.title
    assert told.fix.commands == ("devmgmt.msc",)


COMPAT = (
    "Environment: docker\n{}Error 804: forward compatibility was attempted on non supported HW\n"
)
COMPAT += "LD_LIBRARY_PATH=/usr/local/cuda/compat\nCUDA error\n"
TABLE = "| NVIDIA-SMI 535.129.03  Driver Version: 535.129.03  CUDA Version: 12.2 |\n"


def test_an_image_for_the_cuda_of_the_driver_is_named() -> None:
    assert "no newer than 12.2" in printed(COMPAT.format(TABLE))
    assert "that nvidia-smi names" in printed(COMPAT.format(""))


CUBLAS = (
    "{}ImportError: libcublas.so.{}: cannot open shared object file: No such file or directory\n"
)
BOARD = "Environment: docker\nBoard: Jetson TX2\n# R32 (release), REVISION: 6.1, BOARD: t186ref\n"


def test_the_libraries_of_jetpack_4_are_mounted() -> None:
    assert "--runtime nvidia" in printed(CUBLAS.format(BOARD, "10"))
    assert "--runtime nvidia" not in printed(CUBLAS.format(BOARD, "12"))
    assert "--runtime nvidia" not in printed(CUBLAS.format("Environment: docker\n", "10"))


RUNTIME = "{}docker: Error response from daemon: unknown or invalid runtime name: nvidia\n"


@pytest.mark.parametrize("system", ["TrueNAS", "Unraid"])
def test_an_appliance_installs_its_own_tools(system: str) -> None:
    told = printed(RUNTIME.format(f"{system} after the update\n"))
    assert f"{system} " in told
    assert "nvidia-ctk" not in told
    assert "nvidia-ctk" in printed(RUNTIME.format("Ubuntu after the update\n"))


def test_no_other_build_of_flash_attention_serves_an_older_gpu() -> None:
    told = printed("GPU: V100\nRuntimeError: FlashAttention only supports Ampere GPUs or newer.\n")
    assert "sdpa" in told
    assert "compile it" not in told


PART = (
    "torch {}\nCould not load library libcudnn_cnn_train.so.8. Error: {}/libcudnn_cnn_train.so.8:"
)
PART += " undefined symbol: _ZN5cudnn3cnn34layerNormFwd_execute_internal_implERKNS_7backend11Var\n"


def test_a_part_of_another_cudnn_leaves_the_search_path() -> None:
    system = "/usr/local/cuda-12.3/lib64"
    assert f"taken from {system}" in printed(PART.format("2.2.0+cu121", system))
    assert "taken from" not in printed(PART.format("2.2.0", system))
    own = "/opt/venv/lib/python3.10/site-packages/nvidia/cudnn/lib"
    assert "taken from" not in printed(PART.format("2.2.0+cu121", own))


UNNAMED = "{}Python 3.12\nW0000 gpu_device.cc:2344] Cannot dlopen some GPU libraries. Please make"
UNNAMED += " sure the missing libraries mentioned above are installed properly\n"


def test_tensorflow_by_pip_gets_its_libraries_by_pip() -> None:
    told = printed(UNNAMED.format("tensorflow==2.18.0\n"))
    assert "tensorflow[and-cuda]==2.18.0" in told
    assert "env -u LD_LIBRARY_PATH" in told
    assert "and-cuda" not in printed(UNNAMED.format(""))


IMAGE = (
    "OS: {}\nGPU: {}\nnvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.6,"
)
IMAGE += " please update your driver to a newer version, or use an earlier cuda container\n"


def test_a_gpu_that_newer_drivers_leave_out_is_told_of() -> None:
    told = printed(IMAGE.format("Ubuntu 22.04", "NVIDIA GeForce GTX 1080 Ti"))
    assert "Branch 580 is the last" in told
    assert "the last" not in printed(IMAGE.format("Ubuntu 22.04", "NVIDIA GeForce RTX 4090"))


ENCODER = (
    "OS: {}\nGPU: {}\n[general]\ndriver_ver={}\nreason=outdated_driver\nnvenc_supported=false\n"
)


@pytest.mark.parametrize(
    ("system", "gpu", "driver", "there", "not_there"),
    [
        ("Debian 13", "GTX 1050", "550.163.01", "keep to branch 580", "nvidia-open"),
        ("Debian 13", "RTX 4090", "550.163.01", "nvidia-open", "non-free"),
        ("Debian 12", "RTX 4090", "470.57.02", "non-free", "nvidia-open"),
        ("Ubuntu 22.04", "RTX 4090", "550.163.01", "ubuntu-drivers", "nvidia-open"),
    ],
)
def test_debians_newest_driver_is_not_installed_again(
    system: str, gpu: str, driver: str, there: str, not_there: str
) -> None:
    told = printed(ENCODER.format(system, gpu, driver))
    assert there in told
    assert not_there not in told
    assert "headers of the encoder" in told


NO_DRIVER = (
    "OS: Debian 12\nGPU: {}\nnvidia-container-cli: initialization error: load library failed:"
)
NO_DRIVER += " libnvidia-ml.so.1: cannot open shared object file: no such file or directory\n"


def test_debian_has_no_driver_for_the_newest_gpus() -> None:
    assert "nvidia-open" in printed(NO_DRIVER.format("GeForce RTX 5060"))
    assert "sudo apt install linux-headers-amd64 nvidia-driver" in printed(
        NO_DRIVER.format("GeForce RTX 3060")
    )


NVRTC = "GPU: RTX 4090\ntorch {}\ncuda 11.8\nnvrtc: error: invalid value for --gpu-architecture\n"


def test_torchs_own_nvrtc_refuses_not_the_toolkit_beside_it() -> None:
    told = finding(NVRTC.format("1.13.1+cu117"))
    assert told.title.startswith("CUDA 11.7, with which torch was built")
    assert "pip install --force-reinstall torch" in told.fix.commands[0]
    beside = finding(NVRTC.format("1.13.1+cu117").replace("torch", "cupy 12.0\ntorch"))
    assert "torch was built" not in beside.title


TABLE_OF_PYTHON = (
    "detectron2._C             failed to import\nPython                    {} (default)\n"
)
TABLE_OF_PYTHON += (
    "PyTorch                   1.4.0 @/x\nGPU 0                     GeForce GTX 1660\n"
)
TABLE_OF_PYTHON += "RuntimeError: CUDA error: no kernel image is available for execution\n"


def test_detectron2s_table_tells_the_python() -> None:
    told = explain(TABLE_OF_PYTHON.format("3.7.4")).facts
    assert told.known(names.PYTHON_VERSION) == Version("3.7.4")


WHISPER = (
    "{}\nCould not load library libcublasLt.so.11. Error: libcublasLt.so.11: cannot open shared"
)
WHISPER += " object file: No such file or directory\n"


def test_whispers_libraries_come_by_pip() -> None:
    assert '"ctranslate2<4"' in printed(WHISPER.format('model = WhisperModel("large-v3")'))
    assert "ctranslate2" not in printed(WHISPER.format('model = Model("large-v3")'))


SOLVER = (
    "{}ImportError: /usr/local/cuda/targets/x86_64-linux/lib/libcusolver.so.11: undefined symbol:"
)
SOLVER += " cublasSetEnvironmentMode, version libcublas.so.12\n"


def test_pips_older_library_is_renewed_for_the_systems() -> None:
    pip = "nvidia-cublas-cu12==12.8.4.1\n"
    assert "--upgrade nvidia-cublas-cu12" in printed(SOLVER.format(pip))
    assert "--upgrade" not in printed(SOLVER.format(""))
    assert "--upgrade" not in printed(SOLVER.format(pip + "torch==2.7.0\n"))


def test_a_busy_gpu_is_freed_or_left_alone_by_its_number() -> None:
    told = printed("RuntimeError: cuda runtime error (46) : all CUDA-capable devices are busy\n")
    assert "CUDA_VISIBLE_DEVICES=NUMBER" in told
    assert "nvidia-smi -c DEFAULT" not in told


@pytest.mark.parametrize("unallocated", ["12.......", "1.2.3", "..", "12.00"])
def test_a_figure_of_pytorch_that_was_damaged_is_none(unallocated: str) -> None:
    said = finding(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a"
        " total capacity of 24.00 GiB of which 12.00 MiB is free. Including non-PyTorch memory,"
        " this process has 23.70 GiB memory in use. Of the allocated memory 23.20 GiB is allocated"
        f" by PyTorch, and {unallocated} MiB is reserved by PyTorch but unallocated."
    )
    assert said.title.startswith("The program itself holds 23.70 GiB")
    # Only a figure that can be read shows that no fragments are what is missing.
    assert ("expandable_segments" in str(said.fix)) is (unallocated != "12.00")
