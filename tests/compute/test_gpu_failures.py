"""What fails on a GPU, on the fake driver: it is named, nothing is left, the way out is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from support import device_arrays, gpu_work
from support.child import printed
from support.device_arrays import ONE_CARD
from support.gpu_work import shown
from support.scenario import stage

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

core = pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
if not hasattr(core.Arena, "matmul"):
    pytest.skip("the C core was built without NumPy's headers", allow_module_level=True)
pytest.importorskip("numpy")
pytest.importorskip("ml_dtypes")

BEGIN = device_arrays.BEGIN + gpu_work.BEGIN


def test_a_launch_that_fails_names_kernel_gpu_and_code(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
show(raised(matmul, a, b, backend="native"), proved(a, b, backend="native"))
"""
    scenario = replace(ONE_CARD, faults={"cuLaunchKernel@1": 701})
    (kind, told), is_right_again = shown(scenario, fakes, tmp_path, code)
    assert kind == "DriverError"
    assert told.startswith(
        "gpuprobe.matmul, native back end, GPU 0: cuLaunchKernel(gp_matmul_f32) failed with "
        "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)"
    )
    assert "start it anew" not in told
    assert is_right_again


@pytest.mark.parametrize(
    ("call", "code"), [("cuLaunchKernel", 716), ("cuStreamSynchronize@3", 700)]
)
def test_after_a_sticky_error_the_process_has_to_be_started_anew(
    call: str, code: int, fakes: Fakes, tmp_path: Path
):
    program = """
a, b = whole((3, 5)), whole((5, 2))
show(raised(matmul, a, b, backend="native"))
os._exit(0)
"""
    made = stage(replace(ONE_CARD, faults={call: code}), fakes, tmp_path)
    found = printed(made, BEGIN + program)
    assert isinstance(found, list)
    [[kind, told]] = found
    assert kind == "DriverError"
    assert f"({code})" in told
    assert told.endswith("CUDA is lost to this process: end it, and start it anew.")


def test_where_somebody_has_reset_the_gpu_it_is_said(fakes: Fakes, tmp_path: Path):
    code = "show(raised(to_device, counted))"
    scenario = replace(ONE_CARD, faults={"cuMemcpyHtoDAsync_v2": 709})
    [[kind, told]] = shown(scenario, fakes, tmp_path, code)
    assert kind == "DriverError"
    assert "CUDA_ERROR_CONTEXT_IS_DESTROYED (709)" in told
    assert "Something in this process has reset the GPU" in told
    assert "`gpuprobe` finds out why" not in told


@pytest.mark.parametrize("call", ["cuModuleLoadData", "cuModuleGetFunction", "cuEventElapsedTime"])
def test_the_call_that_fails_is_named_and_nothing_is_left(call: str, fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
show(raised(matmul, a, b, backend="native", info=True))
"""
    [[kind, told]] = shown(replace(ONE_CARD, faults={call: 999}), fakes, tmp_path, code)
    assert (kind, f"{call} failed with CUDA_ERROR_UNKNOWN (999)" in told) == ("DriverError", True)


def test_a_fork_computes_nothing_on_the_gpu_of_its_parent(fakes: Fakes, tmp_path: Path):
    code = """
a, b = whole((3, 5)), whole((5, 2))
there = [to_device(a), to_device(b)]
matmul(a, b)
read, write = os.pipe()
if os.fork() == 0:
    told = [raised(matmul, a, b), raised(matmul, *there), started()]
    told.append(same(matmul(a, b, device="cpu"), a @ b))
    os.write(write, json.dumps(told).encode())
    os._exit(0)
os.wait()
show(*json.loads(os.read(read, 10_000)))
"""
    *refused, state, is_right = shown(ONE_CARD, fakes, tmp_path, code)
    assert [kind for kind, _ in refused] == ["RuntimeError", "RuntimeError"]
    assert all("this process was forked" in told for _, told in refused)
    assert (state, is_right) == ("not started", True)


def test_too_little_memory_is_told_by_its_own_error(fakes: Fakes, tmp_path: Path):
    code = """
memory.set_limit(2 << 20)
there = to_device(np.zeros((1, 300_000), np.float32))
column = replace(there, shape=(300_000, 1), strides=(4, 4))
show(raised(matmul, column, there)[0])
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == ["OutOfMemory"]
