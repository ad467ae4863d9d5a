"""`gpuprobe.config` on the fake driver, each case in a process of its own, as CUDA wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scenarios.hardware import NO_DEVICE
from scenarios.healthy import TWO_DIFFERENT_CARDS
from support.device_arrays import ONE_CARD, result
from support.machines import RTX_3060, RTX_4090

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes
    from support.scenario import Scenario

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

MIB = 1 << 20
USE = """
from gpuprobe import config
from gpuprobe.config import LogicalDeviceConfiguration as Limit
from gpuprobe.config import experimental
from gpuprobe.memory.arenas import allocate
MIB = 1 << 20
cpu, *gpus = config.list_physical_devices()
def names(devices): return [each.name for each in devices]
"""
CPU, GPU_0, GPU_1 = (f"/physical_device:{each}" for each in ("CPU:0", "GPU:0", "GPU:1"))


def shown(scenario: Scenario, fakes: Fakes, folder: Path, code: str) -> object:
    return result(scenario, fakes, folder, USE + code)


def test_questions_and_wishes_start_no_cuda_in_this_process(fakes: Fakes, tmp_path: Path):
    code = """
config.set_visible_devices(gpus[1], "GPU")
experimental.set_memory_growth(gpus[1], False)
config.set_logical_device_configuration(gpus[1], [Limit(100)])
config.list_logical_devices(); config.list_local_devices()
experimental.get_memory_info("GPU:1"); experimental.reset_memory_stats("GPU:1")
from gpuprobe import _core
show(_core.cuda_state().state)
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == ["not loaded"]


def test_devices_are_listed_by_type(fakes: Fakes, tmp_path: Path):
    code = """
types = [None, "CPU", "GPU", "TPU", "gpu"]
show([names(config.list_physical_devices(each)) for each in types],
     [names(config.list_logical_devices(each)) for each in types])
"""
    physical, logical = shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)  # type: ignore[misc]
    assert physical == [[CPU, GPU_0, GPU_1], [CPU], [GPU_0, GPU_1], [], []]
    assert logical == [[name.replace("physical_", "") for name in each] for each in physical]


def test_without_a_gpu_there_is_the_cpu(fakes: Fakes, tmp_path: Path):
    code = "show(names([cpu]), gpus, names(config.list_logical_devices()))"
    assert shown(NO_DEVICE, fakes, tmp_path, code) == [[CPU], [], ["/device:CPU:0"]]


def test_local_devices_say_what_they_are(fakes: Fakes, tmp_path: Path):
    code = """
from dataclasses import asdict
memory.set_limit(64 * MIB, device=1)
show(*map(asdict, config.list_local_devices()))
"""
    cpu, first, second = shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)  # type: ignore[misc]
    assert cpu == {
        "name": "/device:CPU:0",
        "device_type": "CPU",
        "memory_limit": None,
        "physical_device_desc": "",
    }
    assert (first["name"], first["memory_limit"]) == ("/device:GPU:0", RTX_4090.memory_mib * MIB)
    assert first["physical_device_desc"] == (
        "device: 0, name: NVIDIA GeForce RTX 4090, pci bus id: 0000:41:00.0,"
        " compute capability: 8.9"
    )
    assert (second["name"], second["memory_limit"]) == ("/device:GPU:1", 64 * MIB)
    assert f"name: {RTX_3060.name}, pci bus id: 0000:01:00.0" in second["physical_device_desc"]


# -- which may be used ----------------------------------------------------------------------------


def test_a_device_that_is_not_visible_is_not_used(fakes: Fakes, tmp_path: Path):
    code = """
config.set_visible_devices(gpus[1], "GPU")
there = to_device(counted)
show(names(config.get_visible_devices()), names(config.list_logical_devices("GPU")), there.device,
     raised(to_device, counted, device=0), raised(gpuprobe.cuda.set_device, 0)[0],
     gpuprobe.cuda.current_device())
"""
    visible, logical, device, refusal, other, current = shown(  # type: ignore[misc]
        TWO_DIFFERENT_CARDS, fakes, tmp_path, code
    )
    assert (visible, logical, device) == ([CPU, GPU_1], ["/device:GPU:1"], 1)
    assert refusal == [
        "ValueError",
        "GPU 0 is not to be used in this process: gpuprobe.config.set_visible_devices() left 1",
    ]
    assert (other, current) == ("ValueError", 1)


def test_with_no_gpu_visible_none_is_used(fakes: Fakes, tmp_path: Path):
    code = """
config.set_visible_devices([], "GPU")
show(names(config.get_visible_devices()), raised(to_device, counted))
"""
    visible, [name, text] = shown(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert (visible, name) == ([CPU], "ValueError")
    assert text.endswith("set_visible_devices() left no GPU")


def test_all_devices_can_be_made_visible_again(fakes: Fakes, tmp_path: Path):
    code = """
config.set_visible_devices([], "GPU")
config.set_visible_devices([gpus[1], cpu, gpus[0]])
show(names(config.get_visible_devices()), to_device(counted).device)
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[GPU_1, CPU, GPU_0], 0]


# -- how memory is taken --------------------------------------------------------------------------


def test_growth_is_the_default_and_without_it_all_is_taken_at_once(fakes: Fakes, tmp_path: Path):
    code = """
before = experimental.get_memory_growth(gpus[0])
experimental.set_memory_growth(gpus[0], False)
block = allocate(1)
show(before, experimental.get_memory_growth(gpus[0]), memory.stats().reserved_bytes)
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [True, False, (512 - 64) * MIB]


@pytest.mark.parametrize(
    "wishes",
    [
        "memory.set_limit(64 * MIB); experimental.set_memory_growth(gpus[0], False)",
        "experimental.set_memory_growth(gpus[0], False); memory.set_limit(64 * MIB)",
        (
            "experimental.set_memory_growth(gpus[0], False)\n"
            "config.set_logical_device_configuration(gpus[0], [Limit(64)])"
        ),
    ],
)
def test_without_growth_a_limit_is_taken_at_once(wishes: str, fakes: Fakes, tmp_path: Path):
    code = f"{wishes}\nblock = allocate(1)\nshow(memory.stats().reserved_bytes)"
    assert shown(ONE_CARD, fakes, tmp_path, code) == [64 * MIB]


def test_a_limit_is_in_units_of_two_to_the_twentieth(fakes: Fakes, tmp_path: Path):
    code = """
config.set_logical_device_configuration(gpus[0], [Limit(memory_limit=64)])
kept = allocate(60 * MIB)
show(memory.stats().limit_bytes, raised(allocate, 5 * MIB)[0],
     config.get_logical_device_configuration(gpus[0]))
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [64 * MIB, "OutOfMemory", [[64, None, None]]]


@pytest.mark.parametrize("none", ["None", "[]"])
def test_a_limit_can_be_taken_away(none: str, fakes: Fakes, tmp_path: Path):
    code = f"""
config.set_logical_device_configuration(gpus[0], [Limit(memory_limit=64.5)])
limited = memory.stats().limit_bytes
config.set_logical_device_configuration(gpus[0], {none})
show(limited, memory.stats().limit_bytes, config.get_logical_device_configuration(gpus[0]),
     raised(experimental.set_memory_growth, gpus[0], False)[1])
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [
        *(129 * MIB // 2, None, []),
        # An empty configuration is one, too.
        "Cannot set memory growth on device when virtual devices configured",
    ]


def test_memory_info_counts_what_is_in_use_and_its_peak(fakes: Fakes, tmp_path: Path):
    code = """
kept, gone = allocate(1000), allocate(2 * MIB)
del gone
before = [experimental.get_memory_info(name) for name in
          ("GPU:0", "/device:GPU:0", "/gpu:0", "/job:localhost/replica:0/task:0/device:GPU:0")]
experimental.reset_memory_stats("GPU:0")
show(before, experimental.get_memory_info(config.list_logical_devices("GPU")[0].name))
"""
    before, after = shown(ONE_CARD, fakes, tmp_path, code)  # type: ignore[misc]
    assert before == [{"current": 1024, "peak": 2 * MIB + 1024}] * 4
    assert after == {"current": 1024, "peak": 1024}


def test_after_the_first_use_nothing_can_be_changed(fakes: Fakes, tmp_path: Path):
    """Of no GPU, as with TensorFlow; what is as it was is never too late."""
    code = """
config.set_logical_device_configuration(gpus[0], [Limit(64)])
block = allocate(1)
config.set_logical_device_configuration(gpus[0], [Limit(64)])
experimental.set_memory_growth(gpus[1], True)
config.set_visible_devices([cpu, *gpus])
show(isinstance(memory.TooLateError("x"), RuntimeError),
     raised(experimental.set_memory_growth, gpus[1], False),
     raised(config.set_visible_devices, gpus[1], "GPU"),
     raised(config.set_logical_device_configuration, gpus[0], [Limit(65)]))
"""
    is_runtime_error, *errors = shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)  # type: ignore[misc]
    assert is_runtime_error
    for what, (name, text) in zip(("Physical", "Visible", "Virtual"), errors, strict=True):
        assert name == "TooLateError"
        assert text.startswith(f"{what} devices cannot be modified after being initialized: ")
        assert "gpuprobe has used GPU 0 in this process" in text


LIMIT = "config.set_logical_device_configuration"
#: What is called, and a part of the words of its error.
REFUSED = (
    ("config.set_visible_devices, 'GPU:0'", "Unrecognized device: 'GPU:0'"),
    ("config.set_visible_devices, cpu, 'GPU'", "Unrecognized device: PhysicalDevice("),
    ("config.get_logical_device_configuration, lost", "Unrecognized device: "),
    (f"{LIMIT}, lost, []", "Unrecognized device: "),
    ("experimental.set_memory_growth, lost, True", "Unrecognized device: "),
    ("experimental.get_memory_growth, cpu", "Cannot set memory growth on non-GPU"),
    (f"{LIMIT}, gpus[0], [Limit()]", "Setting memory limit is required for GPU virtual devices"),
    (f"{LIMIT}, gpus[0], [Limit(1), Limit(1)]", "one logical device on /physical_device:GPU:0"),
    (f"{LIMIT}, gpus[0], [Limit(1, 1)]", "Setting experimental_priority on GPU"),
    (f"{LIMIT}, gpus[0], [Limit(0)]", "it has to be positive"),
    ("experimental.get_memory_info, 'GPU:2'", "No matching devices found for 'GPU:2'"),
    ("experimental.get_memory_info, 'CPU:0'", "keeps no statistics of the memory"),
    ("experimental.get_memory_info, 'GPU:0x'", "Failed parsing device name: 'GPU:0x'."),
    ("experimental.reset_memory_stats, gpus[0].name", "Failed parsing device name: "),
)


def test_what_tensorflow_refuses_is_refused_in_its_words(fakes: Fakes, tmp_path: Path):
    calls = ", ".join(f"raised({call})" for call, _ in REFUSED)
    code = f"""
lost = config.PhysicalDevice("/physical_device:GPU:2", "GPU")
show({calls})
"""
    errors = shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)
    assert isinstance(errors, list)
    for (call, words), (name, text) in zip(REFUSED, errors, strict=True):
        assert name == "ValueError", call
        assert words in text, call


def test_what_contradicts_an_earlier_wish_is_refused(fakes: Fakes, tmp_path: Path):
    code = """
experimental.set_memory_growth(gpus[0], False)
mixed = raised(config.list_logical_devices)
config.set_visible_devices(gpus[1], "GPU")
hidden = raised(experimental.get_memory_info, "GPU:0")
config.set_logical_device_configuration(gpus[0], [Limit(64)])
show(mixed, hidden, raised(experimental.set_memory_growth, gpus[0], True))
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [
        ["ValueError", "Memory growth cannot differ between GPU devices"],
        ["ValueError", "No matching devices found for 'GPU:0'"],
        ["ValueError", "Cannot set memory growth on device when virtual devices configured"],
    ]


def test_gpus_with_limits_may_differ_in_growth(fakes: Fakes, tmp_path: Path):
    """A near miss, as with TensorFlow: where limits are set, growth does not matter."""
    code = """
experimental.set_memory_growth(gpus[0], False)
config.set_logical_device_configuration(gpus[1], [Limit(64)])
show(len(config.list_logical_devices()))
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [3]
