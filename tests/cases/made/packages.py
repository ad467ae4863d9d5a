"""Packages that are in each other's way, or were built against something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tools
from .machine import T4, Machine, drivers_of
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    del dice
    yield from _mixed()
    yield from _numpy()
    yield from _extensions()
    yield from _python()


def _mixed() -> Iterator[Made]:
    cpu = ">>> ort.get_available_providers()\n['CPUExecutionProvider']"
    for version in ("1.16.3", "1.19.2"):
        both = {"onnxruntime": version, "onnxruntime-gpu": version, "numpy": "1.26.4"}
        yield "mixed-installs", joined(tools.pip_list(both), cpu)
        yield "mixed-installs", joined(tools.pip_freeze(both), cpu)
    warning = (
        "UserWarning: \n  CuPy may not function correctly because multiple CuPy packages are "
        "installed\n  in your environment:\n\n    cupy-cuda11x, cupy-cuda12x"
    )
    yield "mixed-installs", joined(warning)
    two = tools.pip_list({"cupy-cuda11x": "12.3.0", "cupy-cuda12x": "13.1.0"})
    yield "mixed-installs", joined(two, "ImportError: DLL load failed")


def _numpy() -> Iterator[Made]:
    two = (
        "A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.1.0 as it may crash. "
        "To support both 1.x and 2.x\nversions of NumPy, modules must be compiled with NumPy 2.0."
    )
    yield "numpy-abi", joined(two, "RuntimeError: Numpy is not available")
    packages = tools.pip_list({"numpy": "2.1.0", "torch": "2.2.2"})
    yield "numpy-abi", joined(packages, two)
    size = (
        "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 "
        "from C header, got 88 from PyObject"
    )
    yield "numpy-abi", joined(size)


def _extensions() -> Iterator[Made]:
    site = "/opt/venv/lib/python3.10/site-packages"
    flash = (
        f"ImportError: {site}/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol: "
        "_ZN3c104cuda9SetDeviceEi"
    )
    yield "extension-mismatch", joined(flash)
    both = tools.pip_list({"flash-attn": "2.5.8", "torch": "2.4.1"})
    yield "extension-mismatch", joined(both, flash)
    xformers = (
        "WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:\n"
        "    PyTorch 2.1.0+cu121 with CUDA 1201 (you have 2.0.1+cu118)"
    )
    yield "extension-mismatch", joined(xformers)
    vision = (
        "RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA "
        "major versions. PyTorch has CUDA Version=12.1 and torchvision has CUDA Version=11.8."
    )
    yield "extension-mismatch", joined(vision), "mixed-installs"


def _python() -> Iterator[Made]:
    """A Python that came after, or went before, the releases asked for."""
    smi = tools.nvidia_smi(Machine(T4, drivers_of(T4)[-4]))
    for python, wanted in (("3.12.3", "tensorflow==2.10.0"), ("3.13.0", "tensorflow==2.15.0")):
        error = (
            f"$ python --version\nPython {python}\n$ pip install {wanted}\n"
            f"ERROR: Could not find a version that satisfies the requirement {wanted} (from "
            f"versions: none)\nERROR: No matching distribution found for {wanted}"
        )
        yield "python-unsupported", joined(error)
        yield "python-unsupported", joined(smi, error)
