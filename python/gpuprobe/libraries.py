"""The CUDA libraries of this machine: every copy, who gets which, and what a process has mapped."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from .facts.installed.distributions import search
from .facts.libraries import file_names as library_names
from .facts.libraries import loader_config
from .facts.libraries import maps as library_maps
from .facts.libraries.conflicts import suspects
from .facts.libraries.copies import copy_at, take_stock
from .facts.libraries.users import users
from .facts.machine import Machine
from .facts.model import Absent, Known, Unknown
from .report.notebook import Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from typing_extensions import Self

    from .facts.libraries.copies import Copy, Inventory
    from .facts.libraries.users import User
    from .report.identity import Identity

_PRELOADS = "unless the program calls onnxruntime.preload_dlls() or imports torch before"
#: What a process has mapped is asked of the process by this name: the one that asks.
SELF = "self"


@dataclass(frozen=True, slots=True)
class Library:
    """One copy of a library.

    `file` is the name by which programs ask for it, `path` where it lies under that name, `real`
    the file behind the links. `version` is None where neither that file's name nor a package
    states a release. `used_by` names the frameworks that get this copy, with the way that leads
    them to it; `mapped` tells whether the process that was asked about has it in its memory.
    """

    name: str
    file: str
    version: str | None
    path: str
    real: str
    found_by: str
    package: str | None
    used_by: tuple[str, ...]
    mapped: bool

    @property
    def folder(self) -> str:
        """The folder in which it was found."""
        return library_names.folder_of(self.path, self.file)


@dataclass(frozen=True, slots=True)
class Survey(Shown):
    """All copies in the order of the search; prints as `gpuprobe libraries` does.

    `remarks` are what stands out: copies that come before a framework's own, names that a
    framework does not find, parts of several releases. `unknown` is what nobody could look at.
    `searched` are the ways that were gone, and `name` the library if it is the part about one.
    """

    libraries: tuple[Library, ...]
    remarks: tuple[str, ...]
    unknown: tuple[str, ...]
    searched: tuple[str, ...] = ()
    name: str = ""

    def of(self, name: str) -> Survey:
        """The part about one library: ``cublas``, ``libcublas.so.12``, ``cudnn`` with its parts.

        Raises:
            ValueError: No CUDA library is called so. The text names those that there are.
        """
        wanted = known_stem(name)
        part = tuple(each for each in self.libraries if _belongs(each.name, wanted))
        files = {each.file for each in part}
        about = (wanted, *files)
        remarks = tuple(r for r in self.remarks if any(word.lower() in r.lower() for word in about))
        return replace(self, libraries=part, remarks=remarks, name=wanted)

    def to_dict(self) -> dict[str, object]:
        """Plain lists and dicts under the names of the fields, as JSON has them."""
        return {
            "libraries": [asdict(each) for each in self.libraries],
            "remarks": list(self.remarks),
            "unknown": list(self.unknown),
            "searched": list(self.searched),
        }

    def __str__(self) -> str:
        from .report.libraries import details, text
        from .report.terminal import Style

        return (details if self.name else text)(self, Style())

    def for_other_eyes(self, identity: Identity) -> Self:
        """The same without what tells of people and places; versions may look like addresses."""
        from .report.redact import Redactor, texts_of_plain

        versions = [each.version for each in self.libraries if each.version]
        return self.redacted(Redactor(identity, texts_of_plain(self.to_dict()), versions).text)

    def _for_other_eyes(self, identity: Identity) -> tuple[str, str]:
        from .report.libraries import fragment

        found = self.for_other_eyes(identity)
        return str(found), fragment(found)

    def redacted(self, hide: Callable[[str], str]) -> Self:
        """The same with `hide` applied to every text that may name people or places."""
        return replace(
            self,
            libraries=tuple(
                replace(each, path=hide(each.path), real=hide(each.real)) for each in self.libraries
            ),
            remarks=tuple(map(hide, self.remarks)),
            unknown=tuple(map(hide, self.unknown)),
        )


def stem_of(name: str) -> str:
    """The stem that a person means: of ``cuBLASLt``, ``libcublas.so.12``, ``cudnn64_9.dll``."""
    parsed = library_names.parse(name)
    if parsed is not None:
        return parsed.stem
    return name.lower().removeprefix("lib").partition(".")[0]


def known_stem(name: str) -> str:
    """The same; a name that stands for no library would find nothing and say nothing of why."""
    stem, stems = stem_of(name), library_names.STEMS
    if stem in stems or stem.startswith(library_names.PART):
        return stem
    from difflib import get_close_matches

    close = get_close_matches(stem, stems, n=1)
    meant = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(sorted(stems))}"
    raise ValueError(f"no CUDA library is called {name!r}; {meant}")


def _belongs(stem: str, wanted: str) -> bool:
    return stem == wanted or (wanted == "cudnn" and stem.startswith(library_names.PART))


def survey(machine: Machine | None = None, process: str = SELF) -> Survey:
    """Look for every copy, and work out which framework gets which.

    Args:
        machine: The machine to look at; by default this one.
        process: The id of the process whose mapped libraries are told; by default this one.
    """
    place = Machine.here() if machine is None else machine
    _, installed = search(place)
    inventory = take_stock(place, installed, thorough=True)
    found = tuple(users(place, installed)) if place.system == "Linux" else ()
    mapped = library_maps.mapped(place, process)
    files = mapped.value if isinstance(mapped, Known) else {}
    in_memory = frozenset(file for each in files.values() for file in each)
    copies = _with_what_was_met(place, inventory, found, in_memory)
    unknown = [*inventory.unread, *(f"{u.package}: {reason}" for u in found for reason in u.unread)]
    if isinstance(mapped, Unknown):
        unknown.append(mapped.reason)
    elif isinstance(mapped, Absent) and process != SELF:
        unknown.append(f"there is no {mapped.source}: no such process, or not on Linux")
    remarks = (
        *_before_the_own(inventory, found),
        *_not_found(copies, found),
        *_mixed_parts(copies),
        *_mapped_twice(files),
        *loader_config.left_out(place, inventory),
    )
    return Survey(
        tuple(_library(place, copy, found, in_memory) for copy in copies),
        remarks,
        tuple(dict.fromkeys(unknown)),
        inventory.ways,
    )


def _with_what_was_met(
    machine: Machine, inventory: Inventory, found: tuple[User, ...], mapped: Iterable[str]
) -> tuple[Copy, ...]:
    """The copies, and those to which only a framework's own path or a process leads."""
    copies = {copy.real: copy for copy in inventory.copies}
    met = [(each.path, each.way) for user in found for each in user.opened if each.path]
    met += [(path, "a process") for path in sorted(mapped)]
    for path, way in met:
        copy = copy_at(machine, path, way)
        if copy is not None:
            copies.setdefault(copy.real, copy)
    return tuple(copies.values())


def _library(
    machine: Machine, copy: Copy, found: tuple[User, ...], mapped: frozenset[str]
) -> Library:
    return Library(
        copy.stem,
        copy.file,
        None if copy.version is None else str(copy.version),
        copy.path,
        copy.real,
        copy.way,
        copy.package or None,
        tuple(_takers(machine, copy, found)),
        copy.real in mapped or copy.path in mapped,
    )


def _takers(machine: Machine, copy: Copy, found: tuple[User, ...]) -> Iterator[str]:
    for user in found:
        for each in user.opened:
            if each.path is None or each.file != copy.file:
                continue
            real = machine.real_path(each.path)
            if isinstance(real, Known) and real.value == copy.real:
                yield f"{user.package} ({each.way})"
                break


def _before_the_own(inventory: Inventory, found: tuple[User, ...]) -> Iterator[str]:
    for own, first in suspects(inventory):
        for user in found:
            got = user.gets(first.file)
            if user.site == own.site and got is not None and got.path == first.path:
                yield (
                    f"{user.package} gets {first.file} {first.version or ''} in {first.folder} "
                    f"({got.way}), not its own {own.version or ''} in {own.folder}"
                )


def _not_found(copies: tuple[Copy, ...], found: tuple[User, ...]) -> Iterator[str]:
    """For each framework the first name that it does not find, and the others."""
    for user in found:
        missing = (each for each in user.opened if each.path is None)
        missed = {each.file: each for each in missing if library_names.parse(each.file) is not None}
        if missed:
            first, *others = missed.values()
            lies = next((copy for copy in copies if copy.file == first.file), None)
            yield (
                f"{user.package} does not find {first.file}, which "
                f"{first.asker.rpartition('/')[2]} asks for"
                + (f", though it lies in {lies.folder}" if lies else "")
                + (f"; nor {', '.join(each.file for each in others)}" if others else "")
                + (f" ({_PRELOADS})" if lies and user.package.startswith("onnxruntime") else "")
            )


def _mixed_parts(copies: tuple[Copy, ...]) -> Iterator[str]:
    for main in copies:
        for part in copies if main.stem == "cudnn" else ():
            if _is_part_of(part, main) and part.version != main.version:
                yield (
                    f"cuDNN in {main.folder} is mixed: {main.file} is of {main.version}, "
                    f"{part.file} of {part.version}"
                )


def _is_part_of(part: Copy, main: Copy) -> bool:
    """Whether both lie side by side, are of one major, and state their releases."""
    beside = part.stem.startswith(library_names.PART) and part.folder == main.folder
    if not beside or part.version is None or main.version is None:
        return False
    return part.version.major == main.version.major


def _mapped_twice(files: dict[str, tuple[str, ...]]) -> Iterator[str]:
    for stem, paths in files.items():
        if len(paths) > 1:
            yield f"the process has {len(paths)} copies of {stem} mapped: {', '.join(paths)}"
