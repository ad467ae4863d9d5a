"""Fixes for access: visible devices, device files and the groups that may open them."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.access import name_by_uuid
from gpuprobe.diagnosis.questions.place import Place
from support.pasted import commands, finding, printed
from support.texts import SMI_RTX_4090


def test_variable_tells_how_many_gpus_there_are() -> None:
    pasted = "{}cuda runtime error (101) : invalid device ordinal at /pytorch/torch/csrc/Module.cpp"
    several = pasted.format("CUDA_VISIBLE_DEVICES=1,2 python -m torch.distributed.launch t.py\n")
    assert "leaves 2" in printed(several)
    assert "leaves" not in printed(pasted.format("CUDA_VISIBLE_DEVICES=2 python t.py\n"))


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
CODE_804 = "CUDA failure 804: forward compatibility was attempted on non supported HW\n"
STUB = 'DriverError(CUDA_ERROR_STUB_LIBRARY, "<Failure when calling cuGetErrorString()>")\n'
NVML_STUB = "libnvidia-ml.so in GDK package is a stub library that is attached only for\n"
BUS = "NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.\n"
HANDLE = "Unable to determine the device handle for GPU0000:B1:00.0: Unknown Error\n"
LOCKED = "Current Power Limit: 60W\nMax Power Limit: 75W\nSW Power Cap: Active\n"
HOT = "GPU: {}\nDriver temperature threshold met on GPU #3. Expect reduced performance.\n"
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
    (CODE_803 + SMI_RTX_4090, CODE_803, "/usr/local/cuda*/compat"),
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
        (CODE_803 + SMI_RTX_4090, "another libcuda than that of driver 560.35.03"),
        (CODE_803, "are of different releases"),
        (BUS, "GPU 0000:01:00 has fallen off the bus (Xid 79)"),
        (NVML_STUB, "stub of NVML"),
        (STUB, "stub of libcuda"),
    ],
)
def test_the_title_tells_what_was_refused(text: str, title: str) -> None:
    assert title in finding(text).title


def test_a_line_that_says_two_things_is_cited_once() -> None:
    line = "UserWarning: CUDA initialization: CUDA unknown error - this may be due to an "
    shown = finding(line + "incorrectly set up environment").evidence
    assert len({(each.value, each.source) for each in shown}) == len(shown)


@pytest.mark.parametrize(("uuid", "named"), [("GPU-9e8d35e3", "GPU-9e8d35e3"), (None, "GPU-UUID")])
def test_a_gpu_whose_uuid_is_known_is_named_by_it(uuid: str | None, named: str) -> None:
    told = name_by_uuid(Place("Linux", None, None, wsl=False), uuid).commands
    assert told[0] == f"export CUDA_VISIBLE_DEVICES={named}"
