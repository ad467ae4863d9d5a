"""Machines whose card or driver is at fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import logs, tools
from .machine import A100, H100, RTX_3090, T4, V100, Machine, drivers, drivers_of, torches
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

_NO_DRIVER = (
    "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU "
    "and installed a driver"
)
_LSPCI_NVIDIA = (
    "$ lspci | grep -i vga\n"
    "01:00.0 VGA compatible controller: NVIDIA Corporation GA102 [GeForce RTX 3090] (rev a1)"
)
_NOT_COMMUNICATING = (
    "$ nvidia-smi\nNVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
    "Make sure that the latest NVIDIA driver is installed and running."
)


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    yield from _too_old(dice)
    yield from _not_served(dice)
    yield from _no_gpu()
    yield from _missing()
    yield from _not_loaded()
    yield from _mismatch(dice)
    yield from _lost()
    yield from _fabric()


def _too_old(dice: random.Random) -> Iterator[Made]:
    """A wheel of a CUDA whose major the driver does not know."""
    for card in (T4, V100, A100, RTX_3090, H100):
        pairs = [
            (wheel, driver)
            for wheel in torches()
            if wheel.runs_on(card)
            for driver in drivers_of(card)
            if not wheel.is_served_by(driver) and driver.branch >= 418
        ]
        for wheel, driver in dice.sample(pairs, min(3, len(pairs))):
            machine = Machine(card, driver)
            env = tools.collect_env(machine, wheel.version, wheel.short_cuda, sees=False)
            warning = logs.torch_old_driver(driver.cuda)
            yield "driver-too-old", joined(env, warning)
            yield "driver-too-old", joined(tools.nvidia_smi(machine), env)
            session = tools.python(
                ("import torch; torch.__version__", f"'{wheel.version}'"),
                ("torch.cuda.is_available()", "False"),
            )
            yield "driver-too-old", joined(session, tools.nvidia_smi(machine))


def _not_served(dice: random.Random) -> Iterator[Made]:
    """Error 35 of a program of which nothing else is known."""
    for driver in dice.sample(drivers()[4:10], 2):
        error = (
            "RuntimeError: cuda runtime error (35) : CUDA driver version is insufficient for CUDA "
            "runtime version at /pytorch/aten/src/THC/THCGeneral.cpp:50"
        )
        yield "driver-too-old", joined(error, tools.nvidia_smi(Machine(T4, driver)))
        yield "driver-too-old", joined(tools.nvcc("12.4"), error, f"Driver: {driver.version}")


def _no_gpu() -> Iterator[Made]:
    others = (
        "00:02.0 VGA compatible controller: Intel Corporation UHD Graphics 620 (rev 07)",
        "03:00.0 VGA compatible controller: Advanced Micro Devices, Inc. [AMD/ATI] Navi 21",
        "00:0f.0 VGA compatible controller: VMware SVGA II Adapter",
    )
    for line in others:
        lspci = f"$ lspci | grep -Ei 'vga|3d|display'\n{line}"
        yield "no-nvidia-gpu", joined(lspci, _NO_DRIVER)
        yield "no-nvidia-gpu", joined("nvidia-smi: command not found", lspci)


def _missing() -> Iterator[Made]:
    not_found = "$ nvidia-smi\nCommand 'nvidia-smi' not found, but can be installed with:"
    yield "driver-missing", joined(_LSPCI_NVIDIA, not_found, "sudo apt install nvidia-utils-535")
    yield "driver-missing", joined(_NO_DRIVER, _LSPCI_NVIDIA, "bash: nvidia-smi: command not found")
    missing = "OSError: libcuda.so.1: cannot open shared object file: No such file or directory"
    yield "driver-missing", joined(_LSPCI_NVIDIA, missing, not_found)
    windows = "Could not load dynamic library 'nvcuda.dll'; dlerror: nvcuda.dll not found"
    log = f"2024-03-05 10:12:41.512: W tensorflow/stream_executor/dso_loader.cc:64] {windows}"
    yield "driver-missing", joined("OS: Windows 10\nGPU: GTX 1660 Ti", log)


def _not_loaded() -> Iterator[Made]:
    yield "driver-not-loaded", joined(_NOT_COMMUNICATING, _LSPCI_NVIDIA)
    nouveau = "$ lsmod | grep nouveau\nnouveau              2285568  1\nmxm_wmi  16384  1 nouveau"
    yield "driver-not-loaded", joined(_NOT_COMMUNICATING, nouveau)
    secure = (
        "$ sudo modprobe nvidia\nmodprobe: ERROR: could not insert 'nvidia': Key was rejected by "
        "service\n$ mokutil --sb-state\nSecureBoot enabled"
    )
    yield "driver-not-loaded", joined(_NOT_COMMUNICATING, secure)
    dkms = "$ dkms status\nnvidia/535.183.01: added\n$ uname -r\n6.8.0-48-generic"
    absent = "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.8.0-48-generic"
    yield "driver-not-loaded", joined(_NOT_COMMUNICATING, dkms, absent)


def _mismatch(dice: random.Random) -> Iterator[Made]:
    """The module that runs is of another release than the library."""
    for old, new in (drivers()[i : i + 2] for i in dice.sample(range(4, 20), 4)):
        smi = (
            "$ nvidia-smi\nFailed to initialize NVML: Driver/library version mismatch\n"
            f"NVML library version: {'.'.join(new.version.split('.')[:2])}"
        )
        proc = (
            "$ cat /proc/driver/nvidia/version\nNVRM version: NVIDIA UNIX x86_64 Kernel Module  "
            f"{old.version}  Wed Sep 25 09:18:43 UTC 2024\nGCC version:  gcc version 11.4.0"
        )
        kernel = (
            f"NVRM: API mismatch: the client has the version {new.version}, but\n"
            f"NVRM: this kernel module has the version {old.version}.  Please"
        )
        yield "driver-library-mismatch", joined(smi)
        yield "driver-library-mismatch", joined(smi, proc)
        yield "driver-library-mismatch", joined("$ dmesg | tail", kernel)


def _lost() -> Iterator[Made]:
    xid = (
        "[123456.789012] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has "
        "fallen off the bus."
    )
    unable = (
        "$ nvidia-smi\nUnable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  "
        "Reboot the system to recover this GPU"
    )
    ecc = "RuntimeError: CUDA error: uncorrectable ECC error encountered"
    for branch in (10, 14, 18):
        machine = Machine(A100, drivers()[branch], count=4)
        yield "device-lost", joined(tools.nvidia_smi(machine), "$ sudo dmesg | grep NVRM", xid)
    yield "device-lost", joined(xid)
    yield "device-lost", joined(unable)
    yield "device-lost", joined(ecc, "[  991.1] NVRM: Xid (PCI:0000:86:00): 48, DBE on ECC")


def _fabric() -> Iterator[Made]:
    error = (
        "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions "
        "before calling NumCudaDevices() that might have already set an error? Error 802: system "
        "not yet initialized"
    )
    for card in (A100, H100):
        machine = Machine(card, drivers()[-6], count=8)
        yield "fabric-manager", joined(tools.nvidia_smi(machine), error)
        status = "Unit nvidia-fabricmanager.service could not be found."
        asked = "$ systemctl status nvidia-fabricmanager"
        yield "fabric-manager", joined(tools.listed(machine), error, f"{asked}\n{status}")
