"""TensorFlow's builds without CUDA: by what was installed of it, and by what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.version import Version
from ..sentences import something_fails
from ..statements import no_gpu_seen, statements
from ..symptoms import driver_answers, nvidia_gpus
from .cpu import CpuBuild, uses_gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys
    from ..place import Place


def by_package(facts: Facts) -> Iterator[CpuBuild]:
    """By its release, of the time when the support of GPUs was a package of its own."""
    yield from _plain_tensorflow(facts)
    yield from _without_package_for_gpus(facts)


def by_work(facts: Facts, place: Place) -> Iterator[CpuBuild]:
    """By where it computed, and what it could not do there."""
    yield from _asked_for_gpu(facts)
    yield from _with_mkl(facts)
    yield from _extra_on_windows(facts, place)
    yield from _layout_of_gpus(facts)


#: Before it the package of plain name was that for the CPU, beyond doubt.
_TENSORFLOW_IN_ONE = Version("1.15")
#: From the first of these up to the other it was so again.
_APART_AGAIN = Version("1.15.2"), Version("2.1")
#: What pip lists beside it: then the name is the package's, not the project's.
_BESIDE_TENSORFLOW = ("tensorflow-estimator", "tensorboard")


def _plain_tensorflow(facts: Facts) -> Iterator[CpuBuild]:
    """TensorFlow of the time when its GPU support was in a package of its own."""
    from ....knowledge.tables import release_number

    key = names.PACKAGE_VERSION("tensorflow")
    version = release_number(facts.known(key) or "")
    unseen = no_gpu_seen(facts, "tensorflow")
    again = version is not None and _APART_AGAIN[0] <= version < _APART_AGAIN[1]
    if version is None or not unseen or not (version < _TENSORFLOW_IN_ONE or again):
        return
    seen = seen_by_another(facts, "tensorflow")
    if facts.known(names.CUDA_COUNT):  # as deviceQuery counts them
        seen = (*seen, names.CUDA_COUNT)
    listed = seen or any(facts.known(names.PACKAGE_VERSION(name)) for name in _BESIDE_TENSORFLOW)
    asked = statements(facts, "tensorflow-asked")
    both = facts.known(names.PACKAGE_VERSION("tensorflow-gpu")) is not None
    if (listed or asked) and not both and not statements(facts, "tensorflow-gpu-asked"):
        title = f"tensorflow {version} is without CUDA: then GPU support was in tensorflow-gpu"
        yield CpuBuild(
            "tensorflow", "TensorFlow", title, (key, *asked, *seen, *unseen), guessed=True
        )


def _without_package_for_gpus(facts: Facts) -> Iterator[CpuBuild]:
    """Somebody misses the GPU, and says that the package of its own was left out."""
    told = statements(facts, "tensorflow-gpu-left-out-told")
    version = Version.parse(facts.known(names.PACKAGE_VERSION("tensorflow")) or "")
    missed = no_gpu_seen(facts, "tensorflow") or nvidia_gpus(facts)
    if not told or not missed or uses_gpu(facts, "tensorflow") or something_fails(facts):
        return
    if version is None or version < _TENSORFLOW_IN_ONE:
        title = "tensorflow-gpu was not installed, as the text says: tensorflow was without CUDA"
        yield CpuBuild("tensorflow", "TensorFlow", title, (*told, *missed), guessed=True)


def _asked_for_gpu(facts: Facts) -> Iterator[CpuBuild]:
    """An operation has code for GPUs alone, and TensorFlow counts none among its devices."""
    asked = statements(facts, "tf-cpu-registered", "tf-op-for-gpu")
    for_cpu = statements(facts, "tf-op-for-cpu") or facts.subjects(names.PACKAGE_CUDA)
    if len(asked) <= 1 or for_cpu or something_fails(facts):
        return
    if not uses_gpu(facts, "tensorflow") and not build_is_known(facts, "tensorflow"):
        title = "TensorFlow knows CPUs alone, and an operation has code for GPUs alone"
        yield CpuBuild("tensorflow", "TensorFlow", title, asked, guessed=True)


#: An operation ran on the CPU, in a layout of its data that TensorFlow has for GPUs alone.
OF_GPUS = "tf-op-for-gpu-only"


def for_gpus(facts: Facts) -> Keys:
    """What tells that this TensorFlow is a build for GPUs: it lists one, or opened CUDA itself."""
    seen = facts.keys_of(said.FRAMEWORK_SEES_GPU)
    listed = (key for key in seen if "tensorflow" in key.name and facts.known(key))
    opened = (said.LIBRARY_LOADED(each) for each in ("cudart", "cublas", "cudnn"))
    return (*listed, *(key for key in opened if facts.known(key) is not None))


def _with_mkl(facts: Facts) -> Iterator[CpuBuild]:
    """It begins with MKL's threads, and no word of CUDA, where somebody tells of a GPU.

    With MKL releases were compiled for processors alone, until those came that have both.
    """
    made = statements(facts, "tf-with-mkl")
    there = (*nvidia_gpus(facts), *driver_answers(facts), *statements(facts, "told-idle"))
    if made and there and not uses_gpu(facts, "tensorflow") and not something_fails(facts):
        title = "TensorFlow is compiled with MKL, for processors, and begins without a word of CUDA"
        yield CpuBuild("tensorflow", "TensorFlow", title, (*made, *there), guessed=True)


def _extra_on_windows(facts: Facts, place: Place) -> Iterator[CpuBuild]:
    """Pip was asked for TensorFlow's libraries, which releases have that use no GPU on Windows."""
    asked = statements(facts, "tf-cuda-extra-asked")
    missed = (*no_gpu_seen(facts, "tensorflow"), *statements(facts, "told-idle", "gpu-not-usable"))
    if place.system != "Windows" or place.wsl or something_fails(facts):
        return
    if asked and missed and not uses_gpu(facts, "tensorflow"):
        title = "tensorflow[and-cuda] has no GPU support on Windows: 2.10 was the last that had"
        yield CpuBuild(
            "tensorflow", "TensorFlow", title, (names.OS_SYSTEM, *asked, *missed), guessed=True
        )


def _layout_of_gpus(facts: Facts) -> Iterator[CpuBuild]:
    """Mostly a TensorFlow without CUDA is all that computes a model on the CPU that is for GPUs."""
    told = statements(facts, OF_GPUS)
    failed = (said.ERROR, names.LIBRARY_MISSING, said.LIBRARY_BROKEN, names.PACKAGE_CUDA)
    if not told or for_gpus(facts) or any(facts.subjects(family) for family in failed):
        return
    if not build_is_known(facts, "tensorflow") and not build_is_known(facts, "tensorflow-gpu"):
        title = "TensorFlow computed on the CPU what only a GPU can do: it may be a build without "
        title += "CUDA"
        yield CpuBuild("tensorflow", "TensorFlow", title, told, guessed=True, doubted=True)


def seen_by_another(facts: Facts, framework: str) -> Keys:
    """What tells that another framework sees the GPU."""
    seen = said.FRAMEWORK_SEES_GPU
    others = (seen(each) for each in facts.subjects(seen) if each != framework)
    return tuple(key for key in others if facts.known(key))


def build_is_known(facts: Facts, name: str) -> bool:
    """Whether a build of this name is told, of whatever kind."""
    return names.PACKAGE_BUILD(name).name in facts
