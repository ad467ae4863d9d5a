"""The real driver keeps the contract that the fakes keep: what they play is what it does."""

from __future__ import annotations

import os

import pytest

from support.child import run_python
from support.contracts import CONTRACT


@pytest.mark.parametrize("name", CONTRACT)
def test_real_driver_keeps_the_contract(name: str):
    done = run_python(os.environ, "-m", "support.contracts", name)
    assert done.returncode == 0, done.stderr
