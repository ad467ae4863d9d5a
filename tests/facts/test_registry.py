"""The registry: exports as regedit writes them, and the module of Windows."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.machine import Machine
from gpuprobe.facts.model import Absent, Known, Unknown
from gpuprobe.facts.registry import ExportError, RegistryKey, read_export
from support.windows import export

if TYPE_CHECKING:
    from .conftest import Make

KEYS = {"SOFTWARE\\A": {"Text": 'C:\\x "y"', "Number": 10, "List": ("one", "two")}}
TEXT = export(KEYS)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", "utf-8-sig"])
def test_texts_integers_and_lists_are_read(encoding: str):
    found = read_export(TEXT.encode(encoding))["software\\a"]
    assert found.text("text") == 'C:\\x "y"'
    assert found.number("NUMBER") == 10
    assert found.texts("List") == ("one", "two")


def test_values_of_other_types_and_names_are_none():
    found = read_export(TEXT.encode())["software\\a"]
    assert (found.text("Number"), found.number("Text"), found.texts("Gone")) == (None, None, ())


def test_parents_know_their_children_once_and_as_they_are_written():
    keys = {
        "SYSTEM\\Enum\\PCI\\VEN_10DE&DEV_1\\4&1": {},
        "SYSTEM\\Enum\\PCI\\VEN_10DE&DEV_1\\4&2": {},
    }
    found = read_export(export(keys).encode())
    assert found["system\\enum\\pci"].subkeys == ("VEN_10DE&DEV_1",)
    assert found["system\\enum\\pci\\ven_10de&dev_1"].subkeys == ("4&1", "4&2")


def test_keys_of_other_roots_and_deleted_ones_are_passed_over():
    text = 'REGEDIT4\n[HKEY_CURRENT_USER\\X]\n"A"="1"\n[-HKEY_LOCAL_MACHINE\\Y]\n"B"="2"\n'
    assert dict(read_export(text.encode())) == {}


def test_types_that_we_do_not_read_are_passed_over():
    text = 'REGEDIT4\n[HKLM\\X]\n@="default"\n"A"=hex:01,02\n"B"=hex(b):01,00\n"C"=dword:00000001\n'
    assert read_export(text.encode())["x"].values == {"c": 1}


@pytest.mark.parametrize("content", [b"", b"something", b"\xff\xfe\x00", b"\x80\x81"])
def test_what_is_no_export_is_said(make: Make, content: bytes):
    with pytest.raises(ExportError):
        read_export(content)
    looked_at = make({"/x": ""}, {}, "Windows")
    with open(f"{looked_at.root}/registry.reg", "wb") as file:  # noqa: PTH123
        file.write(content)
    found = looked_at.registry("SOFTWARE")
    assert isinstance(found, Unknown)
    assert found.reason.startswith("/registry.reg is no export of a registry")


def test_a_damaged_line_is_passed_over():
    text = 'REGEDIT4\n[HKLM\\X]\n"A"=dword:xyz\n"B"=hex(7):1ff\n"C"=hex(7):zz\n"D"="x"\n'
    assert read_export(text.encode())["x"].values == {"d": "x"}


@given(
    st.binary(max_size=400) | st.text(max_size=400).map(lambda text: f"REGEDIT4\n{text}".encode())
)
def test_garbage_is_an_export_or_is_refused(content: bytes):
    try:
        read_export(content)
    except ExportError:
        return


def test_a_tree_tells_absent_from_unknown(make: Make):
    looked_at = make({"/registry.reg": TEXT}, {}, "Windows")
    assert isinstance(looked_at.registry("software\\a"), Known)
    assert looked_at.registry("SOFTWARE\\B") == Absent("HKLM\\SOFTWARE\\B")


class Winreg(ModuleType):
    """The module of Windows, with one key."""

    HKEY_LOCAL_MACHINE = 1

    def __init__(self) -> None:
        super().__init__("winreg")
        self.open = 0

    def OpenKey(self, root: int, path: str) -> str:  # noqa: N802
        assert root == self.HKEY_LOCAL_MACHINE
        if path == "SECRET":
            raise PermissionError(13, "Access is denied")
        if path != "SOFTWARE\\A":
            raise FileNotFoundError(2, "The system cannot find the file specified")
        self.open += 1
        return path

    def CloseKey(self, _key: str) -> None:  # noqa: N802
        self.open -= 1

    def QueryInfoKey(self, _key: str) -> tuple[int, int, int]:  # noqa: N802
        return (1, 4, 0)

    def EnumKey(self, _key: str, _index: int) -> str:  # noqa: N802
        return "Child"

    def EnumValue(self, _key: str, index: int) -> tuple[str, object, int]:  # noqa: N802
        values = (("Text", "x", 1), ("Number", 3, 4), ("List", ["a", "b"], 7), ("Raw", b"\0", 3))
        return values[index]


def test_windows_itself_is_asked_and_its_key_closed(monkeypatch: pytest.MonkeyPatch):
    winreg = Winreg()
    monkeypatch.setitem(sys.modules, "winreg", winreg)
    looked_at = Machine(system="Windows")
    wanted = RegistryKey({"text": "x", "number": 3, "list": ("a", "b")}, ("Child",))
    assert looked_at.registry("SOFTWARE\\A") == Known(wanted, "HKLM\\SOFTWARE\\A")
    assert winreg.open == 0
    assert looked_at.registry("SOFTWARE\\B") == Absent("HKLM\\SOFTWARE\\B")
    assert "Access is denied" in looked_at.registry("SECRET").reason  # type: ignore[union-attr]


def test_a_python_without_a_registry_is_a_reason(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "winreg", None)
    assert isinstance(Machine(system="Windows").registry("SOFTWARE"), Unknown)
