"""CUDA in processes that were forked, and indices that TensorFlow refuses."""

from __future__ import annotations

import pytest

from support.cases import ruled

POOL = (
    "RuntimeError: cudaGetDevice(&id) failed. code: 3, reason: initialization error\n"
    '  File "/usr/lib/python3.9/multiprocessing/{}.py", line 870, in next\n    raise value\n'
)
CHILD = (
    "GPU: A100\n\ny = model(x)\n{}p = mp.Process(target=run)\np.start()\n\n"
    "F cuda_driver.cc:148] Failed setting context: {}\n"
)
NOT_STARTED = "CUDA_ERROR_NOT_INITIALIZED: initialization error"
INDEX = "Invalid argument: indices[{}] = [{}] {}\n"
LAUNCH = "cuLaunchKernel: fusion; block dims: 128x1x1; grid dims: 0x1x1"


@pytest.mark.parametrize(
    "text",
    [
        POOL.format("pool"),
        CHILD.format("", NOT_STARTED),
        INDEX.format(3, "3, 9", "does not index into param shape [4,8,2]"),
        f"CUDA_ERROR_INVALID_VALUE is what I get\n\nRuntimeError: INTERNAL: {LAUNCH}\n",
    ],
)
def test_the_program_does_what_cannot_work(text: str) -> None:
    """Each by what a program prints."""
    assert ruled(text) == "user-code"


@pytest.mark.parametrize(
    ("served", "causes"),
    [
        ("uwsgi --processes=2 --http :8080 -w wsgi:app", ("user-code",)),
        ("uwsgi --http :8080 -w wsgi:app --workers 8", ("user-code",)),
        ("uwsgi --processes=1 --http :8080 -w wsgi:app", ("unknown",)),
        ("uwsgi --lazy-apps --processes=2 -w wsgi:app", ("unknown",)),
    ],
)
def test_a_server_that_forks_its_workers(served: str, causes: tuple[str, ...]) -> None:
    failed = "Error while calling cudaGetDevice(&id) in file gpu_data.cpp:178. code: 3, reason: "
    assert ruled(f"{served}\nRuntimeError: {failed}initialization error\n") in causes


@pytest.mark.parametrize(
    "text",
    [
        POOL.format("queues"),
        CHILD.format("# ", "done"),
        INDEX.format(3, "3, 1", "of param shape [4,8,2]"),
    ],
)
def test_other_lines_of_the_kind_do_not_accuse_it(text: str) -> None:
    """Neither another module's frame, nor a child that works."""
    assert ruled(text) != "user-code"
