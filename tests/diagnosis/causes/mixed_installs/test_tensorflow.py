"""Two packages that claim the same module, as TensorFlow tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import fix

CONFLICT = (
    "ImportError: Found conflicting TensorFlow installations in this environment: {}. "
    "These distributions install into the same directory"
)
TWO = "tensorflow  {0}\ntensorflow-gpu  {0}\n>>> tf.test.is_gpu_available()\nFalse\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (CONFLICT.format("tensorflow 2.19.0, tensorflow-cpu 2.17.0"), "mixed-installs"),
        (TWO.format("1.8.0"), "mixed-installs"),
        (
            (
                "tensorflow 2.15.0\ntensorflow-cpu 2.15.0\nDriver Version: 470.82.01\n"
                ">>> tf.config.list_physical_devices('GPU')\n[]\n"
            ),
            "mixed-installs",
        ),
    ],
)
def test_two_packages_of_one_module_are_named(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        CONFLICT.format("tensorflow 2.19.0, tensorflow-intel 2.19.0"),
        TWO.format("2.4.0"),
    ],
)
def test_kin_of_two_packages_of_one_module_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


ASKS = "{name} {version} requires gast==0.3.3, but you have gast 0.4.0 which is incompatible."


@pytest.mark.parametrize(
    ("asking", "cause"),
    [
        ((("tensorflow", "2.6.0"), ("tensorflow-gpu", "2.3.0")), "mixed-installs"),
        ((("tensorflow", "2.6.0"), ("tensorflow-probability", "0.14.0")), "unknown"),
    ],
)
def test_a_package_that_pip_says_asks_for_another_is_installed(
    asking: tuple[tuple[str, str], ...], cause: str
):
    lines = (ASKS.format(name=name, version=version) for name, version in asking)
    assert ruled("\n".join(("ERROR: pip's dependency resolver …", *lines))) == cause


@pytest.mark.parametrize(
    ("packages", "cause"),
    [
        ("TensorFlow: tf-nightly 2.4.0.dev20200701", "unknown"),
        ("tensorflow==2.3.0\ntf-nightly==2.4.0.dev20200701", "mixed-installs"),
    ],
)
def test_a_nightly_tensorflow_alone_is_no_mixture(packages: str, cause: str):
    assert ruled(f"{packages}\nThe GPU is not used.\n") == cause


BESIDE = """tensorflow-gpu is installed, and everything runs on the CPU.
{}
"""


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The plain tensorflow package sits in one env\nnext to it.", "mixed-installs"),
        ("It holds tensorflow (others\nuse it) and tensorflow-gpu side by side.", "mixed-installs"),
        ("tensorflow-gpu and tensorflow-cpu are both installed.", "mixed-installs"),
        ("tensorflow and tensorflow-gpu are both installed\n", "mixed-installs"),
        ("Are tensorflow and tensorflow-gpu both installed?", "unknown"),
        ("If tensorflow is there next to it, remove one.", "unknown"),
        ("pytorch sits in the same environment next to it.\nimport tensorflow as tf", "unknown"),
    ],
)  # fmt: skip
def test_the_package_for_cpus_is_told_to_lie_beside_the_other(sentence: str, cause: str):
    assert ruled(BESIDE.format(sentence)) == cause


def test_two_packages_of_a_release_that_made_them_alike_are_left_in_peace():
    told = "tensorflow-gpu 2.4.0 is there.\ntensorflow 2.4.0 sits next to it.\n"
    listed = "tensorflow==2.4.0\ntensorflow-gpu==2.4.0\n"
    assert ruled(told + listed) == "unknown"


def test_nuget_takes_the_package_without_cuda_away():
    text = "packages: Microsoft.ML.TensorFlow.Redist, SciSharp.TensorFlow.Redist-Windows-GPU\n"
    assert fix(text).commands[0] == "dotnet remove package Microsoft.ML.TensorFlow.Redist"
