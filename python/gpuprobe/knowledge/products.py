"""GPU names and PCI device ids to products and capabilities; an ambiguous name stays ambiguous."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .tables import Record, load

if TYPE_CHECKING:
    from ..facts.version import Version

Matched = Literal[
    "name", "name without variant", "number", "start of a name", "chip", "pci", "series"
]

_BRACKET = re.compile(r"\[([^\]]{1,200})\]")
_CHIP = re.compile(r"\b(G[A-Z]\d{3}|AD\d{3}|TU\d{3}|GB\d\d[0-9A-Z])([A-Z]*)\b")
#: What partitions add to the name of the board: MIG instances and vGPU profiles.
_PARTITION = re.compile(r"(?<!\s)\s+MIG\s+\S+.*$|-\d+[QCBA]$", re.IGNORECASE)
_MARKS = re.compile(r"\((?:R|TM|C|rev \w+)\)|[®™©]", re.IGNORECASE)
#: Words of the PCI id list that the driver does not print: both call it "GeForce GT 640".
_ANNOTATION = re.compile(r"\b(?:rev\. ?\d|oem|mobile|mac edition|fake)(?!\w)", re.IGNORECASE)
#: How nvidia-smi ends a name that its column cannot hold.
_CUT = "..."
_SPLIT = re.compile(r"[^a-z0-9.]+")
#: Several products in one name of the PCI id list: "GeForce GT 620M/630M/635M/640M LE".
_SEVERAL = re.compile(r"(?P<series>.*\D )(?P<numbers>\w+(?:/\w+)+)(?P<last> \w+)?")
#: The letters of a series, which people leave out: "GeForce 860M", "GeForce 1060".
_LETTERS = frozenset({"gt", "gts", "gtx", "rtx"})
#: Where they are left out a laptop's M, four digits, or the brand tell that it is a product at all.
_NUMBERED = re.compile(r"(?i)\bgeforce \d{3}|\b\d{3}mx?\b|\b[1-5]0\d0\b")
_SIZE = re.compile(r"\d+gb?|hbm\d\w?")
_MAKERS = frozenset({"nvidia", "corporation", "graphics", "device"})
_BRANDS = frozenset({"geforce", "quadro", "tesla", "grid"})
_VARIANTS = frozenset(
    word
    for words in (
        "laptop gpu notebook embedded with max q design generation",
        "pcie pci e sxm sxm2 sxm3 sxm4 sxm5 sxm6 nvl fhhl dgxs lc ac",
        "workstation server edition sff blackwell",
    )
    for word in words.split()
)


@dataclass(frozen=True, slots=True)
class Product:
    """One product as its source prints it."""

    name: str
    capability: Version
    chip: str | None
    pci: tuple[str, ...]
    family: str
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Match:
    """What a name or PCI id may be: the products, and every capability that comes into question.

    More than one capability: the name alone does not tell which (a GeForce GT 710 is 2.1 or 3.5).
    `products` is empty where only the chip was recognised.
    """

    asked: str
    matched: Matched
    capabilities: tuple[Version, ...]
    products: tuple[Product, ...]
    source: str


def _product(row: Record) -> Product:
    return Product(
        row.text("name"),
        row.version("capability"),
        row.text_or_none("chip"),
        row.texts("pci"),
        row.text("family"),
        row.verified,
        row.source,
    )


def _words(name: str) -> tuple[str, ...]:
    """The words that the driver prints, in lower case, without maker, marks and partition."""
    plain = _ANNOTATION.sub(" ", _MARKS.sub(" ", _PARTITION.sub("", name.strip()))).lower()
    return tuple(word for word in _SPLIT.split(plain) if word and word not in _MAKERS)


def _core(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without brand and variant: ``tesla v100 sxm2 32gb`` and ``v100`` are alike."""
    kept = (word for word in words if word not in _BRANDS and word not in _VARIANTS)
    return tuple(word for word in kept if not _SIZE.fullmatch(word))


@functools.cache
def _by_words() -> dict[tuple[str, ...], list[Record]]:
    index: dict[tuple[str, ...], list[Record]] = {}
    for row in load("products").section("products"):
        for name in _names(row.text("name")):
            index.setdefault(_words(name), []).append(row)
    return index


def _names(name: str) -> tuple[str, ...]:
    """The name as it is printed, and each product's own where it stands for several."""
    several = _SEVERAL.fullmatch(name)
    if several is None:
        return (name,)
    *numbers, last = several["numbers"].split("/")
    own = (*numbers, f"{last}{several['last'] or ''}")
    return (name, *(f"{several['series']}{number}" for number in own))


@functools.cache
def _by_core() -> dict[tuple[str, ...], list[Record]]:
    index: dict[tuple[str, ...], list[Record]] = {}
    for words, rows in _by_words().items():
        index.setdefault(_core(words), []).extend(rows)
    return index


@functools.cache
def _by_number() -> dict[tuple[str, ...], list[Record]]:
    index: dict[tuple[str, ...], list[Record]] = {}
    for core, rows in _by_core().items():
        if len(core) > 1 and core[0] in _LETTERS:
            index.setdefault(core[1:], []).extend(rows)
    return index


@functools.cache
def _by_pci() -> dict[str, list[Record]]:
    index: dict[str, list[Record]] = {}
    for row in load("products").section("products"):
        for device in row.texts("pci"):
            index.setdefault(device, []).append(row)
    return index


@functools.lru_cache(maxsize=256)
def by_name(name: str) -> Match | None:
    """The products that `name` may stand for, as nvidia-smi, torch or lspci print it.

    Looks for the whole name first, then for the name without brand, form factor, memory size and
    "Laptop GPU", then for the chip that lspci prints, last for the number without its series'
    letters. None: no product of the table is meant.
    """
    if name.rstrip().endswith(_CUT):
        return _by_start(name)
    bracket = _BRACKET.search(name)
    words = _words(bracket.group(1) if bracket else name)
    core = _core(words)
    chip = _chip_record(name)
    if words in _by_words():
        return _narrowed(_match(name, "name", _by_words()[words]), chip)
    if core in _by_core():
        return _narrowed(_match(name, "name without variant", _by_core()[core]), chip)
    if chip is not None:
        return Match(name, "chip", (chip.version("capability"),), (), chip.source)
    if core in _by_number() and _NUMBERED.search(name):
        return _match(name, "number", _by_number()[core])
    return _of_series(name, " ".join(words))


def _of_series(name: str, words: str) -> Match | None:
    """A product that the table has by its series: before Fermi, where all are 1.3 or less."""
    for row in load("products").section("series"):
        if re.fullmatch(row.text("pattern"), words):
            return Match(name, "series", (row.version("capability"),), (), row.source)
    return None


def _by_start(name: str) -> Match | None:
    """The products of a name that nvidia-smi cut to its column: ``NVIDIA A100-SXM...``."""
    start = " ".join(_words(name.rstrip().removesuffix(_CUT)))
    if not any(letter.isdigit() for letter in start):
        return None  # "NVIDIA GeForce ..." may be any
    begun = (rows for words, rows in _by_words().items() if " ".join(words).startswith(start))
    rows = [row for found in begun for row in found]
    return _match(name, "start of a name", rows) if rows else None


def _chip_record(text: str) -> Record | None:
    found = _CHIP.search(text)
    if found is not None:
        for row in load("architectures").section("chips"):
            if row.text("chip") == found.group(1):
                return row
    return None


def _narrowed(match: Match, chip: Record | None) -> Match:
    """The match, narrowed by the chip that lspci prints beside an ambiguous name."""
    if chip is None or chip.version("capability") not in match.capabilities:
        return match
    capability = chip.version("capability")
    products = tuple(found for found in match.products if found.capability == capability)
    source = f"{match.source}; {chip.source}"
    return Match(match.asked, match.matched, (capability,), products, source)


def telling_words(name: str) -> frozenset[str]:
    """The words of a name without maker and brand, in any order: what tells boards apart.

    ``NVIDIA A100 80GB PCIe`` and ``A100-PCIE-80GB`` are alike, a laptop GPU is itself.
    """
    bare = re.sub(r"\(per GPU[^)]*\)", "", name)
    mobile = {"mobile"} if "mobile" in bare.lower() else set[str]()
    return frozenset(word for word in _words(bare) if word not in _BRANDS) | mobile


def model_words(name: str) -> frozenset[str]:
    """The words of a name that tell one model from another: ``rtx 4000 ada`` of a board's name."""
    return frozenset(_core(_words(name)))


def by_pci(device_id: int | str) -> Match | None:
    """The products with this PCI device id (vendor 10de): 0x2684, ``2684`` or ``0x2684``."""
    if isinstance(device_id, int):
        key = f"{device_id:04x}"
    else:
        key = device_id.strip().lower().removeprefix("0x")
    rows = _by_pci().get(key)
    return None if rows is None else _match(key, "pci", rows)


def _match(asked: str, matched: Matched, rows: list[Record]) -> Match:
    products = tuple(_product(row) for row in rows)
    capabilities = tuple(sorted({product.capability for product in products}))
    sources = tuple(dict.fromkeys(product.source for product in products))
    return Match(asked, matched, capabilities, products, "; ".join(sources))
