"""A GPU that is too old for a part of a program: a kernel, an attention, a type of numbers."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding


@pytest.mark.parametrize(
    ("text", "least"),
    [
        (
            "ValueError: torchao FP8 config 'X' requires GPU compute capability >= 8.9 (e.g., Ada)",
            "8.9",
        ),
        ("RuntimeError: NVFP4 JIT kernels require compute capability >= 10.0, got 8.6.", "10.0"),
        ("NotImplementedError: Marlin kernel only supports compute capability >= 7.5.", "7.5"),
        (
            "ValueError: LLM-AWQ is only supported on CUDA GPUs with compute capability >= 8.0",
            "8.0",
        ),
        (
            (
                "ValueError: No tinygemm with a device of compute capability (7, 0), the minimum"
                " compute capability is 8.0 for tensor core kernels."
            ),
            "8.0",
        ),
        (
            "RuntimeError: Unsloth: float8_training needs compute capability 8.9+ (fp8); T4 is 7.5",
            "8.9",
        ),
        (
            "RuntimeError: ('Attention currently only supported', 'for compute capability >= 80')",
            "8.0",
        ),
        (
            (
                "RuntimeError: ('Quantization scheme is not supported for ', 'the current GPU. Min"
                " capability: 100. ', 'Current capability: 90.')"
            ),
            "10.0",
        ),
        (
            (
                "RuntimeError: Quantization scheme is not supported for the current GPU. Required"
                " capability: 75. Current capability: 70."
            ),
            "7.5",
        ),
        (
            (
                "ValueError: FP8 KV cache is not supported on A100 (compute capability 8.0); native"
                " FP8 (fp8e4nv) requires SM89+. Re-run with --kv-cache-dtype bfloat16."
            ),
            "8.9",
        ),
        ("AssertionError: an FP8 KV cache needs native fp8e4nv (SM89+).", "8.9"),
        (
            "NotImplementedError: flash_attn at sgl-kernel is only supported on sm90 and above",
            "9.0",
        ),
        (
            "NotImplementedError: Kernel requires SM100 (Blackwell); detected pre-SM100 hardware.",
            "10.0",
        ),
        ("AssertionError: Float8 quantization is only supported on CUDA>=8.9 and MI300+", "8.9"),
        (
            "ValueError: Loading INT4 checkpoints on CUDA requires a Turing or newer NVIDIA GPU.",
            "Turing or newer",
        ),
        ("NotImplementedError: Unsloth: Your GPU is too old for vLLM!", "vLLM"),
        ("[Bug] Unsloth: Your GPU is too old for float8 KV cache! Set it to", "float8 KV cache"),
        ("NotImplementedError: Unsloth: Your GPU is too old!", "Unsloth"),
        ("It ends with: Unsloth: Your GPU is too old!", "Unsloth"),
    ],
)
def test_a_part_of_a_program_tells_the_least_that_it_serves(text: str, least: str):
    found = finding(text)
    assert found.title == f"A program says that the GPU is below what it serves: {least}"
    assert "by its options" in found.fix.text
    assert not found.fix.commands


@pytest.mark.parametrize(
    "text",
    [
        "vLLM requires a GPU with compute capability 7.0 or higher (e.g. V100, T4, A100).",
        "UserWarning: FP8 needs compute capability 8.9 or higher; bf16 is taken",
        (
            "Unsloth: Tesla T4 has no FP8 compute (compute capability 8.9 or higher), so this FP8"
            " checkpoint is dequantized to 16-bit on load."
        ),
        "Int8 kernels are only supported on sm75 and above",
        "ValueError: the camera's capability: 12 frames, minimum 24",
        "Is your GPU too old for vLLM?",
        "With Unsloth: is your GPU too old?",
    ],
)
def test_what_is_no_refusal_names_no_gpu(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("gpu", "text", "cause"),
    [
        ("", "NotImplementedError: DeepGEMM MegaMoE requires SM100 GPUs.", "gpu-too-old"),
        ("RTX 5090", "NotImplementedError: DeepGEMM MegaMoE requires SM100 GPUs.", "gpu-too-new"),
        ("RTX 3090", "RuntimeError: MXFP8 requires Blackwell GPUs (SM100/SM120).", "gpu-too-old"),
        ("RTX 5090", "RuntimeError: MXFP8 requires Blackwell GPUs (SM100/SM120).", "unknown"),
        ("RTX 5090", "ValueError: only supported on Blackwell GPUs (SM100/SM12x).", "unknown"),
        ("RTX 4090", "ValueError: it requires a Blackwell (SM100) GPU.", "gpu-too-old"),
        ("", "The MXFP8 path requires SM100 GPUs.", "unknown"),
    ],
)
def test_a_kernel_for_some_architectures_alone(gpu: str, text: str, cause: str):
    assert ruled(f"NVIDIA GeForce {gpu}\n{text}" if gpu else text) == cause


def test_the_architectures_that_a_kernel_serves_are_named_alike():
    found = finding("RuntimeError: Expected is_sm80 || is_sm90 to be true, but got false.")
    assert found.title == "A kernel serves GPUs of sm_80, sm_90 alone"
