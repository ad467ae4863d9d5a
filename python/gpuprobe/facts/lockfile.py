"""The lock of a GPU stack: a file that a team keeps beside its code and checks on each machine.

It is JSON, because Python 3.10 reads no TOML and gpuprobe brings no reader along; one thing a
line, in a fixed order, so that a change is one line of a diff.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from . import locked, names
from .model import Entry, Facts, Family, Known, Unknown, Value, entry
from .strict import GarbageError, Json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import Fact, Key

SCHEMA = 1
#: A lock is some thousand characters long; what is much larger is another file.
MAX_BYTES = 1 << 20
_OPERATORS = "<>=!~"
#: What is no version to pip: r23-custom; nor is it a range of other tools' (^2.3, 2.x, *), or a
#: word (two, latest).
_ODD = re.compile(r"(?!.*\.x\b)(?=\D*\d)[\w.+-]+\Z", re.IGNORECASE)
_FIELDS = ("gpuprobe_lock", "system", "python", "driver", "cuda", "gpus", "packages", "libraries")
#: Libraries that a system may bring without a package of pip's.
_LIBRARIES = ("cudnn", "nccl")


class LockError(ValueError):
    """A lock that cannot be read; the text names the place and what is wrong there."""


# -- writing -----------------------------------------------------------------------------------


def write_lock(facts: Facts, *, exact: bool = False) -> tuple[str, tuple[str, ...]]:
    """The lock of a machine, and why some of it could not be locked.

    The driver and its CUDA are locked as the least that will do, for a newer driver serves what an
    older one did; with `exact` they are locked as they are.
    """
    left_out = tuple(_left_out(facts))
    lines = [f'  "gpuprobe_lock": {SCHEMA}', *_singles(facts, exact=exact)]
    lines += _block("gpus", "[]", [json.dumps(gpu) for gpu in _gpus(facts)])
    packages = ((name, json.dumps(dict(_package(facts, name)))) for name in _packages(facts))
    lines += _block("packages", "{}", [f"{json.dumps(name)}: {text}" for name, text in packages])
    libraries = (f"{json.dumps(name)}: {json.dumps(text)}" for name, text in _libraries(facts))
    lines += _block("libraries", "{}", list(libraries))
    return "{\n" + ",\n".join(lines) + "\n}", left_out


def _block(name: str, marks: str, rows: list[str]) -> list[str]:
    if not rows:
        return []
    inner = ",\n".join(f"    {row}" for row in rows)
    return [f'  "{name}": {marks[0]}\n{inner}\n  {marks[1]}']


def _singles(facts: Facts, *, exact: bool) -> Iterator[str]:
    system, machine = facts.known(names.OS_SYSTEM), facts.known(names.OS_MACHINE)
    if system is not None and machine is not None:
        yield f'  "system": {json.dumps(f"{system} {machine}")}'
    python = facts.known(names.PYTHON_VERSION)
    if python is not None:
        yield f'  "python": "{python.major}.{python.minor}.*"'
    for name, key in (("driver", names.DRIVER_VERSION), ("cuda", names.DRIVER_CUDA)):
        version = facts.known(key)
        if version is not None:
            yield f'  "{name}": "{"" if exact else ">="}{version}"'


def _gpus(facts: Facts) -> list[dict[str, str | int]]:
    """Cards of one kind counted together; by name alone where a capability is unknown."""
    kinds: dict[str, list[str | None]] = {}
    for gpu in facts.subjects(names.GPU_NAME):
        name = facts.known(names.GPU_NAME(gpu))
        capability = facts.known(names.GPU_CAPABILITY(gpu))
        if name is not None:
            kinds.setdefault(name, []).append(None if capability is None else str(capability))
    return [row for name in sorted(kinds) for row in _counted(name, kinds[name])]


def _counted(name: str, capabilities: list[str | None]) -> Iterator[dict[str, str | int]]:
    if None in capabilities:
        yield {"name": name, "count": len(capabilities)}
        return
    for capability in sorted({each for each in capabilities if each is not None}):
        count = capabilities.count(capability)
        yield {"name": name, "capability": capability, "count": count}


def _packages(facts: Facts) -> list[str]:
    subjects = facts.subjects(names.PACKAGE_VERSION)
    return sorted(each for each in subjects if _is_demand(_version(facts, each)))


def _version(facts: Facts, package: str) -> str:
    return (facts.known(names.PACKAGE_VERSION(package)) or "").strip()


def _package(facts: Facts, name: str) -> Iterator[tuple[str, str]]:
    families: tuple[tuple[str, Family[object]], ...] = (
        *(("version", names.PACKAGE_VERSION), ("build", names.PACKAGE_BUILD)),
        ("cuda", names.PACKAGE_CUDA),
    )
    for field, family in families:
        value = facts.known(family(name))
        if value is not None:
            yield field, str(value)


def _libraries(facts: Facts) -> Iterator[tuple[str, str]]:
    installed = facts.subjects(names.PACKAGE_VERSION)
    for stem in _LIBRARIES:
        version = facts.known(names.LIBRARY_VERSION(stem))
        by_pip = any(package.startswith(f"nvidia-{stem}") for package in installed)
        if version is not None and not by_pip:
            yield stem, str(version)


def _left_out(facts: Facts) -> Iterator[str]:
    for key in (names.DRIVER_VERSION, names.DRIVER_CUDA, names.PACKAGE_FOLDERS):
        fact = facts.fact(key)
        if not isinstance(fact, Known):
            reason = fact.reason if isinstance(fact, Unknown) else "there is none"
            yield f"{key.name}: {reason}"
    for package in facts.subjects(names.PACKAGE_VERSION):
        version = _version(facts, package)
        if version and not _is_demand(version):  # a lock with it could not be read
            yield f"{names.PACKAGE_VERSION(package).name}: {version!r} is no version"
    if not facts.subjects(names.GPU_NAME):
        yield "gpu: none is known by name"


# -- reading -----------------------------------------------------------------------------------


def demands_of(text: str | bytes, source: str) -> dict[str, Fact[Value]]:
    """What a lock demands, as facts.

    Raises:
        LockError: It is no lock, or far longer than one, or one of a newer gpuprobe, or demands
            nothing, or one thing twice, or a demand cannot be understood.
    """
    if len(text) > MAX_BYTES:
        raise LockError(f"it has more than {MAX_BYTES >> 20} MiB")
    try:
        document = Json.parse(text, once=True)  # a merge may leave both lines
        if document.at("gpuprobe_lock").a(int) != SCHEMA:
            raise LockError(f"gpuprobe_lock: this gpuprobe reads locks of schema {SCHEMA} only")
        for name, _ in document.fields():
            if name not in _FIELDS:
                raise LockError(f"{name}: a lock has no such field; it has {', '.join(_FIELDS)}")
        rows = [*_demands(document, source)]
    except GarbageError as error:
        raise LockError(str(error)) from None
    demands = dict(rows)
    if len(demands) < len(rows):
        twice, _ = Counter(name for name, _ in rows).most_common(1)[0]
        raise LockError(f"{twice.removeprefix('lock.')} is demanded twice")
    if not demands:
        raise LockError("it demands nothing")
    return demands


def _demands(document: Json, source: str) -> Iterator[Entry]:
    system = document.opt("system", str)
    if system is not None:
        yield entry(locked.SYSTEM, Known(system, source))
    for name, key in (("python", locked.PYTHON), ("driver", locked.DRIVER), ("cuda", locked.CUDA)):
        yield from _demand(document.find(name), key, source)
    gpus = document.find("gpus")
    for number, gpu in enumerate(gpus.items() if gpus is not None else ()):
        yield from _gpu(gpu, number, source)
    packages = document.find("packages")
    for name, package in packages.fields() if packages is not None else ():
        yield from _locked_package(_normalised(name), package, source)
    libraries = document.find("libraries")
    for name, version in libraries.fields() if libraries is not None else ():
        yield from _demand(version, locked.LIBRARY(_subject(name, version)), source)


def _gpu(gpu: Json, number: int, source: str) -> Iterator[Entry]:
    _only(gpu, ("name", "capability", "count"))
    name = gpu.opt("name", str)
    if name is not None:
        yield entry(locked.GPU_NAME(number), Known(name, source))
    yield from _demand(gpu.find("capability"), locked.GPU_CAPABILITY(number), source)
    count = gpu.find("count")
    if count is None:
        yield entry(locked.GPU_COUNT(number), Known(">=1", source))
    elif isinstance(count.value, str):
        yield from _demand(count, locked.GPU_COUNT(number), source)
    else:
        yield entry(locked.GPU_COUNT(number), Known(str(count.a(int)), source))


def _locked_package(name: str, package: Json, source: str) -> Iterator[Entry]:
    """An object of demands, or a version alone."""
    subject = _subject(name, package)
    if isinstance(package.value, str):
        yield from _demand(package, locked.PACKAGE_VERSION(subject), source)
        return
    _only(package, ("version", "build", "cuda"))
    yield from _demand(package.at("version"), locked.PACKAGE_VERSION(subject), source)
    build = package.opt("build", str)
    if build is not None:
        yield entry(locked.PACKAGE_BUILD(subject), Known(build, source))
    yield from _demand(package.find("cuda"), locked.PACKAGE_CUDA(subject), source)


def _only(data: Json, fields: tuple[str, ...]) -> None:
    """A misspelt field would demand nothing, in silence."""
    for name, value in data.fields():
        if name not in fields:
            raise LockError(f"{value.path}: no such field; there are {', '.join(fields)}")


def _normalised(name: str) -> str:
    """As pip reads a name: Flash_Attn is flash-attn."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _subject(name: str, value: Json) -> str:
    if not name or "." in name:
        raise LockError(f"{value.path}: {name!r} is no normalised name")
    return name


def _demand(value: Json | None, key: Key[str], source: str) -> Iterator[Entry]:
    if value is None:
        return
    text = value.a(str).strip()
    if not _is_demand(text):
        raise LockError(
            f'{value.path}: {text!r} is no version and no range such as ">=12.4" or ">=2.4,<2.6"'
        )
    yield entry(key, Known(text, source))


def _is_demand(text: str) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    if not text:
        return False
    is_alone = text[0] not in _OPERATORS
    try:
        SpecifierSet(f"=={text}" if is_alone else text)
    except InvalidSpecifier:
        return is_alone and _ODD.match(text) is not None
    return True
