"""What decides where a text names its cause only in passing; and what must not be taken for it."""

from __future__ import annotations

import pytest

from support.cases import ruled

SECOND_GPU = 'os.environ["CUDA_VISIBLE_DEVICES"] = "1"\n'
NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"
STUB = "AttributeError: /opt/cuda-12.1/lib64/stubs/libcuda.so: undefined symbol: _undef\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (SECOND_GPU + NO_GPUS, "hidden-by-visible-devices"),
        (SECOND_GPU + "kernel version seems to match DSO: 410.129.0", "hidden-by-visible-devices"),
        (STUB + "Call to cuInit results in UNKNOWN_CUDA_ERROR", "stub-library"),
        (
            (
                "Loading binary C:\\venv\\bitsandbytes\\libbitsandbytes_cuda118.so\n"
                "argument of type 'WindowsPath' is not iterable"
            ),
            "extension-mismatch",
        ),
        (
            (
                "GPU: NVIDIA GeForce RTX 3060 Ti\n"
                "Ultralytics YOLOv8.1.3 Python-3.10.11 torch-2.1.0+cpu\n"
                "torch.cuda.is_available(): False"
            ),
            "cpu-only-build",
        ),
    ],
)
def test_a_hint_decides(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (SECOND_GPU, "hidden-by-visible-devices"),
        (SECOND_GPU.replace("1", "0") + NO_GPUS, "hidden-by-visible-devices"),
        (SECOND_GPU + "Found no NVIDIA driver on your system", "hidden-by-visible-devices"),
        (STUB.replace("stubs/", ""), "stub-library"),
        ("gcc -L/opt/cuda-12.1/lib64/stubs/libcuda.so main.c", "stub-library"),
        ("TypeError: argument of type 'PosixPath' is not iterable", "extension-mismatch"),
        ("Ultralytics YOLOv8.1.3 Python-3.10.11 torch-2.1.0+cu121 CUDA:0", "cpu-only-build"),
    ],
)
def test_its_near_miss_does_not(pasted: str, cause: str) -> None:
    assert ruled(pasted) != cause
