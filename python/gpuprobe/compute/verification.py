"""What `verify` found: a ladder of steps, each proved, or not run with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from ..report.notebook import Shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from .gpus import Gpu
    from .proof import Proof

    Outcome: TypeAlias = Literal["right", "wrong", "not run"]

OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "not run")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the ladder.

    Attributes:
        name: What was computed: "matmul float32".
        outcome: Right is proved. Wrong is proved, too, or something failed, hung or crashed.
        size: Of what was computed: "67 x 97 x 89".
        why: Where it was not run, the reason; where it is wrong without a proof, what was seen.
        proofs: One for each kind of numbers.
        seconds: Wall time of the computation, not of its proof; None where it was not timed.
        submit_seconds: On a GPU, of that: until the work was queued.
        kernel_seconds: The GPU's time for its kernels.
        transfer_seconds: The copies there and back.
        device: CUDA's number of the GPU; None: on the CPU, or before any GPU.
    """

    name: str
    outcome: Outcome
    size: str = ""
    why: str | None = None
    proofs: tuple[Proof, ...] = ()
    seconds: float | None = None
    submit_seconds: float | None = None
    kernel_seconds: float | None = None
    transfer_seconds: float | None = None
    device: int | None = field(default=None, kw_only=True)

    def to_dict(self) -> dict[str, object]:
        """Plain values under the names of the attributes."""
        return {
            "name": self.name,
            "device": self.device,
            "outcome": self.outcome,
            "size": self.size,
            "why": self.why,
            "seconds": self.seconds,
            "submit_seconds": self.submit_seconds,
            "kernel_seconds": self.kernel_seconds,
            "transfer_seconds": self.transfer_seconds,
            "proofs": [proof.to_dict() for proof in self.proofs],
        }


@dataclass(frozen=True, slots=True)
class Verification(Shown):
    """All steps, in order. It is true where something was computed, and nothing is wrong.

    Attributes:
        device: "cpu", or "gpu".
        steps: The ladder; of several GPUs one after the other.
        seed: What the random numbers began with; give it again to repeat the verification.
        gpus: Those that were tried, in this order; `on` tells of one alone.
    """

    device: str
    steps: tuple[Step, ...]
    seed: int
    gpus: tuple[Gpu, ...] = ()

    def on(self, gpu: Gpu) -> Verification:
        """Of this GPU alone."""
        steps = tuple(step for step in self.steps if step.device == gpu.device)
        return Verification(self.device, steps, self.seed, (gpu,))

    def count(self, outcome: Outcome) -> int:
        """How many steps ended so."""
        return sum(step.outcome == outcome for step in self.steps)

    def counts(self) -> dict[Outcome, int]:
        """The same of every outcome."""
        return {outcome: self.count(outcome) for outcome in OUTCOMES}

    @property
    def outcome(self) -> Outcome:
        """Wrong where a step is; else right where something was computed.

        A step that was not run is neither, and that CUDA starts computes nothing yet: on a GPU that
        others have for themselves nothing is known to be right.
        """
        if self.count("wrong"):
            return "wrong"
        return "right" if any(map(self._is_proved, self.steps)) else "not run"

    def _is_proved(self, step: Step) -> bool:
        return step.outcome == "right" and (step.device is not None) == (self.device == "gpu")

    @property
    def exit_code(self) -> int:
        """0 right, 1 wrong, 3 nothing was computed."""
        return {"right": 0, "wrong": 1, "not run": 3}[self.outcome]

    def __bool__(self) -> bool:
        return self.outcome == "right"

    def redacted(self, hide: Callable[[str], str]) -> Verification:
        """The same with `hide` applied to the reasons, which may name somebody's folders."""
        told = ((step, step.why) for step in self.steps)
        steps = (step if why is None else replace(step, why=hide(why)) for step, why in told)
        return replace(self, steps=tuple(steps))

    def to_dict(self) -> dict[str, object]:
        """Plain values: what ``gpuprobe verify --json`` prints."""
        return {
            "device": self.device,
            "outcome": self.outcome,
            "seed": self.seed,
            "counts": self.counts(),
            "gpus": [
                {
                    "device": gpu.device,
                    "name": gpu.name,
                    "pci": gpu.pci,
                    "outcome": self.on(gpu).outcome,
                    "counts": self.on(gpu).counts(),
                }
                for gpu in self.gpus
            ],
            "steps": [step.to_dict() for step in self.steps],
        }

    def __str__(self) -> str:
        from ..report.terminal import Style
        from ..report.verification import text

        return text(self, Style())

    def _fragment(self) -> str:
        from ..report.verification import fragment

        return fragment(self)
