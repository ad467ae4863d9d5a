"""A driver whose kernel module does not run, told by programs of the sciences and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"
NOT_COMMUNICATING = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
ENDED = "subprocess.CalledProcessError: Command '{}' returned non-zero exit status {}."
GREETING = "您好\uff0c请问一下。\n"
NEW_MACHINE = "I have a problem with my new machine.\n"
GGML = (
    "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected\n"
    "warning: no usable GPU found, --gpu-layers option will be ignored\n"
    "warning: one possible reason is that llama.cpp was compiled without GPU support\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"{NO_DEVICE}\n{NOT_COMMUNICATING}", "driver-not-loaded"),
        (ENDED.format("['nvidia-smi', '-L']", 9), "driver-not-loaded"),
        (ENDED.format("nvidia-smi", 1), "unknown"),
        (ENDED.format("ls", 9), "unknown"),
        ("[inputs.nvidia_smi] error running nvidia-smi: exit status 9", "driver-not-loaded"),
        ("nvidia-smi failed with exit code 9", "driver-not-loaded"),
        ("nvidia-smi lists the GPU, and the job exits with exit code 9", "unknown"),
        ("nvidia-smi says that it cannot communicate to the driver\n", "driver-not-loaded"),
        ("nvidia-smi says how to communicate to the driver\n", "unknown"),
        (GREETING + "重启后nvidia-smi报错", "driver-not-loaded"),
        (NEW_MACHINE + "nvidia-smi can't communicate with the driver", "driver-not-loaded"),
        (
            "NVIDIA-SMI has failed because it couldn\u2018t communicate with the NVIDIA driver.",
            "driver-not-loaded",
        ),
        (
            "make[3]: *** [Makefile.build:243: /tmp/selfgz2281/kernel/nv.o] Error 1",
            "driver-not-loaded",
        ),
        ("CUDA error: No CUDA-capable device available in cuInit(0)", "driver-not-loaded"),
        (GGML, "driver-not-loaded"),
    ],
)
def test_a_driver_that_is_not_loaded_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


BLENDER = "Blender 4.1.1\nNo compatible GPUs found for Cycles\n"
RPM = (
    "$ uname -r\n{runs}\n$ rpm -qa | grep -i nvidia\nakmod-nvidia-550.90.07-1.fc40.x86_64\n"
    "kmod-nvidia-6.8.11-300.fc40.x86_64-550.78-1.fc40.x86_64\n"
)


def test_akmods_built_the_module_for_another_kernel():
    assert ruled(BLENDER + RPM.format(runs="6.9.4-200.fc40.x86_64")) == "driver-not-loaded"
    assert ruled(BLENDER + RPM.format(runs="6.8.11-300.fc40.x86_64")) != "driver-not-loaded"


HOST = (
    "root@pve:~# lspci -nn | grep -i vga\n01:00.0 VGA compatible controller [0300]: NVIDIA "
    "Corporation GP106 [GeForce GTX 1060 6GB] [10de:1c03] (rev a1)\n"
)
GUEST = (
    "user@{name}:~$ lspci -nn | grep -i -E 'vga|nvidia'\n"
    "00:01.0 VGA compatible controller [0300]: Device [1234:1111] (rev 02)\n"
)
SMI = (
    "user@{name}:~$ nvidia-smi\nNVIDIA-SMI has failed because it couldn't communicate with the "
    "NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"
)


def test_one_machine_has_both_devices():
    text = GUEST.format(name="pve") + HOST + SMI.format(name="pve")
    assert ruled(text) == "driver-not-loaded"


NOTHING = "unknown", "healthy"
LAPTOP = """$ lspci -k
01:00.0 3D controller: NVIDIA Corporation TU117M [GeForce GTX 1650 Mobile] (rev a1)
\tSubsystem: Lenovo Device 3f9f
\tKernel modules: nouveau, nvidia
{below}
"""


def test_a_gpu_that_no_driver_has_on_purpose():
    purpose = "My GPU is powered off by prime-select intel on purpose"
    assert ruled(LAPTOP.format(below=purpose)) in NOTHING
    fails = "torch 2.1.0+cu121\nRuntimeError: No CUDA GPUs are available"
    assert ruled(LAPTOP.format(below=fails)) == "driver-not-loaded"


CLI = "nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown\n"


def test_a_builder_without_a_gpu_beside_the_machine_that_has_one():
    machines = "We are on g4dn.2xlarge instances (the builder is t3.large).\n"
    assert ruled(machines + CLI) == "driver-not-loaded"


GPUSTAT = "Error on querying NVIDIA devices. Use --debug flag to see more details.\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (GPUSTAT + "Driver Not Loaded", "driver-not-loaded"),
        ("libcuda.so not found, exiting", "driver-missing"),
        ("    CUDA::nvToolsExt", "toolkit-mismatch"),
        ("The CMAKE_CUDA_COMPILER:", "toolkit-missing"),
        ("FATAL ERROR: CUDA error\n on Pe 0 (node1 device 0): out of memory", "oom-workload"),
    ],
)
@pytest.mark.parametrize("clock", ["2024-03-10T10:00:00Z ", "#12 34.5 ", "0: "])
def test_a_clock_in_front_of_each_line_changes_nothing(pasted: str, cause: str, clock: str) -> None:
    assert ruled("".join(clock + line + "\n" for line in pasted.splitlines())) == cause


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("Failed to initialize nvml: DriverNotLoaded", "driver-not-loaded"),
        ("NVML init failed: LibRmVersionMismatch", "driver-library-mismatch"),
        ("audio: DriverNotLoaded", "unknown"),
    ],
)
def test_the_names_that_rusts_binding_has_for_nvmls_codes(said: str, cause: str):
    assert ruled(f"thread 'main' panicked at '{said}', src/environment/mod.rs:37:31") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "DKMS make.log for nvidia-550.54 for kernel 6.8.0-45-generic (x86_64)\nmake: "
                "*** [Makefile:80] Error 2\n"
            ),
            "driver-not-loaded",
        ),
        ("> DKMS make.log for nvidia-470.256.02 for kernel 6.1.0\n", "driver-not-loaded"),
        ("DKMS make.log for zfs-2.1 for kernel 6.1.0\n", "unknown"),
        (
            (
                "CalledProcessError: Command 'modprobe nvidia NVreg_X=1' returned non-zero "
                "exit status 1.\n"
            ),
            "driver-not-loaded",
        ),
        (
            ("CalledProcessError: Command 'modprobe nouveau' returned non-zero exit status 1.\n"),
            "unknown",
        ),
        (
            (
                "[89] INFO: Available modules: ['nouveau']\n[115] ERROR: Xorg pre-start setup "
                "error\n"
            ),
            "driver-not-loaded",
        ),
        ("[89] INFO: Available modules: ['nouveau', 'nvidia', 'nvidia_drm']\n", "unknown"),
        ("module not found: 'nvidia_uvm'\n", "driver-not-loaded"),
        ("module not found: 'numpy'\n", "unknown"),
        (
            'msg="no nvidia devices detected by library /usr/lib64/libcuda.so.575.64.05"\n',
            "driver-not-loaded",
        ),
        ('msg="no amd devices detected"\n', "unknown"),
    ],
)
def test_programs_that_build_or_load_the_module(text: str, cause: str):
    assert ruled(text) == cause
