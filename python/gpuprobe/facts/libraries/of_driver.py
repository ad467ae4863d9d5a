"""The driver's two libraries: which file the loader takes, by which way, and what it is.

Nothing is loaded here. Where the probe program loaded a library, its word counts; else the same
ways are gone by hand that dlopen() goes: override, WSL, LD_LIBRARY_PATH, cache, default folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .. import names
from ..answers import Answer
from ..host import machine_name
from ..model import Absent, Entry, Fact, Known, Unknown, entry
from ..probe import Silent
from ..version import Version
from . import ldcache
from .places import DEFAULT, default_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (
    *(names.LIBCUDA_PATH, names.LIBCUDA_FOUND_BY, names.LIBCUDA_VERSION, names.LIBCUDA_STUB),
    *(names.LIBCUDA_ERROR, names.LIBCUDA_ASIDE, names.NVML_PATH, names.NVML_VERSION),
)

#: CUDA_ERROR_STUB_LIBRARY: what every function of the toolkit's stub returns.
STUB_CODE = 34
#: The toolkit's stubs have some 100 KB, the driver's libraries megabytes.
_STUB_MAX_BYTES = 1 << 20
#: Driver releases are 3 digits; libcuda.so.1.1 (WSL, Jetson) states none.
_LEAST_RELEASE = 100

_WSL_FOLDER = "/usr/lib/wsl/lib"
#: Where drivers before 2020 put nvml.dll on Windows.
_PROGRAMS, _NVSMI = r"C:\Program Files", r"NVIDIA Corporation\NVSMI"


#: Of NixOS, of Google's Kubernetes, of Singularity, of Jetsons: each tells programs of the folder
#: by a variable or the loader's cache, which an image or a shell may have lost.
_ASIDE = (
    *("/run/opengl-driver/lib", "/usr/local/nvidia/lib64", "/usr/local/nvidia/lib"),
    *("/.singularity.d/libs", "/usr/lib/aarch64-linux-gnu/nvidia"),
    "/usr/lib/aarch64-linux-gnu/tegra",
)


class Wanted(NamedTuple):
    """A library of the driver: its name for Linux and for Windows, and our override."""

    soname: str
    dll: str
    override: str


LIBCUDA = Wanted("libcuda.so.1", "nvcuda.dll", "GPUPROBE_LIBCUDA")
NVML = Wanted("libnvidia-ml.so.1", "nvml.dll", "GPUPROBE_LIBNVML")


class Found(NamedTuple):
    """A library's file, and the way by which it was found: LD_LIBRARY_PATH, WSL and so on."""

    path: str
    way: str


def collect(machine: Machine, cuda: Answer | Silent, nvml: Answer | Silent) -> Iterator[Entry]:
    """Path, way, version and nature of libcuda; path and version of NVML."""
    found = find(machine, LIBCUDA, cuda)
    yield entry(names.LIBCUDA_PATH, _of(found, "path"))
    yield entry(names.LIBCUDA_FOUND_BY, _of(found, "way"))
    yield entry(names.LIBCUDA_VERSION, file_version(machine, found))
    yield entry(names.LIBCUDA_STUB, is_stub(machine, found, cuda))
    yield entry(names.LIBCUDA_ERROR, _load_error(cuda))
    yield entry(names.LIBCUDA_ASIDE, _aside(machine, found))
    found = find(machine, NVML, nvml)
    yield entry(names.NVML_PATH, _of(found, "path"))
    yield entry(names.NVML_VERSION, file_version(machine, found))


def find(machine: Machine, wanted: Wanted, answer: Answer | Silent) -> Fact[Found]:
    """The file that the loader took, or would take."""
    searched = _search(machine, wanted)
    if not isinstance(answer, Answer) or answer.library.path is None:
        return searched
    path = machine.shown(answer.library.path)
    way = "the loader"
    if answer.library.via == "override":
        way = wanted.override
    elif isinstance(searched, Known):
        real = machine.real_path(searched.value.path)
        if isinstance(real, Known) and real.value == path:
            way = searched.value.way
    return Known(Found(path, way), f"the probe {answer.step!r}: the file that was loaded")


def _search(machine: Machine, wanted: Wanted) -> Fact[Found]:
    override = machine.environ.get(wanted.override)
    if override:
        return _taken(machine, override, wanted.override) or Absent(override)
    if machine.system == "Windows":
        folder = machine.environ.get("SYSTEMROOT", r"C:\Windows") + r"\System32"
        path = rf"{folder}\{wanted.dll}"
        older = rf"{machine.environ.get('PROGRAMW6432', _PROGRAMS)}\{_NVSMI}\{wanted.dll}"
        return _taken(machine, path, "System32") or _taken(machine, older, "NVSMI") or Absent(path)
    if machine.system != "Linux":
        return Absent(f"{machine.system} has no CUDA driver")
    looked = []
    for way, paths in _ways(machine, wanted.soname):
        looked.append(way)
        if isinstance(paths, Unknown):
            return paths
        for path in paths:
            taken = _taken(machine, path, way)
            if taken is not None:
                return taken
    return Absent(", ".join(looked))


def _ways(machine: Machine, soname: str) -> Iterator[tuple[str, tuple[str, ...] | Unknown]]:
    """The loader's ways in their order, each with the paths that it offers."""
    if machine.is_there("/dev/dxg"):
        yield "WSL", (f"{_WSL_FOLDER}/{soname}",)
    listed = machine.environ.get("LD_LIBRARY_PATH", "").replace(";", ":").split(":")
    yield "LD_LIBRARY_PATH", tuple(f"{folder}/{soname}" for folder in listed if folder)
    yield "ld.so.cache", _cached(machine, soname)
    yield DEFAULT, tuple(f"{each}/{soname}" for each in default_folders(machine))


def _aside(machine: Machine, found: Fact[Found]) -> Fact[str]:
    """Where libcuda lies, though the loader does not find it."""
    if isinstance(found, Known) or machine.system != "Linux":
        return Absent("looked for only where the loader finds no libcuda")
    paths = (f"{folder}/{LIBCUDA.soname}" for folder in _ASIDE)
    path = next((path for path in paths if machine.is_there(path)), None)
    if path is not None:
        return Known(path, path)
    # Who may not look into the loader's folders may not be shown these either.
    return found if isinstance(found, Unknown) else Absent(", ".join(_ASIDE))


def _cached(machine: Machine, soname: str) -> tuple[str, ...] | Unknown:
    """The paths in the cache. Alpine has no cache, which is no reason to stop."""
    cache = machine.read_bytes(ldcache.PATH, limit=ldcache.LIMIT)
    if isinstance(cache, Absent):
        return ()
    if isinstance(cache, Unknown):
        return cache
    try:
        return tuple(ldcache.lookup(cache.value, soname, machine_name(machine)))
    except ldcache.CacheError as error:
        return Unknown(f"{cache.source}: {error}")


def _taken(machine: Machine, path: str, way: str) -> Known[Found] | None:
    """The file, where one is seen. The loader, too, passes over what it may not read."""
    return Known(Found(machine.shown(path), way), way) if machine.is_there(path) else None


def _of(found: Fact[Found], field: str) -> Fact[str]:
    if not isinstance(found, Known):
        return found
    return Known(found.value.path if field == "path" else found.value.way, found.source)


def file_version(machine: Machine, found: Fact[Found]) -> Fact[Version]:
    """The driver release that the real file's name states: ``libcuda.so.535.104.05``."""
    if not isinstance(found, Known):
        return found
    real = machine.real_path(found.value.path)
    if not isinstance(real, Known):
        return real
    version = Version.parse(real.value.rpartition(".so.")[2])
    if version is None or version.major < _LEAST_RELEASE:
        return Unknown(f"the file's name states no driver release: {real.value}")
    return Known(version, f"the file's name, {real.value}")


def is_stub(machine: Machine, found: Fact[Found], cuda: Answer | Silent) -> Fact[bool]:
    """Whether it is the toolkit's stub: by what it answers, by its folder, by its name and size."""
    if not isinstance(found, Known):
        return found
    if machine.system == "Windows":
        return Known(value=False, source="the toolkit for Windows has no stub")
    if isinstance(cuda, Answer) and cuda.library.path is not None:
        code = cuda.failed.code if cuda.failed and cuda.failed.kind == "cuda" else None
        return Known(code == STUB_CODE, str(cuda.failed) if cuda.failed else "cuInit")
    real = machine.real_path(found.value.path)
    path = real.value if isinstance(real, Known) else found.value.path
    if "stubs" in path.replace("\\", "/").split("/"):
        return Known(value=True, source=f"its folder, {path}")
    if isinstance(file_version(machine, found), Known):
        return Known(value=False, source=f"the file's name states a driver release, {path}")
    size = machine.size(path)
    if isinstance(size, Known) and size.value >= _STUB_MAX_BYTES:
        return Known(value=False, source=f"it has {size.value} bytes, {path}")
    return Unknown(f"{path}: neither its folder, its name nor its size tells")


def _load_error(cuda: Answer | Silent) -> Fact[str]:
    if isinstance(cuda, Silent):
        return Unknown(cuda.reason)
    if cuda.library.path is None and cuda.library.error:
        return Known(cuda.library.error, "dlopen")
    return Absent("dlopen: loaded")
