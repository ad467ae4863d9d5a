"""cuDNN is not found: a file or a header of it is missed, by name or without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..libraries.faults import asked_for, asker, missing_files, no_library_in, told_by
from ..libraries.installed import installed_or_named
from ..libraries.needs import needs_cuda_dlls, needs_of
from ..libraries.unlisted import unlisted
from ..memory.holders import full_before
from ..packages.os_packages import uninstalled
from ..statements import beginning, errors, statements, value
from ..toolkit.without_toolkit import built_in_bare_image
from .fault import MISMATCH, MISSING, CudnnFault
from .headers import header_of_other
from .releases import major_of, majors_there

if TYPE_CHECKING:
    from ....facts.model import Facts, Key

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


def not_found(facts: Facts) -> CudnnFault | None:
    """A program names the file of cuDNN that it does not find, or a build its header."""
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
        title = f"{release} is not found: {who} asks for {asked_for(file)}"
        return CudnnFault(MISSING, title, keys, wanted, told_by(facts))
    have = ", ".join(str(major) for major in dict.fromkeys(there.values()))
    is_there = "the text speaks of" if said.CUDNN_NAMED in there else "installed is"
    title = f"{beginning(who)} asks for {file}, a file of cuDNN {wanted}; {is_there} cuDNN {have}"
    sure = Confidence.LIKELY if said.CUDNN_NAMED in there else told_by(facts)
    return CudnnFault(MISMATCH, title, (*keys, *there), wanted, sure)


_NUMBERED = regex(r"\d{1,2}(?:\.\d{1,3}){0,3}")


def _header_missing(facts: Facts) -> CudnnFault | None:
    """Something was to be compiled against cuDNN."""
    if unloaded := statements(facts, "torch-cudnn-not-loaded"):
        title = "torch was built with cuDNN, and does not find its library"
        return CudnnFault(MISSING, title, unloaded, None, Confidence.LIKELY)
    if bare := statements(facts, "cupy-without-cudnn"):
        title = "CuPy has no cuDNN, for which Chainer asks it"
        return CudnnFault(MISSING, title, bare, None, Confidence.LIKELY)
    if refused := statements(facts, "cudnn-refused-by-build"):
        title = "A build found cuDNN, and does not take this release of it"
        there, _, least = value(facts, "cudnn-refused-by-build").partition(" ")
        wanted = Version(least) if _NUMBERED.fullmatch(least) else None
        if wanted is not None:
            title = f"A build takes no cuDNN before {wanted}, and found {there}"
        keys = (*refused, said.CUDNN_VERSION)
        return CudnnFault(MISMATCH, title, keys, wanted, Confidence.LIKELY)
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


#: Windows' numbers of a DLL whose neighbours are all there: one lacks a function, or fails.
_FOUND = ("127", "1114")


def unnamed(facts: Facts) -> CudnnFault | None:
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


def without_dnn(facts: Facts) -> CudnnFault | None:
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


def not_installed(facts: Facts) -> CudnnFault | None:
    """The system's package manager could not install it."""
    found = uninstalled(facts)
    if found is None or found.cause != MISSING:
        return None
    return CudnnFault(MISSING, found.title, found.keys, None, Confidence.POSSIBLE)


def _explained(facts: Facts) -> bool:
    """Whether another CUDA than is needed explains it (GP602)."""
    there = installed_or_named(facts)
    needs = tuple(needs_of(facts))
    return bool(there) and any(not any(n.takes(c.cuda) for c in there) for n in needs)
