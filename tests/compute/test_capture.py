"""Work on a stream that is captured into a CUDA graph, which no call of ours may break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.device_arrays import ONE_CARD
from support.gpu_work import shown

if TYPE_CHECKING:
    from pathlib import Path

    from support.fakes import Fakes

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")

BEGIN = """
from support.contract import *
driver = cuda()
warm = to_device(np.ones(1))  # starts CUDA
context, current = Pointer(), Pointer(1)
driver("cuDevicePrimaryCtxRetain", byref(context), 0)
driver("cuCtxPushCurrent_v2", context)
one, other, graph = Pointer(), Pointer(), Pointer()
for each in (one, other):
    driver("cuStreamCreate", byref(each), 0)
ones = np.ones((300, 300), np.float32)
a, b = to_device(ones, stream=one.value), to_device(ones, stream=other.value)
def begin(): assert driver("cuStreamBeginCapture_v2", one, 0) == 0
def ended(): return driver("cuStreamEndCapture", one, byref(graph))
def end():
    for each in (one, other):
        driver("cuStreamDestroy_v2", each)
    driver("cuCtxPopCurrent_v2", byref(current))
    driver("cuDevicePrimaryCtxRelease_v2", 0)
"""


def test_a_capture_survives_the_work_that_it_captures(fakes: Fakes, tmp_path: Path):
    """The first product loads the kernels; its memory and others' comes from the driver."""
    code = f"""{BEGIN}
begin()
c = matmul(a, a, backend="native")
large = [to_device(np.zeros(9 << 20, np.float32), stream=other.value) for _ in range(2)]
del c, large[0]
d = matmul(matmul(a, a, backend="native"), a, backend="native")
memory.trim()
del large
again = to_device(np.zeros(12 << 20, np.float32), stream=other.value)
show(ended(), int(d.numpy()[0, 0]))
end()
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [0, 90000]


@pytest.mark.parametrize(
    "call",
    [
        "a.numpy()",
        "to_device(ones, stream=one.value)",
        "matmul(a, a, backend='native', info=True)",
        "matmul(a, b, out=a.copy(), backend='native')",
        "warm.copy().numpy()",
        "__import__('gpuprobe').cuda.synchronize()",
    ],
)
def test_what_would_break_a_capture_is_refused_and_told(call: str, fakes: Fakes, tmp_path: Path):
    code = f"{BEGIN}\nbegin()\nfound = raised(lambda: {call})\nshow(ended(), *found)\nend()"
    outcome, error, message = shown(ONE_CARD, fakes, tmp_path, code)
    assert outcome == 0
    assert error == "DriverError"
    assert "would break the capture of a CUDA graph that is under way, and was not" in message


def test_the_fake_driver_gives_up_a_capture_that_is_waited_for(fakes: Fakes, tmp_path: Path):
    """Else the tests above would say nothing."""
    code = f"""{BEGIN}
ends = []
for disturb in (
    lambda: driver("cuStreamSynchronize", one),
    lambda: driver("cuCtxSynchronize"),
    lambda: driver("cuMemAlloc_v2", byref(Pointer()), 512),
):
    begin()
    ends.append([disturb(), ended()])
show(ends)
end()
"""
    assert shown(ONE_CARD, fakes, tmp_path, code) == [[[900, 901]] * 3]
