"""Files of the Visual C++ run time that somebody names in a sentence as not there."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("my computer does not have VCRUNTIME140_1.dll available", "msvc-runtime-missing"),
        ("It doesn't have the msvcp140.dll", "msvc-runtime-missing"),
        ("VCRUNTIME140_1.dll is there, and it does not have a signature", "unknown"),
    ],
)
def test_somebody_tells_that_a_file_is_not_there(told: str, cause: str):
    assert ruled(f"OS: Windows 10\n{told}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("Unable to load DLL 'libtensorflow'", "msvc-runtime-missing"),
        ("Unable to load DLL 'libtensorflow.dll': (0x8007007E)", "msvc-runtime-missing"),
        ("Unable to load DLL 'libtensorflow': (0x800700C1)", "unknown"),  # of other bits
        ("Unable to load DLL 'other'", "unknown"),  # which may be nowhere
    ],
)
def test_a_dll_that_is_there_and_that_dotnet_does_not_load(told: str, cause: str):
    copied = "I copied all files to the server, libtensorflow.dll too"
    assert ruled(f"OS: Windows Server 2012\n{copied}\n{told}\n") == cause
    assert ruled(f"OS: Windows Server 2012\nlibtensorflow.dll is missing\n{told}\n") == "unknown"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("It says that dlls are not found, for example vcruntime140, msvcp140.", True),
        ("When I start it, msvcp140 is missing.", True),
        ("The program can't find vcruntime140_1.", True),
        ("I copied vcruntime140 and msvcp140 beside it, but cublas is not found.", False),
        ("I fixed it: msvcp140 was missing.", False),
        ("If vcruntime140 is missing, it says so.", False),
        ("It comes with vcruntime140 and msvcp140.", False),
    ],
)
def test_files_of_the_run_time_are_named_without_their_end(told: str, *, cause: bool):
    assert (ruled(f"Windows 10, a miner for CUDA.\n{told}\n") == "msvc-runtime-missing") is cause
