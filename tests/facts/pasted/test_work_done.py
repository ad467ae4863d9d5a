"""What shows that work was done on the GPU, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted.runs import work_done
from gpuprobe.facts.pasted.text import Text


def facts(pasted: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, fact in work_done.read(Text(pasted)):
        found.setdefault(key.name, str(getattr(fact, "value", None)))
    return found


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        ("tensor([1.], device='cuda:0')", {"framework.torch.computed": "True"}),
        (
            "tensor([[0.1, 0.2],\n        [0.3, 0.4]], device='cuda:0', grad_fn=<AddBackward0>)",
            {"framework.torch.computed": "True"},
        ),
        (
            "Executing op MatMul in device /job:localhost/replica:0/task:0/device:GPU:0",
            {"framework.tensorflow.computed": "True"},
        ),
        (
            "MatMul: (MatMul): /job:localhost/replica:0/task:0/device:GPU:0",
            {"framework.tensorflow.computed": "True"},
        ),
        (
            "Created device /job:localhost/replica:0/task:0/device:GPU:0 with 6658 MB memory",
            {"framework.tensorflow.sees_gpu": "True"},
        ),
        (
            "Creating TensorFlow device (/gpu:0) -> (device: 0, name: GeForce GTX 1080)",
            {"framework.tensorflow.sees_gpu": "True"},
        ),
        (
            (
                "W0000 gpu_device.cc:2431] TensorFlow was not built with CUDA kernel binaries "
                "compatible with compute capability 12.0. CUDA kernels will be jit-compiled"
            ),
            {"framework.tensorflow.sees_gpu": "True"},
        ),
        (
            "llm_load_tensors: offloaded 33/33 layers to GPU",
            {"framework.llama-cpp-python.computed": "True"},
        ),
        (
            "load_tensors: offloaded 0/33 layers to GPU",
            {"framework.llama-cpp-python.computed": "False"},
        ),
        (
            "UserWarning: FP16 is not supported on CPU; using FP32 instead",
            {"framework.torch.computed": "False"},
        ),
        (
            "NAME ID SIZE PROCESSOR UNTIL\nllama3 365c 6.7 GB 100% GPU 4 minutes",
            {"framework.ollama.computed": "True"},
        ),
        ("GPU time: 6.3 ms\nCPU time: 1010 ms", {"framework.program.computed": "True"}),
        ("Loaded cuDNN version 8600", {"cudnn.version": "8.6.0"}),
        (
            (
                "Loaded runtime CuDNN library: 7005 (compatibility version 7000) but source was "
                "compiled with 7103 (compatibility version 7100)."
            ),
            {"cudnn.version": "7.0.5", "cudnn.built_with": "7.1.3"},
        ),
        (
            "Loaded runtime CuDNN library: 8.1.0 but source was compiled with: 8.6.0.",
            {"cudnn.version": "8.1.0", "cudnn.built_with": "8.6.0"},
        ),
    ],
)
def test_a_line_that_proves_something(pasted: str, expected: dict[str, str]) -> None:
    assert facts(pasted) == expected


@pytest.mark.parametrize(
    "pasted",
    [
        ">>> torch.tensor([1.0], device='cuda:0')",
        "x = torch.zeros(3, device='cuda:0')",
        "GPU time: 900 ms\nCPU time: 1000 ms",
        "GPU 0: 30 s",
        "Executing op MatMul in device /job:localhost/replica:0/task:0/device:CPU:0",
        "memory 100% GPU",
    ],
)
def test_a_line_that_proves_nothing(pasted: str) -> None:
    assert facts(pasted) == {}


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(noise: str) -> None:
    facts(f"tensor({noise} device='cuda:0')\nGPU {noise}: 1 ms\nCPU: 9{noise}")
    facts(f"Loaded runtime CuDNN library: {noise} but source was compiled with: {noise}")
