"""The folders in which CUDA libraries can lie on this machine, each for a reason.

A folder is named only where something gives a reason: a variable, an installed package, an
environment of conda. So a machine without any of them pays for next to nothing.

The order is that of the search: first the ways that the loader goes for everybody, then the
places of which only some programs know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..host import machine_name
from ..model import Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..installed.distributions import Distribution
    from ..machine import Machine

LD_PATH, CACHE, DEFAULT, WINDOWS_PATH = "LD_LIBRARY_PATH", "ld.so.cache", "default folders", "PATH"
SYSTEM32, PIP, CONDA, LOCAL = "System32", "pip", "conda", "/usr/local"
#: Ways of the loader, which serve every program; of the others only some programs know.
LOADER = frozenset({LD_PATH, CACHE, DEFAULT, WINDOWS_PATH, SYSTEM32})

#: What glibc searches at last; multiarch systems have the machine's name in it.
_DEFAULT_FOLDERS = ("/lib64", "/usr/lib64", "/lib/{}", "/usr/lib/{}", "/lib", "/usr/lib")
#: Packages that bring copies of their own, and the folder below the packages' folder.
_BUNDLED = {
    "torch": "torch/lib",
    "ctranslate2": "ctranslate2.libs",
    "paddlepaddle-gpu": "paddle/libs",
    "mxnet": "mxnet",
}
_TENSORRT = "tensorrt_libs"
#: Words in an entry of Windows' PATH that make it worth listing: most entries have none.
_WORDS = ("cuda", "cudnn", "nvidia", "tensorrt", "conda", "torch")


class Place(NamedTuple):
    """A folder, the way that leads to it, and for packages the folder they are installed in."""

    folder: str
    way: str
    site: str = ""


def separator(machine: Machine) -> str:
    """What stands between the parts of a path."""
    return "\\" if machine.system == "Windows" else "/"


def places(
    machine: Machine, installed: tuple[Distribution, ...], *, thorough: bool
) -> Iterator[Place]:
    """Every folder with a reason, in the order of the search; some come twice.

    `thorough` also names the default folders and all of Windows' PATH, whose listing costs more
    than a glance at a machine may. The loader's cache names files and not folders.
    """
    if machine.system == "Windows":
        yield from _of_windows_path(machine, thorough=thorough)
    else:
        for folder in library_path(machine):
            yield Place(folder, LD_PATH, _site_of(folder))
        if thorough or not machine.is_there("/etc/ld.so.cache"):
            yield from (Place(folder, DEFAULT) for folder in default_folders(machine))
    yield from _of_packages(machine, installed)
    yield from (Place(folder, CONDA) for folder in conda_folders(machine))
    yield from _of_toolkits(machine)


def _site_of(folder: str) -> str:
    """The folder of packages in which a wheel's folder lies; empty: it is none of a wheel."""
    site, inside, _ = folder.partition("/nvidia/")
    return site if inside and site.endswith(("site-packages", "dist-packages")) else ""


def library_path(machine: Machine) -> tuple[str, ...]:
    """The folders of LD_LIBRARY_PATH in their order, without the empty ones."""
    listed = machine.environ.get(LD_PATH, "").replace(";", ":").split(":")
    folders = (folder.rstrip("/") or "/" for folder in listed if folder)
    return tuple(dict.fromkeys(map(machine.shown, folders)))


def default_folders(machine: Machine) -> tuple[str, ...]:
    """Where the loader looks at last."""
    multiarch = f"{machine_name(machine)}-linux-gnu"
    return tuple(folder.format(multiarch) for folder in _DEFAULT_FOLDERS)


def _of_windows_path(machine: Machine, *, thorough: bool) -> Iterator[Place]:
    for folder in machine.environ.get(WINDOWS_PATH, "").split(";"):
        if folder and (thorough or any(word in folder.lower() for word in _WORDS)):
            yield Place(folder.rstrip("\\/"), WINDOWS_PATH)
    if thorough:
        yield Place(machine.environ.get("SYSTEMROOT", r"C:\Windows") + r"\System32", SYSTEM32)


def _of_packages(machine: Machine, installed: tuple[Distribution, ...]) -> Iterator[Place]:
    """The wheels' folders, then what packages bring within themselves."""
    between = separator(machine)
    sites = dict.fromkeys(each.folder for each in installed if each.name.startswith("nvidia-"))
    for site in sites:
        yield from wheel_folders(machine, site)
    for package in installed:
        inner = _BUNDLED.get(package.name)
        if inner is not None:
            folder = f"{package.folder}/{inner}".replace("/", between)
            yield Place(folder, f"bundled with {package.name}", package.folder)
        elif package.name.startswith("tensorrt"):
            yield Place(f"{package.folder}{between}{_TENSORRT}", PIP, package.folder)


def wheel_folders(machine: Machine, site: str) -> Iterator[Place]:
    """The folders of NVIDIA's wheels of CUDA 11, 12 and 13 in one folder of packages."""
    between = separator(machine)
    names = machine.list_dir(f"{site}{between}nvidia")
    for name in names.value if isinstance(names, Known) else ():
        base = f"{site}{between}nvidia{between}{name}{between}"
        if machine.system != "Windows":
            yield Place(f"{base}lib", PIP, site)
            continue
        yield Place(f"{base}bin", PIP, site)
        if name.startswith("cu") and name[2:].isdigit():  # cu13\bin\x86_64
            yield Place(rf"{base}bin\x86_64", PIP, site)


def conda_folders(machine: Machine) -> tuple[str, ...]:
    """The library folders of the active environment, and of the one that this Python belongs to."""
    prefixes = dict.fromkeys(
        prefix for prefix in (machine.environ.get("CONDA_PREFIX"), own_prefix(machine)) if prefix
    )
    if machine.system == "Windows":
        return tuple(rf"{prefix}\Library\bin" for prefix in prefixes)
    inner = ("lib", f"targets/{machine_name(machine)}-linux/lib")
    return tuple(f"{prefix}/{each}" for prefix in prefixes for each in inner)


def own_prefix(machine: Machine) -> str | None:
    """The conda environment that this Python belongs to, whose lib its interpreter searches."""
    for path in machine.search_path:
        prefix = path.replace("\\", "/").rpartition("/lib/")[0]
        if path.endswith("site-packages") and prefix:
            return prefix if machine.is_there(f"{prefix}/conda-meta") else None
    return None


def _of_toolkits(machine: Machine) -> Iterator[Place]:
    roots = [(machine.environ.get(name), name) for name in ("CUDA_HOME", "CUDA_PATH")]
    if machine.system == "Windows":
        for root, name in roots:
            if root:
                yield from (Place(rf"{root}\{inner}", name) for inner in (r"bin", r"bin\x64"))
        return
    found = [(root, name) for root, name in roots if root]
    names = machine.list_dir(LOCAL)
    if isinstance(names, Known):
        found += [(f"{LOCAL}/{name}", LOCAL) for name in names.value if name.startswith("cuda")]
    inner = ("lib64", "lib", f"targets/{machine_name(machine)}-linux/lib", "extras/CUPTI/lib64")
    for root, name in found:
        yield from (Place(f"{root}/{each}", name) for each in inner)
