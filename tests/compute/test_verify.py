"""The ladder: right on the reference, stopped by whatever is wrong, and never green by a skip."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import gpuprobe
from gpuprobe.compute import gpu_child, gpu_ladder
from gpuprobe.compute.climbing import climb
from gpuprobe.compute.failures import Unsupported
from gpuprobe.compute.gpus import Gpu, chosen
from gpuprobe.compute.ladder import Ours, rungs
from gpuprobe.compute.verification import Step, Verification
from gpuprobe.facts.model import Fact, Facts, Known, Value
from gpuprobe.memory import DriverError
from gpuprobe.report.json import verification_document
from support.arrays import as_tf32
from support.commands import FACTS
from support.schemas import complaints, validator

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpuprobe.compute.ladder import Backend, Run

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")


class Faulty:
    """A back end that spoils what it computed in float32; the calls are counted from 1."""

    name = "cpu"

    def __init__(self, spoil: Callable[[np.ndarray], object], every: int = 1) -> None:
        self._spoil, self._every, self._calls = spoil, every, 0

    def matmul(self, a: np.ndarray, b: np.ndarray, compute: str, out_dtype: str) -> Run:
        result, info = Ours().matmul(a, b, compute, out_dtype)
        self._calls += 1
        if a.dtype == np.float32 and self._calls % self._every == 0:
            self._spoil(result)
        return result, info

    def conv2d(
        self, x: np.ndarray, w: np.ndarray, bias: np.ndarray, compute: str, out_dtype: str
    ) -> Run:
        return Ours().conv2d(x, w, bias, compute, out_dtype)


def climbed(backend: Backend) -> tuple[Step, ...]:
    return tuple(climb(rungs(backend, 3), lambda _: None))


def test_back_end_computes_by_the_arithmetic_that_a_step_names():
    a, x = np.ones((2, 2), "float32"), np.ones((2, 2, 3, 3), "float32")
    _, product = Ours().matmul(a, a, "tf32", "float32")
    _, convolution = Ours().conv2d(x, x[:, :1], np.ones(2, "float32"), "tf32", "float32")
    assert (product.compute, convolution.compute) == ("tf32", "tf32")


def test_reference_is_right_in_every_arithmetic():
    found = gpuprobe.verify("cpu", seed=7)
    assert found
    assert [step.outcome for step in found.steps] == ["right"] * len(rungs(Ours(), 7))
    assert {step.name for step in found.steps} >= {
        "matmul float32",
        "matmul float32 as tf32",
        "matmul float8_e4m3fn",
        "matmul int8",
        "conv2d bfloat16",
    }
    sizes = {step.name: step.size for step in found.steps}
    assert sizes["matmul float32"] == "67 x 97 x 89"
    assert sizes["conv2d float32"] == "2 x 6 x 13 x 11, 8 filters"
    # Whole numbers are proved to the last bit.
    assert all(step.proofs[0].basis == "exact" for step in found.steps)
    assert all(step.seconds is not None for step in found.steps)


def test_seed_repeats_the_numbers():
    first, again, other = (gpuprobe.verify("cpu", seed=seed) for seed in (1, 1, 2))
    assert [step.proofs for step in first.steps] == [step.proofs for step in again.steps]
    assert [step.proofs for step in first.steps] != [step.proofs for step in other.steps]


def flip_a_bit(result: np.ndarray) -> None:
    result.view(np.uint32)[3, 4] ^= np.uint32(1 << 20)


def swap_rows(result: np.ndarray) -> None:
    result[[2, 9]] = result[[9, 2]]


def zero_a_tile(result: np.ndarray) -> None:
    result[16:32, 16:32] = 0


def spoil_with_nan(result: np.ndarray) -> None:
    result[5, 6] = math.nan


@pytest.mark.parametrize(
    ("spoil", "cause"),
    [
        (flip_a_bit, "one bit"),
        (swap_rows, "swapped rows"),
        (zero_a_tile, "zeros"),
        (spoil_with_nan, "not finite"),
    ],
)
def test_planted_fault_is_named_and_stops_the_ladder(
    spoil: Callable[[np.ndarray], object], cause: str
):
    steps = climbed(Faulty(spoil))
    found = Verification("cpu", steps, 3)
    assert (found.outcome, found.exit_code) == ("wrong", 1)
    assert [step.outcome for step in steps[:3]] == ["right", "wrong", "not run"]
    assert steps[1].proofs[0].cause == cause
    assert {step.outcome for step in steps[2:]} == {"not run"}
    assert {step.why for step in steps[2:]} == {"matmul float32 is wrong"}
    assert "WRONG" in str(found)


def test_tf32_in_the_place_of_float32_is_named():
    class Hasty(Faulty):
        def matmul(self, a: np.ndarray, b: np.ndarray, compute: str, out_dtype: str) -> Run:
            if a.dtype == np.float32:
                a, b = as_tf32(a), as_tf32(b)
            return super().matmul(a, b, compute, out_dtype)

    step = climbed(Hasty(lambda _: None))[1]
    assert [proof.cause for proof in step.proofs] == [None, "tf32"]


def test_result_that_changes_from_run_to_run_is_wrong_and_located():
    """The first is right each time."""
    step = climbed(Faulty(flip_a_bit, every=2))[1]
    assert step.outcome == "wrong"
    assert step.why == "the same computation gave other bits the second time"
    assert step.proofs[0].cause == "one bit"


class Raising(Faulty):
    """A back end that raises in the place of float32."""

    def __init__(self, error: Exception) -> None:
        super().__init__(self.fail)
        self._error = error

    def fail(self, _: np.ndarray) -> None:
        raise self._error


def test_what_fails_is_wrong_and_what_cannot_be_done_was_not_run():
    failed = climbed(Raising(DriverError("the launch failed", "cuLaunchKernel")))[1:3]
    assert [(step.outcome, step.why) for step in failed] == [
        ("wrong", "the launch failed"),
        ("not run", "matmul float32 is wrong"),
    ]
    lacking = climbed(Raising(Unsupported("matmul", ["it has no such kernel", "nor has it"])))[1:4]
    assert [(step.outcome, step.why) for step in lacking[:2]] == [
        ("not run", "it has no such kernel; nor has it"),
    ] * 2
    assert lacking[2].outcome == "right"


def test_skip_is_never_green():
    nothing = Verification("cpu", (Step("a", "not run", why="x"),), 0)
    assert (bool(nothing), nothing.outcome, nothing.exit_code) == (False, "not run", 3)
    assert Verification("cpu", (), 0).exit_code == 3
    some = Verification("cpu", (Step("a", "not run", why="x"), Step("b", "right")), 0)
    assert (some.outcome, some.exit_code) == ("right", 0)


@pytest.mark.parametrize("spoil", [flip_a_bit, swap_rows, zero_a_tile, spoil_with_nan])
def test_document_keeps_its_schema(spoil: Callable[[np.ndarray], object]):
    pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    found = Verification("cpu", climbed(Faulty(spoil)), 3)
    # By way of JSON, which knows neither tuples nor NaN.
    document = json.loads(json.dumps(verification_document(found.to_dict()), allow_nan=False))
    assert complaints("verification", document) == []
    proof = document["steps"][1]["proofs"][0]
    assert set(validator("verification").schema["$defs"]["proof"]["required"]) == set(proof)
    proof["pattern"] = "no such pattern"
    assert complaints("verification", document) != []


# -- on a GPU that was looked at, and not used ---------------------------------------------------


class Silent:
    """Nobody is told how far it is."""

    def begins(self, name: str) -> None:
        pytest.fail(f"{name} was begun")

    def waits(self, words: str) -> None:
        pytest.fail(words)


def on_gpu(verdict: str, **changed: Fact[Value]) -> Verification:
    named = {name.replace("__", "."): fact for name, fact in changed.items()}
    facts = Facts({**FACTS[verdict], **named})
    gpus = chosen(facts, None)
    return Verification("gpu", tuple(gpu_ladder.climb(facts, gpus, 0, Silent())), 0, gpus)


def test_wrong_kernel_stops_the_ladder():
    found = on_gpu("healthy", cuda__kernel__outcome=Known("wrong", "a kernel on device 0"))
    assert found.exit_code == 1
    assert found.steps[1].why == "the GPU gave other bits than the plain-C reference"
    assert {step.why for step in found.steps[2:]} == {"fill, add, hash, copy back is wrong"}


def test_gpu_that_the_probe_left_alone_is_left_alone():
    found = on_gpu(
        "healthy",
        cuda__kernel__outcome=Known("not run", "a kernel on device 0"),
        cuda__kernel__why_not=Known("the device is exclusive", "its compute mode"),
    )
    assert [step.outcome for step in found.steps] == [
        "right",
        *["not run"] * (len(found.steps) - 1),
    ]
    assert {step.why for step in found.steps[1:]} == {"the device is exclusive"}


@pytest.mark.parametrize(
    ("verdict", "told"), [("broken", "no NVIDIA GPU"), ("unknown", "nobody looked")]
)
def test_without_cuda_nothing_is_run_and_the_reason_is_told(verdict: str, told: str):
    found = on_gpu(verdict)
    assert found.exit_code == 3
    assert all(step.outcome == "not run" for step in found.steps)
    assert told in (found.steps[0].why or "")


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (
            Known("hung", "the probe 'kernel' was killed after 60 s in cuCtxSynchronize"),
            "killed after",
        ),
        (Known("crashed", "the probe 'kernel': ended by SIGSEGV in cuInit"), "SIGSEGV"),
        (Known("failed", "cuLaunchKernel: 719 CUDA_ERROR_LAUNCH_FAILED"), "719"),
    ],
)
def test_kernel_that_never_came_back_is_wrong(outcome: Known[str], told: str):
    found = on_gpu("healthy", cuda__kernel__outcome=outcome)
    assert (found.outcome, found.steps[1].outcome) == ("wrong", "wrong")
    assert told in (found.steps[1].why or "")


def test_program_that_holds_a_python_is_not_started_once_more(monkeypatch: pytest.MonkeyPatch):
    """PyInstaller's, whose own first line would ask again."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(OSError, match="cannot be started alone"):
        gpu_child.start(0, 0)


@pytest.mark.parametrize("code", [2, 46])
def test_gpu_that_others_have_is_no_fault(code: int):
    """Out of memory, or an exclusive one that is taken."""
    found = on_gpu(
        "healthy",
        cuda__kernel__outcome=Known("failed", f"cuDevicePrimaryCtxRetain: {code}"),
        cuda__kernel__code=Known(code, "cuDevicePrimaryCtxRetain"),
    )
    assert [step.outcome for step in found.steps[:2]] == ["right", "not run"]
    assert (found.outcome, found.on(found.gpus[0]).outcome) == ("not run", "not run")
    assert (bool(found), found.exit_code) == (False, 3)


# -- of several GPUs -----------------------------------------------------------------------------

TWO = {
    **FACTS["healthy"],
    "cuda.device_count": Known(2, "cuDeviceGetCount"),
    "gpu.0.cuda_ordinal": Known(1, "cuda"),
    "gpu.1.cuda_ordinal": Known(0, "cuda"),
    "gpu.1.name": Known("NVIDIA H200", "cuDeviceGetName"),
    "gpu.1.uuid": Known("GPU-a70c2b9e-1f35-4c68-8d21-6e94b3f70d52", "cuDeviceGetUuid_v2"),
    "gpu.1.pci": Known("0000:41:00.0", "cuDeviceGetPCIBusId"),
}
UUID = "GPU-a70c2b9e-1f35-4c68-8d21-6e94b3f70d52"


def test_gpus_come_in_the_order_of_cuda_with_what_is_known_of_them():
    first, second = chosen(Facts(TWO), None)
    assert str(first) == "CUDA device 0: NVIDIA H200, 0000:41:00.0"
    assert str(second) == "CUDA device 1: NVIDIA H100 80GB HBM3"
    assert str(Gpu(3)) == "CUDA device 3"


def test_gpus_are_named_by_number_by_uuid_and_as_a_device():
    facts = Facts(TWO)
    other = next(each for each in gpuprobe.device.devices_in(facts) if each.ordinal == 1)
    for named, numbers in (
        (1, [1]),
        (UUID, [0]),
        (other, [1]),
        ([1, UUID, other], [1, 0]),
        (None, [0, 1]),
    ):
        assert [gpu.device for gpu in chosen(facts, named)] == numbers


def test_device_of_before_is_known_by_its_uuid():
    """Its number was told under another CUDA_VISIBLE_DEVICES."""
    facts = Facts(TWO)
    [first] = [each for each in gpuprobe.device.devices_in(facts) if each.uuid == UUID]
    assert [gpu.uuid for gpu in chosen(facts, replace(first, ordinal=1))] == [UUID]


@pytest.mark.parametrize("named", [2, -1, True, "GPU-", UUID[:-1], "cuda", "cpu", [0, 2], 0.5])
def test_gpu_that_is_not_there_is_refused_and_those_that_are_there_are_told(named: object):
    with pytest.raises(
        ValueError, match=r"CUDA device 0: NVIDIA H200, 0000:41:00\.0; CUDA device 1"
    ):
        chosen(Facts(TWO), named)


def test_no_gpu_at_all_cannot_be_meant():
    with pytest.raises(ValueError, match=r"device is \[\]; None means every GPU"):
        chosen(Facts(TWO), [])


def test_one_wrong_gpu_makes_all_wrong_and_is_named():
    gpus = (Gpu(0, "NVIDIA H100"), Gpu(1, "NVIDIA H100"), Gpu(2, "NVIDIA H100"))
    steps = (
        Step("CUDA starts", "right"),
        Step("a", "right", device=0),
        Step("a", "wrong", why="other bits", device=1),
        Step("a", "not run", why="it is taken", device=2),
    )
    found = Verification("gpu", steps, 0, gpus)
    assert (found.outcome, found.exit_code) == ("wrong", 1)
    assert [found.on(gpu).outcome for gpu in gpus] == ["right", "wrong", "not run"]
    assert "wrong: CUDA device 1; right: CUDA device 0; not run: CUDA device 2" in str(found)


def test_negative_seed_is_refused():
    with pytest.raises(ValueError, match="has to be 0 or more"):
        gpuprobe.verify("cpu", seed=-1)


@pytest.mark.parametrize("device", ["cpu", None])
def test_seed_is_a_whole_number_of_any_kind(device: str | None):
    found = gpuprobe.verify(device, seed=np.int64(3))  # type: ignore[arg-type]
    assert json.loads(json.dumps(found.to_dict()))["seed"] == 3
    with pytest.raises(TypeError):
        gpuprobe.verify(device, seed=1.5)  # type: ignore[arg-type]
