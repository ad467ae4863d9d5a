"""The driver as the system's package manager knows it; the managers themselves are not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (
    *(names.DRIVER_PACKAGE, names.DRIVER_INSTALLER),
    *(names.FABRIC_VERSION, names.TEGRA_JETPACK),
)

_DPKG, _DPKG_LIMIT = "/var/lib/dpkg/status", 64 << 20
#: No paragraph of dpkg's is so long, and no machine has so many packages of NVIDIA's.
_PARAGRAPH, _MAX_PACKAGES = 32 << 10, 1000
_PACMAN, _PORTAGE = "/var/lib/pacman/local", "/var/db/pkg/x11-drivers"
_RPM = ("/usr/lib/sysimage/rpm", "/var/lib/rpm")
_UNINSTALLER, _LOG = "/usr/bin/nvidia-uninstall", "/var/log/nvidia-installer.log"
_FABRIC_LOG, _FABRIC_TAIL = "/var/log/fabricmanager.log", 256 << 10

#: How the driver's packages begin, the ones that stand for the whole of it first.
_DRIVERS = (
    *("nvidia-driver-", "nvidia-driver", "nvidia-open", "cuda-drivers", "nvidia-headless-"),
    *("nvidia-utils", "nvidia-dkms", "nvidia-kernel-dkms", "nvidia-drivers", "nvidia-l4t-core"),
    *("libnvidia-compute-", "libcuda1"),
)
_NO_DRIVERS = (
    *("nvidia-driver-assistant", "nvidia-driver-libs", "nvidia-driver-bin"),
    *("nvidia-driver-local-repo-", "nvidia-driver-pinning-"),  # of NVIDIA's own repository
)
_FABRIC, _JETPACK = "nvidia-fabricmanager", "nvidia-jetpack"


class Package(NamedTuple):
    """An installed package of the system, with its version as the manager writes it."""

    name: str
    version: str


def collect(machine: Machine) -> Iterator[Entry]:
    """The driver's package, NVIDIA's own installer, Fabric Manager's and JetPack's versions."""
    if machine.system != "Linux":
        packages: Fact[tuple[Package, ...]] = Unknown(f"no packages of Linux: {machine.system}")
    else:
        packages = _installed(machine)
    yield entry(names.DRIVER_PACKAGE, _driver(packages))
    yield entry(names.DRIVER_INSTALLER, _installer(machine))
    yield entry(names.FABRIC_VERSION, _fabric(machine, packages))
    yield entry(names.TEGRA_JETPACK, _release(packages, _JETPACK))


def _installed(machine: Machine) -> Fact[tuple[Package, ...]]:
    """What the manager of this distribution lists of NVIDIA's."""
    status = machine.read_bytes(_DPKG, limit=_DPKG_LIMIT)
    if not isinstance(status, Absent):
        if isinstance(status, Unknown):
            return status
        return Known(tuple(_of_dpkg(status.value)), status.source)
    for folder, read in ((_PACMAN, _of_pacman), (_PORTAGE, _of_portage)):
        listed = machine.list_dir(folder)
        if isinstance(listed, Known):
            return Known(tuple(read(listed.value)), listed.source)
    for folder in _RPM:
        if machine.is_there(folder):
            return Unknown(f"{folder}: the database of rpm is not read")
    return Unknown("no list of a package manager that is read here")


def _of_dpkg(status: bytes) -> Iterator[Package]:
    """The paragraphs of NVIDIA's packages; the others, some thousands, are passed over whole."""
    for begin in (b"nvidia-", b"cuda-drivers", b"libnvidia-compute-", b"libcuda1"):
        place = -1
        for _ in range(_MAX_PACKAGES):
            place = status.find(b"Package: " + begin, place + 1)
            if place < 0:
                break
            if place and status[place - 1 : place] != b"\n":
                continue
            text = status[place : place + _PARAGRAPH].partition(b"\n\n")[0].decode(errors="replace")
            fields = dict(line.partition(": ")[::2] for line in text.split("\n"))
            if fields.get("Status", "").endswith(" installed"):
                yield Package(fields["Package"].strip(), fields.get("Version", "").strip())


def _of_pacman(listed: tuple[str, ...]) -> Iterator[Package]:
    """Folders: ``nvidia-utils-550.54.14-1``."""
    for name in listed:
        parts = name.rsplit("-", 2)
        if name.startswith("nvidia") and len(parts) == 3:  # noqa: PLR2004
            yield Package(parts[0], f"{parts[1]}-{parts[2]}")


def _of_portage(listed: tuple[str, ...]) -> Iterator[Package]:
    """Folders: ``nvidia-drivers-550.54.14-r1``."""
    for name in listed:
        if name.startswith("nvidia-drivers-"):
            yield Package("nvidia-drivers", name.removeprefix("nvidia-drivers-"))


def _driver(packages: Fact[tuple[Package, ...]]) -> Fact[str]:
    """Name and version; of several, the newest of those that stand for the most."""
    if not isinstance(packages, Known):
        return packages
    for begin in _DRIVERS:
        found = [
            each
            for each in packages.value
            if each.name.startswith(begin) and not each.name.startswith(_NO_DRIVERS)
        ]
        if found:
            best = max(found, key=lambda each: (_version(each.version) or Version("0"), each.name))
            return Known(f"{best.name} {best.version}".strip(), packages.source)
    return Absent(packages.source)


def _version(text: str) -> Version | None:
    """The release in ``1:535.104.05-0ubuntu1``."""
    return Version.parse(text.rpartition(":")[2].partition("-")[0].partition("+")[0])


def _release(packages: Fact[tuple[Package, ...]], begin: str) -> Fact[Version]:
    if not isinstance(packages, Known):
        return packages
    found = [_version(each.version) for each in packages.value if each.name.startswith(begin)]
    releases = [version for version in found if version is not None]
    return Known(max(releases), packages.source) if releases else Absent(packages.source)


def _installer(machine: Machine) -> Fact[str]:
    """NVIDIA's own installer leaves a program that takes the driver away again."""
    there = machine.size(_UNINSTALLER)
    if not isinstance(there, Known):
        return there
    log = machine.read_text(_LOG, limit=8 << 20)
    for line in log.value.splitlines()[:20] if isinstance(log, Known) else ():
        name, _, version = line.partition(":")
        if name.strip() in ("installer version", "driver version") and version.strip():
            return Known(f"nvidia-installer {version.strip()}", _LOG)
    return Known("nvidia-installer", _UNINSTALLER)


def _fabric(machine: Machine, packages: Fact[tuple[Package, ...]]) -> Fact[Version]:
    """By the package, else by the service's own log, whose last start counts."""
    found = _release(packages, _FABRIC)
    if isinstance(found, Known):
        return found
    log = machine.read_tail(_FABRIC_LOG, _FABRIC_TAIL)
    told = log.value.rpartition("Fabric Manager version ")[2] if isinstance(log, Known) else ""
    version = Version.parse(told.split(" ", 1)[0].strip()) if told else None
    return Known(version, _FABRIC_LOG) if version is not None else found
