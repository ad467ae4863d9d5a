"""Texts in which a line stands late, or somebody holds memory, and that is not what fails."""

from __future__ import annotations

import pytest

from support.cases import ruled

# -- CUDA_VISIBLE_DEVICES below the start of CUDA ------------------------------------------------
START = "torch.cuda.is_available()"
SET = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
BELOW = f'{START}\n{SET}"1"\n'
TOO_BIG = (
    "RuntimeError: CUDA out of memory. Tried to allocate 30.00 GiB (GPU 0; 23.69 GiB total"
    " capacity; 1.00 GiB already allocated; 22.00 GiB free; 1.10 GiB reserved in total by PyTorch)"
)
JAX = f'jax.random.PRNGKey(0)\n{SET}"1"\n'
NO_JAXLIB = (
    "WARNING: An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not"
    " installed. Falling back to cpu."
)
NO_KERNELS = (
    "NVIDIA GeForce RTX 3090 with CUDA capability sm_86 is not compatible with the current PyTorch"
    " installation."
)
OLD_DRIVER = (
    "RuntimeError: The NVIDIA driver on your system is too old (found version 10010). Please update"
    " your GPU driver"
)
CUDNN = "libcudnn_ops_infer.so.8"
NOT_OPENED = ": cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (BELOW + NO_KERNELS, "gpu-too-new"),
        (BELOW + OLD_DRIVER, "driver-too-old"),
        (f"{BELOW}ImportError: libcublas.so.11{NOT_OPENED}", "cublas-missing"),
        (
            f"{BELOW}Could not load library {CUDNN}. Error: {CUDNN}{NOT_OPENED}",
            "cudnn-missing",
        ),
        (f"{BELOW}RuntimeError: CUDA error: device-side assert triggered", "user-code"),
        (BELOW + TOO_BIG, "oom-workload"),
        (JAX + NO_JAXLIB, "cpu-only-build"),
    ],
)
def test_a_late_line_does_not_explain_what_a_program_says_of_itself(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        f'>>> {START}\nTrue\n>>> {SET}"1,0"',
        f'import os, torch\n{BELOW}subprocess.run(["torchrun", "train.py"])',
        f"import os, torch\n{BELOW}test_train.py::test_step PASSED\n1 passed in 3.11s",
        f'import os, torch\nif not {START}:\n    {SET}"1"\n',
        f"{BELOW}It runs on GPU 1, my colleague's job on GPU 0.",
        f"{BELOW}My colleague's training runs on GPU 0.",
        f"{BELOW}Should it run on GPU 0?",
    ],
)
def test_a_late_line_is_no_fault_where_nothing_shows_another_gpu(text: str):
    assert ruled(text) in ("unknown", "healthy")


TWO = "GPU: 2x GeForce RTX 3090\nimport torch\ntorch.cuda.init()\n"


@pytest.mark.parametrize(
    "value",
    [
        "str(0)",
        '"" if args.cpu else "0"',
        '""',
        '",".join(map(str, ids))',
        "args.gpu\n$ python train.py --gpu 0",
    ],
)
@pytest.mark.parametrize("told", ["", "The training runs."])
def test_an_expression_is_not_the_number_of_a_gpu(value: str, told: str):
    assert ruled(f"{TWO}{SET}{value}\n{told}") == "unknown"


@pytest.mark.parametrize(
    ("value", "late"),
    [
        ('","' + ".join(map(str, ids))", True),
        *((each, False) for each in ("str(0)", '""')),
        *((each, True) for each in ("str(1)", '"1"', "args.gpu\n$ python train.py --gpu 1")),
    ],
)
def test_what_is_written_is_compared_with_where_the_work_is(value: str, late: bool):
    text = f"{TWO}{SET}{value}\nThe training sits on GPU 0."
    assert (ruled(text) == "visible-devices-too-late") is late


ROWS = """|   0  NVIDIA GeForce RTX 3090        On  | 00000000:01:00.0 Off |                  N/A |
|   1  NVIDIA GeForce RTX 3090        On  | 00000000:02:00.0 Off |                  N/A |
"""
DIFFER = (
    "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED at CUDAContext.cpp:50."
    " device=1, num_gpus=1"
)


@pytest.mark.parametrize(("code", "late"), [("", False), (f'import torch\n{SET}"1"\n', True)])
def test_two_counts_differ_by_a_variable_where_code_sets_one(code: str, late: bool):
    assert (ruled(code + ROWS + DIFFER) == "visible-devices-too-late") is late


TWICE = "ncclInvalidUsage: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000"


@pytest.mark.parametrize(
    ("set_device", "cause"),
    [
        ("torch.cuda.set_device(0)", "user-code"),
        ("torch.cuda.set_device(rank)", "visible-devices-too-late"),
    ],
)
def test_ranks_meet_on_the_first_gpu_where_code_sets_it(set_device: str, cause: str):
    assert ruled(f"import torch\n{set_device}\n{SET}str(local_rank)\n{TWICE}") == cause
