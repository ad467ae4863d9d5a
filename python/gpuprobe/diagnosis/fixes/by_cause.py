"""The usual repair of each cause, for where nothing is known but the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ..model import Fix, Safety
from .driver import RESTART_UNDO

if TYPE_CHECKING:
    from ...facts.model import Facts, Keys

_MAKE_SURE = "Make sure of it first. If it is so: "
_REPAIRS = {
    "no-nvidia-gpu": "run it on a machine that has an NVIDIA GPU; attach one to a virtual machine.",
    "gpu-too-old": "install the last release of the framework that was built for this GPU.",
    "gpu-too-new": "install a release of the framework that was built for this GPU.",
    "driver-missing": "install the driver of NVIDIA for this GPU.",
    "driver-not-loaded": "load the module, or build it for the kernel that runs: modprobe and the "
    "kernel's log tell what is in its way.",
    "driver-library-mismatch": "restart the machine: module and library have to be of one release.",
    "driver-too-old": "install a newer driver, or a build of the framework for an older CUDA.",
    "forward-compat": "take the cuda-compat library off the search path, or update the driver.",
    "stub-library": "take the toolkit's folder of stubs off the search path.",
    "fabric-manager": "install the Fabric Manager of the driver's own release, and start it.",
    "device-nodes": "make the device files usable for this user: nvidia-modprobe -u -c=0, or "
    "the group that owns them.",
    "device-lost": "restart the machine; if it happens again, look for Xid in the kernel's log "
    "and at power, seat and cooling of the card.",
    "device-busy": "end the process that has the GPU, or set its compute mode back to Default.",
    "oom-other-process": "end the process that holds the memory; nvidia-smi lists it.",
    "oom-preallocation": "let the framework take memory as it needs it.",
    "oom-workload": "make the work smaller: batch, resolution, model or precision.",
    "mig": "create an instance, name one in CUDA_VISIBLE_DEVICES, or switch MIG mode off.",
    "hidden-by-visible-devices": "unset CUDA_VISIBLE_DEVICES, or name a GPU that is there.",
    "visible-devices-too-late": "set CUDA_VISIBLE_DEVICES before the program starts.",
    "container-no-gpu": "install the NVIDIA Container Toolkit, and ask for the GPU when the "
    "container is started (docker run --gpus all).",
    "wsl": "install the driver in Windows, none inside WSL, and let wsl --update renew WSL.",
    "library-path-conflict": "take the folder with the other copy off the search path.",
    "cudart-missing": "install the CUDA run-time library of the release that the framework names.",
    "cublas-missing": "install the CUDA libraries of the release that the framework names.",
    "cudnn-missing": "install cuDNN of the major version that the framework names.",
    "cudnn-mismatch": "install the cuDNN that the framework was built with, and no other.",
    "cuda-libs-mismatch": "reinstall the framework, so that all CUDA libraries are of one release.",
    "toolkit-missing": "install the CUDA toolkit, and let CUDA_HOME name its folder.",
    "toolkit-mismatch": "install the CUDA toolkit of the framework's own CUDA version.",
    "msvc-runtime-missing": "install Microsoft's Visual C++ Redistributable.",
    "cpu-only-build": "install the framework's build for CUDA in the place of this one.",
    "framework-cuda-mismatch": "install a build of the framework for the CUDA that is there.",
    "python-unsupported": "use a Python that the framework has GPU builds for.",
    "mixed-installs": "uninstall both packages, then install the one that is wanted.",
    "numpy-abi": "install a NumPy of the major version that the extension was compiled against.",
    "extension-mismatch": "reinstall the extension, built for this framework and this CUDA.",
    "silent-cpu-fallback": "move model and data to the GPU, or name the GPU's provider.",
    "nccl": "run it with NCCL_DEBUG=INFO, and without P2P (NCCL_P2P_DISABLE=1) to compare.",
    "power-thermal": "raise what limits it: the power limit or the performance mode, the cooling, "
    "the power supply, or the slot of the card.",
    "user-code": "look for the fault in the program: CUDA_LAUNCH_BLOCKING=1 names the line.",
}


#: What these take; the others change packages or files of one's own.
_SAFETIES = {
    Safety.SAFE: (
        *("no-nvidia-gpu", "hidden-by-visible-devices", "visible-devices-too-late", "user-code"),
        *("oom-preallocation", "oom-workload", "silent-cpu-fallback", "nccl"),
        *("forward-compat", "stub-library", "library-path-conflict"),
    ),
    Safety.ADMIN: (
        *("driver-missing", "driver-not-loaded", "driver-too-old", "fabric-manager", "mig"),
        *("device-nodes", "device-busy", "oom-other-process", "container-no-gpu", "wsl"),
        "power-thermal",
        *("toolkit-missing", "toolkit-mismatch", "msvc-runtime-missing"),
    ),
    Safety.REBOOT: ("driver-library-mismatch", "device-lost"),
}
_UNDO = "Note the present releases and settings first: with them the same steps lead back."
#: Where nothing is installed.
_UNDOS = {
    "device-busy": "start the process again; nvidia-smi -c sets the mode of before",
    "oom-other-process": "start the process again",
    "power-thermal": "set the former limit again",
}

#: What the text tells beside a cause, and the repair of just that.
_HERE = (
    (
        "container-no-gpu",
        said.ABOUT("kubernetes"),
        Fix.by_user(
            _MAKE_SURE + "let the pod's container ask for the GPU, by nvidia.com/gpu: 1 under "
            "resources, limits. That takes NVIDIA's device plugin on the node."
        ),
    ),
    (
        "hidden-by-visible-devices",
        said.SIGN("ray-without-request"),
        Fix.by_user(
            _MAKE_SURE + "let the actor or task ask for a GPU, by @ray.remote(num_gpus=1) or "
            ".options(num_gpus=1): from those that ask for none Ray hides all GPUs. Variables of a "
            "runtime_env belong under its env_vars."
        ),
    ),
    (
        "oom-other-process",
        said.SIGN("process-stays-in-driver"),
        Fix.by_reboot(
            "The process hangs inside the driver's kernel module: no signal ends it, and its "
            "memory stays taken. Restart the machine. If it comes back, take another release of "
            "the driver, and keep the kernel's log of the hang for a report to NVIDIA.",
            ("sudo dmesg | grep -iE 'nvrm|xid|uvm' | tail", "sudo reboot"),
            undo=RESTART_UNDO,
        ),
    ),
    (
        "nccl",
        said.SIGN("one-gpu-for-two-ranks"),
        Fix(
            "Start one worker for each GPU: NCCL takes one process of a group for each physical "
            "GPU, and several MIG instances of one GPU do not count as several. With MIG, use one "
            "instance only, or have an administrator switch MIG off.",
            ("nvidia-smi -L",),
        ),
    ),
)


def repair_here(facts: Facts, cause: str) -> tuple[Fix, Keys]:
    """The repair that fits what the text tells, with the facts that tell it; else the usual one."""
    for each, told, fix in _HERE:
        if each == cause and facts.known(told) is not None:
            return fix, (told,)
    return usual_repair(cause), ()


def usual_repair(cause: str) -> Fix:
    """What mends `cause` in most cases, to be done once it is sure."""
    safety = next((each for each, causes in _SAFETIES.items() if cause in causes), Safety.USER)
    undo = _UNDOS.get(cause, _UNDO) if safety in (Safety.ADMIN, Safety.REBOOT) else None
    return Fix(_MAKE_SURE + _REPAIRS[cause], (), safety, undo)
