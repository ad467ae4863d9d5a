"""A Python for which no JAX has the part for a CUDA that pip was asked for."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding


@pytest.mark.parametrize(
    ("python", "command", "told", "cause"),
    [
        (
            "3.10.12",
            'pip install -U "jax[cuda13]"',
            "JAX does not use the GPU",
            "python-unsupported",
        ),
        (
            "3.9.18",
            "uv pip install jax[cuda13]",
            "jax.devices(): [CpuDevice(id=0)]",
            "python-unsupported",
        ),
        ("3.11.9", 'pip install -U "jax[cuda13]"', "JAX does not use the GPU", "other"),
        ("3.10.12", 'pip install -U "jax[cuda12]"', "JAX does not use the GPU", "other"),
        ("3.10.12", 'pip install -U "jax[cuda13]"', "All is well.", "other"),
        ("3.10.12", "The page says pip install jax[cuda13]", "JAX does not use the GPU", "other"),
    ],
)
def test_a_part_of_jax_that_no_release_for_this_python_has(
    python: str, command: str, told: str, cause: str
):
    found = ruled(f"OS: Linux\nPython version: {python}\n{command}\n{told}\n")
    assert (found == "python-unsupported") == (cause == "python-unsupported")


def test_the_last_jax_for_the_python_is_offered_with_its_own_part():
    text = 'Python version: 3.10.4\npip install "jax[cuda13]"\nJAX does not use the GPU\n'
    found = finding(text)
    assert "from 0.7.0 on, for Python 3.11 and newer; this is 3.10" in found.title
    assert found.fix.commands[-2:] == (
        'pip install --upgrade "jax[cuda13]"',
        'pip install --upgrade "jax[cuda12]==0.6.2"',
    )
