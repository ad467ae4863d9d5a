"""ONNX Runtime's lists of execution providers, printed by any program, with or without the call.

"Available" are those that the build has; the others are what a session runs with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..installed.package_names import built_for, variant
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_LIST = regex(
    r"\A(?P<label>[^\[{(=]{0,100})\[(?P<names>['\"]\w+ExecutionProvider['\"]"
    r"(?:, ?['\"]\w+ExecutionProvider['\"]){0,11})\](?P<rest>.{0,200})\Z"
)
#: Code asks for providers, it does not list them; messages quote what was asked for.
_CODE = regex(
    r"(?i)providers?\s*=|session\(|set_providers|\bimport\b|#|raise |error|requir"
    r"|when using|falling back"
)
_OF_BUILD = regex(r"(?i)availab|supported|enabled|all providers|installed")
_OF_SESSION = regex(r"(?i)appl|session|using|used|get_?provider|selected|active|current|sess")
#: What ONNX Runtime says to those who name no provider.
_ENABLED = regex(r"This ORT build has \[([^\]\n]{1,300})\] enabled")
#: The same as a log of all that it does has it, once for every session.
_ALL_NODES = regex(r"(?i)\ball nodes (?:have been )?placed on \[CPU")
#: The same where a model's nodes are divided.
_NODES = regex(r"(?i)\bplaced on \[(\w{1,40})ExecutionProvider\]\. Number of nodes: (\d{1,7})\b")
_NAMED = regex(r"\b(\w{1,40})ExecutionProvider\b")
#: Providers that compute on NVIDIA's GPUs, and those that every build has.
_OF_NVIDIA, _OF_ALL = ("CUDA", "Tensorrt", "NvTensorRTRTX"), ("CPU", "Azure")
#: Of two packages for one module, which people name to say that it is not that.
_ALONE = regex(
    r"(?i)\A(?=.{1,300}\Z)(?!.*(?:\?|\b(?:if|should|must|need\w*|make sure|ensure|try|please)\b))"
    r".*?\b(?:I|we)(?:'ve)?\b[^.\n]{0,24}?\W(?:only\W{1,4}(?:have )?installed|only have"
    r"|(?:installed|have) only)\W{1,5}(?:the )?onnxruntime-gpu\b"
)
#: Providers of other hardware: a build that has one of them serves that.
_ELSEWHERE = ("Rocm", "MIGraphX", "Dml", "CoreML", "OpenVINO", "Tensorrt")


def read(text: Text) -> Statements:
    """What a build has, or what a session runs with, as far as the label tells."""
    found = [
        (match, line)
        for line, match in text.matching(_LIST, "executionprovider")
        if not _CODE.search(match["label"])
    ]
    for line, _ in text.matching(_ALONE, "onnxruntime-gpu"):
        yield from variant("onnxruntime-gpu", line)
    for line, match in text.matching(_ENABLED, "this ort build has ["):
        if "CUDAExecutionProvider" not in match[1] and not _other(match[1]):
            yield from built_for("onnxruntime", "cpu", "", line)
    for line in text.having("placed on [cpuexecutionprovider]"):
        if _ALL_NODES.search(line.text):
            yield say(said.FRAMEWORK_COMPUTED("onnxruntime"), False, line)
    yield from _divided(text)
    yield from _preferred(text)
    anywhere = any("CUDAExecutionProvider" in match["names"] for match, _ in found)
    for match, line in found:
        if "CUDAExecutionProvider" in match["names"]:
            yield from _with_cuda(match["label"], line)
        elif "CPUExecutionProvider" in match["names"] and not _other(match["names"]):
            label = match["label"].strip() or _asked(text, line)
            if _of_session(label, match["names"], anywhere=anywhere):
                yield say(said.FRAMEWORK_COMPUTED("onnxruntime"), False, line)
            else:
                yield from built_for("onnxruntime", "cpu", "", line)


def _divided(text: Text) -> Statements:
    """A model of which the GPU has the larger part: shapes and the like are left to the CPU."""
    nodes = dict.fromkeys(("CPU", *_OF_NVIDIA), 0)
    last = None
    for line, match in text.matching(_NODES, "executionprovider]. number of nodes: "):
        nodes[match[1]] = nodes.get(match[1], 0) + int(match[2])
        last = line if match[1] in _OF_NVIDIA else last
    if last is not None and sum(nodes[each] for each in _OF_NVIDIA) > nodes["CPU"]:
        yield say(said.FRAMEWORK_COMPUTED("onnxruntime"), True, last)


def _preferred(text: Text) -> Statements:
    """It warns so where some nodes are with the CPU, and others with a provider that was asked for.

    Which one that is the warning leaves out.
    """
    lines = text.having("executionprovider")
    named = {name for line in lines for name in _NAMED.findall(line.text)}
    if "CUDA" in named and named <= {*_OF_NVIDIA, *_OF_ALL}:
        for line in text.having("nodes were not assigned to the preferred execution providers"):
            yield say(said.FRAMEWORK_SEES_GPU("onnxruntime"), True, line)


def _asked(text: Text, line: Line) -> str:
    """The line above a list without a label, where that asks a session for it."""
    above = text.before(line, 1)
    return above[0].text if above and ".get_providers()" in above[0].text else ""


def _with_cuda(label: str, line: Line) -> Statements:
    yield say(names.PACKAGE_BUILD("onnxruntime-gpu"), "cuda", line)
    if _OF_SESSION.search(label) and not _OF_BUILD.search(label):
        yield say(said.FRAMEWORK_SEES_GPU("onnxruntime"), True, line)


def _of_session(label: str, names_: str, *, anywhere: bool) -> bool:
    """Without a label: a build's list beside one with CUDA would be a second build."""
    if _OF_BUILD.search(label):
        return False
    return bool(_OF_SESSION.search(label)) or (anywhere and "Azure" not in names_)


def _other(names_: str) -> bool:
    return any(each in names_ for each in _ELSEWHERE)
