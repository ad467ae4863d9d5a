"""Toolkit against framework, host compiler and architecture, where something is compiled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.model import Absent, Facts, Key, Keys
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..statements import short, statements, value
from .asked_targets import asked_in_vain

if TYPE_CHECKING:
    from ....knowledge.driver_functions import Change

_RELEASE = regex(r"(?<!\d)\d+(?:\.\d+)+")
_DIGIT = regex(r"[0-9]")
_GCC = regex(r"\b(?:gcc|g\+\+|gnu)\D{0,200}(\d+)", re.IGNORECASE)
_REFUSED = "build-cuda-mismatch"
_COMPILE_FAILED = ("dlib-cuda-compile-failed", "cmake-no-cuda-compiler")
_ARCH_SIGNS = tuple(f"{each}-arch-unknown" for each in ("nvcc", "clang", "torch", "ptxas", "nvrtc"))


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


def newer_than_runtime(facts: Facts) -> tuple[str, Keys] | None:
    """Code that a newer nvcc compiled, which asks the run time for what it does not have yet."""
    from ....knowledge.driver_functions import first_runtime

    ours = (facts.known(names.TOOLKIT_VERSION), facts.known(names.PACKAGE_CUDA("torch")))
    oldest = min((each for each in ours if each is not None), default=None)
    for symbol in facts.subjects(said.SYMBOL_WANTED_BY) if oldest is not None else ():
        first, key = first_runtime(symbol), said.SYMBOL_WANTED_BY(symbol)
        if first is not None and oldest is not None and oldest < first:
            file = short(facts.known(key) or "a program")
            title = f"The code of {file} is of CUDA {first} or later, the run time here is older"
            return title, (key, names.TOOLKIT_VERSION, names.PACKAGE_CUDA("torch"))
    return None


def source_of_earlier(facts: Facts) -> Change | None:
    """What the compiler refuses was right until a CUDA that the tables know."""
    from ....knowledge.driver_functions import changed

    toolkit = facts.known(names.TOOLKIT_VERSION)
    found = changed(value(facts, "cuda-source-of-earlier"))
    before = found is not None and toolkit is not None and toolkit.major < found.cuda.major
    return None if before else found


def source_of_later(facts: Facts) -> tuple[str, Version] | None:
    """What the compiler does not know came with a later CUDA than its own."""
    from ....knowledge.driver_functions import arrived

    toolkit, name = facts.known(names.TOOLKIT_VERSION), value(facts, "cuda-source-of-later")
    found = arrived(name) if name else None
    if found is None or (toolkit is None and not found.alone):
        return None
    return (name, found.cuda) if toolkit is None or toolkit < found.cuda else None


#: NVIDIA's images without the compiler and the headers, which are in those whose tag has "devel".
_BARE_IMAGE = regex(r"\bnvidia/cuda:[\w.-]{1,40}?-(?:base|runtime)\b")


def built_in_bare_image(facts: Facts) -> tuple[Key[str], ...]:
    """Somebody looks for nvcc and for headers in an image that was made to run programs only."""
    looked_for = statements(facts, "nvcc-not-found", "header-missing")
    both = len(looked_for) > 1 and in_bare_image(facts)
    return (*looked_for, said.CONTAINER_IMAGE) if both else ()


def in_bare_image(facts: Facts) -> bool:
    """Whether the container is of such an image."""
    return _BARE_IMAGE.search(facts.known(said.CONTAINER_IMAGE) or "") is not None


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


def left_out_without_toolkit(facts: Facts) -> Keys:
    """An extension was installed without its operators where it is known that no toolkit is."""
    left_out = statements(facts, "ops-left-out")
    looked_for = (names.TOOLKIT_PATH, names.TOOLKIT_VERSION)
    gone = tuple(key for key in looked_for if isinstance(facts.fact(key), Absent))
    told = statements(facts, "nvcc-not-found", "cuda-home-unset")
    return (*left_out, *gone, *told) if left_out and (gone or told) else ()


#: Visual Studio's releases are years.
_A_YEAR = 1000


class CompilerFault(NamedTuple):
    """A host compiler that nvcc does not take; `newest`: the newest gcc that it takes."""

    title: str
    newest: int | None
    keys: Keys
    confidence: Confidence
    there: str | None = None  # a gcc that nvcc takes, and that the build does not use


def compiler_too_new(facts: Facts) -> CompilerFault | None:
    """By nvcc's own word, or by the table where a trial compilation failed."""
    stated = statements(facts, "nvcc-host-compiler")
    compiler = facts.known(names.HOST_COMPILER) or ""
    newest = _newest_gcc(facts)
    keys = (names.HOST_COMPILER, names.TOOLKIT_VERSION)
    if stated:
        title = f"nvcc refuses the host compiler {compiler}".strip()
        told = re.fullmatch(r"(\d+)(?:\.\d+)?", value(facts, "nvcc-host-compiler"))
        newest = int(told[1]) if told else newest
        if told and not compiler and int(told[1]) < _A_YEAR:
            title = f"nvcc takes gcc up to {told[1]}, and the build uses a newer one"
        gcc = _GCC.search(compiler)
        if told and (taken := _taken(compiler, told[0])):
            title = f"nvcc takes gcc up to {told[0]}; the build uses a newer one than {compiler}"
            return CompilerFault(title, newest, (*stated, *keys), Confidence.CERTAIN, taken)
        if not told and gcc and newest is not None and int(gcc[1]) <= newest:
            newest = int(gcc[1]) - 1  # of this one only some releases are taken
        return CompilerFault(title, newest, (*stated, *keys), Confidence.CERTAIN)
    if of_windows := _gcc_on_windows(facts, compiler):
        return of_windows
    failed = statements(facts, *_COMPILE_FAILED)
    gcc = _GCC.search(compiler)
    if not failed:
        return None
    if gcc is None or newest is None:
        return _by_trial(facts, newest)
    if int(gcc[1]) <= newest:
        return None
    toolkit = facts.known(names.TOOLKIT_VERSION)
    title = f"nvcc {toolkit} takes gcc up to {newest}; the compiler is {compiler}"
    return CompilerFault(title, newest, (*failed, *keys), Confidence.LIKELY)


def _gcc_on_windows(facts: Facts, compiler: str) -> CompilerFault | None:
    """On Windows nvcc takes Microsoft's compiler alone, and MinGW's is a gcc."""
    broken = statements(facts, "cmake-nvcc-of-windows-broken")
    if not broken or not _GCC.search(compiler):
        return None
    title = f"On Windows nvcc takes Visual C++ alone; the build uses {compiler} (MinGW)"
    return CompilerFault(title, None, (*broken, names.HOST_COMPILER), Confidence.LIKELY)


_GCC_RELEASE = regex(r"\bgcc (\d{1,2})(?:\.(\d{1,2}))?")
#: Up to this one packages of gcc have the minor release in their names.
_LAST_WITH_MINOR = 4


def _taken(compiler: str, newest: str) -> str | None:
    """The suffix of the gcc that is named, where nvcc's word is not against it."""
    match = _GCC_RELEASE.search(compiler)
    if match is None or match[2] is None or int(newest.partition(".")[0]) >= _A_YEAR:
        return None
    major, minor = int(match[1]), int(match[2])
    limit = tuple(map(int, newest.split(".")))
    if (major, minor)[: len(limit)] > limit:
        return None
    return f"{major}.{minor}" if major <= _LAST_WITH_MINOR else str(major)


def _by_trial(facts: Facts, newest: int | None) -> CompilerFault | None:
    """Dlib compiles a small program first: it fails where the two compilers do not fit."""
    tried = statements(facts, "dlib-cuda-compile-failed")
    if not tried or "compile" not in value(facts, "dlib-cuda-compile-failed"):
        return None
    title = "nvcc and the host compiler could not compile a trial program together"
    keys = (*tried, names.HOST_COMPILER, names.TOOLKIT_VERSION)
    return CompilerFault(title, newest, keys, Confidence.POSSIBLE)


def _newest_gcc(facts: Facts) -> int | None:
    from ....knowledge.architecture import toolkit_targets

    toolkit = facts.known(names.TOOLKIT_VERSION)
    targets = None if toolkit is None else toolkit_targets(toolkit)
    return None if targets is None else targets.newest_gcc


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


class ArchFault(NamedTuple):
    """An architecture that a compiler does not know.

    `cause` is gpu-too-new or gpu-too-old where the GPU is of that architecture, or may be; None:
    the build asks for an architecture that this toolkit cannot serve, whatever the GPU is, or that
    the toolkit of the installed framework would serve.
    """

    title: str
    cause: str | None
    capability: Version
    keys: Keys
    dropped: bool = False


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
    from ....knowledge.architecture import architecture, parse_target, toolkit_targets
    from ..gpus.known import gpus

    made = () if no_architecture(facts) else statements(facts, *_ARCH_SIGNS)
    in_vain = None if made else asked_in_vain(facts)
    key = _compiler(facts, made)
    toolkit = facts.known(key)
    present = {gpu.capability for gpu in gpus(facts)}
    asked = _asked_of_nvrtc(facts)
    texts = [asked, *(value(facts, sign) for sign in _ARCH_SIGNS)]
    texts = [f"sm_{text}" if text.isdigit() else text for text in texts]
    named = next((target.capability for text in texts for target in parse_target(text)), None)
    if in_vain is not None:
        named, made = in_vain.capability, (in_vain.key,)
    if not made or (named is None and len(present) != 1):
        return None
    capability = next(iter(present)) if named is None else named
    if asked or (in_vain is not None and in_vain.alone and not present):
        present.add(capability)
    known = architecture(capability)
    targets = None if toolkit is None else toolkit_targets(toolkit)
    if targets is not None and targets.capabilities:
        dropped = capability < min(targets.capabilities)
    else:
        first, last = (None, None) if known is None else (known.first_toolkit, known.last_toolkit)
        if toolkit is not None and first is not None and toolkit < first:
            last = None
        if toolkit is None and any(each < capability for each in present):
            last = None  # who has dropped it has dropped the older GPU beside it before
        newest = _newest_for_cupy(facts)
        dropped = last is not None and (newest is None or newest > last)
    cause: str | None = "gpu-too-old" if dropped else "gpu-too-new"
    of_another = capability not in present and (dropped or bool(present))
    if of_another or _framework_serves(facts, capability, toolkit):
        cause = None
    why = "no longer compiles" if dropped else "does not yet compile"
    keys = (*made, key)
    return ArchFault(
        f"{_who_refused(made, key, toolkit)} {why} for compute capability {capability}",
        cause,
        capability,
        keys,
        dropped,
    )
