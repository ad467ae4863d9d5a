"""Two packages of one module, clocks and currents that drop, variables that nobody followed."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "AttributeError: module 'onnxruntime' has no attribute 'SessionOptions'",
            "mixed-installs",
        ),
        ("AttributeError: module 'onnxruntime' has no attribute 'tools'", "unknown"),
        ("I have the packages\nonnx\nonnxruntime\nonnxruntime-gpu\ninstalled.", "mixed-installs"),
        ("I have the packages\nonnx\nonnxruntime-gpu\ninstalled.", "unknown"),
        ("I installed tensorflow v2.0.0 and tensorflow-gpu v2.0.0 both", "mixed-installs"),
        ("I installed tensorflow v2.0.0 and tensorflow-probability", "unknown"),
    ],
)
def test_two_packages_bring_one_module(text: str, cause: str):
    assert ruled(f"GPU: RTX 3060\n\n{text}\n") == cause


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (
            (
                "torch 1.3.0\nImportError: /opt/torch/lib/libtorch_python.so: undefined "
                "symbol: _ZTIN3c1014WarningHandlerE"
            ),
            ("pip uninstall --yes torch", "pip install torch==1.3.0"),
        ),
        (
            "AttributeError: module 'onnxruntime' has no attribute 'SessionOptions'",
            (
                "pip uninstall --yes onnxruntime onnxruntime-gpu",
                "pip install onnxruntime-gpu",
            ),
        ),
        (
            "AttributeError: module 'pynvml' has no attribute '_nvmlGetFunctionPointer'",
            (
                "pip uninstall --yes nvidia-ml-py pynvml",
                "pip install nvidia-ml-py",
            ),
        ),
        (
            (
                "UserWarning: CuPy may not function correctly because multiple CuPy packages are "
                "installed\nin your environment:\n"
            ),
            ("pip list | grep -i cupy", "pip uninstall PACKAGES", "pip install PACKAGE"),
        ),
    ],
)
def test_what_is_to_be_run_names_packages_alone(text: str, commands: tuple[str, ...]):
    root = gpuprobe.explain(f"GPU: RTX 3060\n{text}\n").diagnosis.root
    assert root is not None
    assert root.cause == "mixed-installs"
    assert root.finding.fix is not None
    assert root.finding.fix.commands == commands


MISSED = "ImportError: {file}: undefined symbol: {symbol}\n"
OWN = "/opt/env/lib/python3.7/site-packages/torch/lib/libtorch_python.so"


@pytest.mark.parametrize(
    ("file", "symbol", "cause"),
    [
        (OWN, "_ZTIN3c1014WarningHandlerE", "mixed-installs"),
        (OWN.replace("torch_python", "shm"), "_ZTI24THRefcountedMapAllocator", "mixed-installs"),
        (OWN, "ncclCommRegister", "cuda-libs-mismatch"),
        ("/opt/env/lib/python3.7/site-packages/apex/amp_C.so", "_ZTIN3c1014WarningHandlerE",
         "extension-mismatch"),
    ],
)  # fmt: skip
def test_torchs_libraries_lack_a_symbol_of_each_other(file: str, symbol: str, cause: str):
    assert ruled(MISSED.format(file=file, symbol=symbol)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("one card slows down from 1500mhz to 405mhz after a few minutes", "power-thermal"),
        ("the card goes from 1500 MHz to 1400 MHz", "unknown"),
        ("Driver temperature threshold met on GPU #3. Expect reduced performance.",
         "power-thermal"),
        ("Jetson Orin NX: 'System throttled due to over-current.'", "power-thermal"),
        ("Jetson Orin NX: over-current protection is a feature", "unknown"),
    ],
)  # fmt: skip
def test_a_gpu_is_slowed_down(line: str, cause: str):
    assert ruled(f"{line}\n") == cause


CODE = """import os
os.environ["CUDA_VISIBLE_DEVICES"]="1"
from jax.lib import xla_bridge
print(xla_bridge.get_backend().devices())
[{devices}]
"""


@pytest.mark.parametrize(
    ("devices", "cause"),
    [
        ("GpuDevice(id=0), GpuDevice(id=1)", "visible-devices-too-late"),
        ("GpuDevice(id=0)", "healthy"),
    ],
)
def test_more_gpus_are_listed_than_the_code_asked_for(devices: str, cause: str):
    assert ruled(CODE.format(devices=devices)) == cause


SPACY = """`import torch; torch.cuda.is_available() # --> {seen}`
$ python -m spacy train config.cfg
{line}
"""


@pytest.mark.parametrize(
    ("seen", "line", "cause"),
    [
        ("True", "\u2139 Using CPU", "silent-cpu-fallback"),
        ("True", "\u2139 Using GPU: 0", "healthy"),
    ],
)
def test_spacy_takes_the_cpu_unless_it_is_told(seen: str, line: str, cause: str):
    assert ruled(SPACY.format(seen=seen, line=line)) == cause


def test_xla_found_no_algorithm_in_the_memory_that_is_left():
    text = "RuntimeError: UNKNOWN: Failed to determine best cudnn convolution algorithm\n"
    assert ruled(f"jax 0.2.25, RTX 3080\n{text}") == "oom-preallocation"
    assert ruled("jax 0.2.25, RTX 3080\nbest convolution algorithm found\n") == "unknown"


XMRIG = """ * GPU #0:       {name} @ 1046/875 MHz 64x2 8x25 arch:{arch} SMX:1
[CUDA] Error gpu 0: <prepare>:259 "no kernel image is available for execution on the device"
"""


@pytest.mark.parametrize(
    ("name", "arch", "cause"),
    [("NVS 310", "21", "gpu-too-old"), ("RTX 5090", "120", "gpu-too-new")],
)
def test_xmrig_tells_the_gpus_architecture(name: str, arch: str, cause: str):
    assert ruled(XMRIG.format(name=name, arch=arch)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("install: /bin/sh: 1: :/usr/local/cuda/bin/nvcc: not found", "toolkit-missing"),
        ("install: /usr/local/cuda/bin/nvcc found", "healthy"),
    ],
)
def test_a_build_calls_an_nvcc_that_is_not_there(line: str, cause: str):
    assert ruled(f"{line}\nGPU available           True\n") == cause


@pytest.mark.parametrize(
    ("system", "cause"), [("Windows", "msvc-runtime-missing"), ("Linux", "unknown")]
)
def test_the_module_of_onnxruntime_does_not_load(system: str, cause: str):
    failed = "ImportError: cannot import name 'RunOptions' from 'onnxruntime.capi._pybind_state'"
    assert ruled(f"OS: {system}\nonnxruntime-gpu\n\n{failed}\n") == cause


def test_a_dll_in_japanese_quotes_is_missing():
    assert (
        ruled("GTX 970\nCalling cuDNN failed, cannot find 「cudnn64_5.dll」\n") == "cudnn-missing"
    )
