"""Programs that name the GPUs that they were made for, or the one that they were not made for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts.regex import regex
from ....facts.version import Version
from ...model import Confidence
from ..gpus.known import with_target
from ..statements import errors, statements, value, value_words
from ..toolkit.asked_targets import capabilities_in
from . import tensor_cores
from .builds import torch_covers
from .no_code import NEW, NO_CODE, OLD, KernelFault, side_of
from .numbered import dotted

if TYPE_CHECKING:
    from ....facts.model import Facts
    from ..gpus.known import Gpu


#: An architecture as compilers name it; sm_9x is any of a major.
TARGET = regex(r"(?i)sm_?(\d{1,2})([\dx])(?!\d)[af]?")


def made_for_others(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """The first program that tells so."""
    steps = (
        *(_of_attention, _of_generation, _of_opencv, _of_compile_time, _of_julia, _of_builder),
        tensor_cores.of_another,
    )
    return next((found for step in steps if (found := step(facts, gpu)) is not None), None)


def _of_attention(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """A kernel that serves some architectures: older than the first, or later than the last."""
    made = statements(facts, "attention-other-gpu")
    targets = TARGET.findall(value(facts, "attention-other-gpu"))
    if not made or not targets:
        return None
    if gpu is not None and (_is_named(gpu, targets) or _is_sibling(facts, gpu, targets)):
        return None
    last = max((int(major), 9 if minor == "x" else int(minor)) for major, minor in targets)
    newer = gpu is not None and (gpu.capability.major, gpu.capability.minor) > last
    served = ", ".join(f"sm_{major}{minor}" for major, minor in dict.fromkeys(targets))
    title = f"A kernel serves GPUs of {served} alone"
    keys = made if gpu is None else (*made, gpu.key)
    sure = Confidence.LIKELY if gpu is not None else Confidence.POSSIBLE
    return KernelFault(NEW if newer else OLD, title, keys, gpu, None, sure)


def _is_named(gpu: Gpu, targets: list[tuple[str, str]]) -> bool:
    """Whether the GPU is one of those that are served, so that another one was meant."""
    own = gpu.capability
    return any(
        own.major == int(major) and minor in ("x", str(own.minor)) for major, minor in targets
    )


def _is_sibling(facts: Facts, gpu: Gpu, targets: list[tuple[str, str]]) -> bool:
    """Whether torch itself has code for this GPU, and only chose a kernel that is for another.

    Of one major what is compiled for the first runs on the later ones.
    """
    own = gpu.capability
    first = any(
        int(major) == own.major and int(minor) <= own.minor
        for major, minor in targets
        if minor != "x"
    )
    return first and torch_covers(facts, (gpu,))


def _of_generation(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """Paddle names the GPU's generation, and the capabilities that its build has code for."""
    name, *targets = value(facts, "paddle-generation-not-covered").split() or [""]
    if not name:
        return None
    from ....knowledge.architecture import architecture, capabilities

    rows = (architecture(each) for each in capabilities())
    generation = [row.capability for row in rows if row is not None and row.name == name]
    compiled = [Version(dotted(target)) for target in targets]
    if not generation:
        return None
    keys = statements(facts, "paddle-generation-not-covered")
    if compiled:
        side = OLD if min(generation) < min(compiled) else NEW
        title = f"This build of Paddle has code for {' '.join(targets)}, and the GPU is a {name}"
    else:  # the line was cut
        side = side_of(max(generation), None)
        title = f"This build of Paddle has no code for a {name}"
    return KernelFault(side, title, keys, gpu, "paddlepaddle-gpu", Confidence.LIKELY)


def _of_compile_time(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """A program has code for one capability, and tells it beside the GPU's."""
    numbers = value(facts, "compile-time-capability").split()
    if len(numbers) != _PAIR:
        return None
    own, compiled = (Version(dotted(each)) for each in numbers)
    title = f"The program was compiled for capability {compiled}, and the GPU has {own}"
    keys = statements(facts, "compile-time-capability")
    side = OLD if own < compiled else NEW
    return KernelFault(side, title, keys, gpu, None, Confidence.LIKELY)


_PAIR = 2


def _of_julia(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """CUDA.jl warns of the GPU, which may go well, and then does not load what it compiled."""
    numbers = value_words(facts, "julia-gpu-not-covered")
    failed = statements(facts, "julia-module-failed")
    if len(numbers) != _PAIR or not failed:
        return None
    own, cuda = map(Version, numbers)
    title = f"CUDA.jl does not know GPUs of capability {own} with its CUDA {cuda}"
    keys = (*statements(facts, "julia-gpu-not-covered"), *failed)
    return KernelFault(side_of(own, cuda), title, keys, gpu, "cuda-jl", Confidence.LIKELY)


def _of_opencv(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """OpenCV has no code for the GPU: its list, and the GPU or what its builder asked for."""
    made = statements(facts, "opencv-not-for-gpu")
    compiled = [Version(dotted(each)) for each in value(facts, "opencv-architectures").split()]
    asked = Version.parse(value(facts, "opencv-architecture-asked"))
    if not compiled and asked is not None and gpu is not None:
        compiled = [asked]
    wanted = asked if gpu is None else gpu.capability
    if not made or not compiled or wanted is None or wanted in compiled:
        return None
    listed = " ".join(map(str, compiled))
    title = f"OpenCV was compiled for {listed}, and the GPU is of capability {wanted}"
    signs = statements(facts, "opencv-architectures", "opencv-architecture-asked")
    side = NEW if wanted > max(compiled) else OLD
    return KernelFault(side, title, (*made, *signs), gpu, None, Confidence.LIKELY)


def _of_builder(facts: Facts, gpu: Gpu | None) -> KernelFault | None:
    """A build that was asked for others, and whose code the GPU does not run.

    Of one major, code for an earlier GPU runs on the later ones.
    """
    failed, asked = errors(facts, *NO_CODE), statements(facts, "cmake-architectures-asked")
    compiled = capabilities_in(value(facts, "cmake-architectures-asked"))
    if not failed or not compiled or gpu is None:
        return None
    own = gpu.capability
    if any(each.major == own.major and each <= own for each in compiled):
        return None
    targets = " and ".join(f"sm_{each.major}{each.minor}" for each in compiled)
    title = f"The program was compiled for {targets} alone, and the GPU is {with_target(gpu)}"
    side = side_of(own, None, tuple(compiled))
    keys = (*failed, *asked, gpu.key)
    return KernelFault(side, title, keys, gpu, None, Confidence.LIKELY)
