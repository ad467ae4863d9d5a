"""An import of TensorFlow whose error was left out, beside another CUDA than it needs."""

from __future__ import annotations

import pytest

from support.cases import ruled

CUT = """OS: Windows 10
tensorflow-gpu: 1.{minor}.0
CUDA: {cuda}

  File "C:\\envs\\tf\\lib\\site-packages\\tensorflow\\python\\{file}.py", line 74, in <module>
{below}"""


@pytest.mark.parametrize(
    ("minor", "cuda", "file", "below", "cause"),
    [
        (12, "10.0", "pywrap_tensorflow", "", "framework-cuda-mismatch"),
        (14, "9.2", "pywrap_tensorflow_internal", "", "framework-cuda-mismatch"),
        (14, "10.0", "pywrap_tensorflow", "", "unknown"),
        (12, "10.0", "eager\\context", "", "unknown"),
        (
            12,
            "10.0",
            "pywrap_tensorflow",
            "ModuleNotFoundError: No module named 'wrapt'",
            "unknown",
        ),
    ],
)
def test_an_import_whose_error_was_left_out(
    minor: int, cuda: str, file: str, below: str, cause: str
) -> None:
    assert ruled(CUT.format(minor=minor, cuda=cuda, file=file, below=below)) == cause


LINUX = """OS: Ubuntu 16.04
tensorflow-gpu: 1.{minor}.0
CUDA: {cuda}

  File "/opt/py/lib/python3.6/site-packages/tensorflow/python/{file}.py", line 58, in <module>
"""


@pytest.mark.parametrize(
    ("minor", "cuda", "file", "cause"),
    [
        (12, "10.0", "pywrap_tensorflow", "framework-cuda-mismatch"),
        (4, "9.0", "pywrap_tensorflow_internal", "framework-cuda-mismatch"),
        (12, "9.0", "pywrap_tensorflow", "unknown"),
        (14, "9.0", "pywrap_tensorflow", "unknown"),  # it opens the libraries by itself
        (12, "10.0", "eager/context", "unknown"),
    ],
)
def test_the_same_on_linux(minor: int, cuda: str, file: str, cause: str) -> None:
    assert ruled(LINUX.format(minor=minor, cuda=cuda, file=file)) == cause
