"""What is wrong with cuDNN: not there, of another version than is needed, or shadowed.

One question for three rules: missing, mismatch, and (another copy first) path conflict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..facts import names, said
from ..facts.version import Version
from .build_needs import needs_of
from .installed import installed_cuda
from .library_faults import missing_files
from .model import Confidence
from .search_path import foreign_folder, search_path
from .statements import errors, statements, value, value_words

if TYPE_CHECKING:
    from ..facts.model import Facts, Key

MISSING, MISMATCH, SHADOWED = "cudnn-missing", "cudnn-mismatch", "library-path-conflict"

_MAJOR = re.compile(r"\.so\.(\d+)|64_(\d+)\.dll", re.IGNORECASE)
_PIP = re.compile(r"nvidia-cudnn(?:-cu\d+)?")
_RELEASE = re.compile(r"\d+(?:\.\d+)*")
_NUMBERS = re.compile(r"\d+")
_MIXED_CODES = ("CUDNN_STATUS_VERSION_MISMATCH", "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH")
_LOADING_CODES = ("CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED",)
_FAILS = ("tf-cudnn-handle", "tf-no-convolution-algorithm", "torch-cudnn-not-found-engine",
          "caffe2-cudnn-versions-differ")  # fmt: skip
_FAILING_CODES = ("CUDNN_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_INTERNAL_ERROR",
                  "CUDNN_STATUS_NOT_SUPPORTED", "CUDNN_STATUS_BAD_PARAM")  # fmt: skip


@dataclass(frozen=True, slots=True)
class CudnnFault:
    """What is wrong with cuDNN, in a sentence, and the facts that show it."""

    cause: str
    title: str
    keys: tuple[Key[object], ...]
    wanted: Version | None
    confidence: Confidence = Confidence.CERTAIN


def cudnn_fault(facts: Facts) -> CudnnFault | None:
    """The first thing that is wrong with cuDNN; None: nothing that the facts show."""
    steps = (_stated_pair, _missing, _mixed_parts, _against_table, _unnamed)
    return next((found for step in steps if (found := step(facts)) is not None), None)


# -- a file is not found -----------------------------------------------------------------------


def _missing(facts: Facts) -> CudnnFault | None:
    found = next(((file, key) for stem, file, key in missing_files(facts) if stem == "cudnn"), None)
    if found is None:
        return _header_missing(facts)
    file, key = found
    wanted = _major_of(file)
    there = _majors_there(facts)
    if wanted is None or not there or wanted.major in there.values():
        return CudnnFault(MISSING, f"cuDNN is not found: a program asks for {file}", (key,), wanted)
    have = ", ".join(str(major) for major in dict.fromkeys(there.values()))
    title = f"A program asks for {file}, a file of cuDNN {wanted}; installed is cuDNN {have}"
    return CudnnFault(MISMATCH, title, (key, *there), wanted)


def _header_missing(facts: Facts) -> CudnnFault | None:
    """Something was to be compiled against cuDNN."""
    made = statements(facts, "cudnn-header-not-found")
    if value(facts, "header-missing").startswith("cudnn"):
        made = (*made, said.SIGN("header-missing"))
    if not made:
        return None
    title = "A build found no cuDNN: its headers and libraries have to be there to compile"
    return CudnnFault(MISSING, title, made, None, Confidence.LIKELY)


def _major_of(file: str) -> Version | None:
    match = _MAJOR.search(file)
    return Version(match[1] or match[2]) if match else None


def _majors_there(facts: Facts) -> dict[Key[object], int]:
    """The majors of cuDNN that the facts show to be there."""
    found: dict[Key[object], int] = {}
    version = facts.known(said.CUDNN_VERSION)
    if version is not None:
        found[said.CUDNN_VERSION] = version.major
    loaded = _major_of(facts.known(said.LIBRARY_LOADED("cudnn")) or "")
    if loaded is not None:
        found[said.LIBRARY_LOADED("cudnn")] = loaded.major
    found.update({key: release.major for key, release in _pip_releases(facts).items()})
    return found


def _pip_releases(facts: Facts) -> dict[Key[object], Version]:
    """The releases of cuDNN that pip has installed."""
    keys = (
        names.PACKAGE_VERSION(package)
        for package in facts.subjects(names.PACKAGE_VERSION)
        if _PIP.fullmatch(package)
    )
    texts = ((key, _RELEASE.match(facts.known(key) or "")) for key in keys)
    return {key: Version(match[0]) for key, match in texts if match is not None}


# -- two versions are stated -------------------------------------------------------------------


def _stated_pair(facts: Facts) -> CudnnFault | None:
    """The cuDNN that was loaded against cuDNN as the program was built with."""
    pair = _pair_of_statement(facts) or _pair_of_facts(facts)
    if pair is None:
        return None
    built, loaded, keys = pair
    title = f"cuDNN {loaded} is loaded, the program is made for {built}"
    other = _other_copy(facts, built, loaded)
    if other is not None:
        return CudnnFault(SHADOWED, title + f"; {other}", (*keys, *_path_keys(facts)), built)
    return CudnnFault(MISMATCH, title, keys, built)


def _pair_of_facts(facts: Facts) -> tuple[Version, Version, tuple[Key[object], ...]] | None:
    """Both versions, where cuDNN fails; a build may well bring another than is installed."""
    built, loaded = facts.known(said.CUDNN_BUILT_WITH), facts.known(said.CUDNN_VERSION)
    failing = _failing(facts)
    if not failing or built is None or loaded is None or _serves(loaded, built):
        return None
    return built, loaded, (said.CUDNN_BUILT_WITH, said.CUDNN_VERSION, *failing)


def _failing(facts: Facts) -> tuple[Key[object], ...]:
    return (*statements(facts, *_FAILS), *errors(facts, *_FAILING_CODES))


def _pair_of_statement(facts: Facts) -> tuple[Version, Version, tuple[Key[object], ...]] | None:
    """Built with, loaded: as TensorFlow, PyTorch and JAX print the pair, each in its order."""
    loaded_first = _RELEASE.findall(value(facts, "cudnn-other-than-built"))
    if len(loaded_first) > 1:
        key = said.SIGN("cudnn-other-than-built")
        return Version(loaded_first[1]), Version(loaded_first[0]), (key,)
    numbers = [int(each) for each in _NUMBERS.findall(value(facts, "torch-cudnn-versions-differ"))]
    if len(numbers) > 5:  # noqa: PLR2004  two versions of three numbers
        key = said.SIGN("torch-cudnn-versions-differ")
        return Version.of(*numbers[:3]), Version.of(*numbers[3:6]), (key,)
    told = value_words(facts, "jax-library-older-than-built")
    if len(told) > 2 and "dnn" in told[0].lower():  # noqa: PLR2004  library, found, built with
        from ..knowledge.cudnn import from_number

        found, built = (from_number(int(number)) for number in told[1:3])
        return built, found, (said.SIGN("jax-library-older-than-built"),)
    return None


def _serves(loaded: Version, built: Version) -> bool:
    """Whether a loaded cuDNN may take the place of the one that was built with.

    Of the same major, and not an older minor; a bare major is served by any of it.
    """
    if loaded.major != built.major:
        return False
    return len(built.parts) == 1 or len(loaded.parts) == 1 or loaded.minor >= built.minor


def _other_copy(facts: Facts, built: Version, loaded: Version) -> str | None:
    """Where the right copy is, or the wrong one comes from, if another copy is found first."""
    pip = _pip_releases(facts)
    fitting = next((key for key, release in pip.items() if _serves(release, built)), None)
    if fitting is not None:
        return f"pip's {fitting.name.split('.')[1]} would fit, another copy is found first"
    folders = search_path(facts)
    if len(folders) > 1 and any("cudnn" in folder.lower() for folder in folders[1:]):
        return f"{folders[0]} is searched before the folder of cuDNN"
    torchs = statements(facts, "torch-cudnn-versions-differ")
    own = any(_same_release(release, loaded) for release in pip.values())
    if torchs and not own:
        return f"PyTorch brings its own, {foreign_folder(facts) or 'another copy'} is found first"
    return None


def _same_release(one: Version, other: Version) -> bool:
    length = min(len(one.parts), len(other.parts))
    return one.parts[:length] == other.parts[:length]


def _path_keys(facts: Facts) -> tuple[Key[object], ...]:
    return (names.ENV("LD_LIBRARY_PATH"), *_pip_releases(facts))


# -- codes, and what the tables say ------------------------------------------------------------


def _mixed_parts(facts: Facts) -> CudnnFault | None:
    mixed = errors(facts, *_MIXED_CODES)
    symbols = tuple(
        said.SYMBOL_WANTED_BY(name)
        for name in facts.subjects(said.SYMBOL_WANTED_BY)
        if "cudnn" in name.lower()
    )
    if mixed or symbols:
        folder = foreign_folder(facts)
        title = "The libraries of cuDNN are of different versions"
        keys = (*mixed, *symbols, said.CUDNN_VERSION, names.ENV("LD_LIBRARY_PATH"))
        cause = MISMATCH if folder is None else SHADOWED
        where = "" if folder is None else f"; {folder} is searched first"
        return CudnnFault(cause, title + where, keys, None, Confidence.LIKELY)
    loading = errors(facts, *_LOADING_CODES)
    if loading:
        title = "cuDNN could not load one of its own libraries"
        return CudnnFault(MISMATCH, title, loading, None, Confidence.POSSIBLE)
    return None


def _against_table(facts: Facts) -> CudnnFault | None:
    """The installed cuDNN against what the framework's release needs, where cuDNN fails."""
    have = facts.known(said.CUDNN_VERSION)
    failing = (*_failing(facts), *statements(facts, "ort-provider-failed", "tf-libraries-missing"))
    if have is None or not failing:
        return None
    for key, title, wanted in _needs(facts):
        if not _serves(have, wanted):
            sentence = f"{title} needs cuDNN {wanted}; installed is {have}"
            keys = (*failing, said.CUDNN_VERSION, key)
            return CudnnFault(MISMATCH, sentence, keys, wanted, Confidence.LIKELY)
    return None


def _needs(facts: Facts) -> list[tuple[Key[object], str, Version]]:
    """The cuDNN that frameworks ask for: by their own word, or by their release."""
    found: list[tuple[Key[object], str, Version]] = []
    asked = value_words(facts, "ort-requires")
    if asked:
        found.append((said.SIGN("ort-requires"), "ONNX Runtime", Version(asked[0])))
    for package in facts.subjects(names.PACKAGE_VERSION):
        version = facts.known(names.PACKAGE_VERSION(package))
        wanted = None if version is None else _release_needs(package, version)
        if wanted is not None:
            key = names.PACKAGE_VERSION(package)
            found.append((key, f"{package} {version}", wanted))
    return found


def _release_needs(package: str, version: str) -> Version | None:
    if package in ("tensorflow", "tensorflow-gpu"):
        from ..knowledge import tensorflow

        release = tensorflow.release(version)
        return None if release is None else release.cudnn
    if package == "onnxruntime-gpu":
        from ..knowledge import onnxruntime

        build = onnxruntime.build(version)
        return build.cudnn if isinstance(build, onnxruntime.Build) else None
    return None


def _unnamed(facts: Facts) -> CudnnFault | None:
    """A program could not load its libraries and names none: cuDNN is what is mostly missing."""
    broken = said.LIBRARY_BROKEN("onnxruntime_providers_cuda")
    made = statements(facts, "tf-libraries-missing", "ort-requires")
    if facts.known(broken) is not None:
        made = (*made, broken)
    if not made or next(missing_files(facts), None) is not None or _explained(facts):
        return None
    title = "A program could not load its CUDA libraries and does not say which: mostly it is cuDNN"
    return CudnnFault(MISSING, title, made, None, Confidence.POSSIBLE)


def _explained(facts: Facts) -> bool:
    """Whether another CUDA than is needed explains it (GP602)."""
    there = installed_cuda(facts)
    needs = tuple(needs_of(facts))
    return bool(there) and any(not any(n.takes(c.cuda) for c in there) for n in needs)
