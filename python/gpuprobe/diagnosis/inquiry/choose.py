"""Choose the question: the first that the text calls for, then those that tell most apart."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.model import Facts, Unknown
from ...ourselves import INSTALL, WHERE
from ..causes import CAUSES
from ..model import Checked, MissingFact, NextStep, Proof, Reading, in_line
from .confirming import CONFIRMING
from .model import Platform, Question, everywhere, platform_of
from .programs import PROGRAMS, TORCH_START
from .surroundings import BOARD, CONTAINERS, MAC, SMI, SMI_IN_CONTAINER, SMI_IN_WSL
from .symptoms import (
    DRIVER_FAILS,
    DRIVER_FAILS_IN_WINDOWS,
    NCCL,
    RESTARTS,
    SYMPTOMS,
    TOOLKIT,
    TRACE_CUT,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


_MESSAGE = "error.*"
_GPUPROBE = (INSTALL, "gpuprobe")
OURSELVES = Question(
    "gpuprobe",
    {**everywhere(*_GPUPROBE), Platform.MACOS: _GPUPROBE},
    ("probe.level",),
    (
        Reading("a cause", "its fix stands below it."),
        Reading('"Healthy"', "driver, CUDA and a computation work; the fault is in the program."),
        Reading('"Unknown"', "paste what it prints below your text."),
    ),
    text=f"run this on that machine{WHERE}: it looks by itself, and needs nothing else",
)
#: Of a text that is no report at all, such as a letter or an empty file.
ABOUT_NOTHING = OURSELVES._replace(
    text="the text states nothing of a GPU; where one is the matter, run this on its machine"
    + WHERE
)
#: Of the name of a file, given in the place of what it holds.
FILE_ITSELF = Question(
    "file-itself",
    dict.fromkeys(Platform, ("gpuprobe explain FILE",)),
    (_MESSAGE,),
    (),
    when=("text.file_name",),
    text="the text is the name of a file, and what the file holds was not read; in Python "
    'gpuprobe.explain(pathlib.Path("FILE")) reads it',
)
#: The group that a text calls for most directly comes first; in a group, what the text names
#: most often, then the order here.
GROUPS: tuple[tuple[Question, ...], ...] = (
    (FILE_ITSELF,),
    (MAC,),
    (TRACE_CUT,),
    (NCCL, RESTARTS),
    CONTAINERS,
    (DRIVER_FAILS, DRIVER_FAILS_IN_WINDOWS),
    SYMPTOMS,
    (TORCH_START,),
    PROGRAMS,
    (TOOLKIT,),
    (BOARD, SMI_IN_CONTAINER, SMI_IN_WSL, SMI),
    (OURSELVES,),
)
#: Asked for besides, whatever the text is about.
BESIDES = (
    SMI._replace(when=("",)),
    Question("packages", everywhere("pip list"), ("package.*.version",), (), unless=("package.",)),
)
_WHOLE_MESSAGE = "the whole message of the command that fails, from its first line on"
_WHY = "not in the text"
_MOST = 4


def next_step(facts: Facts) -> NextStep:
    """The one thing to do next. There is always one: the last group fits all texts."""
    platform = platform_of(facts)
    chosen = next(_called_for(facts, platform or Platform.LINUX))
    silent = chosen is OURSELVES and all(name.startswith("text.") for name in facts)
    return _step(ABOUT_NOTHING if silent else chosen, facts, platform)


def telling(facts: Facts, cause: str) -> NextStep | None:
    """What makes sure of `cause`: its own question, else the one that leaves the fewest beside."""
    platform = platform_of(facts)
    here = platform or Platform.LINUX
    own = CONFIRMING.get(cause)
    if own is not None and _asked(own, facts, here):
        return _step(own, facts, platform)
    naming = [each for each in _called_for(facts, here) if _beside(each, cause)]
    if not naming:
        return None
    return _step(min(naming, key=lambda each: _beside(each, cause)), facts, platform)


def _beside(question: Question, cause: str) -> int:
    """How many causes are left by the answer that leaves `cause`; 0 where none does."""
    left = (len(each.causes) for each in question.readings if cause in each.causes)
    return min(left, default=0)


def _step(question: Question, facts: Facts, platform: Platform | None) -> NextStep:
    commands = question.commands[platform or Platform.LINUX]
    otherwise = None if platform is not None else _in_windows(facts, question)
    return NextStep(question.id, question.text, commands, question.readings, otherwise)


def _in_windows(facts: Facts, question: Question) -> str | None:
    """What to run in Windows for the same facts, where that would be something else."""
    there = next(_called_for(facts, Platform.WINDOWS))
    other, here = there.commands[Platform.WINDOWS], question.commands[Platform.LINUX]
    same = there.tells == question.tells
    return f"on Windows: {in_line(other)}" if same and other != here else None


def _called_for(facts: Facts, platform: Platform) -> Iterator[Question]:
    """Every question that the text calls for and does not answer, in their order."""
    for group in GROUPS:
        asked = [each for each in group if _asked(each, facts, platform)]
        yield from sorted(asked, key=lambda each: -_named(each, facts))


def _asked(question: Question, facts: Facts, platform: Platform) -> bool:
    """Whether the text calls for this question and leaves it open."""
    if platform not in question.commands:
        return False
    known = [name for name, fact in facts.items() if not isinstance(fact, Unknown)]

    def stated(start: str) -> bool:
        return any(name.startswith(start) for name in known) or not start

    open_still = any(name not in known for name in question.tells)
    called_for = any(map(stated, question.when)) and all(map(stated, question.after))
    return open_still and called_for and not any(map(stated, question.unless))


def _named(question: Question, facts: Facts) -> int:
    """In how many lines the text names what the question is about."""
    topics = (start.removeprefix("about.") for start in question.when if start[:6] == "about.")
    return sum(facts.known(said.ABOUT(topic)) or 0 for topic in topics)


# -- what else would help ---------------------------------------------------------------------


def besides(
    facts: Facts, chosen: NextStep, checks: Sequence[Checked], proof: Proof | None
) -> tuple[MissingFact, ...]:
    """The facts that the chosen question tells, then others, those that decide most first."""
    platform = platform_of(facts) or Platform.LINUX
    still = open_causes(facts, checks, proof)
    others = {each.commands[platform]: each for each in _others(facts, platform)}
    others.pop(chosen.commands, None)
    ranked = sorted(others.items(), key=lambda other: -told_apart(other[1], still))[:_MOST]
    mine = [
        each for group in GROUPS for each in group if each.id == chosen.id and each is not OURSELVES
    ]
    found: dict[str, MissingFact] = {}
    for commands, question in (*((chosen.commands, each) for each in mine[:1]), *ranked):
        for name in question.tells:
            if name not in facts:
                found.setdefault(name, MissingFact(name, _WHY, in_line(commands)))
    if not facts.subjects(said.ERROR):
        found.setdefault(_MESSAGE, MissingFact(_MESSAGE, _WHY, _WHOLE_MESSAGE))
    return tuple(found.values())


def _others(facts: Facts, platform: Platform) -> Iterator[Question]:
    yield from (each for each in _called_for(facts, platform) if each is not OURSELVES)
    yield from (each for each in BESIDES if _asked(each, facts, platform))


def open_causes(facts: Facts, checks: Sequence[Checked], proof: Proof | None) -> tuple[str, ...]:
    """The causes that nothing in the text rules out.

    What works clears the causes of which all checks stand before it in the chain, and a build
    for CUDA is no build for the CPU.
    """
    last: dict[str, int] = {}
    for check in checks:
        last[check.rule.cause] = max(last.get(check.rule.cause, 0), check.rule.link)
    reached = 0 if proof is None else proof.link
    has_cuda = "cuda" in facts.known_of(names.PACKAGE_BUILD)
    closed = {"healthy", "differs-from-lock"} | ({"cpu-only-build"} if has_cuda else set())
    return tuple(
        each for each in CAUSES if each not in closed and last.get(each, reached + 1) > reached
    )


def told_apart(question: Question, still: Collection[str]) -> int:
    """How many pairs of the causes that are open its answers tell from one another.

    Two causes are told apart where one of the answers leaves only one of them.
    """
    left = [tuple(cause in each.causes for each in question.readings) for cause in still]
    return sum(one != other for one, other in combinations(filter(any, left), 2))
