"""Bring the kernel module of an installed driver to run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..model import Fix
from ..questions.place import Distribution, Place
from .driver import DRIVER_PAGE, RESTART_UNDO, rebuild_command, update_driver

if TYPE_CHECKING:
    from ...facts.version import Version

_HEADERS = {
    Distribution.UBUNTU: ("sudo apt install linux-headers-$(uname -r)", "sudo apt remove"),
    Distribution.DEBIAN: ("sudo apt install linux-headers-$(uname -r)", "sudo apt remove"),
    Distribution.FEDORA: ("sudo dnf install kernel-devel-$(uname -r)", "sudo dnf remove"),
    Distribution.RHEL: ("sudo dnf install kernel-devel-$(uname -r)", "sudo dnf remove"),
    # The kernels of Arch are several (linux, linux-lts, linux-zen; of Manjaro linux612).
    Distribution.ARCH: (
        "sudo pacman -S $(cat /usr/lib/modules/$(uname -r)/pkgbase)-headers",
        "sudo pacman -R",
    ),
    Distribution.SUSE: ("sudo zypper install kernel-default-devel", "sudo zypper remove"),
}


#: Of RHEL and its kin the last without dnf.
_LAST_WITH_YUM = 7


def _headers(place: Place) -> tuple[str, str] | None:
    """What installs the headers of the running kernel, and what takes them away."""
    if place.distribution is None:
        return None
    install, remove = _HEADERS[place.distribution]
    if place.distribution is Distribution.RHEL and (place.release or 9) <= _LAST_WITH_YUM:
        return install.replace("dnf", "yum"), remove.replace("dnf", "yum")
    return install, remove


class _Builder(NamedTuple):
    """What builds the module on a machine, and signs it with a key of its own."""

    name: str
    command: str
    log: str
    key: str


_DKMS = _Builder("DKMS", "sudo dkms autoinstall", "/var/lib/dkms/nvidia", "/var/lib/dkms/mok.pub")
#: RPM Fusion's: https://rpmfusion.org/Howto/NVIDIA and https://rpmfusion.org/Howto/Secure%20Boot
_AKMODS = _Builder(
    "akmods",
    "sudo akmods --force --kernels $(uname -r)",
    "/var/cache/akmods/nvidia",
    "/etc/pki/akmods/certs/public_key.der",
)


def _builder(place: Place, *, dkms: bool) -> _Builder:
    """On Fedora mostly akmods; `dkms`: that is known to be here."""
    return _AKMODS if place.distribution is Distribution.FEDORA and not dkms else _DKMS


def build_module(place: Place, *, headers: bool, dkms: bool) -> Fix:
    """Build the module for the running kernel; without headers these have to come first."""
    found, builder = _headers(place), _builder(place, dkms=dkms)
    commands: tuple[str, ...] = ()
    undo = RESTART_UNDO if headers else "remove the kernel's headers again"
    first = "" if headers else "Install the headers of the running kernel; "
    if found is not None and not headers:
        commands, undo = (found[0],), f"{found[1]} the same package"
    if not dkms and builder is _DKMS:
        text = (
            f"{first or 'Nobody builds the module here: '}install the driver's package again, so "
            "that it brings its module for this kernel, or restart into the kernel that has one."
        )
        return Fix.by_reboot(text, (*commands, "ls /lib/modules"), undo=undo)
    text = (
        f"{first}have {builder.name} build the module for the running kernel. If that fails, its "
        f"log under {builder.log} tells why: most often the kernel is newer than the driver knows."
    )
    return Fix.by_admin(
        text[0].upper() + text[1:],
        (*commands, builder.command, "sudo modprobe nvidia"),
        undo=f"sudo modprobe -r nvidia; {undo}",
    )


def build_module_as_told(place: Place, *, dkms: bool) -> Fix:
    """The running kernel has no module; `dkms`: the text tells that DKMS is to make it."""
    found, builder = _headers(place), _builder(place, dkms=dkms)
    first = (
        "with the headers of the running kernel installed"
        if found is None
        else ("with the headers of the running kernel, which the first command installs")
    )
    return Fix.by_admin(
        f"Build the module for the running kernel: {first}, {builder.name} does it. If that "
        f"fails, the log under {builder.log} tells why: most often the kernel is newer than this "
        "driver knows, and then it takes a newer driver, or the kernel of before. A driver of "
        "NVIDIA's installer file has to be installed again.",
        (*((found[0],) if found else ()), builder.command, "sudo modprobe nvidia"),
        undo="sudo modprobe -r nvidia; remove what was installed",
    )


def newer_for_kernel(place: Place, driver: Version | None) -> Fix:
    """The compiler refuses the module's source: kernels change what modules may call."""
    fix = update_driver(place, driver)
    return replace(
        fix,
        text="The kernel is newer than this release of the driver knows: start the kernel of "
        f"before, or take a release that knows it. {fix.text}",
    )


def build_with_other_compiler() -> Fix:
    """The kernel was compiled with another gcc than the one that builds its modules here."""
    return Fix.by_admin(
        "Bring kernel and compiler of the system to one state, by an update of both and a restart; "
        "then DKMS builds the module. Or build it with the compiler that is there, which mostly "
        "works where the first number of both is the same.",
        ("sudo env IGNORE_CC_MISMATCH=1 dkms autoinstall", "sudo modprobe nvidia"),
        undo="sudo modprobe -r nvidia",
    )


def sign_module(place: Place, *, dkms: bool = False) -> Fix:
    """Have the firmware know the key that the module is signed with, or take signed modules."""
    if place.distribution is None:
        return Fix.by_reboot(
            "Enrol the key with which DKMS signs modules: the command asks for a password, and the "
            "blue screen at the next start asks for it again (Enroll MOK). Ubuntu and Debian "
            "have the first command, others the second; akmods, as on Fedora, has its key in "
            f"{_AKMODS.key}. If no such screen comes, the machine was not started by shim, "
            "which shows it: start it by shim, or switch Secure Boot off in the firmware's "
            "settings.",
            (
                "sudo update-secureboot-policy --enroll-key",
                f"sudo mokutil --import {_DKMS.key}",
                "sudo reboot",
            ),
            undo="sudo mokutil --delete with the same key",
        )
    if place.distribution is Distribution.SUSE and not dkms:
        return Fix.by_reboot(
            "Enrol the key that the driver's package brought, by its name from the first command: "
            f"{_ENROL} Or switch Secure Boot off in the firmware's settings.",
            (f"ls {_KEYS_OF_SUSE}", "sudo mokutil --import KEY", "sudo reboot"),
            undo="sudo mokutil --delete KEY",
        )
    if place.distribution is Distribution.UBUNTU:
        text = (
            "Install the module that Ubuntu signs (linux-modules-nvidia-…), or enrol the key of "
            f"this machine: {_ENROL}"
        )
        key = "/var/lib/shim-signed/mok/MOK.der"
    else:
        builder = _builder(place, dkms=dkms)
        text = (
            f"Enrol the key with which {builder.name} signs modules: {_ENROL} Or switch Secure "
            "Boot off in the firmware's settings."
        )
        key = builder.key
    commands = (f"sudo mokutil --import {key}", "sudo reboot")
    return Fix.by_reboot(text, commands, undo=f"sudo mokutil --delete {key}")


_ENROL = (
    "mokutil asks for a password, and the blue screen at the next start asks for it again (Enroll "
    "MOK)."
)
#: Where the packages of openSUSE and SLES lay it, the older ones in the second folder:
#: https://en.opensuse.org/SDB:NVIDIA_drivers
_KEYS_OF_SUSE = "/usr/share/nvidia-pubkeys /var/lib/nvidia-pubkeys"


def take_from(driver: str) -> Fix:
    """Give NVIDIA's module the GPU that another driver of the kernel holds."""
    return Fix.by_admin(
        f"Take the GPU away from {driver} and load NVIDIA's module; the first command tells its "
        f"ADDRESS. For good, blacklist {driver} where no other card of the machine needs it.",
        (
            "lspci -Dk -d 10de:",
            f"echo ADDRESS | sudo tee /sys/bus/pci/drivers/{driver}/unbind",
            "sudo modprobe nvidia",
        ),
        undo=f"sudo modprobe -r nvidia; echo ADDRESS | sudo tee /sys/bus/pci/drivers/{driver}/bind",
    )


def unblock(by: str) -> Fix:
    """Take the line away that keeps the module out."""
    if "=" in by:
        return Fix.by_reboot(
            f"Take {by} from the kernel's command line (GRUB_CMDLINE_LINUX in /etc/default/grub), "
            "and restart.",
            ("grep -n CMDLINE /etc/default/grub",),
            undo=f"put {by} back",
        )
    return Fix.by_admin(
        f"See why {by} is there: switching to the processor's graphics writes such a file "
        "(prime-select intel). Switch back, or take the line for nvidia out, and load the module.",
        (f"grep -n nvidia {by}", "sudo modprobe nvidia"),
        undo=f"put the line back into {by}",
    )


def rebuild_ramdisk(place: Place, blocked_by: str) -> Fix:
    """Nouveau is kept out, and was loaded from the initial RAM disk all the same."""
    return Fix.by_reboot(
        f"{blocked_by} keeps nouveau out already, but the initial RAM disk does not know of it: "
        "have it built anew, and restart. If the machine was not restarted since, a restart may "
        "do.",
        (rebuild_command(place), "sudo reboot"),
        undo=RESTART_UNDO,
    )


def other_kind(place: Place, kind: str, branch: int | None) -> Fix:
    """The same driver with its open, or its proprietary, kernel module; of `branch`, if known."""
    undo = "install the packages of the other kind again"
    if place.distribution is Distribution.UBUNTU:
        suffix = "-open" if kind == "open" else ""
        return Fix.by_reboot(
            f"Install the driver's packages with the {kind} module, and restart.",
            (f"sudo apt install nvidia-driver-{branch or 'BRANCH'}{suffix}", "sudo reboot"),
            undo=undo,
        )
    return Fix.by_reboot(
        f"Install the same driver with its {kind} kernel module from where it came, or from "
        f"{DRIVER_PAGE}, and restart.",
        undo=undo,
    )


#: Before it Ubuntu's packages were called nvidia-340, without the driver:
#: https://packages.ubuntu.com/focal/nvidia-340
_FIRST_NAMED_DRIVER = 390


def older_branch(place: Place, branch: int) -> Fix:
    """The last branch that serves an older card."""
    undo = "install the newer driver again"
    if place.distribution is Distribution.UBUNTU:
        named = "nvidia" if branch < _FIRST_NAMED_DRIVER else "nvidia-driver"
        text = f"Install driver {branch}, and restart."
        if branch < _FIRST_NAMED_DRIVER:
            text += " Ubuntu has it up to 20.04 at most: later kernels have no module of it."
        commands = (f"sudo apt install {named}-{branch}", "sudo reboot")
        return Fix.by_reboot(text, commands, undo=undo)
    return Fix.by_reboot(
        f"Install a driver of branch {branch} from the distribution's packages for older cards, or "
        f"from {DRIVER_PAGE}, and restart.",
        undo=undo,
    )


def driver_that_knows_gpu() -> Fix:
    """The release that is installed is too old for the GPU, or too new."""
    return Fix.by_reboot(
        f"Install the driver that {DRIVER_PAGE} names for this GPU, in the place of this one, and "
        "restart: a GPU that came out after the driver needs a newer one, an old GPU an older "
        "branch. A virtual GPU needs the guest's driver that goes with its host's; and a GPU that "
        "is handed to a virtual machine in part, or is damaged, is known to none.",
        ("lspci -nn -d 10de:", "cat /proc/driver/nvidia/version"),
        undo="install the former driver again",
    )


def take_back_from_vfio() -> Fix:
    """Leave the GPU to its virtual machine, or have it here."""
    return Fix.by_reboot(
        "Use the GPU inside the virtual machine that it is meant for: that needs the driver. To "
        "have it here, take its PCI id out of the vfio-pci options in /etc/modprobe.d and restart.",
        ("grep -r vfio-pci /etc/modprobe.d /etc/default/grub",),
        undo="put the PCI id back and restart",
    )


def look_for_served_gpu() -> Fix:
    """The module is whole, and has no GPU to drive."""
    return Fix(
        "The module is there and starts, so that nothing has to be built or signed: it finds no "
        "GPU that it serves. If the first command lists none, run the program on a machine that "
        "has one, on a cluster in a job that asks for it, or on the CPU. If it lists one, the "
        "kernel's log says whether this driver knows it.",
        ("lspci | grep -i nvidia", "sudo dmesg | grep -i nvrm | tail"),
    )
