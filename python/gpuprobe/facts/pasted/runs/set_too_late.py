"""CUDA_VISIBLE_DEVICES, set in code below a line that has started CUDA already.

An import alone may leave CUDA alone, see `environment`; what is listed here does not: it counts,
names or chooses devices, or puts something on one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ..prompts import command_of
from ..statement import Statements, say
from .environment import IMPORT, PIECE, is_code, starts_piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text import Line, Text

_SET = regex(
    r"environ\[['\"]CUDA_VISIBLE_DEVICES['\"]\]\s?=(?!=)\s?(?P<code>[^#\n]{1,80})"
    r"|(?:setdefault|putenv)\(['\"]CUDA_VISIBLE_DEVICES['\"], ?(?P<argument>[^#\n]{1,80})\)"
    r"|%(?:set_)?env CUDA_VISIBLE_DEVICES[ =](?P<magic>[\w,-]{1,80})"
    r"|\bSys\.setenv\(CUDA_VISIBLE_DEVICES ?= ?(?P<r>[^#\n)]{1,80})\)"
)
#: What needs no reckoning: numbers as a text, also made of one, or of a magic command; else what
#: names no GPU by its number, as an empty text does.
_LITERAL = regex(
    r"(?a)(?:(?:str\()?(?P<quote>['\"])?(?P<numbers>\d{1,3}(?:, ?\d{1,3}){0,31})"
    r"(?(quote)(?P=quote))\)?"
    r"|['\"][^'\"]{0,80}['\"]) ?;?"
)
#: A program that is started, at the begin of the line or behind a prompt.
_COMMAND = regex(
    r"(?a)\s{0,8}!?(?:[A-Z_]{1,40}=\S{0,80} ){0,4}"
    r"(?:python[\d.]{0,5}|torchrun|accelerate|deepspeed|bash|sh|\S{1,80}\.(?:py|sh)) "
)
_OPTION = regex(r"(?:str\()?\w{1,40}\.(\w{1,40})\)?")
_STARTED = regex(
    r"\.cuda\(\)|\.to\(['\"]cuda|\btorch\.\w+\([^\n]{0,80}\bdevice=['\"]cuda"
    r"|\btorch\.cuda\.(?:is_available|init|current_device|set_device|get_device_\w+|mem_get_info"
    r"|synchronize)\("
    r"|\bpaddle\.(?:set_device\(['\"]gpu|utils\.run_check\(|device\.cuda\.\w+\()"
    r"|\bjnp\.\w+\(|\bjax\.(?:(?:local_)?devices|(?:local_)?device_count|default_backend)\("
    r"|(?<!torch\.)\bcuda\.(?:gpus\b|list_devices\(|get_current_device\(|to_device\()"  # Numba
    r"|\bjax\.random\.\w+\(|\bcupy\.\w+\(|\bdevice_lib\.list_local_devices\("
    r"|\btf\.(?:config\.(?:experimental\.)?list_(?:physical|logical)_devices"
    r"|test\.(?:is_gpu_available|gpu_device_name))\("
    # R
    r"|\btf\$(?:config\$(?:experimental\$)?list_(?:physical|logical)_devices"
    r"|test\$(?:is_gpu_available|gpu_device_name))\(|\btf_gpu_configured\(|\bcuda_is_available\("
)
_CUES = ("cuda_visible_devices",)
#: How a statement begins; prose that names a function begins otherwise, or tells its answer.
_STATEMENT = regex(
    r"(?:assert |if |with |print\s?\("
    r"|[\w.$]{1,80}(?:\[[^\]\n]{0,40}\])?(?:, ?[\w.]{1,40}){0,6}\s?[=(])"
)
_ANSWERED = regex(
    r"\)`?:?\s{1,3}(?:returns?|is|was|gives?|prints?|shows?|says|[-=]{1,2}>|= ?(?:True|False)"
    r"|True|False)"
)
#: Also the number that a listing has before each line of code.
_PROMPT = regex(
    r"(?a)\s{0,8}(?:\d{1,4}[:|]?\s{1,2}(?=[\sa-z_#])"
    r"|(?:In ?)?\[(?:\d{1,4}|\*| )\]: |>>> |> |\.\.\. )"
)
_FUNCTION = regex(r"\s*(?:async )?(?:def|class) ")


def read(text: Text) -> Statements:
    """What the first such line gives the variable, where CUDA runs by then, and what started it."""
    yield from _beside_taken(text)
    for line, match in text.matching(_SET, *_CUES):
        if not is_code(line):
            continue
        given = _given(text, match)
        above = _above(text, line) if given else ()
        start = next((each for each, below in above if _precedes(each, line, below)), None)
        if start is not None:
            yield say(said.VISIBLE_SET_AFTER_START, given, line)
            yield say(said.VISIBLE_STARTED_BY, start.text.strip(), start)
        return


#: TensorFlow's own list of the GPUs that it takes, and the variable as a program's log prints it:
#: code has the numbers in quotes, and shells no blank before them.
_TAKEN = regex(r"\bAdding visible gpu devices: (\d{1,2}(?:, \d{1,2}){1,31})\s*\Z")
_PRINTED = regex(
    r"(?a)\bCUDA_VISIBLE_DEVICES(?:['\"]\])?(?: = | ?: )(\d{1,2}(?:,\d{1,2}){0,31})\s*\Z"
)


def _beside_taken(text: Text) -> Statements:
    """A log in which TensorFlow takes more GPUs than the variable, printed below, leaves it."""
    taken = next(text.matching(_TAKEN, "adding visible gpu devices"), None)
    if taken is None:
        return
    line, listed = taken
    for below, match in text.matching(_PRINTED, *_CUES):
        in_log = below.number > line.number and command_of(below) is None
        if in_log and len(match[1].split(",")) < len(listed[1].split(",")):
            count = len(listed[1].split(","))
            yield say(names.ENV("CUDA_VISIBLE_DEVICES"), match[1], below)
            yield say(said.VISIBLE_SET_LATE, True, below)
            yield say(said.FRAMEWORK_COUNT("tensorflow"), count, line)
            return


def _given(text: Text, match: re.Match[str]) -> str:
    """The numbers that are written, or an expression; empty where it is nothing of the two.

    An option may be given in a command: ``args.gpu`` and ``python train.py --gpu 3``.
    """
    code: str = next(filter(None, match.groups())).strip()
    if literal := _LITERAL.fullmatch(code):
        return literal["numbers"] or ""
    if option := _OPTION.fullmatch(code):
        asked = re.compile(
            rf"(?a)--{option[1]}[ =]['\"]?(\d{{1,2}}(?:,\d{{1,2}}){{0,15}})(?![\w.])"
        )
        lines = text.having(f"--{option[1].lower()}")
        commands = filter(_COMMAND.match, (command_of(each) or each.text for each in lines))
        values = {found[1] for command in commands for found in asked.finditer(command)}
        return next(iter(values)) if len(values) == 1 else code
    return code


def _above(text: Text, line: Line) -> Iterator[tuple[Line, tuple[Line, ...]]]:
    """Each line of the same program above this one, with those that stand between."""
    before = text.before(line, PIECE)
    first = max((at for at, each in enumerate(before) if starts_piece(each)), default=-1) + 1
    imports = (at for at, each in enumerate(before) if at >= first and _is_import(each))
    # What stands above a program's imports was run by itself, to see whether CUDA works.
    first = next(imports, first)
    for at in range(first, len(before)):
        yield before[at], before[at + 1 :]


def _is_import(line: Line) -> bool:
    return IMPORT.match(line.text[_column(line) :]) is not None


def _precedes(start: Line, line: Line, between: tuple[Line, ...]) -> bool:
    """Whether `start` starts CUDA, and does so before `line` is run.

    The body of a function runs when it is called: it counts where `line` stands in it as well.
    """
    column = _column(start)
    code = start.text[column:].partition("#")[0]
    if not _STARTED.search(code) or not _STATEMENT.match(code) or _ANSWERED.search(code):
        return False
    if _is_console(start) != _is_console(line):
        return False
    if column == 0 or _PROMPT.match(start.text):
        return True
    return column <= _column(line) and not any(_FUNCTION.match(each.text) for each in between)


def _is_console(line: Line) -> bool:
    return line.text.lstrip().startswith(">>>")


def _column(line: Line) -> int:
    """Where the code begins, behind a prompt and blanks."""
    prompt = _PROMPT.match(line.text)
    at = prompt.end() if prompt else 0
    return at + len(line.text[at:]) - len(line.text[at:].lstrip())
