"""Builds whose CUDA came before the GPU, and what becomes of them on it.

The driver compiles such a build's PTX for the GPU, which takes minutes; the libraries in it, which
choose their kernels by the architecture, fail, compute wrongly or nothing. That torch's own kernels
may serve the GPU all the same, as those for Volta do serve Turing, changes nothing for these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..gpus.known import Gpu, with_target
from ..libraries.needs import tensorflow_release
from ..sentences import something_fails
from ..statements import errors, seen_anyway, statements, value
from .no_code import MAY_BE_NO_CODE, NEW, NO_CODE, OLD, KernelFault, has_none_of_its_major
from .of_extension import names_itself
from .tensorflow_age import run_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ....facts.model import Facts, Key, Keys


#: What PyTorch before 1.5 called cuBLAS from.
_OLD_CUBLAS = regex(r"THCBlas\.cu")
_FIRST_WITHOUT = Version("1.5")
#: Where it set itself up on a GPU: an architecture that its CUDA does not know refuses a part.
_OLD_SETUP = regex(r"THCGeneral\.cpp")
_TELLS_CUDA = regex(r"(?:mxnet|cupy)-cu|paddlepaddle-gpu\Z")
#: What programs say of cuBLAS and cuDNN that found no kernel, or did not start at all.
_FAILING_LIBRARY = (
    *("tf-cublas-handle", "tf-cudnn-handle", "tf-no-convolution-algorithm"),
    *("xla-no-convolution-algorithm", "torch-library-failed"),
)
#: That a program stands for minutes when it first uses the GPU, or in its first copy to it.
_SLOW = ("told-slow-start", "told-slow-copy", "told-never-starts")


class _Build(NamedTuple):
    """What computes, its CUDA, and the fact that tells it."""

    package: str | None
    cuda: Version
    key: Key[object]


def outdated(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """What a program says that befalls a build which is older than the GPU."""
    codes, fft = errors(facts, *MAY_BE_NO_CODE), errors(facts, "CUFFT_INTERNAL_ERROR")
    handle = statements(facts, *_FAILING_LIBRARY)
    operator = (*statements(facts, "paddle-operator-failed"), *_refused_setup(facts))
    wrong = statements(facts, "nan-told", "wrong-results-told", "wrong-output-noted")
    slow = statements(facts, *_SLOW)
    symptoms: tuple[tuple[Keys, str], ...] = (
        (fft, "needs the cuFFT of CUDA {first}, or later"),
        ((*codes, *handle, *operator), "needs the cuBLAS and cuDNN of CUDA {first}, or later"),
        (wrong, "came after CUDA {cuda}, which computes on it"),
        (slow, "came after CUDA {cuda}: the driver compiles the whole program for it first"),
    )
    for seen, words in symptoms:
        # cuFFT makes its code at run time, so that each minor release counts (pytorch#88038).
        found = _older(present, _builds(facts), by_minor=seen is fft) if seen else None
        if found is not None:
            gpu, build, first = found
            title = f"{gpu.title} ({gpu.capability}) {words.format(first=first, cuda=build.cuda)}"
            keys = (*seen, gpu.key, build.key)
            return KernelFault(NEW, title, keys, gpu, build.package, Confidence.LIKELY)
    return None


def ptxas_before_gpu(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """XLA's ptxas failed: it is the toolkit's, else of the CUDA that the framework was built with.

    It compiles where the program runs, so that each minor release counts.
    """
    failed, toolkit = statements(facts, "xla-ptxas-failed"), facts.known(names.TOOLKIT_VERSION)
    builds = [build for build in _builds(facts) if build.package != "torch"]
    if toolkit is not None:
        builds = [_Build(None, toolkit, names.TOOLKIT_VERSION)]
    found = _older(present, builds, by_minor=True) if failed else None
    if found is None:
        return None
    gpu, build, first = found
    title = f"{gpu.title} ({gpu.capability}) needs the ptxas of CUDA {first}, or later"
    keys = (*failed, gpu.key, build.key)
    return KernelFault(NEW, title, keys, gpu, build.package, Confidence.LIKELY)


def _refused_setup(facts: Facts) -> Keys:
    """An invalid argument, by torch's own words, while it set itself up."""
    codes = errors(facts, "CUDA_ERROR_INVALID_VALUE")
    return tuple(code for code in codes if _OLD_SETUP.search(facts.known(code) or ""))


def of_old_series(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Of the GPU its series alone is told, which came long before what people install."""
    series, codes = statements(facts, "gpu-old-series-told"), errors(facts, *NO_CODE)
    if not series or not codes or present or names_itself(facts):
        return None
    title = f"A program has no code for a GPU as old as {value(facts, 'gpu-old-series-told')}"
    return KernelFault(OLD, title, (*codes, *series), None, None, Confidence.POSSIBLE)


def before_its_gpu(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """TensorRT, which compiles for the GPU itself, fails on one that its release does not know."""
    key = names.PACKAGE_VERSION("tensorrt")
    release = Version.parse(facts.known(key) or "")
    if release is None or not facts.known(said.ABOUT("trouble")) or seen_anyway(facts):
        return None
    from ....knowledge.companions import first_release

    for gpu in present:
        first = first_release("tensorrt", gpu.capability)
        if isinstance(first, Version) and release < first:
            title = f"TensorRT {release} does not know {with_target(gpu)}: {first} was the first"
            return KernelFault(NEW, title, (key, gpu.key), gpu, "tensorrt", Confidence.LIKELY)
    return None


def of_earlier_major(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """There is a trouble, no error, and a build whose CUDA is of before each GPU's kind.

    Libraries of such a build have no code for the GPU: what they compute there fails or is wrong.
    Nor does that keep a framework from seeing the GPU, so that who sees none has another trouble.
    """
    if not present or not facts.known(said.ABOUT("trouble")) or something_fails(facts):
        return None
    if facts.known(names.PACKAGE_VERSION("tensorrt")) is not None:
        return None  # whose form asks for the frameworks that are there as well
    works = facts.known_of(said.FRAMEWORK_COMPUTED) or facts.known_of(said.FRAMEWORK_SEES_GPU)
    shown = (said.PROGRESS, said.DEVICE_IN_USE, said.TRACE_CUT, said.FAILURE, names.CUDA_COUNT)
    if works or any(facts.known(key) is not None for key in shown):
        return None
    builds = tuple(each for each in _builds(facts) if _is_release(each.cuda) and not _tells(each))
    found = [_older((gpu,), builds, by_minor=False) for gpu in present]
    if not builds or None in found or not (first := found[0]):
        return None
    gpu, build, needed = first
    title = f"{gpu.title} ({gpu.capability}) needs CUDA {needed} or later, and CUDA {build.cuda} is"
    keys = (gpu.key, build.key)
    return KernelFault(NEW, f"{title} in use", keys, gpu, build.package, Confidence.POSSIBLE)


def _tells(build: _Build) -> bool:
    """Whether the build tells more: by its own lines, or as torch by what it was compiled for."""
    return build.package == "torch" or _TELLS_CUDA.match(build.package or "") is not None


def _is_release(cuda: Version) -> bool:
    """Whether there is such a CUDA: some programs give the name to a GPU's capability."""
    from ....knowledge.architecture import toolkit_targets

    return len(cuda.parts) > 1 and toolkit_targets(cuda) is not None


#: The last toolkit that anybody still builds programs with for old GPUs is a later one.
_LONG_AGO = Version("8.0")


def of_another_age(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """There is a trouble, and every GPU is one for which hardly a program has code any more."""
    from ....knowledge.architecture import architecture

    if not present or not facts.known(said.ABOUT("trouble")) or seen_anyway(facts):
        return None
    if not _asks_for_cuda(facts):
        return None
    known = [architecture(gpu.capability) for gpu in present]
    last = [row.last_toolkit for row in known if row is not None and row.last_toolkit is not None]
    if len(last) < len(present) or max(last) > _LONG_AGO:
        return None
    newest = max(present, key=lambda gpu: gpu.capability)
    title = f"CUDA after {max(last)} has no code for {with_target(newest)}, and programs need later"
    keys = tuple(gpu.key for gpu in present)
    return KernelFault(OLD, f"{title} ones", keys, newest, None, Confidence.POSSIBLE)


#: What is told of in texts about computing on a GPU.
_COMPUTING = ("torch", "tensorflow", "jax", "onnxruntime", "cupy", "numba", "ctranslate2", "paddle",
              "ollama", "llama-cpp", "cuda")  # fmt: skip


def _asks_for_cuda(facts: Facts) -> bool:
    """Whether the text is about a program that computes, and nothing shows that it does."""
    told = any(facts.known(said.ABOUT(each)) for each in _COMPUTING)
    told = told or facts.known(said.CUDA_NAMED) is not None or any(facts.subjects(said.ERROR))
    told = told or bool(statements(facts, "no-device-serves-program"))
    return told and facts.known(said.PROGRESS) is None


def slow_copy(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The first copy takes minutes, in a program of which no version is told."""
    slow = statements(facts, "told-slow-copy")
    if not slow or not present or any(_builds(facts)) or facts.subjects(said.ERROR):
        return None
    gpu = present[0]
    title = f"The first copy to {gpu.title} takes minutes, as where the driver compiles a program"
    keys = (*slow, gpu.key)
    return KernelFault(NEW, f"{title} that came before it", keys, gpu, None, Confidence.POSSIBLE)


def _older(
    present: tuple[Gpu, ...], builds: Iterable[_Build], *, by_minor: bool
) -> tuple[Gpu, _Build, Version] | None:
    """The first GPU that came after a build's CUDA, and the CUDA that it came with."""
    from ....knowledge.architecture import architecture

    candidates = tuple(builds)
    for gpu in present:
        known = architecture(gpu.capability)
        first = None if known is None else known.first_toolkit
        if first is None:
            continue
        for build in candidates:
            before = build.cuda < first if by_minor else has_none_of_its_major(build.cuda, gpu)
            if before:
                return gpu, build, first
    return None


def _builds(facts: Facts) -> Iterator[_Build]:
    """Frameworks as they were built; where none is known the toolkit, or the one CUDA named."""
    toolkit = facts.known(names.TOOLKIT_VERSION)
    frameworks = (_torch(facts, toolkit), _tensorflow(facts, toolkit), _by_its_cuda(facts))
    known = tuple(build for build in frameworks if build is not None)
    yield from known
    inside = facts.known(names.CONTAINER_KIND) is not None  # an image has a CUDA of its own
    if not known and toolkit is not None and not inside:
        yield _Build(None, toolkit, names.TOOLKIT_VERSION)
    named = facts.known(said.CUDA_NAMED) or ()
    if not known and toolkit is None and len(named) == 1:
        yield _Build(None, Version(named[0]), said.CUDA_NAMED)


def _torch(facts: Facts, toolkit: Version | None) -> _Build | None:
    own = facts.known(names.PACKAGE_CUDA("torch"))
    if own is not None:
        return _Build("torch", own, names.PACKAGE_CUDA("torch"))
    codes = errors(facts, *MAY_BE_NO_CODE)
    if any(_OLD_CUBLAS.search(facts.known(code) or "") for code in codes):
        from ....knowledge.pytorch import newest_cuda_before

        newest = newest_cuda_before(_FIRST_WITHOUT)
        return _Build("torch", min(toolkit or newest, newest), names.PACKAGE_CUDA("torch"))
    return _by_release(facts)


def _by_release(facts: Facts) -> _Build | None:
    """The newest CUDA that torch was built with; of releases before the table's no newer one."""
    key = names.PACKAGE_VERSION("torch")
    told = facts.known(key)
    if told is None:
        return None
    from ....knowledge.pytorch import builds, oldest_release, parse_version

    version = parse_version(told)
    if version is None or version.variant is not None:
        return None
    found = builds(max(version.release, oldest_release()))
    return _Build("torch", found[-1].cuda, key) if found else None


def _by_its_cuda(facts: Facts) -> _Build | None:
    """MXNet and CuPy, whose packages are named after their CUDA; Paddle, which prints it."""
    for name in facts.subjects(names.PACKAGE_CUDA):
        cuda = facts.known(names.PACKAGE_CUDA(name))
        if cuda is not None and _TELLS_CUDA.match(name):
            return _Build(name, cuda, names.PACKAGE_CUDA(name))
    return None


def _tensorflow(facts: Facts, toolkit: Version | None) -> _Build | None:
    """A toolkit that is newer than the release's was hardly found by it: somebody built another."""
    release, opened = tensorflow_release(facts), run_time(facts)
    if opened is not None:
        return _Build("tensorflow", *opened)
    if release is None or (toolkit is not None and toolkit.major > release[2].major):
        return None
    return _Build("tensorflow", release[2], names.PACKAGE_VERSION(release[0]))
