"""Which compiled extension does not fit the framework, CUDA or Python that it was imported with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..kernels.builds import covered_by_torch
from ..kernels.faults import kernel_faults
from ..kernels.of_extension import NO_IMAGE, named_by_its_file, own_operator
from ..libraries.faults import EXTENSION, extension_without_function, library_faults
from ..libraries.search_path import bound_elsewhere, loose_symbols, of_module
from ..libraries.system_libraries import newer_system
from ..once import asked_once
from ..source import looked_at
from ..statements import beginning, errors, short, statements, value, value_words
from ..toolkit.without_toolkit import left_out_without_toolkit
from .import_order import imported_before_torch
from .jax_plugins import lacks_in_jaxlib
from .tags import built_for_another
from .words import CERTAIN, JAX_PLUGIN, OPENCV, STATED, UNNAMED, lacking

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....facts.model import Facts, Key, Keys

#: The first release of bitsandbytes that is built for Windows, too.
_BNB_ON_WINDOWS = Version("0.43")
#: Symbols of the frameworks themselves; an extension that lacks one was built for another.
_FRAMEWORK_SYMBOLS = (
    (
        regex(r"\A_Z\w*?(?:N|NK)\d*(?:3c10|2at|5torch|6caffe2)\d|\A_Z\w*(?:c10|2at|torch)"),
        "PyTorch",
    ),
    (
        regex(
            r"_ZT[A-Z]\d{1,2}TH[A-Z]|(?:aoti_)?torch_|THP|\ATH[CP]?\w*_|c10|(?:torch|at|caffe2)::"
        ),
        "PyTorch",
    ),
    (regex(r"\A_Z\w*10tensorflow|TF_\w+|\A_Z\w*(?:3tsl|4absl)"), "TensorFlow"),
    (regex(r"_ZT?[A-Z]?NK?5mxnet\d"), "MXNet"),
    (regex(r"_ZT?[A-Z]?NK?6paddle\d"), "Paddle"),
    (regex(r"_ZNK?(?:4cudf|3rmm|4raft|7cugraph|2ML)\d|gdf_\w|(?:_Z\d+)?rmm[A-Z]"), "RAPIDS"),
    (regex(r"_?Py[A-Z_]"), "Python"),
)
#: The libraries of a framework itself, by their folders, and what pip calls it.
_OWN = {
    "PyTorch": ("torch", regex(r"/torch/(?:lib|_C)", re.IGNORECASE)),
    "TensorFlow": ("tensorflow", regex(r"(?i)-packages/tensorflow(?:_core)?/(?:core|python|lib)")),
}
#: How OpenCV, which people build themselves, begins what it throws.
_OPENCV = regex(r"\bOpenCV\(\d")
_PAIR = (names.PACKAGE_VERSION("torchvision"), names.PACKAGE_VERSION("torch"))
_FOLDER = regex(r"(?:site|dist)-packages[/\\]([\w-]+)", re.IGNORECASE)


class ExtensionFault(NamedTuple):
    """An extension, the framework that it has to be built for, and its release for that."""

    extension: str
    wanted: str | None
    title: str
    keys: Keys
    confidence: Confidence = Confidence.LIKELY
    partly: bool = False
    release: str | None = None


@asked_once
def extension_fault(facts: Facts) -> ExtensionFault | None:
    """The first extension that the facts show not to fit; None: none."""
    steps = (
        _symbol,
        _runtime_symbol,
        _no_function,
        _newer_system,
        _pair,
        _stated,
        _of_jax,
        _of_linux,
        _library,
        _torchs_library,
        _tagged,
        _pinned,
        _no_code,
        _apart,
    )
    return next((found for step in steps if (found := step(facts)) is not None), None)


def framework_of(symbol: str) -> str | None:
    """The framework that a symbol belongs to."""
    return next((of for pattern, of in _FRAMEWORK_SYMBOLS if pattern.match(symbol)), None)


def _symbol(facts: Facts) -> ExtensionFault | None:
    for name in facts.subjects(said.SYMBOL_WANTED_BY):
        framework = framework_of(name)
        key = said.SYMBOL_WANTED_BY(name)
        file = facts.known(key)
        if framework is None or file is None or package_with(framework, file) is not None:
            continue
        folder = _FOLDER.search(file)
        extension = folder[1] if folder else _module_of(file)
        wanted = _framework(facts, framework)
        title = (
            f"{beginning(extension)} was built for another {framework}: "
            f"{wanted or 'the installed one'} has no {lacking(name)}"
        )
        keys = (key, names.PACKAGE_VERSION("torch"))
        return ExtensionFault(extension, wanted, title, keys, Confidence.CERTAIN)
    return None


def package_with(framework: str, file: str) -> str | None:
    """The framework's package, where a file is of itself, and no extension's."""
    package, own = _OWN.get(framework, ("", None))
    return package if own is not None and own.search(file) else None


#: A module's file by its ending, before which other words may tell what it was compiled for.
_MODULE = regex(r"([A-Za-z]\w{3,})\.(?:[\w-]+\.)?(?:so|pyd)\b")


def _module_of(file: str) -> str:
    """The name that a module is imported by; of a file whose name alone tells nothing, that."""
    name = file.replace("\\", "/").rpartition("/")[2]
    found = _MODULE.match(name)
    return name if found is None else found[1]


def _runtime_symbol(facts: Facts) -> ExtensionFault | None:
    """A module of somebody's own asks for a function of the run time that it was compiled with."""
    for symbol in loose_symbols(facts):
        if of_module(symbol) and bound_elsewhere(facts, symbol) is None:
            extension = symbol.wanted_by.rpartition("/")[2].partition(".")[0]
            title = f"{beginning(extension)} was compiled with another CUDA: the run time beside it"
            title += f" has no {lacking(symbol.name)}"
            keys = (symbol.key, *symbol.copies, names.TOOLKIT_VERSION)
            return ExtensionFault(extension, _framework(facts), title, keys)
    return None


def _no_function(facts: Facts) -> ExtensionFault | None:
    """What Windows says where Linux names an undefined symbol."""
    found = extension_without_function(facts)
    if found is None:
        return None
    file, key = found
    title = f"{file} misses a function in the DLLs of torch: it was built for another one"
    return ExtensionFault(file, _framework(facts), title, (key,))


def _newer_system(facts: Facts) -> ExtensionFault | None:
    """A compiled extension that was linked on a newer system than it is loaded on."""
    found = newer_system(facts)
    if found is None or found.cause != EXTENSION:
        return None
    return ExtensionFault(found.package, _framework(facts), found.title, found.keys)


def _framework(facts: Facts, framework: str = "PyTorch") -> str | None:
    name = {"PyTorch": "torch", "TensorFlow": "tensorflow"}.get(framework)
    version = None if name is None else facts.known(names.PACKAGE_VERSION(name))
    return None if version is None else f"{name} {version}"


def _pair(facts: Facts) -> ExtensionFault | None:
    """Torchvision that misses an operator, beside another torch than it was compiled for or not."""
    failing = statements(facts, "extension-operator-missing", "op-without-cuda")
    if not failing or value(facts, "op-without-cuda").startswith("aten::"):
        return None  # the second is an operator of torch itself
    pair = _torchvision(facts.known)
    if pair is None or pair.fits is None:
        return None
    keys = (*failing, *_PAIR)
    if not pair.fits:
        return pair.fault._replace(keys=keys)
    title = f"torchvision {pair.vision} has no CUDA code that {pair.torch} could call"
    return ExtensionFault("torchvision", pair.torch, title, keys)


def _apart(facts: Facts) -> ExtensionFault | None:
    """The same by the versions alone. In a text what failed has to be told."""
    if not looked_at(facts) or not all(key.name in facts for key in _PAIR):
        return None
    pair = _torchvision(facts.look)
    if pair is None or pair.fits is not False:
        return None
    if any(map(_BETWEEN_RELEASES.search, (pair.torch, pair.vision))):
        return None
    return pair.fault._replace(partly=True)


#: Of a night, or compiled from the sources as NVIDIA's containers have it: these go together by
#: their dates, and not by the numbers of the releases that they lead to.
_BETWEEN_RELEASES = regex(r"\d(?:a|b|rc)\d|\.dev\d|git|\.nv")


class _Pair(NamedTuple):
    """What is installed, and the release of torchvision for it; None: the tables do not say."""

    vision: str
    torch: str
    wanted: str | None = None
    fits: bool | None = None

    @property
    def fault(self) -> ExtensionFault:
        """Both versions, and the one that would go with torch."""
        title = (
            f"torchvision {self.vision} was not built for {self.torch}, which takes {self.wanted}"
        )
        keys, sure = _PAIR, Confidence.CERTAIN
        return ExtensionFault("torchvision", self.torch, title, keys, sure, release=self.wanted)


def release_for_torch(wanted: str) -> str | None:
    """The release of torchvision for ``torch 2.1.0``, where the tables tell it."""
    from ....knowledge.companions import torchvision_for
    from ....knowledge.tables import Unstated

    found = torchvision_for(wanted.removeprefix("torch "))
    return None if isinstance(found, Unstated) else str(found)


def _torchvision(ask: Callable[[Key[str]], str | None]) -> _Pair | None:
    vision, torch = (ask(key) for key in _PAIR)
    if torch is None or vision is None:
        return None
    from ....knowledge.companions import torchvision_for
    from ....knowledge.tables import Unstated, release_number

    wanted, have = torchvision_for(torch), release_number(vision)
    if isinstance(wanted, Unstated) or have is None:
        return _Pair(vision, f"torch {torch}")
    fits = (have.major, have.minor) == (wanted.major, wanted.minor)
    return _Pair(vision, f"torch {torch}", str(wanted), fits)


def _stated(facts: Facts) -> ExtensionFault | None:
    if statements(facts, "build-cuda-mismatch"):
        return None  # GP406: the toolkit does not fit, whatever the extension is
    if left_out_without_toolkit(facts):
        return None  # GP405: the extension fits, as far as it could be compiled
    operator = value(facts, "op-without-cuda")
    if operator and not operator.startswith("aten::"):
        who = operator.partition(":")[0]
        title = f"{who} has no CUDA code for its operator {operator}"
        return ExtensionFault(who, _framework(facts), title, (_sign("op-without-cuda"),))
    for each in STATED:
        if statements(facts, each.sign) and not _of_another(facts, each.sign):
            told = value(facts, each.sign)
            sure = Confidence.CERTAIN if each.sign in CERTAIN else Confidence.LIKELY
            keys = (_sign(each.sign), names.PACKAGE_VERSION("torch"))
            who, title = each.named(told), each.title(told)
            return ExtensionFault(who, _framework(facts), title, keys, sure)
    return None


def _of_jax(facts: Facts) -> ExtensionFault | None:
    found = lacks_in_jaxlib(facts)
    return None if found is None else ExtensionFault(JAX_PLUGIN, None, *found)


def _of_linux(facts: Facts) -> ExtensionFault | None:
    """Bitsandbytes before 0.43 knows Linux alone, and looks for its files on Windows as well."""
    missed = statements(facts, "bnb-no-libcuda")
    on_windows = facts.known(names.OS_SYSTEM) == "Windows"
    if not missed or not on_windows or facts.known(names.WSL_VERSION) is not None:
        return None
    key = names.PACKAGE_VERSION("bitsandbytes")
    release = Version.parse(facts.known(key) or "")
    if release is not None and release >= _BNB_ON_WINDOWS:
        return None  # it was another one that said so
    title = "This bitsandbytes was made for Linux only: it looks for libcuda.so on Windows"
    return ExtensionFault("bitsandbytes", _framework(facts), title, (*missed, key, names.OS_SYSTEM))


def _of_another(facts: Facts, sign: str) -> bool:
    """Whether nothing is of another release: what fails is a matter of another rule.

    Several packages of cumm lie on top of each other (GP606). The torch that xFormers finds is a
    build without CUDA (GP601). For Windows PyTorch brings no Triton (GP605).
    """
    if sign == "cumm-other-release":
        packages = facts.subjects(names.PACKAGE_VERSION)
        return sum(each.startswith("cumm") for each in packages) > 1
    if sign == "xformers-other-torch":
        built, found = (*value_words(facts, sign), "", "")[:2]
        return found.endswith("+cpu") and not built.endswith("+cpu")
    return sign == "torch-triton-missing" and facts.known(names.OS_SYSTEM) == "Windows"


def _sign(name: str) -> Key[str]:
    return said.SIGN(name)


def _library(facts: Facts) -> ExtensionFault | None:
    """A library of another CUDA than torch's is asked for: an extension was built for that one."""
    for fault in library_faults(facts):
        if fault.cause == EXTENSION:
            cuda = facts.known(names.PACKAGE_CUDA("torch"))
            without = facts.known(names.PACKAGE_BUILD("torch")) == "cpu"
            built = "without CUDA" if without else f"with CUDA {cuda or 'of another release'}"
            importing = value(facts, "extension-imports-half")
            named = importing or value(facts, "extension-asked-for")
            who = named or "An extension"
            title = f"{who} asks for {fault.wanted}; torch was built {built}"
            asked = "extension-imports-half" if importing else "extension-asked-for"
            keys = (*fault.keys, *statements(facts, asked))
            return ExtensionFault(named or UNNAMED, _framework(facts), title, keys)
    return None


#: Libraries that torch alone brings; a release renames some of them.
_OF_TORCH = regex(r"(?:lib)?(?:c10|torch)(?:_\w+)?", re.IGNORECASE)


def _torchs_library(facts: Facts) -> ExtensionFault | None:
    """A library of torch is not found: an extension was built for a torch that had it."""
    if imported_before_torch(facts):
        return None
    for stem in facts.subjects(names.LIBRARY_MISSING):
        key = names.LIBRARY_MISSING(stem)
        file = facts.known(key)
        if file is not None and _OF_TORCH.fullmatch(stem):
            title = f"An extension asks for {short(file)}, which the torch that is there lacks"
            return ExtensionFault(UNNAMED, _framework(facts), title, (key,))
    return None


#: What is only said where its code has run.
_RAN = ("framework-out-of-memory", "index-assertion", "shape-mismatch")


def _tagged(facts: Facts) -> ExtensionFault | None:
    """A program crashes inside an extension that says itself that it is for another torch.

    Code that ends in an error of Python's was loaded, so that it fitted well enough for that.
    """
    frame = value(facts, "extension-crashed")
    if not frame or facts.subjects(said.ERROR) or statements(facts, *_RAN):
        return None  # it ran far enough to say what failed
    for found in built_for_another(facts):
        if found.package == frame:
            keys = (said.SIGN("extension-crashed"), *found.keys)
            return ExtensionFault(found.package, _framework(facts), found.title, keys)
    return None


def _pinned(facts: Facts) -> ExtensionFault | None:
    """What pip knows: a package that was made for another torch. It may still load."""
    torch = facts.known(names.PACKAGE_VERSION("torch"))
    for package in facts.subjects(said.PACKAGE_NEEDS_TORCH):
        key = said.PACKAGE_NEEDS_TORCH(package)
        needs = facts.known(key)
        if needs and torch and needs.partition("+")[0] != torch.partition("+")[0]:
            title = f"{package} was made for torch {needs}, installed is {torch}"
            keys = (key, names.PACKAGE_VERSION("torch"))
            return ExtensionFault(package, f"torch {torch}", title, keys, partly=True)
    return None


def _no_code(facts: Facts) -> ExtensionFault | None:
    """No code for a GPU that torch itself covers: then a library beside it lacks it."""
    codes = errors(facts, *NO_IMAGE)
    torch = _framework(facts)
    own = named_by_its_file(facts)
    if own and not kernel_faults(facts):
        title = f"{own} has no code for this GPU: the message names a file of it"
        return ExtensionFault(own, torch, title, codes)
    frame = value(facts, "extension-frame").replace("\\", "/").partition("/")[0]
    if codes and frame and not kernel_faults(facts):
        title = f"{frame} was built without code for this GPU: it fails in an operator of it"
        keys = (*codes, said.SIGN("extension-frame"))
        return ExtensionFault(frame, torch, title, keys)
    if (compiled := own_operator(facts)) and not kernel_faults(facts):
        title = "An operator that was compiled for this program has no code for this GPU"
        return ExtensionFault(UNNAMED, torch, title, compiled)
    of_opencv = bool(codes) and _OPENCV.search(facts.known(codes[0]) or "") is not None
    if made := statements(facts, "opencv-not-for-gpu"):
        codes, of_opencv = made, True
    if of_opencv and not kernel_faults(facts):
        title = "OpenCV was built without code for this GPU: CUDA_ARCH_BIN has to hold its number"
        return ExtensionFault(OPENCV, None, title, codes)
    if not codes or kernel_faults(facts) or not covered_by_torch(facts):
        return None
    title = f"{torch} has code for this GPU; an extension beside it has none"
    keys = (*codes, names.PACKAGE_VERSION("torch"))
    return ExtensionFault("the extension that fails", torch, title, keys)
