"""What facts beside a failure say of it, where its loudest line is that of another cause."""

from __future__ import annotations

import pytest

from support.cases import ruled

TRITON = """RuntimeError: Triton Error [CUDA]: device kernel image is invalid
$ ptxas --version
ptxas: NVIDIA (R) Ptx optimizing assembler
Cuda compilation tools, release {ptxas}, V{ptxas}.91
$ nvidia-smi | grep Driver
| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
"""


@pytest.mark.parametrize(("ptxas", "cause"), [("12.2", "driver-too-old"), ("11.8", "unknown")])
def test_a_driver_loads_what_a_ptxas_of_its_own_major_made(ptxas: str, cause: str):
    assert ruled(TRITON.format(ptxas=ptxas)) == cause


SLOWER = """jax 0.4.23, jaxlib 0.4.23+cuda12.cudnn89
W nvptx_compiler.cc:742] The NVIDIA driver's CUDA version is 12.1 which is older than the ptxas \
CUDA version (12.3.107). Because the driver is older than the ptxas version, XLA is disabling \
parallel compilation, which may slow down compilation.
$ nvidia-smi -q -d PERFORMANCE
    Clocks Event Reasons
        SW Power Cap                      : Not Active
        HW Slowdown                       : {held}
            HW Thermal Slowdown           : Not Active
            HW Power Brake Slowdown       : {held}
"""


@pytest.mark.parametrize(
    ("held", "cause"), [("Active", "power-thermal"), ("Not Active", "driver-too-old")]
)
def test_slower_compilation_explains_no_low_clocks(held: str, cause: str):
    assert ruled(SLOWER.format(held=held)) == cause


TF_STARTS = """tensorflow-gpu 1.10.0
Found device 0 with properties:
name: GeForce GTX 1070 major: 6 minor: 1 memoryClockRate(GHz): 1.683
totalMemory: 7.93GiB freeMemory: {free}
E tensorflow/stream_executor/cuda/cuda_dnn.cc:455] could not create cudnn handle: {code}
"""


@pytest.mark.parametrize(
    ("free", "cause"), [("91.25MiB", "oom-other-process"), ("6.81GiB", "oom-preallocation")]
)
def test_next_to_nothing_was_free_before_the_reserve(free: str, cause: str):
    assert ruled(TF_STARTS.format(free=free, code="CUDNN_STATUS_NOT_INITIALIZED")) == cause


def test_what_is_free_after_the_reserve_tells_nothing_of_others():
    failed = "xla/stream_executor/cuda/cuda_dnn.cc:439] Could not create cudnn handle: "
    told = f"jax 0.4.20\n{failed}CUDNN_STATUS_INTERNAL_ERROR\n"
    usage = "cuda_dnn.cc:443] Memory usage: 6123456 bytes free, 25417023488 bytes total."
    assert ruled(told + usage) == "oom-preallocation"


LATE = """$ cat run.py
import torch
print("free:", torch.cuda.mem_get_info())
import os
os.environ["CUDA_VISIBLE_DEVICES"] = "{asked}"
model = build().cuda()
$ python run.py
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB (GPU 0; 23.69 GiB total
 capacity; 310.00 MiB already allocated; 40.62 MiB free; 330.00 MiB reserved in total by PyTorch)
$ nvidia-smi --query-gpu=index,memory.used,memory.total --format=csv,noheader
0, 23110 MiB, 24576 MiB
1, 4 MiB, 24576 MiB
"""


@pytest.mark.parametrize(
    ("asked", "cause"), [("1", "visible-devices-too-late"), ("0", "oom-other-process")]
)
def test_the_first_gpu_is_full_and_another_was_asked_for(asked: str, cause: str):
    text = LATE.format(asked=asked).replace("total\n capacity", "total capacity")
    assert ruled(text) == cause


PROVIDER = """OS: Windows 10
onnxruntime-gpu: 1.19.2
LoadLibrary failed with error 126 "" when trying to load "C:\\ort\\onnxruntime_providers_cuda.dll"
Failed to create CUDAExecutionProvider. Require cuDNN 9.* and CUDA 12.*, and the latest

C:\\ort>for %i in (cublas64_12 cudnn64_9 cufft64_11) do @where %i.dll
{answer}
"""
CUBLAS, CUDNN, CUFFT = (f"D:\\c\\{each}.dll" for each in ("cublas64_12", "cudnn64_9", "cufft64_11"))
NONE = "INFO: Could not find files for the given pattern(s)."


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        ((CUBLAS, CUDNN, NONE), "cublas-missing"),
        ((CUBLAS, f"E:{CUBLAS[2:]}", NONE, CUFFT), "cudnn-missing"),
        ((CUFFT, NONE), "cudnn-missing"),  # the turns are lost: by habit
    ],
)
def test_a_loop_asks_where_each_of_several_files_is(answers: tuple[str, ...], cause: str):
    assert ruled(PROVIDER.format(answer="\n".join(answers))) == cause


OPERATORS = """torch 2.1.0+cu121
UserWarning: Failed to load custom C++ ops. Running on CPU mode Only!
NameError: name '_C' is not defined
>>> from torch.utils.cpp_extension import CUDA_HOME; print(CUDA_HOME)
{home}
"""


@pytest.mark.parametrize(
    ("home", "cause"), [("None", "toolkit-missing"), ("/usr/local/cuda", "extension-mismatch")]
)
def test_operators_were_left_out_where_torch_finds_no_toolkit(home: str, cause: str):
    assert ruled(OPERATORS.format(home=home)) == cause


SCRIPT = """torch 2.3.0+cu121
(env) D:\\work>type ask.py
import torch
print(torch.cuda.is_available(), torch.cuda.get_device_name(0))
speech = transcribe("talk.wav")
(env) D:\\work>python {run}
True NVIDIA GeForce RTX 4060
UserWarning: FP16 is not supported on CPU; using FP32 instead
"""


@pytest.mark.parametrize(("run", "sees"), [("ask.py", True), ("other.py", False)])
def test_a_script_that_is_shown_prints_where_it_is_run(run: str, *, sees: bool):
    assert (ruled(SCRIPT.format(run=run)) == "silent-cpu-fallback") is sees


WHEEL = """{machine}
Python 3.11.4
$ pip install torch-2.2.0-cp310-cp310-linux_{arch}.whl
ERROR: torch-2.2.0-cp310-cp310-linux_{arch}.whl is not a supported wheel on this platform.
$ pip install torch
Successfully installed torch-{pip}
AssertionError: Torch not compiled with CUDA enabled
"""


@pytest.mark.parametrize(
    ("machine", "arch", "pip", "cause"),
    [
        ("Device: Jetson AGX Orin, JetPack 6.0", "aarch64", "2.2.0", "python-unsupported"),
        (
            "GPU 0: NVIDIA GeForce RTX 4070 (UUID: GPU-1111)",
            "x86_64",
            "2.2.0+cpu",
            "cpu-only-build",
        ),
    ],
)
def test_a_board_has_its_only_build_for_one_python(machine: str, arch: str, pip: str, cause: str):
    assert ruled(WHEEL.format(machine=machine, arch=arch, pip=pip)) == cause


COPIES = """RuntimeError: Couldn't load custom C++ ops. This can happen if your PyTorch and
$ conda list | grep torch
pytorch                   1.12.1          py3.9_cuda11.3_cudnn8.3.2_0    pytorch
torch                     1.13.1                   pypi_0    pypi
torchvision               {vision}               py39_cu113    pytorch
$ python -c "import torch; print(torch.__version__)"
1.13.1+cu117
"""


@pytest.mark.parametrize(
    ("vision", "cause"), [("0.13.1", "mixed-installs"), ("0.11.3", "extension-mismatch")]
)
def test_torchvision_fits_the_copy_of_torch_that_is_not_imported(vision: str, cause: str):
    assert ruled(COPIES.format(vision=vision)) == cause


ASSERTED = """Indexing.cu:1146: indexSelectLargeIndex: block: [3,0,0], thread: [32,0,0] Assertion
 `srcIndex < srcSelectDimSize` failed.
RuntimeError: CUDA error: device-side assert triggered
$ ./simpleP2P
{answer}
"""


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("Verification error @ element 1: val = 0.000000, ref = 4.000000", "nccl"),
        ("Test passed", "user-code"),
    ],
)
def test_an_index_came_wrong_from_another_gpu(answer: str, cause: str):
    assert ruled(ASSERTED.format(answer=answer)) == cause
