"""Progress: one line of a terminal that changes and goes; elsewhere only what takes long."""

from __future__ import annotations

import io
from typing import Any

import pytest

from gpuprobe.report.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def climbed(stream: io.StringIO, term: str = "xterm") -> str:
    with Progress(stream, {"TERM": term}) as progress:
        progress.begins("matmul float32, native")
        progress.waits("waiting for matmul float32, native, at most 60 s")
        progress.begins("matmul float16, native")
    return stream.getvalue()


def test_terminal_has_one_line_which_is_gone_at_the_end():
    clear = "\r\x1b[K"
    assert climbed(Terminal()).split(clear) == [
        "",
        "gpuprobe: matmul float32, native",
        "gpuprobe: waiting for matmul float32, native, at most 60 s",
        "gpuprobe: matmul float16, native",
        "",
    ]


def test_file_gets_a_line_for_what_takes_long_and_no_other():
    told = "gpuprobe: waiting for matmul float32, native, at most 60 s\n"
    assert climbed(io.StringIO()) == told


def test_dumb_terminal_gets_no_escape_sequence():
    assert climbed(Terminal(), "dumb") == climbed(io.StringIO())


class Log:
    """A program's own, in the place of standard error: less than a stream."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        self.lines.append(text)

    def flush(self) -> None:
        """Nothing is kept back."""


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stream", [None, closed(), Log()], ids=["none", "closed", "log"])
def test_program_without_a_whole_standard_error_computes_all_the_same(stream: Any):
    with Progress(stream) as progress:
        progress.begins("matmul float32, native")
        progress.waits("waiting for matmul float32, native, at most 60 s")
    if isinstance(stream, Log):
        assert stream.lines == [
            "gpuprobe: waiting for matmul float32, native, at most 60 s\n",
        ]
