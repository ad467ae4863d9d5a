"""What extensions say of the framework that they do not fit, as sentences for a title."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable

#: What TensorRT compiles for one GPU and reads with the same release alone.
ENGINE = "the engine file of TensorRT"
#: The two packages of JAX that are released together.
JAX_PLUGIN = "the CUDA plugin of JAX"
UNNAMED = "the extension"
OPENCV = "the OpenCV that fails"
SOURCE = "the source of the extension"
TRITONS_CALLER = "the package that asks for Triton"


class Stated(NamedTuple):
    """A statement of an extension, which one that is, and its words for what the statement says.

    `title` and `who` take what the statement carries.
    """

    sign: str
    extension: str
    title: Callable[[str], str]
    who: Callable[[str], str] | None = None

    def named(self, told: str) -> str:
        """The extension, by what the statement carries where that tells it."""
        return self.extension if self.who is None else self.who(told) or self.extension


_NUMBER = regex(r"(?<!\d)\d+(?:\.\w+)+(?:\+\w+)?")
_MODULE = regex(r"[\w.]{2,60}")
_NAMED_IN_SYMBOL = regex(r"_ZNK?")
_PART = regex(r"\d+")


def function_of(symbol: str) -> str:
    """The qualified name in a symbol of C++, without its arguments; empty where there is none.

    ``_ZN3c105ErrorC2ENS_14SourceLocationE`` is ``c10::Error::Error``.
    """
    begun = _NAMED_IN_SYMBOL.match(symbol)
    if begun is None:
        return ""
    parts: list[str] = []
    at = begun.end()
    while length := _PART.match(symbol, at):
        end = length.end() + int(length[0])
        if end > len(symbol):
            break  # the text was cut off here
        parts.append(symbol[length.end() : end])
        at = end
    if parts and re.match(r"C[1-3]", symbol[at:]):
        parts.append(parts[-1])
    return "::".join(parts)


def lacking(symbol: str) -> str:
    """What is not there, for the end of a title: the symbol, or its name where that is long."""
    longest = 44
    if len(symbol) <= longest:
        return symbol
    function = function_of(symbol)
    return f"{function} of the form that it calls" if function else "a function that it calls"


def _two(told: str, both: str, else_: str) -> str:
    """`both` with the two versions that a statement carries, or other words without them."""
    found = _NUMBER.findall(told)
    return both.format(*found) if len(found) == 2 else else_  # noqa: PLR2004  built for, found


def _other_torch(told: str) -> str:
    both = "xformers was built for torch {}; installed is torch {}"
    return _two(told, both, "xformers was built for another torch")


def _cuda_package(told: str) -> str:
    named = [word for word in told.split() if word.isidentifier()]
    return named[0] if len(named) == 1 else ""


def _other_cuda(told: str) -> str:
    who = _cuda_package(told) or "torchvision"
    found = _NUMBER.findall(told)
    if not 1 <= len(found) <= 2:  # noqa: PLR2004  torch's, and the extension's
        return f"{who} was compiled with another CUDA than torch"
    torch, *own = found
    if own:
        return f"{who} was compiled with CUDA {own[0]}, torch with CUDA {torch}"
    return f"{who} was compiled with another CUDA than torch, which has CUDA {torch}"


def _jax_plugin(told: str) -> str:
    found = _NUMBER.findall(told)
    if len(found) == 1:
        return f"{JAX_PLUGIN} does not fit jaxlib {found[0]}"
    if all(each.count(".") == 1 for each in found):
        both = f"{JAX_PLUGIN} speaks version {{}} of its interface, jaxlib version {{}}"
    else:
        both = f"{JAX_PLUGIN} is of release {{}}, jaxlib is {{}}"
    return _two(told, both, f"{JAX_PLUGIN} and jaxlib are of different releases")


def _jaxlib(told: str) -> str:
    both = "jaxlib {} does not fit the installed jax, which takes {}"
    return _two(told, both, "jax and jaxlib are of releases that do not fit each other")


def _bnb_library(told: str) -> str:
    if "cpu" in told:
        return f"bitsandbytes does not find a library of its own: {told}"
    return f"bitsandbytes has no library for this CUDA: it looks for {told}"


def _deepspeed(told: str) -> str:
    what = "CUDA" if "CUDA" in told else "torch"
    both = f"DeepSpeed's operators were compiled for {what} {{}}; in use is {what} {{}}"
    return _two(told, both, "DeepSpeed's operators were compiled for another torch or CUDA")


def _operators_package(told: str) -> str:
    package = told.partition("::")[0]
    return package if package.isidentifier() and not package.startswith("_") else ""


def _operator(told: str) -> str:
    who = _operators_package(told) or "torchvision"
    if "::" in told and " " not in told:
        who = who if who in told else "An extension"
        return f"{who} was built for another torch: its operator {told} is missing"
    return f"{who} was built for another torch: its compiled half does not load"


def _module(told: str) -> str:
    if not _MODULE.fullmatch(told) or told.endswith("_impl"):
        return ""
    package, _, half = told.partition(".")
    if told == "common_ops":
        return "sgl_kernel"
    return package if half.startswith("_") else told


def _not_compiled(told: str) -> str:
    if told.endswith("_impl"):
        return f"An extension was built without CUDA: its {told} has no code for the GPU"
    if "without GPU support" in told and told[:1] != "w":
        return told
    if not _MODULE.fullmatch(told):
        return "A package was installed without its compiled GPU half"
    if "." in told or told.startswith("_"):
        return f"The compiled module {told} is missing: its package was installed without it"
    return f"The compiled half of {_module(told)} is missing, or does not load"


def _built_for_other(told: str) -> str:
    what = "PyTorch" if "PyTorch" in told else "CUDA"
    both = f"An extension was built for {what} {{}}; it finds {what} {{}}"
    return _two(told, both, "An extension was built for another CUDA or PyTorch")


def _other_signature(told: str) -> str:
    package, dot, _ = told.partition(".")
    if package == "cuda":
        package = "cuda-python"
    if dot:
        return f"A compiled module was made for another release of {package}: {told} has changed"
    return f"A compiled module takes other arguments in {told} than its caller gives"


def _source(told: str) -> str:
    who = "The source of the extension is written for another PyTorch"
    if told.startswith("C++"):
        return f"The extension is compiled as older C++ than the {told} that PyTorch asks for"
    if told == "DeprecatedTypeProperties":
        return f"{who}: a call with {told} does not compile with this one"
    return f"{who}: this one has no {told}"


def _dgl(told: str) -> str:
    if not _NUMBER.fullmatch(told):
        return "DGL holds no library for the torch that is there"
    return f"DGL holds one library for each torch that it was built for, and none for torch {told}"


def _horovod(told: str) -> str:
    framework = told.partition(" ")[0]
    both = f"horovod was built for {framework} {{}}; installed is {{}}"
    return _two(told, both, "horovod was built for another release of the framework")


def _engine(told: str) -> str:
    if "incompatible device" in told:
        return f"{ENGINE} was made for another kind of GPU"
    return f"{ENGINE} was made by another release of TensorRT, or for another GPU"


def _always(title: str) -> Callable[[str], str]:
    return lambda _: title


#: The first that was made counts.
STATED = (
    Stated("xformers-other-torch", "xformers", _other_torch),
    Stated("extension-cuda-mismatch", "torchvision", _other_cuda, _cuda_package),
    Stated("jax-plugin-mismatch", JAX_PLUGIN, _jax_plugin),
    Stated("jax-jaxlib-mismatch", JAX_PLUGIN, _jaxlib),
    Stated("bnb-library-missing", "bitsandbytes", _bnb_library),
    Stated(
        "bnb-setup-failed",
        "bitsandbytes",
        _always("bitsandbytes could not set itself up for the CUDA that is there"),
    ),
    Stated(
        "bnb-without-windows",
        "bitsandbytes",
        _always("This bitsandbytes was made for Linux only: on Windows it looks for files of it"),
    ),
    Stated(
        "bnb-without-gpu",
        "bitsandbytes",
        _always("bitsandbytes runs its build without GPU support"),
    ),
    Stated("deepspeed-ops-of-other", "deepspeed", _deepspeed),
    Stated("extension-operator-missing", "torchvision", _operator, _operators_package),
    Stated("extension-not-compiled", UNNAMED, _not_compiled, _module),
    Stated("extension-built-for-other", UNNAMED, _built_for_other),
    Stated("dgl-without-library", "dgl", _dgl),
    Stated(
        "extension-symbol-untold",
        UNNAMED,
        lambda told: f"{told} was built for another torch: it lacks a function of that",
        lambda told: told,
    ),
    Stated("extension-other-signature", "the compiled module", _other_signature),
    Stated("extension-source-other-torch", SOURCE, _source),
    Stated("horovod-other-framework", "horovod", _horovod),
    Stated(
        "triton-other-release",
        TRITONS_CALLER,
        lambda told: f"A package asks for {told}, which the installed Triton does not have",
    ),
    Stated(
        "cumm-other-release",
        "spconv",
        lambda told: f"The cumm that is there has no {told}, which spconv imports from it",
    ),
    Stated(
        "torch-triton-missing",
        "triton",
        _always("torch.compile finds no Triton that works with this torch"),
    ),
    Stated(
        "xformers-no-extensions",
        "xformers",
        _always("xformers does not load its CUDA code: built without it, or for another torch"),
    ),
    Stated("tensorrt-version", ENGINE, _engine),
    Stated(
        "pygpu-other-theano",
        "pygpu",
        _always("Theano and libgpuarray are not of one time: their interfaces differ"),
    ),
)
#: These name both sides.
CERTAIN = ("xformers-other-torch", "extension-cuda-mismatch", "jax-plugin-mismatch")
