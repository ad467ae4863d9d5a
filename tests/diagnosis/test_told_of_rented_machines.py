"""What rented machines, Windows beside WSL, builds and miners say, beside what is close to it."""

from __future__ import annotations

import pytest

from support.cases import ruled

CLI = "nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown\n"


@pytest.mark.parametrize(
    ("machine", "cause"),
    [
        ("instance type: inf1.xlarge\n", "no-nvidia-gpu"),
        ("I run it on a c5.2xlarge\n", "no-nvidia-gpu"),
        ("instance type: g4ad.xlarge\n", "no-nvidia-gpu"),  # its GPUs are AMD's
        ("instance type: g5.xlarge\n", "driver-not-loaded"),
        ("instance type: p3.8xlarge\n", "driver-not-loaded"),
        ("instance type: c5.2xlarge, GPU: Tesla T4\n", "driver-not-loaded"),
    ],
)
def test_a_type_of_machine_tells_whether_it_has_a_gpu(machine: str, cause: str):
    assert ruled(machine + CLI) == cause


def test_a_builder_without_a_gpu_beside_the_machine_that_has_one():
    machines = "We are on g4dn.2xlarge instances (the builder is t3.large).\n"
    assert ruled(machines + CLI) == "driver-not-loaded"


def test_a_type_alone_is_no_fault():
    assert ruled("instance type: c5.2xlarge\n") == "unknown"


WINDOWS = (
    "| NVIDIA-SMI 461.79       Driver Version: 461.79       CUDA Version: 11.2     |\n"
    "|   0  GeForce RTX 3060   {model} | 00000000:01:00.0 Off |                  N/A |\n"
    "| N/A   34C    P0    18W /  N/A |    121MiB /  6144MiB |      0%      Default |\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (WINDOWS.format(model="WDDM") + "RuntimeError: Failed to dlopen libcuda.so\n", "wsl"),
        (
            WINDOWS.format(model=" Off") + "RuntimeError: Failed to dlopen libcuda.so\n",
            "container-no-gpu",
        ),
        (
            "$ docker run --gpus all img\n"
            + WINDOWS.format(model="WDDM")
            + "RuntimeError: Failed to dlopen libcuda.so\n",
            "container-no-gpu",
        ),
    ],
)
def test_a_linux_program_beside_windows(text: str, cause: str):
    assert ruled(text) == cause


APEX = (
    "release 8.0, V8.0.61\nCuda extensions are being compiled with a version of Cuda that does not"
    " match the version used to compile Pytorch binaries.\n"
)
MINER = (
    "* CUDA GPU #0 02:00.0 GeForce GT 730 1400/800 MHz smx:2 arch:21 mem:1689/2048 MB\n"
    '"no kernel image is available for execution on the device"\n'
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("DKMS make.log for nvidia-440.64\nCompiler version check failed:\n", "driver-not-loaded"),
        ("CMake: the compiler version check succeeded\n", "unknown"),
        ("FATA[0008] Error applying MIG configuration with hooks: exit status 255\n", "mig"),
        ("Optix Error: 'Unsupported ABI version'\nDriver Version: 470.161.03\n", "driver-too-old"),
        ("Warning: The selected C++ compiler is not supported for CUDA compilation.\n",
         "toolkit-mismatch"),
        (APEX, "toolkit-mismatch"),
        ("Could not find a valid NVCC executable\nTesla K40\n>>> torch.cuda.is_available()\nTrue\n",
         "toolkit-missing"),
        ("nvcc: command not found\nTesla K40\n>>> torch.cuda.is_available()\nTrue\n", "healthy"),
        ("Failing expression was false.\nCUDA NOT ENABLED\n", "cpu-only-build"),
        ("CUDA NOT ENABLED in this menu\n", "unknown"),
        ("- onnxruntime 1.10.0\n- onnxruntime-gpu 1.8.0\nalways falling back to the CPUProvider\n",
         "mixed-installs"),
        (MINER, "gpu-too-old"),
        ("on battery nvidia-smi dmon pulls the clock down to 139 MHz\n", "power-thermal"),
    ],
)  # fmt: skip
def test_what_is_told(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("driver", "cause"), [("367.35", "gpu-too-new"), ("535.104.05", "gpu-too-old")]
)
def test_a_program_is_older_than_a_gpu_that_its_driver_only_just_knows(driver: str, cause: str):
    failed = "Check failed: error == cudaSuccess (8 vs. 0)  invalid device function\n"
    assert ruled(f"GPU: GeForce GTX 1070\nDriver Version: {driver}\n{failed}") == cause


@pytest.mark.parametrize(
    "said",
    ["It works on my other machine.", "If I take the older one it works.", "Solved, works now."],
)
def test_what_is_said_of_any_program_is_not_of_a_macs_gpu(said: str):
    assert ruled(f"OS: macOS 14.2\npip install frobnicate fails.\n{said}\n") == "unknown"
