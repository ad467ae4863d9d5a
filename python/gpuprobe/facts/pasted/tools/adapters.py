"""The display devices as inxi, lshw, hwinfo and Windows list them: maker, name, driver of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ... import names
from ...regex import regex
from ...version import Version
from ..statement import Statements, say
from .pci import maker

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from ..text import Line, Text

#: A device of inxi's part "Graphics:", which lists webcams as well; the next line may go on.
_INXI = regex(
    r"(?:\bGraphics:|\A)\s+(?:Device|Card)(?:-\d{1,2})?: (?P<device>\S.*?)"
    r"(?: driver: (?P<driver>N/A|[\w-]+)(?: v: (?P<version>\S+))?.*)?\Z"
)
_PART = regex(r"\A(?P<name>[A-Z]\w+):(?:\s|\Z)")
_ON_USB = regex(r"\btype: USB\b")
_ITS_DRIVER = regex(r"\A(?=\s).*\sdriver: (?P<driver>N/A|[\w-]+)(?: v: (?P<version>\S+))?")
_RELEASE = regex(r"\d{3}(?:\.\d{2,3}){1,2}")
#: lshw's fields of a device, below its heading, and the heading of the next one.
_FIELD = regex(r"\A\s*(product|vendor|configuration): (.+)")
_NEXT = regex(r"\*-")
#: A row of ``lshw -short``, which leaves out who made a device; virtual ones tell by their names.
_SHORT = regex(r"\A(?:.{0,40}\s)?(?:/[\w.]{1,16}){1,8}\s+(?:\S{1,16}\s+)?display\s+(\S.*)")
_VIRTUAL = regex(
    r"(?i)\b(?:Hyper-V virtual VGA|SVGA II|QXL|Virtio|GD 5446|VirtualBox|bochs|hyperv_drm\w{0,8})\b"
)
_HELD = regex(r"\bdriver=([\w-]+)")
_FIELDS_BELOW = 16
#: hwinfo's list by classes, where a device stands in the column behind that for its file.
_HWINFO_CLASS = regex(r"\A\s{0,4}graphics card:\s*\Z")
_HWINFO_DEVICE = regex(r"\A\s{12,40}(\w[^\n]{2,120}?)\s*\Z")
#: And its fields of a device, of which the class comes before the model.
_HWINFO_FIELD = regex(r"\A\s{2,8}(Model|Driver): \"([^\"\n]{1,120})\"")
_HWINFO_NEXT = regex(r"\A\S|Hardware Class: ")
#: Windows' own report: dxdiag, and what WMI answers, as a table or a list.
_DXDIAG = regex(r"\A\W*(?:dxdiag: \s*)?Card name: (?P<device>\S.*?)(?:\s\s.*|\s?\Z)")
_OF_WMI = regex(r"\A\s*(?:(?:Name|Caption|Description)\s*[:=]\s*)?(?P<device>\w[\w()\[\]. -]+)\Z")
_ASKS_WMI = regex(
    r"(?i)\b(?:wmic\b[^\n]{0,80}?|(?:Get-(?:CimInstance|WmiObject)|gcim|gwmi) [^\n]{0,80}?)"
    r"\bwin32_videocontroller"
)
_ROWS_OF_WMI = 12
#: What Windows calls a device for which it has no driver, whoever made it.
_WITHOUT_DRIVER = "Microsoft Basic"
#: "GP107M [GeForce GTX 1050 Mobile]"
_NAME = regex(r"\[((?:GeForce|Tesla|Quadro|RTX|GTX|TITAN|[A-Z]\d+)[^\]]{0,200})\]")


class _Device(NamedTuple):
    line: Line
    title: str
    driver: str | None
    version: str | None


def read(text: Text) -> Statements:
    """Each device, and how many are NVIDIA's: all these tools list whatever is there."""
    for tool in (_of_inxi, _of_lshw, _of_hwinfo, _of_windows):
        found = tuple(tool(text))
        nvidia = 0
        for number, device in enumerate(found):
            made_by = maker(device.title)
            yield say(names.PCI_VENDOR(number), made_by, device.line)
            if device.driver and device.driver != "N/A":
                yield say(names.PCI_DRIVER(number), device.driver, device.line)
            if made_by == "nvidia":
                yield from _nvidia(nvidia, device)
                nvidia += 1
        if found and not any(each.title.startswith(_WITHOUT_DRIVER) for each in found):
            yield say(names.PCI_NVIDIA_COUNT, nvidia, found[0].line)


def _nvidia(number: int, device: _Device) -> Statements:
    if name := _NAME.search(device.title):
        yield say(names.GPU_NAME(number), name[1], device.line)
    if device.driver == "nvidia" and _RELEASE.fullmatch(device.version or ""):
        yield say(names.DRIVER_VERSION, Version(device.version or ""), device.line)


def _of_inxi(text: Text) -> Iterator[_Device]:
    part = ""
    for line in text.having("graphics:", "audio:", "network:", "device", "card"):
        if named := _PART.match(line.text):
            part = named["name"]
        match = _INXI.search(line.text) if part == "Graphics" else None
        if match is None or _ON_USB.search(line.text):
            continue
        held = match
        if match["driver"] is None:
            below = (_ITS_DRIVER.match(each.text) for each in text.after(line, 1))
            held = next(filter(None, below), match)
        yield _Device(line, match["device"], held["driver"], held["version"])


def _of_lshw(text: Text) -> Iterator[_Device]:
    for start in text.having("*-display"):
        fields = _fields_below(text, start, _FIELD, _NEXT)
        if "vendor" in fields:
            held = _HELD.search(fields.get("configuration", ""))
            title = f"{fields['vendor']} {fields.get('product', '')}"
            yield _Device(start, title, held[1] if held else None, None)
    if "*-display" not in text:
        for start in text.having("*-graphics"):  # a picture without a device on the bus
            product = _fields_below(text, start, _FIELD, _NEXT).get("product", "")
            if _VIRTUAL.search(product):
                yield _Device(start, product, None, None)
    short = tuple(text.matching(_SHORT, " display "))
    if all(_VIRTUAL.search(match[1]) for _, match in short):
        yield from (_Device(line, match[1], None, None) for line, match in short)


def _fields_below(
    text: Text, start: Line, one: re.Pattern[str], end: re.Pattern[str]
) -> dict[str, str]:
    """The fields of a device, up to the next device."""
    fields: dict[str, str] = {}
    for line in text.after(start, _FIELDS_BELOW):
        if end.search(line.text):
            break
        if field := one.match(line.text):
            fields.setdefault(field[1], field[2])
    return fields


def _of_hwinfo(text: Text) -> Iterator[_Device]:
    for line, _ in text.matching(_HWINFO_CLASS, "graphics card:"):
        for below in text.after(line, _FIELDS_BELOW):
            named = _HWINFO_DEVICE.match(below.text)
            if named is None:
                break
            yield _Device(below, named[1], None, None)
    for start in text.having("hardware class: graphics card"):
        fields = _fields_below(text, start, _HWINFO_FIELD, _HWINFO_NEXT)
        if "Model" in fields:
            yield _Device(start, fields["Model"], fields.get("Driver"), None)


def _of_windows(text: Text) -> Iterator[_Device]:
    for line in text.having("card name:"):
        if named := _DXDIAG.match(line.text):
            yield _Device(line, named["device"], None, None)
    for asked, _ in text.matching(_ASKS_WMI, "win32_videocontroller"):
        for line in text.after(asked, _ROWS_OF_WMI):
            if _ASKS_WMI.search(line.text):
                break
            named = _OF_WMI.match(line.text)
            if named and maker(named["device"]) != "other":
                yield _Device(line, named["device"], None, None)
