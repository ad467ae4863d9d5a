"""A driver that is too old for the software, told by miners, programs for pictures and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

SMI = "| NVIDIA-SMI 440.33.01    Driver Version: 440.33.01    CUDA Version: 10.2     |\n"
PLAN = "  {0}  conda-forge/linux-64::{0}-{1}-h6406543_6\n"
INSUFFICIENT = "CUDA driver version is insufficient for CUDA runtime version\n"
DAEMON = "docker: Error response from daemon: "
ASKS = (
    "ERROR: This container was built for NVIDIA Driver Release 450.51 or later, but\n"
    "       version 410.78 was detected and compatibility mode is UNAVAILABLE.\n\n"
)
UNAVAILABLE = "       [[CUDA Driver UNAVAILABLE (cuInit(0) returned {})]]\n"
CLI = "nvidia-container-cli: {}: unknown"
CUDARC = "cudarc-0.16.4/src/driver/sys/mod.rs:14450: "
WINDOWS = 'GetProcAddress { source: Os { code: 127, kind: Uncategorized, message: "" } }\n'
API = (
    "[h264_nvenc] Driver does not support the required nvenc API version. "
    "Required: 13.0 Found: 12.2\n"
    "[h264_nvenc] The minimum required Nvidia driver for nvenc is (unknown) or newer\n"
)
JIT = (
    "ptxas application ptx input, line 9; fatal   : Unsupported .version 7.8; "
    "current version is '7.4'"
)
OBS = "The installed NVIDIA driver does not support this NVENC version, try updating the driver."
OBS_TEST = "driver_ver=550.163.01\ncuda_ver=12.40\nreason={}\nnvenc_supported=false\n"
OLLAMA = (
    'msg="Unable to load cudart CUDA management library /tmp/libcudart.so.11.0: your nvidia driver '
    'is too old or missing, please upgrade to run ollama"\n'
)
WARP = (
    "Warp UserWarning:\n   Insufficient CUDA driver version.\n   The minimum required CUDA driver "
    "version is 12.0, but the installed CUDA driver version is 11.8.\n"
)
K_WAVE = (
    "Error: Insufficient CUDA driver version. The code needs CUDA version 11.7 but {} is "
    "installed.\n"
)
PTX = "W nvptx_compiler.cc:1] The NVIDIA driver's CUDA version is {} which is older than the {}"
REQUIRED = DAEMON + "--require=cuda>=10.0 driver<385 --pid=1\\n"
NVENC = "[h264_nvenc @ 0x1] The minimum required Nvidia driver for nvenc is 530.41.03 or newer\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (SMI + PLAN.format("cudatoolkit", "11.1.1"), "driver-too-old"),
        ("In a docker on my server, driver version: 418.67\n" + INSUFFICIENT, "driver-too-old"),
        (
            f"{DAEMON}nvidia-container-cli: requirement error: unsatisfied condition: cuda>=11.4",
            "driver-too-old",
        ),
        (ASKS + UNAVAILABLE.format(803), "driver-too-old"),
        (ASKS + UNAVAILABLE.format(999), "driver-too-old"),
        ("> " + ASKS.replace("\n", "\n> ") + UNAVAILABLE.format(999), "driver-too-old"),
        (CLI.format("requirement error: unsatisfied condition: brand = tesla"), "driver-too-old"),
        (
            REQUIRED + "nvidia-container-cli: requirement error: unsatisfied\nit is",
            "driver-too-old",
        ),
        (REQUIRED + "the rest is cut", "unknown"),
        (f"{CUDARC}{WINDOWS}Can't find symbol `cuCtxCreate_v4\\0`", "driver-too-old"),
        (f'{CUDARC}"/lib/libcuda.so: undefined symbol: cuCtxCreate_v4"', "driver-too-old"),
        ("Driver does not support the required nvenc API version.", "driver-too-old"),
        ("Required: NVENC API 13.0\nFound: 12.2", "driver-too-old"),
        ("the NVENC API is version 13.0", "unknown"),
        (API, "driver-too-old"),
        ("2024-03-10 10:00:00 Unknown encoder 'h264_nvenc'", "unknown"),
        ("The driver does support the nvenc API version 13.0", "unknown"),
        (
            "CUDA version 12.1 is not compatible with TensorRT-LLM models. Required version: 12.4",
            "driver-too-old",
        ),
        ("This quantization is not compatible with TensorRT-LLM models.", "unknown"),
        (f"GTX 1080\n{JIT}\n[218] cuLinkAddData: CUDA_ERROR_INVALID_PTX", "driver-too-old"),
        (OBS, "driver-too-old"),
        ("The installed NVIDIA driver supports this NVENC version.", "unknown"),
        ("The installed NVIDIA driver (535.54) is new enough", "unknown"),
        (OBS_TEST.format("outdated_driver"), "driver-too-old"),
        (OBS_TEST.format("nvenc_unsupported"), "unknown"),
        ("Failed to create OptiX context: OPTIX_ERROR_UNSUPPORTED_ABI_VERSION", "driver-too-old"),
        (
            (
                "OptiX initialization failed because the installed driver does not support ABI "
                "version 47"
            ),
            "driver-too-old",
        ),
        ("OptiX initialization failed with error code 7800", "unknown"),
        (
            (
                "Redshift cannot operate: The installed NVIDIA driver (388.13) is too old. Please "
                "install driver 431.86 or later"
            ),
            "driver-too-old",
        ),
        ("Optix Error: 'Unsupported ABI version'\nDriver Version: 470.161.03\n", "driver-too-old"),
        (
            (
                'msg="Unable to load cudart library libcudart.so.12: your nvidia '
                "driver is too old or "
                'missing.  If you have a CUDA GPU please upgrade to run ollama"'
            ),
            "driver-too-old",
        ),
        (OLLAMA, "driver-too-old"),
        (WARP, "driver-too-old"),
        (
            (
                "Warp CUDA error: Warp requires CUDA driver 11.3 or higher, but the current driver "
                "only supports CUDA 11.2"
            ),
            "driver-too-old",
        ),
        (K_WAVE.format("11.4"), "driver-too-old"),
        (PTX.format("11.\n0", "ptxas CUDA version (11.6.124)."), "driver-too-old"),
        (NVENC, "driver-too-old"),
    ],
)
def test_a_driver_that_is_too_old_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


SERVED = (
    'msg="inference compute" id=GPU-11111111-2222-3333-4444-555555555555 library=cuda compute=8.6 '
    'driver=12.4 name="NVIDIA GeForce RTX 3060" total="11.8 GiB" available="11.2 GiB"\n'
)


@pytest.mark.parametrize(
    "text",
    [
        SMI + PLAN.format("cudatoolkit", "10.2.89"),
        OLLAMA + SERVED,
        K_WAVE.format("0.0"),
    ],
)
def test_kin_of_a_driver_that_is_too_old_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


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


DEPTH_MAP = """OS: Windows 10
GPU: {gpu}
driver: {driver}
[error] This program needs a CUDA-Enabled GPU (with at least compute capability 2.0).
"""


@pytest.mark.parametrize(
    ("gpu", "driver", "is_old"),
    [
        ("GeForce GTX 1070", "388.13", True),
        ("GeForce GTX 1070", "560.94", False),
        ("GeForce GTX 285", "341.92", False),
        ("Radeon RX 580", "20.4.2", False),
    ],
)
def test_a_driver_does_not_count_a_gpu_that_would_serve(gpu: str, driver: str, *, is_old: bool):
    found = ruled(DEPTH_MAP.format(gpu=gpu, driver=driver))
    assert (found == "driver-too-old") is is_old


SMI_418 = """| NVIDIA-SMI 418.87       Driver Version: 418.87       CUDA Version: 10.1     |
|   0  GeForce GTX 1070    On   | 00000000:01:00.0  On |                  N/A |
| 34%   56C    P0    61W / 150W |    356MiB /  8118MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("miner", "cause"),
    [
        ("  Error: Insufficient CUDA driver: 10010\n", "driver-too-old"),
        ("  cu  Using CUDA driver: 10010\n", "healthy"),
    ],
)
def test_a_miner_tells_the_drivers_own_number(miner: str, cause: str):
    assert ruled(SMI_418 + miner) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [("WARNING: NVIDIA Insufficient driver!", "driver-too-old"), ("NVIDIA driver: ok", "unknown")],
)
def test_a_miner_finds_the_driver_too_old(line: str, cause: str):
    assert ruled(f"GPU: GTX 1070\n{line}\nbackend NVIDIA disabled.\n") == cause


GROMACS = """GPU support:        CUDA
CUDA driver:        {driver}
CUDA runtime:       {runtime}
Cannot run short-ranged nonbonded interactions on a GPU because no GPU is
detected.
"""


@pytest.mark.parametrize(
    ("driver", "runtime", "cause"),
    [
        ("10.10", "11.20", "driver-too-old"),
        ("11.20", "12.0", "driver-too-old"),
        ("11.20", "11.80", "unknown"),  # one driver of a major serves all of its releases
        ("0.0", "11.20", "unknown"),  # there is none
    ],
)
def test_gromacs_prints_the_driver_and_its_own_cuda(driver: str, runtime: str, cause: str):
    assert ruled(GROMACS.format(driver=driver, runtime=runtime)) == cause


LC0 = """Creating backend [cuda-auto]...
CUDA Runtime version: {built}.0
{label}: {serves}.0
"""
SUPPORTED = "Latest version of CUDA supported by the driver"


@pytest.mark.parametrize(
    ("built", "label", "serves", "cause"),
    [
        ("11.1", SUPPORTED, "10.2", "driver-too-old"),
        ("11.1", SUPPORTED, "11.0", "unknown"),  # a driver serves all releases of its major
        ("10.0", SUPPORTED, "11.0", "unknown"),
        ("11.1", "CUDA version", "10.2", "unknown"),
    ],
)
def test_leela_tells_the_cuda_of_its_run_time_and_of_the_driver(
    built: str, label: str, serves: str, cause: str
):
    assert ruled(LC0.format(built=built, label=label, serves=serves)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('Field "compute_cap" is not a valid field to query.', "driver-too-old"),
        ('Field "banana" is not a valid field to query.', "unknown"),
        ('cuda_compat.go:28: "NVIDIA driver too old"', "driver-too-old"),
        ("cuda_compat.go:28: checked", "unknown"),
    ],
)
def test_programs_say_in_their_own_words_that_the_driver_is_older(line: str, cause: str):
    assert ruled(line) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("CUDA driver 8.0.0 is not compatible with any supported CUDA toolkit", "driver-too-old"),
        ("CUDA driver 12.4.0 is compatible with all supported CUDA toolkits", "unknown"),
    ],
)
def test_julia_has_no_toolkit_that_is_old_enough(told: str, cause: str):
    assert ruled(f"Julia 1.10, CUDA.jl on loading: {told}.\n") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("the message is about an unsupported PTX version", "driver-too-old"),
        ("ptxas knows no unsupported PTX version", "unknown"),
        (
            "RuntimeError: CUDA failed with error CUDA driver version is insufficient",
            "driver-too-old",
        ),
        ("# use the cpu where the CUDA driver version is insufficient", "unknown"),
    ],
)
def test_a_code_is_told_in_a_part_of_its_words(told: str, cause: str):
    assert ruled(f"{told}\n") == cause


LUXCORE = "CUDA driver API error CUDA_ERROR_INVALID_PTX (code: 218, file: src/luxrays/cuda.cpp)\n"
OPENMM = "CUDA platform error: Error loading CUDA module: CUDA_ERROR_INVALID_PTX (218)\n"
OWN_PTX = "cuModuleLoadData: CUDA_ERROR_INVALID_PTX\n"
TOOLKIT = "Cuda compilation tools, release 10.1, V10.1.105\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (LUXCORE, "driver-too-old"),
        (f"GPU: GeForce RTX 2070\n{LUXCORE}", "driver-too-old"),
        (f"Driver Version: 396.54\n{OPENMM}", "driver-too-old"),
        (f"Driver Version: 535.54.03\n{OPENMM}", "unknown"),
        (f"Driver Version: 390.48\n{TOOLKIT}{OWN_PTX}", "driver-too-old"),
        (f"Driver Version: 418.39\n{TOOLKIT}{OWN_PTX}", "unknown"),
        (OWN_PTX, "unknown"),
    ],
)
def test_an_old_driver_calls_ptx_invalid_that_is_too_new_for_it(text: str, cause: str):
    assert ruled(text) == cause


PATCHED = "[warning] The PTX version is not supported by the installed CUDA driver. Trying to {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"{PATCHED.format('patch it')}CUDA_ERROR_INVALID_PTX\n", "driver-too-old"),
        (f"{PATCHED.format('go on')}CUDA_ERROR_UNSUPPORTED_PTX_VERSION\n", "driver-too-old"),
        (PATCHED.format("patch it"), "unknown"),
    ],
)
def test_a_program_lowers_its_ptx_for_the_driver_and_fails_all_the_same(text: str, cause: str):
    assert ruled(text) == cause


MUMAX = "No binary for GPU. Your nvidia driver may be out-of-date\n"


@pytest.mark.parametrize(
    ("gpu", "line", "cause"),
    [
        ("", MUMAX, "driver-too-old"),
        ("GPU: GeForce RTX 3060\n", MUMAX, "driver-too-old"),
        ("GPU: GeForce GTX 1080\n", MUMAX, "driver-too-old"),
        ("GPU: GeForce GTX 760\n", MUMAX, "gpu-too-old"),
        ("GPU: GeForce RTX 3060\n", "No binary for the GPU's tests was built\n", "unknown"),
    ],
)
def test_mumax_finds_none_of_its_code_that_can_be_loaded(gpu: str, line: str, cause: str):
    assert ruled(f"{gpu}{line}") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "ERROR: LoadError: CUDA 10.1 is not supported by\nyour driver (which supports "
                "up to 9.2)\n"
            ),
            "driver-too-old",
        ),
        (
            (
                "ERROR: LoadError: CUDA 9.1 is not supported by your driver (which supports up "
                "to 9.0)\n"
            ),
            "driver-too-old",
        ),
        ("ERROR: LoadError: CUDA is not supported by this program\n", "unknown"),
        ("Error: unsupported CUDA version: 7.5 < 6.5\n", "driver-too-old"),
        # R's torch, of the toolkit.
        ('Unsupported CUDA version "12.3"\n', "framework-cuda-mismatch"),
        (
            ("Failed to load CUDA kernel from '/b/kernel_sm_75.ptx' (Unsupported PTX version)\n"),
            "driver-too-old",
        ),
        ("Cuda driver version is inssufficient for CUDA runtime version\n", "driver-too-old"),
        (
            (
                "UserWarning: CUDA initialization: The NVIDIA driver on your\nsystem is too "
                "old (found version 11040).\n"
            ),
            "driver-too-old",
        ),
        ("Driver: 390.87\nCUDA: 9.2\nno CUDA devices found\n", "driver-too-old"),
        ("Driver: 352.93\nCUDA: 8.0\nno CUDA devices found\n", "driver-too-old"),
        ("Driver: 352.93\ncudatoolkit: 9.0 (conda)\n", "driver-too-old"),
        (
            (
                "I installed this one:\n"
                "https://developer.nvidia.com/cuda-80-ga2-download-archive\nNVIDIA-SMI 340.104 "
                " Driver Version: 340.104\nNo CUDA device found!\n"
            ),
            "driver-too-old",
        ),
    ],
)
def test_programs_and_tables_that_ask_for_a_newer_driver(text: str, cause: str):
    assert ruled(text) == cause
