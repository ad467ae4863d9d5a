"""The releases of cuDNN that the facts tell of: built with, loaded, installed, needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ..libraries.needs import onnxruntime_package
from ..once import asked_once
from ..statements import errors, statements, value, value_words, where_known

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

    #: Built with, loaded, and the facts that say so.
    Pair = tuple[Version, Version, Keys]

_MAJOR = regex(r"\.so\.(\d+)|64_(\d+)\.dll|\(R(\d+)\)", re.IGNORECASE)
_PIP = regex(r"(?:nvidia-)?cudnn(?:-cu\d+)?")
_RELEASE = regex(r"\d+(?:\.\d+)*")
_A_MAJOR = 2
#: OpenCV divides the number of cuDNN 9 as that of earlier ones: 90.1 is 9.1, and 91.0 is 9.10.
_MISREAD = 90
_NUMBERS = regex(r"\d+")
_FAILS = ("tf-cudnn-handle", "tf-no-convolution-algorithm", "torch-cudnn-no-valid-plans",
          "torch-cudnn-not-found-engine", "caffe2-cudnn-versions-differ",
          "paddle-cudnn-older")  # fmt: skip
_FAILING_CODES = ("CUDNN_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_INTERNAL_ERROR",
                  "CUDNN_STATUS_NOT_SUPPORTED", "CUDNN_STATUS_BAD_PARAM")  # fmt: skip


def stated_pair(facts: Facts) -> Pair | None:
    """The cuDNN that was built with, and the one that was loaded, where it fails."""
    return _pair_of_statement(facts) or _pair_of_facts(facts) or _pair_of_demand(facts)


#: A version of NVIDIA's package for Debian and Ubuntu: 8.9.3.28-1+cuda12.1
_BUILD = regex(r"\S+\+cuda(\d{2})\.(\d)")


def cudnn_of_other_cuda(facts: Facts) -> tuple[str, Version, Keys] | None:
    """The package of cuDNN, where it is for a CUDA of which a library is missing.

    The toolkit is of another major, so cuDNN is what asked for that library.
    """
    package, toolkit = value(facts, "cudnn-package-for"), facts.known(names.TOOLKIT_VERSION)
    build = _BUILD.fullmatch(package)
    if build is None or toolkit is None or toolkit.major == int(build[1]):
        return None
    files = tuple(map(names.LIBRARY_MISSING, ("cublas", "cublaslt")))
    asked = tuple(key for key in files if (facts.known(key) or "").endswith(f".so.{build[1]}"))
    if not asked:
        return None
    keys = (said.SIGN("cudnn-package-for"), names.TOOLKIT_VERSION, *asked)
    return package, Version.of(int(build[1]), int(build[2])), keys


def major_of(file: str) -> Version | None:
    """The major that a file's name carries: 8 in ``libcudnn.so.8`` and ``cudnn64_8.dll``.

    Torch7 writes ``libcudnn (R5)``.
    """
    match = _MAJOR.search(file)
    return Version(match[1] or match[2] or match[3]) if match else None


def majors_there(facts: Facts) -> dict[Key[object], int]:
    """The majors of cuDNN that the facts show to be there."""
    found: dict[Key[object], int] = {}
    version = facts.known(said.CUDNN_VERSION)
    if version is not None:
        found[said.CUDNN_VERSION] = version.major
    for key in (said.LIBRARY_LOADED("cudnn"), names.LIBRARY_PATH("cudnn")):
        there = major_of(where_known(facts, key) or "")
        if there is not None:
            found[key] = there.major
    listed = {major_of(file) for file in facts.known(said.LIBRARY_LISTED("cudnn")) or ()} - {None}
    for each in listed if len(listed) == 1 else ():
        found[said.LIBRARY_LISTED("cudnn")] = each.major if each else 0
    found.update({key: release.major for key, release in pip_releases(facts).items()})
    return found or _named(facts)


def _named(facts: Facts) -> dict[Key[object], int]:
    """The one major of cuDNN that a text names, where nothing shows which is there."""
    named = {int(each.partition(".")[0]) for each in facts.known(said.CUDNN_NAMED) or ()}
    return {said.CUDNN_NAMED: next(iter(named))} if len(named) == 1 else {}


def pip_releases(facts: Facts) -> dict[Key[object], Version]:
    """The releases of cuDNN that pip or conda has installed."""
    keys = (
        names.PACKAGE_VERSION(package)
        for package in facts.subjects(names.PACKAGE_VERSION)
        if _PIP.fullmatch(package)
    )
    texts = ((key, _RELEASE.match(facts.known(key) or "")) for key in keys)
    return {key: Version(match[0]) for key, match in texts if match is not None}


def _pair_of_facts(facts: Facts) -> Pair | None:
    """Both versions, where cuDNN fails; a build may well bring another than is installed."""
    built, loaded = facts.known(said.CUDNN_BUILT_WITH), facts.known(said.CUDNN_VERSION)
    failing = failures(facts)
    if not failing or built is None or loaded is None or serves(loaded, built):
        return None
    return built, loaded, (said.CUDNN_BUILT_WITH, said.CUDNN_VERSION, *failing)


def _pair_of_demand(facts: Facts) -> Pair | None:
    """What a package demands of cuDNN's, by pip or uv, and the older one that is there."""
    told, failing = value_words(facts, "cudnn-demand-unmet"), failures(facts)
    if not failing or len(told) < 2:  # noqa: PLR2004  wanted, there
        return None
    wanted, there = map(Version, told[:2])
    if errors(facts, "CUDA_ERROR_OUT_OF_MEMORY"):
        return None  # cuDNN cannot start for want of memory either
    if there >= wanted or any(serves(each, wanted) for each in pip_releases(facts).values()):
        return None
    return wanted, there, (said.SIGN("cudnn-demand-unmet"), *failing)


@asked_once
def failures(facts: Facts) -> Keys:
    """The statements and codes by which cuDNN fails, for this reason or another."""
    return (*statements(facts, *_FAILS), *errors(facts, *_FAILING_CODES))


def _pair_of_statement(facts: Facts) -> Pair | None:
    """Built with, loaded: as TensorFlow, PyTorch and JAX print the pair, each in its order."""
    loaded_first = _RELEASE.findall(value(facts, "cudnn-other-than-built"))
    if len(loaded_first) > 1:
        loaded, built = map(_release, loaded_first[:2])
        if loaded.major >= _MISREAD:
            loaded = Version.of(loaded.major // 10, loaded.major % 10 * 10 + loaded.minor)
            if serves(loaded, built):
                return None  # it differs by OpenCV's reckoning only
        return built, loaded, (said.SIGN("cudnn-other-than-built"),)
    numbers = [int(each) for each in _NUMBERS.findall(value(facts, "torch-cudnn-versions-differ"))]
    if len(numbers) > 5:  # noqa: PLR2004  two versions of three numbers
        key = said.SIGN("torch-cudnn-versions-differ")
        return Version.of(*numbers[:3]), Version.of(*numbers[3:6]), (key,)
    if len(numbers) == 2:  # noqa: PLR2004  as PyTorch before 1.12 had them, 7401
        built, loaded = map(_release, map(str, numbers))
        return built, loaded, (said.SIGN("torch-cudnn-versions-differ"),)
    for sign in ("theano-cudnn-mixed", "torch7-cudnn-versions-differ"):
        pair = value_words(facts, sign)
        if len(pair) > 1:
            return _release(pair[0]), _release(pair[1]), (said.SIGN(sign),)
    if in_words := _pair_of_words(facts):
        return in_words
    told = value_words(facts, "jax-library-older-than-built")
    if len(told) > 2 and "dnn" in told[0].lower():  # noqa: PLR2004  library, found, built with
        from ....knowledge.cudnn import from_number

        found, built = (from_number(int(number)) for number in told[1:3])
        return built, found, (said.SIGN("jax-library-older-than-built"),)
    return None


def _pair_of_words(facts: Facts) -> Pair | None:
    """As people name the two; a newer minor that is there does no harm."""
    told = [Version(each) for each in value_words(facts, "cudnn-older-told")]
    if len(told) < 2 or serves(told[1], told[0]) or told[1].major > told[0].major:  # noqa: PLR2004
        return None
    return told[0], told[1], (said.SIGN("cudnn-older-told"),)


def _release(text: str) -> Version:
    """``8.6.0``; once the number of the header, 7005."""
    from ....knowledge.cudnn import from_number

    return from_number(int(text)) if text.isdigit() and len(text) > _A_MAJOR else Version(text)


def serves(loaded: Version, built: Version) -> bool:
    """Whether a loaded cuDNN may take the place of the one that was built with.

    Of the same major, and not an older minor; a bare major is served by any of it.
    """
    if loaded.major != built.major:
        return False
    return len(built.parts) == 1 or len(loaded.parts) == 1 or loaded.minor >= built.minor


def same_release(one: Version, other: Version) -> bool:
    """Whether two versions agree as far as both are written out."""
    length = min(len(one.parts), len(other.parts))
    return one.parts[:length] == other.parts[:length]


def needs(facts: Facts) -> list[tuple[Key[object], str, Version]]:
    """The cuDNN that frameworks ask for: by their own word, or by their release."""
    found: list[tuple[Key[object], str, Version]] = []
    asked = value_words(facts, "ort-requires")
    if asked:
        found.append((said.SIGN("ort-requires"), "ONNX Runtime", Version(asked[0])))
    for package in facts.subjects(names.PACKAGE_VERSION):
        version = facts.known(names.PACKAGE_VERSION(package))
        whole = "onnxruntime-gpu" if package == onnxruntime_package(facts) else package
        wanted = None if version is None else _release_needs(whole, version)
        if wanted is not None:
            key = names.PACKAGE_VERSION(package)
            found.append((key, f"{package} {version}", wanted))
    return found


def _release_needs(package: str, version: str) -> Version | None:
    if package in ("tensorflow", "tensorflow-gpu"):
        from ....knowledge import tensorflow

        release = tensorflow.release(version)
        return None if release is None else release.cudnn
    if package == "jaxlib":
        from ....knowledge import jax

        least = {wheel.cudnn_min for wheel in jax.wheels(version)}
        return least.pop() if len(least) == 1 else None
    if package == "onnxruntime-gpu":
        from ....knowledge import onnxruntime

        build = onnxruntime.build(version)
        return build.cudnn if isinstance(build, onnxruntime.Build) else None
    return None
