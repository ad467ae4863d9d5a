"""Repairs that several rules advise, in the words and commands of the place.

Each is the shortest one that mends the fault and no more: packages are reinstalled by name, never
purged by a pattern, and from administrator's rights up the way back is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model import Fix, Safety
from .place import Distribution, Place

if TYPE_CHECKING:
    from ..facts.version import Version

DRIVER_PAGE = "https://www.nvidia.com/drivers"
_GUIDE = "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/"

_RESTART_UNDO = "none needed: a restart changes no file; save open work first"

#: What installs the distribution's own driver, and what takes it away again.
_INSTALL: dict[Distribution, tuple[tuple[str, ...], str]] = {
    Distribution.UBUNTU: (
        ("sudo ubuntu-drivers install",),
        "sudo apt remove the nvidia-driver package that the command installed",
    ),
    Distribution.DEBIAN: (
        ("sudo apt install linux-headers-amd64 nvidia-driver",),
        "sudo apt remove nvidia-driver",
    ),
    Distribution.FEDORA: (
        ("sudo dnf install akmod-nvidia xorg-x11-drv-nvidia-cuda",),
        "sudo dnf remove akmod-nvidia xorg-x11-drv-nvidia-cuda",
    ),
    Distribution.RHEL: (
        ("sudo dnf module install nvidia-driver:latest-dkms",),
        "sudo dnf module remove nvidia-driver:latest-dkms",
    ),
    Distribution.ARCH: (
        ("sudo pacman -S nvidia-open nvidia-utils",),
        "sudo pacman -R nvidia-open nvidia-utils",
    ),
    Distribution.SUSE: (
        ("sudo zypper install-new-recommends --repo NVIDIA",),
        "sudo zypper remove the packages that the command listed",
    ),
}
#: What has to be switched on before those commands find the packages.
_BEFORE: dict[Distribution, str] = {
    Distribution.DEBIAN: " The package is in Debian's non-free component.",
    Distribution.FEDORA: " The packages are in the RPM Fusion nonfree repository.",
    Distribution.RHEL: f" The module is in NVIDIA's repository: {_GUIDE}",
    Distribution.ARCH: " Cards before Turing (GTX 16xx, RTX 20xx) need an older branch.",
    Distribution.SUSE: f" The packages are in NVIDIA's repository: {_GUIDE}",
}


def install_driver(place: Place, at_least: Version | None = None) -> Fix:
    """Install the driver, or a newer one, where it belongs."""
    wanted = "the NVIDIA driver" if at_least is None else f"NVIDIA driver {at_least} or newer"
    if place.container is not None:
        return Fix(
            f"On the host, outside the container, install {wanted}; then start the container anew.",
            safety=Safety.REBOOT,
            undo="on the host, install the former driver again",
        )
    if place.wsl or place.system == "Windows":
        return _install_on_windows(place, wanted)
    if place.distribution is None:
        return Fix(
            f"Install {wanted} from the packages of the distribution, or from {DRIVER_PAGE}; "
            "then restart the machine.",
            safety=Safety.REBOOT,
            undo="remove the packages that were installed",
        )
    commands, undo = _INSTALL[place.distribution]
    before = _BEFORE.get(place.distribution, "")
    return Fix(
        f"Install {wanted} and restart the machine.{before}",
        (*commands, "sudo reboot"),
        Safety.REBOOT,
        undo,
    )


def _install_on_windows(place: Place, wanted: str) -> Fix:
    undo = "Device Manager > Display adapters > Properties > Driver > Roll Back Driver"
    if place.wsl:
        return Fix(
            f"On Windows, outside WSL, install {wanted} from {DRIVER_PAGE}; then restart WSL. "
            "Install no Linux driver inside WSL: it hides the one that Windows provides.",
            ("wsl.exe --shutdown",),
            Safety.ADMIN,
            undo,
        )
    return Fix(f"Install {wanted} from {DRIVER_PAGE} and restart Windows.", (), Safety.REBOOT, undo)


def restart(place: Place, why: str) -> Fix:
    """Restart what holds the driver; `why` is a whole sentence."""
    undo = _RESTART_UNDO
    if place.container is not None:
        return Fix(f"{why} Restart the host, then the container.", (), Safety.REBOOT, undo)
    if place.wsl:
        command = "wsl.exe --shutdown"
        return Fix(f"{why} Restart Windows, or at least WSL.", (command,), Safety.REBOOT, undo)
    if place.system == "Windows":
        return Fix(f"{why} Restart Windows.", ("shutdown /r /t 0",), Safety.REBOOT, undo)
    return Fix(f"{why} Restart the machine.", ("sudo reboot",), Safety.REBOOT, undo)


def load_module(place: Place) -> Fix:
    """Load the kernel module of a driver that is installed."""
    if place.system == "Windows":
        return Fix(
            "In Device Manager, under Display adapters, see why the NVIDIA GPU is stopped: it may "
            f"be disabled, or its driver damaged. Install the driver again from {DRIVER_PAGE}.",
            ("devmgmt.msc",),
            Safety.ADMIN,
            "Device Manager > the adapter > Properties > Driver > Roll Back Driver",
        )
    return Fix(
        "Load the module. If that is refused, the kernel's log says why: most often it was not "
        "built for the running kernel (see `dkms status`), or Secure Boot wants it signed (see "
        "`mokutil --sb-state`).",
        ("sudo modprobe nvidia", "sudo dmesg | grep -iE 'nvidia|nvrm' | tail"),
        Safety.ADMIN,
        "sudo modprobe -r nvidia",
    )


_INITRAMFS = {
    Distribution.UBUNTU: "sudo update-initramfs -u",
    Distribution.DEBIAN: "sudo update-initramfs -u",
    Distribution.FEDORA: "sudo dracut --force",
    Distribution.RHEL: "sudo dracut --force",
    Distribution.SUSE: "sudo dracut --force",
    Distribution.ARCH: "sudo mkinitcpio -P",
}
_BLACKLIST = "/etc/modprobe.d/blacklist-nouveau.conf"


def replace_nouveau(place: Place) -> Fix:
    """Keep nouveau from taking the GPU at the next start."""
    rebuild = None if place.distribution is None else _INITRAMFS[place.distribution]
    build = ("rebuild the initial RAM disk",) if rebuild is None else ()
    commands = (
        f"printf 'blacklist nouveau\noptions nouveau modeset=0\n' | sudo tee {_BLACKLIST}",
        *(() if rebuild is None else (rebuild,)),
        "sudo reboot",
    )
    steps = "Keep nouveau from loading, " + "".join(f"{step}, " for step in build) + "and restart."
    undo = f"sudo rm {_BLACKLIST}; {rebuild or 'rebuild the initial RAM disk'}; sudo reboot"
    return Fix(steps, commands, Safety.REBOOT, undo)


#: How a container of each kind is given the GPUs.
_GPU_OPTIONS = {
    "docker": "docker run --gpus all IMAGE",
    "podman": "podman run --device nvidia.com/gpu=all IMAGE",
    "singularity": "singularity exec --nv IMAGE COMMAND",
    "apptainer": "apptainer exec --nv IMAGE COMMAND",
    "lxc": "lxc config device add CONTAINER gpu gpu",
}
_TOOLKIT = (
    "The host needs its NVIDIA driver and the NVIDIA Container Toolkit "
    "(https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/)."
)


def give_container_the_gpu(kind: str) -> Fix:
    """Start the container anew, this time with the GPUs."""
    if kind == "kubernetes":
        return Fix(
            "Ask for a GPU in the pod's specification, resources: limits: nvidia.com/gpu: 1, and "
            "create the pod anew. The node needs the NVIDIA device plug-in.",
            safety=Safety.USER,
        )
    command = _GPU_OPTIONS.get(kind)
    needs = "" if kind in ("singularity", "apptainer", "lxc") else f" {_TOOLKIT}"
    return Fix(
        f"Start the container anew with the GPUs; what was changed inside it is lost.{needs}",
        () if command is None else (command,),
        Safety.USER,
    )


def without_compat(_: Place, path: str | None = None) -> Fix:
    """Take a cuda-compat folder out of the search path."""
    folder = "the cuda-compat folder" if path is None else path.rpartition("/")[0]
    return Fix(
        f"Take {folder} out of LD_LIBRARY_PATH or /etc/ld.so.conf.d, so that the driver's own "
        "libcuda is used. Software that needs a newer CUDA than that serves needs a newer driver.",
        ("echo $LD_LIBRARY_PATH; grep -rn compat /etc/ld.so.conf.d",),
    )


def unset_variable(place: Place, variable: str) -> Fix:
    """Take a variable out of the environment."""
    windows = place.system == "Windows"
    command = f"Remove-Item Env:{variable}" if windows else f"unset {variable}"
    shell = "PowerShell; in cmd.exe: " + f"set {variable}=" if windows else "this shell"
    return Fix(
        f"Take the variable away ({shell}), or name a GPU that exists, such as 0. If a script, a "
        "notebook or a job scheduler sets it, change it there: CUDA reads it once, at its start.",
        (command,),
    )


def allow_device_nodes(place: Place) -> Fix:
    """Let this user open /dev/nvidia*."""
    if place.container is not None:
        return Fix(
            "The container's device rules refuse the files, as happens after `systemctl "
            "daemon-reload` on the host or with no-cgroups = true. Start the container anew; if it "
            "comes back, pass the devices by CDI.",
            ("docker run --device nvidia.com/gpu=all IMAGE",),
            Safety.USER,
        )
    return Fix(
        "Let the files be opened: add yourself to the group that owns them, then log in again.",
        ("ls -l /dev/nvidia*", "sudo usermod -aG $(stat -c %G /dev/nvidiactl) $USER"),
        Safety.ADMIN,
        "sudo gpasswd -d $USER $(stat -c %G /dev/nvidiactl)",
    )


def make_device_nodes(place: Place) -> Fix:
    """Make the device files that the kernel module serves."""
    if place.container is not None:
        return Fix(
            "Start the container anew so that it gets all device files; on the host, "
            "`sudo nvidia-modprobe -u -c 0` makes those that are missing there.",
            safety=Safety.USER,
        )
    return Fix(
        "Have the driver's helper load nvidia-uvm and make the files.",
        ("sudo nvidia-modprobe -u -c 0",),
        Safety.ADMIN,
        "sudo modprobe -r nvidia-uvm; the files are gone after a restart",
    )


def read_kernel_log(place: Place) -> Fix:
    """See what the kernel says of the GPU, then restart."""
    if place.system == "Windows":
        return restart(place, "Look for the source nvlddmkm in the Event Viewer's system log.")
    where = " on the host" if place.container is not None else ""
    return Fix(
        f"Look into the kernel's log{where} for the GPU (lines with NVRM or Xid), then restart. "
        "If it comes back, look at power, cooling and the card's seat, and try another driver.",
        ("sudo dmesg | grep -iE 'nvrm|xid' | tail", "sudo reboot"),
        Safety.REBOOT,
        _RESTART_UNDO,
    )


_REINSTALL = {
    Distribution.UBUNTU: "sudo apt install --reinstall $(dpkg -S libcuda.so.1 | cut -d: -f1)",
    Distribution.DEBIAN: "sudo apt install --reinstall $(dpkg -S libcuda.so.1 | cut -d: -f1)",
    Distribution.FEDORA: "sudo dnf reinstall xorg-x11-drv-nvidia-cuda-libs",
    Distribution.RHEL: "sudo dnf reinstall nvidia-driver-cuda-libs",
    Distribution.ARCH: "sudo pacman -S nvidia-utils",
}


def reinstall_driver(place: Place) -> Fix:
    """Install the same driver's libraries again."""
    undo = "none needed: the same version is installed again"
    if place.container is not None:
        return Fix(
            "Start the container anew, so that it gets its host's driver library; if the host "
            "shows the same, install the driver there again.",
            safety=Safety.USER,
        )
    if place.system == "Windows" or place.wsl or place.distribution not in _REINSTALL:
        text = f"Install the same driver again from where it came, or from {DRIVER_PAGE}."
        return Fix(text, (), Safety.REBOOT, undo)
    command = _REINSTALL[place.distribution]
    return Fix("Install the driver's library again.", (command,), Safety.ADMIN, undo)


def reload_uvm(place: Place) -> Fix:
    """Load nvidia-uvm again, which a suspended machine often wakes up without."""
    if place.container is not None or place.wsl or place.system == "Windows":
        return restart(place, "The driver is in a bad state.")
    return Fix(
        "Load the module nvidia-uvm again: after the machine was suspended it often answers no "
        "more. Close the programs that use the GPU first. If that does not help, restart.",
        ("sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm",),
        Safety.ADMIN,
        "none needed: the same module is loaded again",
    )


def open_compute_mode(_: Place) -> Fix:
    """Let more than one process use the GPU, or wait for the one that does."""
    return Fix(
        "See who uses the GPU and in which compute mode it is. Wait for that process, use another "
        "GPU, or set the mode to Default.",
        ("nvidia-smi --query-gpu=index,compute_mode --format=csv", "sudo nvidia-smi -c DEFAULT"),
        Safety.ADMIN,
        "sudo nvidia-smi -c EXCLUSIVE_PROCESS, if that was the mode before",
    )


def free_memory(_: Place) -> Fix:
    """Find out who holds the GPU's memory."""
    return Fix(
        "Not even the driver's own start found room in the GPU's memory. See which processes hold "
        "it, and end those that are yours.",
        ("nvidia-smi",),
    )


def start_fabric_manager(place: Place) -> Fix:
    """Start the service that NVSwitch systems need, in the driver's own version."""
    where = "On the host, start" if place.container is not None else "Start"
    return Fix(
        f"{where} the Fabric Manager, which GPUs behind NVSwitch wait for. Its version must be "
        "the driver's, to the last number.",
        ("sudo systemctl enable --now nvidia-fabricmanager", "nvidia-smi -q | grep -A3 Fabric"),
        Safety.ADMIN,
        "sudo systemctl disable --now nvidia-fabricmanager",
    )


def stop_mps(_: Place) -> Fix:
    """Do without MPS, or mend it."""
    return Fix(
        "The process was sent to an MPS server that does not take it. Do without: unset the "
        "variable; or ask who runs the server (nvidia-cuda-mps-control) to restart it.",
        ("unset CUDA_MPS_PIPE_DIRECTORY",),
    )


def check_power(_: Place) -> Fix:
    """Plug the card's power cables."""
    return Fix(
        "Switch the machine off and plug all power cables of the card in.",
        safety=Safety.REBOOT,
        undo="none needed",
    )


def make_mig_instance(_: Place) -> Fix:
    """Make an instance on a GPU in MIG mode, or switch the mode off."""
    return Fix(
        "A GPU is in MIG mode, and CUDA sees none of its instances. Make one, or switch the mode "
        "off; both need a GPU that nobody uses.",
        ("nvidia-smi mig -lgi", "sudo nvidia-smi mig -cgi 0 -C"),
        Safety.ADMIN,
        "sudo nvidia-smi mig -dci && sudo nvidia-smi mig -dgi",
    )
