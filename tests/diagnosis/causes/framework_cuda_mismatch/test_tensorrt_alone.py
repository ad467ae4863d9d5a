"""A start-up of TensorFlow that ends with TensorRT's absence, which means nothing by itself."""

from __future__ import annotations

import pytest

from support.cases import ruled

TENSORRT = (
    "W dso_loader.cc:55] Could not load dynamic library 'libnvinfer.so.6'; dlerror: "
    "libnvinfer.so.6: cannot open shared object file: No such file or directory\n"
    "W py_utils.cc:30] Cannot dlopen some TensorRT libraries. If you would like to use Nvidia GPU "
    "with TensorRT, please make sure the missing libraries mentioned above are installed properly."
    "\n"
)
OPENED = "I dso_loader.cc:44] Successfully opened dynamic library libcudart.so.10.1\n"


@pytest.mark.parametrize(
    ("tensorflow", "cuda", "then", "cause"),
    [
        ("2.1.0", "10.2", "", "framework-cuda-mismatch"),
        ("2.3.1", "11.0", "", "framework-cuda-mismatch"),
        ("2.1.0", "10.1", "", "healthy"),
        ("2.1.0", "10.2", OPENED, "healthy"),
    ],
)
def test_who_asks_about_it_has_not_come_to_what_is_missed(
    tensorflow: str, cuda: str, then: str, cause: str
):
    assert ruled(f"tensorflow: {tensorflow}\ncuda: {cuda}\n{TENSORRT}{then}") == cause
