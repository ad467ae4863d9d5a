"""The words of a judgement: links of the chain, findings, fixes, outcomes."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from ..facts.model import Absent, Facts, Key, Keys, Known, Value

if TYPE_CHECKING:
    from typing_extensions import Self


class Link(enum.IntEnum):
    """The chain from the card to the work; a link can only work if those before it do."""

    HARDWARE = 1
    KERNEL_MODULE = 2
    USER_DRIVER = 3
    DEVICE_NODES = 4
    CONTAINER = 5
    VISIBLE_DEVICES = 6
    COMPUTE_MODE = 7
    RUNTIME = 8
    LIBRARIES = 9
    FRAMEWORK = 10
    WORK = 11
    LOCK = 12  # not a link of the machine: what a team agreed on, where `--lock` names it


class Severity(enum.Enum):
    """error: what was asked for does not work; warning: it works in part; note: good to know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Confidence(enum.Enum):
    """How sure a finding is of its cause.

    certain: stated by a code, or by two facts through a table; likely: the usual reading;
    possible: one of several readings.
    """

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Safety(enum.Enum):
    """What a fix may cost: nothing, the user's own files, an administrator's rights, a reboot."""

    SAFE = "safe"
    USER = "user"
    ADMIN = "admin"
    REBOOT = "reboot"


class Role(enum.Enum):
    """Where a finding stands in the report."""

    ROOT = "root"
    CONSEQUENCE = "consequence"
    INDEPENDENT = "independent"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One fact that a finding rests on, and where it was read."""

    fact: str
    value: str
    source: str


def cite(facts: Facts, *keys: Key[object]) -> tuple[Evidence, ...]:
    """The evidence under `keys`, each once, without those that nobody knows.

    A line of a text that says two things is shown once.
    """
    cited = ((name, facts.get(name)) for name in dict.fromkeys(key.name for key in keys))
    found = [
        Evidence(name, in_words(fact.value) if isinstance(fact, Known) else "absent", fact.source)
        for name, fact in cited
        if isinstance(fact, Known | Absent)
    ]
    first = {(each.value, each.source): each.fact for each in reversed(found)}
    return tuple(
        each
        for each in found
        if not each.fact.startswith(_SAID) or first[each.value, each.source] == each.fact
    )


#: What a program said, which is mostly shown as the whole line.
_SAID = ("sign.", "error.")


def in_words(value: Value) -> str:
    """A fact's value as a report shows it."""
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


@dataclass(frozen=True, slots=True)
class Fix:
    """The shortest repair for this platform, and its risk.

    `undo` tells the way back; it is demanded from `Safety.ADMIN` up.
    """

    text: str
    commands: tuple[str, ...] = ()
    safety: Safety = Safety.SAFE
    undo: str | None = None

    def __post_init__(self) -> None:
        if self.safety in (Safety.ADMIN, Safety.REBOOT) and not self.undo:
            raise ValueError(f"a fix that needs {self.safety.value} must tell the way back")

    @classmethod
    def by_user(cls, text: str, commands: tuple[str, ...] = (), *, undo: str | None = None) -> Self:
        """A repair that costs nothing but the user's own files."""
        return cls(text, commands, Safety.USER, undo)

    @classmethod
    def by_admin(cls, text: str, commands: tuple[str, ...] = (), *, undo: str) -> Self:
        """A repair that an administrator has to make."""
        return cls(text, commands, Safety.ADMIN, undo)

    @classmethod
    def by_reboot(cls, text: str, commands: tuple[str, ...] = (), *, undo: str) -> Self:
        """A repair after which the machine has to start anew."""
        return cls(text, commands, Safety.REBOOT, undo)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found.

    `title` has both values and no blame: "driver offers CUDA 11.8, torch needs 12.4".
    `stands_alone` means: it would remain if every other fault were mended. `cause` is given where
    it is another one than the rule's own (one code, several reasons).
    """

    title: str
    evidence: tuple[Evidence, ...]
    fix: Fix
    severity: Severity = Severity.ERROR
    confidence: Confidence = Confidence.CERTAIN
    subject: str = "machine"
    stands_alone: bool = False
    cause: str | None = None


class Draft(NamedTuple):
    """A finding before its evidence is cited: what shows it is still the names of facts."""

    title: str
    keys: Keys
    fix: Fix
    confidence: Confidence = Confidence.CERTAIN

    def finding(self, facts: Facts) -> Finding:
        """The same with what these facts hold."""
        return Finding(self.title, cite(facts, *self.keys), self.fix, confidence=self.confidence)


Findings = Iterator[Finding]
Check = Callable[[Facts], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A check with its handles: a code for life, a readable name, the cause it stands for.

    A `last_resort` is asked of a text alone, and only where no other rule found a fault in it and
    nothing shows that all is well.
    """

    code: str
    name: str
    cause: str
    link: Link
    since: str
    check: Check
    last_resort: bool = False

    @property
    def summary(self) -> str:
        """The first line of the check's docstring."""
        return (self.check.__doc__ or "").strip().partition("\n")[0]

    def __reduce__(self) -> tuple[Callable[[str, str], Rule], tuple[str, str]]:
        """By its place: in another process it is the rule that stands there."""
        return _rule_at, (self.check.__module__, self.check.__name__)


def _rule_at(module: str, name: str) -> Rule:
    found: Rule = getattr(import_module(module), name)
    return found


def rule(
    code: str, name: str, *, cause: str, link: Link, since: str, last_resort: bool = False
) -> Callable[[Check], Rule]:
    """Make a rule of a check.

    The check yields findings; it asks `facts.need(KEY)` for what it cannot do without, which ends
    it as "could not look" or "not applicable" by itself.
    """

    def make(check: Check) -> Rule:
        return Rule(code, name, cause, link, since, check, last_resort)

    return make


class Outcome(enum.Enum):
    """How a check ended; the first five of DESIGN's outcomes, and "deselected" by the user."""

    FOUND = "found"
    CLEAR = "clear"
    NOT_APPLICABLE = "not_applicable"
    COULD_NOT_LOOK = "could_not_look"
    CRASHED = "crashed"
    DESELECTED = "deselected"


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A fact that a rule asked for in vain, and how a person can find it out."""

    fact: str
    reason: str
    how: str

    @classmethod
    def told(cls, fact: str, reason: str, how: str) -> MissingFact:
        """NVML refuses nvidia-smi what it refuses gpuprobe; an administrator gets an answer."""
        refused = "no permission" in reason and how.startswith("nvidia-smi ")
        return cls(fact, reason, f"sudo {how}" if refused else how)


@dataclass(frozen=True, slots=True)
class Checked:
    """One rule's result. Every rule of the catalogue has exactly one in each diagnosis."""

    rule: Rule
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    missing: MissingFact | None = None
    trouble: str | None = None  # what crashed, for a bug report


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding at its place in the chain."""

    rule: Rule
    finding: Finding
    role: Role

    @property
    def cause(self) -> str:
        """What has to change first: an id of `causes.CAUSES`."""
        return self.finding.cause or self.rule.cause


class Verdict(enum.Enum):
    """Whether what was asked for works."""

    HEALTHY = "healthy"
    BROKEN = "broken"
    DEGRADED = "degraded"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Proof:
    """The last link that was seen to work, in words: it clears every link before it."""

    link: Link
    sentence: str
    source: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a command may print, what follows from it, and the causes it leaves."""

    answer: str
    means: str
    causes: tuple[str, ...] = ()  # ids of `causes.CAUSES`


@dataclass(frozen=True, slots=True)
class NextStep:
    """The one thing to do where the cause is not known yet, and what its answers tell apart.

    `otherwise` is the same for another system, where nobody knows which one it is.
    """

    id: str
    text: str
    commands: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    otherwise: str | None = None

    @property
    def how(self) -> str:
        """The commands in one line, for reading."""
        return in_line(self.commands)


def in_line(commands: tuple[str, ...]) -> str:
    """Commands for reading, not for copying."""
    return ", then ".join(commands)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The judgement of one set of facts."""

    verdict: Verdict
    placed: tuple[Placed, ...]  # root, its consequences, independent ones, notes
    checks: tuple[Checked, ...]
    proof: Proof | None
    settling: tuple[MissingFact, ...] | None = None  # of a text: what else to ask for
    next_step: NextStep | None = None  # where the verdict is unknown, or its cause only possible
    works_below: bool = False  # of a text: a program works on its GPU, below all that failed

    @property
    def root(self) -> Placed | None:
        """The first broken link, where one is known."""
        first = self.placed[0] if self.placed else None
        return first if first is not None and first.role is Role.ROOT else None

    @property
    def guess(self) -> Placed | None:
        """What the words of a text alone speak for, where nothing else decides."""
        return next((each for each in self.placed if each.rule.last_resort), None)

    @property
    def missing(self) -> tuple[MissingFact, ...]:
        """What rules asked for in vain, each fact once; of a text, what would settle it."""
        if self.settling is not None:
            return self.settling
        asked = {check.missing.fact: check.missing for check in self.checks if check.missing}
        return tuple(asked.values())

    def count(self, outcome: Outcome) -> int:
        """How many checks ended so; over all outcomes this adds up to the catalogue."""
        return sum(check.outcome is outcome for check in self.checks)
