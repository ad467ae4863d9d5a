"""Programs that compute on the fake driver, or on a real GPU: what they begin with."""

from __future__ import annotations

BEGIN = """
from gpuprobe import conv2d, matmul, prove_conv2d, prove_matmul
from support.arrays import WAYS, as_tf32, floats, strided, whole

def proved(a, b, **more):
    return bool(prove_matmul(a, b, matmul(a, b, **more)))
def started():
    from gpuprobe import _core
    return _core.cuda_state().state
"""
