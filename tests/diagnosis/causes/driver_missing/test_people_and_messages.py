"""A driver that is missing, told by bare messages and people."""

from __future__ import annotations

import pytest

from support.cases import ruled

NUMBA = "CudaSupportError: Error at driver init:\n\nCUDA driver library cannot be found."
NO_LIBRARY = 'source=gpu.go:311 msg="Discovered GPU libraries: []"\n'
NO_GPU = 'source=routes.go:953 msg="no GPU detected"'
RADEON = 'source=gpu.go:311 msg="Discovered GPU libraries: [/opt/rocm/lib/librocm_smi64.so.5]"'
OLLAMA = 'level=DEBUG source=gpu.go:522 msg="discovered GPU libraries" paths={}\n'
NONE = 'level=INFO source=gpu.go:350 msg="no compatible GPUs were discovered"\n'
NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."
LOGGED = "worker_1  | Loading the model\nworker_1  | " + NO_DRIVER
GREETING = "您好\uff0c请问一下。\n"
CHECK_FOR_A_DRIVER = (
    "\nRuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA"
    " GPU and installed a driver from http://www.nvidia.com/Download/index.aspx"
)
NEW_MACHINE = "I have a problem with my new machine.\n"
UNMET = " {} : Depends: something (>= 1.0) but it is not going to be installed"
CUDA = "Cannot load libcuda.so.1\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("WARNING: Could not find any nv files on this host!", "driver-missing"),
        ("INFO:    Could not find any NVIDIA binaries on this host!", "driver-missing"),
        (f"OS: Ubuntu 20.04\nGPU: GTX 1650\n{NUMBA}", "driver-missing"),
        ("[cuda_driver.cpp:load_lib@36] libcuda.so lib not found.", "driver-missing"),
        ("[audio.cpp:load_lib@36] libopus.so lib not found.", "unknown"),
        ("AssertionError: libcuda.so cannot found!", "driver-missing"),
        (NO_LIBRARY + NO_GPU, "driver-missing"),
        (NO_LIBRARY + RADEON, "unknown"),
        (OLLAMA.format("[]") + NONE, "driver-missing"),
        (OLLAMA.format("[]"), "unknown"),
        (OLLAMA.format(r"[C:\\Windows\\System32\\nvcuda.dll]") + NONE, "unknown"),
        ('Unable to dynamically load the "nvcuda" shared library', "driver-missing"),
        ("Debug: No system CUDA driver found", "driver-missing"),
        ("ImportError: /usr/lib/x86_64-linux-gnu/libcuda.so.1: file too short", "driver-missing"),
        (LOGGED.replace("worker_1  |", "worker 1  :"), "driver-missing"),
        ("The system restarts the worker when training crashes", "unknown"),
        (GREETING + "我的服务器没有安装显卡驱动", "driver-missing"),
        ("I have an AMD Ryzen 5 processor." + CHECK_FOR_A_DRIVER, "driver-missing"),
        ("I have an AMD gpu and also an RTX 3060." + CHECK_FOR_A_DRIVER, "driver-missing"),
        ("%cd /contents" + CHECK_FOR_A_DRIVER, "driver-missing"),
        (NEW_MACHINE + "It turned out that the nvidia driver was not installed", "driver-missing"),
        (NEW_MACHINE + "The host has no nvidia driver", "driver-missing"),
        (NEW_MACHINE + "The NVIDIA drivers disappeared after the update", "driver-missing"),
        ("E: Unable to locate package nvidia-driver-570", "driver-missing"),
        ("E: Unable to locate package python3-cuda-tools", "unknown"),
        (UNMET.format("nvidia-driver-565-open"), "driver-missing"),
        ("OS: Unraid\n" + CUDA, "driver-missing"),
        (
            "Unable to query number of CUDA devices! Is an nVidia driver installed?",
            "driver-missing",
        ),
        (
            "OSError: libnvidia-opencl.so.1: cannot open shared object file: No such file",
            "driver-missing",
        ),
        ('dlopen "libcuda.so" failed!', "driver-missing"),
        ("libcuda.so not found, exiting", "driver-missing"),
        ("[cuda_driver.cpp:CUDADriver@34] CUDA driver not found.", "driver-missing"),
        ("DllNotFoundException: Unable to load DLL 'nvcuda': not found", "driver-missing"),
        ("Unable to load shared library 'nvcuda' or one of its dependencies", "driver-missing"),
        (
            (
                "trying to overwrite '/usr/lib/x86_64-linux-gnu/libnvidia-ml.so', which is also in"
                " package libnvidia-compute-450"
            ),
            "driver-missing",
        ),
        ("trying to overwrite '/usr/bin/node', which is also in package nodejs", "unknown"),
        ("Errors were encountered while processing: nvidia-304", "driver-missing"),
        ("Errors were encountered while processing:\n mysql-server\n", "unknown"),
        (
            "nothing provides 'k = 5' needed by the to be installed nvidia-gfxG05-kmp-default-4",
            "driver-missing",
        ),
        ("nvidia-driver-535 : Breaks: libnvidia-gl-525", "driver-missing"),
        ("vim : Breaks: vim-tiny", "unknown"),
    ],
)
def test_a_driver_that_is_missing_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "INFO: Could not find any libraries on this host!",
        "Unable to load custom driver library",
        "ImportError: /x/libfoo.so.1: file too short",
        "If the loader says libcuda.so not found, install the driver.",
    ],
)
def test_kin_of_a_driver_that_is_missing_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


CUDARC = 'Unable to dynamically load the "cuda" shared library - searched for library names: ["{}"]'


@pytest.mark.parametrize(("name", "cause"), [("cuda", "driver-missing"), ("ssl", "unknown")])
def test_a_rust_programs_missing_libcuda_is_a_missing_driver(name: str, cause: str):
    assert ruled(CUDARC.format(name)) == cause


NO_DRIVER_LINE = "RuntimeError: Found no NVIDIA driver on your system.\n"
DXDIAG = "           Card name: {name}\n        Manufacturer: unsaid\n"


def test_one_adapter_of_a_laptop_that_has_two():
    text = f"Laptop with a GeForce RTX 3060\n{DXDIAG.format(name='AMD Radeon(TM) Graphics')}"
    assert ruled(text + NO_DRIVER_LINE) == "driver-missing"


@pytest.mark.parametrize(
    "pasted",
    [
        "ImportError: {}: невозможно открыть разделяемый объектный файл: Нет такого файла",
        "ImportError: {}: 共有オブジェクトファイルを開けません: そのようなファイルはありません",
        "ImportError: {}: não foi possível abrir arquivo de objeto compartilhado",
        "ImportError: {}: impossibile aprire il file oggetto condiviso: File non esistente",
        "ImportError: {}: nie można otworzyć pliku obiektu współdzielonego",
    ],
)
def test_a_library_that_the_loader_does_not_find(pasted: str) -> None:
    assert ruled(pasted.format("libcuda.so.1")) == "driver-missing"
    assert ruled(pasted.format("libpng16.so.16")) == "unknown"


def test_code_that_would_list_the_adapters_lists_none():
    code = (
        "for gpu in wmi.WMI().Win32_VideoController():\n    print(gpu.Name)\n# Intel(R) UHD 630\n"
    )
    shown = "Intel(R) UHD Graphics 630\nTraceback (most recent call last):\n"
    failed = "RuntimeError: Found no NVIDIA driver on your system.\n"
    assert ruled(code + shown + failed) == "driver-missing"
