"""GPUs as people write them: ``2x RTX 5090 (32 GB each)``, ``GTX1080ti``, ``3090 and A100``."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ...knowledge import products
from ..regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

#: More of one kind than any machine holds is a misreading.
_MOST = 64
_ASIDE = regex(r"\([^()]{0,80}\)|\[[^\[\]]{0,80}\]")
_SEPARATOR = regex(r"(?i),|;|\+|&|\band\b|\bwith\b| / |\bplus\b|\\n|<br>|\bor\b")
_TIMES_BEFORE = regex(
    r"(?ai)\A\W{0,4}(\d{1,2})\s{0,2}(?:[x\u00d7*]\s{0,2}|\s)(?=[a-z]|\d{3,4} ?[gr]tx\b)"
)
_TIMES_AFTER = regex(r"(?ai)[x\u00d7*]\s{0,2}(\d{1,2})\W{0,3}\Z|(?<=\s)(\d{1,2})[x\u00d7]\W{0,3}\Z")
_MARKED = regex(r"(?ai)[x\u00d7*]\s?(\d{1,2})|(\d{1,2})\s?[x\u00d7*]")
_WORDS = {"dual": 2, "two": 2, "double": 2, "three": 3, "four": 4, "quad": 4, "eight": 8}
_GLUED = regex(r"(?ai)\b([gr]tx|gt)[\s_-]?(?=\d{3})")
#: "1080gtx ti", "1060 GTX": no number before the next one's series, "RTX 3090 GTX 1080".
_TURNED = regex(
    r"(?ai)(?<![gr]tx)(?<![gr]tx )\b(\d{3,4}) ?([gr]tx)\b(?! ?(?:\d|a\d|titan|pro\b|quadro|ada))"
)
_QUADRO_RTX = regex(r"(?ai)\brtx quadro (?=[3-8]000\b)")
_GLUED_SUFFIX = regex(r"(?ai)(?<=\d)[\s-]?(ti|super)(?=\b|super)")
#: "GTX 860 M": what the makers write in one word.
_GLUED_MOBILE = regex(r"(?ai)\b(gt[xs]?[ -]?\d{3}) m\b(?!\.)")
#: "1070m", "RTX3060M": so people write the laptops' cards of which the makers write no M any more.
_SHORT_MOBILE = regex(r"(?ai)\b((?:10[5-8]|16[56]|[2-5]0[5-9])0(?: ti)?)m\b")
#: "2 A100s", "T4s": several; the S of a name such as L40S is a capital.
_PLURAL = regex(r"(?a)(?<![\w-])((?:G?[BH]|[AKLPTV])\d{1,3})s\b")
_BARE = regex(r"(?ai)\A(?:nvidia )?(?:geforce )?(\d{3,4})((?: ti| super| mobile)*)\Z")
_SIZE = regex(r"(?ai)\b\d{1,3}(?:\.\d)?\s?g(?:i?b|)\b.*")
#: "RTX 5000 series" is what people call the RTX 50, and no RTX 5000.
_MODEL = regex(
    r"""(?aix)\b(?!(?:nvidia\s|geforce\s){0,2}rtx\s[2-5]000[\s-]series\b)(?:
        (?:nvidia\s)?(?:geforce\s)?(?:(?:rtx|gtx|gts|gt)\s|mx\s?)\d{3,4}(?:\sti)?(?:\ssuper)?[mx]?\b
            (?:\slaptop(?:\sgpu)?|\smobile|\smax-q|\sada)?
      | (?:nvidia\s(?:geforce\s)?|geforce\s)\d{3}mx?\b
      | (?:nvidia\s)?(?:geforce\s)?fx\s[1-5][4-8]00m?\b
      | (?:nvidia\s)?(?:quadro\s)?rtx\s(?:a\d{4}|pro\s\d{4}(?:\sblackwell)?|\d{4}(?:\sada)?)
      | (?:nvidia\s)?(?:tesla\s|quadro\s|grid\s|nvs\s)[a-z]{0,4}\s?\d{1,4}[a-z]{0,2}\b
      | (?:nvidia\s)?(?:gtx\s)?titan(?:\s(?:xp|x|v|rtx|z|black))?\b(?:\s\(pascal\))?
      | (?:nvidia\s)?(?:g[hb][23]00|gb10|[hb][123]00|h20|h800|a800|a100|a10g?|a[23]0?|a16|a40
          |g[pv]100|a[2456]\d00|l4|l20|l40s?|v100s?|p100|p40|p4|t4g?|k80|k40m?|k20[mx]?|m60|m40|m4|m10
          |p[2456][02]00|t[46]00|t1000|t1200|t2000)\b
      | jetson\s[\w ]{2,24}
    )"""
)
#: AMD's processors with graphics, of which NVIDIA's A10 has one's name: "AMD A10-7850K".
_APU = regex(
    r"(?ai)\bAMD (?:PRO )?A(?:4|6|8|9|10|12)\b(?:-\d{4}\w{0,2})?"
    r"|\bA(?:4|6|8|9|10|12)-\d{4}\w{0,2}\b"
)
#: A maker's word, or a number by itself: no name is without.
_MAY_BE_WHOLE = regex(r"(?i)nvidia|geforce|quadro|tesla|titan|[gr]tx|\A\W*\d{3}")
_BRAND = regex(r"(?i)\b(?:nvidia|geforce|quadro|tesla|titan|[gr]tx)\b")
#: Series whose letters are no name by themselves: "GT 620", "NVS 315".
_SERIES = regex(r"(?i)(?:gts?|nvs)\s")
_OTHER_MAKERS = (
    ("intel", regex(r"(?i)\bintel\b|\bu?hd graphics|\biris\b|\barc a\d|\buhd \d")),
    ("amd", regex(r"(?i)\bamd\b|\bradeon\b|\brx ?\d{3,4}|\bvega\b|\binstinct\b|\bmi\d{2,3}x?\b")),
    ("apple", regex(r"(?i)\bapple\b|\bm[1-4](?: pro| max| ultra)?\b")),
    ("vmware", regex(r"(?i)\bvmware\b|\bsvga\b")),
    ("microsoft", regex(r"(?i)\bbasic (?:display|render)")),
)


#: "AMD Radeon (the NVIDIA card that was there before has been removed)"
_GONE = regex(
    r"(?i)\([^()\n]{0,60}\bnvidia\b[^()\n]{0,60}\b(?:removed|replaced|taken out|sold|no longer)"
    r"\b[^()\n]{0,40}\)"
)
#: How lspci writes the chip, with the product in brackets behind it.
_CHIP = regex(r"(?ai)nvidia corporation \w{3,8}\Z")


def typed(text: str) -> tuple[str, ...]:
    """The NVIDIA GPUs that a person names, each as often as it is there."""
    found: list[str] = []
    for part, aside in _parts(_APU.sub("AMD", text)):
        times, name = _times(part)
        model = _model(name)
        if aside and _CHIP.match(name):  # "NVIDIA Corporation GP106 [GeForce GTX 1060]"
            model = _model(aside) or model
        if model is None and aside:  # "2 (RTX 3090)"
            model = _model(aside)
            times = _count(part) or _times(aside)[0]
        elif marked := _MARKED.fullmatch(aside.strip()):  # "(x4)"
            times = int(marked[1] or marked[2])
        if model is not None:
            found += [model] * times
    return tuple(found[:_MOST])


#: "GPU3090", "GPU: 1080ti" by its bare number; with a capital "3050M" may be a size of memory.
_NUMBERED = regex(
    r"(?ai)(?:\b(?:gpu|card)[ :]{0,2}(?:is (?:an? )?)?|显卡[ :]{0,2}|\b(?:my|an?|dual|single) )"
    r"([1-5]0[5-9]0)(?: ?(ti))?(?:(?-i:m)\b)?(?!\w|\.\d)"
)
#: "5080 mobile", "4080GPU", "3090显卡"; but not so many hours of GPUs.
_SUFFIXED = regex(
    r"(?ai)(?<![\w.])([1-5]0[5-9]0)(?: ?(ti))? ?(?:mobile|laptop|gpu|card|显卡)"
    r"(?!s?[ -]?(?:hour|day|h\b))"
)
#: Names that are no other word, when written in capitals.
_OF_DATA_CENTRES = regex(r"[AHB][1-3]00|GB?[HB][23]00|[AHLV]\d{2,3}S?|[AH]800|G[PV]100|RTX.*")
_SHORTEST = 4
_LABEL = regex(r"(?ai)\W?GPU-")
_LABEL_SIZE = len(" GPU-")
#: Short names of older Teslas, which only the word beside them makes a GPU: "K80 Tesla", "T4 GPUs".
_TESLA = regex(r"(?a)\b([KMP][1-9]\d{1,2}|T4)s? (?:[Tt]esla|GPUs?|gpus?)\b")


@functools.lru_cache(maxsize=256)  # several readers ask it of the same lines
def mentioned(text: str) -> tuple[str, ...]:
    """The products that a sentence names: with their brand, or by a number that is no other word.

    Not those inside a path or a longer name, unless that is a label: "GPU-GTX1080Ti".
    """
    return tuple(_mentioned(text))


def _mentioned(text: str) -> Iterator[str]:
    plain = spelt(_PLURAL.sub(r"\1", text))
    for match in _MODEL.finditer(plain):
        name = match[0].strip()
        before = plain[max(match.start() - _LABEL_SIZE, 0) : match.start()]
        if before[-1:] in ("/", "\\", "-", ".", "_") and not _LABEL.fullmatch(before):
            continue
        bare = len(name) >= _SHORTEST and _OF_DATA_CENTRES.fullmatch(name) is not None
        if (bare or _BRAND.match(name) or _SERIES.match(name)) and known(name):
            yield name
    for match in (*_NUMBERED.finditer(text), *_SUFFIXED.finditer(text)):
        numbered = _of_number(match[1], f" {match[2]}" if match[2] else "")
        if numbered:
            yield numbered
    for match in _TESLA.finditer(text):
        if known(f"Tesla {match[1]}"):
            yield f"Tesla {match[1]}"


def spelt(text: str) -> str:
    """With the spaces of the makers' spelling: ``GTX1080ti`` is a "GTX 1080 ti"."""
    text = _QUADRO_RTX.sub("Quadro RTX ", text)
    spaced = _GLUED_SUFFIX.sub(r" \1", _TURNED.sub(_turned, _GLUED.sub(r"\1 ", text)))
    return _SHORT_MOBILE.sub(r"\1 Mobile", _GLUED_MOBILE.sub(r"\1M", spaced))


def _turned(found: re.Match[str]) -> str:
    """The number behind its series, where that is a product: "Precision 5820 RTX A4000" is none."""
    name = f"{found[2]} {found[1]}"
    return name if known(f"GeForce {name}") else found[0]


def other_makers(text: str) -> tuple[str, ...]:
    """The makers of other GPUs: ``intel``, ``amd`` …; none where NVIDIA is named, too."""
    if _BRAND.search(_GONE.sub("", text)):
        return ()
    return tuple(maker for maker, named in _OTHER_MAKERS if named.search(text))


def is_whole(text: str) -> bool:
    """Whether `text` is the name of a product and nothing else but its memory's size."""
    if not _MAY_BE_WHOLE.search(text):
        return False
    plain = " ".join(spelt(text).split())
    bare = _SIZE.sub("", _ASIDE.sub("", plain)).strip(" .:-*")
    if _BARE.match(bare):
        return _model(bare) is not None
    return _MODEL.fullmatch(bare) is not None and _BRAND.match(bare) is not None


#: What a list has beside a name: "1: NVIDIA …", ", driver 460.39", ", 4 GB GDDR6", " (8GB".
_IN_FRONT = regex(r"(?a)\A\d{1,2}(?:: | (?=NVIDIA ))")
_BESIDE = regex(
    r"(?ai), (?:(?:nvidia )?driver\b|\d{3}\.\d|\d{1,3} ?gi?b\b|gpu \d)| \((?=[^()]{0,60}\Z)"
)
_MARKS = " \"'`#*,"
_NO_NAME = regex(r"(?i)\A(?:ok|name|none|n/a)\Z|\bdriver (?:on|is)\b|\bpower cap\b")


def tidied(name: str) -> str | None:
    """A name without what stands around it in a list; None where it is none."""
    plain = _BESIDE.split(name.strip(_MARKS), maxsplit=1)[0]
    plain = _IN_FRONT.sub("", plain).strip(_MARKS)
    return plain if plain and not _NO_NAME.search(plain) else None


#: What one program prints of a model and another, or a person, leaves out.
_LEFT_OUT = frozenset({"gt", "gts", "gtx", "rtx", "pascal", "jetson", "agx"})
#: How nvidia-smi ends a name that its column cannot hold.
_CUT = "..."
_NO_START = regex(r"(?i)nvidia|geforce|tesla|quadro|[^a-z0-9]")
_MEMORY = regex(r"(?ai)\b(\d{1,3}) ?gi?b\b")


def is_cut(name: str) -> bool:
    """Whether the end of a name is missing: ``NVIDIA A100-SXM...``."""
    return name.endswith(_CUT)


@functools.lru_cache(maxsize=256)
def may_be_one(one: str, other: str) -> bool:
    """Whether two names may be one product's; a cut one by its start.

    A model is told by its words as a whole: an A4000 is no 4000, and a 3080 no 3080 Ti. What is
    left is told by the table: a Quadro 4000 is of another capability than a Quadro RTX 4000.
    """
    if is_cut(one) or is_cut(other):
        shorter, longer = sorted(
            (_NO_START.sub("", each).lower() for each in (one, other)), key=len
        )
        alike = longer.startswith(shorter)
    else:
        first, second = (products.model_words(spelt(each)) for each in (one, other))
        alike = (first <= second or second <= first) and first ^ second <= _LEFT_OUT
        sizes = [set(_MEMORY.findall(each)) for each in (one, other)]
        alike = alike and not (all(sizes) and sizes[0].isdisjoint(sizes[1]))
        if first ^ second == {"gtx"}:
            return alike  # a "Titan X" is what people call two products, whichever the table has
    return alike and not _differ(one, other)


def _differ(one: str, other: str) -> bool:
    """Whether the table has both names, and no capability for both."""
    first, second = products.by_name(spelt(one)), products.by_name(spelt(other))
    return bool(first and second and set(first.capabilities).isdisjoint(second.capabilities))


def known(name: str) -> bool:
    """Whether the table of products has this very name."""
    return products.by_name(name) is not None


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The names, and what stands in brackets behind each."""
    asides = [match[0][1:-1] for match in _ASIDE.finditer(text)]
    plain = _ASIDE.sub("\x00", text)
    for part in _SEPARATOR.split(plain):
        count = part.count("\x00")
        aside = " ".join(asides[:count])
        asides = asides[count:]
        yield part.replace("\x00", " ").strip(), aside


def _times(part: str) -> tuple[int, str]:
    before = _TIMES_BEFORE.match(part)
    if before and 0 < int(before[1]) <= _MOST:
        return int(before[1]), part[before.end() :]
    after = _TIMES_AFTER.search(part)
    if after and 0 < int(after[1] or after[2]) <= _MOST:
        return int(after[1] or after[2]), part[: after.start()]
    word = part.split(" ", 1)[0].lower()
    return _WORDS.get(word, 1), part


def _count(part: str) -> int:
    found = re.match(r"(?a)\W{0,4}(\d{1,2})\b", part)
    return min(max(int(found[1]), 1), _MOST) if found else 0


def _model(part: str) -> str | None:
    plain = " ".join(spelt(part).split())
    bare = _BARE.match(_SIZE.sub("", plain).strip())
    if bare:
        return _of_number(bare[1], bare[2])
    match = _MODEL.search(plain)
    if match is None:
        whole = plain.strip(" .:-|*")
        return whole if _BRAND.match(whole) and known(whole) else None
    name = match[0].strip()
    swapped = _swapped(name)
    return swapped if not known(name) and known(swapped) else name


def _of_number(number: str, suffix: str) -> str | None:
    """``3090`` is an RTX, ``1080 ti`` a GTX: where there is but one such product."""
    names = (f"GeForce {series} {number}{suffix}" for series in ("RTX", "GTX"))
    return next((name for name in names if known(name)), None)


def _swapped(name: str) -> str:
    """People write "GTX 4090"."""
    upper = name.upper()
    return upper.replace("GTX", "RTX") if "GTX" in upper else upper.replace("RTX", "GTX")
