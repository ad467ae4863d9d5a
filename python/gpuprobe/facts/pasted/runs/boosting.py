"""Code that trains gradient-boosted trees and names no GPU, where somebody misses the GPU's work.

XGBoost, LightGBM and CatBoost compute on the CPU until a parameter says otherwise, and none of
them says a word of it. Most who leave them there want it so: who does not, complains of it or
shows what the GPU does meanwhile. Parameters that are not shown may well name it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Text

_TRAINED = regex(
    r"\b(?:(?P<xgboost>(?:xgb|xgboost)\.train\(|XGB(?:Classifier|Regressor|Ranker)\()"
    r"|(?P<lightgbm>(?:lgb|lightgbm)\.train\(|LGBM(?:Classifier|Regressor|Ranker)\()"
    r"|(?P<catboost>CatBoost(?:Classifier|Regressor|Ranker)?\())"
)
_CUES = ("xgb.train(", "xgboost.train(", "lgb.train(", "lightgbm.train(", "classifier(",
         "regressor(", "ranker(", "catboost(")  # fmt: skip
#: A device in any of their parameters, or code that is handed on from elsewhere.
_DEVICE = regex(
    r"(?i)\bgpu_\w|\b(?:device|device_type|task_type)(?:['\"]?\]?\s{0,4}[:=]|['\"]\s?,)|,\s?\.\.\."
    r"|\.update\("
)
_DEVICE_CUES = ("gpu_", "device", "task_type", "...", ".update(")
#: The parameters of a call by their name, and where they are written out.
_HANDED_ON = regex(r"(?:\.train\((?:params\s?=\s?)?|\*\*)([A-Za-z_][\w.]{0,40})?")
_COMMENT = regex(r"#.*")
_COMPLAINT = regex(
    r"(?i)\b(?:too|very|so|really|extremely|as|still|is|was|runs|trains) slow\b"
    r"|\bsame (?:speed|time|as (?:on|with|without))\b|\b(?:no|not|isn't|not any) faster\b"
    r"|\b(?:gpu|card)\b[^|\n]{0,24}\bidle\b|\b(?:gpu|utili[sz]ation|usage)\b[^|\n]{0,24}\b0 ?%"
    r"|\b(?:doesn't|does not|not|never) (?:use|using|uses) (?:the |my |any )?gpu\b"
    r"|\bgpu (?:is not|isn't) (?:being )?used\b|\bonly (?:uses |using )?(?:the )?cpu\b"
    r"|\b(?:while|during) (?:it |the |my |this )?(?:is )?(?:runs|running|trains|training|fitting)\b"
    r"[^|\n]{0,24}:\s{0,4}\Z"
    r"|\bnvidia[- ]smi\b[^|\n.?]{0,24}\b(?:while|during)\b"
    # top shows a Python that keeps several cores busy.
    r"|\A\s*\d{1,8} \w{1,32}\s{1,6}(?:\S{1,12}\s{1,6}){5}R\s{1,6}\d{3,5}(?:\.\d)?\s"
    r"[^\n]{0,40} python"
)
_COMPLAINS = (
    "slow",
    "same ",
    "faster",
    "idle",
    "0%",
    "0 %",
    "gpu",
    "only",
    "while ",
    "during ",
    " python",
)


#: What XGBoost keeps of the parameters in a model that is trained: the device, whoever chose it.
_KEPT = regex(r"['\"]device['\"]: ?['\"](cpu|cuda)[^{}\n]{0,80}fail_on_invalid_gpu_id")


def read(text: Text) -> Statements:
    """The library whose training names no device, where somebody complains."""
    for line, kept in text.matching(_KEPT, "fail_on_invalid_gpu_id"):
        yield say(said.FRAMEWORK_COMPUTED("xgboost"), kept[1] == "cuda", line)
        return
    trained = next(text.matching(_TRAINED, *_CUES), None)
    if trained is None or text.shows(_DEVICE, *_DEVICE_CUES):
        return
    if _complains(text) and _are_shown(text):
        line, match = trained
        yield say(said.FRAMEWORK_COMPUTED(match.lastgroup or ""), False, line)


def _complains(text: Text) -> bool:
    """A comment in code says why it is as it is."""
    return any(_COMPLAINT.search(_COMMENT.sub("", line.text)) for line in text.having(*_COMPLAINS))


def _are_shown(text: Text) -> bool:
    """Whether the parameters of each training stand in the call, or are written out above it."""
    calls = text.having(*_CUES, "**")
    given = {match[1] for line in calls for match in _HANDED_ON.finditer(line.text) if match[1]}
    shown = re.compile(r"\b([A-Za-z_]\w{0,40})\s?=\s?(?:\{|dict\()")
    return given - {"dict"} <= {match[1] for _, match in text.matching(shown, "{", "dict(")}
