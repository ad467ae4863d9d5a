"""Packages that were compiled for another NumPy than is installed.

By their versions alone on machines only: in a pasted list of packages the one that matters is told
by what failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ....facts.regex import regex
from ....facts.version import Version
from ..source import looked_at
from ..statements import statements, value, where_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys


class CompiledForOne(NamedTuple):
    """A package, and whether its import fails or only the exchange of arrays."""

    package: str
    title: str
    keys: Keys
    fails: bool


def compiled_for_numpy_1(facts: Facts) -> Iterator[CompiledForOne]:
    """Those that do not load with the NumPy 2 beside them, or cannot exchange arrays with it.

    Raises:
        Missing: Nobody could tell the version of NumPy or of one of them.
    """
    numpy = where_known(facts, names.PACKAGE_VERSION("numpy")) if looked_at(facts) else None
    if numpy is None or numpy.startswith(("0.", "1.")):
        return
    from ....knowledge.companions import numpy_2_since
    from ....knowledge.tables import Unstated, release_number

    for package in facts.subjects(names.PACKAGE_VERSION):
        first = numpy_2_since(package, facts.known(names.OS_SYSTEM) or "Linux")
        if isinstance(first, Unstated):
            continue
        key = names.PACKAGE_VERSION(package)
        have = facts.need(key)
        release = release_number(have)
        if release is not None and release < first.since:
            effect = "they cannot exchange arrays" if first.works_without else "its import fails"
            title = f"{package} {have} was compiled for NumPy 1, and NumPy is {numpy}: {effect}"
            keys = (key, names.PACKAGE_VERSION("numpy"))
            yield CompiledForOne(package, title, keys, not first.works_without)


class OtherNumpy(NamedTuple):
    """What a module was compiled for: `older` tells whether NumPy is too old for it, None: unknown.

    `wanted` is the first release that it takes, `version` that of the installed NumPy.
    """

    title: str
    keys: Keys
    older: bool | None
    wanted: str | None
    version: str | None
    copied: bool = False  # an older copy is imported in its place
    warned_of: str | None = None  # Python only warns of this type's size, and loads the module


#: The releases of NumPy with each number of its interface, from its sources.
_RELEASES = {9: "1.8 to 1.9", 10: "1.10 to 1.12", 11: "1.13", 12: "1.14 to 1.15",
             13: "1.16 to 1.19", 14: "1.20 to 1.21", 15: "1.22", 16: "1.23 to 1.24",
             17: "1.25 to 1.26", 18: "2.0"}  # fmt: skip
#: That with which arrays grew to this size.
_GROWN = {88: "1.20"}
_HEX = regex(r"(API|ABI) ([\da-f]+) ([\da-f]+)")
_SIZES = regex(r"(ndarray|ufunc) (\d+) (\d+)")
#: Of a type that has grown Python only warns; as an exception the same words end the import.
_WARNED = regex(r"RuntimeWarning: (numpy\.\w{1,12})")
_RUNNING = regex(r"NumPy (2[\d.]+\d)")


def told_numpy(facts: Facts) -> OtherNumpy | None:
    """What an import that failed says of the two."""
    made = statements(facts, "numpy-abi-2", "numpy-abi")
    if not made:
        return None
    told = value(facts, "numpy-compiled-and-found")
    version = facts.known(names.PACKAGE_VERSION("numpy"))
    if running := _RUNNING.fullmatch(told):
        version = version or running[1]
    keys = (*statements(facts, "numpy-compiled-and-found"), *made, names.PACKAGE_VERSION("numpy"))
    who = _compiled_module(facts, told)
    have = "the installed NumPy" if version is None else f"NumPy {version}"
    numbers = _HEX.search(told)
    sizes = _SIZES.fullmatch(told)
    if numbers is not None and numbers[1] == "API":
        return _by_interface(who, int(numbers[2], 16), int(numbers[3], 16), keys, version)
    if sizes is not None and int(sizes[2]) > int(sizes[3]):
        wanted = _GROWN.get(int(sizes[2])) if sizes[1] == "ndarray" else None
        title = f"{who} was compiled for a newer NumPy than {version or 'is installed'}"
        return OtherNumpy(title, keys, True, wanted, version)
    if numbers is None and not statements(facts, "numpy-abi-2"):
        warned = _WARNED.search(value(facts, "numpy-abi"))
        if warned is not None:
            title = "A compiled module was built with another NumPy: Python warns, and loads it"
            return OtherNumpy(title, keys, None, None, version, warned_of=warned[1])
    if numbers is not None or statements(facts, "numpy-abi-2"):
        newer = version if version and not version.startswith("1.") else None
        at = f"NumPy {newer}" if newer else "NumPy 2"
        title = f"{who} was compiled for NumPy 1: it does not load with {at}"
        return OtherNumpy(title, keys, False, None, newer)
    title = f"{who} was made for another NumPy: it does not load with {have}"
    older = None if version is None else version.startswith("1.")
    return OtherNumpy(title, keys, older, None, version)


def _by_interface(who: str, made: int, found: int, keys: Keys, version: str | None) -> OtherNumpy:
    wanted = _RELEASES.get(made, "").partition(" ")[0] or None
    have = Version.parse(version or "")
    copied = have is not None and wanted is not None and have >= Version(wanted)
    there = f"NumPy {_RELEASES[found]}" if found in _RELEASES else "an older one"
    title = f"{who} wants NumPy {wanted} or later; "
    if wanted is None:
        title = f"{who} wants a newer NumPy; "
    if copied:
        title += f"beside {version} an older copy is there, which is imported"
    else:
        title += f"installed is {there if version is None else f'NumPy {version}'}"
    return OtherNumpy(title, keys, made > found, wanted, version, copied)


def _compiled_module(facts: Facts, told: str) -> str:
    """Who does not load: PyTorch says so of itself, of others the table knows it."""
    if told.startswith("Failed to initialize NumPy"):
        torch = facts.known(names.PACKAGE_VERSION("torch"))
        return f"torch {torch}" if torch else "PyTorch"
    if not statements(facts, "numpy-abi-2"):
        return "A compiled module"
    from ....knowledge.companions import numpy_2_since
    from ....knowledge.tables import Unstated, release_number

    for package in facts.subjects(names.PACKAGE_VERSION):
        have = facts.known(names.PACKAGE_VERSION(package)) or ""
        first = numpy_2_since(package, facts.known(names.OS_SYSTEM) or "Linux")
        release = release_number(have)
        if not isinstance(first, Unstated) and release is not None and release < first.since:
            return f"{package} {have}"
    return "A compiled module"


def last_of_one(version: str) -> bool:
    """Whether no later NumPy 1 could be had than this."""
    release = Version.parse(version)
    return release is not None and release >= Version("1.26")
