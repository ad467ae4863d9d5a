"""What a Windows file is linked with, and which of it Windows finds."""

from __future__ import annotations

import pytest

from support.cases import ruled

LINKED = (
    "C:\\w>dumpbin /dependents fft.cp311-win_amd64.pyd\n"
    "Dump of file fft.cp311-win_amd64.pyd\n"
    "  Image has the following dependencies:\n\n"
    "    cufft64_11.dll\n    KERNEL32.dll\n    VCRUNTIME140.dll\n"
)
NOT_FOUND = "C:\\w>where cufft64_11.dll\nINFO: Could not find files for the given pattern(s).\n"
FAILED = (
    'C:\\w>python -c "import fft"\n'
    "ImportError: DLL load failed while importing fft: The specified module could not be found.\n"
)


def test_a_library_that_it_is_linked_with_is_not_found():
    assert ruled(LINKED + NOT_FOUND + FAILED) == "cublas-missing"


@pytest.mark.parametrize(
    "text",
    [
        LINKED + FAILED,
        LINKED.replace("    KERNEL32", "    c10.dll\n    KERNEL32") + NOT_FOUND + FAILED,
        LINKED + NOT_FOUND.replace("cufft64_11", "nvcuda") + FAILED,
        LINKED.replace("dumpbin /dependents", "dumpbin /headers") + NOT_FOUND + FAILED,
    ],
)
def test_no_library_of_it_was_looked_for_in_vain(text: str):
    assert ruled(text) != "cublas-missing"


def test_a_file_that_loads_lacks_nothing():
    assert ruled(LINKED + NOT_FOUND) in ("unknown", "healthy")
