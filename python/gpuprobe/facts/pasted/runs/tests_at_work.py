"""Tests that passed on a CUDA device: by what they are named, or by what they were given.

A test that only compares messages or hides the GPU passes without one, so its name has to tell
of none of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from ..text import Line, Text

#: In the names of tests that need no GPU.
_WITHOUT = (
    r"(?!\S{0,200}?(?i:no_|none|dis|unavail|fall|skip|host|error|message|missing|mock|fake|raise|import"
    r"|parse|version|env|[_.:]cpu))"
)
_PASSED: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    # Named after CUDA.
    (
        "googletest",
        ("[       ok ] cuda", "[       ok ] gpu"),
        regex(r"\[       OK \] (?i:cuda|gpu)(?![\w.]*(?i:no|dis|unavail|fall|skip|host))"),
    ),
    # The device stands among what the test is given: "test_matmul[cuda:0-float16] PASSED".
    (
        "pytest",
        ("] passed",),
        regex(
            rf"::{_WITHOUT}\w{{2,120}}\[(?:[\w.=]{{1,40}}-){{0,8}}cuda(?::\d{{1,2}})?"
            r"(?:-[\w.=]{1,40}){0,8}\] PASSED\b"
        ),
    ),
    # The class with which PyTorch tests CUDA, which skips its tests where there is none.
    (
        "torch",
        (".testcuda",),
        regex(rf"\A{_WITHOUT}test_\w{{2,120}} \(\w[\w.]{{0,60}}\.TestCuda(?:\.\w+)?\) \.\.\. ok\b"),
    ),
    (
        "ctest",
        (" passed ",),
        regex(
            rf"\A\s*\d{{1,5}}/\d{{1,5}} Test\s+#\d{{1,5}}: {_WITHOUT}(?i:gpu|cuda)[._]\S{{2,120}}"
            r" \.+\s+Passed\s"
        ),
    ),
    # A file of tests that is named after the GPU: its dots are tests that passed, none was skipped.
    (
        "pytest",
        (".py ..",),
        regex(
            rf"\A{_WITHOUT}\S{{0,120}}(?:gpu|cuda)\w{{0,40}}\.py \.{{3,200}}\s+\[ ?\d{{1,3}}%\]"
            r"\s*\Z"
        ),
    ),
    # What Julia's package manager says of the tests of CUDA.jl.
    ("cuda-jl", ("testing cuda tests passed",), regex(r"\A\s*Testing CUDA tests passed\b")),
)
#: OpenCV's tests name the backend and the target that they are run with.
_RUN = regex(
    r"\A\[ RUN      \] (?P<test>\S{3,160}), where GetParam\(\) = .*\bCUDA/CUDA(?:_FP16)?\b"
)
_LONGEST = 12


def lines_of_devices(text: Text) -> frozenset[int]:
    """The numbers of their lines, which tell of the machine as no other test does."""
    return frozenset(line.number for _, line in _passed(text))


def read(text: Text) -> Statements:
    """What passed tests show, each kind once."""
    for program, line in _passed(text):
        yield say(said.FRAMEWORK_COMPUTED(program), True, line)


def _passed(text: Text) -> Iterator[tuple[str, Line]]:
    for program, cues, pattern in _PASSED:
        first = next(text.matching(pattern, *cues), None)
        if first is not None:
            yield program, first[0]
    for start, run in text.matching(_RUN, "cuda/cuda"):
        for line in text.after(start, _LONGEST):
            if line.text.startswith(f"[       OK ] {run['test']}"):
                yield "opencv-python", line
                return
