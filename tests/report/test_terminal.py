"""What a stream can show, and wrapping."""

from __future__ import annotations

import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.report.terminal import Style, cells, margin, style_of, wrap


class Stream(io.TextIOWrapper):
    """A stream in memory that may claim to be a terminal."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("variables", "terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colour_follows_the_conventions(
    variables: dict[str, str], terminal: bool, coloured: bool
) -> None:
    assert style_of(Stream(terminal=terminal), "auto", variables).colour is coloured


@pytest.mark.parametrize(("choice", "coloured"), [("always", True), ("never", False)])
def test_option_is_stronger_than_variables(choice: str, coloured: bool):
    variables = {"NO_COLOR": "1"} if coloured else {"FORCE_COLOR": "1"}
    assert style_of(Stream(), choice, variables).colour is coloured  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("columns", "width"),
    [
        ("40", 40),
        ("200", 100),
        ("1", 20),
        ("0", 80),
        ("wide", 80),
        ("", 80),
        ("²", 80),
        ("9" * 5000, 80),
    ],
)
def test_width_is_what_columns_says_within_reason(columns: str, width: int):
    assert style_of(Stream(), "auto", {"COLUMNS": columns}).width == width


def test_width_of_a_terminal_is_asked_of_it():
    main, other = os.openpty()
    try:
        import fcntl
        import struct
        import termios

        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 57, 0, 0))
        with os.fdopen(os.dup(other), "w", encoding="utf-8") as stream:
            style = style_of(stream, "auto", {})
    finally:
        os.close(main)
        os.close(other)
    assert (style.width, style.colour) == (57, True)


@pytest.mark.parametrize(
    ("encoding", "ascii_only"),
    [("utf-8", False), ("latin-1", True), ("ascii", True), ("cp1252", True), ("utf-16", False)],
)
def test_ascii_is_the_way_out_where_marks_cannot_be_encoded(encoding: str, ascii_only: bool):
    assert style_of(Stream(encoding), "auto", {}).ascii is ascii_only


@pytest.mark.parametrize("home", ["/", "", "//"])
def test_root_folder_is_no_home(home: str):
    assert style_of(Stream(), "auto", {"HOME": home}).home is None


def test_home_needs_a_path_below_it():
    style = Style(home="/home/alice")
    assert style.plain("/home/alice/x") == "~/x"
    assert style.plain("/home/alice2/x") == "/home/alice2/x"


def test_home_in_the_middle_of_a_path_is_another_folder():
    home = "/root"
    text = f"/proc/1{home}/lib, {home}/lib:{home}/x"
    assert Style(home=home).plain(text) == f"/proc/1{home}/lib, ~/lib:~/x"


@given(st.text(), st.integers(20, 100))
def test_wrapping_loses_nothing_and_fits(text: str, width: int):
    lines = wrap(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cells(line) <= width for line in lines)


@given(st.text(), st.booleans())
def test_plain_text_never_steers_the_terminal(text: str, only_ascii: bool):
    shown = Style(ascii=only_ascii).plain(text)
    assert shown.isprintable()
    assert shown.isascii() or not only_ascii


def test_wide_characters_take_two_columns():
    assert cells("图形") == 4
    assert wrap("图形" * 10, 20) == ["图形" * 5, "图形" * 5]


UUID = "GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f10"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (UUID, [UUID]),
        (f"gpu:{UUID} is lost", ["gpu:", UUID, "is lost"]),
        (f'A="{UUID}", no more', ["A=", f'"{UUID}",', "no more"]),
        (f"{UUID},MIG-{UUID}/1/0", [f"{UUID},", f"MIG-{UUID}", "/1/0"]),
    ],
)
def test_uuid_is_never_broken(text: str, lines: list[str]):
    assert wrap(text, 38) == lines


def test_line_that_is_too_wide_begins_nearer_to_the_margin():
    assert [margin(UUID, 7, width) for width in (80, 44, 40, 20)] == [" " * 7, " " * 4, "", ""]


def test_long_path_is_cut_after_a_slash():
    assert wrap("/usr/lib/x86_64-linux-gnu/libcuda.so.1", 30) == [
        "/usr/lib/x86_64-linux-gnu/",
        "libcuda.so.1",
    ]
