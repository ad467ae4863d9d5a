"""The probe's JSON: any document is an answer or garbage, and nothing else."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.answers import read_answer
from gpuprobe.facts.strict import GarbageError

from .played import answered, cuda_device, failed, nvml_device
from .test_strict import ANYTHING

DEVICE_FIELDS = sorted({*nvml_device(), *cuda_device()})
COMMON = {"probe": 1, "library": {"name": "lib"}}
MEMBERS = {
    "failed": st.fixed_dictionaries({}, optional=dict.fromkeys(failed("a", "b", 1), ANYTHING)),
    "devices": st.lists(
        st.fixed_dictionaries({}, optional=dict.fromkeys(DEVICE_FIELDS, ANYTHING)), max_size=2
    ),
    "kernel": st.fixed_dictionaries({"result": st.just("right") | ANYTHING}),
    "times_ms": ANYTHING,
    "driver_version": ANYTHING,
    "cuda_version": ANYTHING,
}


@given(st.sampled_from(["nvml", "cuda", "kernel"]), st.fixed_dictionaries({}, optional=MEMBERS))
def test_any_answer_is_understood_or_garbage(step: str, members: dict[str, object]):
    with contextlib.suppress(GarbageError):
        read_answer(json.dumps({**COMMON, "step": step, **members}), step)


@given(st.text(max_size=200), st.integers(0, 200))
def test_a_spoilt_answer_is_understood_or_garbage(noise: str, at: int):
    text = json.dumps({**COMMON, "step": "cuda", "devices": [cuda_device()]})
    with contextlib.suppress(GarbageError):
        read_answer(text[:at] + noise + text[at + len(noise) :], "cuda")


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [
        ("nvml", "driver_version", "new"),
        ("nvml", "driver_version", 535),
        ("cuda", "driver_version", -12020),
        ("cuda", "driver_version", "12.2"),
        ("cuda", "devices", [cuda_device(capability=[9, -1])]),
        ("cuda", "devices", [cuda_device(capability=[9, 0, 1])]),
        ("cuda", "devices", [cuda_device(capability="9.0")]),
        ("kernel", "kernel", {"result": "perfect"}),
    ],
)
def test_a_value_that_cannot_be_is_garbage(step: str, field: str, value: object):
    with pytest.raises(GarbageError, match=field):
        answered(step, **{field: value})  # type: ignore[arg-type]


def test_a_version_of_zero_is_none():
    assert answered("nvml", cuda_version=0).cuda_version is None


def test_the_last_object_is_the_answer():
    text = '{"not": "ours"}\nnoise\n' + json.dumps({**COMMON, "step": "cuda"}) + "\nbye\n"
    assert read_answer(text, "cuda").step == "cuda"
