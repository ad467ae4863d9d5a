"""Do the installed packages go together?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names
from ..fixes.extensions import (
    caller_of_triton,
    package_of,
    rebuild_engine,
    rebuild_extension,
    source_for,
    torchvision_for,
)
from ..fixes.ground import ground_of
from ..fixes.jax import in_one_release, without_plugin
from ..fixes.packages import (
    cupy_of_rapids,
    newer_numpy,
    of_several_cupys,
    one_of,
    one_of_cupy,
    one_of_nd4j,
    one_of_nuget,
    pip_without_conda,
    plugin_of_jaxlib,
    rebuild_for_numpy,
    without_older_numpy,
    without_warning,
)
from ..model import Confidence, Finding, Findings, Fix, Severity, cite
from ..questions.extensions.faults import ExtensionFault, extension_fault, release_for_torch
from ..questions.extensions.jax_plugins import left_out
from ..questions.extensions.words import ENGINE, JAX_PLUGIN, SOURCE, TRITONS_CALLER
from ..questions.packages.frameworks import Package
from ..questions.packages.mixed import (
    ANOTHER_CUPY,
    JAXS_CUDA,
    ND4J,
    NET,
    Clash,
    clashes,
    copy_for_vision,
)
from ..questions.packages.numpy_builds import compiled_for_numpy_1, told_numpy
from ..questions.source import looked_at
from ..questions.statements import seen_anyway, statements, value

if TYPE_CHECKING:
    from ...facts.model import Facts
    from ..questions.packages.numpy_builds import OtherNumpy


def mixed_installs(facts: Facts) -> Findings:
    """What GP606 finds."""
    for clash in clashes(facts):
        yield Finding(
            f"The module {clash.module} comes from {_sources(clash)}: {clash.effect}",
            cite(facts, *clash.keys),
            _one_of(facts, clash),
            severity=_severity(facts, clash),
            confidence=Confidence.CERTAIN if clash.harms else Confidence.LIKELY,
        )


def _one_of(facts: Facts, clash: Clash) -> Fix:
    named = dict.fromkeys(each.partition(" ")[0] for each in clash.packages)
    releases = {name: facts.known(names.PACKAGE_VERSION(name)) for name in named}
    if clash.of_conda is not None:
        return pip_without_conda(clash.module, releases[clash.module], clash.of_conda)
    wanted = clash.wanted or _for_the_driver(facts, clash)
    if clash.module == JAXS_CUDA:
        return without_plugin(ground_of(facts))
    if clash.module == NET:
        return one_of_nuget(clash.packages[0])
    if clash.module == ND4J:
        return one_of_nd4j(clash.packages[0])
    if ANOTHER_CUPY in clash.packages:
        return of_several_cupys()
    wheels = tuple(each for each in releases if each != "cupy")
    rapids = facts.known(names.PACKAGE_VERSION("rapids")) is not None
    if clash.module == "cupy" and rapids and wheels != tuple(releases):
        return cupy_of_rapids(wheels)
    if clash.module == "cupy" and wanted is None:
        return one_of_cupy(releases, facts.known(names.DRIVER_CUDA))
    uv = bool(statements(facts, "packages-by-uv"))
    return one_of(releases, wanted, uv=uv, of=_OF_OTHERS.get(clash.module, ""))


#: Who asks for the package without CUDA, and so brings it in again.
_OF_OTHERS = {
    "onnxruntime": " A package that asks for plain onnxruntime brings it in again: take that "
    "package's variant for GPUs where it has one (fastembed-gpu), else install it with --no-deps."
}


def _sources(clash: Clash) -> str:
    return "several packages" if ANOTHER_CUPY in clash.packages else _and(clash.packages)


def _and(words: tuple[str, ...]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _for_the_driver(facts: Facts, clash: Clash) -> str | None:
    """Of the packages of CuPy the one that the tables choose for this GPU and driver."""
    if clash.module != "cupy" or not looked_at(facts):
        return None
    from ..fixes.framework import fitting_build
    from ..fixes.ground import Choice, ground_of

    found = fitting_build(Package("cupy", "CuPy", "", "cuda"), ground_of(facts))
    chosen = found.requirement.strip('"').partition("==")[0] if isinstance(found, Choice) else ""
    return chosen if chosen in clash.packages else None


def _severity(facts: Facts, clash: Clash) -> Severity:
    """In a text of a GPU that is used, two packages in a long list are no more than a note."""
    if clash.harms:
        return Severity.ERROR
    return Severity.NOTE if seen_anyway(facts) else Severity.WARNING


def numpy_abi(facts: Facts) -> Findings:
    """What GP607 finds."""
    told = told_numpy(facts)
    if told is None:
        yield from _compiled_for_numpy_1(facts)
        return
    named = facts.known(names.PACKAGE_VERSION("numpy"))
    yield Finding(
        told.title,
        cite(facts, *told.keys),
        _other_numpy(told, in_image=facts.known(names.CONTAINER_KIND) is not None),
        severity=Severity.WARNING if seen_anyway(facts) else Severity.ERROR,
        confidence=Confidence.CERTAIN if named else Confidence.LIKELY,
    )


def _other_numpy(told: OtherNumpy, *, in_image: bool) -> Fix:
    if told.warned_of is not None:
        return without_warning(told.warned_of)
    if told.copied:
        return without_older_numpy()
    if told.older:
        return newer_numpy(told.version, told.wanted)
    return rebuild_for_numpy(told.version, in_image=in_image)


def _compiled_for_numpy_1(facts: Facts) -> Findings:
    for each in compiled_for_numpy_1(facts):
        yield Finding(
            each.title,
            cite(facts, *each.keys),
            rebuild_for_numpy(facts.known(names.PACKAGE_VERSION("numpy"))),
            severity=Severity.ERROR if each.fails else Severity.WARNING,
            subject=f"package:{each.package}",
        )


def extension_mismatch(facts: Facts) -> Findings:
    """What GP608 finds."""
    fault = extension_fault(facts)
    # GP606: of the copies of torch one is that for which torchvision was built
    shadowed = fault is not None and fault.extension == "torchvision" and copy_for_vision(facts)
    if fault is not None and not shadowed:
        yield Finding(
            fault.title,
            cite(facts, *fault.keys),
            _built_for(facts, fault),
            severity=Severity.WARNING if fault.partly else Severity.ERROR,
            confidence=fault.confidence,
        )
    for each in left_out(facts):
        yield Finding(
            each.title,
            cite(facts, *each.keys),
            plugin_of_jaxlib(each.plugin, each.version, each.jaxlib, each.cuda),
            subject=f"package:{each.plugin}",
        )


def _built_for(facts: Facts, fault: ExtensionFault) -> Fix:
    if fault.extension == ENGINE:
        return rebuild_engine()
    if fault.extension == JAX_PLUGIN:
        return in_one_release(ground_of(facts))
    if fault.extension == SOURCE:
        return source_for(fault.wanted)
    if fault.extension == TRITONS_CALLER:
        return caller_of_triton()
    if fault.extension == "torchvision" and fault.wanted is not None:
        release = fault.release or release_for_torch(fault.wanted)
        if release is not None:
            cuda = facts.known(names.PACKAGE_CUDA("torch"))
            return torchvision_for(fault.wanted.removeprefix("torch "), release, cuda)
    have = facts.known(names.PACKAGE_VERSION(package_of(fault.extension)))
    return rebuild_extension(fault.extension, _with_cuda(facts, fault.wanted), have)


def _with_cuda(facts: Facts, wanted: str | None) -> str | None:
    """The torch with the tag of its CUDA, where the extension's own message tells that."""
    told = value(facts, "extension-cuda-mismatch").split()
    cuda = next((each for each in told if each.count(".") == 1), "")
    if wanted is None or not wanted.startswith("torch ") or "+" in wanted or not cuda:
        return wanted
    return f"{wanted}+cu{cuda.replace('.', '')}"
