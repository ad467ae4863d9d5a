"""What becomes of a program's exit code."""

from __future__ import annotations

import pytest

from gpuprobe.launch.program import with_sign


@pytest.mark.parametrize(("code", "passed_on"), [
    (0, 0), (1, 1), (255, 255), (0x7FFFFFFF, 0x7FFFFFFF), (0xC0000005, -1073741819), (-15, -15),
])  # fmt: skip
def test_a_code_of_windows_fits_where_sys_exit_takes_a_sign(code: int, passed_on: int):
    """Else it would become -1."""
    assert with_sign(code) == passed_on
