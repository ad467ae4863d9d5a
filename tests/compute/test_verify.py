"""The ladder: right on the reference, stopped by whatever is wrong, and never green by a skip."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import gpuprobe
from gpuprobe.compute import gpu_ladder
from gpuprobe.compute.ladder import Reference, climb, rungs
from gpuprobe.compute.verification import Step, Verification
from gpuprobe.facts.model import Fact, Facts, Known, Value
from gpuprobe.report.json import verification_document
from support.arrays import as_tf32
from support.commands import FACTS

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")

SCHEMA = Path(__file__).parents[2] / "docs" / "schema" / "verification-1.schema.json"


class Faulty(Reference):
    """A back end that spoils what it computed in one kind of arithmetic."""

    def __init__(self, spoil: Callable[[np.ndarray], object], dtype: str = "float32") -> None:
        self._spoil = spoil
        self._dtype = dtype

    def matmul(self, a: np.ndarray, b: np.ndarray, compute: str, out_dtype: str) -> np.ndarray:
        result = super().matmul(a, b, compute, out_dtype)
        if a.dtype.name == self._dtype:
            self._spoil(result)
        return result


def test_reference_is_right_in_every_arithmetic():
    found = gpuprobe.verify("cpu", seed=7)
    assert found
    assert [step.outcome for step in found.steps] == ["right"] * len(rungs())
    assert {step.name for step in found.steps} >= {
        "matmul float32",
        "matmul float32 as tf32",
        "matmul float8_e4m3fn",
        "matmul int8",
        "conv2d bfloat16",
    }
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
    steps = tuple(climb(Faulty(spoil), seed=3))
    found = Verification("cpu", steps, 3)
    assert (found.outcome, found.exit_code) == ("wrong", 1)
    assert [step.outcome for step in steps[:3]] == ["right", "wrong", "not run"]
    assert steps[1].proofs[0].cause == cause
    assert {step.outcome for step in steps[2:]} == {"not run"}
    assert {step.why for step in steps[2:]} == {"matmul float32 is wrong"}
    assert "WRONG" in str(found)


def test_tf32_in_the_place_of_float32_is_named():
    class Hasty(Reference):
        def matmul(self, a: np.ndarray, b: np.ndarray, compute: str, out_dtype: str) -> np.ndarray:
            if a.dtype == np.float32:
                a, b = as_tf32(a), as_tf32(b)
            return super().matmul(a, b, compute, out_dtype)

    step = tuple(climb(Hasty(), seed=3))[1]
    assert [proof.cause for proof in step.proofs] == [None, "tf32"]


def test_result_that_changes_from_run_to_run_is_wrong():
    class Restless(Reference):
        calls = 0

        def matmul(self, a: np.ndarray, b: np.ndarray, compute: str, out_dtype: str) -> np.ndarray:
            result = super().matmul(a, b, compute, out_dtype)
            self.calls += 1
            if self.calls % 2 == 0:  # the proof sees the first, which is right
                result[0, 0] += 1
            return result

    step = next(climb(Restless(), seed=3))
    assert step.outcome == "wrong"
    assert step.why == "the same computation gave other bits the second time"


def test_skip_is_never_green():
    nothing = Verification("cpu", (Step("a", "not run", why="x"),), 0)
    assert (bool(nothing), nothing.outcome, nothing.exit_code) == (False, "not run", 3)
    assert Verification("cpu", (), 0).exit_code == 3
    some = Verification("cpu", (Step("a", "not run", why="x"), Step("b", "right")), 0)
    assert (some.outcome, some.exit_code) == ("right", 0)


@pytest.mark.parametrize("spoil", [flip_a_bit, swap_rows, zero_a_tile, spoil_with_nan])
def test_document_keeps_its_schema(spoil: Callable[[np.ndarray], object]):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    found = Verification("cpu", tuple(climb(Faulty(spoil), seed=3)), 3)
    # By way of JSON, which knows neither tuples nor NaN.
    document = json.loads(json.dumps(verification_document(found.to_dict()), allow_nan=False))
    jsonschema.validate(document, schema)
    proof = document["steps"][1]["proofs"][0]
    assert set(schema["$defs"]["proof"]["required"]) == set(proof)
    proof["pattern"] = "no such pattern"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


# -- on a GPU, as far as the probe program goes ------------------------------------------------


def on_gpu(verdict: str, **changed: Fact[Value]) -> Verification:
    facts = {**FACTS[verdict], **{name.replace("__", "."): fact for name, fact in changed.items()}}
    return Verification("gpu", tuple(gpu_ladder.climb(Facts(facts))), 0)


def test_what_the_probe_ran_is_right_and_the_rest_is_not_run():
    found = on_gpu("healthy")
    assert [step.outcome for step in found.steps[:2]] == ["right", "right"]
    assert {step.outcome for step in found.steps[2:]} == {"not run"}
    assert {step.why for step in found.steps[2:]} == {
        "this release of gpuprobe does not compute it on a GPU yet"
    }


def test_wrong_kernel_stops_the_ladder():
    found = on_gpu("healthy", cuda__kernel__outcome=Known("wrong", "a kernel on device 0"))
    assert found.exit_code == 1
    assert found.steps[1].why == "the GPU gave other bits than the plain-C reference"
    assert {step.why for step in found.steps[2:]} == {"fill, add, hash, copy back is wrong"}


def test_kernel_that_was_left_out_is_no_proof():
    found = on_gpu(
        "healthy",
        cuda__kernel__outcome=Known("not run", "a kernel on device 0"),
        cuda__kernel__why_not=Known("the device is exclusive", "its compute mode"),
    )
    assert (found.steps[1].outcome, found.steps[1].why) == ("not run", "the device is exclusive")


@pytest.mark.parametrize(
    ("verdict", "told"), [("broken", "no NVIDIA GPU"), ("unknown", "nobody looked")]
)
def test_without_cuda_nothing_is_run_and_the_reason_is_told(verdict: str, told: str):
    found = on_gpu(verdict)
    assert found.exit_code == 3
    assert all(step.outcome == "not run" for step in found.steps)
    assert told in (found.steps[0].why or "")
