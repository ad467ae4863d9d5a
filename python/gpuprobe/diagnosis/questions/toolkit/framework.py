"""Whether the toolkit fits the framework that code is compiled for, or with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names
from ....facts.regex import regex
from ....facts.version import Version
from ..statements import statements, value

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_RELEASE = regex(r"(?<!\d)\d+(?:\.\d+)+")
_REFUSED = "build-cuda-mismatch"


class ToolkitPair(NamedTuple):
    """The CUDA of the toolkit, and of the framework that code is compiled for."""

    toolkit: Version
    framework: Version
    keys: Keys
    beside: Version | None = None

    @property
    def fits_beside(self) -> Version | None:
        """The toolkit of the nvcc that was shown, where the build takes another and it fits."""
        there, wanted = self.beside, self.framework
        if there is None or (self.toolkit.major, self.toolkit.minor) == (there.major, there.minor):
            return None
        return there if (there.major, there.minor) == (wanted.major, wanted.minor) else None

    @property
    def other_major(self) -> bool:
        """Within a major most code compiles; PyTorch then only warns."""
        return self.toolkit.major != self.framework.major


def toolkit_pair(facts: Facts) -> ToolkitPair | None:
    """The pair that a build tool refused; None: none did."""
    made, told = statements(facts, _REFUSED), value(facts, _REFUSED)
    keys = (*made, names.TOOLKIT_VERSION, names.PACKAGE_CUDA("torch"))
    found = _RELEASE.findall(told)
    if len(found) > 1:
        return ToolkitPair(Version(found[0]), Version(found[1]), keys)
    toolkit, framework = map(facts.known, (names.TOOLKIT_VERSION, names.PACKAGE_CUDA("torch")))
    if not made or toolkit is None or framework is None:
        return None
    detected, pair = Version.parse(told), ToolkitPair(toolkit, framework, keys)
    if detected is not None and detected != toolkit:
        other = ToolkitPair(detected, framework, keys, toolkit)
        return other if other.fits_beside else pair
    return None if toolkit == framework else pair


def older_than_framework(facts: Facts) -> tuple[str, Keys] | None:
    """PyTorch's builder failed, and the toolkit is older than torch's CUDA, or of another major.

    What it compiles at run time it compiles with any toolkit. One that is newer than torch's CUDA
    within a major mostly serves.
    """
    failed = statements(facts, "torch-build-failed")
    key = names.PACKAGE_CUDA("torch")
    toolkit, framework = facts.known(names.TOOLKIT_VERSION), facts.known(key)
    if not failed or toolkit is None or framework is None:
        return None
    own, wanted = (toolkit.major, toolkit.minor), (framework.major, framework.minor)
    if own >= wanted and toolkit.major == framework.major:
        return None
    title = f"An extension was not built: the toolkit is CUDA {toolkit}, torch's is {framework}"
    return title, (*failed, names.TOOLKIT_VERSION, key)


def numba_refuses(facts: Facts) -> tuple[str, Keys] | None:
    """Numba and a toolkit that do not go together, where it failed; None: they may well."""
    failed = statements(facts, "numba-nvvm-error", "numba-no-libnvvm")
    version = facts.known(names.PACKAGE_VERSION("numba"))
    toolkit = facts.known(names.TOOLKIT_VERSION)
    if not failed or version is None or toolkit is None:
        return None
    from ....knowledge.numba import takes_toolkit

    taken = takes_toolkit(version, toolkit)
    if taken is True or (taken is not False and not statements(facts, "numba-nvvm-error")):
        return None
    keys = (*failed, names.PACKAGE_VERSION("numba"), names.TOOLKIT_VERSION)
    return f"The NVVM of CUDA {toolkit} refuses what Numba {version} gives it", keys
