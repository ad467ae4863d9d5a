"""Does JAX take the CUDA plugin that is installed? Only one of jaxlib's own release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ....facts.version import Version
from ..source import looked_at
from ..statements import statements, value_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys

_JAXLIB = names.PACKAGE_VERSION("jaxlib")


class LeftOut(NamedTuple):
    """A plugin that JAX does not use, and the release that it would use."""

    plugin: str
    version: str
    jaxlib: str
    cuda: str

    @property
    def title(self) -> str:
        """Both versions, and what follows."""
        return (
            f"{self.plugin} {self.version} is not of the release of jaxlib {self.jaxlib}: "
            "JAX leaves it out"
        )

    @property
    def keys(self) -> Keys:
        """The two versions."""
        return (names.PACKAGE_VERSION(self.plugin), _JAXLIB)


def left_out(facts: Facts) -> Iterator[LeftOut]:
    """The plugins of another release, on a machine; in a text JAX's own warning has to be there."""
    if not looked_at(facts):
        return
    for plugin in facts.subjects(names.PACKAGE_VERSION):
        if not (plugin.startswith("jax-cuda") and plugin.endswith("-plugin")):
            continue
        version, jaxlib = facts.look(names.PACKAGE_VERSION(plugin)), facts.look(_JAXLIB)
        if version is None or jaxlib is None or _release(version) == _release(jaxlib):
            continue
        yield LeftOut(plugin, version, jaxlib, plugin[len("jax-") : -len("-plugin")])


def lacks_in_jaxlib(facts: Facts) -> tuple[str, tuple[Key[str], ...]] | None:
    """The plugin asks jaxlib for a name that only another release has, and JAX goes without it.

    Of the same words elsewhere nobody can tell who asks.
    """
    raised, lacked = (statements(facts, each) for each in ("jax-plugin-raised", _LACKED))
    if not raised or not lacked:
        return None
    title = f"The CUDA plugin asks jaxlib for what it does not have: {'.'.join(_words(facts))}"
    return title, (*raised, *lacked, _JAXLIB)


_LACKED = "jaxlib-lacks-name"


def _words(facts: Facts) -> tuple[str, ...]:
    """Module and name, in whichever order they were told."""
    return tuple(sorted(value_words(facts, _LACKED), key=lambda each: "jaxlib" not in each))


def _release(version: str) -> Version | str:
    """The numbers at the beginning, which are all that JAX compares."""
    numbers = version.partition("+")[0].partition(".dev")[0]
    return Version.parse(numbers) or numbers
