"""Julia's ``CUDA.versioninfo()``: the run time, the driver and its CUDA, packages.

And what its prompt shows of arrays that lie on the GPU.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ... import names, said
from ...regex import regex
from ...version import Version
from ..prompts import answer, command_of, commands
from ..statement import Statements, say
from ..wordings.others import NO_TOOLKIT_OF_JULIA

if TYPE_CHECKING:
    from ..text import Text

#: How somebody asks whether CUDA.jl can compute.
_ASKED = regex(r"\bCUDA\.(?:functional|has_cuda|has_cuda_gpu)\(\)\s*(?:#.*)?\Z")
#: How much of the GPU a session holds, where it has one.
_POOL = regex(r"(?a)\AMemory pool usage: [\d.]{1,9} [KMG]iB \([\d.]{1,9} [KMG]iB reserved\)")
#: "CUDA runtime 12.1, artifact installation"; "- runtime 13.0, …" since 5.9; once "CUDA toolkit".
_RUNTIME = regex(
    r"(?a)\A\s*(?:CUDA|-) (?:runtime|toolkit) (\d+\.\d+)(?:\.\d+)?, (?:artifact|local) "
)
#: "NVIDIA driver 515.86.1, for CUDA 11.7"; "- driver 535.161.7 for 13.0".
_DRIVER = regex(r"(?a)\A\s*(?:NVIDIA|-) driver (\d{3}(?:\.\d+){1,2}),? for (?:CUDA )?(\d+\.\d+)")
_OLD_DRIVER = regex(r"(?a)\A\s*CUDA driver (\d{1,2}\.\d)(?:\.0)?\s*\Z")
_REFUSED = regex(NO_TOOLKIT_OF_JULIA)
#: It knows the majors of the driver's CUDA from one to another; the driver's is of another one.
_SPAN = regex(
    r"(?a)only supports NVIDIA drivers for CUDA \d{1,2}\.x or (\d{1,2})\.x "
    r"\(yours is for CUDA (\d{1,2}\.\d)"
)
#: NVML comes with the system's driver: "NVML: 12.0.0+535.161.7" tells that driver's CUDA.
_NVML = regex(r"(?a)\A\s*- NVML: (\d+\.\d+)(?:\.\d+)?\+(\d{3}(?:\.\d+)+)")
_PACKAGE = regex(r"(?a)\A\s*- CUDA(?:\.jl)?: (\d+\.\d+\.\d+)\s*\Z")
#: The row of CUDA.jl, which its number names, in what ``Pkg.status()`` lists.
_STATUS = regex(r"(?a)\[052768ef\] (?:\+ )?CUDA v(\d+\.\d+\.\d+)(?=\s*\Z| [\u26b2`])")
#: What the LLVM of this Julia and the toolkit make code for; CUDA.jl 5 lists it no more.
_TARGETS = regex(r"(?a)\A\s*- Device capability support: (sm_\d{2,3}[a-f]?(?:, sm_\d{2,3}[a-f]?)*)")
_COUNT = regex(r"(?a)\A\s*(\d{1,3}) devices?(?:\(s\))?:\s*\Z")
_NONE = regex(r"\A\s*No CUDA-capable devices\.?\s*\Z", re.IGNORECASE)

#: What makes an array on the GPU, and the name that it is given.
_MADE = regex(
    r"(?:\b(?P<name>\w{1,40}) ?= ?)?(?:\bCu(?:Array|Vector|Matrix)(?:\{[^{}\n]{1,40}\})?\("
    r"|\b(?:CUDA|CuArrays)\.(?:rand|randn|zeros|ones|fill)\(|(?<![\w.])cu\()"
)
#: How the prompt shows what has no words of its own: arrays, numbers, truths, types.
_SHOWN = regex(
    r"(?a)\A(?:\d{1,12}(?:\u00d7\d{1,12}){0,3}(?:-element)? (?:Cu)?(?:Array|Vector|Matrix)\b"
    r"|(?:-?\d[\d.]{0,24}(?:[ef]-?\d{1,3})?|true|false|Nothing)\s*\Z"
    r"|(?:Cu)?(?:Array|Vector|Matrix)\{)"
)

#: What asks for the type of a layer's weights, and the type of arrays in main memory.
_WEIGHTS = regex(r"\Atypeof\([\w.\[\]]{1,60}\.(?:weight|bias|W|b)\)\s*\Z")
_ON_CPU = regex(r"\A(?:Array|Vector|Matrix)\{Float(?:16|32|64)(?:, ?\d)?\}")


#: The first frame, where it is of the packages that compile for GPUs; also as it once was.
_IN_COMPILER = regex(r"\A\s*\[1\][^\n]{0,400}(?:\n\s*@ |[/\\]packages[/\\])(?:GPUCompiler|LLVM)\b")
#: CUDA.jl asks the driver for a GPU before it compiles; of the others this package knows nothing.
_OF_CUDA, _OF_OTHERS = ("@cuda", "using cuda", "cuda.jl"), ("amdgpu", "oneapi", "metal.jl", "@roc")


def read(text: Text) -> Statements:
    """CUDA.jl as the package "cuda-jl", with the run time that it brought or found."""
    if "out of gpu memory" not in text:
        for line, _ in text.matching(_POOL, "memory pool usage: "):
            yield say(said.FRAMEWORK_SEES_GPU("cuda-jl"), True, line)
            break
    if not any(
        cue in text
        for cue in (
            *("artifact installation", "local installation", "julia", "cuda.jl"),
            *("[052768ef]", "device capability support"),
        )
    ):
        return
    yield from _driver(text)
    yield from _package(text)
    for line, match in text.matching(_COUNT, "device"):
        yield say(said.FRAMEWORK_COUNT("cuda-jl"), int(match[1]), line)
        yield say(said.FRAMEWORK_SEES_GPU("cuda-jl"), int(match[1]) > 0, line)
    for line, _ in text.matching(_NONE, "no cuda-capable"):
        yield say(said.FRAMEWORK_SEES_GPU("cuda-jl"), False, line)
    for line in text.having("could not find cuda driver library"):  # CUDAdrv's
        yield say(names.LIBRARY_MISSING("cuda"), "libcuda", line)
    yield from _at_prompt(text)
    yield from _shown(text)
    yield from _answered(text)
    yield from _compiled_in_vain(text)


def _package(text: Text) -> Statements:
    for line, match in text.matching(_RUNTIME, "runtime ", "cuda toolkit "):
        yield say(names.PACKAGE_CUDA("cuda-jl"), Version(match[1]), line)
        yield say(names.PACKAGE_BUILD("cuda-jl"), "cuda", line)
    for line, match in text.matching(_PACKAGE, "- cuda"):
        yield say(names.PACKAGE_VERSION("cuda-jl"), match[1], line)
    for line, match in text.matching(_STATUS, "[052768ef]"):
        yield say(names.PACKAGE_VERSION("cuda-jl"), match[1], line)
    for line, match in text.matching(_TARGETS, "device capability support"):
        yield say(said.FRAMEWORK_ARCHITECTURES("cuda-jl"), tuple(match[1].split(", ")), line)


def _answered(text: Text) -> Statements:
    """Whether CUDA.jl can be used; and that weights are in main memory, where none are shown else.

    Of the data that a program is fed with this tells nothing: it goes to the GPU by and by.
    """
    for line, command, below in commands(text, "cuda.functional()", "has_cuda_gpu()", "typeof("):
        told = below[0].text.strip() if below else ""
        if _ASKED.search(command) and told in ("true", "false"):
            yield say(said.FRAMEWORK_SEES_GPU("cuda-jl"), told == "true", below[0])
        elif _WEIGHTS.match(command) and _ON_CPU.match(told) and "cuarray{" not in text:
            yield say(said.SIGN("julia-weights-on-cpu"), command, line)


def _compiled_in_vain(text: Text) -> Statements:
    """A kernel for CUDA that the compiler's own packages fail on, once the GPU is there."""
    if not any(each in text for each in _OF_CUDA) or any(each in text for each in _OF_OTHERS):
        return
    for line in text.having("stacktrace:"):
        below = "\n".join(each.text for each in text.after(line, 2))
        if _IN_COMPILER.match(below):
            yield say(said.FRAMEWORK_SEES_GPU("cuda-jl"), True, line)


def _at_prompt(text: Text) -> Statements:
    """That a command with an array on the GPU ran to its end: below it stands what it gave."""
    made: set[str] = set()
    for line in text.having("julia> "):
        command = command_of(line)
        if command is None:
            continue
        below = answer(text, line)
        # What was typed goes on in indented lines; what it gave begins in the first column.
        count = next((n for n, each in enumerate(below) if each.text[:1].strip()), len(below))
        typed = "\n".join((command, *(each.text for each in below[:count])))
        arrays = list(_MADE.finditer(typed))
        shown = count < len(below) and _SHOWN.match(below[count].text) is not None
        if shown and (arrays or made.intersection(_WORD.findall(typed))):
            yield say(said.FRAMEWORK_COMPUTED("cuda-jl"), True, below[count])
            return
        made.update(each["name"] for each in arrays if each["name"])


_WORD = regex(r"\w+")
#: How it shows an array that lies on the GPU, and a number of it, which was copied from there.
_ARRAY = regex(r"(?a)\A\d{1,12}(?:\u00d7\d{1,12}){0,3}(?:-element)? Cu(?:Array|Vector|Matrix)\{")
_NUMBER = regex(r"(?a)\A\s{1,8}-?\d{1,12}(?:\.\d)?")


def _shown(text: Text) -> Statements:
    for line, _ in text.matching(_ARRAY, "cuarray{", "cuvector{", "cumatrix{"):
        if any(_NUMBER.match(each.text) for each in text.after(line, 1)):
            yield say(said.FRAMEWORK_COMPUTED("cuda-jl"), True, line)
            return


def _driver(text: Text) -> Statements:
    for line, match in text.matching(_NVML, "nvml: "):
        yield say(names.DRIVER_VERSION, Version(match[2]), line)
        yield say(names.NVML_VERSION, Version(match[2]), line)
        yield say(said.SIGN("nvml-answered"), match[2], line)
    for line, match in text.matching(_DRIVER, "driver "):
        yield say(names.DRIVER_VERSION, Version(match[1]), line)
        # With its own compatibility package Julia serves a newer CUDA than the driver alone.
        yield say(names.DRIVER_CUDA, Version(match[2]), line)
    for line, match in text.matching(_REFUSED, "compatible with any supported cuda toolkit"):
        yield say(names.DRIVER_CUDA, Version(match[1]), line)
    for line, match in text.matching(_OLD_DRIVER, "cuda driver "):
        yield say(names.DRIVER_CUDA, Version(match[1]), line)
    for line, match in text.matching(_SPAN, "only supports nvidia drivers for cuda "):
        if Version(match[2]).major > int(match[1]):
            yield say(said.SIGN("cuda-jl-before-driver"), f"{match[1]} {match[2]}", line)
        else:
            yield say(said.SIGN("science-driver-too-old"), match[2], line)
