"""What the way of pasting added is taken off; what a line says is kept, under its own number."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.text import Text, cues
from gpuprobe.facts.pasted.wrapped import LINE_LIMIT


@pytest.mark.parametrize(
    ("pasted", "cleaned"),
    [
        ("\x1b[31mError\x1b[0m 803", "Error 803"),
        ("> quoted", "quoted"),
        ("> > quoted twice", "quoted twice"),
        (">>> import torch", ">>> import torch"),
        ("(APIServer pid=1) CUDA error", "CUDA error"),
        ("(Worker TP0 pid=12, ip=10.0.0.1) CUDA error", "CUDA error"),
        ("windows\r", "windows"),
        ("│ in a frame        │", "in a frame"),
        ("│ of a table │ 1 │", "│ of a table │ 1 │"),
        ("a\x00b", "ab"),
        ("libcudnn.so.\u0661\u0662", "libcudnn.so.12"),
        ("\u201ccudart\u201d \u2019s", '"cudart" \'s'),
        (
            "RuntimeError\uff1a device\uff08\uff11\uff09\uff0c CPU\uff1f",
            "RuntimeError: device(1), CPU?",
        ),
        ("\u3002\u300c\uff71\u300d", "\u3002\u300c\uff71\u300d"),
    ],
)
def test_a_line_is_freed_of_what_pasting_added(pasted: str, cleaned: str) -> None:
    assert Text(pasted).lines[0].text == cleaned


@pytest.mark.parametrize(
    ("pasted", "kept"),
    [
        ("If you get CUDA out of memory, reduce the batch size.", ""),
        ("Install it. When you see 'no kernel image', update torch", "Install it. "),
        ("如果遇到 libcudnn.so.8 找不到 请安装 cuDNN", ""),
        ("If I get a CUDA error 35 it is gone", "If I get a CUDA error 35 it is gone"),
        ("If you want 8 bits, install bitsandbytes", "If you want 8 bits, install bitsandbytes"),
    ],
)
def test_what_is_only_supposed_is_not_read(pasted: str, kept: str) -> None:
    assert Text(pasted).lines[0].text == kept


def test_numbered_lines_lose_their_numbers() -> None:
    text = Text("\n".join(f"  {number} | line {number}" for number in range(9, 15)))
    assert [line.text for line in text.lines] == [f"line {number}" for number in range(9, 15)]


def test_a_list_of_gpus_is_no_numbering() -> None:
    text = Text("0: Tesla V100\n1: Tesla V100\nsome text\n2: Tesla V100")
    assert text.lines[1].text == "1: Tesla V100"


def test_having_finds_each_line_once_in_order_and_blind_to_case() -> None:
    text = Text("Driver Version: 1\nnothing\nCUDA Version and driver version\n")
    assert [line.number for line in text.having("cuda", "driver version")] == [1, 3]


@given(st.lists(st.sampled_from(["a", "A", "ab", "b", ""]), max_size=9), st.sampled_from("ab"))
def test_unlike_gives_of_these_lines_the_first_of_each_text(texts: list[str], cue: str) -> None:
    text = Text("\n".join(texts))
    first = {line.text: line for line in reversed(list(text.having(cue)))}
    assert list(text.unlike(cue)) == sorted(first.values(), key=lambda line: line.number)


def test_each_of_the_lines_that_repeat_one_matches():
    text = Text("CUDA 12\nCUDA is there\nCUDA 12\nCUDA 11")
    found = [(line.number, match[0]) for line, match in text.matching(re.compile(r"\d+"), "cuda")]
    assert found == [(1, "12"), (3, "12"), (4, "11")]


def test_one_of_the_lines_that_repeat_one_can_be_left_out():
    text = Text("CUDA 12\nCUDA 12\nCUDA 12").without({2})
    assert [line.number for line in text.having("cuda")] == [1, 3]
    assert [line.text for line in text.lines] == ["CUDA 12", "", "CUDA 12"]


def test_after_gives_the_lines_that_follow() -> None:
    text = Text("a\nb\nc\nd")
    assert [line.text for line in text.after(text.lines[1], 5)] == ["c", "d"]


def test_a_line_without_end_is_cut() -> None:
    assert len(Text("x" * (2 * LINE_LIMIT)).lines[0].text) == LINE_LIMIT


def _unlike(count: int) -> list[str]:
    """Lines that no other one repeats, in letters alone."""
    letters = "abcdefghijklmnop"
    return [
        "".join(letters[number >> at & 15] for at in range(0, 20, 4)) * 8 for number in range(count)
    ]


def test_of_what_is_longer_than_anybody_reads_the_middle_is_left_out() -> None:
    log = "\n".join(("the first", *_unlike(8_000), "CUDA error", *_unlike(8_000)[::-1], "the last"))
    text = Text(log)
    assert text.lacks_middle
    assert "the first" in text
    assert "the last" in text
    again = "\n".join((*_unlike(40), "CUDA error") * 500)
    assert not Text(again).lacks_middle
    assert not Text("CUDA error").lacks_middle


QUOTED = "my colleague's log:\nRuntimeError: CUDA error: out of memory\ntoday:\nall is well"


def test_asides_of_a_text_without_its_middle_are_known_as_such() -> None:
    short, long = (read("\n".join((QUOTED, *_unlike(count)))) for count in (4, 16_000))
    asides = short.known(said.ASIDES)
    assert asides is not None
    assert long.known(said.ASIDES) == asides


@given(st.text())
def test_any_text_becomes_lines_that_count_from_one(pasted: str) -> None:
    lines = Text(pasted).lines
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


@given(st.lists(st.text(alphabet="abc ABC", max_size=8), max_size=8), st.sampled_from("abc"))
def test_having_agrees_with_a_look_at_every_line(texts: list[str], cue: str) -> None:
    text = Text("\n".join(texts))
    expected = [line.number for line in text.lines if cue in line.text.lower()]
    assert [line.number for line in text.having(cue)] == expected


def test_a_text_shows_what_one_line_with_a_cue_matches():
    text = Text("made for CUDA 12\nand for nothing else")
    assert text.shows(re.compile(r"CUDA \d+"), "cuda")
    assert not text.shows(re.compile(r"CUDA \d+"), "nothing")


def test_cues_of_a_table_keep_their_blanks():
    assert cues("no such file| not found|out of ") == ("no such file", " not found", "out of ")
