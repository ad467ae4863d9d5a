"""Which library lacks a symbol, and the release that has it."""

from __future__ import annotations

import pytest

from gpuprobe.knowledge.driver_functions import first_of_library
from support.pasted import commands, finding, fix, printed

SYMBOL = "ImportError: {file}: undefined symbol: {symbol}, version {version}\n"
PIPS = (
    "/opt/venv/lib/python3.11/site-packages/torch/lib/../../nvidia/cusparse/lib/libcusparse.so.12"
)


def test_the_library_that_asks_for_a_symbol_is_not_the_one_that_lacks_it():
    text = SYMBOL.format(file=PIPS, symbol="__nvJitLinkComplete_12_4", version="libnvJitLink.so.12")
    assert finding(text).title == (
        "libcusparse.so.12 needs __nvJitLinkComplete_12_4, which the libnvJitLink.so.12 that is "
        "loaded does not have (it is older than 12.4)"
    )
    assert fix(text).commands == (
        'env -u LD_LIBRARY_PATH python -c "import torch"',
        'pip install --force-reinstall "nvidia-nvjitlink-cu12==12.4.*"',
    )


def test_nccls_release_is_told_by_its_function():
    text = "torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister\n"
    assert finding(text).title.endswith("(it is older than 2.19)")
    assert "nvidia-nccl-cu12>=2.19" in commands(text)


def test_the_version_of_a_symbol_is_no_file_that_asks_for_it():
    text = "undefined symbol: cudaGetDriverEntryPointByVersion, version libcudart.so.12\n"
    assert finding(text).title == (
        "A program needs cudaGetDriverEntryPointByVersion, which the libcudart.so.12 that is "
        "loaded does not have (it is older than 12.5)"
    )


def test_without_a_release_what_asks_is_installed_anew():
    file = PIPS.replace("cusparse/lib/libcusparse.so.12", "cublas/lib/libcublas.so.11")
    text = SYMBOL.format(file=file, symbol="cublasLtGetStatusString", version="libcublasLt.so.11")
    assert "older than" not in finding(text).title
    assert "--force-reinstall" not in commands(text)
    assert "--force-reinstall torch==1.13.1" in commands(text + "torch==1.13.1\n")


@pytest.mark.parametrize(
    ("function", "first"),
    [
        ("__nvJitLinkComplete_12_4", "12.4"),
        ("__nvJitLinkCreate_13_0", "13.0"),
        ("ncclMemAlloc", "2.19"),
        ("ncclAllReduce", None),
        ("nvJitLinkVersion", None),
    ],
)
def test_the_first_release_with_a_function(function: str, first: str | None):
    found = first_of_library(function)
    assert (None if found is None else str(found[1])) == first


SOLVER = (
    "{}ImportError: /usr/local/cuda/targets/x86_64-linux/lib/libcusolver.so.11: undefined symbol:"
)
SOLVER += " cublasSetEnvironmentMode, version libcublas.so.12\n"


def test_pips_older_library_is_renewed_for_the_systems() -> None:
    pip = "nvidia-cublas-cu12==12.8.4.1\n"
    assert "--upgrade nvidia-cublas-cu12" in printed(SOLVER.format(pip))
    assert "--upgrade" not in printed(SOLVER.format(""))
    assert "--upgrade" not in printed(SOLVER.format(pip + "torch==2.7.0\n"))


def test_windows_looks_along_path() -> None:
    told = "OS: Windows 10\nThe procedure entry point cublasLtGetStatusString could not be located"
    told += r" in the dynamic link library D:\app\cublas64_11.dll"
    assert "where.exe" in printed(told)
    assert "LD_LIBRARY_PATH" not in printed(told)


@pytest.mark.parametrize(
    ("before", "asker"),
    [
        ("[Bug]: ", "A program"),
        ("At run time: ", "A program"),
        ("/env/lib/libcusparse.so.12: ", "libcusparse.so.12"),
        ("./tool: symbol lookup error: tool: ", "tool"),
    ],
)
def test_who_asks_is_a_file_and_no_word_of_a_sentence(before: str, asker: str) -> None:
    told = f"{before}undefined symbol: __nvJitLinkComplete_12_4, version libnvJitLink.so.12"
    assert finding(told).title.startswith(f"{asker} needs __nvJitLinkComplete_12_4")
