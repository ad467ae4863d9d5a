"""The commands by which a distribution installs its driver, or brings a newer one.

Of RHEL and its kin by NVIDIA's guide: https://docs.nvidia.com/datacenter/tesla/
driver-installation-guide/kernel-modules.html and advanced-options.html (streams up to release 9),
and of release 7 https://github.com/NVIDIA/yum-packaging-nvidia-driver (docs/guide-rhel7.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..questions.place import Distribution

GUIDE = "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/"

#: The package follows the kernel; it is linux-headers-amd64, or on Arm's processors -arm64.
HEADERS_OF_DEBIAN = "linux-headers-$(dpkg --print-architecture)"


@dataclass(frozen=True, slots=True)
class Packages:
    """`hint`: what has to be switched on, or known, before; `update`: where it is another way."""

    install: tuple[str, ...]
    undo: str
    hint: str = ""
    newer: tuple[str, ...] = ()

    @property
    def update(self) -> tuple[str, ...]:
        """What brings a newer driver where one is installed."""
        return self.newer or self.install


_PACKAGES = {
    Distribution.UBUNTU: Packages(
        ("sudo ubuntu-drivers install",),
        "sudo apt remove the nvidia-driver package that the command installed",
    ),
    Distribution.DEBIAN: Packages(
        (f"sudo apt install {HEADERS_OF_DEBIAN} nvidia-driver",),
        "sudo apt remove nvidia-driver",
        " The package is in Debian's non-free component.",
    ),
    Distribution.FEDORA: Packages(
        ("sudo dnf install akmod-nvidia xorg-x11-drv-nvidia-cuda",),
        "sudo dnf remove akmod-nvidia xorg-x11-drv-nvidia-cuda",
        " The packages are in the RPM Fusion nonfree repository.",
    ),
    Distribution.ARCH: Packages(
        ("sudo pacman -S nvidia-open nvidia-utils",),
        "sudo pacman -R nvidia-open nvidia-utils",
        " Cards before Turing (GTX 16xx, RTX 20xx) need an older branch. Other kernels than linux "
        "need nvidia-open-dkms and their headers in place of nvidia-open; Manjaro has its own "
        "packages (sudo mhwd -a pci nonfree 0300).",
    ),
    Distribution.SUSE: Packages(
        ("sudo zypper install-new-recommends --repo NVIDIA",),
        "sudo zypper remove the packages that the command listed",
        f" The packages are in NVIDIA's repository: {GUIDE}",
        ("sudo zypper update --repo NVIDIA",),
    ),
}

#: The older Ubuntus, of which some do not know the later word for it.
_LAST_WITH_AUTOINSTALL = 18
#: The releases of RHEL: with this way of packages, and those whose repository has streams.
_FIRST_OF_REPOSITORY = 7
_FIRST_WITH_STREAMS, _LAST_WITH_STREAMS = 8, 9
_STREAM = "nvidia-driver:latest-dkms"


def packages_of(distribution: Distribution, release: int | None) -> Packages:
    """The driver's packages; `release` None: not known, then those of most machines."""
    if distribution is Distribution.RHEL:
        return _of_rhel(release)
    if distribution is Distribution.UBUNTU and (release or 99) <= _LAST_WITH_AUTOINSTALL:
        return Packages(("sudo ubuntu-drivers autoinstall",), _PACKAGES[distribution].undo)
    return _PACKAGES[distribution]


def _of_rhel(release: int | None) -> Packages:
    if release is not None and release > _LAST_WITH_STREAMS:
        return Packages(
            ("sudo dnf install nvidia-open",),
            "sudo dnf remove nvidia-open",
            f" The package is in NVIDIA's repository: {GUIDE} Cards before Turing (GTX 16xx, RTX "
            "20xx) need cuda-drivers in its place.",
        )
    if release is not None and release < _FIRST_OF_REPOSITORY:
        page = "https://www.nvidia.com/drivers"
        return Packages((), "sudo nvidia-uninstall", f" For a system so old it is there: {page}.")
    if release is not None and release < _FIRST_WITH_STREAMS:
        return Packages(
            ("sudo yum install nvidia-driver-latest-dkms",),
            "sudo yum remove nvidia-driver-latest-dkms",
            " The package is in the repository that NVIDIA had for release 7; what came since is "
            "for later releases of the system.",
        )
    return Packages(
        (f"sudo dnf module install {_STREAM}",),
        f"sudo dnf module remove {_STREAM}",
        f" The module is in NVIDIA's repository: {GUIDE}",
        # An enabled stream, 535 say, is left by this word alone.
        (f"sudo dnf module switch-to {_STREAM} --allowerasing",),
    )
