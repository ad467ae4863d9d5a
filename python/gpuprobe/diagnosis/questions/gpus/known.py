"""The GPUs that the facts tell of, with their compute capability: read, or by their name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ..once import asked_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Key
    from ....facts.version import Version

#: Statements of a framework that carry the capability of the GPU that they speak of.
_TELLING = (
    "torch-capability-not-covered",
    "torch-capability-too-old",
    "tf-gpu-ignored-capability",
    "torch-compile-gpu-too-old",
    "bfloat16-gpu-too-old",
    "tf-kernels-not-for-gpu",
)


_UNNAMED = "The GPU"


class Gpu(NamedTuple):
    """A GPU and its capability; `key`: the fact that tells it.

    `least`: what it may have instead, where products of two capabilities bear its name.
    `of_series`: its capability is the highest of its series, and its own may be less.
    """

    title: str
    capability: Version
    key: Key[object]
    least: Version | None = None
    of_series: bool = False


def with_target(gpu: Gpu) -> str:
    """A GPU in the middle of a sentence: NVIDIA GeForce RTX 5090 (sm_120)."""
    title = "the GPU" if gpu.title == _UNNAMED else gpu.title
    if gpu.of_series:
        return f"a{title[1:]}" if title.startswith("A ") else title
    return f"{title} (sm_{gpu.capability.major}{gpu.capability.minor})"


@asked_once
def gpus(facts: Facts) -> tuple[Gpu, ...]:
    """Each GPU whose capability is known; a name that may be several new products tells none."""
    subjects = (*facts.subjects(names.GPU_CAPABILITY), *facts.subjects(names.GPU_NAME))
    found = tuple(
        gpu for subject in dict.fromkeys(subjects) if (gpu := _gpu(facts, subject)) is not None
    )
    return found or tuple(_told(facts)) or tuple(_of_board(facts)) or tuple(_of_series(facts))


#: Series and generations whose products all have one capability.
_SERIES = {
    "3": ("A GPU of the RTX 30 series", "8.6"),
    "4": ("A GPU of the RTX 40 series", "8.9"),
    "5": ("A GPU of the RTX 50 series", "12.0"),
    "hopper": ("A Hopper GPU", "9.0"),
    "blackwell": ("A Blackwell GPU", "12.0"),
}


def _of_series(facts: Facts) -> Iterator[Gpu]:
    """A GPU of which somebody names the series alone."""
    from ....facts.version import Version

    key = said.SIGN("gpu-series-told")
    if name := facts.known(key):
        title, capability = _SERIES[name.lower()]
        yield Gpu(title, Version(capability), key, of_series=True)


def _of_board(facts: Facts) -> Iterator[Gpu]:
    """A Jetson's, which has the board's name."""
    board = facts.known(names.TEGRA_MODEL)
    if not board:
        return
    from ....knowledge.products import by_name

    match = by_name(board) or by_name(board.rpartition(" ")[2])
    if match is not None and len(match.capabilities) == 1:
        yield Gpu(board, max(match.capabilities), names.TEGRA_MODEL)


def _gpu(facts: Facts, subject: str) -> Gpu | None:
    name = facts.known(names.GPU_NAME(subject))
    capability = facts.known(names.GPU_CAPABILITY(subject))
    if capability is not None:
        return Gpu(name or f"GPU {subject}", capability, names.GPU_CAPABILITY(subject))
    if name is None:
        return None
    from ....knowledge.products import by_name

    match = by_name(name)
    if match is None:
        return None
    highest = max(match.capabilities)
    if len(match.capabilities) != 1 and not _is_old(highest):
        return None
    lowest = min(match.capabilities)
    least = lowest if lowest != highest else None
    return Gpu(name, highest, names.GPU_NAME(subject), least, match.matched == "series")


def _is_old(capability: Version) -> bool:
    """Whether toolkits dropped it: what is too old for a product's newest kind is so for all."""
    from ....knowledge.architecture import architecture

    known = architecture(capability)
    return known is not None and known.last_toolkit is not None


def _told(facts: Facts) -> Iterator[Gpu]:
    from ....facts.version import Version
    from ....knowledge.architecture import parse_target

    for sign in _TELLING:
        first, _, rest = (facts.known(said.SIGN(sign)) or "").partition(" ")
        text = first.strip("(,)") if first.startswith("(") else first
        number = rest.strip("(,) ") if first.startswith("(") else ""
        targets = parse_target(f"{text}.{number}" if number.isdigit() else text)
        capability = targets[0].capability if targets else Version.parse(text)
        if capability is not None and len(capability.parts) > 1:
            yield Gpu(_UNNAMED, capability, said.SIGN(sign))
            return
