"""What a report tells to do about containers, visible devices, drivers and limits.

Each pair of texts differs in the one fact that decides which repair is printed.
"""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Finding, Safety

NO_DRIVER = (
    'Error response from daemon: could not select device driver "" with capabilities: [[gpu]]'
)
NO_RUNTIME = "docker: Error response from daemon: Unknown runtime specified nvidia."
WITHOUT = "$ docker run -it img nvidia-smi\nbash: nvidia-smi: command not found\n"
NVML = "$ sudo docker run --gpus all ubuntu nvidia-smi\nFailed to initialize NVML: Unknown Error\n"
RULES = (
    "nvidia-container-cli: mount error: failed to add device rules: unable to find any existing "
    "device filters attached to the cgroup: bpf_prog_query(BPF_CGROUP_DEVICE) failed: {}"
)
NO_DEVICE = "RuntimeError: No CUDA GPUs are available\n"
IN_MIG = "The A100 is in MIG mode, two MIG devices\n"
MIG = (
    "CUDA_VISIBLE_DEVICES={} python x.py\nRuntimeError: CUDA error: invalid device ordinal\n"
    + IN_MIG
)
UUID = "MIG-89c850dc-38e3-57df-85c7-690c186b68e9"
WAITING = "Error 802: system not yet initialized\n"
DIFFER = (
    "libcuda reported version is: {}\nkernel reported version is: 384.130.0\n"
    "kernel version 384.130.0 does not match DSO version {} -- cannot find working device\n"
)
CODE_803 = "Error 803: system has unsupported display driver / cuda driver combination\n"
TABLE = """\
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 560.35.03    Driver Version: 560.35.03    CUDA Version: 12.6     |
|-------------------------------+----------------------+----------------------+
|   0  NVIDIA GeForce RTX 4090 Off | 00000000:13:00.0 Off |                  0 |
| N/A   34C    P0    59W / 400W |      4MiB / 24564MiB |      0%      Default |
+-----------------------------------------------------------------------------+
"""
CODE_804 = "CUDA failure 804: forward compatibility was attempted on non supported HW\n"
STUB = 'DriverError(CUDA_ERROR_STUB_LIBRARY, "<Failure when calling cuGetErrorString()>")\n'
NVML_STUB = "libnvidia-ml.so in GDK package is a stub library that is attached only for\n"
TOO_OLD = "ImportError: sgl_kernel.so: undefined symbol: cuGreenCtxDestroy\nDriver: {}\n"
BUS = "NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.\n"
HANDLE = "Unable to determine the device handle for GPU0000:B1:00.0: Unknown Error\n"
LOCKED = "Current Power Limit: 60W\nMax Power Limit: 75W\nSW Power Cap: Active\n"
HOT = "GPU: {}\nDriver temperature threshold met on GPU #3. Expect reduced performance.\n"


def finding(text: str) -> Finding:
    root = gpuprobe.explain(text).diagnosis.root
    assert root is not None
    return root.finding


def commands(text: str) -> str:
    return "\n".join(finding(text).fix.commands)


PAIRS = [
    (NO_DRIVER, WITHOUT, "runtime=docker"),
    (NO_DRIVER + "\nOS: Ubuntu 22.04", NO_DRIVER, "sudo apt install nvidia-container-toolkit"),
    (NO_DRIVER + "\nOS: Windows 11", NO_DRIVER, "wsl.exe --update"),
    (NO_RUNTIME, "unknown flag: --gpus", "nvidia-ctk runtime configure --runtime=docker"),
    ("unknown flag: --gpus", NO_RUNTIME, "docker --version"),
    (
        'Failed to create pod sandbox: no runtime for "nvidia" is configured',
        NO_RUNTIME,
        "--runtime=containerd",
    ),
    (RULES.format("operation not permitted"), RULES.format("invalid argument"), "no-cgroups=true"),
    (NVML + "no-cgroups = true", NVML, "no-cgroups=false"),
    (NVML, NVML + "no-cgroups = true", "docker restart CONTAINER"),
    (
        NO_DEVICE + 'os.environ["CUDA_VISIBLE_DEVICES"] = "2"',
        NO_DEVICE + "export CUDA_VISIBLE_DEVICES=2",
        "nvidia-smi -L",
    ),
    (
        NO_DEVICE + "$ CUDA_VISIBLE_DEVICES=2 python main.py --fast",
        NO_DEVICE + "$ export CUDA_VISIBLE_DEVICES=2",
        "CUDA_VISIBLE_DEVICES=0 python main.py --fast",
    ),
    (
        NO_DEVICE + "export CUDA_VISIBLE_DEVICES=2",
        NO_DEVICE + 'os.environ["CUDA_VISIBLE_DEVICES"] = "2"',
        "unset CUDA_VISIBLE_DEVICES",
    ),
    (
        "nvidia-container-cli: device error: unknown device id: no-gpu-has-1MiB-to-run",
        "nvidia-container-cli: device error: unknown device id: GPU-1",
        "kubectl inspect gpushare",
    ),
    (
        MIG.format(f"{UUID},{UUID[:-1]}0"),
        IN_MIG + NO_DEVICE,
        "CUDA_VISIBLE_DEVICES=MIG-UUID PROGRAM",
    ),
    (
        WAITING + "cuda-validator on kubernetes, gpu-operator v1.10.0",
        WAITING,
        "kubectl logs",
    ),
    (WAITING, WAITING + "the pod runs on kubernetes with gpu-operator v1.10.0", "systemctl enable"),
    (
        DIFFER.format("375.66.0", "375.66.0"),
        DIFFER.format("390.1.0", "390.1.0"),
        "echo $LD_LIBRARY_PATH",
    ),
    (CODE_803 + TABLE, CODE_803, "/usr/local/cuda*/compat"),
    (CODE_804, CODE_804 + "LD_LIBRARY_PATH=/usr/local/cuda/compat", "nvidia-smi"),
    (STUB, STUB + "LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs", "echo $LD_LIBRARY_PATH"),
    (NVML_STUB, STUB, "grep libnvidia-ml"),
    (
        "Compiler version check failed:\nmodprobe: nvidia",
        "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.1.0-1",
        "IGNORE_CC_MISMATCH",
    ),
    (
        "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.1.0-1",
        "Compiler version check failed:\nmodprobe: nvidia",
        "sudo dkms autoinstall",
    ),
    (
        "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service",
        "modprobe: ERROR: could not insert 'nvidia': No such device",
        "update-secureboot-policy --enroll-key",
    ),
    (BUS, HANDLE, "sudo poweroff"),
    (HANDLE + "C:\\> nvidia-smi.exe", HANDLE, "shutdown /r"),
    (LOCKED + "nvidia-smi -pl 75\nnot supported in current scope", HOT, "nvidia-powerd"),
]


@pytest.mark.parametrize(("text", "near_miss", "command"), PAIRS)
def test_the_deciding_fact_chooses_the_command(text: str, near_miss: str, command: str) -> None:
    assert command in commands(text)
    assert command not in commands(near_miss)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (NO_DRIVER, "Docker has no driver for GPUs"),
        (NO_RUNTIME, "Docker does not know the run time nvidia"),
        (MIG.format(f"{UUID},{UUID[:-1]}0"), "of the 2 that are named it sees the first"),
        (MIG.format(UUID), "this program asks for more"),
        (CODE_803 + TABLE, "another libcuda than that of driver 560.35.03"),
        (CODE_803, "are of different releases"),
        (BUS, "GPU 0000:01:00 has fallen off the bus (Xid 79)"),
        (NVML_STUB, "stub of NVML"),
        (STUB, "stub of libcuda"),
    ],
)
def test_the_title_tells_what_was_refused(text: str, title: str) -> None:
    assert title in finding(text).title


@pytest.mark.parametrize(
    ("driver", "needed"), [("535.86.10", "550.54.14 or newer"), ("unknown", "a newer NVIDIA")]
)
def test_a_driver_that_is_too_old_is_updated_to_what_the_tables_name(
    driver: str, needed: str
) -> None:
    text = (
        TOO_OLD.format(driver)
        if driver != "unknown"
        else ("CUDA driver version is insufficient for CUDA runtime version")
    )
    fix = finding(text).fix
    assert f"Update to NVIDIA driver {needed}" in fix.text or f"Update to {needed}" in fix.text
    assert fix.undo is not None
    assert "again" in fix.undo


@pytest.mark.parametrize(
    ("gpu", "words"), [("gtx 1050 (laptop)", "charger"), ("gtx 1050", "power cables")]
)
def test_only_a_card_has_power_cables(gpu: str, words: str) -> None:
    assert words in finding(HOT.format(gpu)).fix.text


def test_a_compute_mode_is_set_back_from_the_one_that_is_shown() -> None:
    row = "|   0  Tesla K40m   Off | 0000:08:00.0 Off |  0 |\n| N/A 20C P8 19W / 235W | "
    row += "23MiB / 11519MiB |      0%    {} |\n"
    busy = "CUDA error: all CUDA-capable devices are busy or unavailable\n"
    fix = finding(busy + TABLE.replace("Default", "E. Thread")).fix
    assert fix.commands == ("sudo nvidia-smi -i 0 -c DEFAULT",)
    assert fix.undo == "sudo nvidia-smi -i 0 -c EXCLUSIVE_THREAD"
    assert len(finding(busy).fix.commands) > 1


@pytest.mark.parametrize(("system", "sudo"), [("Windows 11", False), ("Ubuntu 22.04", True)])
def test_windows_has_no_sudo(system: str, sudo: bool) -> None:
    text = f"OS: {system}\n" + TABLE.replace("   Default", "Prohibited")
    fix = finding(text + "CUDA error: all CUDA-capable devices are busy or unavailable").fix
    assert all(("sudo" in command) is sudo for command in (*fix.commands, fix.undo or ""))


def test_a_profile_without_cuda_is_no_matter_of_the_mode() -> None:
    named = TABLE.replace("   Default", "Prohibited").replace("GeForce RTX 4090", "RTXA6000-48A")
    busy = "CUDA error: all CUDA-capable devices are busy or unavailable"
    assert "profile 48A" in finding(named + busy).fix.text
    assert "profile" not in finding(named.replace("-48A", "-48Q") + busy).fix.text


def test_a_line_that_says_two_things_is_cited_once() -> None:
    line = "UserWarning: CUDA initialization: CUDA unknown error - this may be due to an "
    shown = finding(line + "incorrectly set up environment").evidence
    assert len({(each.value, each.source) for each in shown}) == len(shown)


def test_tools_inside_wsl_are_mended_where_docker_runs() -> None:
    none = "nvidia-container-cli: initialization error: WSL environment detected but no adapters "
    assert "wsl.exe --update" in commands(none + "were found")
    loaded = "WSL2\nnvidia-container-cli: initialization error: nvml error: driver not loaded"
    fix = finding(loaded).fix
    assert fix.safety is Safety.ADMIN
    assert any("dpkg -l" in command for command in fix.commands)
