"""The fields of an issue form, as people fill them in: ``CUDA/cuDNN version: 11.8/8.6``.

What a person types is trusted least, and a whole label has to match: "requires CUDA: 12" does
not state a version. GitHub's forms put the value two lines below a heading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...regex import regex
from ...version import Version
from .. import gpu_names
from ..installed.package_names import (
    built_for,
    cuda_of_archive,
    exactly,
    installed,
    recorded,
    tells_build,
    version_text,
)
from ..statement import Statements, say
from ..values import release_or_major
from .form_fields import FIELDS, field_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..text import Line, Text

    Told = Callable[[str, Line], Statements]

_FIELD = regex(
    r"(?a)\A[\s>|*#•·\-\u2013]*(?:\d{1,2}[.)] )?(?P<label>[A-Za-z][\w/.+ \-]{0,60}?)"
    r"(?:\s?\([^()]{0,120}\)){0,2}"
    r"[*_`\s]{0,6}\??\s?[:=|][*_`\s|]*(?P<value>\S(?:.*[^\s*|])?)[\s*|]*\Z"
)
_HEADING = regex(r"\A\s*#{2,5}\s{1,20}(?P<label>[\w/.+ \-]{2,60}?)\s*(?:\?\s*)?\Z")
_BUILT_FOR = regex(
    r"(?a)\A(?P<name>[\w.\-]{2,40}) (?:built|compiled) (?:for|with|against) (?:cuda)?\Z"
)
_LOWER_BOUND = regex(r"\A\s*(?:[<>~!]=?|\^)")
_VERSION_WORD = regex(r"(?i)(?:\s(?:version|package|or commit id)){1,3}\Z")
#: A name before the version: "tf 2.8", "mxnet-cu101: 1.8.0".
_INNER = regex(r"(?a)(?P<name>[A-Za-z][\w-]*?)[ :=-]{0,3}(?P<version>v?\d{1,9}\..*)")
#: Labels that begin like a package and name none: a variable, a sentence, a Julia artifact.
_SETTING = regex(r"(?a)\A[A-Z][A-Z_][A-Z]*_[A-Z_]+\Z|\d\.\d|_jll\Z|\s\S+\s\S+\s")
#: What may stand behind a version that somebody types.
_BEHIND = regex(r"(?i)\s*(?:\Z|[+(,;/|\"'`)\]-]|(?:with|and|cuda|cu\d+|cpu|gpu|from|by|via|on)\b)")
#: "PyTorch version 1.10.1", "Driver 470.57.02".
_WITHOUT_SIGN = regex(
    r"(?ai)\A[\s*•-]*(?P<label>[a-z][\w/.+ -]{1,40}? version|(?:nvidia )?drivers?)"
    r"\s+(?P<value>v?\d[\w.+-]*)\s*\Z"
)
#: "GPU type - 2080 Ti", "CUDA version -9.0", "cuDNN - 7.6"; not "python -m pip install".
_DASHED = regex(
    r"(?ai)\A[\s*•-]*(?P<label>[a-z][\w/.+ ]{1,40}?)(?: - ?| ?- )(?![a-z] )(?P<value>\w.*)\Z"
)
#: "GPU 3060 12G"; "GPU 0: …" is a list.
_CARD = regex(r"(?i)\A[\s*-]*GPU\s+(?!\d+:)(\S.{2,60})\Z")
_ALONE = regex(r"(?ai)\A\s*(cuda|cudnn)(?:[-_ ]?v?(?=\d{1,2}\.)| )(\d{1,2}(?:\.\d{1,3}){0,3})\s*\Z")
#: Labels of forms that say nothing else when they stand alone.
_ALONE_LABELS = frozenset(label for label in FIELDS if " " in label or "/" in label)
_VERSION_OF = regex(r"(?:tensorflow|pytorch|torch|keras|jax|onnx runtime|cupy) version")
_CARDS = frozenset({"gpu", "gpus", "graphics card"})
_EMPTY = frozenset(
    {"", "n/a", "na", "none", "no", "-", "no response", "_no response_", "not applicable", "nope"}
)


def read(text: Text) -> Statements:
    """Each field whose label is in the table, or names a package."""
    for line in text.having(":", "=", "|"):
        match = _FIELD.match(line.text)
        if match:
            label = match["label"]
            if label.strip().lower() == "cuda version" and _follows_driver(text, line):
                label = "driver cuda version"  # as nvidia-smi prints it
            yield from _told(label, match["value"], line)
    yield from _gpus_below_each_other(text)
    yield from _without_sign(text)
    yield from _rendered(text)
    for line in text.having("## "):
        heading = _HEADING.match(line.text)
        below = [each for each in text.after(line, 3) if each.text.strip()] if heading else []
        if heading and below and not below[0].text.startswith("#"):
            yield from _told(heading["label"], below[0].text.strip(), below[0])


def _without_sign(text: Text) -> Statements:
    """Fields with a dash or with nothing between label and value."""
    for line, match in text.matching(_WITHOUT_SIGN, "version", "driver"):
        yield from _told(match["label"], match["value"], line)
    for line, match in text.matching(_DASHED, " -", "- "):
        if match["label"].lower() in FIELDS:
            yield from _told(match["label"], match["value"], line)
    for line, match in text.matching(_CARD, "gpu "):
        if gpu_names.is_whole(match[1]):
            yield from FIELDS["gpu"](match[1], line)
    for line, match in text.matching(_ALONE, "cuda", "cudnn"):
        yield from FIELDS[match[1].lower()](match[2], line)


def _rendered(text: Text) -> Statements:
    """A form as the browser shows it: the label alone in a line, its value in the next."""
    for line in text.having("version", "distribution", "gpu model"):
        label = line.text.strip().lower()
        if label not in _ALONE_LABELS and not _VERSION_OF.fullmatch(label):
            continue
        below = [each for each in text.after(line, 2) if each.text.strip()]
        if below and below[0].text.strip().lower() not in FIELDS:
            yield from _told(label, below[0].text.strip(), below[0])


def _follows_driver(text: Text, line: Line) -> bool:
    """Whether the line above is of nvidia-smi, which means another CUDA version than a person."""
    above = " ".join(each.text for each in text.before(line, 1)).lower()
    return "driver version" in above or "nvidia-smi" in above


def _gpus_below_each_other(text: Text) -> Statements:
    """Lines "GPU: …" that follow each other name one GPU each."""
    former, number = -1, 0
    for line in text.having("gpu"):
        match = _FIELD.match(line.text)
        if match is None or FIELDS.get(match["label"].lower()) is not FIELDS["gpu"]:
            continue
        number = number if line.number == former + 1 else 0
        former = line.number
        for name in gpu_names.typed(match["value"]):
            yield say(names.GPU_NAME(number), name, line)
            number += 1


def _told(label: str, value: str, line: Line) -> Statements:
    plain = " ".join(label.lower().replace("_", " ").split())
    told = field_of(plain, line.text)
    # "GPU: none" is an answer, "GPU: None" what a program printed; a template's "GPU model and
    # memory: none" is none.
    answer = plain in _CARDS and value.strip() == "none"
    if (value.strip(" .*_").lower() in _EMPTY and not answer) or _LOWER_BOUND.match(value):
        return
    if told is not None:
        yield from told(value, line)
        return
    built = _BUILT_FOR.match(plain)
    if built:
        yield from _built(built["name"], value, line)
        return
    if not _SETTING.search(_VERSION_WORD.sub("", label)):
        yield from _package(_VERSION_WORD.sub("", plain), value, line)


def _package(label: str, value: str, line: Line) -> Statements:
    """``Torch: 2.8.0``, ``TensorFlow: tf 2.8``, ``MXNet: mxnet-cu101: 1.8.0``."""
    name = exactly(label) if " " in label else recorded(label)
    inner = _INNER.match(value)
    if inner and (cuda := cuda_of_archive(inner["name"])):
        yield from built_for("onnxruntime-gpu", "cuda", cuda, line)
    again = recorded(inner["name"]) if inner and name else None
    if inner and again:
        value = inner["version"]
        name = again if tells_build(again) else name
    version = version_text(value)
    if name is None or version is None or not _is_release(name, version, value):
        return
    # The project's name, of whatever package it is.
    if name == "onnxruntime" or label.strip().lower() == "paddle":
        yield say(names.PACKAGE_VERSION(name), version, line)
    else:
        yield from installed(name, version, line)


def _is_release(name: str, version: str, value: str) -> bool:
    """A version, and not the beginning of a sentence or of a size."""
    rest = value.strip().strip("\"'`=v ")[len(version) :]
    if name == "cuda" or ("." not in version and rest.strip()):
        return False
    return _BEHIND.match(rest) is not None


def _built(name: str, value: str, line: Line) -> Statements:
    """``torch built for CUDA: 12.4``."""
    package, found = recorded(name), release_or_major(value)
    if package is not None and found is not None:
        yield say(names.PACKAGE_CUDA(package), Version.of(*found.parts[:2]), line)
        yield say(names.PACKAGE_BUILD(package), "cuda", line)
    elif package is not None and value.lower() in ("cpu", "none"):
        yield from built_for(package, "cpu", "", line)
