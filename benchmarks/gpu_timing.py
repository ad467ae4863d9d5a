"""How calls on a GPU are timed against each other, once each one's result was proved.

All of them queue work on the default stream, and a sample is the time between two events around a
queue of calls of one of them. In front of it stands a row of fills of memory that are long enough
for the host to queue all calls meanwhile: so a sample has no time of the host's in it. Whether that
was so is asked of the driver after the last call, and told. The same arrays serve each call, so
what fits into the GPU's cache is there: for all of them alike.

The contestants take turns, A B A B, so that a change of clocks meets all of them. A ratio is made
of samples that stand beside each other.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuprobe.compute.failures import Unsupported
from gpuprobe.memory.arenas import allocate

from .gpu_setting import state_of_gpu
from .torch_side import CannotDo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gpuprobe import Proof
    from gpuprobe.compute.arrays import Array

    from .cuda_driver import Driver
    from .gpu_setting import State

TORCH = "torch"


@dataclass(frozen=True, slots=True)
class Method:
    """How long is measured. The driver queues about 1000 launches, and then lets the host wait."""

    rounds: int = 15
    sample_s: float = 0.02
    most_calls: int = 150
    hold_bytes: int = 256 << 20
    most_holds: int = 64
    warm_up_s: float = 2.0  # before the first row, for clocks and heat
    load_s: float = 0.4  # of work behind which clocks are read


#: To see that all of it runs: no figures to keep.
QUICK = Method(
    rounds=1, sample_s=1e-3, hold_bytes=1 << 20, most_holds=2, warm_up_s=1e-3, load_s=0.0
)


@dataclass(frozen=True, slots=True)
class Contestant:
    """One that computes a case.

    Attributes:
        by: "cublas", "native", "torch" …
        call: Queues the work once.
        result: Computes it once into memory that was spoilt before; the result, and which way the
            library has taken, if it tells.
    """

    by: str
    call: Callable[[], object]
    result: Callable[[], tuple[Array, str | None]]


@dataclass(frozen=True, slots=True)
class Case:
    """Something that is computed by several.

    Attributes:
        name: ``512 x 512 x 512``.
        kind: ``float16``, ``tf32``; with the layout, if there are several.
        flop: Operations with floating point, a multiplication and an addition being two.
        array_bytes: Of the inputs and the result, each once.
        weight: How often it stands in the whole, where there is one.
    """

    name: str
    kind: str
    flop: int
    array_bytes: int
    contestants: Sequence[Contestant]
    prove: Callable[[Array], Proof]
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and quartiles."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Of at least one value."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high)


@dataclass(frozen=True, slots=True)
class Timed:
    """One contestant's time, of one call.

    Attributes:
        device_s: The GPU's time.
        submit_s: The host's time until the work was queued.
        tflops: FLOP / 1e12 / the median of `device_s`.
        of_torch: torch's time over this one's: above 1 is faster than torch.
        calls: In one sample.
        is_queued_ahead: No sample waited for the host.
        proof: What the proof says of the result.
        algorithm: The way that the library has taken, if it tells.
    """

    by: str
    device_s: Spread
    submit_s: Spread
    tflops: float
    of_torch: Spread | None
    calls: int
    is_queued_ahead: bool
    proof: str
    algorithm: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """What was found of one case.

    Attributes:
        left_out: By contestant, why it did not take part.
        wrong: Which of gpuprobe's results is wrong, and the proof's words; then nothing was timed.
        state: Clocks and what brakes, while the first contestant works.
    """

    name: str
    kind: str
    flop: int
    array_bytes: int
    weight: int
    timed: tuple[Timed, ...]
    left_out: Mapping[str, str]
    wrong: str | None
    state: State | None


@dataclass(frozen=True, slots=True)
class _Proved:
    contestant: Contestant
    proof: str
    algorithm: str | None


@dataclass(frozen=True, slots=True)
class _Sample:
    device_s: float
    submit_s: float
    is_queued_ahead: bool


class Stopwatch:
    """Takes samples with two events on the default stream of a GPU."""

    def __init__(self, driver: Driver, method: Method, device: int = 0) -> None:
        self.method = method
        self.device = device
        self._driver = driver
        self._is_warm = False
        self._begin, self._end = driver.event(), driver.event()
        self._block = allocate(method.hold_bytes, device=device)

    def sample(self, call: Callable[[], object], calls: int, holds: int) -> _Sample:
        """One sample of so many calls, behind so many fills."""
        driver = self._driver
        driver.synchronize()
        for _ in range(holds):
            driver.fill(self._block.address, self.method.hold_bytes)
        driver.record(self._begin)
        begun = time.perf_counter()
        for _ in range(calls):
            call()
        submit_s = time.perf_counter() - begun
        is_queued_ahead = not driver.is_reached(self._begin)
        driver.record(self._end)
        driver.wait(self._end)
        device_s = driver.seconds(self._begin, self._end)
        return _Sample(device_s / calls, submit_s / calls, is_queued_ahead)

    def plan(self, call: Callable[[], object]) -> tuple[int, int]:
        """After a warm-up: how many calls make a sample, and how many fills stand before it."""
        method = self.method
        self.sample(call, 1, 1)
        once_s = max(self.sample(call, 2, 1).device_s, 1e-7)
        calls = max(1, min(method.most_calls, int(method.sample_s / once_s)))
        holds = 1
        while holds < method.most_holds and not self.sample(call, calls, holds).is_queued_ahead:
            holds *= 2
        return calls, holds

    def warm_up(self, call: Callable[[], object]) -> None:
        """Once: work for as long as the method says."""
        if self._is_warm:
            return
        end = time.perf_counter() + self.method.warm_up_s
        calls, holds = self.plan(call)
        while time.perf_counter() < end:
            self.sample(call, calls, holds)
        self._is_warm = True

    def state(self, call: Callable[[], object], once_s: float) -> State | None:
        """Clocks and what brakes, behind a queue of this work."""
        for _ in range(max(1, min(1000, int(self.method.load_s / max(once_s, 1e-7))))):
            call()
        found = state_of_gpu(self.device)
        self._driver.synchronize()
        return found


def measure(case: Case, stopwatch: Stopwatch) -> Row:
    """Prove the result of each contestant, then let them take turns."""
    proved, left_out, wrong = _proved(case)
    timed: tuple[Timed, ...] = ()
    state = None
    if wrong is None and proved:
        stopwatch.warm_up(proved[0].contestant.call)
        timed = _race(case, proved, stopwatch)
        state = stopwatch.state(proved[0].contestant.call, timed[0].device_s.median)
    known = (case.name, case.kind, case.flop, case.array_bytes, case.weight)
    return Row(*known, timed, left_out, wrong, state)


def _proved(case: Case) -> tuple[list[_Proved], dict[str, str], str | None]:
    """Who can do it, who not and why, and what is wrong.

    Of torch a wrong result is told, and its time all the same: Winograd's way, which it may take
    for float32, exceeds the bound of a plain sum.
    """
    proved, left_out = [], {}
    for each in case.contestants:
        try:
            result, algorithm = each.result()
        except Unsupported as error:
            left_out[each.by] = error.reasons
            continue
        except (CannotDo, ImportError, MemoryError) as error:
            left_out[each.by] = str(error).partition("\n")[0]
            continue
        proof = case.prove(result)
        if not proof.holds and each.by != TORCH:
            return [], left_out, f"{each.by}: {proof}"
        proved.append(_Proved(each, str(proof), algorithm))
    return proved, left_out, None


def _race(case: Case, proved: Sequence[_Proved], stopwatch: Stopwatch) -> tuple[Timed, ...]:
    """All samples, one contestant after the other in each round; the first one is not counted."""
    calls = {each.contestant.by: each.contestant.call for each in proved}
    plans = {by: stopwatch.plan(call) for by, call in calls.items()}
    samples: dict[str, list[_Sample]] = {by: [] for by in calls}
    for number in range(1 + stopwatch.method.rounds):
        for by, call in calls.items():
            sample = stopwatch.sample(call, *plans[by])
            if number > 0:
                samples[by].append(sample)
    return tuple(
        _timed(case, each, samples[each.contestant.by], samples.get(TORCH), plans)
        for each in proved
    )


def _timed(
    case: Case,
    proved: _Proved,
    samples: Sequence[_Sample],
    of_torch: Sequence[_Sample] | None,
    plans: Mapping[str, tuple[int, int]],
) -> Timed:
    device_s = Spread.of([each.device_s for each in samples])
    pairs = zip(of_torch, samples, strict=True) if of_torch else ()
    ratios = [theirs.device_s / ours.device_s for theirs, ours in pairs]
    return Timed(
        by=proved.contestant.by,
        device_s=device_s,
        submit_s=Spread.of([each.submit_s for each in samples]),
        tflops=case.flop / 1e12 / device_s.median,
        of_torch=Spread.of(ratios) if ratios else None,
        calls=plans[proved.contestant.by][0],
        is_queued_ahead=all(each.is_queued_ahead for each in samples),
        proof=proved.proof,
        algorithm=proved.algorithm,
    )
