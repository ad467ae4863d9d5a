"""The registry of Windows, as far as it tells of GPUs: keys of HKEY_LOCAL_MACHINE.

On Windows it is asked itself. Elsewhere a tree (GPUPROBE_ROOT) holds it as `registry.reg`, the
text that ``reg export`` and regedit write. Only texts, lists of texts and integers are read.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RegistryValue = str | int | tuple[str, ...]

#: Where a tree holds the export, and how large one of the two hives that we read can be.
EXPORT = "/registry.reg"
EXPORT_LIMIT = 256 << 20

_HEADERS = ("Windows Registry Editor", "REGEDIT4")
_ROOTS = ("HKEY_LOCAL_MACHINE\\", "HKLM\\")
#: The types that a value may be written with as bytes: 1 a text, 2 one with variables, 7 a list.
_TEXT_TYPES = ("hex(1):", "hex(2):", "hex(7):")


class RegistryKey(NamedTuple):
    """One key. The names of values are in lower case, because Windows does not tell them apart."""

    values: Mapping[str, RegistryValue]
    subkeys: tuple[str, ...]

    def text(self, name: str) -> str | None:
        """The text under `name`; None where there is none."""
        value = self.values.get(name.lower())
        return value if isinstance(value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """The list of texts under `name`; empty where there is none."""
        value = self.values.get(name.lower())
        return value if isinstance(value, tuple) else ()

    def number(self, name: str) -> int | None:
        """The integer under `name`; None where there is none."""
        value = self.values.get(name.lower())
        return value if isinstance(value, int) else None


class ExportError(ValueError):
    """A file that is no export of a registry."""


class _Winreg(Protocol):
    """The part of `winreg` that is used: a module that exists on Windows only."""

    HKEY_LOCAL_MACHINE: int

    def OpenKey(self, key: int, sub_key: str) -> object: ...  # noqa: N802
    def CloseKey(self, key: object) -> None: ...  # noqa: N802
    def QueryInfoKey(self, key: object) -> tuple[int, int, int]: ...  # noqa: N802
    def EnumKey(self, key: object, index: int) -> str: ...  # noqa: N802
    def EnumValue(self, key: object, index: int) -> tuple[str, object, int]: ...  # noqa: N802


def ask_windows(path: str) -> RegistryKey:
    """A key of the machine's own registry.

    Raises:
        FileNotFoundError: There is no such key.
        OSError: It cannot be read.
    """
    winreg = cast("_Winreg", import_module("winreg"))
    key = winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path)
    try:
        subkeys, values, _ = winreg.QueryInfoKey(key)
        found = (winreg.EnumValue(key, number) for number in range(values))
        read = {name.lower(): value for name, raw, _ in found for value in _usable(raw)}
        return RegistryKey(read, tuple(winreg.EnumKey(key, number) for number in range(subkeys)))
    finally:
        winreg.CloseKey(key)


def _usable(raw: object) -> Iterator[RegistryValue]:
    if isinstance(raw, str | int):
        yield raw
    elif isinstance(raw, list):
        yield tuple(str(item) for item in raw)


def read_export(content: bytes) -> Mapping[str, RegistryKey]:
    """All keys of an export by their path below HKEY_LOCAL_MACHINE, in lower case.

    Raises:
        ExportError: It is no export.
    """
    lines = _decoded(content).splitlines()
    if not lines or not lines[0].startswith(_HEADERS):
        raise ExportError(f"it does not begin with {_HEADERS[0]!r}")
    values: dict[str, dict[str, RegistryValue]] = {}
    subkeys: dict[str, dict[str, None]] = {}
    here: dict[str, RegistryValue] = {}
    for line in _whole_lines(lines[1:]):
        if line.startswith("["):
            path = _path(line)
            here = {} if path is None else values.setdefault(path.lower(), {})
            _note_parents(path or "", subkeys)
        elif line.startswith('"'):
            with suppress(ValueError):  # one damaged line is no reason to lose the others
                here.update(_value(line))
    paths = dict.fromkeys((*values, *subkeys))
    return {path: RegistryKey(values.get(path, {}), tuple(subkeys.get(path, ()))) for path in paths}


def _decoded(content: bytes) -> str:
    """Regedit writes UTF-16 with a mark; texts written by hand are UTF-8."""
    try:
        return content.decode(
            "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        )
    except UnicodeDecodeError as error:
        raise ExportError(f"byte {error.start} is no {error.encoding}") from None


def _whole_lines(lines: list[str]) -> Iterator[str]:
    """Lines joined where a backslash says that bytes go on."""
    begun = ""
    for line in lines:
        begun += line.strip()
        if begun.endswith(",\\"):
            begun = begun[:-1]
            continue
        yield begun
        begun = ""


def _path(line: str) -> str | None:
    r"""``[HKEY_LOCAL_MACHINE\SYSTEM]``; None for other roots, and for keys to be deleted."""
    inner = line.strip("[]")
    root = next((root for root in _ROOTS if inner.upper().startswith(root)), None)
    return None if root is None else inner[len(root) :]


def _note_parents(path: str, subkeys: dict[str, dict[str, None]]) -> None:
    parent, _, child = path.rpartition("\\")
    while child:
        subkeys.setdefault(parent.lower(), {}).setdefault(child)
        parent, _, child = parent.rpartition("\\")


def _value(line: str) -> Iterator[tuple[str, RegistryValue]]:
    """``"Name"="text"``, ``"Name"=dword:0000000a``, ``"Name"=hex(7):50,00,…``."""
    name, _, raw = line[1:].partition('"=')
    if raw.startswith('"'):
        yield _unescaped(name).lower(), _unescaped(raw[1:].removesuffix('"'))
    elif raw.startswith("dword:"):
        yield _unescaped(name).lower(), int(raw[6:], 16)
    elif raw.startswith(_TEXT_TYPES):
        packed = bytes(int(each, 16) for each in raw[7:].split(",") if each)
        texts = packed.decode("utf-16-le", "replace").split("\0")
        found = tuple(text for text in texts if text)
        yield _unescaped(name).lower(), found if raw.startswith("hex(7)") else "".join(found)


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")
