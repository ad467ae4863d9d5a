"""Every copy of a CUDA library on this machine: which file, which version, found by which way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..host import machine_name
from ..installed.distributions import installed_in
from ..model import Known, Unknown
from ..version import Version
from . import file_names as library_names
from . import ldcache
from . import places as library_places
from .file_names import PART, LibraryName
from .places import Place, separator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..installed.distributions import Distribution
    from ..machine import Machine

#: What a library is called in the names of NVIDIA's packages, where that is not its stem.
_COMPONENTS = {
    "cudart": "cuda-runtime",
    "cublaslt": "cublas",
    "cufftw": "cufft",
    "cusolvermg": "cusolver",
    "nvrtc": "cuda-nvrtc",
    "nvrtc-builtins": "cuda-nvrtc",
    "cupti": "cuda-cupti",
    "nvshmem_host": "nvshmem",
}
#: A file's name with so many numbers in its version states the release: 9.1.0, 12.4.5.8.
_PRECISE = 3


class Copy(NamedTuple):
    """One file, under the name by which programs ask for it.

    `file` is that name, `path` where it lies under it, `real` the file behind its links.
    `version` None: neither the name of the file nor a package tells. `package` is the pip package
    that brought it, with its version.
    """

    stem: str
    file: str
    path: str
    real: str
    version: Version | None
    way: str
    site: str = ""
    package: str = ""

    @property
    def folder(self) -> str:
        """The folder in which it was found."""
        return library_names.folder_of(self.path, self.file)

    def in_words(self) -> str:
        """As a fact tells it: ``12.4.5.8 in FOLDER (pip nvidia-cublas-cu12 12.4.5.8)``."""
        how = f"{self.way} {self.package}".rstrip()
        return f"{self.version or self.file} in {self.folder} ({how})"


class Inventory(NamedTuple):
    """All copies in the order of the search, and the ways that were gone.

    `unread`: why one of them could not be.
    """

    copies: tuple[Copy, ...]
    ways: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    def of(self, stem: str) -> tuple[Copy, ...]:
        """The copies of one library."""
        return tuple(copy for copy in self.copies if copy.stem == stem)


def take_stock(
    machine: Machine, installed: tuple[Distribution, ...], *, thorough: bool = False
) -> Inventory:
    """Every copy that there is a reason to look for; each file once, by the first way to it."""
    found: dict[str, Copy] = {}
    ways: dict[str, None] = {}
    unread: list[str] = []
    for copies, way in _looks(machine, installed, unread, thorough=thorough):
        ways[way] = None
        for copy in copies:
            found.setdefault(copy.real, copy)
    return Inventory(tuple(found.values()), tuple(ways), tuple(unread))


def _looks(
    machine: Machine, installed: tuple[Distribution, ...], unread: list[str], *, thorough: bool
) -> Iterator[tuple[Iterator[Copy], str]]:
    """The copies of each place in turn, and its way. The cache comes after LD_LIBRARY_PATH."""
    seen: set[str] = set()
    cache_is_due = machine.system == "Linux"
    for place in library_places.places(machine, installed, thorough=thorough):
        if cache_is_due and place.way != library_places.LD_PATH:
            cache_is_due = False
            yield _cached(machine, unread), library_places.CACHE
        if place.folder not in seen:
            seen.add(place.folder)
            yield _in_folder(machine, place, installed), place.way
    if cache_is_due:
        yield _cached(machine, unread), library_places.CACHE


def _cached(machine: Machine, unread: list[str]) -> Iterator[Copy]:
    """The copies that the loader's cache names; where there is none, the folders are listed."""
    cache = machine.read_bytes(ldcache.PATH, limit=ldcache.LIMIT)
    if isinstance(cache, Unknown):
        unread.append(cache.reason)
    if not isinstance(cache, Known):
        return
    try:
        entries = tuple(
            ldcache.matching(cache.value, library_names.BEGINNINGS, machine_name(machine))
        )
    except ldcache.CacheError as error:
        unread.append(f"{cache.source}: {error}")
        return
    for _, path in entries:
        copy = copy_at(machine, path, library_places.CACHE)
        if copy is not None:
            yield copy


def copy_at(machine: Machine, path: str, way: str) -> Copy | None:
    """The copy at a path to which no package leads; None: it is none, or is not there."""
    folder, _, file = path.rpartition(separator(machine))
    name = library_names.parse(file)
    return None if name is None else _copy(machine, name, file, Place(folder, way), ())


def _in_folder(
    machine: Machine, place: Place, installed: tuple[Distribution, ...]
) -> Iterator[Copy]:
    listed = machine.list_dir(place.folder)
    if not isinstance(listed, Known):
        return
    if place.site and all(each.folder != place.site for each in installed):
        installed = installed_in(machine, place.site)  # LD_LIBRARY_PATH names another Python's
    for file, name in asked_for(listed.value).items():
        copy = _copy(machine, name, file, place, installed)
        if copy is not None:
            yield copy


def asked_for(files: Iterable[str]) -> dict[str, LibraryName]:
    """The names by which programs ask: of libcublas.so.12 and .so.12.4.5.8 the shorter one."""
    shortest: dict[tuple[str, str], str] = {}
    names: dict[str, LibraryName] = {}
    for file in files:
        name = library_names.parse(file)
        if name is not None:
            names[file] = name
            known = shortest.setdefault((name.stem, name.number), file)
            if len(file) < len(known):
                shortest[name.stem, name.number] = file
    return {file: names[file] for file in shortest.values()}


def _copy(
    machine: Machine,
    name: LibraryName,
    file: str,
    place: Place,
    installed: tuple[Distribution, ...],
) -> Copy | None:
    """The copy, unless its link leads nowhere, or a folder or a pipe is called like it."""
    path = f"{place.folder}{separator(machine)}{file}"
    real = machine.real_path(path)
    if not isinstance(real, Known) or not machine.is_file(path):
        return None
    packages = _packages_of(name, place, installed) if place.site else ()
    version = _stated(real.value) or (_of_package(packages[0]) if len(packages) == 1 else None)
    told = " or ".join(f"{each.name} {each.version}" for each in packages)
    return Copy(name.stem, file, path, real.value, version, place.way, place.site, told)


def _stated(real: str) -> Version | None:
    """The release in a file's name, where it holds more than the number that programs ask for."""
    name = library_names.parse(real.replace("\\", "/").rpartition("/")[2])
    if name is None or name.version.count(".") + 1 < _PRECISE:
        return None
    return Version.parse(name.version)


def _of_package(package: Distribution) -> Version | None:
    """``9.1.0.70`` also of ``9.1.0.70.post1``."""
    numbers = []
    for part in package.version.split("."):
        if not part.isdigit():
            break
        numbers.append(part)
    return Version.parse(".".join(numbers))


def _packages_of(
    name: LibraryName, place: Place, installed: tuple[Distribution, ...]
) -> tuple[Distribution, ...]:
    """The packages that can have brought a file: nvidia-cublas-cu12, since CUDA 13 nvidia-cublas.

    Those of several CUDA write into one folder; the number of the file decides between them,
    where it can.
    """
    component = "cudnn" if name.stem.startswith(PART) else _COMPONENTS.get(name.stem, name.stem)
    found = tuple(
        each
        for each in installed
        if each.folder == place.site and _is_component(each.name, component)
    )
    fitting = tuple(each for each in found if each.version.partition(".")[0] == name.number)
    return fitting or (found if len(found) == 1 else ())


def _is_component(package: str, component: str) -> bool:
    head = f"nvidia-{component}"
    return package == head or (
        package.startswith(f"{head}-cu") and package[len(head) + 3 :].isdigit()
    )
