"""A GPU that is too old for the software, as people tell of it in words of their own."""

from __future__ import annotations

import pytest

from support.cases import ruled

CTRANSLATE2 = (
    "ValueError: Requested float16 compute type, but the target device or backend do not support"
    " efficient float16 computation."
)
NO_CODE = "  what():  function_attributes(): after cudaFuncGetAttributes: invalid device function\n"
MINER = (
    "* CUDA GPU #0 02:00.0 GeForce GT 730 1400/800 MHz smx:2 arch:21 mem:1689/2048 MB\n"
    '"no kernel image is available for execution on the device"\n'
)
NVRTC = "nvrtc: error: invalid value for --gpu-architecture (-arch)\nOptions: -I/x -arch={}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "Found NVIDIA GeForce GTX 1050 Ti which is too old to be supported by the triton"
                " GPU compiler"
            ),
            "gpu-too-old",
        ),
        ("You will need a GPU with NVIDIA Pascal™ or newer architecture", "gpu-too-old"),
        (CTRANSLATE2 + "\nGPU: GTX 1080", "gpu-too-old"),
        (
            (
                "`flshattF` is not supported because:\n  requires device with capability > (8,"
                " 0) but"
                " your GPU has capability (7, 5) (too old)"
            ),
            "gpu-too-old",
        ),
        (
            (
                "GPU: V100\n`flshattF` is not supported because:\n"
                "    requires a GPU with compute capability > 7.5"
            ),
            "gpu-too-old",
        ),
        (
            (
                "P100\n`flshattB` is not supported because:\n    - requires a GPU with compute "
                "capability >= 7.5\n`cutlassF` is not supported because:\n  (no reason)"
            ),
            "gpu-too-old",
        ),
        ("The fast path requires a GPU with compute capability > 7.5, as is known", "unknown"),
        ("GTX 980 Ti\nit requires a minimum compute capability of 6.0", "gpu-too-old"),
        ("FATAL: the 't' kernel requires 5.0 capability!\nGPU: TESLA K80", "gpu-too-old"),
        (NO_CODE + "because my system has a GPU with compute capability 3.0.", "gpu-too-old"),
        (NO_CODE, "unknown"),
        (NO_CODE + "It requires a GPU with compute capability 3.5 or later", "unknown"),
        ("My GPU has compute capability 3.0", "unknown"),
        (NO_CODE + "My old card has only compute capability 2.1", "gpu-too-old"),
        (MINER, "gpu-too-old"),
        (
            "Your Tesla K40c does not meet the minimal required compute capability (3.5 < 5.0).",
            "gpu-too-old",
        ),
        (
            (
                "┌ Error: Your Tesla V100-PCIE-32GB GPU (compute capability 7.0) is not supported "
                "on CUDA 13+.\n│ Please use a device with at least capability 7.5, or downgrade "
                "your NVIDIA driver to below v580."
            ),
            "gpu-too-old",
        ),
        (NVRTC.format("compute_21"), "gpu-too-old"),
        ("the options of NVRTC were -arch=compute_21", "unknown"),
        # Code by which cuDNN refuses a GPU needs no name of it.
        ("RuntimeError: CUDNN_STATUS_ARCH_MISMATCH", "gpu-too-old"),
        ("GPU: Tesla K80\nRuntimeError: CUDNN_STATUS_ARCH_MISMATCH", "gpu-too-old"),
        ("GPU: RTX 5090\nRuntimeError: CUDNN_STATUS_ARCH_MISMATCH", "gpu-too-new"),
        ("RuntimeError: CUDNN_STATUS_SUCCESS", "unknown"),
    ],
)
def test_a_gpu_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        CTRANSLATE2,
        "RTX 3090\nit requires a minimum compute capability of 6.0",
        "FATAL: the 't' kernel requires 5.0 capability!\nGPU: Tesla T4",
    ],
)
def test_kin_of_a_gpu_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ('fails with "no kernel image is available..."', "gpu-too-old"),
        ("Error running with GPU: no kernel image is available for execution", "gpu-too-old"),
        ("there is no kernel image available for this board yet", "unknown"),
        ("grub: error: no kernel image available", "unknown"),
    ],
)
def test_the_words_for_missing_code_are_cut_short(words: str, cause: str):
    assert ruled(f"NVIDIA Tesla K80\n{words}\n") == cause


@pytest.mark.parametrize(("gpu", "cause"), [("GP100", "gpu-too-old"), ("GX100", "unknown")])
def test_a_chip_that_gave_a_card_its_name_is_a_gpu(gpu: str, cause: str):
    told = "ERROR: CUDA kernel soft_max has no device code compatible with CUDA arch 520."
    assert ruled(f"GPU: {gpu}\n{told}\n") == cause


@pytest.mark.parametrize(("card", "cause"), [("Tesla K80", "gpu-too-old"), ("RTX 2080", "unknown")])
def test_a_program_asks_for_a_least_capability(card: str, cause: str):
    refusal = "RuntimeError: Device 0 does not have CUDA compute capability 5.0 or greater"
    assert ruled(f"GPU: {card}\n{refusal}\n") == cause


@pytest.mark.parametrize(
    "least",
    [
        "GPUs with compute capability < 5.0 are not supported.",
        "No CUDA device found with minimum required compute capability 5.0",
        "it tells me that CUDA Compute Capability Version >= 5.0 is needed",
        "a card with compute capability 5.0 or higher",
    ],
)
@pytest.mark.parametrize(("card", "cause"), [("Tesla K80", "gpu-too-old"), ("RTX 2080", "unknown")])
def test_the_least_capability_is_told_in_many_ways(least: str, card: str, cause: str):
    assert ruled(f"GPU: {card}\n{least}\n") == cause


REFUSES = "I want to use CUDA, but the program does not start on my card and gives an error.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: GeForce GT 540M\n" + REFUSES, "gpu-too-old"),
        ("GPU: Quadro FX 1800M\n" + REFUSES, "gpu-too-old"),
        # A Kepler has code in many a program that is used, and beside the old one it may serve.
        ("GPU: Tesla K80\n" + REFUSES, "unknown"),
        ("GPU: GeForce GT 540M, Tesla K80\n" + REFUSES, "unknown"),
        ("GPU: GeForce GT 540M\n", "unknown"),
        ("GPU: GeForce GT 540M\ntorch.cuda.is_available(): True\n" + REFUSES, "healthy"),
    ],
)
def test_a_gpu_of_before_kepler_has_no_code_in_what_people_run(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("gpu", "told", "cause"),
    [
        ("Quadro K4000", "jax keeps falling back to the CPU whatever I do", "gpu-too-old"),
        ("GeForce GT 640M", "Since then JAX does not see my GPU.", "gpu-too-old"),
        ("Tesla K40", "Since then JAX does not see my GPU.", "unknown"),
        ("Quadro K4000", "If jax falls back to the CPU, tell me.", "unknown"),
        ("Quadro K4000", "JAX falls back to a slower convolution", "unknown"),
    ],
)
def test_jax_takes_the_cpu_beside_a_gpu_below_what_xla_serves(gpu: str, told: str, cause: str):
    assert ruled(f"GPU: {gpu}\n{told}\n") == cause


@pytest.mark.parametrize(
    ("gpu", "told", "cause"),
    [
        ("GTX 580", "[error] core | No compatible devices found!", "gpu-too-old"),
        ("GeForce GT 430", "Error: no supported device was found", "gpu-too-old"),
        ("GTX 1080", "[error] core | No compatible devices found!", "unknown"),
        ("GTX 580", "Error: no compatible Bluetooth device was found", "unknown"),
    ],
)
def test_a_program_finds_no_device_that_serves_it(gpu: str, told: str, cause: str):
    assert ruled(f"GPU: {gpu}\n{told}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: NVS 5400M\ntensorflow-gpu of pip does not find it.\n", "gpu-too-old"),
        ("GPU: GeForce GT 540M\nkeras with tensorflow: it doesn't use the card\n", "gpu-too-old"),
        ("GPU: GTX 1080\ntensorflow-gpu of pip does not find it.\n", "unknown"),
        ("GPU: NVS 5400M\nWhich tensorflow-gpu is best?\n", "unknown"),
    ],
)
def test_a_gpu_of_another_age_is_enough_where_no_program_is_quoted(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("machine", "cause"),
    [
        ("GPU: Tesla T4\nCUDA Version: 12.8", "gpu-too-old"),
        ("GPU: GeForce RTX 2080 Ti\nDriver Version: 535.104.05  CUDA Version: 12.2", "gpu-too-old"),
        ("GPU: Tesla T4\nCUDA Version: 10.1", "gpu-too-new"),
        ("GPU: GeForce RTX 3090\nCUDA Version: 12.8", "gpu-too-new"),  # many programs are older
        ("GPU: RTX 5000 series\nCUDA Version: 12.9", "gpu-too-new"),
        ("GPU: RTX 5000 series (capability 12.0)\nCUDA Version: 12.9", "gpu-too-new"),
    ],
)
def test_a_program_is_hardly_older_than_what_came_long_before(machine: str, cause: str):
    error = "CUDA error: no kernel image is available for execution on the device"
    assert ruled(f"{machine}\n{error}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: GTX 1080 Ti\nThe README says that it requires sm>=75.", "gpu-too-old"),
        ("显卡 RTX 2060\uff0c这个库要求sm≥80", "gpu-too-old"),
        ("GPU: RTX 3090\nThe library needs sm>=80.", "unknown"),
        ("GPU: GTX 1080 Ti\nWith sm>=75 it takes tensor cores", "unknown"),
    ],
)
def test_the_least_architecture_that_somebody_names(text: str, cause: str):
    assert ruled(text) == cause
