"""The words of a comparison: two sides, what differs, what could not be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..report.notebook import Shown

if TYPE_CHECKING:
    from ..diagnosis.model import Link, Verdict
    from ..facts.model import Fact, Value
    from ..report.identity import Identity


class Root(NamedTuple):
    """The finding that a verdict comes from; prints as ``GP203 driver-too-old``."""

    code: str
    name: str
    cause: str

    def __str__(self) -> str:
        return f"{self.code} {self.name}"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: what to call it, its verdict, and the root of it with its title."""

    label: str
    verdict: Verdict
    root: Root | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact, or one thing (a GPU, a package) that is on one side only.

    Attributes:
        name: The fact's name, with side A's number of a GPU; of a thing, ``gpu.1``, ``package.x``.
        link: The link of the chain that it belongs to.
        decisive: Whether a verdict rests on it, where the two verdicts have different causes.
        a: What side A says; never `Unknown`.
        b: What side B says; likewise.
    """

    name: str
    link: Link
    decisive: bool
    a: Fact[Value]
    b: Fact[Value]


@dataclass(frozen=True, slots=True)
class Comparison(Shown):
    """What `gpuprobe diff` answers.

    Attributes:
        a: The first side.
        b: The second side.
        differences: In order: what a changed verdict rests on, then along the chain.
        unseen: Names of facts that one side could not look at, so that nothing follows.
        lost: Sentences about GPUs that one side has, and the other does not list or cannot use.
    """

    a: Side
    b: Side
    differences: tuple[Difference, ...]
    unseen: tuple[str, ...]
    lost: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing differs; what could not be compared does not count."""
        return not self.differences

    def text(self, *, width: int = 80, colour: bool = False, ascii: bool = False) -> str:  # noqa: A002
        """For a terminal of `width` columns."""
        from ..report.comparison import text
        from ..report.terminal import Style

        return text(self, Style(width, colour, ascii))

    def to_dict(self) -> dict[str, object]:
        """The document of ``gpuprobe diff --json``."""
        from ..report.comparison import document

        return document(self)

    def markdown(self) -> str:
        """For an issue form."""
        from ..report.comparison import markdown

        return markdown(self)

    def html(self) -> str:
        """A whole page in one file."""
        from ..report.comparison import html_page

        return html_page(self)

    def __str__(self) -> str:
        return self.text()

    def _for_other_eyes(self, identity: Identity) -> tuple[str, str]:
        from ..report.comparison import for_other_eyes, html_fragment

        found = for_other_eyes(self, identity)
        return found.text(), html_fragment(found)
