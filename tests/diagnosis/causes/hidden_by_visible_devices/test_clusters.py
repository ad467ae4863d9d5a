"""A GPU that a variable hides, as Slurm, Kubernetes and other clusters tell of it."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Severity
from support.cases import ruled
from support.pasted import finding, title_and_fix

ONE_AND_NONE = """no CUDA-capable device is detected
Why does `torch.cuda.is_available()` go from `True` at first to `False` inside {what}?
"""


@pytest.mark.parametrize(
    ("what", "hidden"),
    [("a ray.remote function", True), ("a Ray actor", True), ("my x-ray viewer", False)],
)
def test_a_worker_of_ray_has_no_gpu_and_its_parent_has(what: str, *, hidden: bool):
    named = ruled(ONE_AND_NONE.format(what=what))
    assert (named == "hidden-by-visible-devices") is hidden


HIDDEN = "hidden-by-visible-devices"
STEPS = """$ srun -N1 nvidia-smi
No devices were found
$ srun -N1 {}nvidia-smi -L
GPU 0: Tesla P100-SXM2-16GB (UUID: GPU-66ffd018-8d7f-8035-acbf-6f55db19ee01)
"""


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ("-G1 ", "hidden-by-visible-devices"),
        ("--gres=gpu:1 ", "hidden-by-visible-devices"),
        ("", "device-lost"),
    ],
)
def test_a_step_of_slurm_that_asks_for_no_gpu_gets_none(options: str, cause: str):
    assert ruled(STEPS.format(options)) == cause


NO_GPU = "RuntimeError: No CUDA GPUs are available\n"
TASK = "@ray.remote\ndef load(path):\n    return path\n"


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("", "hidden-by-visible-devices"),
        ("ray.init(num_cpus=8, num_gpus=1)\n", "hidden-by-visible-devices"),
        ("w = W.options(num_gpus=0).remote()\n", "hidden-by-visible-devices"),
        ("@ray.remote(num_gpus=1)\nclass Trainer:\n", "unknown"),
        ("w = W.options(num_gpus=0.5).remote()\n", "unknown"),
        ("ScalingConfig(num_workers=2, use_gpu=True)\n", "unknown"),
        ("tune.run(train, resources_per_trial={'gpu': 1})\n", "unknown"),
    ],
)
def test_another_task_of_ray_asks_for_a_gpu(code: str, cause: str):
    assert ruled(TASK + code + NO_GPU) == cause


RAY = "@ray.remote\ndef load(): return model.cuda()\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (RAY + NO_GPU, "hidden-by-visible-devices"),
        (f"{RAY}@ray.remote(num_gpus=1)\ndef train(): ...\n{NO_GPU}", "unknown"),
        (f"{RAY}load.options(num_gpus=0.5).remote()\n{NO_GPU}", "unknown"),
        (f"{RAY}ScalingConfig(num_workers=2, use_gpu=True)\n{NO_GPU}", "unknown"),
        (f"ray.init(num_gpus=1)\n{RAY}{NO_GPU}", "hidden-by-visible-devices"),
        (f"{RAY}{NO_GPU}nvidia-smi: command not found\n", "driver-missing"),
    ],
)
def test_ray_was_asked_for_a_gpu_in_another_line(text: str, cause: str):
    assert ruled(text) == cause


def test_who_gets_no_gpu_of_ray_asks_ray_for_one():
    fix = title_and_fix(RAY + NO_GPU)
    assert "num_gpus=1" in fix
    assert "unset" not in fix


SESSION = "srun -p a100 {}--pty bash -i\n$ nvidia-smi\n{}\n"
NONE = "No devices were found"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (SESSION.format("", NONE), "hidden-by-visible-devices"),
        ("On the node, after\n" + SESSION.format("--time=1:00:00 ", NONE), HIDDEN),
        (SESSION.format("--gres=gpu:1 ", NONE), "device-lost"),
        ("salloc --gpus=1\n" + SESSION.format("", NONE), "device-lost"),
        ("#SBATCH --gpus-per-node=4\n" + SESSION.format("", NONE), "device-lost"),
        (SESSION.format("", "GPU 0: NVIDIA A100 (UUID: GPU-66ffd018)"), "healthy"),
    ],
)
def test_a_shell_of_slurm_that_asks_for_no_gpu_gets_none(text: str, cause: str):
    assert ruled(text) == cause


SCRIPT = """#!/bin/bash
#SBATCH --partition=gpu
#SBATCH --time=1:00:00
{}
python train.py

{}
"""
WITH = "#SBATCH --gres=gpu:1"


@pytest.mark.parametrize(
    ("asked", "end", "cause"),
    [
        ("", NONE, HIDDEN),
        ("#SBATCH --cpus-per-task=4", NO_GPU, HIDDEN),
        ("srun gmx mdrun", "cudaErrorNoDevice: no CUDA-capable device is detected", HIDDEN),
        ("#" + WITH, NO_GPU, HIDDEN),  # a comment to Slurm
        (WITH, NONE, "device-lost"),
        ("#SBATCH --exclusive", NONE, "device-lost"),
        (
            "",
            "Failed to initialize NVML: Driver/library version mismatch",
            "driver-library-mismatch",
        ),
    ],
)
def test_a_job_of_slurm_whose_script_asks_for_no_gpu_gets_none(asked: str, end: str, cause: str):
    assert ruled(SCRIPT.format(asked, end)) == cause


def test_a_job_without_a_gpu_in_which_a_program_fails_is_broken():
    found = finding(SCRIPT.format("", NO_GPU))
    assert found.severity is Severity.ERROR
    assert found.title.startswith("This job of Slurm asked for no GPU")
    assert "--gres=gpu:1" in title_and_fix(SCRIPT.format("", NO_GPU))
