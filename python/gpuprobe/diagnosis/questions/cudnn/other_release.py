"""A cuDNN of another release than the program takes, as it says or as the tables have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..libraries.installed import installed_cuda
from ..libraries.search_path import foreign_folder, search_path
from ..sentences import something_fails
from ..source import looked_at
from ..statements import errors, seen_anyway, short, statements, value
from .fault import MISMATCH, SHADOWED, CudnnFault, path_keys
from .releases import failures, major_of, needs, pip_releases, same_release, serves, stated_pair

if TYPE_CHECKING:
    from ....facts.model import Facts, Key


def of_stated_pair(facts: Facts) -> CudnnFault | None:
    """The cuDNN that was loaded against cuDNN as the program was built with."""
    pair = stated_pair(facts)
    if pair is None:
        return None
    built, loaded, keys = pair
    if said.SIGN("cudnn-demand-unmet") in keys:
        title = f"cuDNN {loaded} is installed, a package asks for {built}, and cuDNN fails"
        return CudnnFault(MISMATCH, title, keys, built, Confidence.LIKELY)
    title = f"cuDNN {loaded} is loaded, the program is made for {built}"
    if said.SIGN("cudnn-older-told") in keys:
        return CudnnFault(MISMATCH, title, keys, built, Confidence.LIKELY)
    other = _other_copy(facts, built, loaded)
    if other is not None:
        return CudnnFault(SHADOWED, title + f"; {other}", (*keys, *path_keys(facts)), built)
    return CudnnFault(MISMATCH, title, keys, built)


def _other_copy(facts: Facts, built: Version, loaded: Version) -> str | None:
    """Where the right copy is, or the wrong one comes from, if another copy is found first."""
    pip = pip_releases(facts)
    others = {key: each for key, each in pip.items() if not same_release(each, loaded)}
    fitting = next((key for key, each in others.items() if serves(each, built)), None)
    if fitting is not None:
        return f"the package {fitting.name.split('.')[1]} would fit, another copy is found first"
    folders = search_path(facts)
    if len(folders) > 1 and any("cudnn" in folder.lower() for folder in folders[1:]):
        return f"{folders[0]} is searched before the folder of cuDNN"
    torchs = statements(facts, "torch-cudnn-versions-differ")
    own = any(same_release(release, loaded) for release in pip.values())
    if torchs and not own:
        return f"PyTorch brings its own, {foreign_folder(facts) or 'another copy'} is found first"
    return None


def loaded_by_paddle(facts: Facts) -> CudnnFault | None:
    """An older cuDNN than conda or pip has in the environment, or than Paddle itself names."""
    loaded = Version.parse(value(facts, "paddle-cudnn-loaded"))
    if loaded is None:
        return None
    of_packages = pip_releases(facts)
    there_are = dict(of_packages)
    if (told := facts.known(said.CUDNN_VERSION)) is not None:
        there_are.setdefault(said.CUDNN_VERSION, told)
    for key, there in there_are.items():
        sure = key in of_packages or loaded.major < there.major
        if sure and is_older(loaded, there):
            title = f"Paddle loads cuDNN {loaded}, and {there} is installed for it: another copy is"
            keys = (said.SIGN("paddle-cudnn-loaded"), key, *path_keys(facts))
            return CudnnFault(SHADOWED, f"{title} found first", keys, there, Confidence.LIKELY)
    return None


def is_older(one: Version, other: Version) -> bool:
    """Whether a release is older than another, as far as both are written out."""
    return (one.major, one.minor) < (other.major, other.minor) and len(other.parts) > 1


#: The loader's words for a file that does not carry the version's name by which it is asked for.
_VERSION_LACKED = regex(r"\A(\S+): version [`'](\S+?)' not found(?: \(required by (\S+?)\))?")


def without_version(facts: Facts) -> CudnnFault | None:
    """A file bears the name of a cuDNN, and is another one inside."""
    key = said.LIBRARY_BROKEN("cudnn")
    match = _VERSION_LACKED.match(facts.known(key) or "")
    if match is None:
        return None
    file, version, who = match.groups()
    title = f"{short(who) if who else 'A program'} needs {version}, which {short(file)} is not"
    return CudnnFault(MISMATCH, title, (key,), major_of(version), Confidence.LIKELY)


def refused_by_source(facts: Facts) -> CudnnFault | None:
    """A source is written for another cuDNN, or JAX refuses one that is known to be faulty."""
    if other := statements(facts, "cudnn-source-of-other"):
        title = f"The source is written for another release of cuDNN: {facts.known(other[0])}"
        return CudnnFault(MISMATCH, title, other, None, Confidence.LIKELY)
    if faulty := statements(facts, "jax-cudnn-faulty"):
        title = f"JAX refuses cuDNN {facts.known(faulty[0])}, which is known to compute wrongly"
        return CudnnFault(MISMATCH, title, faulty, None)
    return None


def against_table(facts: Facts) -> CudnnFault | None:
    """The installed cuDNN against what the framework's release needs, where cuDNN fails."""
    have, key_of_have = _installed(facts)
    unloaded = ("ort-provider-failed", "ort-library-load", "tf-libraries-missing")
    failing = (*failures(facts), *statements(facts, *unloaded))
    if have is None or not failing:
        return None
    for key, title, wanted in needs(facts):
        if not serves(have, wanted):
            sentence = f"{title} needs cuDNN {wanted}; installed is {have}"
            keys = (*failing, key_of_have, key)
            return CudnnFault(MISMATCH, sentence, keys, wanted, Confidence.LIKELY)
    return None


#: From it on TensorFlow can be imported without cuDNN.
_OPENS_LATE = Version("1.14")


def of_other_major(facts: Facts) -> CudnnFault | None:
    """A TensorFlow for GPUs of the time when it was not imported without the cuDNN of its build.

    In a text where nothing else fails, and nothing works, the one that is there decides.
    """
    key = names.PACKAGE_VERSION("tensorflow-gpu")
    version, have = Version.parse(facts.known(key) or ""), facts.known(said.CUDNN_VERSION)
    if version is None or have is None or version >= _OPENS_LATE or looked_at(facts):
        return None
    if something_fails(facts) or seen_anyway(facts):
        return None
    for each, title, wanted in needs(facts):
        if each == key and wanted.major != have.major:
            sentence = f"{title} needs cuDNN {wanted}; installed is {have}"
            keys = (said.CUDNN_VERSION, key)
            return CudnnFault(MISMATCH, sentence, keys, wanted, Confidence.LIKELY)
    return None


def made_for_older_cuda(facts: Facts) -> CudnnFault | None:
    """A cuDNN that fails, and was made for no CUDA as new as those that are there."""
    from ....knowledge.cudnn import packages, packages_of

    have, there = facts.known(said.CUDNN_VERSION), installed_cuda(facts)
    failing = failures(facts)
    if have is None or not there or not failing:
        return None
    of_major = (each for each in packages() if each.cudnn.major == have.major)
    cudas = [each.cuda for each in packages_of(have) or of_major]
    oldest = min(there, key=lambda each: each.cuda)
    if not cudas or oldest.cuda.major <= max(cudas).major:
        return None
    title = f"cuDNN {have} was made for CUDA {max(cudas)} at most; installed is CUDA {oldest.cuda}"
    keys = (*failing, said.CUDNN_VERSION, oldest.key)
    return CudnnFault(MISMATCH, title, keys, None, Confidence.LIKELY)


def _installed(facts: Facts) -> tuple[Version | None, Key[object]]:
    """The cuDNN that is told; for JAX the one that pip has, as it takes no other first."""
    pip = pip_releases(facts)
    told = facts.known(said.CUDNN_VERSION)
    of_jax = facts.known(names.PACKAGE_VERSION("jaxlib")) is not None
    if told is None and of_jax and len(pip) == 1:
        ((key, release),) = pip.items()
        return release, key
    return told, said.CUDNN_VERSION


#: Calls whose arguments are others in cuDNN 5 and 6 than before: of a filter, of a convolution.
_OTHER_ARGUMENTS = regex(
    r"(?i)cudnnSet(?:Filter|Convolution)\w*Descriptor|set cudnn (?:filter|convolution) descriptor"
    r"|\bcudnn\.hpp:\d{1,4}\] Check failed"  # of Caffe, where its own header describes layers
)


def refused_descriptor(facts: Facts) -> CudnnFault | None:
    """The library refuses what only describes a layer: it was compiled for another cuDNN."""
    refused = errors(facts, "CUDNN_STATUS_BAD_PARAM")
    if not any(_OTHER_ARGUMENTS.search(facts.known(key) or "") for key in refused):
        return None
    title = "cuDNN refuses a description whose arguments are others in other releases of it"
    keys = (*refused, said.CUDNN_VERSION)
    return CudnnFault(MISMATCH, title, keys, None, Confidence.POSSIBLE)
