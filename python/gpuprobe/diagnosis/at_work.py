"""What a text shows at work: the links that are proved, and what makes believe that one works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts import names, said
from ..facts.model import Facts, Family, Known
from .failures import failures_of
from .model import Link, Proof
from .questions.packages.frameworks import title_of
from .questions.statements import line_in, line_of, statements
from .reported import proof_told

if TYPE_CHECKING:
    from collections.abc import Iterator


def last_proof(facts: Facts) -> Proof | None:
    """The last link of the chain that the text shows at work."""
    return next(proofs(facts), None)


def proofs(facts: Facts) -> Iterator[Proof]:
    """Each proof that the text holds, the farthest along the chain first."""
    for framework, source in _true(facts, said.FRAMEWORK_COMPUTED):
        yield Proof(Link.WORK, f"{title_of(framework)} computed on the GPU", source)
    for framework, source in _true(facts, said.FRAMEWORK_SEES_GPU):
        yield Proof(Link.FRAMEWORK, f"{title_of(framework)} sees the GPU", source)
    for framework, source in _true(facts, said.FRAMEWORK_COUNT):
        yield Proof(Link.FRAMEWORK, f"{title_of(framework)} lists the GPU", source)
    for sign in ("runs-on-gpu-told", "gpu-works-in-container", "busy-outside-task-manager"):
        told = facts.fact(said.SIGN(sign))
        if isinstance(told, Known):
            yield Proof(Link.WORK, "somebody says that a program runs on the GPU", told.source)
    yield from _watched(facts)
    yield from proof_told(facts)
    inside = facts.fact(said.SIGN("smi-answers-inside"))
    if isinstance(inside, Known):
        yield Proof(Link.KERNEL_MODULE, "the driver answers inside the container", inside.source)
    for key, words, link in (
        (names.CUDA_COUNT, "CUDA starts and sees {} {}", Link.VISIBLE_DEVICES),
        (names.NVML_COUNT, "the driver answers and lists {} {}", Link.KERNEL_MODULE),
    ):
        count = facts.fact(key)
        if isinstance(count, Known) and count.value > 0:
            gpus = "GPU" if count.value == 1 else "GPUs"
            yield Proof(link, words.format(count.value, gpus), count.source)
    if not _tells_of_framework(facts):
        yield from _driver_in_use(facts)


_ANSWERED = {
    "smi-log-printed": "the driver answers nvidia-smi",
    "nvml-answered": "the driver answers who asks it for its version",
}


def _driver_in_use(facts: Facts) -> Iterator[Proof]:
    """Who uses the driver: beside a program's trace it would tell who is in the way."""
    for sign, told in _ANSWERED.items():
        log = facts.fact(said.SIGN(sign))
        if isinstance(log, Known) and not facts.known(said.ABOUT("work-doubted")):
            yield Proof(Link.KERNEL_MODULE, told, log.source)
    drawn = facts.fact(said.SIGN("opengl-by-nvidia"))
    if isinstance(drawn, Known):
        yield Proof(Link.KERNEL_MODULE, "NVIDIA's driver draws by OpenGL", drawn.source)
    for gpu in facts.subjects(names.GPU_PROCESSES):
        held = facts.fact(names.GPU_PROCESSES(gpu))
        if isinstance(held, Known):
            yield Proof(Link.KERNEL_MODULE, "the driver lists who uses the GPU", held.source)


#: Topics with which work may be less than it looks like.
_DOUBTFUL = "slow", "work-doubted", "restarts", "driver-fails", "macos"


def work_alone(facts: Facts) -> Proof | None:
    """A program that tells how fast it works, where a GPU is named and nothing is said to fail.

    Work of which the CPU is told is no progress (`runs/progress.py`). Of work that is slow, that
    stops, or of which somebody speaks so, nobody can say.
    """
    gpus = (facts.known(names.GPU_NAME(gpu)) for gpu in facts.subjects(names.GPU_NAME))
    name, progress = next(gpus, None), facts.fact(said.PROGRESS)
    if not isinstance(progress, Known):
        shown = _results_alone(facts, name)
    else:
        shown = _goes_on(facts, progress, name)
    return shown or _worked_alone(facts) or _told_alone(facts) or _busy_alone(facts)


def _goes_on(facts: Facts, progress: Known[str], name: str | None) -> Proof | None:
    """Work that goes on, beside a GPU that is named, or one on which nvidia-smi lists a program."""
    doubted = any(facts.known(said.ABOUT(each)) for each in _DOUBTFUL)
    doubted = doubted or bool(statements(facts, "told-idle", "container-banner-no-driver"))
    held = (facts.known(key) for key in facts.keys_of(names.GPU_PROCESS_BYTES))
    listed = any(each is not None and each >= _CONTEXT for each in held)
    if doubted or not (name or listed):
        return None
    if any(failures_of(facts, Link.HARDWARE)):
        return None
    where = f"GPU: {name}" if name else "nvidia-smi lists what runs there"
    told = f"a program goes on with its work, and nothing of the GPU fails ({where})"
    return Proof(Link.WORK, told, progress.source)


#: With these a GPU may be busy and still not well, or be another program's.
_NOT_BUSY = "slow", "restarts", "driver-fails", "macos", "work-ends"
_OF_SPEED = (
    *(names.GPU_CLOCK_SM, names.GPU_POWER, names.GPU_POWER_LIMIT, names.GPU_POWER_LIMIT_MAX),
    names.GPU_THROTTLE,
)


def _worked_alone(facts: Facts) -> Proof | None:
    """A program that tells what it did on a CUDA device, below all that fails."""
    worked = facts.fact(said.DEVICE_WORKED)
    doubted = any(facts.known(said.ABOUT(each)) for each in _NOT_WORKED)
    doubted = doubted or facts.known(said.TRACE_CUT) is not None
    doubted = doubted or bool(statements(facts, "told-idle", "nan-told", "wrong-results-told"))
    if not isinstance(worked, Known) or doubted or any(failures_of(facts, Link.HARDWARE)):
        return None
    if line_of(facts, said.FAILURE) > line_of(facts, said.DEVICE_WORKED):
        return None
    if "cuda:" not in worked.value or "cpu" in worked.value.lower():
        return None  # words of people
    told = "a program tells what it did on a CUDA device, and nothing of the GPU fails"
    return Proof(Link.WORK, told, worked.source)


_NOT_WORKED = "slow", "restarts", "driver-fails", "macos"


def _busy_alone(facts: Facts) -> Proof | None:
    """A GPU that a tool shows busy, where nothing is said to fail.

    Where the tool shows its clocks or watts as well, those may be what somebody asks about.
    """
    doubted = any(facts.known(said.ABOUT(each)) for each in _NOT_BUSY)
    doubted = doubted or facts.known(said.TRACE_CUT) is not None
    doubted = doubted or facts.known(said.FAILURE) is not None
    doubted = doubted or bool(statements(facts, "told-idle", "nan-told", "wrong-results-told"))
    if doubted or any(failures_of(facts, Link.HARDWARE)):
        return None
    for gpu in facts.subjects(names.GPU_UTILIZATION):
        busy = facts.fact(names.GPU_UTILIZATION(gpu))
        held_back = any(facts.known(each(gpu)) is not None for each in _OF_SPEED)
        if isinstance(busy, Known) and busy.value >= _BUSY and not held_back:
            return Proof(
                Link.WORK, f"GPU {gpu} is busy for {busy.value} % of the time", busy.source
            )
    return None


#: Where results are compared the CPU's are named as well, and what is wrong with them.
_NOT_OF_RESULTS = "slow", "restarts", "driver-fails", "macos", "compiling"


def _results_alone(facts: Facts, name: str | None) -> Proof | None:
    """Results that differ from others', beside a GPU that is named: both were computed."""
    compared = facts.fact(said.SIGN("results-differ-told"))
    doubted = any(facts.known(said.ABOUT(each)) for each in _NOT_OF_RESULTS)
    doubted = doubted or (facts.known(said.ABOUT("work-doubted")) or 0) > 1
    doubted = doubted or facts.known(said.TRACE_CUT) is not None
    doubted = doubted or bool(statements(facts, "told-idle", "nan-told", "wrong-results-told"))
    if name is None or not isinstance(compared, Known) or doubted:
        return None
    if any(failures_of(facts, Link.HARDWARE)):
        return None
    told = f"somebody compares what a program computed, and nothing of the GPU fails (GPU: {name})"
    return Proof(Link.WORK, told, compared.source)


#: What somebody tells of a GPU that is in use, or that answered.
_TOLD_AT_WORK = {
    "slower-than-cpu-told": "somebody sees the GPU in use, and compares it with the CPU",
    "gpu-in-spite-told": "somebody sees the GPU in use where the CPU was asked for",
    "gpu-swings-told": "somebody sees the GPU busy and idle by turns",
    "gpu-used-in-part-told": "somebody sees the GPU at work, with much of it left",
    "gpu-waits-for-data-told": "somebody found that the GPU waits for its data",
    "cuda-context-made-told": "somebody made a CUDA context, and it went well",
    "runs-at-full-told": "somebody says that a program runs with the GPU at full load",
    "gpu-busy-told": "somebody tells how busy a program keeps the GPU",
    "gpu-timed-told": "somebody timed the same work on the GPU and on the CPU, and the two differ",
}

_NOT_AT_WORK = "restarts", "driver-fails", "macos", "work-ends"


def _told_alone(facts: Facts) -> Proof | None:
    """What somebody saw of a GPU at work, where nothing is said to fail."""
    made = (facts.fact(said.SIGN(sign)) for sign in _TOLD_AT_WORK)
    words = ((told, why) for told, why in zip(made, _TOLD_AT_WORK.values(), strict=True))
    doubted = any(facts.known(said.ABOUT(each)) for each in _NOT_AT_WORK)
    doubted = doubted or facts.known(said.TRACE_CUT) is not None
    doubted = doubted or bool(statements(facts, "told-idle", "nan-told", "wrong-results-told"))
    if doubted or any(failures_of(facts, Link.HARDWARE)):
        return None
    failed = line_of(facts, said.FAILURE)
    known = (
        (told, why)
        for told, why in words
        if isinstance(told, Known) and (not failed or line_in(told.source) > failed)
    )
    return next((Proof(Link.WORK, why, told.source) for told, why in known), None)


def _watched(facts: Facts) -> Iterator[Proof]:
    """DCGM began, and asked for counters that are not there; or a monitor alone finds no GPU."""
    began, asked = (facts.fact(said.SIGN(f"dcgm-{each}")) for each in _DCGM)
    if isinstance(began, Known) and isinstance(asked, Known):
        yield Proof(Link.KERNEL_MODULE, "DCGM watches the GPU, and counts less of it", asked.source)
    unseen, works = (facts.fact(said.SIGN(each)) for each in _MONITOR)
    if isinstance(unseen, Known) and isinstance(works, Known):
        told = "somebody says that CUDA works, where a monitor finds no GPU"
        yield Proof(Link.VISIBLE_DEVICES, told, works.source)


_DCGM = "initialized", "counters-refused"
_MONITOR = "monitor-finds-no-gpu", "samples-work-told"


def _true(facts: Facts, family: Family[bool] | Family[int]) -> Iterator[tuple[str, str]]:
    for subject in facts.subjects(family):
        fact = facts.fact(family(subject))
        if isinstance(fact, Known) and fact.value and not _is_compared(facts, subject):
            yield subject, fact.source


def _is_compared(facts: Facts, framework: str) -> bool:
    """Whether it is Theano, beside which somebody tells of the framework that fails."""
    return framework == "theano" and _tells_of_framework(facts)


def _tells_of_framework(facts: Facts) -> bool:
    """Whether one of the large frameworks is spoken of."""
    about = (said.ABOUT(each) for each in ("tensorflow", "torch", "jax"))
    return any(facts.known(each) for each in about)


#: What a program holds that only began to use the GPU, and what only one with data there does;
#: that it got on with its work neither tells.
_CONTEXT, _DATA = 128 << 20, 1 << 30
#: In percent: what a desktop does not reach.
_BUSY = 50


def shown(facts: Facts) -> Iterator[tuple[Link, str]]:
    """Where the text shows something at work, be it elsewhere than what fails."""
    yield from ((proof.link, proof.source) for proof in proofs(facts))
    for _, source in _true(facts, said.FRAMEWORK_SEES_ELSEWHERE):
        yield Link.FRAMEWORK, source
    for gpu in facts.subjects(names.GPU_PROCESS_BYTES):
        held = facts.fact(names.GPU_PROCESS_BYTES(gpu))
        if isinstance(held, Known) and held.value >= _CONTEXT:
            yield (Link.FRAMEWORK if held.value >= _DATA else Link.VISIBLE_DEVICES), held.source
    for gpu in facts.subjects(names.GPU_UTILIZATION):
        busy = facts.fact(names.GPU_UTILIZATION(gpu))
        if isinstance(busy, Known) and busy.value >= _BUSY:
            yield Link.FRAMEWORK, busy.source
    for gpu in facts.subjects(names.GPU_TEMPERATURE):
        read = facts.fact(names.GPU_TEMPERATURE(gpu))
        if isinstance(read, Known):
            yield Link.KERNEL_MODULE, read.source
    for key, link in _TOLD:
        told = facts.fact(key)
        if isinstance(told, Known):
            yield link, told.source


#: What is said of work and of devices, and as far as where it makes believe that they are well.
_TOLD = (
    (said.PROGRESS, Link.WORK),
    (said.DEVICE_WORKED, Link.WORK),
    (said.DEVICE_IN_USE, Link.FRAMEWORK),
    (said.CONTAINER_LISTS_GPU, Link.CONTAINER),
)
