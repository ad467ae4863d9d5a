"""JAX's part for a CUDA, which the last releases for an old Python do not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ....facts.version import Version
from ...fixes.jax import of_other_python
from ...model import Confidence, Draft
from ..statements import no_gpu_seen, statements, value

if TYPE_CHECKING:
    from ....facts.model import Facts


def without_extra(facts: Facts) -> Draft | None:
    """Pip took the last JAX for this Python, and left the part out that it does not know."""
    from ....knowledge import jax

    asked, python = statements(facts, "jax-extra-asked"), facts.known(names.PYTHON_VERSION)
    idle = (*statements(facts, "jax-without-gpu-told", "told-idle"), *no_gpu_seen(facts, "jax"))
    extra = value(facts, "jax-extra-asked")
    if not asked or not idle or python is None:
        return None
    last = next((each for each in jax.releases() if jax.takes_python(each, python)), None)
    first = next((each for each in reversed(jax.releases()) if extra in each.extras), None)
    if last is None or first is None or first.first <= last.last:
        return None
    title = f"JAX has the part [{extra}] from {first.first} on, for Python {first.python_min} and "
    title += f"newer; this is {Version.of(python.major, python.minor)}"
    fix = of_other_python(first.python_min, extra, last.last)
    return Draft(title, (*asked, names.PYTHON_VERSION, *idle), fix, Confidence.LIKELY)
