"""Does JAX take the CUDA plugin that is installed? Only one of jaxlib's own release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ....facts.version import Version
from ..source import looked_at
from ..statements import statements, value, value_words

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
    """The plugin asks jaxlib for what only another release has, and JAX goes without it.

    Of most names nobody can tell who asks; of some it is the plugin alone.
    """
    raised, lacked = (statements(facts, each) for each in ("jax-plugin-raised", _LACKED))
    if raised and (refused := statements(facts, _REFUSED)):
        title = "The CUDA plugin and jaxlib are of different releases: "
        title += f"{value(facts, _REFUSED)} is given other arguments than it takes"
        return title, (*raised, *refused, _JAXLIB)
    if not lacked or not (raised or _OF_PLUGINS & {*_words(facts)}):
        return None
    title = f"The CUDA plugin asks jaxlib for what it does not have: {'.'.join(_words(facts))}"
    return title, (*raised, *lacked, _JAXLIB)


def beside_cuda_of_jaxlib(facts: Facts) -> Keys:
    """A plugin that fails beside a jaxlib with CUDA of its own, which has no use for one."""
    failing = lacks_in_jaxlib(facts)
    own = "+cuda" in (facts.known(_JAXLIB) or "")
    return failing[1] if failing is not None and own else ()


_LACKED = "jaxlib-lacks-name"
_REFUSED = "jaxlib-arguments-refused"
#: What no program but a plugin asks of jaxlib, where it registers itself.
_OF_PLUGINS = {
    *("generate_pjrt_gpu_plugin_options", "register_custom_call_handler"),
    *("register_custom_type_handler", "register_custom_type_id_handler"),
}


def _words(facts: Facts) -> tuple[str, ...]:
    """Module and name, in whichever order they were told."""
    return tuple(sorted(value_words(facts, _LACKED), key=lambda each: not each.startswith("jax")))


def _release(version: str) -> Version | str:
    """The numbers at the beginning, which are all that JAX compares."""
    numbers = version.partition("+")[0].partition(".dev")[0]
    return Version.parse(numbers) or numbers
