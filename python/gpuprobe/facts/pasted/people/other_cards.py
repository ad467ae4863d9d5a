"""What people say of a machine of theirs without a card of NVIDIA's: another maker's, or none.

A product of NVIDIA's named anywhere in the text may be the card beside it; then nothing is said.
Nor is it by sentences that suppose, or that tell what others have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from .. import gpu_names
from ..statement import Statements, say
from . import cardless
from .card_words import LONGEST_SENTENCE, OF_IT, SUPPOSED

if TYPE_CHECKING:
    from ..text import Text

#: Of a line.
_LONGEST = 2000
#: What a program says, which people quote within a sentence of their own.
_QUOTED = regex(r"\"[^\"\n]{0,300}\"|`[^`\n]{0,300}`")
#: Words that stand out, as Markdown has it: "a machine **without** a card".
_EMPHASIS = regex(r"\*\*|(?<!\w)__|__(?!\w)")
_SENTENCE = regex(r"(?<=[.!?;])\s+|[\u3002]|(?<=[\u4e00-\u9fff])[,!?;]|[,!?;](?=[\u4e00-\u9fff])")
#: A card of NVIDIA's; its driver is what programs miss there.
_NVIDIA = regex(
    r"(?i)\b(?:nvidia(?! (?:drivers?|checks?)\b)|geforce|gtx|rtx|quadro|tesla)\b|英伟达|N卡"
)
_OWNED = (
    r"\b(?:I|we|my|our)\b[^.\n]{0,24}?\b(?:have|has|own|use[ds]?|using|got|with|run(?:s|ning)? on"
    r"|run(?= an? )"
    r"|on|is|has got)\b (?:only |just |an? |the |my |this )*"
)
_OF_AMD = regex(
    rf"(?i){_OWNED}(?:(?:amd|ati)(?:[ -](?:radeon|gpus?|(?:graphics? |video )?cards?|hardware|vega"
    r"|rx)\b"
    r"|(?=\W{0,2}(?:\Z|[.,;!)])))|radeon\b|RX ?[4-9]\d{2,3}(?: ?XTX?)?\b"
    rf"|vega ?(?:8|11|56|64)\b|instinct mi\d){OF_IT}"
    r"|(?:我[^\n]{0,12}|用的?是? ?)(?:AMD ?(?:的)?显卡|A卡)|显卡(?:是|为|:) ?(?:AMD|A卡)"
    r"|\b(?:on|with|and|have) (?:an? |my |one )(?:single )?(?:AMD )?(?:Radeon )?"
    r"RX ?(?:[45][6789]0|5[567]00|[679]\d{2}0)(?: ?XTX?)?\b"
    r"|\b(?:the|my) (?:graphics |video )?(?:card|gpu) is (?:an? )?(?:AMD|ATI|Radeon)(?: \w+){0,3}"
    r"(?=\W{0,2}\Z|, (?:with|can|could|so|and|but)\b)"
    # What somebody did, or what does not work, as titles have it.
    r"|\A\W{0,8}(?:failed|fails|failing|failure|unable|cannot|can't|could not|crash\w*|errors?"
    r"|won't|will not|does ?n[o']t|not)\b[^.?\n]{0,40} (?:on|with|using) (?:an? |my )?AMD "
    r"(?:radeon )?(?:gpu|(?:graphics |video )?card)(?= (?:with|on|under|in) |\W{0,4}\Z)"
    r"|\bOpenCL device \[? ?AMD\b"  # as miners list what they found
    # In brackets, behind what somebody wants to do.
    r"|\((?:I have |my |an? )?(?:AMD )?Radeon (?:RX|R[579]|VII|Pro)\b(?=[^()\n]{0,40}\))"
    r"|\A\W{0,4}AMD GPUs \(RX \d|\blinux with amd\b|\bamd on (?:an? )?linux\b"
    # The same as the last part of a list of what there is: "Windows 7, ATI graphics card".
    r"|\A\W{0,4}(?:win(?:dows)?|linux|ubuntu|debian|fedora|os)\b[^,;\n]{0,40}[,;] (?:an? )?"
    r"(?:amd|ati) (?:graphics?|video) (?:card|adapter)(?=\W{0,3}\Z| \()"
    r"|\AGPU\[\d{1,2}\]\s*: Card (?:vendor|series|model):[^\n]{0,60}"  # rocm-smi
    r"\b(?:Advanced Micro Devices|Radeon|Instinct)\b"
    r"|\b(?:system|laptop|pc|computer|machine|hardware) specs?\b[^.\n]{0,120}?"
    r"\b(?:AMD )?Radeon (?:RX ?[4-9]\d{2,3} ?(?:XTX?|M)?|[5-9]\d{3} ?XTX?)\b"
    # A card by itself, as people list what they have: "AMD Radeon RX 6700 XT on Windows".
    r"|\A\W{0,4}(?:(?:gpu|graphics)\s?[:=]\s?)?(?:AMD )?Radeon (?:RX|R[579]|VII|Pro)\b"
    r"(?=[\w /-]{0,24}(?: - [\d.]{5,20})?\s*\Z)"
    # A field of a form that names the processor's own.
    r"|\A\W{0,4}(?:cpu|processor|gpu|graphics|hardware|system)\s?[:=][^\n]{0,80}?"
    r"\bAMD (?:integrated |onboard )?(?:graphics|gpu)(?=\W{0,3}(?:\Z|[,;]))"
    # Where it works already, and what fails is not on another machine.
    r"|\b(?:works?|worked|runs?|ran|running)(?: (?:fine|well|ok|great|perfectly|already|here)){0,2}"
    r" (?:for me (?:on|with) (?:my |an? )?|(?:on|with) my )(?:amd|radeon)\b"
    r"(?! (?:cpu|ryzen|epyc|threadripper|processor|server|machine))"
    r"(?![^\n]*\bbut (?:not )?(?:on|with)\b)"
    r"|\bI(?:'m| am) on (?:amd|radeon)(?= (?:and|but|so) (?:I|get|it|there|the|this|can|am)\b)"
    r"|\bI (?:run|use|have) AMD \((?:AMD )?(?:Radeon )?RX ?[4-9]\d{2,3}(?: ?XTX?)?\b"
    # The same as the last part of a list, and by the numbers that no processor of theirs has.
    r"|[,;+&] ?(?:AMD |ATI )(?:Mobility )?Radeon(?:\(TM\))? (?:RX|R[579]|HD|VII|Pro|Vega)"
    r"(?:\b|(?=\d))(?=[\w /-]{0,24}\Z)"
    r"|(?:\A|[,;+&] ?)AMD ?(?:RX ?(?:5[567]00|[679]\d{2}0)|5[57]00|[679]\d{2}0) ?XTX?"
    r"(?=\W{0,3}(?:\Z|[,;]))"
)
#: "My CPU is AMD" tells of no card.
_PROCESSOR = regex(r"(?i)\b(?:my|our) (?:cpu|processor)\b")
_OF_INTEL = regex(
    rf"(?i){_OWNED}(?:intel(?:\(r\)|®)? (?:\w+ )?(?:iris\w*|u?hd|xe|arc|integrated|onboard"
    rf"|graphics|gpu)\b|(?:integrated|onboard) (?:graphics|gpu)\b){OF_IT}"
    r"|\bgpu of (?:an? |my |the )?intel\b|\bgraphics card is (?:an? |the )?intel\b"
    r"|\b(?:my|our) (?:gpu|video card) is (?:an? |the )?intel\b"
    r"|\A\W{0,4}display adapters?\s?[:=]\s?intel(?:\(r\)|\u00ae)? (?:iris|u?hd|arc|xe|graphics)\b"
    r"|我[^\n]{0,12}(?:集成显卡|核显)"
)
#: A board of which no model takes a card of NVIDIA's as it is.
_BOARD = regex(
    r"(?i)\A\W{0,4}(?:device|hardware|machine|board|os|model)\s?[:=]\s?\W?raspberry pi ?\d?\b"
)
#: Phones, and their processors as programs name them: the GPU is a part of those.
_PHONE = regex(
    r"(?i)\A\W{0,4}(?:device|hardware|machine|os|system|platform|environment)\s?[:=]\s?\W?"
    r"(?:termux|android)\b(?! (?:studio|emulator|sdk|ndk|tv))"
    r"|\b(?:in|inside|under|on|within|using|with) (?:my )?termux\b"
    r"|/data/data/com\.termux/"
    r"|\A\W{0,4}(?:cpu|processor|soc|chip(?:set)?)\s?[:=][^\n]{0,24}"
    r"\b(?:qualcomm technologies, inc|snapdragon (?=\d)|kirin|mediatek|exynos)\b"
)
_CUES = ("amd", "radeon", "intel", "rx ", "rx5", "rx6", "rx7", "vega", "instinct", "integrated",
         "onboard", "显", "卡", "raspberry pi", "ati ", "ati-", "termux", "android", "qualcomm",
         "snapdragon", "kirin", "mediatek", "exynos", *cardless.CUES)  # fmt: skip


#: A form's boxes: one for NVIDIA's that was left empty, and another's that was ticked.
_BOX = regex(r"(?i)\A\W{0,4}\[(?P<tick>[ x+v\u2713])\]\s{0,2}(?P<maker>nvidia|intel|amd)\b\W*\Z")
_FORM = 8


def _ticked(text: Text) -> Statements:
    """The maker that alone is ticked in a form that asks for the GPU's."""
    boxes = list(text.matching(_BOX, "] nvidia", "] intel", "] amd"))
    ticked = [(line, match["maker"].lower()) for line, match in boxes if match["tick"] != " "]
    asked = {match["maker"].lower(): line.number for line, match in boxes}
    if len(ticked) != 1 or ticked[0][1] == "nvidia" or len(asked) != len(boxes):
        return
    line, maker = ticked[0]
    if _names_a_product(text):
        return
    if "nvidia" in asked and abs(asked["nvidia"] - line.number) <= _FORM:
        yield say(names.PCI_NVIDIA_COUNT, 0, line)
        yield say(names.PCI_VENDOR(0), maker, line)


def read(text: Text) -> Statements:
    """That there is no card of NVIDIA's, and whose there is instead."""
    yield from _ticked(text)
    for line in text.unlike(*_CUES):
        if len(line.text) > _LONGEST:
            continue
        plain = _EMPHASIS.sub("", _QUOTED.sub('""', line.text))
        for sentence in _SENTENCE.split(plain):
            lacking = cardless.without_any(sentence)
            maker = "" if lacking else _other(sentence)
            if maker is None:
                continue
            if not _names_a_product(text):
                yield say(names.PCI_NVIDIA_COUNT, 0, line)
                if lacking:
                    yield say(said.WITHOUT_GPU_TOLD, sentence.strip(), line)
                if maker:
                    yield say(names.PCI_VENDOR(0), maker, line)
            return


def _other(sentence: str) -> str | None:
    """Whose card the sentence says its writer has; empty: there is none of NVIDIA's."""
    if len(sentence) > LONGEST_SENTENCE:
        return None
    if cardless.without_nvidia(sentence):
        return ""
    for maker, told in (("", _BOARD), ("", _PHONE), ("amd", _OF_AMD), ("intel", _OF_INTEL)):
        match = told.search(sentence)
        if match is None or SUPPOSED.search(sentence[: match.end()]):
            continue
        if _PROCESSOR.search(match[0]):
            continue  # which is of whatever maker
        if not maker or not _NVIDIA.search(sentence):
            return maker
    return None


_PRODUCTS = ("rtx", "gtx", "geforce", "tesla", "quadro", "titan", "nvidia", "gpu", "显卡",
             "100", "200", "l40", "a800", "h800", "h20", "gb10")  # fmt: skip


def _names_a_product(text: Text) -> bool:
    """Whether there is a line of a sentence's length that does."""
    lines = text.unlike(*_PRODUCTS)
    return any(
        len(each.text) <= LONGEST_SENTENCE and gpu_names.mentioned(each.text) for each in lines
    )
