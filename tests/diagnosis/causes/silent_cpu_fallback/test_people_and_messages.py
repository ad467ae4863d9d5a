"""Work that the CPU does beside a GPU that works, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

LAYER = 'CUDA backend will fallback to the CPU implementation for the layer "Gelu_4" of type Gelu\n'
PIPELINE = (
    "Hardware accelerator e.g. GPU is available in the environment, but no `device` argument is "
    "passed to the `Pipeline` object. Model will be on CPU."
)
_HALF = "doesn't support efficient float16 computation"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU available: True (cuda), used: False", "silent-cpu-fallback"),
        ("* CUDA:\n\t- GPU:               None\n\t- available:         False", "unknown"),
        ("- available:         True", "unknown"),
        ("UserWarning: Performing inference on CPU when CUDA is available", "silent-cpu-fallback"),
        (LAYER, "silent-cpu-fallback"),
        (LAYER.replace("fallback", "not fall back"), "unknown"),
        (
            "NOTE: GPU(s) found, but the current simulation can not use GPUs\n",
            "silent-cpu-fallback",
        ),
        (
            "cuda.is_available() gives True. But it is the CPU that does the work.",
            "silent-cpu-fallback",
        ),
        ("cuda.is_available() gives True. And it is the GPU that does the work.", "healthy"),
        ("Running on: cuda\nMy gpu has next to nothing to do, a 3090", "silent-cpu-fallback"),
        (PIPELINE, "silent-cpu-fallback"),
        (PIPELINE.removeprefix("Hardware accelerator e.g. "), "silent-cpu-fallback"),
        # Device without half precision is the GPU or the CPU.
        (f"the target device {_HALF}\nGPU: RTX 4050", "silent-cpu-fallback"),
        (f"the target device {_HALF}\nGPU: GTX 1080", "gpu-too-old"),
        (f"the target device {_HALF}", "unknown"),
    ],
)
def test_work_that_the_cpu_does_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


ARENA = '"CUDA backend will fallback to the CPU implementation for the layer \\"" << ld.name'


@pytest.mark.parametrize(
    "text",
    [
        (
            "CUDA backend will fallback to the CPU implementation for the layer "
            '"_input" of type __NetInputLayer__\nFPS: 120\n'
        ),
        f"CV_LOG_INFO(NULL, {ARENA});\n",
        "Running on: cuda\nMy gpu has much to do, a 3090",
    ],
)
def test_kin_of_work_that_the_cpu_does_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


def test_a_gpu_that_no_framework_sees_was_not_just_left_idle() -> None:
    assert ruled("My training runs on CPU only, the GPU is not used") == "unknown"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("In main.py the device isn't used anywhere, so training goes on the cpu.",
         "silent-cpu-fallback"),
        ("train.py never calls .to(device), so everything runs on the CPU.", "silent-cpu-fallback"),
        ("The model is never moved to the GPU and trains on the CPU.", "silent-cpu-fallback"),
        ("There is no .cuda() in the code, that is why it takes the CPU.", "silent-cpu-fallback"),
        ("The model isn't moved to the GPU if it runs on the CPU.", "unknown"),
        ("Why is the device not used? It is on the CPU.", "unknown"),
        ("The data is not copied to the GPU but stays in CPU memory.", "unknown"),
        ("The device is not used by the CPU version.", "unknown"),
        (("The device isn't used anywhere, so it goes on the cpu.\n"
         "AssertionError: Torch not compiled with CUDA enabled"), "cpu-only-build"),
    ],
)  # fmt: skip
def test_somebody_read_that_code_leaves_the_gpu_out(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "In a tf.function the work goes from the GPU to the CPU. Without it is done on the GPU",
            "silent-cpu-fallback",
        ),
        (
            "Inside @tf.function it is executed on the CPU, eagerly on the GPU",
            "silent-cpu-fallback",
        ),
        ("Without XLA it runs on the GPU, with it work moves to the CPU", "silent-cpu-fallback"),
        ("The augmentation is done on the CPU, the training on the GPU, without fuss", "unknown"),
        ("Without a GPU it runs on the CPU, otherwise on the GPU.", "unknown"),
        ("Should it run on the CPU inside, and outside run on the GPU?", "unknown"),
    ],
)
def test_work_leaves_the_gpu_in_another_form(told: str, cause: str) -> None:
    assert ruled(f"tensorflow-gpu 2.1\n{told}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Only 20 of the 65 layers are on the GPU, and it is slow.", "silent-cpu-fallback"),
        ("Of all 81 layers only 33 were offloaded, with much room left.", "silent-cpu-fallback"),
        ("Only 20 of the 65 layers are on the GPU, as more do not fit.", "unknown"),
        ("Should only 20 of the 65 layers be on the GPU?", "unknown"),
        ("ollama: only 20 of 65 layers are offloaded", "unknown"),
        ("Of the 51 layers only 10 are trained.", "unknown"),
    ],
)
def test_some_layers_of_a_model_are_left_to_the_cpu(text: str, cause: str):
    assert ruled(text) == cause
