"""The kernel module as a file: is it there for the running kernel, and may it be loaded?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from . import module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (
    *(names.MODULE_FILE, names.MODULE_BLOCKED, names.NOUVEAU_BLOCKED),
    *(names.KERNELS, names.KERNEL_HEADERS),
)

_MODULES = "/lib/modules"
_RELEASE = "/proc/sys/kernel/osrelease"
_LIST_LIMIT = 8 << 20
#: In the order of modprobe.d(5): a file hides those of its name in later folders.
_FOLDERS = (
    *("/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d"),
    *("/usr/lib/modprobe.d", "/lib/modprobe.d"),
)
_MAX_FILES = 200
_COMMAND_LINE = "/proc/cmdline"
_ON_COMMAND_LINE = ("modprobe.blacklist", "module_blacklist", "rd.driver.blacklist")
#: Debian names the module after its branch, and an alias leads there.
_BRANCHES = ("nvidia-current", "nvidia-legacy-", "nvidia-tesla-")
_COMPANIONS = ("-modeset", "-drm", "-uvm", "-peermem")


def collect(machine: Machine) -> Iterator[Entry]:
    """The module's file, what keeps it or nouveau from being loaded, and the kernel's headers."""
    release = running_kernel(machine)
    yield entry(names.MODULE_FILE, _file(machine, release))
    yield entry(names.MODULE_BLOCKED, _blocked(machine, "nvidia"))
    yield entry(names.NOUVEAU_BLOCKED, _blocked(machine, "nouveau"))
    yield entry(names.KERNELS, _kernels(machine))
    yield entry(names.KERNEL_HEADERS, _headers(machine, release))


def running_kernel(machine: Machine) -> Fact[str]:
    """The release of the kernel that runs."""
    found = machine.read_text(_RELEASE, limit=4096)
    return Known(found.value.strip(), found.source) if isinstance(found, Known) else found


def _file(machine: Machine, release: Fact[str]) -> Fact[str]:
    """The file that modprobe would load. `Absent`: the running kernel has none."""
    loaded = module.is_loaded(machine)
    if isinstance(loaded, Known) and loaded.value:
        return Unknown("not looked for: the module is loaded")
    if not isinstance(release, Known):
        return release
    folder = f"{_MODULES}/{release.value}"
    listed = machine.read_text(f"{folder}/modules.dep", limit=_LIST_LIMIT)
    if not isinstance(listed, Known):
        return Unknown(listed.reason if isinstance(listed, Unknown) else f"no {listed.source}")
    for line in listed.value.splitlines():
        path = line.partition(":")[0]
        if "nvidia" in path and _is_module(path.rpartition("/")[2].partition(".ko")[0]):
            return Known(path if path.startswith("/") else f"{folder}/{path}", listed.source)
    return Absent(listed.source)


def _is_module(name: str) -> bool:
    return name == "nvidia" or (name.startswith(_BRANCHES) and not name.endswith(_COMPANIONS))


def _kernels(machine: Machine) -> Fact[tuple[str, ...]]:
    """Those whose modules are installed: an update may take away those of the kernel that runs."""
    listed = machine.list_dir(_MODULES)
    if not isinstance(listed, Known):
        return listed
    whole = (each for each in listed.value if machine.is_there(f"{_MODULES}/{each}/modules.dep"))
    return Known(tuple(whole), listed.source)


def _headers(machine: Machine, release: Fact[str]) -> Fact[str]:
    """What DKMS compiles against."""
    if not isinstance(release, Known):
        return release
    if not machine.is_there(f"{_MODULES}/{release.value}"):
        return Unknown(f"no /lib/modules/{release.value}")
    build = f"{_MODULES}/{release.value}/build"
    found = machine.real_path(build)
    return Absent(build) if isinstance(found, Absent) else found


def _blocked(machine: Machine, name: str) -> Fact[str]:
    """The first file, or the kernel's command line, that keeps a module from being loaded."""
    line = machine.read_text(_COMMAND_LINE)
    for word in line.value.split() if isinstance(line, Known) else ():
        head, _, listed = word.partition("=")
        if head in _ON_COMMAND_LINE and name in listed.split(","):
            return Known(word, _COMMAND_LINE)
    files, unread = _files(machine)
    for path in files:
        text = machine.read_text(path)
        if isinstance(text, Known) and any(_blocks(each, name) for each in text.value.splitlines()):
            return Known(path, text.source)
        if isinstance(text, Unknown):
            unread = text
    return unread or Absent(", ".join(_FOLDERS[:1] + _FOLDERS[-1:]))


def _files(machine: Machine) -> tuple[list[str], Unknown | None]:
    """The files that count, and why a folder of them could not be seen."""
    found: dict[str, str] = {}
    unread: Unknown | None = None
    for folder in _FOLDERS:
        listed = machine.list_dir(folder)
        if isinstance(listed, Unknown):
            unread = listed
        for file in listed.value if isinstance(listed, Known) else ():
            if file.endswith(".conf"):
                found.setdefault(file, f"{folder}/{file}")
    return list(found.values())[:_MAX_FILES], unread


def _blocks(line: str, name: str) -> bool:
    """``blacklist nouveau``, ``install nvidia /bin/false``, ``alias nouveau off``."""
    match line.split():
        case ["blacklist", blocked, *_]:
            return blocked == name
        case ["install", blocked, command, *_]:
            return blocked == name and command.rpartition("/")[2] in ("false", "true")
        case ["alias", blocked, "off"]:
            return blocked == name
    return False
