"""`gpuprobe.cuda` on the fake driver, each case in a process of its own, as CUDA wants it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenarios.driver import CRASH, HANG
from scenarios.hardware import NO_DEVICE
from scenarios.healthy import HEALTHY_H100, TWO_DIFFERENT_CARDS
from scenarios.mig import MIG_INSTANCE_NAMED
from support.child import printed, run_python
from support.cuda_libraries import toolkit
from support.device_arrays import BEGIN, ONE_CARD, result
from support.machines import RTX_3060, RTX_4090
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes
    from support.scenario import Scenario

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

MIB = 1 << 20
USE = "from gpuprobe import cuda\nfrom gpuprobe.memory.arenas import allocate\nMIB = 1 << 20\n"


def shown(scenario: Scenario, fakes: Fakes, folder: Path, code: str) -> object:
    return result(scenario, fakes, folder, USE + code)


def test_questions_start_no_cuda_in_this_process(fakes: Fakes, tmp_path: Path):
    """Whatever asks the driver does it in a child: no library is mapped here, none has started."""
    code = """
cuda.set_device("cuda:1")
with cuda.device(0): pass
values = [cuda.is_available(), cuda.device_count(), cuda.current_device(), cuda.is_initialized(),
          cuda.get_device_name(), cuda.get_device_capability(0), cuda.memory_allocated(),
          cuda.memory_reserved(), cuda.max_memory_allocated(1), cuda.max_memory_reserved("cuda")]
cuda.mem_get_info(); cuda.reset_peak_memory_stats(); cuda.empty_cache()
cuda.set_per_process_memory_fraction(0.5)
from gpuprobe import _core
show(values, _core.cuda_state().state)
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [
        [True, 2, 1, False, RTX_3060.name, [8, 9], 0, 0, 0, 0],
        "not loaded",
    ]


@pytest.mark.parametrize("scenario", [HANG, CRASH])
def test_where_cuda_does_not_start_the_count_is_0_and_the_doctor_says_why(
    scenario: Scenario, fakes: Fakes, tmp_path: Path
):
    code = """
root = gpuprobe.doctor().diagnosis.root
show(cuda.is_available(), cuda.device_count(), gpuprobe.device_count(), root.rule.name)
"""
    told = result(scenario, fakes, tmp_path, USE + code)
    assert told == [False, 0, 0, scenario.expect.name]


def test_what_cuda_has_once_it_has_started_stays_available(fakes: Fakes, tmp_path: Path):
    code = """
import os
block = allocate(1)
os.environ["CUDA_VISIBLE_DEVICES"] = ""
show(cuda.is_available(), cuda.device_count())
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [True, 2]


def test_a_gpu_has_the_properties_that_cuda_states(fakes: Fakes, tmp_path: Path):
    code = """
from dataclasses import asdict
show(asdict(cuda.get_device_properties(0)), cuda.get_device_name(gpuprobe.devices()[0]))
"""
    properties, name = shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)  # type: ignore[misc]
    assert properties == {
        "name": RTX_4090.name,
        "major": 8,
        "minor": 9,
        "total_memory": RTX_4090.memory_mib * MIB,
        "multi_processor_count": 128,
        "uuid": RTX_4090.uuid,
    }
    assert name in {RTX_3060.name, RTX_4090.name}


def test_a_mig_instance_is_a_gpu_of_its_own(fakes: Fakes, tmp_path: Path):
    code = """
one = cuda.get_device_properties()
show(cuda.device_count(), "MIG" in one.name, one.uuid[:4], one.multi_processor_count, one.major)
"""
    assert shown(MIG_INSTANCE_NAMED, fakes, tmp_path, code) == [1, True, "MIG-", None, 8]


# -- which one is meant ---------------------------------------------------------------------------


def test_arrays_go_to_the_current_device(fakes: Fakes, tmp_path: Path):
    code = """
first = to_device(counted).device
with cuda.device(1):
    second = to_device(counted).device
    with cuda.device("cuda:0"):
        third = to_device(counted).device
    with cuda.device(None), cuda.device(-1):
        fourth = to_device(counted).device
cuda.set_device(1)
cuda.set_device(-1)
fifth = to_device(counted).device
show(first, second, third, fourth, fifth, to_device(counted, device=0).device)
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [0, 1, 0, 1, 1, 0]


def test_the_current_device_comes_back_after_an_exception_and_in_itself(
    fakes: Fakes, tmp_path: Path
):
    code = """
block = cuda.device(1)
try:
    with block, cuda.device(0), block:
        inside = cuda.current_device()
        raise KeyError
except KeyError:
    pass
show(inside, cuda.current_device())
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [1, 0]


def test_each_thread_has_its_own_current_device(fakes: Fakes, tmp_path: Path):
    code = """
import threading
cuda.set_device(1)
seen = []
thread = threading.Thread(target=lambda: seen.append(cuda.current_device()))
thread.start(); thread.join()
show(seen, cuda.current_device())
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[0], 1]


#: What is called, the class of its error, a part of its words.
REFUSED = (
    ("cuda.set_device, 2", "RuntimeError", "CUDA error: invalid device ordinal: device is 2;"),
    ("cuda.device(7).__enter__", "RuntimeError", "invalid device ordinal: device is 7;"),
    ("cuda.synchronize, 2", "RuntimeError", "invalid device ordinal"),
    ("cuda.set_device, 'cpu'", "ValueError", "Expected a cuda device, but got: cpu"),
    ("cuda.set_device, 'cuda'", "ValueError", "with a specified index or an integer"),
    ("cuda.set_device, 'cuda:'", "ValueError", "Invalid device string: 'cuda:'"),
    ("cuda.memory_allocated, 'cuda:x'", "ValueError", "Invalid device string: 'cuda:x'"),
    ("cuda.memory_allocated, 'cudax'", "ValueError", "but got: cudax"),
    ("cuda.memory_allocated, -1", "ValueError", "device is -1"),
    ("cuda.get_device_properties, -1", "AssertionError", "Invalid device id: device is -1"),
    ("cuda.set_per_process_memory_fraction, 1", "TypeError", "must be `float`"),
    ("cuda.set_per_process_memory_fraction, 1.5", "ValueError", "Invalid fraction value: 1.5"),
    ("cuda.set_per_process_memory_fraction, 0.0", "ValueError", "above 0, at most 1"),
    ("cuda.set_per_process_memory_fraction, 0.5, 2", "AssertionError", "Invalid device id"),
    ("cuda.set_device, hidden", "ValueError", "CUDA has no number for "),
)


def test_what_names_no_gpu_is_refused(fakes: Fakes, tmp_path: Path):
    calls = ", ".join(f"raised({call})" for call, _, _ in REFUSED)
    code = f"""
import dataclasses
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
[hidden] = [gpu for gpu in gpuprobe.devices() if gpu.ordinal is None]
hidden = dataclasses.replace(hidden, uuid=None)  # by which it would be known again
del os.environ["CUDA_VISIBLE_DEVICES"]
show(cuda.is_initialized(), {calls})
"""
    begun, *errors = shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code)  # type: ignore[misc]
    assert not begun
    for (call, kind, words), (name, text) in zip(REFUSED, errors, strict=True):
        assert name == kind, call
        assert words in text, call


# -- memory ---------------------------------------------------------------------------------------


def test_memory_is_counted_under_torchs_names(fakes: Fakes, tmp_path: Path):
    code = """
kept, gone = allocate(1000), allocate(2 * MIB)
del gone
before = [cuda.memory_allocated(), cuda.max_memory_allocated(), cuda.memory_reserved(),
          cuda.max_memory_reserved(), cuda.is_initialized()]
cuda.reset_peak_memory_stats()
after = cuda.max_memory_allocated()
del kept
cuda.empty_cache()
show(before, after, cuda.memory_reserved(), cuda.max_memory_reserved())
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [
        [1024, 2 * MIB + 1024, 32 * MIB, 32 * MIB, True], 1024, 0, 32 * MIB,
    ]  # fmt: skip


def test_empty_cache_is_for_all_gpus(fakes: Fakes, tmp_path: Path):
    code = """
for device in (0, 1): allocate(1, device=device)
before = [cuda.memory_reserved(n) for n in (0, 1)]
cuda.empty_cache()
show(before, [cuda.memory_reserved(n) for n in (0, 1)])
"""
    assert shown(TWO_DIFFERENT_CARDS, fakes, tmp_path, code) == [[32 * MIB] * 2, [0, 0]]


def test_free_and_total_memory_are_those_of_the_whole_gpu(fakes: Fakes, tmp_path: Path):
    """By NVML before the first use, by CUDA after it, when gpuprobe's own is no longer free."""
    code = """
before = cuda.mem_get_info()
block = allocate(64 * MIB)
after = cuda.mem_get_info()
show(before, after)
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [
        [512 * MIB, 1024 * MIB], [448 * MIB, 1024 * MIB],
    ]  # fmt: skip


def test_the_free_memory_of_an_instance_is_known_once_it_was_used(fakes: Fakes, tmp_path: Path):
    code = """
unknown = raised(cuda.mem_get_info)
block = allocate(1)
free, total = cuda.mem_get_info()
show(unknown, 0 < free < total == cuda.get_device_properties().total_memory)
"""
    [name, text], is_known = shown(MIG_INSTANCE_NAMED, fakes, tmp_path, code)  # type: ignore[misc]
    assert name == "Missing"
    assert text.startswith("free memory of device 0: NVML tells it of the whole GPU alone")
    assert is_known


def test_an_instance_is_named_among_the_holders_though_they_are_not_known(
    fakes: Fakes, tmp_path: Path
):
    code = """
from gpuprobe import memory
def told():
    found = memory.holders(0)
    return [found.name, found.uuid[:12], found.total_bytes // MIB, found.unknown["processes"][:19]]
before, block = told(), allocate(1)
show(before, told())
"""
    name = "NVIDIA A100-SXM4-40GB MIG 2g.10gb"
    both = [name, "MIG-7a1b2c3d", 9856, "NVML tells it of th"]
    assert shown(MIG_INSTANCE_NAMED, fakes, tmp_path, code) == [both, both]


def test_a_fraction_counts_the_whole_memory_and_is_a_hard_limit(fakes: Fakes, tmp_path: Path):
    code = """
cuda.set_per_process_memory_fraction(0.125)
block = allocate(100 * MIB)
name, text = raised(allocate, 40 * MIB)
cuda.set_per_process_memory_fraction(0.125)  # as it is: never too late
show(memory.stats().limit_bytes, name, raised(cuda.set_per_process_memory_fraction, 0.5)[0])
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [128 * MIB, "OutOfMemory", "TooLateError"]


# -- waiting --------------------------------------------------------------------------------------


STREAMS = """
from support.contract import NON_BLOCKING, Pointer, Size, byref
from support.vendor import cuda as driver_of
driver = driver_of()
cuda.synchronize()
began = cuda.is_initialized()
context, current, first, second = Pointer(), Pointer(), Pointer(), Pointer()
driver("cuDevicePrimaryCtxRetain", byref(context), 0)
driver("cuCtxPushCurrent_v2", context)
for stream in (first, second):
    driver("cuStreamCreate", byref(stream), NON_BLOCKING)
block = allocate(MIB, stream=first.value)
def fill(stream):
    driver("cuMemsetD8Async", Pointer(block.address), 7, Size(block.size), stream)
fill(first)
"""


def test_synchronize_starts_cuda_and_waits_for_every_stream(fakes: Fakes, tmp_path: Path):
    """The fake ends a process that uses memory in a stream before another one is done with it."""
    code = STREAMS + """
cuda.synchronize(0)
fill(second)
for stream in (first, second):
    driver("cuStreamDestroy_v2", stream)
driver("cuCtxPopCurrent_v2", byref(current))
driver("cuDevicePrimaryCtxRelease_v2", 0)
del block
show(began)
"""  # fmt: skip
    assert shown(ONE_CARD, fakes, tmp_path, code) == [True]


def test_without_synchronize_the_streams_would_collide(fakes: Fakes, tmp_path: Path):
    """The near miss of the test above."""
    made = stage(ONE_CARD, fakes, tmp_path)
    done = run_python(made.environment("search"), "-c", BEGIN + USE + STREAMS + "fill(second)")
    assert done.returncode != 0
    assert "stream" in done.stderr


def test_work_that_had_failed_is_told_by_synchronize(fakes: Fakes, tmp_path: Path):
    machine = replace(ONE_CARD, faults={"cuCtxSynchronize@1": 700})
    [[name, text]] = shown(machine, fakes, tmp_path, "show(raised(cuda.synchronize))")  # type: ignore[misc]
    assert name == "DriverError"
    assert "cuCtxSynchronize failed with CUDA_ERROR_ILLEGAL_ADDRESS (700)" in text


# -- where there is none --------------------------------------------------------------------------


NEEDING_A_GPU = (
    *("current_device", "get_device_name", "get_device_capability", "get_device_properties"),
    *("mem_get_info", "synchronize", "set_device, 0", "device(0).__enter__"),
    "set_per_process_memory_fraction, 0.5",
)


def test_without_a_gpu_the_finding_is_raised_where_torch_raises(fakes: Fakes, tmp_path: Path):
    calls = ", ".join(f"raised(cuda.{call})" for call in NEEDING_A_GPU)
    code = f"show(issubclass(gpuprobe.GpuUnavailable, RuntimeError), {calls})"
    is_runtime_error, *errors = shown(NO_DEVICE, fakes, tmp_path, code)  # type: ignore[misc]
    assert is_runtime_error
    for call, (name, text) in zip(NEEDING_A_GPU, errors, strict=True):
        assert name == "GpuUnavailable", call
        assert "no NVIDIA GPU" in text
        assert f"gpuprobe.cuda.{call.partition('(')[0].partition(',')[0]}() needs a GPU" in text


def test_a_fork_is_not_initialized(fakes: Fakes, tmp_path: Path):
    code = BEGIN + USE + """
block = allocate(1000)
child = os.fork()
if child == 0:
    del block
    show(cuda.is_initialized(), raised(cuda.synchronize)[0], raised(cuda.memory_allocated)[1])
    os._exit(0)
os.waitpid(child, 0)
"""  # fmt: skip
    begun, name, text = printed(stage(ONE_CARD, fakes, tmp_path), code)  # type: ignore[misc]
    assert not begun
    assert name == "RuntimeError"
    assert "forked from one that had used a GPU" in text


# -- versions -------------------------------------------------------------------------------------


def test_the_version_of_cuda_is_that_of_the_compiled_kernels(fakes: Fakes, tmp_path: Path):
    code = """
from gpuprobe import _core
show(cuda.version.cuda, len(_core.kernel_images()), _core.kernels_cuda)
"""
    version, images, number = shown(HEALTHY_H100, fakes, tmp_path, code)  # type: ignore[misc]
    assert (version is None) == (images == 0) == (number == 0)
    if version is not None:
        major, minor = map(int, version.split("."))
        assert 1000 * major + 10 * minor == number


@pytest.mark.parametrize(
    ("files", "number"),
    [
        ({"libcudnn.so.9": "9.19.0"}, 91900),
        ({"libcudnn.so.8": "8.9.7"}, 8907),
        ({"libcudnn_ops.so.9": "9.19.0"}, None),  # a part alone is no cuDNN
        ({}, None),
    ],
)
def test_the_version_of_cudnn_is_the_number_of_its_header(
    files: dict[str, str], number: int | None, fakes: Fakes, tmp_path: Path
):
    machine = replace(HEALTHY_H100, files=toolkit("/usr/local/cuda-13.0/lib64", files))
    code = "show(cuda.cudnn.is_available(), cuda.cudnn.version())"
    assert shown(machine, fakes, tmp_path, code) == [number is not None, number]
