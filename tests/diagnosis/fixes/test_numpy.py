"""Which NumPy a module wants, and what brings the two together."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Safety
from support.pasted import finding, printed

WARNED = "bootstrap.py:219: {}: numpy.dtype size changed, may indicate binary incompatibility.\n"


def test_a_warning_of_numpy_asks_for_nothing() -> None:
    told = finding(WARNED.format("RuntimeWarning"))
    assert "Python warns, and loads it" in told.title
    assert told.fix.safety is Safety.SAFE
    assert 'ignore:numpy.dtype size changed"' in told.fix.commands[0]
    ended = finding(WARNED.format("ValueError"))
    assert "does not load" in ended.title
    assert ended.fix.commands == ('pip install "numpy<2"',)


TWO = (
    "{}A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.2.6 as it may crash.\n"
)


def test_numpy_of_an_image_is_changed_where_it_is_built() -> None:
    assert "Dockerfile" in printed(TWO.format("Environment: docker\n"))
    assert "Dockerfile" not in printed(TWO.format(""))


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
