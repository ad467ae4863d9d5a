"""`gpuprobe.config` beside the real `tf.config`: the same calls, the same answers and errors.

The rules of TensorFlow about GPUs are written in Python, and are asked without a GPU: two GPUs are
entered into TensorFlow's own list of devices, and "initialized" is what it takes for that.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
from typing import TYPE_CHECKING

import pytest

from scenarios.hardware import NO_DEVICE
from scenarios.healthy import TWO_DIFFERENT_CARDS
from support.child import printed, run_python
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes
    from support.scenario import Scenario

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if importlib.util.find_spec("tensorflow") is None:
    pytest.skip("tensorflow is not installed", allow_module_level=True)

#: What each call gives, or the classes and the words of its error.
TELL = """
import json
def told(call):
    try:
        return ["value", repr(eval(call))]
    except Exception as error:
        return [[each.__name__ for each in type(error).__mro__], str(error)]
L = config.LogicalDeviceConfiguration
P = config.PhysicalDevice
cpu, *gpus = config.list_physical_devices()
lost = P("/physical_device:GPU:9", "GPU")
"""
OURS = """
from gpuprobe import config
from gpuprobe.memory.arenas import allocate
def begin():
    global block
    block = allocate(1)
"""
THEIRS = """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from tensorflow import config
from tensorflow.python.eager import context
def begin():
    context.context().ensure_initialized()
"""
PLANTED = THEIRS + """
made = context.context()
made._initialize_physical_devices()
for number in (0, 1):
    gpu = config.PhysicalDevice(f"/physical_device:GPU:{number}", "GPU")
    made._physical_devices.append(gpu)
    made._visible_device_list.append(gpu)
    made._memory_growth_map[gpu] = True  # gpuprobe's default; TensorFlow's is None
def begin():
    made._context_handle = object()
"""  # fmt: skip
#: The object above is none that TensorFlow could give back.
END = "\nimport os, sys; sys.stdout.flush(); os._exit(0)\n"

Told = list[list[object]]


def ours(scenario: Scenario, fakes: Fakes, folder: Path, before: str, calls: list[str]) -> Told:
    code = f"{OURS}{TELL}{before}\nprint(json.dumps([told(each) for each in {calls!r}]))"
    found = printed(stage(scenario, fakes, folder), code)
    assert isinstance(found, list)
    return found


def theirs(start: str, before: str, calls: list[str]) -> Told:
    code = f"{start}{TELL}{before}\nprint(json.dumps([told(each) for each in {calls!r}])){END}"
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = run_python(environment, "-c", code, timeout=300)
    assert done.returncode == 0, done.stderr
    found: Told = json.loads(done.stdout.splitlines()[-1])
    return found


def assert_same(calls: list[str], our: Told, their: Told) -> None:
    """The same values; of errors the same class, or a child of it, and words that begin alike."""
    for number, (call, mine, yours) in enumerate(zip(calls, our, their, strict=True)):
        where = f"call {number}: {call}: {mine} is not {yours}"
        if yours[0] == "value" or mine[0] == "value":
            assert mine == yours, where
            continue
        kinds, words = yours
        assert isinstance(kinds, list)
        assert isinstance(mine[0], list)
        assert isinstance(mine[1], str)
        assert kinds[0] in mine[0], where
        assert mine[1].startswith(str(words)), where


WITHOUT_GPU = [
    *("config.list_physical_devices()", "config.list_physical_devices('GPU')"),
    *("config.list_physical_devices('gpu')", "config.get_visible_devices()"),
    *("config.set_visible_devices(lost)", "config.set_visible_devices('CPU:0')"),
    *("config.set_visible_devices(cpu, 'GPU')", "config.set_visible_devices([], 'GPU')"),
    *("config.set_visible_devices([], 'CPU')", "config.get_visible_devices('CPU')"),
    *("config.set_visible_devices(cpu)", "config.get_visible_devices()"),
    "config.experimental.get_memory_growth(lost)",
    "config.experimental.set_memory_growth(lost, True)",
    "config.experimental.set_memory_growth(cpu, True)",
    "config.get_logical_device_configuration(cpu)",
    "config.get_logical_device_configuration(lost)",
    "config.set_logical_device_configuration(lost, [])",
    "config.set_logical_device_configuration(cpu, [L(memory_limit=10)])",
    "config.set_logical_device_configuration(cpu, [L(experimental_priority=1)])",
    "config.set_logical_device_configuration(cpu, [L(experimental_device_ordinal=1)])",
    "config.set_logical_device_configuration(cpu, [L()])",
    "config.get_logical_device_configuration(cpu)",
    "config.experimental.set_memory_growth(cpu, True)",
    *("config.list_logical_devices()", "config.list_logical_devices('GPU')"),
    "config.set_logical_device_configuration(cpu, [L()])",
    "config.set_visible_devices(cpu)",
    *(
        f"config.experimental.{call}({name!r})"
        for call in ("get_memory_info", "reset_memory_stats")
        for name in (
            *("GPU:0", "/device:GPU:0", "/gpu:0", "/job:localhost/replica:0/task:0/device:GPU:0"),
            *("GPU", "CPU", "nonexistent", "GPU:*", "CPU:GPU", "CPU:", "GPU:x", "GPU:0x"),
            *("/physical_device:CPU:0", "/physical_device:GPU:0"),
        )
    ),
]


def test_without_a_gpu_both_say_the_same(fakes: Fakes, tmp_path: Path):
    our = ours(NO_DEVICE, fakes, tmp_path, "", WITHOUT_GPU)
    assert_same(WITHOUT_GPU, our, theirs(THEIRS, "", WITHOUT_GPU))


def test_gpus_that_differ_in_growth_are_refused_by_both(fakes: Fakes, tmp_path: Path):
    calls = [
        "config.experimental.set_memory_growth(gpus[1], False)",
        "config.list_logical_devices()",
        "config.experimental.set_memory_growth(gpus[0], False)",
        "[config.experimental.get_memory_growth(each) for each in gpus]",
        "config.experimental.set_memory_growth(gpus[0], True)",
        "config.list_logical_devices('GPU')",
    ]
    our = ours(TWO_DIFFERENT_CARDS, fakes, tmp_path, "", calls)
    assert_same(calls, our, theirs(PLANTED, "", calls))


#: Of these a program of calls is drawn. What gpuprobe does not have on purpose is left out.
_LIMITS = ("[]", "[L(100)]", "[L(200)]", "[L(memory_limit=0.5)]", "[L()]")
DRAWN = [
    *("config.list_physical_devices('GPU')", "config.get_visible_devices()"),
    *(
        f"config.set_visible_devices({devices}{kind})"
        for devices in ("cpu", "gpus", "gpus[1]", "[cpu, *gpus]", "[gpus[1], cpu]", "[]", "lost")
        for kind in ("", ", 'GPU'", ", 'CPU'")
    ),
    *(f"config.experimental.get_memory_growth({gpu})" for gpu in ("gpus[0]", "gpus[1]", "lost")),
    *(
        f"config.experimental.set_memory_growth({device}, {enable})"
        for device in ("gpus[0]", "gpus[1]", "cpu", "lost")
        for enable in (True, False)
    ),
    *(
        f"config.get_logical_device_configuration({device})"
        for device in ("gpus[0]", "gpus[1]", "cpu", "lost")
    ),
    *(
        f"config.set_logical_device_configuration({device}, {limit})"
        for device in ("gpus[0]", "gpus[1]", "lost")
        for limit in _LIMITS
    ),
]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_go_the_same_way_through_any_program(seed: int, fakes: Fakes, tmp_path: Path):
    """Before the first use and after it; what was seen last decides what is refused next."""
    draw = random.Random(seed)
    calls = [
        *draw.choices(DRAWN, k=200),
        "config.set_visible_devices([cpu, *gpus])",  # so that there is a GPU to begin with
        "begin()",
        *draw.choices(DRAWN, k=200),
    ]
    our = ours(TWO_DIFFERENT_CARDS, fakes, tmp_path, "", calls)
    their = theirs(PLANTED, "", calls)
    assert sum(told[0] != "value" for told in their) > 50, "hardly anything was refused"
    assert_same(calls, our, their)
