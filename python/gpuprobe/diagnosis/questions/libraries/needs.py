"""Which CUDA a framework's build takes from the system, where it found none that it could use.

Only builds that do not bring their libraries along: that a toolkit differs from the CUDA of a
wheel which has its own is no fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..place import place_of
from ..sentences import something_fails
from ..statements import errors, no_gpu_seen, seen_anyway, statements, value, value_words
from .faults import missing_files
from .installed import installed_cuda, installed_or_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys

#: Since CUDA 11 libraries of one major take each other's place.
_COMPATIBLE_SINCE = 11
_OWN_LIBRARIES = regex(r"nvidia-(?:cuda-runtime|cublas|cudnn)(?:-cu\d+)?")
_TF_SIGNS = ("tf-no-cuda-drivers", "tf-cudart-stub", "tf-libraries-missing", "tf-skipping-gpus")


class Need(NamedTuple):
    """The CUDA that a build needs, and the facts that tell it."""

    title: str
    cuda: Version
    keys: Keys
    confidence: Confidence = Confidence.LIKELY

    def takes(self, cuda: Version) -> bool:
        """Whether an installed CUDA serves."""
        if self.cuda.major != cuda.major:
            return False
        bare = len(self.cuda.parts) == 1 or len(cuda.parts) == 1
        return bare or cuda.major >= _COMPATIBLE_SINCE or cuda.minor == self.cuda.minor


def needs_of(facts: Facts) -> Iterator[Need]:
    """The needs of builds that could not use the GPU, and have no libraries of their own."""
    if any(stem != "cudnn" for stem, _, _ in missing_files(facts)):
        return  # the file that is missing tells more
    yield from _onnxruntime(facts)
    yield from _pycuda(facts)
    yield from _opencv(facts)
    if _brings_its_own(facts):
        return
    yield from _by_name(facts)
    yield from _tensorflow(facts)
    yield from _tensorflow_js(facts)


def _brings_its_own(facts: Facts) -> bool:
    return any(_OWN_LIBRARIES.fullmatch(name) for name in facts.subjects(names.PACKAGE_VERSION))


def _onnxruntime(facts: Facts) -> Iterator[Need]:
    asked = value_words(facts, "ort-requires")
    if len(asked) > 1:
        yield Need("ONNX Runtime", Version(asked[1]), (said.SIGN("ort-requires"),))
    failed = (*_provider_failed(facts), *statements(facts, "told-idle"))
    package = onnxruntime_package(facts)
    version = facts.known(names.PACKAGE_VERSION(package))
    if not asked and version is None:
        by_line = tuple(_by_source_line(facts))
        yield from by_line or _before_newest_cuda(facts)
    if asked or not failed or version is None:
        return
    from ....knowledge.onnxruntime import builds

    own = facts.known(names.PACKAGE_CUDA(package))
    found = [build for build in builds(version) if own is None or build.cuda.major == own.major]
    by_pip = package == "onnxruntime-gpu" and found and found[0].on_index
    if by_pip or len({build.cuda.major for build in found}) == 1:
        key = names.PACKAGE_VERSION(package)
        yield Need(f"{package} {version}", found[0].cuda, (*failed, key))


def _by_source_line(facts: Facts) -> Iterator[Need]:
    """Of a release that nobody names: the line of the source that failed is in one release alone.

    Of some there are builds for several CUDAs, of which that on the index is what pip installs.
    """
    line = value(facts, "ort-source-line")
    if not line:
        return
    from ....knowledge.onnxruntime import builds, release_of_line

    release = release_of_line(int(line))
    found = [] if release is None else builds(str(release))
    of_python = statements(facts, "ort-provider-failed") and found and found[0].on_index
    if of_python or len({build.cuda.major for build in found}) == 1:
        keys = (*_provider_failed(facts), said.SIGN("ort-source-line"))
        yield Need(f"ONNX Runtime {release}", found[0].cuda, keys)


def _before_newest_cuda(facts: Facts) -> Iterator[Need]:
    """Of a release that nobody names: the newest CUDA came long after most of them."""
    there, failed = installed_or_named(facts), _provider_failed(facts)
    if not (failed and there):
        return
    from ....knowledge.onnxruntime import before_newest_cuda

    first, before = before_newest_cuda()
    if all(each.cuda.major > before.cuda.major for each in there):
        title = f"ONNX Runtime before {first}"
        yield Need(title, Version.of(before.cuda.major), failed, Confidence.POSSIBLE)


#: The first call to a library by which its CUDA provider begins.
_BEGINS = regex(r"\bexpr=\s?cu(?:dnn|blas)\w{0,4}Create\(")
_NOT_BEGUN = ("CUDNN_STATUS_NOT_INITIALIZED", "CUBLAS_STATUS_NOT_INITIALIZED")


def _by_name(facts: Facts) -> Iterator[Need]:
    """CuPy, or a package on top of it, takes cuBLAS of the CUDA in its name from the system."""
    failed = errors(facts, *_NOT_BEGUN)
    if not failed or errors(facts, "CUDA_ERROR_OUT_OF_MEMORY"):
        return
    for name in facts.subjects(names.PACKAGE_CUDA):
        key = names.PACKAGE_CUDA(name)
        if name.startswith("cupy-cuda") and (cuda := facts.known(key)) is not None:
            yield Need(name, cuda, (*failed, key))
    if told := statements(facts, "package-for-cuda"):
        name = value(facts, "package-for-cuda").lower()
        yield Need(name, Version(name.rpartition("-cuda")[2].rstrip("x")), (*failed, *told))


def _provider_failed(facts: Facts) -> tuple[Key[str], ...]:
    """That ONNX Runtime's CUDA provider did not load, or could not begin one of its libraries."""
    told = ((key, facts.known(key) or "") for key in errors(facts, *_NOT_BEGUN))
    begun = (key for key, words in told if "onnxruntime" in words and _BEGINS.search(words))
    return (*statements(facts, "ort-provider-failed", "ort-library-load"), *begun)


def _pycuda(facts: Facts) -> Iterator[Need]:
    """It is linked with the DLLs of the CUDA that the tag of its version names."""
    failed = errors(facts, "WIN32_126")
    key, version = names.PACKAGE_CUDA("pycuda"), names.PACKAGE_VERSION("pycuda")
    cuda = facts.known(key)
    if failed and cuda is not None:
        yield Need(f"pycuda {facts.known(version) or ''}".strip(), cuda, (*failed, version, key))


def _opencv(facts: Facts) -> Iterator[Need]:
    """Its config.py names the folder of the CUDA whose DLLs it was linked with."""
    failed, told = errors(facts, "WIN32_126"), statements(facts, "opencv-cuda-folder")
    cuda = Version.parse(value(facts, "opencv-cuda-folder"))
    if any("cv2" in (facts.known(key) or "") for key in failed) and cuda is not None:
        yield Need("OpenCV", cuda, (*failed, *told))


def pycuda_for_other_cuda(facts: Facts) -> bool:
    """Whether PyCUDA did not load, and the CUDA that is there is not its own (GP602)."""
    there = installed_cuda(facts)
    return bool(there) and any(
        not any(need.takes(each.cuda) for each in there) for need in _pycuda(facts)
    )


def onnxruntime_package(facts: Facts) -> str:
    """The package of ONNX Runtime for GPUs; who fills in a form gives the project's name."""
    named = facts.known(names.PACKAGE_VERSION("onnxruntime-gpu")) is not None
    return "onnxruntime-gpu" if named or not _provider_failed(facts) else "onnxruntime"


def _tensorflow(facts: Facts) -> Iterator[Need]:
    failed = (
        *statements(facts, *_TF_SIGNS, "told-idle", "told-not-together"),
        *no_gpu_seen(facts, "tensorflow"),
        *needs_cuda_dlls(facts),
    )
    if not something_fails(facts) and not seen_anyway(facts):
        failed = (*failed, *statements(facts, "gpu-not-usable"), *_asked_about(facts))
        failed = (*failed, *_import_cut(facts))
    release = tensorflow_release(facts)
    if failed and release is not None and not _tried_another(facts):
        name, version, cuda = release
        yield Need(f"{name} {version}", cuda, (*failed, names.PACKAGE_VERSION(name)))


def _import_cut(facts: Facts) -> tuple[Key[str], ...]:
    """A traceback through the import whose last line, with the error, was left out."""
    if facts.known(said.FAILURE) is not None:
        return ()
    windows = place_of(facts).system == "Windows"
    first_to_open = _FIRST_TO_OPEN_ON_WINDOWS if windows else _FIRST_TO_OPEN
    return statements(facts, "tf-import-frame") if _linked_before(facts, first_to_open) else ()


def _asked_about(facts: Facts) -> tuple[Key[str], ...]:
    """TensorRT's absence, of which TensorFlow warns before it opens the first library of CUDA.

    Who asks what it means, and whose CUDA is another one, has not come to what is missed.
    """
    key = said.NOISE("tensorrt-missing")
    begun = facts.known(said.LIBRARY_LOADED("cudart")) or facts.known(said.LIBRARY_LOADED("cuda"))
    return () if facts.known(key) is None or begun else (key,)


def _tried_another(facts: Facts) -> bool:
    """Whether one of several releases that somebody tried is for the CUDA that is there."""
    from ....knowledge import tensorflow

    tried = map(tensorflow.release, value_words(facts, "tf-releases-tried"))
    needs = [Need("", each.cuda, ()) for each in tried if each is not None]
    return any(need.takes(each.cuda) for need in needs for each in installed_cuda(facts))


def _tensorflow_js(facts: Facts) -> Iterator[Need]:
    """The library in TensorFlow.js' package for GPUs, which says so where it finds no CUDA."""
    failed, key = statements(facts, *_TF_SIGNS), names.PACKAGE_VERSION("tensorflow-js")
    version = facts.known(key)
    if not failed or version is None:
        return
    from ....knowledge.tensorflow import cuda_of_js

    cuda = cuda_of_js(version)
    if cuda is not None:
        yield Need(f"tfjs-node-gpu {version}", cuda, (*failed, key))


def tensorflow_release(facts: Facts) -> tuple[str, str, Version] | None:
    """Package, version and CUDA of the TensorFlow that is installed as a CUDA build."""
    windows = place_of(facts).system == "Windows"
    for name in ("tensorflow", "tensorflow-gpu"):
        version = facts.known(names.PACKAGE_VERSION(name))
        foreign = "+" in (version or "")  # NVIDIA's own, for another CUDA: 1.15.5+nv21.04
        if version is None or foreign or facts.known(names.PACKAGE_BUILD(name)) == "cpu":
            continue
        from ....knowledge import tensorflow

        release = tensorflow.release(version)
        cuda = None if release is None else release.windows_cuda if windows else release.cuda
        if cuda is not None:
            return name, version, facts.known(names.PACKAGE_CUDA(name)) or cuda
    return None


#: Before these TensorFlow was linked with CUDA's libraries; later ones open them by themselves.
_FIRST_TO_OPEN, _FIRST_TO_OPEN_ON_WINDOWS = Version("1.14"), Version("2.1")


def needs_cuda_dlls(facts: Facts) -> tuple[Key[str], ...]:
    """The errors with which an old TensorFlow for GPUs ends at its import on Windows."""
    linked = _linked_before(facts, _FIRST_TO_OPEN_ON_WINDOWS)
    return errors(facts, "WIN32_126") if linked else ()


def _linked_before(facts: Facts, first_to_open: Version) -> bool:
    """Whether it is a TensorFlow for GPUs that was linked with CUDA and cuDNN.

    Where its import fails one of their libraries is missing.
    """
    release = tensorflow_release(facts)
    for_gpu = release is not None and release[0] == "tensorflow-gpu"
    # Who tells of CUDA has the build for GPUs, whatever name the form gives it.
    told = facts.known(names.TOOLKIT_VERSION) is not None
    if release is None or not (for_gpu or told or statements(facts, "tensorflow-gpu-asked")):
        return False
    from ....knowledge.tables import release_number

    version = release_number(release[1])
    return version is not None and version < first_to_open


def runtime_not_found(facts: Facts) -> Keys:
    """The facts by which TensorFlow did not find its run-time library though a driver is there.

    Its words were "could not find cuda drivers", which it said of libcudart as well.
    """
    linked = needs_cuda_dlls(facts)
    if linked:
        named = facts.subjects(names.LIBRARY_MISSING) or facts.known(said.LIBRARY_LISTED("cudart"))
        return () if named else linked  # it may be another file, or the run time is seen
    if unloaded := statements(facts, "tf-runtime-not-loaded"):
        return unloaded
    made = statements(facts, "tf-no-cuda-drivers")
    driver: Keys = (names.DRIVER_VERSION, names.NVML_COUNT)
    there = tuple(key for key in driver if facts.known(key))
    if not made or not there or tensorflow_release(facts) is None:
        return ()
    return (*made, *there)


def told_other_cuda(facts: Facts) -> tuple[Version, Version] | None:
    """The CUDA that a program asks for and the one that is there, as one sentence tells both."""
    both = [Version.parse(word) for word in value_words(facts, "told-other-cuda")]
    match both:
        case [Version() as wanted, Version() as there]:
            served = Need("", wanted, ()).takes(there)
            return (
                None if served or something_fails(facts) or seen_anyway(facts) else (wanted, there)
            )
    return None


def warp_before_driver(facts: Facts) -> tuple[Version, Version, tuple[Key[str], ...]] | None:
    """The CUDA of Warp and the driver's, of a later major release, which lacks what Warp calls.

    A driver keeps what programs link with; Warp asks it for functions by their names.
    """
    missed = errors(facts, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER")
    match [Version(each) for each in value_words(facts, "warp-cuda")]:
        case [built, serves] if missed and built.major < serves.major:
            return built, serves, (*missed, said.SIGN("warp-cuda"))
    return None
