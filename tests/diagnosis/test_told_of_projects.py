"""A project's name beside the package of it that is installed: no second package."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import told

GPU_LISTED = "$ pip list | grep tensorflow\ntensorflow-gpu 1.13.1\n"
REMOVED = "Found existing installation: {0} 1.23.2\nUninstalling {0}-1.23.2:\n"


@pytest.mark.parametrize(
    "pasted",
    [
        "tensorflow-gpu 1.2.1 (pip)\nThe problem persists with Tensorflow 1.3.0.",
        "I have tensorflow-gpu 1.4 installed. Training on TensorFlow 1.4 is slow",
        "TensorFlow version: 1.14.0\ntensorflow-gpu 1.14.0 from pip",
        "tf 1.14.0, tensorflow-gpu 1.14.0, cuda 10.0",
        GPU_LISTED + ">>> tf.__version__\n'1.13.1'",
        "Using onnxruntime-gpu 1.16.0. It also happens with onnxruntime 1.15.1.",
        "ONNX Runtime Version: 1.16.0\npackage: onnxruntime-gpu 1.16.0",
        "cupy-cuda11x 12.0, cupy version 12.0",
        REMOVED.format("tensorflow") + "Successfully installed tensorflow-gpu-1.13.1",
    ],
)
def test_a_project_is_no_second_package(pasted: str) -> None:
    assert ruled(pasted) == "unknown"


@pytest.mark.parametrize(
    "pasted",
    [
        GPU_LISTED + "tensorflow 1.13.1\n>>> tf.__version__\n'1.13.1'",
        "tensorflow-gpu==1.13.1\ntensorflow==2.0.0\nkeras==2.2.4",
        "I installed both tensorflow 1.13.1 and tensorflow-gpu 1.13.1",
        REMOVED.format("onnxruntime") + REMOVED.format("onnxruntime-gpu"),
    ],
)
def test_two_packages_that_are_listed_clash(pasted: str) -> None:
    assert ruled(pasted) == "mixed-installs"


def test_the_packages_own_build_stays() -> None:
    found = told("onnxruntime-gpu 1.16.0 on Linux, ONNX Runtime version 1.16.0 there")
    assert found["package.onnxruntime-gpu.build"] == "cuda"
    assert "package.onnxruntime.build" not in found
