"""What threads of users show in a line or two: a script, a command, a limit, a loader's words."""

from __future__ import annotations

import pytest

from support.cases import ruled

FABRIC = """OS: Ubuntu 24.04, HGX H100
Starting NVIDIA fabric manager daemon...
{refused}NVIDIA Fabric Manager Start Script
Usage: /usr/bin/nvidia-fabricmanager-start.sh [script options] --args [arguments to run]
"""


@pytest.mark.parametrize(
    ("refused", "cause"), [("Unknown option: /etc/fabric.cfg\n", "fabric-manager"), ("", "unknown")]
)
def test_fabric_managers_script_refuses_how_it_is_called(refused: str, cause: str):
    assert ruled(FABRIC.format(refused=refused)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("- GPU 1 capped to 200 W of 300 W default", "power-thermal"),
        ("the power limit is 225 W (default 350 W)", "power-thermal"),
        ("- GPU 1 capped to 280 W of 300 W default", "unknown"),
        ("the power limit was 225 W (default 350 W) before I reset it", "unknown"),
    ],
)
def test_a_power_limit_is_told_beside_the_cards_own(line: str, cause: str):
    assert ruled(f"2x RTX 3090, training is slower than last week\n{line}\n") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (
            "The program can't start because VCOMP140.DLL is missing from your computer.",
            "msvc-runtime-missing",
        ),
        ("engine.dll does not load because no msvcp140.dll is on this PC", "msvc-runtime-missing"),
        ("VCOMP140.DLL is loaded from C:\\Windows\\System32", "unknown"),
    ],
)
def test_windows_lacks_a_file_of_the_run_time(line: str, cause: str):
    assert ruled(f"OS: Windows 11\n{line}\n") == cause


LIGHTGBM = """[LightGBM] [Info] Using GPU Device: {device}
[LightGBM] [Info] GPU programs have been built
[LightGBM] [Info] 12 dense feature groups (3.20 MB) transfered to GPU in 0.004 secs.
"""


@pytest.mark.parametrize(
    ("device", "cause"),
    [
        ("Quadro P2000, Vendor: NVIDIA Corporation", "healthy"),
        ("gfx900, Vendor: Advanced Micro Devices, Inc.", "unknown"),
    ],
)
def test_older_lightgbm_spells_its_transfer_otherwise(device: str, cause: str):
    assert ruled(LIGHTGBM.format(device=device)) == cause


FACTORY = (
    "{said}\nE cuda_dnn.cc:93] Unable to register cuDNN factory: Attempting to register factory"
    " for plugin cuDNN when one has already been registered\n"
)


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("Same error with TensorFlow 2.14:", "healthy"),
        ("GPU not detected, with this error:", "unknown"),
        ("Same error with TensorFlow 2.14", "unknown"),
    ],
)
def test_somebody_calls_a_harmless_message_an_error(said: str, cause: str):
    assert ruled(FACTORY.format(said=said)) == cause


DIRECTML = """OS: Windows
$ pip install {packages}
OrtException: Specified provider is not supported.
"""


@pytest.mark.parametrize(
    ("packages", "cause"),
    [
        ("onnxruntime-directml onnxruntime-genai-directml onnxruntime", "mixed-installs"),
        ("onnxruntime numpy onnxruntime-directml==1.19.2", "mixed-installs"),
        ("onnxruntime-directml onnxruntime-genai-directml", "unknown"),
        ("onnxruntime-directml instead of onnxruntime", "unknown"),
    ],
)
def test_one_command_installs_two_packages_of_one_module(packages: str, cause: str):
    assert ruled(DIRECTML.format(packages=packages)) == cause


NO_DEVICE = "cuda runtime error (38) : no CUDA-capable device is detected at /src/init.c:12\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("I'm using a small instance **without** NVIDIA device.", "no-nvidia-gpu"),
        ("I'm using a small instance **without** NVIDIA drivers.", "driver-not-loaded"),
    ],
)
def test_a_word_that_stands_out_is_read_like_others(told: str, cause: str):
    assert ruled(f"{told}\n{NO_DEVICE}") == cause


CMAKE = """{system}
CMake Error: The following variables are used in this project, but they are set to NOTFOUND.
{variables}CUDA_CUDA_LIBRARY (ADVANCED)
    linked by target "sample" in directory /src/samples
"""


@pytest.mark.parametrize(
    ("system", "variables", "cause"),
    [
        ("Ubuntu 18.04", "", "driver-missing"),
        ("Windows 10", "", "unknown"),
        ("Ubuntu 18.04, driver version: 450.80.02", "", "unknown"),
        ("Ubuntu 18.04", "CUDA_CUDART_LIBRARY (ADVANCED)\n", "unknown"),
    ],
)
def test_cmake_misses_the_drivers_own_library(system: str, variables: str, cause: str):
    assert ruled(CMAKE.format(system=f"OS: {system}", variables=variables)) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("Could not create cudnn handle: CUDNN_STATUS_ALLOC_FAILED", "oom-preallocation"),
        ("RuntimeError: CUDNN_STATUS_ALLOC_FAILED", "oom-workload"),
    ],
)
def test_tensorflows_words_tell_who_took_the_memory(words: str, cause: str):
    assert ruled(f"GPU: RTX 2070\n{words}\n") == cause


FED = "ValueError: Cannot feed value of shape (64, 64) for Tensor 'x:0', which has shape '(?, 9)'"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (FED, "user-code"),
        ("The placeholder takes a value of shape (64, 64) for Tensor 'x:0'", "unknown"),
    ],
)
def test_tensorflow_is_fed_another_shape(line: str, cause: str):
    assert ruled(f"TensorFlow 1.5, two GPUs\n{line}\n") == cause
