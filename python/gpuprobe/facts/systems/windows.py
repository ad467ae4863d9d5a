"""What decides on Windows beside the driver: run-time DLLs, toolkits, settings of the system."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (
    *(names.MSVC_VERSION, names.MSVC_MISSING, names.WINDOWS_TOOLKITS),
    *(names.WINDOWS_LONG_PATHS, names.WINDOWS_GPU_SCHEDULING),
)

#: The files of the Visual C++ run time that the frameworks' DLLs are linked with.
MSVC_FILES = ("msvcp140.dll", "msvcp140_1.dll", "vcruntime140.dll", "vcruntime140_1.dll")
_VISUAL_STUDIO = "Microsoft\\VisualStudio\\14.0\\VC\\Runtimes\\x64"
_MSVC_KEYS = (f"SOFTWARE\\{_VISUAL_STUDIO}", f"SOFTWARE\\WOW6432Node\\{_VISUAL_STUDIO}")
_FILE_SYSTEM = "SYSTEM\\CurrentControlSet\\Control\\FileSystem"
_GRAPHICS = "SYSTEM\\CurrentControlSet\\Control\\GraphicsDrivers"
_SCHEDULING_ON = 2

#: The releases of cuDNN 8 that call zlibwapi.dll, which comes with neither Windows nor CUDA.
_FIRST_WITH_ZLIB, _FIRST_WITHOUT_ZLIB = Version("8.3.0"), Version("8.9.3")
_CUDNN, _ZLIB = "cudnn64_8.dll", "zlibwapi.dll"


def collect(machine: Machine) -> Iterator[Entry]:
    """All of it on Windows; nothing elsewhere."""
    if machine.system != "Windows":
        return
    yield entry(names.MSVC_VERSION, _msvc_version(machine))
    yield entry(names.MSVC_MISSING, _msvc_missing(machine))
    yield entry(names.WINDOWS_TOOLKITS, Known(tuple(_toolkits(machine)), "CUDA_PATH_V*"))
    yield from _zlib(machine, tuple(_listed(machine)))
    yield entry(names.WINDOWS_LONG_PATHS, _switch(machine, _FILE_SYSTEM, "LongPathsEnabled", 1))
    scheduling = _switch(machine, _GRAPHICS, "HwSchMode", _SCHEDULING_ON)
    yield entry(names.WINDOWS_GPU_SCHEDULING, scheduling)


def system_folder(machine: Machine) -> str:
    """The folder of Windows' own DLLs."""
    return machine.environ.get("SYSTEMROOT", r"C:\Windows") + r"\System32"


def _switch(machine: Machine, path: str, name: str, on: int) -> Fact[bool]:
    """A setting that is on where its value is `on`; `Absent`: Windows' default is in force."""
    key = machine.registry(path)
    if not isinstance(key, Known):
        return key
    value = key.value.number(name)
    source = f"{key.source}, {name}"
    return Absent(source) if value is None else Known(value == on, source)


def _msvc_version(machine: Machine) -> Fact[Version]:
    """The newest that an installer noted; DLLs that somebody copied have no such note."""
    for path in _MSVC_KEYS:
        key = machine.registry(path)
        if isinstance(key, Unknown):
            return key
        told = key.value.text("Version") if isinstance(key, Known) else None
        version = Version.parse((told or "").lstrip("v"))
        if version is not None:
            return Known(version, f"{key.source}, Version")
    return Absent(f"HKLM\\{_MSVC_KEYS[0]}")


def _msvc_missing(machine: Machine) -> Fact[tuple[str, ...]]:
    """The files that lie neither with the interpreter nor in System32; empty: all are there."""
    folders = (sys.base_prefix, sys.prefix, system_folder(machine))
    missing = tuple(
        file
        for file in MSVC_FILES
        if not any(machine.is_there(f"{folder}\\{file}") for folder in folders)
    )
    return Known(missing, ", ".join(dict.fromkeys(folders)))


def _listed(machine: Machine) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The folders of PATH that can be listed, each with the names in it, in lower case."""
    seen = set()
    for part in machine.environ.get("PATH", "").split(";"):
        folder = part.strip().strip('"').rstrip("\\")
        if not folder or folder.lower() in seen:
            continue
        seen.add(folder.lower())
        found = machine.list_dir(folder)
        if isinstance(found, Known):
            yield folder, tuple(name.lower() for name in found.value)


def _toolkits(machine: Machine) -> Iterator[str]:
    r"""The toolkits that NVIDIA's installers noted: ``12.4 in C:\…\v12.4``."""
    for name, folder in sorted(machine.environ.items()):
        version = name.upper().removeprefix("CUDA_PATH_V").replace("_", ".")
        if name.upper().startswith("CUDA_PATH_V") and Version.parse(version) is not None:
            yield f"{version} in {folder}"


def _zlib(machine: Machine, listed: tuple[tuple[str, tuple[str, ...]], ...]) -> Iterator[Entry]:
    """zlibwapi.dll, where a cuDNN on PATH calls it and PATH has none."""
    folder = next((folder for folder, files in listed if _CUDNN in files), None)
    if folder is None:
        return
    version = _cudnn_version(machine, folder)
    if version is None or not _FIRST_WITH_ZLIB <= version < _FIRST_WITHOUT_ZLIB:
        return
    there = any(_ZLIB in files for _, files in listed)
    if not there and not machine.is_there(f"{system_folder(machine)}\\{_ZLIB}"):
        wanted = Known(_ZLIB, f"PATH; cuDNN {version} in {folder} calls it")
        yield entry(names.LIBRARY_MISSING("zlibwapi"), wanted)


def _cudnn_version(machine: Machine, folder: str) -> Version | None:
    """As the header beside the DLL's folder states it; the DLL's name has the major only."""
    header = machine.read_text(folder.rpartition("\\")[0] + "\\include\\cudnn_version.h")
    if not isinstance(header, Known):
        return None
    numbers = {}
    for line in header.value.splitlines():
        words = line.split()
        if len(words) == 3 and words[0] == "#define" and words[2].isdigit():  # noqa: PLR2004
            numbers[words[1]] = words[2]
    parts = [numbers.get(f"CUDNN_{each}") for each in ("MAJOR", "MINOR", "PATCHLEVEL")]
    return Version.parse(".".join(part or "?" for part in parts))
