"""Code that trains gradient-boosted trees and names no GPU, so that it is the CPU's.

XGBoost, LightGBM and CatBoost compute on the CPU until a parameter says otherwise, and none of
them says a word of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import said
from .statement import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .statement import Statement
    from .text import Text

_TRAINED = re.compile(
    r"\b(?:(?P<xgboost>(?:xgb|xgboost)\.train\(|XGB(?:Classifier|Regressor|Ranker)\()"
    r"|(?P<lightgbm>(?:lgb|lightgbm)\.train\(|LGBM(?:Classifier|Regressor|Ranker)\()"
    r"|(?P<catboost>CatBoost(?:Classifier|Regressor|Ranker)?\())"
)
_CUES = ("xgb.train(", "xgboost.train(", "lgb.train(", "lightgbm.train(", "classifier(",
         "regressor(", "ranker(", "catboost(")  # fmt: skip
#: A device in any of their parameters, or code that is handed on from elsewhere.
_DEVICE = re.compile(
    r"(?i)\bgpu_hist\b|\bgpu_id\b|\bgpu_platform_id\b|\bgpu_predictor\b"
    r"|\b(?:device|device_type|task_type)['\"]?\s{0,4}[:=]|\*\*(?!params\b)\w"
)
_DEVICE_CUES = ("gpu_", "device", "task_type", "**")


def read(text: Text) -> Iterator[Statement]:
    """The library whose training names no device."""
    if any(True for _ in text.matching(_DEVICE, *_DEVICE_CUES)):
        return
    for line, match in text.matching(_TRAINED, *_CUES):
        yield say(said.FRAMEWORK_COMPUTED(match.lastgroup or ""), False, line)
        return
