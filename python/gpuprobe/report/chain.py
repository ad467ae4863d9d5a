"""The chain from the card to the work, one line a link: what every format begins with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from ..diagnosis.model import Checked, Diagnosis, Link, Outcome, Severity
from ..facts import names
from ..facts.model import Absent, Facts, Key, Known, Unknown
from .links import TITLES, Row, faults, see
from .marks import Mark
from .node_names import folded
from .units import bytes_in_words, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .model import Report

T = TypeVar("T")

_COULD_NOT = "could not look: "
#: The time limit, as the probe tells of a step that it ended.
_LIMIT = re.compile(r"killed after (\d+(?:\.\d+)?) s")
_LONGEST_REASON, _SHORTEST_CLAUSE = 60, 16

#: What has to be there before its link can be said to work.
_THINGS: dict[Link, Key[object]] = {
    Link.KERNEL_MODULE: names.MODULE_VERSION,
    Link.USER_DRIVER: names.LIBCUDA_PATH,
}


def chain(report: Report) -> tuple[Row, ...]:
    """The links of which there is anything to say, in their order."""
    if report.source == "text":
        from .stated import stated

        return stated(report)
    rows = (_row(report, link, title) for link, title in TITLES.items())
    return tuple(row for row in rows if row.detail)


def _row(report: Report, link: Link, title: str) -> Row:
    """What nobody could look at is not shown as if it worked, even where a proof covers it."""
    detail, seen = _DETAILS[link](report.facts), mark(report.diagnosis, link, report.facts)
    unseen = seen is Mark.WORKS and detail.startswith(_COULD_NOT)
    told = (each for each in (detail, see(report.diagnosis, link)) if each)
    return Row(link, title, Mark.OPEN if unseen else seen, "; ".join(told))


def mark(diagnosis: Diagnosis, link: Link, facts: Facts) -> Mark:
    """A fault found at the link, a proof that covers it, or a clear check before the root."""
    found = faults(diagnosis, link)
    if any(p.finding.severity is Severity.ERROR for p in found):
        return Mark.BROKEN
    if found:
        return Mark.IN_PART
    if link is Link.WORK:
        return Mark.WORKS if facts.known(names.KERNEL_OUTCOME) == "right" else Mark.OPEN
    if diagnosis.proof is not None and link <= diagnosis.proof.link:
        return Mark.WORKS
    root = diagnosis.root
    reached = root is None or link < root.rule.link or link is Link.LOCK
    checks = [check for check in diagnosis.checks if check.rule.link is link]
    return Mark.WORKS if reached and _is_there(link, facts) and _clear(checks) else Mark.OPEN


def _is_there(link: Link, facts: Facts) -> bool:
    """Whether something is there that could be said to work; a stub is for the linker only."""
    if link is Link.USER_DRIVER and facts.known(names.LIBCUDA_STUB):
        return False
    if link is Link.DEVICE_NODES:
        return any(facts.known_of(names.NODE))
    return link not in _THINGS or facts.known(_THINGS[link]) is not None


def _clear(checks: Sequence[Checked]) -> bool:
    outcomes = {check.outcome for check in checks}
    return Outcome.CLEAR in outcomes and not outcomes & {Outcome.COULD_NOT_LOOK, Outcome.CRASHED}


# -- one sentence a link ---------------------------------------------------------------------


_OUTCOMES = {
    "right": "a small program ran on the GPU, and its result is right",
    "wrong": "a small program ran on the GPU, and its result is WRONG",
    "failed": "a small program could not be run on the GPU",
    "crashed": "the driver crashed under a small program",
    "not loaded": "not tried: there is no driver library",
}


def _hardware(facts: Facts) -> str:
    gpus = facts.subjects(names.GPU_NAME)
    if gpus:
        return listed([_gpu(facts, gpu) for gpu in gpus])
    if facts.known(names.WSL_VERSION) is not None:
        return "not to be seen: WSL shows the GPUs of Windows through its driver only"
    board = facts.known(names.TEGRA_MODEL)
    if board is not None:
        return f"on the board: {board}"
    count = facts.fact(names.PCI_NVIDIA_COUNT)
    if not isinstance(count, Known):
        return _why_not(count, "")
    if count.value:
        return f"{count.value} from NVIDIA on the PCI bus"
    others = sorted({_MAKERS.get(each, each) for each in facts.known_of(names.PCI_VENDOR) if each})
    return f"none from NVIDIA, only from {', '.join(others)}" if others else "none found"


#: As they write themselves; facts have them in small letters.
_MAKERS = {"amd": "AMD", "intel": "Intel", "apple": "Apple"}


def _gpu(facts: Facts, gpu: str) -> str:
    name = facts.known(names.GPU_NAME(gpu)) or f"GPU {gpu}, name unknown"
    memory = facts.known(names.GPU_MEMORY(gpu))
    instances = facts.known(names.GPU_MIG_INSTANCES(gpu))
    parts = (
        name,
        "" if memory is None else bytes_in_words(memory),
        # A program gets an instance, not the GPU, and the memory of that.
        f"divided into {instances} MIG instance{'s' * (instances > 1)}" if instances else "",
    )
    return ", ".join(filter(None, parts))


def _kernel_module(facts: Facts) -> str:
    if facts.known(names.MODULE_NOUVEAU):
        return "nouveau, which cannot serve CUDA, is loaded"
    if facts.known(names.WSL_VERSION) is not None:
        return "Windows has it"
    if facts.known(names.MODULE_VERSION) is None and facts.known(names.TEGRA_MODEL) is not None:
        release = facts.known(names.TEGRA_RELEASE)
        return "the board's own" if release is None else f"the board's own, of L4T {release}"
    return _value(facts, names.MODULE_VERSION, "NVIDIA {}", "NVIDIA's is not loaded")


def _user_driver(facts: Facts) -> str:
    path = facts.fact(names.LIBCUDA_PATH)
    if not isinstance(path, Known):
        return _why_not(path, "libcuda is not installed")
    if facts.known(names.LIBCUDA_STUB):
        return f"only a stub for linking: {path.value}"
    version = facts.known(names.LIBCUDA_VERSION) or facts.known(names.DRIVER_VERSION)
    return f"{version}, {path.value}" if version is not None else path.value


def _device_nodes(facts: Facts) -> str:
    """What is there, by its state; that one is missing is told where its fellow is there."""
    nodes = facts.subjects(names.NODE)
    states = {node: facts.fact(names.NODE(node)) for node in nodes}
    there = {node: fact.value for node, fact in states.items() if isinstance(fact, Known)}
    groups = (
        [node for node, state in there.items() if state == wanted]
        for wanted in sorted(set(there.values()))
    )
    told = [
        f"{_files(group)} in /dev {'is' if len(group) == 1 else 'are'} {there[group[0]]}"
        for group in groups
    ]
    if "nvidiactl" in there and isinstance(states.get("nvidia-uvm"), Absent):
        told.append("nvidia-uvm is missing")
    if told:
        return "; ".join(told)
    reasons = [fact.reason for fact in states.values() if isinstance(fact, Unknown)]
    if reasons:
        return _could_not(reasons[0])
    return "no /dev/nvidia*" if nodes else ""


def _files(group: Sequence[str]) -> str:
    """Each by its name, those of the GPUs together: ``nvidiactl, nvidia[0-7]``."""
    numbered = [node for node in group if node[-1].isdigit()]
    others = (node for node in group if node not in numbered)
    return ", ".join(filter(None, (*others, folded(numbered))))


def _container(facts: Facts) -> str:
    wsl = facts.known(names.WSL_VERSION)
    if wsl is not None:
        return f"Windows Subsystem for Linux {wsl}"
    return _value(facts, names.CONTAINER_KIND, "{}", "none")


def _visible(facts: Facts) -> str:
    mask = facts.fact(names.ENV("CUDA_VISIBLE_DEVICES"))
    count = facts.known(names.CUDA_COUNT)
    seen = "" if count is None else f"; CUDA sees {count}"
    if isinstance(mask, Known):
        return f"CUDA_VISIBLE_DEVICES={shown(mask.value)}{seen}"
    return _why_not(mask, f"all: CUDA_VISIBLE_DEVICES is not set{seen}")


def _compute_mode(facts: Facts) -> str:
    """Empty, so that there is no such line, where every GPU lets everybody in."""
    gpus = facts.subjects(names.GPU_COMPUTE_MODE)
    modes = {gpu: facts.known(names.GPU_COMPUTE_MODE(gpu)) for gpu in gpus}
    told = {gpu: mode for gpu, mode in modes.items() if mode not in (None, "default")}
    return "; ".join(f"GPU {gpu}: {_LETS_IN.get(mode, mode)}" for gpu, mode in told.items())


_LETS_IN = {
    "prohibited": "prohibited, which lets no program in",
    "exclusive process": "exclusive process, which lets one in at a time",
}


def _runtime(facts: Facts) -> str:
    return _value(facts, names.DRIVER_CUDA, "the driver serves CUDA up to {}", "")


def _libraries(_: Facts) -> str:
    return ""


def _framework(facts: Facts) -> str:
    builds = facts.subjects(names.PACKAGE_BUILD)
    return listed([_package(facts, package) for package in builds]) or "none installed here"


def _package(facts: Facts, package: str) -> str:
    cuda = facts.known(names.PACKAGE_CUDA(package))
    build = facts.known(names.PACKAGE_BUILD(package))
    made_for = f"CUDA {cuda}" if cuda is not None else build
    told = (package, facts.known(names.PACKAGE_VERSION(package)), made_for and f"({made_for})")
    return " ".join(filter(None, told))


def _work(facts: Facts) -> str:
    outcome = facts.fact(names.KERNEL_OUTCOME)
    if not isinstance(outcome, Known):
        return _why_not(outcome, "not tried")
    if outcome.value == "not run":
        return f"not tried: {facts.known(names.KERNEL_WHY) or 'left out'}"
    if outcome.value == "hung":
        return _hung(facts.known(names.KERNEL_CALL), outcome.source)
    return _OUTCOMES.get(outcome.value, outcome.value)


def _hung(call: str | None, source: str) -> str:
    """In which call; if the source tells of a limit, after which time, and how to wait longer."""
    told = f"a small program had no answer from {call or 'the driver'}"
    limit = _LIMIT.search(source)
    if limit is None:
        return told
    longer = max(300, 5 * int(float(limit[1])))
    return f"{told} within {limit[1]} s; GPUPROBE_TIMEOUT={longer} waits longer"


def _lock(facts: Facts) -> str:
    """Empty, so that there is no such line, where nobody named a lock."""
    demands = [fact for name, fact in facts.items() if name.startswith("lock.")]
    source = next((fact.source for fact in demands if isinstance(fact, Known)), "")
    what = "demand" if len(demands) == 1 else "demands"
    return f"{len(demands)} {what} in {source}" if demands else ""


_DETAILS: dict[Link, Callable[[Facts], str]] = {
    Link.HARDWARE: _hardware,
    Link.KERNEL_MODULE: _kernel_module,
    Link.USER_DRIVER: _user_driver,
    Link.DEVICE_NODES: _device_nodes,
    Link.CONTAINER: _container,
    Link.VISIBLE_DEVICES: _visible,
    Link.COMPUTE_MODE: _compute_mode,
    Link.RUNTIME: _runtime,
    Link.LIBRARIES: _libraries,
    Link.FRAMEWORK: _framework,
    Link.WORK: _work,
    Link.LOCK: _lock,
}


def _value(facts: Facts, key: Key[T], form: str, absent: str) -> str:
    fact = facts.fact(key)
    return form.format(fact.value) if isinstance(fact, Known) else _why_not(fact, absent)


def _why_not(fact: Absent | Unknown, absent: str) -> str:
    return absent if isinstance(fact, Absent) else _could_not(fact.reason)


def _could_not(reason: str) -> str:
    """A reason; of a long one the first clause. All of it stands among the facts."""
    clause = reason.partition(": ")[0]
    if len(reason) > _LONGEST_REASON:
        whole = _SHORTEST_CLAUSE <= len(clause) <= _LONGEST_REASON
        reason = clause if whole else reason[: _LONGEST_REASON - 1] + "…"
    return f"{_COULD_NOT}{reason}"


def listed(items: Sequence[str]) -> str:
    """``A; 2 x B``: equal ones are counted."""
    counts = {item: items.count(item) for item in items}
    return "; ".join(item if n == 1 else f"{n} x {item}" for item, n in counts.items())
