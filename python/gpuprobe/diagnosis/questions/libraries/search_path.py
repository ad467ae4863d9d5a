"""Which copy of a library a program gets, and whether that is the one it was made for."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.version import Version
from ..statements import errors, statements, value, value_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key, Keys

# Patterns are compiled where they are used: a look at a machine without a word imports this, too.

#: How the symbols of CUDA's libraries begin, and the library's stem. Versions of symbols
#: (``libcublasLt.so.11``) are stems of files, so that they are recognised as well.
_SYMBOLS = (
    (r"(?i)_*nvjitlink", "nvjitlink", "libnvJitLink"),
    (r"(?i)cublaslt", "cublaslt", "libcublasLt"),
    (r"(?i)cublas", "cublas", "libcublas"),
    (r"(?i)cusparse", "cusparse", "libcusparse"),
    (r"(?i)cusolver", "cusolver", "libcusolver"),
    (r"(?i)cufft", "cufft", "libcufft"),
    (r"(?i)nccl[A-Z]|p?nccl", "nccl", "libnccl"),
    (r"nvrtc[A-Z]", "nvrtc", "libnvrtc"),
    (r"cuda[A-Z]", "cudart", "libcudart"),
)
#: What nvcc puts into the code that it compiles, in an operation for TensorFlow.
_OF_RUNTIME = (r"__cuda[A-Z]", "cudart", "libcudart")
_OPERATION = r"\A(?:[\w.-]{0,60}/){1,12}\w{1,60}_so\.so\Z"
#: Libraries of CUDA that call each other by names of their own, which no prefix tells.
_OF_CUDA = r"(?:\A|[/\\])lib(cublas|cublasLt|cusparse|cusolver|cufft|curand)\.so"
_OWN = r"(?i)site-packages|dist-packages"
#: Whose modules come with the package, which brings its CUDA or asks pip for it.
_FRAMEWORKS = (
    r"-packages[/\\](?:torch|tensorflow|jaxlib|cupy|cupy_backends|onnxruntime|paddle)[/\\]"
)
#: Folders that hold CUDA libraries of another origin than a Python package.
_FOREIGN = r"(?i)cuda|conda|cudnn|nvidia|tensorrt|/usr/lib|/usr/local/lib"


class LooseSymbol(NamedTuple):
    """A symbol of a CUDA library that a file wants, and the copy that it got does not have."""

    name: str
    stem: str
    library: str
    wanted_by: str
    key: Key[object]
    copies: Keys
    linking: bool = False  # a linker asks, and no program was started yet

    @property
    def asker(self) -> str | None:
        """The file that wants it, by its name; None: the text tells only where it was looked for.

        A linker's message names that library as the symbol's version.
        """
        file = posixpath.basename(self.wanted_by.replace("\\", "/"))
        itself = file.startswith(f"{self.library}.so")
        return None if itself or self.wanted_by in ("a file", "a program") else file

    @property
    def looked_in(self) -> str:
        """The library that does not have it, with its version where the text names that."""
        file = posixpath.basename(self.wanted_by)
        return file if file.startswith(f"{self.library}.so") else self.library


def loose_symbols(facts: Facts) -> Iterator[LooseSymbol]:
    """The undefined symbols that belong to libraries of CUDA, cuDNN apart."""
    for name in facts.subjects(said.SYMBOL_WANTED_BY):
        key = said.SYMBOL_WANTED_BY(name)
        inner = (_OF_RUNTIME,) if re.match(_OPERATION, facts.known(key) or "") else ()
        for pattern, stem, library in (*_SYMBOLS, *inner):
            if re.match(pattern, name):
                copies = (said.LIBRARY_LOADED(stem), names.ENV("LD_LIBRARY_PATH"))
                file = facts.known(key) or "a file"
                linking = value(facts, "symbol-asked-by-linker") == file
                yield LooseSymbol(name, stem, library, file, key, copies, linking)
                break
        else:
            wanted_by = facts.known(key) or ""
            if asker := re.search(_OF_CUDA, wanted_by):
                copies = (said.LIBRARY_LOADED(asker[1].lower()), names.ENV("LD_LIBRARY_PATH"))
                beside = "a library beside it"
                yield LooseSymbol(name, asker[1].lower(), beside, wanted_by, key, copies)


def of_module(symbol: LooseSymbol) -> bool:
    """Whether a module that somebody compiled asks the run time for it.

    It is one for a Python, by its name, or an operation for TensorFlow in the program's own folder.
    """
    module = r"\.cpython-\d{2,3}[a-z]{0,2}-[\w-]{3,40}\.so\Z"
    if symbol.stem != "cudart" or re.search(_FRAMEWORKS, symbol.wanted_by):
        return False
    return re.search(f"{module}|{_OPERATION}", symbol.wanted_by) is not None


def bound_elsewhere(facts: Facts, symbol: LooseSymbol) -> str | None:
    """The copy that is found first in place of the package's own; None: nothing shows one.

    A file of a Python package brings its libraries along. If the copy that it got, or the search
    path, lies elsewhere, that copy came first.
    """
    if not re.search(_OWN, symbol.wanted_by):
        return None
    loaded = facts.known(said.LIBRARY_LOADED(symbol.stem))
    if loaded is not None and "/" in loaded:
        beside = _folder(loaded) == _folder(symbol.wanted_by)
        return None if beside or re.search(_OWN, loaded) else loaded
    return foreign_folder(facts)


def _folder(file: str) -> str:
    """The folder of a file, without the way up and down again that a loader's path takes."""
    return posixpath.dirname(posixpath.normpath(file))


def search_path(facts: Facts) -> tuple[str, ...]:
    """The folders of LD_LIBRARY_PATH, in the order in which they are searched."""
    listed = facts.known(names.ENV("LD_LIBRARY_PATH")) or ""
    return tuple(entry for entry in listed.replace(";", ":").split(":") if entry.strip())


def foreign_folder(facts: Facts) -> str | None:
    """The first folder of LD_LIBRARY_PATH that may hold CUDA libraries of another origin."""
    for folder in search_path(facts):
        if re.search(_FOREIGN, folder) and not re.search(_OWN, folder):
            return folder
    return None


def stubs_for_loader(facts: Facts) -> Keys:
    """A folder of stubs, which are for the linker, in the loader's variable; the linker misses one.

    It searches the folders of -L and of LIBRARY_PATH.
    """
    missed = statements(facts, "linker-library-missing")
    if value(facts, "linker-library-missing") not in ("cuda", "nvidia-ml"):
        return ()
    stubs = any(folder.rstrip("/").endswith("/stubs") for folder in search_path(facts))
    return (names.ENV("LD_LIBRARY_PATH"), *missed) if stubs else ()


class OlderCublas(NamedTuple):
    """Pip's cuBLAS of an earlier CUDA than torch's, and the call that it refuses."""

    there: Version
    wanted: Version
    keys: Keys


def older_cublas(facts: Facts) -> OlderCublas | None:
    """By the release of the package, whose first two numbers are CUDA's since 12.0."""
    torch, refused = facts.known(names.PACKAGE_CUDA("torch")), _refused_by_cublas(facts)
    if torch is None or torch.major < _NAMED_SINCE or not refused:
        return None
    if errors(facts, "CUDA_ERROR_ASSERT", "CUDA_ERROR_OUT_OF_MEMORY"):
        return None  # that is why the call failed
    if statements(facts, "index-assertion"):
        return None
    package = names.PACKAGE_VERSION(f"nvidia-cublas-cu{torch.major}")
    release = Version.parse(facts.known(package) or "")
    if release is None or (there := Version.of(release.major, release.minor)) >= torch:
        return None
    return OlderCublas(there, torch, (*refused, package, names.PACKAGE_VERSION("torch")))


#: With CUDA 13 the packages lost the CUDA in their names.
_NAMED_SINCE = 12


def _refused_by_cublas(facts: Facts) -> tuple[Key[str], ...]:
    return errors(facts, "CUBLAS_STATUS_INVALID_VALUE", "CUBLAS_STATUS_NOT_SUPPORTED")


class OlderLibrary(NamedTuple):
    """A CUDA library that a program found to be older than the one that it was built with."""

    library: str
    title: str
    sign: str


def older_than_built(facts: Facts) -> OlderLibrary | None:
    """What JAX says of a library other than cuDNN and the run time, which have their own rules."""
    sign = "jax-library-older-than-built"
    told = value_words(facts, sign)
    if len(told) == 1:
        return OlderLibrary(
            told[0], f"{told[0]} is loaded in an older release than JAX takes", sign
        )
    if len(told) < 3 or told[0].lower() in ("cudnn", "cuda"):  # noqa: PLR2004
        return None
    library, found, built = told[:3]
    return OlderLibrary(library, f"{library} {found} is loaded, JAX was built with {built}", sign)


def paddle_came_first(facts: Facts) -> Keys:
    """What shows that torch's DLLs miss a function, on Windows, where Paddle brought others before.

    An extension that misses one was built for another torch.
    """
    from .faults import extension_without_function

    failed, imported = errors(facts, "WIN32_127"), statements(facts, "paddle-imported")
    torchs = statements(facts, "torch-dll-init")
    if not (failed and imported and torchs) or extension_without_function(facts) is not None:
        return ()
    return (*failed, *imported)
