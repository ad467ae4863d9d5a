"""Which NumPy a module wants, and which of several packages is to stay."""

from __future__ import annotations

import pytest

import gpuprobe

_API = "RuntimeError: module compiled against API version {} but this version of numpy is {}\n"
_TORCH = (
    "site-packages/torchvision/x.py:63: UserWarning: Failed to initialize NumPy: module compiled"
    " against API version 0x10 but this version of numpy is 0xf (Triggered internally)\n"
)
_UNTOLD = "A compiled module was made for another NumPy: it does not load with the installed NumPy"
_TWO = (
    "A module that was compiled using NumPy 1.x cannot be run in\n"
    "NumPy 2.0.2 as it may crash. To support both 1.x and 2.x\n"
)
_CUPY = """\
  CuPy may not function correctly because multiple CuPy packages are installed
  in your environment:

    {}

  Follow these steps to resolve this issue:
"""
_ORT = "onnxruntime==1.24.2\nonnxruntime-gpu==1.24.2\n>>> ort.get_available_providers()\n"


def finding(pasted: str) -> gpuprobe.Finding:
    root = gpuprobe.explain(pasted).diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    return root.finding


def commands(pasted: str) -> tuple[str, ...]:
    fix = finding(pasted).fix
    return fix.commands if fix else ()


@pytest.mark.parametrize(
    ("pasted", "title", "command"),
    [
        (
            _API.format("0xd", "0xb"),
            "A compiled module wants NumPy 1.16 or later; installed is NumPy 1.13",
            'pip install --upgrade "numpy>=1.16,<2"',
        ),
        (
            _TORCH,
            "PyTorch wants NumPy 1.23 or later; installed is NumPy 1.22",
            'pip install --upgrade "numpy>=1.23,<2"',
        ),
        (
            _TWO,
            "A compiled module was compiled for NumPy 1: it does not load with NumPy 2.0.2",
            'pip install "numpy<2"',
        ),
        (
            "numpy.ndarray size changed, Expected 88 from C header, got 80 from PyObject",
            "A compiled module was compiled for a newer NumPy than is installed",
            'pip install --upgrade "numpy>=1.20,<2"',
        ),
        (
            "module compiled against ABI version 0x1000009 but this version of numpy is 0x2000000",
            "A compiled module was compiled for NumPy 1: it does not load with NumPy 2",
            'pip install "numpy<2"',
        ),
        (
            "RuntimeError: Numpy is not available\n",
            _UNTOLD,
            'pip install "numpy<2"',
        ),
    ],
    ids=["older", "torch", "two", "size", "abi", "untold"],
)
def test_the_two_numpys_are_compared(pasted: str, title: str, command: str):
    assert finding(pasted).title == title
    assert commands(pasted) == (command,)


def test_the_module_is_named_where_its_release_tells_it():
    assert finding("torch==2.2.2\n" + _TWO).title.startswith("torch 2.2.2 was compiled for NumPy 1")
    assert finding("torch==2.6.0\n" + _TWO).title.startswith("A compiled module was")


def test_what_was_there_is_what_undoing_brings_back():
    fix = finding(_TWO).fix
    assert fix is not None
    assert fix.undo == "pip install numpy==2.0.2"


def test_an_older_copy_is_not_mended_by_another_release():
    pasted = "numpy==1.22.2\n" + _API.format("0xe", "0xd")
    assert "beside 1.22.2 an older copy" in finding(pasted).title
    assert "numpy.__file__" in commands(pasted)[0]


def test_the_packages_that_cupy_lists_are_named():
    pasted = _CUPY.format("cupy-cuda12x, cupy-cuda13x")
    assert "comes from cupy-cuda12x and cupy-cuda13x:" in finding(pasted).title
    assert commands(pasted)[0] == "pip uninstall --yes cupy-cuda12x cupy-cuda13x"


@pytest.mark.parametrize(("serves", "kept"), [("13.0", "cupy-cuda13x"), ("12.4", "cupy-cuda12x")])
def test_of_cupys_packages_the_newest_that_the_driver_serves_stays(serves: str, kept: str):
    smi = f"| NVIDIA-SMI 580.65.06    Driver Version: 580.65.06    CUDA Version: {serves} |\n"
    pasted = smi + _CUPY.format("cupy-cuda12x, cupy-cuda13x")
    assert commands(pasted)[1] == f"pip install {kept}"


def test_without_names_nothing_is_removed_by_a_name_that_is_none():
    pasted = "CuPy may not function correctly because multiple CuPy packages are installed\n"
    assert "comes from several packages" in finding(pasted).title
    assert commands(pasted)[0] == "pip list | grep -i cupy"


def test_what_uv_installed_uv_removes():
    by_uv = commands("packages installed by uv:\n" + _ORT + "['CPUExecutionProvider']\n")
    assert by_uv[0] == "uv pip uninstall onnxruntime onnxruntime-gpu"
    assert by_uv[1] == "uv pip install onnxruntime-gpu==1.24.2"
    by_pip = commands("packages installed by pip:\n" + _ORT + "['CPUExecutionProvider']\n")
    assert by_pip[0] == "pip uninstall --yes onnxruntime onnxruntime-gpu"
