"""Numbers of the driver's calls, cards of others, cut tables, and who has the device already."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.cases import ruled

LAPTOP = """Laptop: Aspire 5740G, {card}
cuda runtime error (38) : no CUDA-capable device is detected at /tmp/THCGeneral.c:70
"""


@pytest.mark.parametrize(
    ("card", "cause"),
    [
        ("ATI Mobility Radeon HD 5650 1GB", "no-nvidia-gpu"),
        ("GeForce GT 540M 1GB", "driver-not-loaded"),
    ],
)
def test_a_laptops_card_of_another_maker_is_told_in_a_list(card: str, cause: str):
    assert ruled(LAPTOP.format(card=card)) == cause


FOLDING = """10:00:01:           GPUs: 1
10:00:01:          GPU 0: Bus:3 Slot:0 Func:0 {card}
10:00:01:           CUDA: Not detected: Failed to open dynamic library 'nvcuda.dll': The
10:00:01:                 specified module could not be found.
"""


@pytest.mark.parametrize(
    ("card", "cause"),
    [
        ("AMD:5 Ellesmere XT [Radeon RX 580]", "no-nvidia-gpu"),
        ("ATI:5 Hawaii [Radeon R9 290]", "no-nvidia-gpu"),
        ("NVIDIA:7 GP106 [GeForce GTX 1060 6GB] 4372", "driver-missing"),
    ],
)
def test_folding_at_home_lists_whose_card_it_is(card: str, cause: str):
    assert ruled(FOLDING.format(card=card)) == cause


def test_folding_at_home_names_the_product_in_brackets():
    facts = read(FOLDING.format(card="NVIDIA:7 GP106 [GeForce GTX 1060 6GB] 4372"))
    assert facts.known(names.GPU_NAME("0")) == "GeForce GTX 1060 6GB"


def test_a_list_without_the_card_that_cuda_found_says_nothing_of_nvidia():
    listed = FOLDING.format(card="INTEL:1 HD Graphics 530")
    with_cuda = f"{listed}CUDA Device 0: Platform:0 Device:0 Bus:1 Slot:0 Compute:6.1 Driver:11.0\n"
    assert read(listed).known(names.PCI_NVIDIA_COUNT) == 0
    assert read(with_cuda).known(names.PCI_NVIDIA_COUNT) is None


CHECK = "F stream_executor/cuda.cc:216] Check failed: CUDA_SUCCESS == dynload::{} (0 vs. {})"


@pytest.mark.parametrize(
    ("call", "number", "cause"),
    [
        ("cuCtxSetCurrent(ctx->context())", 216, "device-busy"),
        ("cuCtxCreate(&context, flags, device)", 216, "unknown"),  # of the same process
        ("cuCtxSynchronize()", 214, "device-lost"),
        ("cuCtxSetCurrent(context)", 0, "unknown"),
    ],
)
def test_a_failed_check_compares_success_with_the_drivers_number(
    call: str, number: int, cause: str
):
    assert ruled(CHECK.format(call, number)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("cuDriverGetVersion(): 34", "stub-library"),
        ("cuDeviceGetCount(): 34", "unknown"),  # what it tells
        ("cuDriverGetVersion(): 12040", "unknown"),
    ],
)
def test_hashcat_tells_the_number_alone_where_the_library_has_no_words(line: str, cause: str):
    assert ruled(f"hashcat (v6.2.5) starting in benchmark mode\n\n{line}\n") == cause


ONE_THREAD = """| NVIDIA-SMI 361.42     Driver Version: 361.42         |
|   0  Tesla K20m          Off  | 0000:02:00.0     Off |                    0 |
| N/A   25C    P8    17W / 225W |     13MiB /  4799MiB |      0%    {mode} |

I tensorflow/core/common_runtime/gpu/gpu_init.cc:102] Found device 0 with properties:
{end}
"""
CUT_SHORT = "Training ends with an error of CUDA here."
NO_RUNTIME = (
    "ImportError: libcudart.so.7.5: cannot open shared object file: No such file or directory"
)


@pytest.mark.parametrize(
    ("mode", "end", "cause"),
    [
        ("E. Thread", CUT_SHORT, "device-busy"),
        ("  Default", CUT_SHORT, "healthy"),
        ("E. Thread", "It trains well.", "healthy"),
        ("E. Thread", NO_RUNTIME, "cudart-missing"),
    ],
)
def test_tensorflow_has_more_threads_than_the_mode_for_one_admits(mode: str, end: str, cause: str):
    assert ruled(ONE_THREAD.format(mode=mode, end=end)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The cards of this node are in exclusive process mode.", "device-busy"),
        ("The cards of this node are in the default mode.", "unknown"),
    ],
)
def test_a_program_finds_no_gpu_where_each_admits_one_process(told: str, cause: str):
    assert ruled(f"exception: No compatible CUDA device is available\n\n{told}") == cause


BOUND = """{first}
[   12.345678] NVRM: No NVIDIA devices probed.
"""


@pytest.mark.parametrize(
    ("first", "cause"),
    [
        ("[   12.1] NVRM: GPU 0000:0a:00.0 is already bound to nova_core.", "driver-not-loaded"),
        ("[   12.1] nvidia-nvlink: Nvlink Core is being initialized", "no-nvidia-gpu"),
    ],
)
def test_a_gpu_that_another_driver_has_is_there(first: str, cause: str):
    assert ruled(BOUND.format(first=first)) == cause


LIBGPUARRAY = """CUDA 9.1
GpuArrayException: ('cublasCreate: (cublas) {error}.', 11)
| NVIDIA-SMI {driver}                 Driver Version: {driver}                    |
"""


@pytest.mark.parametrize(
    ("driver", "error", "found"),
    [
        ("384.111", "Library not initialized", True),
        ("396.26", "Library not initialized", False),
        ("384.111", "Mapping error", False),
    ],
)
def test_the_cublas_of_a_toolkit_that_the_driver_cannot_serve(driver: str, error: str, found: bool):
    pasted = LIBGPUARRAY.format(driver=driver, error=error)
    assert (ruled(pasted) == "driver-too-old") is found


@pytest.mark.parametrize(("code", "lost"), [(15, True), (3, False), (155, False)])
def test_a_miner_tells_the_code_behind_the_number_of_the_gpu(code: int, lost: bool):
    pasted = f"WARN: NVML: can't get core clock for GPU #12, error code {code}"
    assert (ruled(pasted) == "device-lost") is lost


@pytest.mark.parametrize(("share", "verdict"), [("31.40", "healthy"), ("0.07", "unknown")])
def test_a_share_of_the_peak_that_no_cpu_reaches_is_the_gpus(share: str, verdict: str):
    assert ruled(f"iter 120: loss nan, time 812.50ms, mfu {share}%") == verdict


CUT = """{banner}
| 35%   41C    P8              17W / 350W |    310MiB / 24576MiB |      2%      Default |
"""
BANNER = "| NVIDIA-SMI 535.54.03     Driver Version: 535.54.03    CUDA Version: 12.2     |"


@pytest.mark.parametrize(
    ("banner", "verdict"),
    [(BANNER, "healthy"), ("A monitor of our own shows:", "unknown")],
)
def test_what_is_left_of_a_table_below_its_banner_lists_a_gpu(banner: str, verdict: str):
    assert ruled(CUT.format(banner=banner)) == verdict


def test_a_cut_table_tells_the_memory_of_its_gpu():
    facts = read(CUT.format(banner=BANNER))
    assert facts.known(names.NVML_COUNT) == 1
    assert facts.known(names.GPU_MEMORY("0")) == 24576 << 20
