"""Is a GPU that works slowed down by heat, power or a narrow link?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ..fixes.slowness import (
    cool_and_feed,
    feed_the_machine,
    let_it_work,
    license_vgpu,
    look_at_slot,
    raise_power_limit,
    stop_powerd,
    take_former_driver,
    take_power_profile,
)
from ..model import Confidence, Finding, Findings, Fix, Link, Severity, cite, rule
from ..questions.driver.state import gpu_subject
from ..questions.gpus.throttling import (
    below_its_like,
    by_heat,
    by_weak_supply,
    protecting,
    throttled,
)
from ..questions.place import place_of
from ..questions.source import looked_at
from ..questions.statements import statements, value
from .hardware import is_lost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key, Keys


@rule("GP803", "power-thermal", cause="power-thermal", link=Link.WORK, since="0.1")
def power_thermal(facts: Facts) -> Findings:
    """The GPU works, slowed down by heat, power or a narrow PCIe link."""
    if hot := protecting(facts):
        yield _slow(facts, _protects_itself(facts, hot), hot, Confidence.CERTAIN)
        return
    unlicensed = statements(facts, "vgpu-unlicensed")
    if unlicensed:
        title = "The virtual GPU has no licence, so its driver slows it down"
        yield Finding(
            title,
            cite(facts, *unlicensed),
            license_vgpu(),
            severity=Severity.WARNING,
            confidence=Confidence.CERTAIN,
        )
        return
    if told_so := _told(facts):
        yield told_so
        return
    capped = (*throttled(facts, "power cap"), *statements(facts, "power-capped"))
    if capped:
        locked = statements(facts, "power-limit-locked")
        title = "The GPU runs at its power limit"
        title += ", which is set below what the board allows" if locked else ""
        early = tuple(_below_own_limit(facts))
        title += ", far below the one that is set" if early else ""
        both = (family(gpu) for gpu in facts.subjects(names.GPU_POWER_LIMIT) for family in _LIMITS)
        shown = (*(both if locked else ()), *capped, *locked, *early)
        fix = take_power_profile(place_of(facts)) if locked else let_it_work()
        yield Finding(
            title,
            cite(facts, *shown),
            _cooled(facts) if early else fix,
            severity=Severity.WARNING if locked or early else Severity.NOTE,
            confidence=Confidence.LIKELY,
        )
    for gpu in facts.subjects(names.GPU_POWER_LIMIT):
        yield from _limited(facts, gpu)
    for gpu in facts.subjects(names.GPU_PCIE_GENERATION):
        yield from _slow_link(facts, gpu)
    yield from _told_of_link(facts)
    told = statements(facts, "pcie-narrow")
    narrow = (*_links(facts), *told)
    if narrow:
        yield Finding(
            _narrow_in_words(facts),
            cite(facts, *narrow),
            look_at_slot(),
            severity=Severity.WARNING if _very_narrow(facts, told) else Severity.NOTE,
            confidence=Confidence.LIKELY,
        )
    for gpu in facts.subjects(names.GPU_THROTTLE) if looked_at(facts) else ():
        if not is_lost(facts, gpu):
            facts.look(names.GPU_THROTTLE(gpu))


def _protects_itself(facts: Facts, keys: tuple[Key[object], ...]) -> str:
    """Which GPU it is and why it slows down, as far as the driver's reasons tell them apart."""
    gpus = {key.name.split(".")[1] for key in keys if key.name.startswith("gpu.")}
    who = f"GPU {gpus.pop()}" if len(gpus) == 1 else "The GPU"
    hot, weak = by_heat(facts), by_weak_supply(facts)
    if hot != weak:
        return f"{who} slows itself down: {'it is too hot' if hot else 'it gets too little power'}"
    return f"{who} slows itself down, for heat or for want of power"


_LIMITS = (names.GPU_POWER_LIMIT, names.GPU_POWER_LIMIT_MAX)


def _cooled(facts: Facts) -> Fix:
    if statements(facts, "powerd-slows-gpu"):
        return stop_powerd()
    if driver := value(facts, "since-driver-change"):
        return take_former_driver(place_of(facts), driver)
    return cool_and_feed(place_of(facts), laptop=facts.known(said.LAPTOP) is True)


def _below_own_limit(facts: Facts) -> Iterator[Key[object]]:
    """What a busy GPU takes where power holds it back, though its limit would allow far more.

    Then something else limits it: a cable, the power supply, or the server's own controller.
    """
    for key in throttled(facts, "power cap"):
        gpu = key.name.split(".")[1]
        taken, limit = facts.known(names.GPU_POWER(gpu)), facts.known(names.GPU_POWER_LIMIT(gpu))
        busy = facts.known(names.GPU_UTILIZATION(gpu)) or 0
        if taken and limit and taken < _MUCH_LOWER * limit and busy >= _BUSY_PERCENT:
            yield from (names.GPU_POWER(gpu), names.GPU_POWER_LIMIT(gpu))


def _slow(facts: Facts, title: str, keys: Keys, confidence: Confidence) -> Finding:
    evidence = cite(facts, *keys)
    fix = _cooled(facts)
    return Finding(title, evidence, fix, severity=Severity.WARNING, confidence=confidence)


#: A limit below this share of the maker's own is felt; a little less is often set to save power.
_MUCH_LOWER = 0.8
#: The highest limit is above the usual one; no profile for full work is below this share of it.
_FAR_LOWER = 0.5
#: Below this share of its highest clock a GPU is not at work; heat does not slow it down so far.
_LOW_CLOCK = 0.3
#: A GPU that works as much as this raises its link to the best that both ends can do.
_BUSY_PERCENT = 50


def _told(facts: Facts) -> Finding | None:
    """What somebody says of the GPU's heat, or of a machine that goes down under its load."""
    if heat := _told_of_heat(facts):
        return _slow(facts, *heat, Confidence.LIKELY)
    down = statements(facts, "told-goes-down", "chinese-goes-down")
    if not down:
        return None
    title = "The machine goes down when the GPU works: mostly its power supply is too weak"
    evidence = cite(facts, *down)
    return Finding(title, evidence, feed_the_machine(), confidence=Confidence.POSSIBLE)


#: What programs and people tell, and what it means, where {} is what was told.
_HEAT_TOLD = (
    (
        ("told-too-hot", "program-says-too-hot", "told-slowed-once-hot"),
        "The GPU got too hot, and slows itself down",
    ),
    (("power-cap-holds",), "The driver's power cap keeps the GPU at low clocks"),
    (("nvbench-throttled",), "The GPU's clock falls to {} MHz while nvbench measures"),
    (("told-hot-clock",), "The GPU gets hot at work, and is slowed down: {}"),
    (("told-clock-drop",), "The GPU's clock drops to {} MHz while it works"),
    (("told-slow-state",), "The GPU is slowed down while it works: {}"),
    (("told-power-of",), "Something holds the GPU at {} that it may take"),
    (("told-power-held",), "Something holds the GPU at {} W"),
    (("temperature-limit-low",), "The GPU is kept below {} °C, where others run at 80 and more"),
)


def _told_of_heat(facts: Facts) -> tuple[str, Keys] | None:
    """What somebody found out of the GPU's heat, or set as its limit."""
    if fallen := facts.keys_of(said.GPU_CLOCK_FALL):
        return f"The GPU gets hot at work, and its clock falls: {facts.known(fallen[0])}", fallen
    if slowest := below_its_like(facts):
        now, heat, most = map(facts.known, slowest)
        return f"A GPU works at {now} MHz and {heat} °C, where its like runs at {most} MHz", slowest
    powerless = statements(facts, "powerd-fails", "told-of-few-watts")
    if len(powerless) > 1:
        return "nvidia-powerd, which lets a laptop's GPU take more watts, does not work", powerless
    for signs, title in _HEAT_TOLD:
        if told := statements(facts, *signs):
            return title.format(facts.known(told[0])), told
    return None


def _limited(facts: Facts, gpu: str) -> Findings:
    """A power limit that somebody set far below the card's own."""
    limit = facts.known(names.GPU_POWER_LIMIT(gpu))
    yield from _locked(facts, gpu)
    default = facts.known(names.GPU_POWER_LIMIT_DEFAULT(gpu))
    if not limit or not default or limit >= _MUCH_LOWER * default:
        return
    yield Finding(
        f"The power limit of GPU {gpu} is set to {limit:.0f} W, its own is {default:.0f} W",
        cite(facts, names.GPU_POWER_LIMIT(gpu), names.GPU_POWER_LIMIT_DEFAULT(gpu)),
        raise_power_limit(gpu, limit, default),
        severity=Severity.WARNING,
        subject=gpu_subject(facts, gpu),
    )


def _locked(facts: Facts, gpu: str) -> Findings:
    """A limit far below the highest that the board takes: locked there, or felt by a busy GPU."""
    refused = statements(facts, "power-limit-locked")
    limit = facts.known(names.GPU_POWER_LIMIT(gpu))
    most = facts.known(names.GPU_POWER_LIMIT_MAX(gpu))
    if not limit or not most or limit >= _MUCH_LOWER * most:
        return
    busy = (facts.known(names.GPU_UTILIZATION(gpu)) or 0) >= _BUSY_PERCENT
    felt = [key for key in throttled(facts, "power cap") if key == names.GPU_THROTTLE(gpu)]
    default = facts.known(names.GPU_POWER_LIMIT_DEFAULT(gpu)) or most
    low = limit < _FAR_LOWER * most and limit < default
    if not refused and not (busy and felt and low):
        return
    keys = (names.GPU_POWER_LIMIT(gpu), names.GPU_POWER_LIMIT_MAX(gpu), *refused, *felt)
    how = "and locked there" if refused else "and holds it back"
    yield Finding(
        f"The power limit of GPU {gpu} is {limit:.0f} W of up to {most:.0f} W, {how}",
        cite(facts, *keys),
        take_power_profile(place_of(facts)) if refused else raise_power_limit(gpu, limit, default),
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
        subject=gpu_subject(facts, gpu),
    )


def _slow_link(facts: Facts, gpu: str) -> Findings:
    """A link that stays at a low generation while the GPU works; an idle one saves power."""
    now = facts.known(names.GPU_PCIE_GENERATION(gpu))
    most = facts.known(names.GPU_PCIE_GENERATION_MAX(gpu))
    busy = facts.known(names.GPU_UTILIZATION(gpu))
    if not now or not most or now >= most or busy is None or busy < _BUSY_PERCENT:
        return
    if _rests(facts, gpu):
        return
    keys = (names.GPU_PCIE_GENERATION(gpu), names.GPU_PCIE_GENERATION_MAX(gpu))
    slot = facts.known(names.GPU_SLOT_GENERATION_MAX(gpu))
    by_slot = slot is not None and now >= slot
    yield Finding(
        f"The PCIe link of GPU {gpu} runs at generation {now} of {most} while the GPU works"
        + (", which is all that its slot can do" if by_slot else ""),
        cite(facts, *keys, names.GPU_UTILIZATION(gpu), names.GPU_SLOT_GENERATION_MAX(gpu)),
        look_at_slot(),
        severity=Severity.NOTE if by_slot else Severity.WARNING,
        confidence=Confidence.LIKELY,
        subject=gpu_subject(facts, gpu),
    )


def _told_of_link(facts: Facts) -> Findings:
    """A generation that somebody found too low."""
    if told := statements(facts, "pcie-slow-told"):
        yield Finding(
            f"The PCIe link of a GPU runs slower than it could: {facts.known(told[0])}",
            cite(facts, *told),
            look_at_slot(),
            severity=Severity.WARNING,
            confidence=Confidence.LIKELY,
        )


def _rests(facts: Facts, gpu: str) -> bool:
    """Whether the clock is low, as where a screen alone keeps a GPU busy: so is the link then."""
    clock, most = facts.known(names.GPU_CLOCK_SM(gpu)), facts.known(names.GPU_CLOCK_SM_MAX(gpu))
    return bool(clock and most and clock < _LOW_CLOCK * most)


def _narrow_in_words(facts: Facts) -> str:
    """With the numbers, where they are known of one GPU."""
    gpus = [gpu for gpu in facts.subjects(names.GPU_PCIE_WIDTH) if _share(facts, gpu) < 1]
    if len(gpus) != 1:
        whose = f"links of GPUs {' and '.join(gpus)} have" if gpus else "link of the GPU has"
        return f"The PCIe {whose} fewer lanes than the card"
    have, most = map(
        facts.known, (names.GPU_PCIE_WIDTH(gpus[0]), names.GPU_PCIE_WIDTH_MAX(gpus[0]))
    )
    return f"The PCIe link of GPU {gpus[0]} has {have} of the card's {most} lanes"


def _links(facts: Facts) -> Keys:
    gpus = [gpu for gpu in facts.subjects(names.GPU_PCIE_WIDTH) if _share(facts, gpu) < 1]
    return tuple(
        key for gpu in gpus for key in (names.GPU_PCIE_WIDTH(gpu), names.GPU_PCIE_WIDTH_MAX(gpu))
    )


def _share(facts: Facts, gpu: str) -> float:
    """The lanes in use of those that the card has; 1 where one of the two is not known."""
    have = facts.known(names.GPU_PCIE_WIDTH(gpu))
    most = facts.known(names.GPU_PCIE_WIDTH_MAX(gpu))
    return have / most if have and most else 1.0


def _very_narrow(facts: Facts, said: tuple[Key[str], ...]) -> bool:
    """A quarter of the lanes or less; half of them are usual on many boards and cost little."""
    read = (_share(facts, gpu) for gpu in facts.subjects(names.GPU_PCIE_WIDTH))
    told = (_told_share(facts.known(key) or "") for key in said)
    return min((*read, *told), default=1.0) <= _QUARTER


_QUARTER = 0.25
_LANES = 16


def _told_share(link: str) -> float:
    """The same in a program's words: ``x4 of x16``, or ``x4`` alone of sixteen."""
    lanes = [int(word[1:]) for word in link.split() if word[:1] == "x" and word[1:].isdigit()]
    have, most = (*lanes, _LANES, _LANES)[:2]
    return have / most if most else 1.0
