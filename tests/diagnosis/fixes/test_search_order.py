"""Where the library that is refused comes from, and who has to leave it out."""

from __future__ import annotations

from gpuprobe import explain


def fix_of(pasted: str) -> str:
    root = explain(pasted).diagnosis.root
    assert root is not None
    fix = root.finding.fix
    return " ".join((fix.text, *fix.commands, fix.undo or ""))


REFUSED = "{}LD_LIBRARY_PATH=/usr/local/cuda/compat\nError 804: forward compatibility was attempted"
REFUSED += " on non supported HW\nCUDA error"


def test_image_brings_the_library_that_is_refused() -> None:
    assert "In a container the image brings" in fix_of(REFUSED.format("Environment: docker\n"))
    assert "/etc/ld.so.conf.d" in fix_of(REFUSED.format(""))
