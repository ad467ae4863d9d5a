"""Do the installed packages go together?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ..fixes.packages import one_of, rebuild_extension, rebuild_for_numpy, torchvision_for
from ..model import Confidence, Finding, Severity, cite
from ..questions.extension_faults import extension_fault
from ..questions.library_faults import seen_anyway
from ..questions.mixed_packages import clashes
from ..questions.numpy_builds import compiled_for_numpy_1
from ..questions.statements import statements, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts
    from ..model import Fix
    from ..questions.extension_faults import ExtensionFault
    from ..questions.mixed_packages import Clash


def mixed_installs(facts: Facts) -> Iterator[Finding]:
    """What GP606 finds."""
    for clash in clashes(facts):
        yield Finding(
            f"{', '.join(clash.packages)} all bring the module {clash.module}: {clash.effect}",
            cite(facts, *clash.keys),
            one_of(clash.packages, clash.wanted),
            severity=_severity(facts, clash),
            confidence=Confidence.CERTAIN if clash.harms else Confidence.LIKELY,
        )


def _severity(facts: Facts, clash: Clash) -> Severity:
    """In a text of a GPU that is used, two packages in a long list are no more than a note."""
    if clash.harms:
        return Severity.ERROR
    return Severity.NOTE if seen_anyway(facts) else Severity.WARNING


def numpy_abi(facts: Facts) -> Iterator[Finding]:
    """What GP607 finds."""
    made = statements(facts, "numpy-abi-2", "numpy-abi")
    if not made:
        yield from _compiled_for_numpy_1(facts)
        return
    version = facts.known(names.PACKAGE_VERSION("numpy"))
    have = "the installed NumPy" if version is None else f"NumPy {version}"
    yield Finding(
        f"A compiled module was made for another NumPy: it does not load with {have}",
        cite(facts, *made, names.PACKAGE_VERSION("numpy")),
        rebuild_for_numpy(version or value(facts, "numpy-abi-2")),
        severity=Severity.WARNING if seen_anyway(facts) else Severity.ERROR,
        confidence=Confidence.CERTAIN if version else Confidence.LIKELY,
    )


def _compiled_for_numpy_1(facts: Facts) -> Iterator[Finding]:
    for each in compiled_for_numpy_1(facts):
        yield Finding(
            each.title,
            cite(facts, *each.keys),
            rebuild_for_numpy(facts.known(names.PACKAGE_VERSION("numpy"))),
            severity=Severity.ERROR if each.fails else Severity.WARNING,
            subject=f"package:{each.package}",
        )


def extension_mismatch(facts: Facts) -> Iterator[Finding]:
    """What GP608 finds."""
    fault = extension_fault(facts)
    if fault is not None:
        yield Finding(
            fault.title,
            cite(facts, *fault.keys),
            _built_for(fault),
            severity=Severity.WARNING if fault.partly else Severity.ERROR,
            confidence=fault.confidence,
        )


def _built_for(fault: ExtensionFault) -> Fix:
    if fault.release is not None and fault.wanted is not None:
        return torchvision_for(fault.wanted.removeprefix("torch "), fault.release)
    return rebuild_extension(fault.extension, fault.wanted)
