"""What a library or package of somebody else's, a trial or another holder says of a failure."""

from __future__ import annotations

import pytest

from support.cases import ruled

TRIAL = """WARNING: CUDA Minor Version Compatibility mode ENABLED.
  Using driver version 460.32.03 which has support for CUDA 11.2.
{met}
"""


@pytest.mark.parametrize(
    ("met", "cause"),
    [
        ("[[No CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE) cuInit()=100]]",
         "forward-compat"),
        ("RuntimeError: No CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)",
         "driver-not-loaded"),
    ],
)  # fmt: skip
def test_what_an_image_met_in_a_trial_of_its_own_is_no_failure_of_the_program(met: str, cause: str):
    assert ruled(TRIAL.format(met=met)) == cause


OLLAMA = """time=2024-05-01T10:00:00Z level=INFO msg="detected GPUs" library="{file}" count=1
time=2024-05-01T10:00:00Z level=INFO msg="CUDA GPU is too old. Compute Capability detected: {of}"
"""


@pytest.mark.parametrize(
    ("file", "of", "cause"),
    [
        (r"D:\\NVIDIA Corporation\\PhysX\\Common\\cudart64_30_9.dll", "1.0",
         "library-path-conflict"),
        (r"C:\\ollama\\cudart64_110.dll", "3.5", "gpu-too-old"),
    ],
)  # fmt: skip
def test_the_run_time_of_physx_misreads_every_gpu(file: str, of: str, cause: str):
    assert ruled(OLLAMA.format(file=file, of=of)) == cause


UDEV = "(udev-worker)[812]: nvidia: Process '/usr/sbin/modprobe {}' failed with exit code 1.\n"
SMI = "NVIDIA-SMI 550.54.14    Driver Version: 550.54.14    CUDA Version: 12.4\n"
SMI_ROW = "| 30%   47C    P2    90W / 300W |   {}MiB /  24564MiB |    0%      Default |\n"
SMI_TABLE = (
    f"| {SMI[:-1]} |\n"
    "|   0  NVIDIA GeForce RTX 4090        On  | 00000000:C1:00.0 Off |          Off |\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (UDEV.format("nvidia-uvm"), "driver-not-loaded"),
        (UDEV.format("nvidia-uvm") + SMI_TABLE + SMI_ROW.format(400), "healthy"),
        (UDEV.format("snd-hda-intel"), "unknown"),
    ],
)
def test_udev_could_not_load_the_drivers_modules(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("used", "told", "cause"),
    [
        (24000, "The server holds on to the memory even after its shutdown.", "oom-other-process"),
        (400, "The server holds on to the memory even after its shutdown.", "healthy"),
        (24000, "The server runs all night long.", "healthy"),
    ],
)
def test_a_full_gpu_whose_holder_is_said_to_be_gone(used: int, told: str, cause: str):
    assert ruled(f"{told}\n{SMI_TABLE}{SMI_ROW.format(used)}") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("由于找不到 VCRUNTIME140_1.dll", "msvc-runtime-missing"),
        ("zlibwapi.dll wurde nicht gefunden", "msvc-runtime-missing"),
        ("VCRUNTIME140_1.dll 已经有了", "unknown"),
        ("缺少 zlibwapi.dll 的问题已解决", "unknown"),
    ],
)
def test_a_dll_is_missed_in_other_words(line: str, cause: str):
    assert ruled(f"OS: Windows 11\n{line}\n") == cause


@pytest.mark.parametrize(
    ("name", "cause"),
    [("cudnn", "cudnn-missing"), ("cublas", "cublas-missing"), ("hdf5", "unknown")],
)
def test_julia_names_the_library_that_it_did_not_find(name: str, cause: str):
    assert ruled(f"Error: Error building `CuArrays`:\nCould not find library '{name}'.\n") == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("CUDA: exclusive-thread device already in use by a different thread", "device-busy"),
        ("CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "unknown"),
    ],
)
def test_a_gpu_admits_one_thread_alone(words: str, cause: str):
    assert ruled(f"Check failed: e == cudaSuccess {words}\n") == cause


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ("ValueError: numpy and cupy must not be used together", "user-code"),
        ("ValueError: numpy must not be used here", "unknown"),
    ],
)
def test_arrays_of_two_devices_meet(error: str, cause: str):
    assert ruled(f"GPU: Tesla T4\n{error}\n") == cause


@pytest.mark.parametrize(
    ("gpu", "cause"),
    [("AMD Radeon RX 580", "no-nvidia-gpu"), ("NVIDIA GeForce RTX 3060", "unknown")],
)
def test_a_program_warns_that_it_finds_no_gpu(gpu: str, cause: str):
    assert ruled(f"GPU: {gpu}\nWARNING: No GPU detected. It will be slow.\n") == cause


@pytest.mark.parametrize(
    ("name", "cause"), [("_nvmlGetFunctionPointer", "mixed-installs"), ("nvmlFoo", "unknown")]
)
def test_another_distribution_brings_the_module_pynvml(name: str, cause: str):
    assert ruled(f"AttributeError: module 'pynvml' has no attribute '{name}'\n") == cause


@pytest.mark.parametrize(
    ("installed", "cause"),
    [
        ("onnxruntime (of one program), onnxruntime-gpu (of another)", "mixed-installs"),
        ("onnxruntime-gpu (of one program)", "unknown"),
    ],
)
def test_two_builds_of_onnxruntime_are_installed_for_two_programs(installed: str, cause: str):
    assert ruled(f"installed: {installed}\nit computes on the CPU only\n") == cause


@pytest.mark.parametrize(
    ("start", "cause"),
    [("docker build -t image .", "container-no-gpu"), ("docker pull image", "driver-not-loaded")],
)
def test_no_gpu_is_there_while_an_image_is_built(start: str, cause: str):
    error = "RuntimeError: cuInit failed: no CUDA-capable device is detected"
    assert ruled(f"Environment: docker\n$ {start}\n{error}\n") == cause
    assert ruled(f"Environment: docker\n$ {start}\nWarning: ccache is not found\n") == "unknown"


PYCUDA = """OS: Windows 10
CUDA {toolkit}
pip install pycuda-2018.1.1+cuda92148-cp36-cp36m-win_amd64.whl
ImportError: DLL load failed: The specified module could not be found.
"""


@pytest.mark.parametrize(
    ("toolkit", "cause"),
    [("10", "framework-cuda-mismatch"), ("9.2.148", "msvc-runtime-missing")],
)
def test_pycuda_is_linked_with_the_cuda_of_its_tag(toolkit: str, cause: str):
    assert ruled(PYCUDA.format(toolkit=toolkit)) == cause


@pytest.mark.parametrize(
    ("where", "cause"),
    [("cudnn.hpp:128", "cudnn-mismatch"), ("layer.cpp:128", "unknown")],
)
def test_caffes_header_only_describes_layers(where: str, cause: str):
    failed = "Check failed: status == CUDNN_STATUS_SUCCESS (3 vs. 0)  CUDNN_STATUS_BAD_PARAM"
    assert ruled(f"F0101 10:00:00.000000  15 {where}] {failed}\n") == cause


LATE = """os.environ["CUDA_VISIBLE_DEVICES"] = gpus 不起作用
{mark}os.environ["CUDA_VISIBLE_DEVICES"] = "2"
import torch
"""


@pytest.mark.parametrize(("mark", "cause"), [("# ", "visible-devices-too-late"), ("", "unknown")])
def test_what_is_commented_out_sets_nothing(mark: str, cause: str):
    assert ruled(LATE.format(mark=mark)) == cause


LLAMA = """### GGML backends

{backend}

The model generates {what} as soon as flash attention is on.
"""


@pytest.mark.parametrize(
    ("backend", "what", "verdict"),
    [
        ("CUDA", "gibberish", "healthy"),
        ("Vulkan", "gibberish", "unknown"),
        ("CUDA", "nothing", "unknown"),
    ],
)
def test_who_finds_fault_with_what_a_model_says_ran_it(backend: str, what: str, verdict: str):
    assert ruled(LLAMA.format(backend=backend, what=what)) == verdict
