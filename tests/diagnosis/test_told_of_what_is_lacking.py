"""No card, no libcuda, no memory left: said by miners, nvidia-smi, older programs, people."""

from __future__ import annotations

import pytest

from support.cases import ruled

LISTED = "Found suitable OpenCL device [ {card} ] with 8587001856 bytes of GPU memory"


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (
            LISTED.format(card="AMD Radeon RX 580") + "\nError: No CUDA driver found",
            "no-nvidia-gpu",
        ),
        ("GPU: GTX 1060\nError: No CUDA driver found", "driver-missing"),
        ("GPU: GTX 960\n * VERSIONS: XMRig/2.3.0 CUDA/0.0 MSVC/2015", "driver-missing"),
        ("GPU: GTX 960\n * VERSIONS: XMRig/2.3.0 CUDA/9.1 MSVC/2015", "unknown"),
        (
            "Device: Raspberry Pi 4\nATTENTION! No OpenCL or CUDA installation found.",
            "no-nvidia-gpu",
        ),
        ("GPU: GTX 960\nATTENTION! No OpenCL or CUDA installation found.", "driver-missing"),
    ],
)
def test_a_miner_finds_no_driver(lines: str, cause: str):
    assert ruled(lines) == cause


FAILING = "no CUDA-capable device is detected (cudaErrorNoDevice)\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("there is currently no nvidia card present in this machine", "no-nvidia-gpu"),
        ("there is no nvidia card memory left in this machine", "driver-not-loaded"),
        ("if there is no nvidia card present in the machine, it stops", "driver-not-loaded"),
    ],
)
def test_somebody_says_that_there_is_no_card(told: str, cause: str):
    assert ruled(f"{FAILING}{told}\n") == cause


SMI = "| NVIDIA-SMI 535.183.04     Driver Version: 535.183.04   CUDA Version: {cuda}      |\n"


@pytest.mark.parametrize(
    ("cuda", "also", "cause"),
    [
        ("N/A", ">>> torch.cuda.is_available()\nFalse\n", "driver-missing"),
        ("N/A", "", "unknown"),  # so it is on hosts that only lend their GPUs
        ("12.2", ">>> torch.cuda.is_available()\nFalse\n", "unknown"),
    ],
)
def test_nvidia_smi_tells_no_cuda(cuda: str, also: str, cause: str):
    assert ruled(f"torch: 2.3.0+cu121\n{SMI.format(cuda=cuda)}{also}") == cause


@pytest.mark.parametrize(("card", "cause"), [("Tesla K80", "gpu-too-old"), ("RTX 2080", "unknown")])
def test_a_program_asks_for_a_least_capability(card: str, cause: str):
    refusal = "RuntimeError: Device 0 does not have CUDA compute capability 5.0 or greater"
    assert ruled(f"GPU: {card}\n{refusal}\n") == cause
    refusal = "GPUs with compute capability < 5.0 are not supported."
    assert ruled(f"GPU: {card}\n{refusal}\n") == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("initCnmem: cnmemInit call failed! Reason=CNMEM_STATUS_OUT_OF_MEMORY. numdev=1",
         "oom-preallocation"),
        ("MemoryError: Error allocating 411041792 bytes of device memory (out of memory).",
         "oom-workload"),
    ],
)  # fmt: skip
def test_theano_keeps_memory_in_advance_where_it_was_told_to(words: str, cause: str):
    assert ruled(f"Using Theano backend, GTX 970\n{words}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("but Tensorflow still fills up all GPUs' memory", "oom-preallocation"),
        ("JAX takes almost all of the GPU memory at once", "oom-preallocation"),
        ("does tensorflow take all the memory?", "unknown"),
        ("keras takes a minute to load", "unknown"),
    ],
)
def test_somebody_says_that_a_framework_takes_all_memory(told: str, cause: str):
    assert ruled(f"GPU: GTX 1080 Ti\n{told}\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [("直接kill主进程显卡不会释放显存", "oom-other-process"), ("kill进程后显存释放了", "unknown")],
)
def test_memory_is_not_given_back_in_chinese(told: str, cause: str):
    assert ruled(f"GPU: RTX 3090\n{told}\n") == cause


NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system."


@pytest.mark.parametrize(
    ("specs", "cause"),
    [
        ("System specs are a Ryzen 7 3700x and a Radeon 6700XT.", "no-nvidia-gpu"),
        ("Laptop Specs: Ryzen 5 5600H (8 GB/512 GB SSD/AMD Radeon RX 5500M)", "no-nvidia-gpu"),
        ("System specs are a Ryzen 7 3700x and a GeForce GTX 1660.", "driver-missing"),
        ("The specs of Radeon 6700XT are good.", "driver-missing"),
    ],
)
def test_somebody_lists_what_the_machine_has(specs: str, cause: str):
    assert ruled(f"{specs}\n{NO_DRIVER}\n") == cause


@pytest.mark.parametrize(
    ("card", "cause"),
    [
        ("GeForce GT 740M", "gpu-too-old"),  # one of its two chips is of capability 3.0
        ("Tesla K80", "extension-mismatch"),
    ],
)
def test_a_name_that_two_chips_bear_is_not_said_to_be_served(card: str, cause: str):
    failed = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    assert ruled(f"GPU: {card}\ntorch==1.3.1+cu92\nPython 3.7.4\n{failed}\n") == cause
