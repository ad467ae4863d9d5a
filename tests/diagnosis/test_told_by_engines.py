"""What Ollama, vLLM, PaddlePaddle and JAX say of where they run and what memory is left."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_LIBRARY = 'source=gpu.go:311 msg="Discovered GPU libraries: []"\n'
NO_GPU = 'source=routes.go:953 msg="no GPU detected"'
RADEON = 'source=gpu.go:311 msg="Discovered GPU libraries: [/opt/rocm/lib/librocm_smi64.so.5]"'
RUNNERS = 'msg="Dynamic LLM libraries" runners="[cpu cpu_avx cpu_avx2{}]"\nRTX 3090, driver 555.58'
LEFT = "the rest of the memory reserved for KV Cache is {}GiB."
PLUGIN = (
    "An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. "
    "Falling back to cpu."
)
BACKEND = "RuntimeError: Unknown backend: 'gpu' requested. Platforms present are: cpu"
PADDLE = "paddlepaddle==2.6.1\nRTX 3060\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (f"docker run -p 11434:11434 ollama/ollama\n{NO_LIBRARY}{NO_GPU}", "container-no-gpu"),
        (NO_LIBRARY + NO_GPU, "driver-missing"),
        (RUNNERS.format(""), "cpu-only-build"),
        (LEFT.format("-3.71"), "oom-workload"),
        ("Available KV cache memory: -1.87 GiB", "oom-workload"),
        ("executor_base.py:111] # cuda blocks: 0, # CPU blocks: 4681", "oom-workload"),
        (f"Google Colab with a T4\n{PLUGIN}", "cpu-only-build"),
        (f"Kaggle notebook with GPU\n{PLUGIN}", "cpu-only-build"),
        ("Google Colab\nNo GPU/TPU found, falling back to CPU.", "no-nvidia-gpu"),
        ("RuntimeError: Unknown backend gpu", "cpu-only-build"),
        (f"{PADDLE}It uses the CPU for inference.", "cpu-only-build"),
        (f"{PADDLE}It runs on the CPU, the GPU is not used.", "cpu-only-build"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        NO_LIBRARY + RADEON,
        RUNNERS.format(" cuda_v11 cuda_v12"),
        RUNNERS.format("").partition("\n")[0],
        LEFT.format("13.71"),
        "executor_base.py:111] # cpu blocks: 4681, # CPU blocks: 0",
        BACKEND,
        f"{PADDLE}We use the cpu for inference and the GPU for training.",
        f"{PADDLE}How do I use cpu for inference?",
        f"{PADDLE}ImportError: libGL.so.1: cannot open shared object file",
        "It uses the CPU for inference.",
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


def test_jax_that_lists_the_gpu_is_another_than_that_which_warned() -> None:
    assert ruled(f"{PLUGIN}\n>>> jax.devices()\n[CudaDevice(id=0)]") == "unknown"
