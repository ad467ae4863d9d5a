"""Install, load or restart the driver."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Fix
from ..questions.place import Distribution, Place
from .driver_packages import GUIDE, HEADERS_OF_DEBIAN, packages_of

if TYPE_CHECKING:
    from ...facts.version import Version
    from ...knowledge.driver_cuda import LastBranch


DRIVER_PAGE = "https://www.nvidia.com/drivers"

RESTART_UNDO = "none needed: a restart changes no file; save open work first"

#: Debian's own package ends here: 535 in Debian 12, 550 in Debian 13.
_LAST_OF_DEBIAN = 550


def _by_nvidia(wanted: str, undo: str, last: int | None = None) -> Fix:
    """For a driver that Debian itself has not; `last`: after it the GPU is served no more.

    The open modules are for Turing and later, so that a GPU with a last branch has none.
    """
    text = (
        f"Install {wanted} from NVIDIA's repository, which {GUIDE} tells to set up, and restart "
        "the machine: Debian's own package is older (535 in Debian 12, 550 in Debian 13)."
    )
    if last is not None:
        text += f" Take cuda-drivers, and have apt keep to branch {last}."
        return Fix.by_reboot(text, ("apt-cache madison cuda-drivers",), undo=undo)
    text += " A card before Turing (GTX 16xx, RTX 20xx) needs cuda-drivers in place of nvidia-open."
    commands = (f"sudo apt install {HEADERS_OF_DEBIAN} nvidia-open", "sudo reboot")
    return Fix.by_reboot(text, commands, undo=undo)


def without_newer_driver(last: LastBranch, *, told: bool = True) -> Fix:
    """Of a GPU whose last driver is too old for a program; `told`: whether which one is there."""
    other = (
        "take an older release of the program, made for what branch "
        f"{last.branch} serves, or another GPU."
    )
    if told:
        return Fix(f"No newer driver serves this GPU ({last.architecture}): {other}")
    return Fix(
        f"The last driver for this GPU ({last.architecture}) is of branch {last.branch}. Where an "
        f"older one is installed, update to that; if it is there already, {other}"
    )


def install_driver(place: Place, at_least: Version | None = None) -> Fix:
    """Install the driver, or a newer one, where it belongs."""
    wanted = "the NVIDIA driver" if at_least is None else f"NVIDIA driver {at_least} or newer"
    if place.container is not None and (place.wsl or place.system == "Windows"):
        return _install_for_docker(wanted)
    if place.container is not None:
        return Fix.by_reboot(
            f"On the host, outside the container, install {wanted}; then start the container anew.",
            undo="on the host, remove the driver again",
        )
    if place.tegra:
        return Fix.by_reboot(
            "The driver of a Jetson is a part of its system (L4T) and comes with a newer JetPack; "
            "no driver for other machines serves it.",
            ("cat /etc/nv_tegra_release",),
            undo="install the former JetPack again",
        )
    if place.wsl or place.system == "Windows":
        return _install_on_windows(place, wanted)
    if place.distribution is None:
        return Fix.by_reboot(
            f"Install {wanted} from the packages of the distribution, or from {DRIVER_PAGE}; "
            "then restart the machine.",
            undo="remove the packages that were installed",
        )
    if _lacks(place, at_least):
        return _by_nvidia(wanted, "sudo apt remove nvidia-open")
    packages = packages_of(place.distribution, place.release)
    return Fix.by_reboot(
        f"Install {wanted} and restart the machine.{packages.hint}{_if_older(at_least)}",
        (*packages.install, "sudo reboot"),
        undo=packages.undo,
    )


def _lacks(place: Place, at_least: Version | None) -> bool:
    """Whether Debian has no such driver itself."""
    newer = at_least is not None and at_least.major > _LAST_OF_DEBIAN
    return newer and place.distribution is Distribution.DEBIAN


_ROLL_BACK = "Device Manager > Display adapters > Properties > Driver > Roll Back Driver"


def _install_for_docker(wanted: str) -> Fix:
    """Containers on Windows run inside WSL, which has no driver of its own."""
    return Fix.by_admin(
        f"On Windows itself, outside the containers and WSL, install {wanted} from {DRIVER_PAGE}. "
        "Renew WSL, restart it, and then Docker (Docker Desktop with its WSL 2 based engine). "
        "Install no Linux driver inside WSL: it hides the one that Windows provides.",
        ("wsl.exe --update", "wsl.exe --shutdown"),
        undo=_ROLL_BACK,
    )


def update_driver(
    place: Place,
    driver: Version | None = None,
    at_least: Version | None = None,
    last: int | None = None,
) -> Fix:
    """A newer driver in the place of one that is there; `driver`: its release, if known.

    `last`: the last branch that serves the GPU, where there is one.
    """
    wanted = "a newer NVIDIA driver" if at_least is None else f"NVIDIA driver {at_least} or newer"
    former = "the former driver" if driver is None else f"driver {driver}"
    if place.container is not None and place.driver_system == "linux":
        return Fix.by_reboot(
            f"On the host, outside the container, update to {wanted}, and restart the host; or "
            "take an older image, made for the CUDA that the host's driver serves."
            + f" Debian's own package is older, NVIDIA's repository has it: {GUIDE}"
            * _lacks(place, at_least),
            ("nvidia-smi",),
            undo=f"on the host, install {former} again",
        )
    fix = install_driver(place, at_least)
    if place.tegra:
        return fix
    if place.driver_system == "windows":
        return replace(fix, text=fix.text.replace("the NVIDIA driver", "a newer NVIDIA driver", 1))
    undo = f"install {former} again"
    there = driver is not None and driver.major >= _LAST_OF_DEBIAN
    if place.distribution is Distribution.DEBIAN and (there or _lacks(place, at_least)):
        return _by_nvidia(wanted, undo, last)
    if place.distribution is None:
        return Fix.by_reboot(
            f"Update to {wanted}, from where the present one came or from {DRIVER_PAGE}; then "
            "restart the machine.",
            undo=undo,
        )
    packages = packages_of(place.distribution, place.release)
    text = f"Update to {wanted} and restart the machine.{packages.hint}{_if_older(at_least)}"
    return Fix.by_reboot(text, (*packages.update, "sudo reboot"), undo=undo)


def _if_older(at_least: Version | None) -> str:
    """A distribution may have none of that release yet."""
    known = at_least is not None
    return f" If your distribution's is older, take it from {DRIVER_PAGE}." if known else ""


def _install_on_windows(place: Place, wanted: str) -> Fix:
    undo = _ROLL_BACK
    if place.wsl:
        return Fix.by_admin(
            f"On Windows, outside WSL, install {wanted} from {DRIVER_PAGE}; then restart WSL. "
            "Install no Linux driver inside WSL: it hides the one that Windows provides.",
            ("wsl.exe --shutdown",),
            undo=undo,
        )
    return Fix.by_reboot(f"Install {wanted} from {DRIVER_PAGE} and restart Windows.", (), undo=undo)


def restart(place: Place, why: str) -> Fix:
    """Restart what holds the driver; `why` is a whole sentence."""
    undo = RESTART_UNDO
    if place.container is not None:
        return Fix.by_reboot(f"{why} Restart the host, then the container.", (), undo=undo)
    if place.wsl:
        command = "wsl.exe --shutdown"
        return Fix.by_reboot(f"{why} Restart Windows, or at least WSL.", (command,), undo=undo)
    if place.system == "Windows":
        return Fix.by_reboot(f"{why} Restart Windows.", ("shutdown /r /t 0",), undo=undo)
    return Fix.by_reboot(f"{why} Restart the machine.", ("sudo reboot",), undo=undo)


def load_module(place: Place) -> Fix:
    """Load the kernel module of a driver that is installed."""
    if place.system == "Windows":
        return Fix.by_admin(
            "In Device Manager, under Display adapters, see why the NVIDIA GPU is stopped: it may "
            f"be disabled, or its driver damaged. Install the driver again from {DRIVER_PAGE}.",
            ("devmgmt.msc",),
            undo="Device Manager > the adapter > Properties > Driver > Roll Back Driver",
        )
    return Fix.by_admin(
        "Load the module. If that is refused, the kernel's log says why: most often it was not "
        "built for the running kernel (see `dkms status`), or Secure Boot wants it signed (see "
        "`mokutil --sb-state`).",
        ("sudo modprobe nvidia", "sudo dmesg | grep -iE 'nvidia|nvrm' | tail"),
        undo="sudo modprobe -r nvidia",
    )


def restart_after_update(place: Place) -> Fix:
    """What brings library and module together, unless a second library lies about."""
    fix = restart(place, "The driver was updated while its old module kept running.")
    if place.driver_system == "windows":
        return fix
    text = f"{fix.text} If they differ after that, an older library is left over: look for it."
    look = "ldconfig -p | grep -E 'libcuda.so|libnvidia-ml'"
    return replace(fix, text=text, commands=(*fix.commands, look))


def start_container_anew(*, older: bool) -> Fix:
    """Give a container the library that its host has now; `older`: it holds that of before."""
    if older:
        return Fix.by_user(
            "The host's driver was updated under the running container, which holds the library "
            "of before. Start the container anew, so that it gets the host's."
        )
    return Fix.by_reboot(
        "The container holds the library of another driver than its host runs. Start it anew, so "
        "that it gets the host's library; if the host's driver was just updated, restart the host "
        "first.",
        undo=RESTART_UNDO,
    )


def on_host(fix: Fix) -> Fix:
    """What is to be done on the host of a container, whose driver it is."""
    return replace(fix, text=f"On the host: {fix.text[0].lower()}{fix.text[1:]}")


def take_packages_from_one_source(place: Place) -> Fix:
    """The package manager refuses the driver: its packages are of two sources, or half there."""
    fix = install_driver(place)
    look = () if place.distribution is None else _PACKAGES_THERE.get(place.distribution, ())
    return replace(
        fix,
        text="Bring the packages of the driver to one source: those of NVIDIA's repository, of the "
        "distribution and of a PPA stand in each other's way, and so does a package that is held "
        "or half installed. Remove those of the others, and update the package lists. "
        f"{fix.text}",
        commands=(*look, *fix.commands),
    )


def install_library(place: Place, driver: Version) -> Fix:
    """Install the library libcuda of a driver whose kernel module runs already."""
    if place.distribution is Distribution.UBUNTU:
        program, package = "apt", f"libnvidia-compute-{driver.major}"
    elif place.distribution is not None and place.distribution in _LIBRARY:
        program, package = _LIBRARY[place.distribution]
    else:
        return install_driver(place)
    # By its name alone apt takes the newest of the branch, which is not that of the module.
    named = f"'{package}={driver}*'" if program == "apt" else package
    return Fix.by_admin(
        f"Install the package with the libraries of driver {driver}, in that very version. Where "
        "the archive has it no more, update the whole driver, and restart.",
        (f"sudo {program} install {named}",),
        undo=f"sudo {program} remove {package}",
    )


_BY_APT = "apt-mark showhold; dpkg -l | grep -i nvidia", "sudo apt install --fix-broken"
_BY_DNF = ("rpm -qa | grep -i nvidia",)
#: What shows which packages of a driver are there, and completes those that are half there.
_PACKAGES_THERE: dict[Distribution, tuple[str, ...]] = {
    Distribution.UBUNTU: _BY_APT,
    Distribution.DEBIAN: _BY_APT,
    Distribution.FEDORA: _BY_DNF,
    Distribution.RHEL: _BY_DNF,
}

#: Program and package that bring libcuda alone.
_LIBRARY = {
    Distribution.DEBIAN: ("apt", "libcuda1"),
    Distribution.FEDORA: ("dnf", "xorg-x11-drv-nvidia-cuda-libs"),
    Distribution.RHEL: ("dnf", "nvidia-driver-cuda-libs"),
}

_INITRAMFS = {
    Distribution.UBUNTU: "sudo update-initramfs -u",
    Distribution.DEBIAN: "sudo update-initramfs -u",
    Distribution.FEDORA: "sudo dracut --force",
    Distribution.RHEL: "sudo dracut --force",
    Distribution.SUSE: "sudo dracut --force",
    Distribution.ARCH: "sudo mkinitcpio -P",
}
_BLACKLIST = "/etc/modprobe.d/blacklist-nouveau.conf"


def rebuild_command(place: Place) -> str:
    """What builds the initial RAM disk anew; of an unknown system the one that it has."""
    if place.distribution is not None:
        return _INITRAMFS[place.distribution]
    return " || ".join(dict.fromkeys(_INITRAMFS.values()))


def replace_nouveau(place: Place) -> Fix:
    """Keep nouveau from taking the GPU at the next start."""
    rebuild = rebuild_command(place)
    commands = (
        f"printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee {_BLACKLIST}",
        rebuild,
        "sudo reboot",
    )
    steps = "Keep nouveau from loading, rebuild the initial RAM disk, and restart."
    return Fix.by_reboot(steps, commands, undo=f"sudo rm {_BLACKLIST}; {rebuild}; sudo reboot")


_REINSTALL = {
    Distribution.DEBIAN: "sudo apt install --reinstall libcuda1",
    Distribution.FEDORA: "sudo dnf reinstall xorg-x11-drv-nvidia-cuda-libs",
    Distribution.RHEL: "sudo dnf reinstall nvidia-driver-cuda-libs",
    # By its name alone pacman takes the newest, which is not that of the module.
    Distribution.ARCH: "sudo pacman -U /var/cache/pacman/pkg/nvidia-utils-"
    "$(modinfo -F version nvidia)-*.pkg.tar.zst",
}


def reinstall_driver(place: Place) -> Fix:
    """Install the same driver's libraries again."""
    undo = "none needed: the same version is installed again"
    if place.tegra and place.container is None:
        text = "Install the package of L4T that brings the driver's library again."
        return Fix.by_admin(text, ("sudo apt install --reinstall nvidia-l4t-cuda",), undo=undo)
    if place.container is not None:
        return Fix.by_user(
            "Start the container anew, so that it gets its host's driver library; if the host "
            "shows the same, install the driver there again."
        )
    command = _REINSTALL.get(place.distribution) if place.distribution else None
    if place.system == "Windows" or place.wsl:
        command = None
    elif place.distribution is Distribution.UBUNTU:
        text = "Find the driver's package of libcuda (libnvidia-compute-…), and install it again."
        commands = ("dpkg -S libcuda.so.1", "sudo apt install --reinstall PACKAGE")
        return Fix.by_admin(text, commands, undo=undo)
    if command is None:
        text = f"Install the same driver again from where it came, or from {DRIVER_PAGE}."
        return Fix.by_reboot(text, (), undo=undo)
    return Fix.by_admin("Install the driver's library again.", (command,), undo=undo)


def do_without_nvml(place: Place) -> Fix:
    """NVML tells about GPUs, and computes nothing."""
    where = "the container's device rules and capabilities (utility)"
    if place.container is None:
        where = "the device files and the driver's packages"
    return Fix(
        "Programs that compute need nothing else. nvidia-smi fails, and so does what counts or "
        f"watches GPUs by NVML; if that matters, look at {where}.",
        ("nvidia-smi",),
    )
