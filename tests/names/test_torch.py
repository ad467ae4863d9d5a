"""`gpuprobe.cuda` beside the real `torch.cuda` where there is no GPU: the same answers and errors.

What torch does with a GPU cannot be asked without one; docs/names.md has it from its documentation.
A build of torch without CUDA says of many calls that alone: there gpuprobe has to refuse them, too.
"""

from __future__ import annotations

import importlib.util
import json
import os
from typing import TYPE_CHECKING

import pytest

from scenarios.hardware import NO_DEVICE
from support.child import printed, run_python
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if importlib.util.find_spec("torch") is None:
    pytest.skip("torch is not installed", allow_module_level=True)

#: What each call gives, or the classes of its error.
TELL = """
import json
def told(call):
    try:
        return ["value", repr(eval(call))]
    except Exception as error:
        return [[each.__name__ for each in type(error).__mro__], str(error)]
def entered(device):
    with cuda.device(device):
        pass
print(json.dumps([told(each) for each in {calls!r}]))
"""
OURS = "from gpuprobe import cuda\n"
THEIRS = "from torch import cuda\n"

ALIKE = (
    *("cuda.is_available()", "cuda.device_count()", "cuda.is_initialized()"),
    *("cuda.current_device()", "cuda.set_device(0)", "cuda.set_device('cuda:0')"),
    *("cuda.set_device(-1)", "cuda.set_device('cpu')", "cuda.set_device('cuda')"),
    *("entered(0)", "entered(-1)", "entered('cpu')", "cuda.device()"),
    *("cuda.get_device_name()", "cuda.get_device_name(0)", "cuda.get_device_capability()"),
    *("cuda.get_device_properties()", "cuda.get_device_properties(0)"),
    *("cuda.memory_allocated()", "cuda.memory_allocated(5)", "cuda.memory_reserved()"),
    *("cuda.max_memory_allocated()", "cuda.max_memory_reserved()", "cuda.empty_cache()"),
    *("cuda.mem_get_info()", "cuda.synchronize()", "cuda.synchronize(0)"),
    "cuda.set_per_process_memory_fraction(0.5)",
)
#: Where gpuprobe has another answer on purpose: the reasons stand in docs/names.md.
OTHERWISE = {
    "cuda.memory_allocated('cpu')": ("value", "ValueError"),
    "cuda.memory_allocated(-1)": ("value", "ValueError"),
    "cuda.reset_peak_memory_stats()": ("RuntimeError", "value"),
    "entered(None)": ("RuntimeError", "value"),
    "cuda.get_device_properties('cpu')": ("RuntimeError", "ValueError"),
    "cuda.set_per_process_memory_fraction(2.0)": ("RuntimeError", "ValueError"),
    "cuda.set_per_process_memory_fraction(1)": ("RuntimeError", "TypeError"),
}

#: How a build without CUDA refuses, in torch 2.13.
WITHOUT_CUDA = (
    "Torch not compiled with CUDA enabled",
    "PyTorch was compiled without CUDA support",
    "module 'torch._C' has no attribute '_cuda_",
)

Told = list[list[object]]


@pytest.fixture(scope="module")
def theirs() -> dict[str, list[object]]:
    """What torch says to every call, in one process that sees no GPU."""
    calls = [*ALIKE, *OTHERWISE]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = run_python(
        environment, "-c", THEIRS + TELL.replace("{calls!r}", repr(calls)), timeout=300
    )
    if done.returncode != 0:
        pytest.fail(f"torch is installed, but does not run: {done.stderr.splitlines()[-1]}")
    told: Told = json.loads(done.stdout.splitlines()[-1])
    return dict(zip(calls, told, strict=True))


@pytest.fixture
def ours(fakes: Fakes, tmp_path: Path) -> dict[str, list[object]]:
    calls = [*ALIKE, *OTHERWISE]
    code = OURS + TELL.replace("{calls!r}", repr(calls))
    told = printed(stage(NO_DEVICE, fakes, tmp_path), code)
    assert isinstance(told, list)
    return dict(zip(calls, told, strict=True))


def kinds(told: list[object]) -> list[str]:
    """The classes of an error, its own first; of a value the word "value"."""
    return ["value"] if told[0] == "value" else [str(each) for each in told[0]]  # type: ignore[attr-defined]


def lacks_cuda(told: list[object]) -> bool:
    """Whether torch says no more than that it was built without CUDA."""
    return told[0] != "value" and str(told[1]).startswith(WITHOUT_CUDA)


def test_without_a_gpu_both_say_the_same(
    ours: dict[str, list[object]], theirs: dict[str, list[object]]
):
    for call in ALIKE:
        where = f"{call}: {ours[call]} is not {theirs[call]}"
        if lacks_cuda(theirs[call]):
            assert "RuntimeError" in kinds(ours[call]), where
            continue
        assert kinds(theirs[call])[0] in kinds(ours[call]), where
        if theirs[call][0] == "value":
            assert ours[call] == theirs[call], where


def test_each_difference_is_still_one(
    ours: dict[str, list[object]], theirs: dict[str, list[object]]
):
    """So that the table of differences goes when torch changes."""
    if any(map(lacks_cuda, theirs.values())):
        pytest.skip("this build of torch has no CUDA: its errors are none of a missing GPU")
    found = {call: (kinds(theirs[call])[0], kinds(ours[call])[0]) for call in OTHERWISE}
    assert found == OTHERWISE
