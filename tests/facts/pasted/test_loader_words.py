"""Libraries that people miss in words of their own, beside those that programs print."""

from __future__ import annotations

import pytest

from gpuprobe.facts.pasted.failures import loader
from gpuprobe.facts.pasted.text import Text


def missing(pasted: str) -> set[str]:
    return {key.name for key, _ in loader.read(Text(pasted)) if key.name.endswith(".missing")}


@pytest.mark.parametrize(
    ("pasted", "stems"),
    [
        ("libcudnn.so.8 and libcusolver.so.10 dont load", {"cudnn", "cusolver"}),
        ("It says that libcudart.so.11.0 doesn't load", {"cudart"}),
        ("'libcublas.so.12' cannot be loaded", {"cublas"}),
        ("dlerror: libcudnn.so.7 cudaNN is missing", {"cudnn"}),
        ("the libcudnn.so.7 file could not be found", {"cudnn"}),
        ("Unable to find the library libcufft.so.11", {"cufft"}),
        ("it can't find 'libcublas.so.12'", {"cublas"}),
        (
            "it is trying to find libcudart.so in the path, but the file is libcudart.so.11.0",
            {"cudart"},
        ),
    ],
)
def test_a_missed_library_is_named(pasted: str, stems: set[str]) -> None:
    assert missing(pasted) == {f"library.{stem}.missing" for stem in stems}


@pytest.mark.parametrize(
    "pasted",
    [
        "libcudnn.so.8 and libcusolver.so.10 do load",
        "I don't load libcudnn.so.8 here",
        "libcudnn.so.7 is found and the rest is missing",
        "trying to find libcudart.so in /usr/local/cuda/lib64",
        "trying to load libcudart.so; it works",
        "can't find libpng16.so.16",
    ],
)
def test_what_loads_or_is_of_no_gpu_is_not_missing(pasted: str) -> None:
    assert missing(pasted) == set()
