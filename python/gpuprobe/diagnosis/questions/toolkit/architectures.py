"""Which architecture a compiler does not know: its toolkit is too old for it, or too new."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ..statements import statements, value
from .asked_targets import asked_in_vain

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

_DIGIT = regex(r"[0-9]")
_ARCH_SIGNS = tuple(f"{each}-arch-unknown" for each in ("nvcc", "clang", "torch", "ptxas", "nvrtc"))


class ArchFault(NamedTuple):
    """An architecture that a compiler does not know.

    `cause` is gpu-too-new or gpu-too-old where the GPU is of that architecture, or may be; None:
    the build asks for an architecture that this toolkit cannot serve, whatever the GPU is, or that
    the toolkit of the installed framework would serve. `serves` is the toolkit that the text names
    and that knows the architecture, so that another one's compiler is at work.
    """

    title: str
    cause: str | None
    capability: Version
    keys: Keys
    dropped: bool = False
    serves: Version | None = None


def no_architecture(facts: Facts) -> str:
    """What a build gave nvcc for an architecture and is none: ``compute_native``, ``compute_``.

    Words that CMake understands from 3.24 on; older ones pass them, or what a script printed, on.
    """
    told = value(facts, "nvcc-arch-unknown")
    return told if told and not _DIGIT.search(told) else ""


def _asked_of_nvrtc(facts: Facts) -> str:
    """The architecture that NVRTC refused: a program asks for that of the GPU it runs on."""
    refused = statements(facts, "nvrtc-arch-unknown")
    return value(facts, "nvrtc-arch-asked") if refused else ""


def _newest_for_cupy(facts: Facts) -> Version | None:
    """The newest toolkit that there was for the installed CuPy; None: nobody can tell."""
    from ....knowledge import cupy
    from ....knowledge.tables import release_number

    packages = (each for each in facts.subjects(names.PACKAGE_VERSION) if each.startswith("cupy"))
    version = next((facts.known(names.PACKAGE_VERSION(each)) for each in packages), None)
    release = None if version is None else release_number(version)
    oldest = cupy.releases()[-1]
    if version is None or release is None:
        return None
    span = oldest if release < oldest.first else cupy.release(version)
    return None if span is None else max(span.cuda)


def _framework_serves(facts: Facts, capability: Version, toolkit: Version | None) -> bool:
    """Whether the framework's own CUDA is newer than `toolkit` and compiles for the GPU."""
    from ....knowledge.architecture import toolkit_targets

    framework = facts.known(names.PACKAGE_CUDA("torch"))
    if framework is None or toolkit is None or framework <= toolkit:
        return False
    targets = toolkit_targets(framework)
    return targets is not None and capability in targets.capabilities


def _compiler(facts: Facts, made: tuple[Key[str], ...]) -> Key[Version]:
    """Whose CUDA refused: torch brings its own NVRTC, whatever toolkit is installed."""
    of_torch = names.PACKAGE_CUDA("torch")
    cupy = any(each.startswith("cupy") for each in facts.subjects(names.PACKAGE_VERSION))
    by_nvrtc = made == statements(facts, "nvrtc-arch-unknown") and not cupy
    return of_torch if by_nvrtc and facts.known(of_torch) is not None else names.TOOLKIT_VERSION


def _who_refused(made: tuple[Key[str], ...], key: Key[Version], toolkit: Version | None) -> str:
    if made[0] == said.SIGN("torch-arch-unknown"):
        return "PyTorch's builder of extensions"
    if made[0] == said.SIGN("clang-arch-unknown"):
        return "clang"
    if toolkit is None:
        return "The toolkit"
    return f"CUDA {toolkit}{', with which torch was built,' * (key != names.TOOLKIT_VERSION)}"


def arch_unknown(facts: Facts) -> ArchFault | None:
    """What nvcc, ptxas or NVRTC refused, and whether the toolkit is too old or too new for it."""
    from ....knowledge.architecture import parse_target
    from ..gpus.known import gpus

    made = () if no_architecture(facts) else statements(facts, *_ARCH_SIGNS)
    in_vain = None if made else asked_in_vain(facts)
    key = _compiler(facts, made)
    toolkit = facts.known(key)
    present = {gpu.capability for gpu in gpus(facts)}
    asked = _asked_of_nvrtc(facts)
    texts = [asked, *(value(facts, sign) for sign in _ARCH_SIGNS)]
    texts = [f"sm_{text}" if text.isdigit() else text for text in texts]
    target = next((target for text in texts for target in parse_target(text)), None)
    named = None if target is None else target.capability
    if in_vain is not None:
        named, made = in_vain.capability, (in_vain.key,)
    if not made or (named is None and len(present) != 1):
        return None
    capability = next(iter(present)) if named is None else named
    if asked or (in_vain is not None and in_vain.alone and not present):
        present.add(capability)
    dropped = _is_dropped(facts, capability, toolkit, present)
    cause: str | None = "gpu-too-old" if dropped else "gpu-too-new"
    of_another = capability not in present and (dropped or bool(present))
    if of_another or _framework_serves(facts, capability, toolkit):
        cause = None
    keys = (*made, key)
    suffix = "" if target is None else target.suffix
    by_nvcc = made == statements(facts, "nvcc-arch-unknown") and not suffix
    if by_nvcc and _compiles(toolkit, capability):
        title = f"nvcc refuses compute capability {capability}, for which CUDA {toolkit} compiles: "
        title += "the nvcc of another CUDA is at work"
        return ArchFault(title, None, capability, keys, serves=toolkit)
    why = "no longer compiles" if dropped else "does not yet compile"
    return ArchFault(
        f"{_who_refused(made, key, toolkit)} {why} for compute capability {capability}{suffix}",
        cause,
        capability,
        keys,
        dropped,
    )


def _compiles(toolkit: Version | None, capability: Version) -> bool:
    """Whether the toolkit that the text names is one that knows the architecture."""
    from ....knowledge.architecture import toolkit_targets

    targets = None if toolkit is None else toolkit_targets(toolkit)
    return targets is not None and capability in targets.capabilities


def _is_dropped(
    facts: Facts, capability: Version, toolkit: Version | None, present: set[Version]
) -> bool:
    """Whether the toolkit came after the last one that knew the architecture, not before."""
    from ....knowledge.architecture import architecture, toolkit_targets

    targets = None if toolkit is None else toolkit_targets(toolkit)
    if targets is not None and targets.capabilities:
        return capability < min(targets.capabilities)
    known = architecture(capability)
    first, last = (None, None) if known is None else (known.first_toolkit, known.last_toolkit)
    if toolkit is not None and first is not None and toolkit < first:
        return False
    if toolkit is None and any(each < capability for each in present):
        return False  # who has dropped it has dropped the older GPU beside it before
    newest = _newest_for_cupy(facts)
    return last is not None and (newest is None or newest > last)


def toolkit_before_gpu(facts: Facts) -> tuple[str, Keys] | None:
    """A build goes on with a toolkit that is older than torch's, and than the GPU itself."""
    from ....knowledge.architecture import architecture
    from ..gpus.known import gpus

    warned = statements(facts, "build-cuda-minor-differs")
    told = Version.parse(value(facts, "build-cuda-minor-differs"))
    if facts.known(names.ENV("TORCH_CUDA_ARCH_LIST")):
        return None  # it is compiled for the GPUs that are named there
    for gpu in gpus(facts) if told is not None else ():
        known = architecture(gpu.capability)
        first = None if known is None else known.first_toolkit
        if told is not None and first is not None and told < first:
            title = f"CUDA {told} does not compile for {gpu.title} ({gpu.capability})"
            return f"{title}: that takes CUDA {first} or later", (*warned, gpu.key)
    return None
