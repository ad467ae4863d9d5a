"""Where the library that is refused comes from, and who has to leave it out."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.search_order import search_folder_aside
from support.pasted import printed

REFUSED = "{}LD_LIBRARY_PATH=/usr/local/cuda/compat\nError 804: forward compatibility was attempted"
REFUSED += " on non supported HW\nCUDA error"


def test_image_brings_the_library_that_is_refused() -> None:
    assert "In a container the image brings" in printed(REFUSED.format("Environment: docker\n"))
    assert "/etc/ld.so.conf.d" in printed(REFUSED.format(""))


def test_one_sentence_leads_to_the_library_where_nvidia_smi_works() -> None:
    told = printed("CUDA failure 804: forward compatibility was attempted on non supported HW\n")
    assert "is found before the driver's: take the cuda-compat folder out of" in told


@pytest.mark.parametrize(
    ("listed", "path", "undo"),
    [
        (None, "/opt/driver", "unset LD_LIBRARY_PATH"),
        ("/opt/lib", "/opt/driver:$LD_LIBRARY_PATH", "take the folder out again"),
    ],
)
def test_a_folder_is_added_to_a_search_path_that_is_there(
    listed: str | None, path: str, undo: str
) -> None:
    fix = search_folder_aside("/opt/driver/libcuda.so.1", listed)
    assert (fix.commands, fix.undo) == ((f"export LD_LIBRARY_PATH={path}",), undo)
