"""Failures that nothing suffered: what a test provoked, and passed.

Of a test suite that passed, what was skipped still counts: its reason may be the fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..regex import regex
from .prompts import command_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Line, Text

#: How many lines a test, and a suite of tests, writes at most between its start and its result.
LONGEST_TEST, LONGEST_SUITE = 40, 400

_BEGUN = regex(r"(?a)\[ RUN      \] (\S+)")
_GO_BEGUN = regex(r"=== RUN {3}(\S+)")
_GO_PASSED = regex(r"\A--- PASS: (\S+)")
_GO_ENDED = regex(r"--- (?:PASS|FAIL|SKIP): ")
#: The line of a test, by pytest, unittest, cargo, go; by CTest.
_PASSED = regex(
    r"(?:(?<!\bTest )\bPASSED|\bXFAIL|\.\.\. ?(?:ok|expected failure))(?:\s*\[ *\d{1,3}%\])?\s*\Z"
    r"|\A(?:XFAIL|PASSED) |\bTest +#\d{1,5}: [^\n]{1,80}\bPassed +\d"
)
#: Of a program's own checks nobody knows which of them its last line counts.
_TEST = regex(r"(?i)\btests?[\s_/.]")
#: unittest writes the result below what the test wrote.
_NAMED = regex(r"(?a)\A(test\w*) \([\w.]+\)")
_OK = regex(r"\A(?:ok|expected failure)\s*\Z")
#: Where somebody, or a script, runs a suite; in a sentence the same names begin nothing.
_SUITE = regex(
    r"(?i)(?<!=)={3,} test session starts|\bcollected \d+ items?|\A *Start +1:"
    r"|\Arunning \d+ tests?\b"
    r"|\A(?:\S{0,60}[$#>%+] ?)?(?:\w{1,40}=\S{1,80} )?(?:python\S{0,8} (?:-m )?|julia )?"
    r"(?:ctest|pytest|py\.test|unittest|cargo test|devtools::test\(|test/test_\w+\.py"
    r"|\S{0,60}runtests?)\b(?!,| (?:for|of|on|and|is|was|in)\b)|\bpkg> ?test\b"
)
_ALL_PASSED = regex(
    r"\A(?!.*\b[1-9]\d* (?:failed|errors?)\b).*\b[1-9]\d* passed\b[^\n]{0,80} in \d"
    r"|\b100% tests passed|\btests passed\s*\Z|\[ FAIL 0 \||\btest result: ok\."
)
_FAILED = regex(
    r"\bFAILED\b|\b[1-9]\d* failed\b|\AFAIL:|\berror: test failed\b|\bAborted\b|\bcore dumped\b"
    r"|\bSegmentation fault\b"
)
#: Where pytest shows what nobody expected: a warning that tests provoke is caught by them.
_WARNINGS = regex(r"(?<!=)={3,} warnings summary")
_RAN = regex(r"(?a)\ARan [1-9]\d* tests? in ")
_ALL_OK = regex(r"\AOK(?: \(|\s*\Z)")
_SKIPPED = regex(r"(?i)\bskip")
#: A job without a GPU, by its name, leaves out what needs one.
_OF_CPU_JOB = regex(r"\A\[[\w.-]*\bcpu\b[\w.-]*\] [^\n]{0,200}\bSKIPPED\b")


def lines_rehearsed(text: Text) -> frozenset[int]:
    """The numbers of the lines that name failures as a part of tests."""
    return frozenset((*_of_tests(text), *_of_go(text), *_of_results(text), *_of_suites(text)))


def _of_tests(text: Text) -> Iterator[int]:
    """What googletest shows between a test's start and its OK."""
    for line in text.having("[ run      ]"):
        begun = _BEGUN.search(line.text)
        within: list[int] = []
        for after in text.after(line, LONGEST_TEST) if begun is not None else ():
            if begun is not None and "[       OK ]" in after.text and begun[1] in after.text:
                yield from within
            if _BEGUN.search(after.text) or "[  FAILED  ]" in after.text:
                break
            within.append(after.number)


def _of_go(text: Text) -> Iterator[int]:
    """What Go shows between a test's start and its PASS."""
    for line, passed in text.matching(_GO_PASSED, "--- pass: "):
        within: list[int] = []
        for above in reversed(text.before(line, LONGEST_TEST)):
            within.append(above.number)
            begun = _GO_BEGUN.match(above.text)
            if begun is not None and begun[1] == passed[1]:
                yield from within
            if _GO_ENDED.match(above.text):
                break


def _of_results(text: Text) -> Iterator[int]:
    """Lines of tests that passed, failed as was expected, or were skipped where they had to be."""
    for line, _ in text.matching(_PASSED, "passed", "xfail", "... ok", "...ok", "expected failure"):
        yield line.number
    for line, _ in text.matching(_OF_CPU_JOB, "skipped"):
        yield line.number
    for line, _ in text.matching(_NAMED, "test"):
        below = [each for each in text.after(line, 3) if each.text.strip()]
        if below and _OK.match(below[0].text):
            yield line.number


def _of_suites(text: Text) -> Iterator[int]:
    """What a suite of tests wrote between its start and a result without a failure."""
    for end in text.having(" passed", "fail 0 |", "test result: ok", "ran "):
        if _is_passed(text, end):
            lines = _suite(text, end)
            if not any(_FAILED.search(each.text) for each in lines):
                yield from (each.number for each in lines if not _SKIPPED.search(each.text))


def _is_passed(text: Text, end: Line) -> bool:
    return bool(_ALL_PASSED.search(end.text) or (_RAN.match(end.text) and _is_ok(text, end)))


def _suite(text: Text, end: Line) -> list[Line]:
    """The lines of the suite that ends there, from its first one to the summary of warnings.

    It reaches no farther up than to the command that ran it, or to the end of another suite.
    """
    lines: list[Line] = []
    begun = 0
    for line in reversed(text.before(end, LONGEST_SUITE)):
        if _is_passed(text, line):
            break
        lines.append(line)
        if _SUITE.search(line.text) or (_PASSED.search(line.text) and _TEST.search(line.text)):
            begun = len(lines)
        if command_of(line):
            break
    suite = lines[:begun][::-1]
    warned = (at for at, line in enumerate(suite) if _WARNINGS.search(line.text))
    return suite[: next(warned, None)]


def _is_ok(text: Text, ran: Line) -> bool:
    return any(_ALL_OK.match(each.text) for each in text.after(ran, 2))
