"""What is wrong with cuDNN: not there, of another version than is needed, or shadowed.

One question for three rules: missing, mismatch, and (another copy first) path conflict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..libraries.faults import asker, missing_files, no_library_in, told_by
from ..libraries.installed import installed_or_named
from ..libraries.needs import needs_cuda_dlls, needs_of
from ..libraries.search_path import foreign_folder, search_path
from ..libraries.unlisted import unlisted
from ..memory.holders import full_before
from ..once import asked_once
from ..packages.os_packages import uninstalled
from ..statements import beginning, errors, short, statements, value
from ..toolkit.without_toolkit import built_in_bare_image
from .headers import header_of_other
from .releases import (
    failures,
    major_of,
    majors_there,
    needs,
    pip_releases,
    same_release,
    serves,
    stated_pair,
)

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

MISSING, MISMATCH, SHADOWED = "cudnn-missing", "cudnn-mismatch", "library-path-conflict"

_MIXED_CODES = ("CUDNN_STATUS_VERSION_MISMATCH", "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH")
_LOADING_CODES = ("CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED",)


#: Since cuDNN 8 it consists of several libraries, which call each other by C++ names.
_OF_A_PART = regex(r"\blibcudnn_\w+\.so")
#: What Windows says where Linux names an undefined symbol.
_NO_PROCEDURE = ": error 127"
#: A name of C++, of a class or of a function of cuDNN's own: its libraries alone share these.
_MANGLED = regex(r"\Asymbol\._Z(?:N|\d{1,3}cudnn)")


class CudnnFault(NamedTuple):
    """What is wrong with cuDNN, in a sentence, and the facts that show it."""

    cause: str
    title: str
    keys: Keys
    wanted: Version | None
    confidence: Confidence = Confidence.CERTAIN


@asked_once
def cudnn_fault(facts: Facts) -> CudnnFault | None:
    """The first thing that is wrong with cuDNN; None: nothing that the facts show."""
    named = (
        _stated_pair,
        _parts_of_two,
        _without_version,
        _missing,
        _mixed_parts,
        _parts_listed,
        _against_table,
        _unnamed,
        _uninstalled,
    )
    steps = (*named, _refused_descriptor, _without_dnn)
    return next((found for step in steps if (found := step(facts)) is not None), None)


# -- a file is not found -----------------------------------------------------------------------


#: The part of cuDNN 8 that calls zlib. Another one, cudnn_ops_infer, lies beside it and is loaded
#: before: where this one fails, the folder is found.
_CALLS_ZLIB = regex(r"cudnn_cnn_infer64_8\.dll: error (?:126|193)\Z")
_OTHER_PART = "cudnn_ops_infer"
#: From this release on cuDNN links zlib itself.
_WITHOUT_ZLIB = Version("8.9.3")


def without_zlib(facts: Facts) -> tuple[Key[str], ...]:
    """A part of cuDNN of which Windows does not find what it needs, though cuDNN was begun."""
    key = said.LIBRARY_BROKEN("cudnn")
    loaded = facts.known(said.CUDNN_VERSION)
    if loaded is not None and loaded >= _WITHOUT_ZLIB:
        return ()
    if any(_OTHER_PART in (facts.known(each) or "") for each in errors(facts, "WIN32_126")):
        return ()  # cuDNN itself is not found
    return (key,) if _CALLS_ZLIB.match(facts.known(key) or "") else ()


def _missing(facts: Facts) -> CudnnFault | None:
    if without_zlib(facts):
        return None  # GP407
    found = next(((file, key) for stem, file, key in missing_files(facts) if stem == "cudnn"), None)
    if found is None:
        return _header_missing(facts)
    file, key = found
    if key == said.LIBRARY_BROKEN("cudnn"):
        return CudnnFault(MISSING, no_library_in(file), (key,), major_of(file))
    wanted = major_of(file)
    there = majors_there(facts)
    who, keys = asker(facts, "cudnn"), (key, names.LIBRARY_WANTED_BY("cudnn"))
    by_torch7 = "(R" in file  # it looks for that release only, whatever else there is
    if wanted is None or not there or by_torch7 or wanted.major in there.values():
        release = f"cuDNN {wanted}" if by_torch7 else "cuDNN"
        title = f"{release} is not found: {who} asks for {file}"
        return CudnnFault(MISSING, title, keys, wanted, told_by(facts))
    have = ", ".join(str(major) for major in dict.fromkeys(there.values()))
    is_there = "the text speaks of" if said.CUDNN_NAMED in there else "installed is"
    title = f"{beginning(who)} asks for {file}, a file of cuDNN {wanted}; {is_there} cuDNN {have}"
    sure = Confidence.LIKELY if said.CUDNN_NAMED in there else told_by(facts)
    return CudnnFault(MISMATCH, title, (*keys, *there), wanted, sure)


def _header_missing(facts: Facts) -> CudnnFault | None:
    """Something was to be compiled against cuDNN."""
    if unloaded := statements(facts, "torch-cudnn-not-loaded"):
        title = "torch was built with cuDNN, and does not find its library"
        return CudnnFault(MISSING, title, unloaded, None, Confidence.LIKELY)
    if refused := statements(facts, "cudnn-refused-by-build"):
        title = "A build found cuDNN, and does not take this release of it"
        return CudnnFault(MISMATCH, title, (*refused, said.CUDNN_VERSION), None, Confidence.LIKELY)
    if unread := header_of_other(facts):
        title, wanted, keys = unread
        return CudnnFault(MISMATCH, title, keys, wanted, Confidence.LIKELY)
    made = statements(facts, "cudnn-header-not-found")
    parts = ("header-missing", "linker-library-missing")
    made = (*made, *(said.SIGN(each) for each in parts if value(facts, each).startswith("cudnn")))
    if not made or built_in_bare_image(facts):  # GP405: there is no toolkit at all
        return None
    title = "A build found no cuDNN: its headers and libraries have to be there to compile"
    return CudnnFault(MISSING, title, made, None, Confidence.LIKELY)


# -- two versions are stated -------------------------------------------------------------------


def _stated_pair(facts: Facts) -> CudnnFault | None:
    """The cuDNN that was loaded against cuDNN as the program was built with."""
    pair = stated_pair(facts)
    if pair is None:
        return None
    built, loaded, keys = pair
    if said.SIGN("cudnn-demand-unmet") in keys:
        title = f"cuDNN {loaded} is installed, a package asks for {built}, and cuDNN fails"
        return CudnnFault(MISMATCH, title, keys, built, Confidence.LIKELY)
    title = f"cuDNN {loaded} is loaded, the program is made for {built}"
    other = _other_copy(facts, built, loaded)
    if other is not None:
        return CudnnFault(SHADOWED, title + f"; {other}", (*keys, *_path_keys(facts)), built)
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


def _path_keys(facts: Facts) -> Keys:
    return (names.ENV("LD_LIBRARY_PATH"), *pip_releases(facts))


def _parts_of_two(facts: Facts) -> CudnnFault | None:
    """One library of cuDNN asks another one for a function that it does not have."""
    broken = said.LIBRARY_BROKEN("cudnn")
    if (facts.known(broken) or "").endswith(_NO_PROCEDURE):
        title = "A DLL of cuDNN lacks a function that another one asks it for"
        named = (broken, said.ERROR("WIN32_127"), said.CUDNN_VERSION)
        return CudnnFault(MISMATCH, title, named, None, Confidence.LIKELY)
    wanted = facts.keys_of(said.SYMBOL_WANTED_BY)
    keys = tuple(key for key in wanted if _OF_A_PART.search(facts.known(key) or ""))
    folder = foreign_folder(facts)
    if not any(_MANGLED.match(key.name) for key in keys):
        return None
    title = "The libraries of cuDNN are of different versions: one asks another in vain"
    cause = MISMATCH if folder is None else SHADOWED
    return CudnnFault(cause, title, (*keys, *_path_keys(facts)), None, Confidence.LIKELY)


#: The loader's words for a file that does not carry the version's name by which it is asked for.
_VERSION_LACKED = regex(r"\A(\S+): version [`'](\S+?)' not found(?: \(required by (\S+?)\))?")


def _without_version(facts: Facts) -> CudnnFault | None:
    """A file bears the name of a cuDNN, and is another one inside."""
    key = said.LIBRARY_BROKEN("cudnn")
    match = _VERSION_LACKED.match(facts.known(key) or "")
    if match is None:
        return None
    file, version, who = match.groups()
    title = f"{short(who) if who else 'A program'} needs {version}, which {short(file)} is not"
    return CudnnFault(MISMATCH, title, (key,), major_of(version), Confidence.LIKELY)


def folder_of_other(facts: Facts, keys: Keys) -> str | None:
    """The system's folder from which a part of cuDNN was taken, though torch brings its own.

    Pip's builds of torch, which carry the CUDA in their version, have cuDNN with them.
    """
    if "+cu" not in (facts.known(names.PACKAGE_VERSION("torch")) or ""):
        return None
    files = (facts.known(key) or "" for key in keys if key.name.startswith("symbol."))
    found = (_IN_SYSTEM.match(str(file)) for file in files)
    return next((match[1] for match in found if match), None)


_IN_SYSTEM = regex(r"(/(?!.*(?:site|dist)-packages)\S+)/libcudnn\w*\.so")


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
        if not mixed:
            title = _lacked(facts, symbols[0]) or title
        return CudnnFault(cause, title + where, keys, None, Confidence.LIKELY)
    if other := statements(facts, "cudnn-source-of-other"):
        title = f"The source is written for another release of cuDNN: {facts.known(other[0])}"
        return CudnnFault(MISMATCH, title, other, None, Confidence.LIKELY)
    if faulty := statements(facts, "jax-cudnn-faulty"):
        title = f"JAX refuses cuDNN {facts.known(faulty[0])}, which is known to compute wrongly"
        return CudnnFault(MISMATCH, title, faulty, None)
    loading = errors(facts, *_LOADING_CODES)
    if loading:
        title = "cuDNN could not load one of its own libraries"
        return CudnnFault(MISMATCH, title, loading, None, Confidence.POSSIBLE)
    return None


def _lacked(facts: Facts, key: Key[str]) -> str | None:
    """The function of cuDNN's that a program, no part of it, asks the loaded copy for in vain."""
    file, symbol = facts.known(key) or "", key.name.split(".")[1]
    asks = "/" in file or file == "a program"
    if not symbol.startswith("cudnn") or not asks or _OF_A_PART.search(file):
        return None
    who = beginning(short(file))
    return f"{who} needs {short(symbol)}, which the libcudnn that is loaded does not have"


#: A part of cuDNN, and the whole release that its file is named after.
_PART = regex(r"lib(cudnn(?:_\w+)?)\.so\.(\d+\.\d+\.\d+)\Z")


def _parts_listed(facts: Facts) -> CudnnFault | None:
    """Files of cuDNN are listed, and of no release there are all of them."""
    key, failing = said.LIBRARY_LISTED("cudnn"), failures(facts)
    parts: dict[str, set[str]] = {}
    for match in filter(None, map(_PART.match, facts.known(key) or ())):
        parts.setdefault(match[1], set()).add(match[2])
    if not failing or not parts or set.intersection(*parts.values()):
        return None
    releases = " and ".join(sorted(set.union(*parts.values())))
    title = f"The libraries of cuDNN are of different versions: {releases} are listed"
    return CudnnFault(MISMATCH, title, (*failing, key), None, Confidence.LIKELY)


def _against_table(facts: Facts) -> CudnnFault | None:
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


def _refused_descriptor(facts: Facts) -> CudnnFault | None:
    """The library refuses what only describes a layer: it was compiled for another cuDNN."""
    refused = errors(facts, "CUDNN_STATUS_BAD_PARAM")
    if not any(_OTHER_ARGUMENTS.search(facts.known(key) or "") for key in refused):
        return None
    title = "cuDNN refuses a description whose arguments are others in other releases of it"
    keys = (*refused, said.CUDNN_VERSION)
    return CudnnFault(MISMATCH, title, keys, None, Confidence.POSSIBLE)


#: Windows' numbers of a DLL whose neighbours are all there: one lacks a function, or fails.
_FOUND = ("127", "1114")


def _unnamed(facts: Facts) -> CudnnFault | None:
    """A program could not load its libraries and names none: cuDNN is what is mostly missing."""
    broken = said.LIBRARY_BROKEN("onnxruntime_providers_cuda")
    made = statements(facts, "tf-libraries-missing", "ort-requires")
    if statements(facts, "tf-runtime-not-loaded"):
        return None  # GP401: then none of them was found
    why = facts.known(broken)
    if why is not None and why.rpartition(" ")[2] not in _FOUND:
        made = (*made, broken)
    if not facts.subjects(said.ERROR) and not majors_there(facts):
        made = (*made, *statements(facts, "ort-provider-failed"))
    gone = unlisted(facts)
    if facts.known(said.LIBRARY_LISTED("cudart")) or (gone and gone.stem == "cudnn"):
        made = (*made, *needs_cuda_dlls(facts))  # it was linked with cuDNN as well
    if "not found" in value(facts, "tf-cudnn-handle") and gone:
        made = (*made, *statements(facts, "tf-cudnn-handle"))
    if not (made or gone) or next(missing_files(facts), None) is not None or _explained(facts):
        return None
    if gone:
        if gone.stem != "cudnn":
            return None
        title = f"A program could not load its CUDA libraries, and cuDNN {gone.how}"
        return CudnnFault(MISSING, title, gone.keys, None, Confidence.LIKELY)
    title = "A program could not load its CUDA libraries and does not say which: mostly it is cuDNN"
    return CudnnFault(MISSING, title, made, None, Confidence.POSSIBLE)


#: The words of TensorFlow and XLA where no cuDNN began; what came before may tell why.
_NO_DNN = regex(r"(?i)\bDNN library is not found|\bno DNN in stream")
_NO_ROOM = ("tf-no-convolution-algorithm", "xla-no-convolution-algorithm", "tf-cublas-handle")


def _without_dnn(facts: Facts) -> CudnnFault | None:
    """TensorFlow or XLA has no cuDNN to call, and nothing tells of a want of memory."""
    told = statements(facts, "tf-cudnn-handle")
    if not _NO_DNN.search(value(facts, "tf-cudnn-handle")) or facts.subjects(said.ERROR):
        return None
    beside = all(facts.known(said.ABOUT(each)) for each in ("jax", "tensorflow"))
    if beside or full_before(facts) or statements(facts, *_NO_ROOM):
        return None
    there = majors_there(facts)
    cause, why = MISSING, "mostly it is not there"
    if there:
        cause, why = MISMATCH, "mostly the one that is there is older than the build takes"
    title = f"TensorFlow or XLA has no cuDNN that it can use: {why}"
    return CudnnFault(cause, title, (*told, *there), None, Confidence.POSSIBLE)


def _uninstalled(facts: Facts) -> CudnnFault | None:
    found = uninstalled(facts)
    if found is None or found.cause != MISSING:
        return None
    return CudnnFault(MISSING, found.title, found.keys, None, Confidence.POSSIBLE)


def _explained(facts: Facts) -> bool:
    """Whether another CUDA than is needed explains it (GP602)."""
    there = installed_or_named(facts)
    needs = tuple(needs_of(facts))
    return bool(there) and any(not any(n.takes(c.cuda) for c in there) for n in needs)
