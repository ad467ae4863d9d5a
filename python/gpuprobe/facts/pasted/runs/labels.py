"""Labels that a program counts or lists, and the number of classes that its model was made for.

A label is an index: of 5 classes they go from 0 to 4. One beyond that ends in a kernel, and what
is said of it depends on which call comes next.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import command_of
from ..statement import Statements, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

_CLASSES = regex(r"(?ai)\b(?:num_labels|num_classes|n_classes)['\"]?\s{0,4}[=:]\s{0,4}(\d{1,5})\b")
#: The last layer, where the text prints no other one.
_LAYER = regex(r"(?a)\bLinear\(in_features=\d{1,6}, out_features=(\d{1,5})\b")
#: The last line of what pandas prints of a column's counts, and a row above it.
_COLUMN = regex(r"\A\s{0,8}(?:Name: (?P<name>[\w.-]{1,40}), )?(?:Length: \d{1,6}, )?dtype: int64")
_COUNTED = regex(r"\A\s{0,8}(-?\d{1,6})\s{1,40}\d{1,12}\s*\Z")
#: "df['stars'].value_counts()" and the like: which column it is.
_OF_COLUMN = regex(r"(?:\[['\"]([\w.-]{1,40})['\"]\]|\b(\w{1,40}))\.value_counts\(")
#: Names of labels themselves; "classes_per_image" or "num_labels" are of something else.
_NAMES = r"(?i:(?:[a-z0-9]{1,20}_)?(?:labels?|targets?)|y)(?i:_(?:ids?|idx|train|val|valid|test))?"
_COLUMN_NAME = regex(rf"{_NAMES}|(?i:class|category)(?i:_ids?)?")
#: What is asked for at a prompt, and a row of whole numbers as an answer.
_ASKED = regex(
    rf"(?<![\w.])(?:(?:np|numpy|torch)\.unique|set)\(\s?{_NAMES}(?:\.\w{{1,12}}\(\))?\)"
    rf"|(?:\[['\"]{_NAMES}['\"]\]|\b{_NAMES})\.unique\("
)
_LISTED = regex(
    r"\A\s{0,8}(?:array|tensor)?\(?[\[{]\s{0,2}(-?\d{1,6}(?:[, ]\s{0,4}-?\d{1,6}){1,200})\s?[\]}]"
)
_MOST_ROWS = 64
#: Labels that the loss passes over: PyTorch's own number for them, and what a program names.
_IGNORED = regex(r"(?a)\bignore_index['\"]?\s?[=:]\s?(?:(-?\d{1,6})\b)?")
_IGNORED_BY_TORCH = -100
#: What gives labels other numbers before the model sees them.
_RENUMBERED = regex(
    r"(?i)LabelEncoder|fit_transform|factorize\(|cat\.codes|remap|label2id|searchsorted"
    r"|return_inverse|\.(?:map|replace|apply|clip|clamp)\("
)
_RENUMBERS = ("labelencoder", "fit_transform", "factorize(", "cat.codes", "remap", "label2id",
              "searchsorted", "return_inverse", ".map(", ".replace(", ".apply(", ".clip(",
              ".clamp(")  # fmt: skip
_SHIFTED = r"\b[^=\n]{0,40}?[-+]=?\s?\d"


def read(text: Text) -> Statements:
    """The least and the greatest label, where one of them is no class of the only model."""
    classes = {int(match[1]) for _, match in text.matching(_CLASSES, "num_", "n_classes")}
    if not classes and "crossentropyloss" in text:
        classes = {int(match[1]) for _, match in text.matching(_LAYER, "out_features=")}
    ignored = {match[1] for _, match in text.matching(_IGNORED, "ignore_index")}
    if len(classes) != 1 or None in ignored or _renumbers(text):
        return
    most, passed_over = classes.pop(), {_IGNORED_BY_TORCH, *map(int, ignored)}
    for line, found in (*_counted(text), *_listed(text)):
        labels = set(found) - passed_over
        if labels and (min(labels) < 0 or max(labels) >= most):
            told = f"{min(labels)} to {max(labels)} with {most} classes"
            yield say(said.SIGN("labels-beyond-classes"), told, line)
            return


def _renumbers(text: Text) -> bool:
    return text.shows(_RENUMBERED, *_RENUMBERS)


def _counted(text: Text) -> Iterator[tuple[Line, list[int]]]:
    asked = [each for _, each in text.matching(_OF_COLUMN, ".value_counts(")]
    columns = {each[1] or each[2] for each in asked}
    if len(columns) != 1:
        return
    column = columns.pop()
    if not _is_label(text, column) or _is_shifted(text, column):
        return
    for line, match in text.matching(_COLUMN, "dtype: int64"):
        if (match["name"] or "count") not in (column, "count"):
            continue
        rows: list[int] = []
        for above in reversed(text.before(line, _MOST_ROWS)):
            row = _COUNTED.match(above.text)
            if row is None:
                break
            rows.append(int(row[1]))
        yield line, rows


def _is_label(text: Text, column: str) -> bool:
    """Whether a column is called so, or stands where code names its labels."""
    if _COLUMN_NAME.fullmatch(column):
        return True
    given = re.compile(rf"(?i)\b(?:labels?|targets?|y)\s?=.{{0,80}}['\"]{re.escape(column)}['\"]")
    return text.shows(given, column.lower())


def _is_shifted(text: Text, column: str = "") -> bool:
    """Whether code adds a number to the labels, or takes one from them."""
    names = re.compile(rf"\b(?:{_NAMES}|{re.escape(column) or _NAMES}){_SHIFTED}")
    cues = ("label", "target", "y", *((column.lower(),) if column else ()))
    return text.shows(names, *cues)


def _listed(text: Text) -> Iterator[tuple[Line, list[int]]]:
    if _is_shifted(text):
        return
    for line in text.having("unique(", "set("):
        command = command_of(line)
        code, _, beside = line.text.partition("->")
        if not _ASKED.search(command or code):
            continue
        answer = beside if command is None else "".join(each.text for each in text.after(line, 1))
        if match := _LISTED.match(answer):
            yield line, [int(each) for each in re.findall(r"-?\d+", match[1])]
