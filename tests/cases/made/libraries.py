"""CUDA libraries that are missing, mixed, or of another release than what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuprobe.knowledge import tables

from . import logs, tools
from .machine import RTX_3090, T4, Machine, drivers_of
from .shape import Made, joined

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

_CANNOT_OPEN = "cannot open shared object file: No such file or directory"


def made(dice: random.Random) -> Iterator[Made]:
    """All of them."""
    yield from _tensorflow(dice)
    yield from _cudnn_versions()
    yield from _onnxruntime()
    yield from _linking()
    yield from _toolkit()
    yield from _windows()


def _tensorflow(dice: random.Random) -> Iterator[Made]:
    """Some of the libraries that a release asks for by name."""
    rows = tables.load("tensorflow").section("releases")
    for row in rows:
        version, wanted = str(row.version("tensorflow")), row.texts("sonames")[1:]
        minor = tuple(int(part) for part in version.split(".")[:2])
        if not (2, 1) <= minor <= (2, 12):
            continue
        machine = Machine(T4, dice.choice(drivers_of(T4)[-6:]))
        fields = tools.form({"TensorFlow version": version, "OS": "Ubuntu 20.04"})
        cudnn = [name for name in wanted if "cudnn" in name]
        rest = [name for name in wanted if name not in cudnn]
        opened, not_opened = logs.tf_opened(rest), logs.tf_not_opened(cudnn)
        yield "cudnn-missing", joined(fields, opened, not_opened)
        smi = tools.nvidia_smi(machine)
        yield "cudnn-missing", joined(smi, fields, opened, not_opened, ">>> []")
        nothing = logs.tf_not_opened(wanted)
        yield "cudart-missing", joined(fields, smi, nothing), "framework-cuda-mismatch"
        cuda = str(row.version("cuda"))
        other = "12.4" if cuda.startswith("11") else "11.8"
        mismatch = joined(fields, tools.nvcc(other), nothing)
        yield "framework-cuda-mismatch", mismatch, "cudart-missing"


def _cudnn_versions() -> Iterator[Made]:
    """Loaded older than compiled with, within one major or across two."""
    for loaded, built in (("8.0.5", "8.1.0"), ("7.4.1", "7.6.0"), ("8.9.4", "9.1.0")):
        fields = tools.form({"OS": "Ubuntu 20.04", "GPU": "RTX 3090"})
        yield "cudnn-mismatch", joined(fields, logs.tf_cudnn(loaded, built))
        yield "cudnn-mismatch", joined(logs.tf_device(Machine(RTX_3090, drivers_of(RTX_3090)[-5])),
                                       logs.tf_cudnn(loaded, built))  # fmt: skip
    torch = (
        "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (8, 9, 2) but "
        "found runtime version (8, 5, 0). PyTorch already comes bundled with cuDNN."
    )
    yield (
        "cudnn-mismatch",
        joined(torch, "LD_LIBRARY_PATH=/usr/local/cuda/lib64"),
        *("library-path-conflict",),
    )


def _onnxruntime() -> Iterator[Made]:
    """A provider that asks for another CUDA major than the toolkit's."""
    for version, wanted, toolkit in (
        ("1.18.0", "libcublasLt.so.11", "12.4"),
        ("1.20.1", "libcublasLt.so.12", "11.8"),
        ("1.27.0", "libcublasLt.so.13", "12.6"),
    ):
        error = (
            "[E:onnxruntime:Default, provider_bridge_ort.cc:1744 TryGetProviderInfo_CUDA] "
            "Failed to load library libonnxruntime_providers_cuda.so with error: "
            f"{wanted}: {_CANNOT_OPEN}"
        )
        packages = tools.pip_list({"onnxruntime-gpu": version, "numpy": "1.26.4"})
        text = joined(packages, tools.nvcc(toolkit), error)
        yield "framework-cuda-mismatch", text, "cublas-missing"


def _linking() -> Iterator[Made]:
    """Libraries of two releases in one process, and the stub of the toolkit."""
    base = "/usr/local/lib/python3.10/dist-packages/torch/lib/../../nvidia/cusparse/lib"
    symbol = "undefined symbol: __nvJitLinkAddData_12_1, version libnvJitLink.so.12"
    error = f"ImportError: {base}/libcusparse.so.12: {symbol}"
    yield "cuda-libs-mismatch", joined(error), "library-path-conflict"
    packages = tools.pip_list({"torch": "2.1.2", "nvidia-nvjitlink-cu12": "12.0.140"})
    yield "cuda-libs-mismatch", joined(packages, error), "library-path-conflict"
    stub = (
        "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 34: CUDA driver is a stub "
        "library"
    )
    path = "LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs:/usr/local/cuda/lib64"
    machine = Machine(T4, drivers_of(T4)[-3])
    yield "stub-library", joined(path, stub)
    yield "stub-library", joined(tools.nvidia_smi(machine), stub)
    compat = (
        "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward "
        "compatibility was attempted on non supported HW"
    )
    geforce = Machine(RTX_3090, drivers_of(RTX_3090)[3])
    yield "forward-compat", joined(tools.nvidia_smi(geforce), compat)
    yield "forward-compat", joined("$ docker run --gpus all nvcr.io/nvidia/pytorch:23.10", compat)


def _toolkit() -> Iterator[Made]:
    """What is compiled on the spot needs a toolkit, and one that fits."""
    home = (
        "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install "
        "root."
    )
    yield "toolkit-missing", joined("$ pip install flash-attn", home)
    yield "toolkit-missing", joined(home, tools.nvidia_smi(Machine(T4, drivers_of(T4)[-3])))
    for found, built in (("11.8", "12.1"), ("12.6", "11.8"), ("13.0", "12.8")):
        error = (
            f"RuntimeError: The detected CUDA version ({found}) mismatches the version that was "
            f"used to compile PyTorch ({built}). Please make sure to use the same CUDA versions."
        )
        yield "toolkit-mismatch", joined("$ pip install ./apex", error)
        yield "toolkit-mismatch", joined(tools.nvcc(found), error)
    compiler = (
        "/usr/local/cuda/include/crt/host_config.h:132:2: error: #error -- unsupported GNU "
        "version! gcc versions later than 11 are not supported!"
    )
    yield "toolkit-mismatch", joined("gcc (Ubuntu 12.3.0-1ubuntu1) 12.3.0", compiler)


def _windows() -> Iterator[Made]:
    zlib = "Could not locate zlibwapi.dll. Please make sure it is in your library path!"
    yield "msvc-runtime-missing", joined("OS: Windows 10", zlib)
    torch = (
        "OSError: [WinError 126] The specified module could not be found. Error loading "
        '"C:\\Python310\\lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.\n'
        "Microsoft Visual C++ Redistributable is not installed, this may lead to the DLL load "
        "failure."
    )
    yield "msvc-runtime-missing", joined(torch)
    for name, cause in (
        ("cudart64_110.dll", "cudart-missing"),
        ("cudnn64_8.dll", "cudnn-missing"),
    ):
        log = (
            "2022-05-04 10:12:41.512345: W tensorflow/stream_executor/platform/default/"
            f"dso_loader.cc:64] Could not load dynamic library '{name}'; dlerror: {name} not found"
        )
        found = ("cudart64_110.dll", "cublas64_11.dll", "cufft64_10.dll", "cusparse64_11.dll")
        opened = logs.tf_opened(found) if cause == "cudnn-missing" else ""
        fields = tools.form({"OS": "Windows 10", "TensorFlow version": "2.9.1"})
        yield cause, joined(fields, opened, log), "framework-cuda-mismatch"
