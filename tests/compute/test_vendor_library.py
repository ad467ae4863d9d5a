"""The names by which NVIDIA's libraries are searched for are those that the C core opens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpuprobe.compute.vendor_library import FILES

PLATFORM = Path(__file__).parents[2] / "csrc" / "platform"
#: The back end by the name of its list in C.
LISTS = {"cublas": "gp_cublaslt_file_names", "cudnn": "gp_cudnn_file_names"}


def opened(system: str, backend: str) -> list[str]:
    """What the core opens on a system, the one that is wanted most first."""
    source = (PLATFORM / system / "gp_toolkit_files.c").read_text(encoding="utf-8")
    listed = re.search(LISTS[backend] + r"\[\] = \{([^}]*), NULL\};", source)
    assert listed is not None, f"{system}: no {LISTS[backend]}"
    return re.findall(r'"([^"]+)"', listed.group(1))


@pytest.mark.parametrize("backend", FILES)
def test_the_search_and_the_core_know_the_same_names(backend: str):
    assert [file.linux for file in FILES[backend]] == opened("posix", backend)
    assert [file.windows for file in FILES[backend]] == opened("win32", backend)
