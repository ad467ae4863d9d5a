"""A GPU that a variable hides, told by TensorFlow, JAX and Julia."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("(pid=3343) " * 2 + NO_DEVICE, "hidden-by-visible-devices"),
        ("ray.exceptions.RayTaskError(RuntimeError)\n" + NO_DEVICE, "hidden-by-visible-devices"),
        ("ray.exceptions.RayTaskError(ValueError)", "unknown"),
        (
            "$ CUDA_VISIBLE_DEVICES=  julia\njulia> CUDA.has_cuda_gpu()  # the first\nfalse",
            "hidden-by-visible-devices",
        ),
    ],
)
def test_a_gpu_that_a_variable_hides_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("value", "cause"), [("''", "hidden-by-visible-devices"), ("0", "unknown")]
)
def test_jax_takes_the_cpu_where_the_variable_is_empty(value: str, cause: str):
    fallback = "WARNING:absl:No GPU/TPU found, falling back to CPU."
    assert ruled(f"$ CUDA_VISIBLE_DEVICES={value} python train.py\n{fallback}\n") == cause


DEEPLABCUT = """deeplabcut.train_network(config, gputouse={gpu})
failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected
"""


@pytest.mark.parametrize(("gpu", "hidden"), [("1", True), ("0", False), ("None", False)])
def test_deeplabcut_is_given_the_number_of_a_gpu(gpu: str, *, hidden: bool):
    assert (ruled(DEEPLABCUT.format(gpu=gpu)) == "hidden-by-visible-devices") is hidden


CUINIT_NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Here I can run nvidia-smi correctly.", "hidden-by-visible-devices"),
        ("Inside the docker container nvidia-smi works.", "hidden-by-visible-devices"),
        ("I am in a docker container. On the host nvidia-smi works.", "container-no-gpu"),
        ("I should check if nvidia-smi works.", "driver-not-loaded"),
    ],
)
def test_cuda_has_no_device_where_nvidia_smi_works(told: str, cause: str):
    assert ruled(f"{told}\n{CUINIT_NO_DEVICE}\n") == cause


@pytest.mark.parametrize("environment", ["env", "os.environ", "self.env"])
def test_code_keeps_an_environment_under_any_name(environment: str):
    line = f"    {environment}['CUDA_VISIBLE_DEVICES'] = '100'\n"
    text = f"theano cannot use the GPU:\n{line}{CUINIT_NO_DEVICE}\n"
    assert ruled(text) == "hidden-by-visible-devices"


NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"


@pytest.mark.parametrize(
    "text",
    [
        f'>>> print(os.environ.get("CUDA_VISIBLE_DEVICES", "-1"))\n-1\n{NO_GPUS}',
        f'Set os.environ["CUDA_VISIBLE_DEVICES"] -> "-1" to disable the GPU.\n{NO_GPUS}',
        f"Environment variables:\nCUDA_VISIBLE_DEVICES          -1\n{NO_DEVICE}",
        f"Name   Default\nCUDA_VISIBLE_DEVICES          none\n{NO_GPUS}",
        f"echo [ CUDA_VISIBLE_DEVICES:-1 ]\n{NO_GPUS}",
    ],
)
def test_a_default_or_a_manual_sets_no_variable(text: str):
    assert ruled(text) != "hidden-by-visible-devices"
