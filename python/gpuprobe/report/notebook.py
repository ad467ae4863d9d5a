"""What a notebook shows and keeps: redacted, for notebooks are passed on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from .identity import Identity


class Printer(Protocol):
    """The part of IPython's printer that is used."""

    def text(self, text: str) -> None:
        """Print on."""


class Shown:
    """Shows itself in a notebook, as text and HTML, also inside a tuple.

    Both are redacted. Who prints it, or asks for a field, gets everything.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """IPython takes the `__repr__` of a class before what its bases offer."""
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def _fragment(self) -> str:
        """The HTML, not redacted."""
        raise NotImplementedError

    def redacted(self, hide: Callable[[str], str]) -> Self:
        """The same with `hide` applied to what would be broken at the width of a line."""
        del hide  # where nothing is
        return self

    def _for_other_eyes(self, identity: Identity) -> tuple[str, str]:
        """Text and HTML without what tells of people and places."""
        from .redact import Redactor, texts_of_page

        redactor = Redactor(identity, texts_of_page(self._fragment()))
        shown = self.redacted(redactor.text)
        page = shown._fragment()  # noqa: SLF001  (of the same class)
        return redactor.text(str(shown)), redactor.page(page)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        del include, exclude  # both forms are always given
        from .identity import identity

        text, page = self._for_other_eyes(identity())
        return {"text/plain": text, "text/html": page}

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_()["text/html"]

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        del cycle
        printer.text(self._repr_mimebundle_()["text/plain"])
