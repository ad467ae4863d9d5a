"""Fixes on Windows: DLLs, drivers that it stopped, and commands that it has."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.diagnosis.fixes.framework import install_gpu_build
from gpuprobe.diagnosis.fixes.ground import Ground
from gpuprobe.diagnosis.inquiry import trials
from gpuprobe.diagnosis.inquiry.model import Platform
from gpuprobe.diagnosis.questions.packages.frameworks import Package
from support.pasted import finding
from support.texts import SMI_RTX_4090

_ORT = "ImportError: DLL load failed while importing onnxruntime_pybind11_state: {}\n"
_START = "A dynamic link library (DLL) initialization routine failed."
_ABSENT = "The specified module could not be found."


@pytest.mark.parametrize(
    ("pasted", "title"),
    [
        (
            _ORT.format(_START),
            "onnxruntime_pybind11_state was found, but failed to start (error 1114)",
        ),
        (
            _ORT.format(_ABSENT),
            "onnxruntime_pybind11_state does not load: a DLL that it needs is missing or too old",
        ),
        (
            "Microsoft Visual C++ Redistributable is not installed, this may lead to a failure.",
            "The Visual C++ run time is not installed",
        ),
    ],
    ids=["start", "absent", "told"],
)  # fmt: skip
def test_a_title_tells_missing_from_failing(pasted: str, title: str):
    assert finding(pasted).title == title


_LOADING = (
    "{}OSError: [WinError 126] The specified module could not be found. Error loading "
    '"C:\\venv\\lib\\site-packages\\torch\\lib\\{}" or one of its dependencies.\n'
)
_REDISTRIBUTABLE = "winget install Microsoft.VCRedist.2015+.x64"


@pytest.mark.parametrize(
    ("before", "file", "first"),
    [
        ("", "fbgemm.dll", "cu124"),
        ("torch==2.4.0+cu121\n", "fbgemm.dll", "cu121"),
        ("torch==2.2.0+cu121\n", "fbgemm.dll", _REDISTRIBUTABLE),
        ("", "c10.dll", _REDISTRIBUTABLE),
    ],
)
def test_what_torch_asks_for_is_not_in_the_redistributable(before: str, file: str, first: str):
    fix = finding(_LOADING.format(before, file)).fix
    assert fix is not None
    assert fix.commands[0].endswith(first)


def test_a_processor_without_avx_is_named_for_tensorflow_alone():
    line = "ImportError: DLL load failed while importing {}: " + _START
    tensorflow = finding(line.format("_pywrap_tensorflow_internal")).fix
    other = finding(line.format("onnxruntime_pybind11_state")).fix
    assert tensorflow is not None
    assert other is not None
    assert "AVX" in tensorflow.text
    assert "AVX" not in other.text


CODE = "I installed the driver of my RTX 3060 and get {} in Device Manager"


def test_code_43_is_of_windows() -> None:
    told = finding(CODE.format("error 43"))
    assert "Windows stopped the GPU" in told.title
    assert told.fix.commands == ("devmgmt.msc",)


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("Could not load dynamic library 'cudart64_101.dll'", "where.exe cudart64_101.dll"),
        ("Could not load dynamic library 'cublas64_10.dll'", "where.exe cublas64_10.dll"),
        ("Could not load dynamic library 'libcudart.so.10.1'", "ldconfig -p | grep libcudart"),
    ],
)
def test_a_dll_is_looked_for_as_on_windows(missing: str, command: str):
    root = gpuprobe.explain(f"{missing}; dlerror: not found\n").diagnosis.root
    assert root is not None
    assert root.finding.fix is not None
    assert command in root.finding.fix.commands


@pytest.mark.parametrize(("system", "sudo"), [("Windows 11", False), ("Ubuntu 22.04", True)])
def test_windows_has_no_sudo(system: str, sudo: bool) -> None:
    text = f"OS: {system}\n" + SMI_RTX_4090.replace("   Default", "Prohibited")
    fix = finding(text + "CUDA error: all CUDA-capable devices are busy or unavailable").fix
    assert all(("sudo" in command) is sudo for command in (*fix.commands, fix.undo or ""))


BUSY = SMI_RTX_4090 + "CUDA error: all CUDA-capable devices are busy or unavailable"


@pytest.mark.parametrize(
    ("system", "line"),
    [
        ("Windows 11", '$env:CUDA_VISIBLE_DEVICES = "NUMBER"'),
        ("Ubuntu 22.04", "export CUDA_VISIBLE_DEVICES=NUMBER"),
    ],
)
def test_a_variable_is_set_as_the_shell_of_the_system_does(system: str, line: str) -> None:
    assert line in finding(f"OS: {system}\n{BUSY}").fix.commands


def test_no_command_for_windows_is_one_of_cmd_alone() -> None:
    llama = Package("llama-cpp-python", "llama.cpp", "", "cpu")
    built = install_gpu_build(llama, Ground((), None, None, None, "windows")).commands[1]
    assert built.startswith('$env:CMAKE_ARGS = "-DGGML_CUDA=on"; pip install ')
    asked = trials.BEFORE_START.commands[Platform.WINDOWS]
    assert asked == ('$env:CUDA_VISIBLE_DEVICES = "1"', "python PROGRAM")
