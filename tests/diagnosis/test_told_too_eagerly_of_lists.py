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


CPU_ONLY = "AssertionError: Torch not compiled with CUDA enabled\n"
SEEN = ">>> torch.cuda.is_available()\nTrue\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # A remote desktop and a server's console are such adapters beside a card that works.
        (f"GPU: NVIDIA RTX A4000, Microsoft Basic Display Adapter\n{CPU_ONLY}", "cpu-only-build"),
        (f"Video: NVIDIA RTX A4000, Microsoft Basic Display Adapter\n{SEEN}", "healthy"),
        ("The Microsoft Basic Display Adapter is used when no NVIDIA driver is there.", "unknown"),
        (f"xformers is_available: False\n{SEEN}", "healthy"),
        (f"NPU is_available: False\n{SEEN}", "healthy"),
        (f"CUDA 10.0, is_available: True\n{SEEN}", "healthy"),
        (
            "print(torch.cuda.is_available())  # False on my machine\ntorch 2.1.0+cpu",
            "cpu-only-build",
        ),
    ],
)
def test_what_is_said_of_others_is_not_said_of_torch_or_the_card(text: str, cause: str):
    assert ruled(f"OS: Windows 11\n{text}\n") == cause


MODULE = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{MODULE}/usr/local/cuda/compat/libcuda.so.470.82.01\n{SEEN}",
        f"{MODULE}/usr/lib/x86_64-linux-gnu/libcuda.so.470.82.01 was there before\n{SEEN}",
    ],
)
def test_a_library_that_lies_there_is_not_the_one_that_is_loaded(text: str):
    assert ruled(text) == "healthy"


@pytest.mark.parametrize(
    ("program", "cause"),
    [("1 GPU selected for this run.", "healthy"), ("building engine", "unknown")],
)
def test_a_program_that_began_with_the_gpu(program: str, cause: str):
    assert ruled(f"{program}\n") == cause


@pytest.mark.parametrize(
    ("where", "cause"),
    [
        ("where /R C:\\project msvcp140.dll", "cpu-only-build"),
        ("where C:\\project:msvcp140.dll", "cpu-only-build"),
        ("where msvcp140.dll", "cpu-only-build"),  # no DLL has failed
    ],
)
def test_where_looked_in_a_folder_of_its_own_or_for_nothing(where: str, cause: str):
    answer = "INFO: Could not find files for the given pattern(s).\n"
    assert ruled(f"C:\\> {where}\n{answer}{CPU_ONLY}") == cause


@pytest.mark.parametrize(
    ("asked", "printed", "cause"),
    [
        ('"CUDA_VISIBLE_DEVICES", ""', "'-1'", "hidden-by-visible-devices"),
        ('"CUDA_VISIBLE_DEVICES", "not set"', "-1", "hidden-by-visible-devices"),
        ('"CUDA_VISIBLE_DEVICES", "not set"', "'not set'", "unknown"),
        ('"CUDA_VISIBLE_DEVICES", ""', "''", "unknown"),
    ],
)
def test_a_default_that_is_no_number_is_told_from_the_value(asked: str, printed: str, cause: str):
    assert ruled(f">>> os.environ.get({asked})\n{printed}\n{NO_GPUS}") == cause


@pytest.mark.parametrize(
    ("listing", "cause"),
    [
        (
            "$ cd /usr/local/cuda/lib64\n$ ls libcublas*\nlibcublas.so.12\n",
            "framework-cuda-mismatch",
        ),
        ("$ cd /srv/engine\n$ ls libcublas*\nlibcublas.so.12\n", "cublas-missing"),
        (
            "$ find / -name 'libcublas*'\n/var/lib/docker/ab/diff/usr/lib/libcublas.so.12\n",
            "cublas-missing",
        ),
        ("$ ls /usr/local/cuda/lib64/stubs\nlibcublas.so.12\n", "cublas-missing"),
    ],
)
def test_a_listing_is_of_the_folder_that_was_entered(listing: str, cause: str):
    assert ruled(listing + MISSING) == cause


LIMITS = """$ nvidia-smi -q -d POWER,PERFORMANCE
GPU 00000000:01:00.0
    Clocks Event Reasons
        SW Power Cap                      : Active
    GPU Power Readings
        Current Power Limit               : 80.00 W
        Default Power Limit               : {default} W
        Max Power Limit                   : 175.00 W
    Utilization
        Gpu                               : 99 %
"""


@pytest.mark.parametrize(("default", "cause"), [("80.00", "unknown"), ("150.00", "power-thermal")])
def test_a_limit_as_its_maker_set_it_is_no_fault(default: str, cause: str):
    assert ruled(LIMITS.format(default=default)) == cause


def test_mig_may_split_cards_that_are_not_known_by_name():
    told = "After I enabled MIG mode: RuntimeError: No CUDA GPUs are available\n"
    listed = "GPU 0: NVIDIA {} (UUID: GPU-11111111-1111-1111-1111-111111111111)\n"
    assert ruled(listed.format("A800-SXM4-80GB") + told) == "mig"
    assert ruled(listed.format("GeForce RTX 3090") + told) != "mig"
