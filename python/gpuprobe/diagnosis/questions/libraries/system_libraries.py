"""Which file asks for a newer C or C++ library than it gets, and whose fault that is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import said
from ....facts.regex import regex
from ..statements import short
from .faults import EXTENSION, SHADOWED, names_an_extension

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

PLATFORM = "python-unsupported"

#: The loader's words: the library that is there, the version that it lacks, the file that asks.
_WANTS = regex(
    r"(\S{1,400}): version [`']((?:GLIBC|GLIBCXX|CXXABI)_[\d.]+)' not found"
    r" \(required by ([^)\s]+)\)?"
)
_FOLDER = regex(r"(?:site|dist)-packages[/\\]([A-Za-z]\w*)", re.IGNORECASE)
#: Frameworks that bring a whole stack along: what they ask for, the build for this system lacks.
_FRAMEWORK = regex(
    r"(?:lib)?_?(?:torch|c10|tensorflow|pywrap_tensorflow|jaxlib|xla|onnxruntime|cupy|paddle|mxnet"
    r"|nvidia|triton|vllm|tensorrt|nvinfer|cu(?:dart|dnn|blas)|ctranslate2|cudf|llama|ggml)",
    re.IGNORECASE,
)
#: Compiled at run time, by the compiler of another place than the library's.
_OWN_BUILD = regex(r"torch_extensions")
#: Where Singularity puts the driver of its host, which no build for the image's system mends.
_BOUND = "/.singularity.d/libs/"
_CONDA = regex(r"conda|mamba|miniforge|/envs/", re.IGNORECASE)


class NewerSystem(NamedTuple):
    """A file that was linked with a newer system library than the one that it gets."""

    cause: str
    package: str
    title: str
    keys: Keys


def newer_system(facts: Facts) -> NewerSystem | None:
    """The first file of the GPU's stack that asks for more than the system library has."""
    for stem in facts.subjects(said.LIBRARY_BROKEN):
        key = said.LIBRARY_BROKEN(stem)
        match = _WANTS.search(facts.known(key) or "")
        found = None if match is None else _judged(match, key)
        if found is not None:
            return found
    return None


def _judged(match: re.Match[str], key: Key[str]) -> NewerSystem | None:
    library, version, asker = match.groups()
    if _BOUND in asker:
        return None
    file = asker.replace("\\", "/").rpartition("/")[2]
    folder = _FOLDER.search(asker)
    package = folder[1] if folder else file.partition(".")[0]
    extension = names_an_extension(file) or names_an_extension(package)
    extension = extension or _OWN_BUILD.search(asker) is not None
    if not extension and not _FRAMEWORK.match(package) and not _FRAMEWORK.match(file):
        return None
    if not version.startswith("GLIBC_") and _another_is_there(library, asker):
        title = (
            f"{short(file)} wants {version} of the C++ library, and an older copy is found first"
        )
        return NewerSystem(SHADOWED, package, title, (key,))
    title = f"{short(file)} was built on a newer system: it wants {version}"
    return NewerSystem(EXTENSION if extension else PLATFORM, package, title, (key,))


def _another_is_there(library: str, asker: str) -> bool:
    """Whether conda's C++ library and the system's are both about: each serves its own side."""
    return _CONDA.search(library) is not None or _CONDA.search(asker) is not None
