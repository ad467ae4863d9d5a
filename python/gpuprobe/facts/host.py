"""The operating system and the interpreter."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from . import names
from .model import Absent, Entry, Fact, Known, Unknown, entry
from .version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine

WRITES = (
    *(names.OS_SYSTEM, names.OS_NAME, names.OS_KERNEL, names.OS_MACHINE, names.OS_LIBC),
    *(names.PYTHON_VERSION, names.PYTHON_EXECUTABLE, names.PYTHON_ENVIRONMENT),
)

_OS_RELEASE = ("/etc/os-release", "/usr/lib/os-release")
_MAC_VERSION = "/System/Library/CoreServices/SystemVersion.plist"


def collect(machine: Machine) -> Iterator[Entry]:
    """Facts about the system and this interpreter."""
    yield entry(names.OS_SYSTEM, Known(machine.system, "uname"))
    yield entry(names.OS_NAME, _os_name(machine))
    yield entry(names.OS_KERNEL, _kernel(machine))
    yield entry(names.OS_MACHINE, _processor(machine))
    yield entry(names.OS_LIBC, _libc(machine))
    version = ".".join(str(part) for part in sys.version_info[:3])
    yield entry(names.PYTHON_VERSION, Known(Version(version), "sys.version_info"))
    yield entry(names.PYTHON_EXECUTABLE, _executable())
    yield entry(names.PYTHON_ENVIRONMENT, _environment(machine))


def _os_name(machine: Machine) -> Fact[str]:
    if machine.system == "Windows":
        return _windows_name(machine)
    if machine.system == "Darwin":
        return _mac_name(machine)
    found: Fact[str] = Absent(_OS_RELEASE[0])
    for path in _OS_RELEASE:
        release = machine.read_text(path)
        if isinstance(release, Known):
            return _pretty_name(release)
        found = release if isinstance(found, Absent) else found
    return found


def _pretty_name(release: Known[str]) -> Fact[str]:
    for line in release.value.splitlines():
        name, _, value = line.partition("=")
        if name == "PRETTY_NAME":
            return Known(value.strip().strip("\"'"), release.source)
    return Unknown(f"{release.source}: no PRETTY_NAME")


def _mac_name(machine: Machine) -> Fact[str]:
    found = machine.read_text(_MAC_VERSION)
    if not isinstance(found, Known):
        return found
    _, _, rest = found.value.partition("<key>ProductVersion</key>")
    version = rest.partition("<string>")[2].partition("</string>")[0]
    return Known(f"macOS {version}".strip(), found.source)


_WINDOWS_VERSION = "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
#: Windows 11 goes on calling itself "Windows 10" there; its builds begin here.
_FIRST_WINDOWS_11 = 22000


def _windows_name(machine: Machine) -> Fact[str]:
    """Product and build: ``Windows 11 Pro 23H2, build 22631.3007``."""
    key = machine.registry(_WINDOWS_VERSION)
    build = key.value.text("CurrentBuild") if isinstance(key, Known) else None
    if not isinstance(key, Known) or build is None or not build.isdigit():
        return _windows_version()
    name = key.value.text("ProductName") or "Windows"
    if int(build) >= _FIRST_WINDOWS_11:
        name = name.replace("Windows 10", "Windows 11")
    feature = key.value.text("DisplayVersion")
    update = key.value.number("UBR")
    number = build if update is None else f"{build}.{update}"
    return Known(f"{' '.join(filter(None, (name, feature)))}, build {number}", key.source)


def _windows_version() -> Fact[str]:
    release = getattr(sys, "getwindowsversion", None)
    if release is None:
        return Unknown("this Python runs on another system")
    found = release()
    return Known(f"Windows {found.major}.{found.minor}.{found.build}", "sys.getwindowsversion")


def _kernel(machine: Machine) -> Fact[str]:
    found = machine.read_text("/proc/sys/kernel/osrelease")
    if isinstance(found, Known):
        return Known(found.value.strip(), found.source)
    if hasattr(os, "uname") and machine.system != "Windows":
        return Known(os.uname().release, "uname")
    return Unknown("no /proc, no uname")


def machine_name(machine: Machine) -> str:
    """The processor's name as uname gives it ("x86_64"), or "" where nobody says it."""
    if machine.system == "Windows":
        return machine.environ.get("PROCESSOR_ARCHITECTURE", "")
    return os.uname().machine if hasattr(os, "uname") else ""


def _processor(machine: Machine) -> Fact[str]:
    name = machine_name(machine)
    return Known(name, "uname") if name else Unknown("no uname, no PROCESSOR_ARCHITECTURE")


def _libc(machine: Machine) -> Fact[str]:
    """Ask glibc, which tells its version itself; musl is known by its loader."""
    if machine.system != "Linux":
        return Absent(f"{machine.system} has no libc of Linux")
    version = _confstr("CS_GNU_LIBC_VERSION")
    if version:
        return Known(version, "confstr")
    loaders = machine.list_dir("/lib")
    if isinstance(loaders, Known) and any(name.startswith("ld-musl-") for name in loaders.value):
        return Known("musl", "/lib/ld-musl-*")
    return Unknown("neither glibc nor musl was recognised")


def _confstr(name: str) -> str | None:
    try:
        return os.confstr(name)
    except (AttributeError, ValueError, OSError):  # not on Windows; not known to musl
        return None


def _executable() -> Fact[str]:
    if sys.executable:
        return Known(sys.executable, "sys.executable")
    return Unknown("this Python is embedded in another program")


def _environment(machine: Machine) -> Fact[str]:
    """venv, conda, store (Microsoft's) or system. A venv made of a conda Python is a venv."""
    if sys.prefix != sys.base_prefix:
        return Known("venv", "sys.prefix")
    if machine.is_there(f"{sys.prefix}/conda-meta"):
        return Known("conda", f"{sys.prefix}/conda-meta")
    if "\\WindowsApps\\" in sys.prefix:
        return Known("store", "sys.prefix")
    return Known("system", "sys.prefix")
