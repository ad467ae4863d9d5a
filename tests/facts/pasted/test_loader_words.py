"""Libraries that people miss in words of their own, beside those that programs print."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
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


UNDER_NAMES = 'Unable to find nvrtc lib under the names ["nvrtc", "nvrtc64_12", "nvrtc64_125_0"].'


@pytest.mark.parametrize(
    ("beside", "stems"),
    [
        ("", {"nvrtc"}),
        ("its bin folder holds nvrtc64_120_0.dll\n", set()),
        ("its bin folder holds cublas64_12.dll\n", {"nvrtc"}),
        ("its bin folder holds nvrtc64.lib\n", {"nvrtc"}),
    ],
)
def test_library_that_is_there_by_another_name_is_not_missing(beside: str, stems: set[str]) -> None:
    assert missing(beside + UNDER_NAMES) == {f"library.{stem}.missing" for stem in stems}


PRELOAD = (
    "    ctypes.WinDLL(build_info.{}_dll_name)\n    self._handle = _dlopen(self._name, mode)\n"
)
LOST = "OSError: [WinError 126] {}"


@pytest.mark.parametrize(
    ("checked", "stem"),
    [("nvcuda", "cuda"), ("cudart", "cudart"), ("cudnn", "cudnn"), ("msvcp", "msvcp140")],
)
@pytest.mark.parametrize(
    "words",
    ["The specified module could not be found", "Das angegebene Modul wurde nicht gefunden"],
)
def test_dll_that_tensorflow_looks_for_before_its_import_is_named_by_the_code(
    checked: str, stem: str, words: str
) -> None:
    facts = read(PRELOAD.format(checked) + LOST.format(words))
    assert facts.subjects(names.LIBRARY_MISSING) == (stem,)


@pytest.mark.parametrize(
    "pasted",
    [
        PRELOAD.format("cudnn") + "OSError: [WinError 193]",
        PRELOAD.format("cudnn"),
        "    ctypes.WinDLL(os.path.join(folder, name))\n" + LOST.format("Module not found"),
    ],
)
def test_another_error_or_code_names_no_dll(pasted: str) -> None:
    assert not read(pasted).subjects(names.LIBRARY_MISSING)
