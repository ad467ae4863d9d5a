"""Code of a newer nvcc that is linked with an older CUDA run time, and with none at all."""

from __future__ import annotations

import pytest

from support.cases import root_by_rules, ruled

PUSH = "k.cu:(.text+0xef): undefined reference to `__cudaPushCallConfiguration'\n"
POP = "kernels.obj : error LNK2019: unresolved external symbol __cudaPopCallConfiguration\n"


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("/usr/bin/ld: kernels.o: in function `run':\n" + PUSH, "kernels.o"),
        (POP, "kernels.obj"),
        (
            "ld.lld: error: undefined symbol: __cudaPushCallConfiguration\n>>> referenced by a.cu",
            "the program",
        ),
        ('saxpy.o: In function "f":\n' + PUSH.replace(" to `", ' for "'), "saxpy.o"),
    ],
)
def test_an_older_run_time_is_linked_than_nvcc_compiled_for(text: str, file: str):
    root = root_by_rules(text)
    assert root.cause == "toolkit-mismatch"
    assert file in root.finding.title


def test_without_the_run_time_more_is_missed():
    assert ruled(f"{PUSH}k.cu:(.text+0x1): undefined reference to `cudaMalloc'") == "unknown"
    assert ruled(f"{POP}{POP.replace('PopCallConfiguration', 'RegisterFunction')}") == "unknown"


def test_a_loader_that_misses_it_tells_of_a_file():
    nvcc = "Cuda compilation tools, release 9.0, V9.0.176\n"
    missed = f"{nvcc}lib.so: undefined symbol: __cudaPopCallConfiguration"
    assert root_by_rules(missed).finding.title.startswith("The code of lib.so is of CUDA 9.2")
