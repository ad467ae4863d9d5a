"""A TensorFlow that was built before the GPU: its code is refused, or it stands without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..gpus.known import Gpu, with_target
from ..sentences import something_fails
from ..statements import errors, seen_anyway, statements, value
from .no_code import NEW, OLD, KernelFault, has_none_of_its_major, is_newest_of, side_of

if TYPE_CHECKING:
    from ....facts.model import Facts, Key

#: How TensorFlow words it.
_OF_STATUS = "status: device kernel image is invalid"


def by_image(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """The driver refuses the code of a TensorFlow whose CUDA is older than every GPU."""
    from ..libraries.needs import tensorflow_release

    refused = errors(facts, "CUDA_ERROR_INVALID_IMAGE")
    refused = tuple(key for key in refused if _OF_STATUS in (facts.known(key) or "").lower())
    if tensorflow_release(facts) is None and not facts.subjects(names.GPU_NAME):
        return _by_series(present, refused)
    return _older_tensorflow(facts, present, refused) or _for_later_gpus(facts, present, refused)


def by_told_release(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """Somebody says that it does not run, without an error; the tables know why."""
    told = statements(facts, "told-not-running-on-gpu")
    if something_fails(facts) or seen_anyway(facts) or facts.known(said.TRACE_CUT) is not None:
        return None
    by_release = _older_tensorflow(facts, present, told)
    return by_release or (_older_run_time(facts, present, told) if told else None)


def made_from_ptx(facts: Facts, _: tuple[Gpu, ...]) -> KernelFault | None:
    """TensorFlow warns that it has no kernels for the GPU, and somebody says that this is amiss."""
    made = statements(facts, "tf-kernels-not-for-gpu")
    amiss = statements(facts, "fails-after-ptx-told", "gpu-support-asked")
    capability = Version.parse(value(facts, "tf-kernels-not-for-gpu").rstrip("af"))
    works = facts.known(said.FRAMEWORK_COMPUTED("tensorflow")) or facts.known(said.PROGRESS)
    if capability is None or not amiss or works or facts.subjects(said.ERROR):
        return None
    title = f"TensorFlow has no kernels for GPUs of capability {capability}, only PTX"
    side = side_of(capability, None)
    return KernelFault(side, title, (*made, *amiss), None, None, Confidence.POSSIBLE)


def _older_tensorflow(
    facts: Facts, present: tuple[Gpu, ...], refused: tuple[Key[str], ...]
) -> KernelFault | None:
    from ..libraries.needs import tensorflow_release

    release = tensorflow_release(facts)
    if not refused or release is None or not _came_before(release[2], present):
        return None
    package, version, cuda = release
    gpu = present[0]
    title = f"{package} {version} was built with CUDA {cuda}, which is older than {gpu.title}"
    keys = (*refused, names.PACKAGE_VERSION(package), gpu.key)
    return KernelFault(NEW, title, keys, gpu, package, Confidence.LIKELY)


def _for_later_gpus(
    facts: Facts, present: tuple[Gpu, ...], refused: tuple[Key[str], ...]
) -> KernelFault | None:
    """A build whose CUDA knows the GPU, and that has no code for it: it is for later ones.

    Of what it was compiled for it keeps PTX, which serves every later GPU. A release is judged by
    the table of what it was compiled for.
    """
    from ..libraries.needs import tensorflow_release

    opened = run_time(facts)
    if not refused or opened is None or not present or tensorflow_release(facts) is not None:
        return None
    cuda, key = opened
    if any(_came_before(cuda, (gpu,)) or is_newest_of(cuda, gpu) for gpu in present):
        return None
    gpu = present[0]
    title = f"This build of TensorFlow has no code for {with_target(gpu)}, only for later GPUs"
    keys = (*refused, key, gpu.key)
    return KernelFault(OLD, title, keys, gpu, "tensorflow", Confidence.LIKELY)


#: CUDA's libraries as TensorFlow opens them: up to CUDA 10 the names of all have the minor.
_OPENED = tuple(
    said.LIBRARY_LOADED(stem)
    for stem in ("cudart", "cublas", "cufft", "curand", "cusolver", "cusparse")
)
_RUN_TIME = regex(r"lib[a-z]{4,8}\.so\.(\d{1,2}\.\d)(?![\w.])|[a-z]{4,8}64_(\d{2}|[789])(\d)\.dll")


def run_time(facts: Facts) -> tuple[Version, Key[str]] | None:
    """The CUDA of the libraries that TensorFlow opened, and the first of them."""
    return linked_run_time(facts) if facts.known(said.ABOUT("tensorflow")) else None


def linked_run_time(facts: Facts) -> tuple[Version, Key[str]] | None:
    """The CUDA of the libraries that a program was linked with, or opened."""
    for key in _OPENED:
        if file := _RUN_TIME.search(facts.known(key) or ""):
            return Version(file[1] or f"{file[2]}.{file[3]}"), key
    return None


#: Since Turing a GPU runs no code of cuBLAS that was compiled for the generation before it.
_OWN_CODE = Version("7.5")


def by_cublas(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """TensorFlow's cuBLAS starts, and cannot execute an ordinary product on a GPU of 2018 or later.

    Where it lacks room it does not start, which has another code. Nothing tells of which CUDA it
    is; where something does, that decides.
    """
    from ..libraries.needs import tensorflow_release

    if tensorflow_release(facts) or run_time(facts) or facts.known(names.TOOLKIT_VERSION):
        return None
    failed = errors(facts, "CUBLAS_STATUS_EXECUTION_FAILED")
    product = statements(facts, "tf-cublas-handle")
    later = [gpu for gpu in present if gpu.capability >= _OWN_CODE]
    if not failed or not product or not later:
        return None
    gpu = later[0]
    title = f"TensorFlow's cuBLAS has no code for {with_target(gpu)}: its CUDA came before that"
    keys = (*failed, *product, gpu.key)
    return KernelFault(NEW, title, keys, gpu, "tensorflow", Confidence.LIKELY)


#: The driver refuses the code that it is given; any other fault has another reason.
_OF_CODE = "CUDA_ERROR_INVALID_IMAGE", "CUDA_ERROR_INVALID_PTX", "CUDA_ERROR_NO_BINARY_FOR_GPU"


def by_run_time(facts: Facts, present: tuple[Gpu, ...]) -> KernelFault | None:
    """TensorFlow opened a CUDA of an earlier major than the GPU's, and its code does not run."""
    wrong = statements(facts, "nan-told", "wrong-results-told", "internal-error-told")
    opened, doubted = run_time(facts), errors(facts, *_OF_CODE) or wrong
    if opened is None or not present or not doubted or seen_anyway(facts):
        return None
    return _older_run_time(facts, present, ()) if _by_major(opened[0], present) else None


def _older_run_time(
    facts: Facts, present: tuple[Gpu, ...], told: tuple[Key[str], ...]
) -> KernelFault | None:
    """TensorFlow's release is not named, but it opened CUDA's run time of before the GPU."""
    opened = run_time(facts)
    if opened is None or not _came_before(opened[0], present):
        return None
    (cuda, key), gpu = opened, present[0]
    title = f"TensorFlow runs with CUDA {cuda}, which is older than {with_target(gpu)}"
    return KernelFault(NEW, title, (*told, key, gpu.key), gpu, "tensorflow", Confidence.LIKELY)


def _came_before(cuda: Version, present: tuple[Gpu, ...]) -> bool:
    """Whether each of these GPUs needs a later CUDA; no GPU is none."""
    from ....knowledge.architecture import architecture

    known = [architecture(gpu.capability) for gpu in present]
    later = (each is not None and (each.first_toolkit or cuda) > cuda for each in known)
    return bool(known) and all(later)


def _by_major(cuda: Version, present: tuple[Gpu, ...]) -> bool:
    """The same of a later major, or of GPUs of a kind that it compiled nothing for."""
    return all(has_none_of_its_major(cuda, gpu) for gpu in present)


def _by_series(present: tuple[Gpu, ...], refused: tuple[Key[str], ...]) -> KernelFault | None:
    """The same of a GPU of which the series alone is told, and of a TensorFlow without release."""
    told = [gpu for gpu in present if gpu.of_series]
    if not told or not refused:
        return None
    title = f"TensorFlow's code is refused: it mostly is older than {with_target(told[0])}"
    keys = (*refused, told[0].key)
    return KernelFault(NEW, title, keys, None, "tensorflow", Confidence.POSSIBLE)
