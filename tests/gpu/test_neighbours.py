"""Beside torch, CuPy and JAX in one process: shared memory, and nothing of theirs disturbed."""

from __future__ import annotations

import importlib.util
import json
import os

import pytest

from support.child import run_python
from support.device_arrays import BEGIN

pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
pytest.importorskip("ml_dtypes")

#: What each needs to begin, an array of theirs, how they wait, and where an array of theirs lies.
TORCH = """
import torch
def theirs(): return torch.arange(24, dtype=torch.float32, device="cuda").reshape(2, 3, 4)
wait, borrowed, host = torch.cuda.synchronize, torch.from_dlpack, lambda each: each.cpu().numpy()
address = torch.Tensor.data_ptr
def taken(array): return torch.as_tensor(array, device="cuda")
"""
CUPY = """
import cupy
def theirs(): return cupy.arange(24, dtype=cupy.float32).reshape(2, 3, 4)
wait, borrowed, host = cupy.cuda.Device().synchronize, cupy.from_dlpack, cupy.asnumpy
def address(array): return array.data.ptr
taken = cupy.asarray
"""
JAX = """
import jax
def theirs(): return jax.numpy.arange(24, dtype="float32").reshape(2, 3, 4)
def wait(): jax.numpy.zeros(()).block_until_ready()
borrowed, host = jax.dlpack.from_dlpack, np.asarray
def address(array): return array.unsafe_buffer_pointer()
"""
NEIGHBOURS = {"torch": TORCH, "cupy": CUPY, "jax": JAX}


def shown(neighbour: str, code: str) -> object:
    """What the code shows in a process of its own, which JAX may not fill."""
    if importlib.util.find_spec(neighbour) is None:
        pytest.skip(f"{neighbour} is not installed")
    environment = {**os.environ, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    done = run_python(environment, "-c", BEGIN + NEIGHBOURS[neighbour] + code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_memory_is_shared_both_ways(neighbour: str):
    code = """
lent = theirs()
ours = gpuprobe.from_dlpack(lent)
back = borrowed(to_device(counted))
show(ours.address == address(lent), same(ours.numpy(), counted), same(host(back), counted))
"""
    assert shown(neighbour, code) == [True] * 3


@pytest.mark.parametrize("neighbour", ["torch", "cupy"])
def test_memory_is_shared_by_the_cuda_array_interface(neighbour: str):
    code = """
lent = theirs()
ours = gpuprobe.from_cuda_array(lent.swapaxes(1, 2))
lent += 1
wait()
there = to_device(counted)
show(ours.address == address(lent), same(ours.numpy(), (counted + 1).swapaxes(1, 2).copy()),
     address(taken(there)) == there.address, same(host(taken(there)), counted))
"""
    assert shown(neighbour, code) == [True] * 4


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
@pytest.mark.parametrize("who_begins", ["theirs()", "to_device(counted)"])
def test_each_goes_on_computing_whoever_began(neighbour: str, who_begins: str):
    """Theirs, ours, an error of ours, theirs: the context that is current stays theirs."""
    code = f"""
{who_begins}
def sums(): return float(host(theirs().sum()))
a = to_device(counted[0])
def product(): return same(gpuprobe.matmul(a, a.T).numpy(), counted[0] @ counted[0].T)
told = [sums(), product(), sums(), raised(gpuprobe.matmul, a, a)[0], sums(), product()]
wait()
show(*told)
"""
    assert shown(neighbour, code) == [276.0, True, 276.0, "ValueError", 276.0, True]


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_a_product_of_theirs_is_computed_and_proved_here(neighbour: str):
    code = """
lent = theirs()
c = gpuprobe.matmul(lent, to_device(counted.swapaxes(1, 2).copy()))
show(same(c.numpy(), counted @ counted.swapaxes(1, 2)),
     gpuprobe.prove_matmul(counted, counted.swapaxes(1, 2), host(borrowed(c))).holds)
"""
    assert shown(neighbour, code) == [True] * 2
