"""Who holds the most of a GPU's memory, where the text names that program nowhere else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..prompts import command_of, commands
from ..statement import Statements, say
from ..tools.nvidia_smi_processes import MIB, ROW, Process, processes

if TYPE_CHECKING:
    from ..text import Line, Text

#: A compiled program that is started by its path, or by the tool that compiled it.
_BINARY = regex(
    r"\A(?:sudo )?(?:\.(?:/[\w-]{1,60}){1,6}|(?:cargo(?: \+\S{1,40})?|go|dotnet) run)(?: |\Z)"
)
#: What glibc prints: the program, and where in its source.
_ASSERTED = regex(
    r"(?a)\A(?!python)[\w-]{2,40}: \S{1,80}\.c(?:u|c|pp)?:\d{1,6}: .{1,200}: Assertion "
)
#: A row that begins with a user's name, or a number, and has a process' times.
_OF_PS = regex(r"(?a)\A\s{0,8}[\w+-]{1,32}\s{1,12}(?:\d{1,7}\s.{0,80}?)?\d{1,3}[:-]\d\d:\d\d")
#: The file of a process, without its folders and what ends a file of Windows.
_PROGRAM = regex(r"(?i)([^/\\\s]{5,60}?)(?:\.exe|\.bin)?\Z")
_SCRIPT = regex(r"(?a)\bpython[\d.]{0,5} (?:-u )?(?:\S{0,200}/)?([\w-]{3,60}\.py)\b")
#: What runs programs of all kinds, and tells nothing by its name; as "[Not Found]" does not.
_RUNNERS = regex(
    r"(?i)\A(?:python|java|node|dotnet|julia|bash|docker|conda|jupyter|ipykernel|uvicorn|gunicorn"
    r"|hypercorn|celery|torchrun|accelerate|deepspeed|ray|pt_|vllm|sglang|llama|nvidia-cuda-mps"
    r"|rsession|rscript|\W|.*(?:\.\.\.|::|_launcher|\]\Z))"
)
#: A server whose processes have more in their names; what it says is in llama.cpp's words, as
#: what other programs say that load models in the same way.
_OLLAMA = regex(r"(?i)\Aollama")
_LLAMA_INSIDE = regex(r"(?i)koboldcpp|lm-?studio|gpt4all|llamafile|localai|whisper")
_OF_LLAMA = ("ggml", "llama runner", "model runner has")
_OTHERS_OF_LLAMA = ("llamasharp", "llama_cpp", "llama-cpp-python", "koboldcpp", "llama-server")


def read(text: Text) -> Statements:
    """Who holds the most of a GPU, where nothing but the rows of that program names it."""
    rows = processes(text)
    told = {row.line.number for row in rows}
    most: dict[str, Process] = {}
    for row in _placed(rows):
        gpu = row.gpu or "0"
        most[gpu] = max(most.get(gpu, row), row, key=lambda each: each.held)
    compiled = bool(most) and (_is_compiled(text) or _is_of_ollama(text))
    for gpu, row in most.items():
        called = _script_of(text, row.pid) or _called(text, row.name, compiled=compiled)
        named = text.having(called.lower()) if called else ()
        if called and all(line.number in told or _is_beside(line, row.pid) for line in named):
            yield say(said.GPU_STRANGER(gpu), row.held * MIB, row.line)


def _placed(rows: tuple[Process, ...]) -> tuple[Process, ...]:
    """Without the rows of which GPU nobody tells, where they are of several, or others are told."""
    known = tuple(row for row in rows if row.gpu)
    places = {row.place for row in rows if not row.gpu}
    return known if known or len(places) > 1 else rows


def _called(text: Text, name: str, *, compiled: bool) -> str | None:
    """By what the text would name this program, were it the one that failed."""
    program = _PROGRAM.search(name)
    if program is None:
        return None
    if ollama := _OLLAMA.match(program[1]):
        of_llama = _any_of(text, _OF_LLAMA) and not _any_of(text, _OTHERS_OF_LLAMA)
        return None if of_llama else ollama[0]
    if "ggml" in text and _LLAMA_INSIDE.match(program[1]):
        return None
    ambiguous = _RUNNERS.match(program[1]) and not (compiled and program[1].startswith("python"))
    return None if ambiguous else program[1]


def _any_of(text: Text, words: tuple[str, ...]) -> bool:
    return any(each in text for each in words)


def _script_of(text: Text, pid: str) -> str | None:
    """The script that Python runs under a number, with its point, where somebody asked ps."""
    for _, _, answered in commands(text, "ps -", "ps aux", "ps p"):
        for row in answered:
            of_it = re.match(rf"\s*(?:[A-Za-z_][\w+.-]*\s+|\d+\s+)?{pid}\s", row.text)
            if of_it and (script := _SCRIPT.search(row.text)):
                return script[1].removesuffix("py")  # as its log has it, too
    return None


def _is_compiled(text: Text) -> bool:
    """Whether what failed was compiled: it was started by its path, or its assert() failed."""
    if any(True for _ in text.having("traceback (most recent", "runtimeerror", "torch.")):
        return False  # a script in front of Python's program
    typed = (command_of(line) or "" for line in text.having("./", " run"))
    return any(map(_BINARY.match, typed)) or text.shows(_ASSERTED, "assertion")


def _is_of_ollama(text: Text) -> bool:
    """Whether it is Ollama's own log that tells of the failure: its server runs no Python."""
    logged = "source=server.go" in text and _any_of(text, _OF_LLAMA)
    return logged and not _any_of(text, _OTHERS_OF_LLAMA)


def _is_beside(line: Line, pid: str) -> bool:
    """Whether a line that names a program is a row of nvidia-smi's table, or of ps."""
    row = ROW.search(line.text) or _OF_PS.match(line.text)
    return row is not None or re.match(rf"\W*(?:\S+[\s,]+)?{pid}\b", line.text) is not None
