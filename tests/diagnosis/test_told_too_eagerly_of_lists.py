"""Listings, defaults, manuals and comments that look like settings and are none."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"
NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
MISSING = "ImportError: libcublas.so.13: cannot open shared object file: No such file\n"
OFFLOADED = "llama_model_load: offloaded 33/33 layers to GPU\n"


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


@pytest.mark.parametrize(
    "listing",
    [
        "$ ls /usr/local/lib/ollama/cuda_v12\nlibcublas.so.12\n",
        "$ ls venv/lib/python3.10/site-packages/nvidia/cublas/lib\nlibcublas.so.12\n",
        "$ ls /usr/lib/python3/dist-packages/nvidia/cublas/lib\nlibcublas.so.12\n",
        "$ ldd program | grep cublas\nlibcublas.so.12 => not found\n",
    ],
)
def test_a_folder_of_one_program_is_no_installed_cuda(listing: str):
    assert ruled(listing + MISSING) == "cublas-missing"


def test_a_comment_tells_what_an_answer_would_mean():
    asked = ">>> llama_supports_gpu_offload()  # False means CPU build\nTrue\n"
    assert ruled(asked + OFFLOADED) == "healthy"


def test_code_that_would_list_the_adapters_lists_none():
    code = (
        "for gpu in wmi.WMI().Win32_VideoController():\n    print(gpu.Name)\n# Intel(R) UHD 630\n"
    )
    shown = "Intel(R) UHD Graphics 630\nTraceback (most recent call last):\n"
    failed = "RuntimeError: Found no NVIDIA driver on your system.\n"
    assert ruled(code + shown + failed) == "driver-missing"
