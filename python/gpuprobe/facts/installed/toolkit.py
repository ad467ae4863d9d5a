"""The CUDA toolkit of those who compile, and the compiler beside it; neither is started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from ..version import Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.TOOLKIT_PATH, names.TOOLKIT_VERSION, names.HOST_COMPILER)

_VARIABLES = ("CUDA_HOME", "CUDA_PATH")
_DEFAULT = "/usr/local/cuda"
#: Where Debian and Ubuntu put their own build, whose nvcc is in /usr/bin.
_DEBIAN = "/usr/lib/nvidia-cuda-toolkit"
_GCC_FOLDER = "/usr/lib/gcc"
_MAX_FOLDERS = 100


def collect(machine: Machine) -> Iterator[Entry]:
    """Folder and version of the toolkit that a build takes, and the compiler that nvcc calls."""
    folder = _folder(machine)
    yield entry(names.TOOLKIT_PATH, folder)
    if not isinstance(folder, Known):
        yield entry(names.TOOLKIT_VERSION, folder)
        yield entry(names.HOST_COMPILER, Unknown("looked for only beside a toolkit"))
        return
    yield entry(names.TOOLKIT_VERSION, _version(machine, folder.value))
    yield entry(names.HOST_COMPILER, _compiler(machine))


def _folder(machine: Machine) -> Fact[str]:
    """In the order of PyTorch's builds: the variables, the nvcc of PATH, the default folder."""
    for variable in _VARIABLES:
        named = machine.environ.get(variable, "").rstrip("/")
        if named and machine.is_there(f"{named}/bin/nvcc"):
            return Known(named, f"environment variable {variable}")
    nvcc = _on_path(machine, "nvcc")
    if nvcc is not None:
        real = machine.real_path(nvcc)
        folder = real.value.rpartition("/bin/")[0] if isinstance(real, Known) else ""
        if folder in ("", "/usr") and machine.is_there(_DEBIAN):
            return Known(_DEBIAN, nvcc)
        return Known(folder or nvcc.rpartition("/bin/")[0] or "/", nvcc)
    if machine.is_there(f"{_DEFAULT}/bin/nvcc"):
        return Known(_DEFAULT, f"{_DEFAULT}/bin/nvcc")
    return Absent(f"{', '.join(_VARIABLES)}, PATH, {_DEFAULT}")


def _on_path(machine: Machine, program: str) -> str | None:
    folders = machine.environ.get("PATH", "").split(":")[:_MAX_FOLDERS]
    paths = (f"{folder.rstrip('/')}/{program}" for folder in folders if folder)
    return next((path for path in paths if machine.is_there(path)), None)


def _version(machine: Machine, folder: str) -> Fact[Version]:
    """By the file that toolkits bring along, else by the name of their run-time library."""
    for file, word in (("version.json", '"cuda"'), ("version.txt", "CUDA Version")):
        text = machine.read_text(f"{folder}/{file}")
        if isinstance(text, Known):
            found = _first_version(text.value.partition(word)[2])
            if found is not None:
                return Known(found, text.source)
    for libraries in ("lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"):
        listed = machine.list_dir(f"{folder}/{libraries}")
        for name in listed.value if isinstance(listed, Known) else ():
            release = Version.parse(name.removeprefix("libcudart.so."))
            if name.startswith("libcudart.so.") and release and len(release.parts) > 2:  # noqa: PLR2004
                return Known(release, f"{folder}/{libraries}/{name}")
    return Unknown(f"{folder}: neither version.json, version.txt nor libcudart tells the release")


def _first_version(text: str) -> Version | None:
    """The first release in a text: of JSON, whose words stand in quotes, or of a line."""
    words = text.replace('"', " ").replace(",", " ").split()
    found = (Version.parse(word) for word in words[:40] if word[:1].isdigit())
    return next((version for version in found if version is not None), None)


def _compiler(machine: Machine) -> Fact[str]:
    """The gcc that nvcc calls: NVCC_CCBIN, else that of PATH, by the names that links lead to."""
    named = machine.environ.get("NVCC_CCBIN", "")
    path = named if "/" in named else _on_path(machine, named or "gcc")
    if path is None:
        return Absent("NVCC_CCBIN, gcc on PATH")
    real = machine.real_path(path)
    if not isinstance(real, Known):
        return real
    release = real.value.rpartition("-")[2]
    if release.partition(".")[0].isdigit() and "gcc" in real.value:
        return Known(f"gcc {release}", real.source)
    releases = _releases(machine)
    if len(releases) == 1 and real.value.startswith("/usr/bin/"):
        return Known(f"gcc {releases.pop()}", _GCC_FOLDER)
    return Unknown(f"{real.value}: its name tells no version")


def _releases(machine: Machine) -> set[str]:
    """The versions of gcc that have their folder: ``/usr/lib/gcc/x86_64-redhat-linux/11``."""
    targets = machine.list_dir(_GCC_FOLDER)
    found: set[str] = set()
    for target in targets.value[:_MAX_FOLDERS] if isinstance(targets, Known) else ():
        listed = machine.list_dir(f"{_GCC_FOLDER}/{target}")
        names_there = listed.value if isinstance(listed, Known) else ()
        found.update(name for name in names_there if name.partition(".")[0].isdigit())
    return found
