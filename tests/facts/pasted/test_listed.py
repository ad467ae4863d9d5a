"""Which lines list texts: the answers of searches, histories, changes, codes, file names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted.listed import lines_listed
from gpuprobe.facts.pasted.text import Text

CODES = "0 cudaSuccess\n1 cudaErrorInvalidValue\n35 cudaErrorInsufficientDriver\n"


@pytest.mark.parametrize(
    ("pasted", "listed"),
    [
        ('$ rg -n "no kernel" src/\nsrc/a.cpp:8: return "boom";\n$ ./run\nafter', {2}),
        ("$ git grep boom\na.py:3: boom\n$ ls\nafter", {2}),
        ("$ grep -rn boom include\na.h:3: // boom\n$ ls\nafter", {2}),
        ("$ git log --oneline\n4fe01ac catch boom\n$ make\nafter", {2}),
        ("# good: [77ac310] Fall back when boom\ngit bisect good 77ac310", {1}),
        ("### Fixed\n- boom (#412)\n- bang\nafter", {2, 3}),
        ("  wiki/ops/boom after suspend.md      changed\nafter", {1}),
        (f"{CODES}999 cudaErrorUnknown\nafter", {1, 2, 3, 4}),
        (
            "['no driver after update',\n 'printer is offline',\n 'boom and bang'] \nafter",
            {1, 2, 3},
        ),
        # What happens, and not what is listed.
        ("$ grep -i error train.log\nboom", set()),
        ("$ grep -rn error run.log\nboom", set()),
        ("$ dmesg | grep -i nvrm\nboom", set()),
        ("$ git pull && python train.py\nboom", set()),
        (f"{CODES}after", set()),
        ("RuntimeError: 35 cudaErrorInsufficientDriver", set()),
        ("fixed it, but now\n- boom", set()),
        ('  File "a/b.py", line 3\nboom', set()),
        ("'one text that is long enough'\nboom", set()),
    ],
)
def test_which_lines_are_listed(pasted: str, listed: set[int]):
    assert lines_listed(Text(pasted)) == listed


@given(
    st.lists(st.sampled_from(["$ git log", "boom", "### Fixed", "- boom", "", *CODES.split("\n")]))
)
def test_a_list_is_of_lines_that_are_there(lines: list[str]):
    listed = lines_listed(Text("\n".join(lines)))
    assert all(lines[number - 1].strip() for number in listed)
