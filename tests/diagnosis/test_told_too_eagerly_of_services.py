"""Services, packages and images beside a fault of something else, and the fix for each."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.examine import judge
from gpuprobe.facts.pasted import read
from support.cases import ruled

SMI_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"
SEES = ">>> torch.cuda.is_available()\n{}\n"
NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"
OUT = "torch.OutOfMemoryError: CUDA out of memory.\n"


def told(text: str) -> str:
    """The title of the root and its fix, as one text."""
    root = judge(read(text), skip=("reads-like",), source="text").diagnosis.root
    assert root is not None
    fix = root.finding.fix
    return " ".join((root.finding.title, *((fix.text, *fix.commands) if fix else ())))


FABRIC = """{gpus}
ii  nvidia-fabricmanager-535  535.154.05-1  amd64
NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sat Feb 17 22:55:48 UTC 2024
"""


@pytest.mark.parametrize(
    ("gpus", "sees", "cause"),
    [
        ("8x NVIDIA A100-SXM4-80GB", "False", "fabric-manager"),
        ("8x NVIDIA A100-SXM4-80GB", "True", "healthy"),
        ("NVIDIA GeForce RTX 4090", "False", "unknown"),  # the package was left over
    ],
)
def test_fabric_manager_of_another_version_harms_who_waits_for_it(gpus: str, sees: str, cause: str):
    assert ruled(FABRIC.format(gpus=gpus) + SEES.format(sees)) == cause


STOPPED = "NVIDIA A100\n{}$ systemctl is-active nvidia-fabricmanager\ninactive\n"


def test_a_variable_hides_gpus_beside_a_service_that_is_not_needed():
    hides = "$ echo $CUDA_VISIBLE_DEVICES\n-1\n"
    assert ruled(STOPPED.format(hides) + SEES.format("False")) == "hidden-by-visible-devices"
    assert ruled(STOPPED.format("") + SEES.format("False")) == "fabric-manager"


BUS = """$ lspci | grep -i nvidia
$ sudo modprobe nvidia
modprobe: ERROR: could not insert 'nvidia': No such device
"""


def test_a_card_that_is_named_is_looked_for_where_the_bus_shows_none():
    lost = told(f"Laptop with GeForce GTX 1650\n{BUS}")
    assert "though one is named" in lost
    assert "prime-select" in lost
    assert "compute on the CPU" not in lost
    assert "compute on the CPU" in told(BUS)
    assert "lspci" in told(BUS.partition("\n")[2])  # nobody has looked at the bus


WAITS = "slurmd: error: Waiting for gres.conf file /dev/nvidia0\n"
NO_CDI = "The CDI spec does not contain /dev/nvidia0.\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (WAITS + SMI_FAILED, "driver-not-loaded"),  # no module, hence no files
        (WAITS, "device-nodes"),
        (WAITS + "$ nvidia-smi\nbash: nvidia-smi: command not found\n", "driver-missing"),
        (NO_CDI + SMI_FAILED, "device-nodes"),
        (f"If the CDI spec{NO_CDI[12:]}", "unknown"),
        ("The CDI spec does not contain /dev/nvidia-modeset.\n", "unknown"),  # of no use to CUDA
    ],
)
def test_a_device_file_lacks_because_the_module_does_not_run(text: str, cause: str):
    assert ruled(text) == cause


def test_files_that_lack_are_made_and_files_that_are_closed_are_opened():
    assert "nvidia-modprobe" in told(WAITS)
    assert "cdi generate" in told(NO_CDI)
    closed = told("Failed to initialize NVML: Insufficient Permissions\n")
    assert "group" in closed
    assert "nvidia-modprobe" not in closed


RAY = "@ray.remote\ndef load(): return model.cuda()\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (RAY + NO_GPUS, "hidden-by-visible-devices"),
        (f"{RAY}@ray.remote(num_gpus=1)\ndef train(): ...\n{NO_GPUS}", "unknown"),
        (f"{RAY}load.options(num_gpus=0.5).remote()\n{NO_GPUS}", "unknown"),
        (f"{RAY}ScalingConfig(num_workers=2, use_gpu=True)\n{NO_GPUS}", "unknown"),
        (f"ray.init(num_gpus=1)\n{RAY}{NO_GPUS}", "hidden-by-visible-devices"),
        (f"{RAY}{NO_GPUS}nvidia-smi: command not found\n", "driver-missing"),
    ],
)
def test_ray_was_asked_for_a_gpu_in_another_line(text: str, cause: str):
    assert ruled(text) == cause


def test_who_gets_no_gpu_of_ray_asks_ray_for_one():
    fix = told(RAY + NO_GPUS)
    assert "num_gpus=1" in fix
    assert "unset" not in fix


CUPY = "cupy-cuda11x  12.3.0\n{}ImportError: {}: cannot open shared object file: No such file\n"


@pytest.mark.parametrize(
    ("beside", "cause"),
    [
        ("", "cuda-libs-mismatch"),
        ("tensorflow  2.17.0\n", "cublas-missing"),
        ("ctranslate2  4.4.0\n", "cublas-missing"),
        ("cudf-cu12  24.6.0\n", "cublas-missing"),
        ("torch  2.1.0+cu121\n", "cublas-missing"),
        ("torch  2.1.0+cu118\nflash_attn  2.5.6\n", "extension-mismatch"),
    ],
)
def test_a_cupy_of_another_cuda_is_there_beside_who_asks(beside: str, cause: str):
    assert ruled(CUPY.format(beside, "libcublas.so.12")) == cause


JAX = """jax[cuda12]==0.4.30
RuntimeError: Unable to load cuSPARSE. Is it installed?
nvidia-cuda-runtime-cu12  12.5.82
nvidia-cusparse-cu12      12.5.1.3
nvidia-nvjitlink-cu12     12.1.105
"""
BUILTINS = "nvidia-cuda-nvrtc-cu11  11.8.89\nnvrtc: error: failed to open {}.\n"


def test_the_title_names_the_package_that_does_not_fit():
    assert "libcublas.so.12 (CUDA 12) is asked for, but cupy-cuda11x is built for CUDA 11" in told(
        CUPY.format("", "libcublas.so.12")
    )
    assert "but nvidia-cuda-nvrtc-cu11 is 11.8.89" in told(
        BUILTINS.format("libnvrtc-builtins.so.11.7")
    )
    linker = told(JAX)
    assert "nvidia-nvjitlink-cu12 is 12.1.105" in linker
    assert "nvJitLink, which cuSPARSE calls, is older" in linker


ROW = "|    0   N/A  N/A     7316      C   /usr/bin/ollama            {}MiB |\n"
SHARE = "Free memory on device cuda:0 ({}/79.10 GiB) on startup is less than desired GPU memory "


def test_a_program_of_five_gigabytes_does_not_hold_most_of_eighty():
    assert "Another program than the one that failed holds 4.98 GiB" in told(OUT + ROW.format(5100))
    text = SHARE.format("70.1") + "utilization (0.95, 75.1 GiB)\n"
    assert "holds" not in told(text + ROW.format(5100))
    assert "holds 48.83 GiB" in told(text + ROW.format(50000))


PERMISSIONS = "the plugin has insufficient permissions\n"
DISABLED = """|   0  NVIDIA A100-SXM4-40GB        On | 00000000:17:00.0 Off |                    0 |
| N/A   30C    P0    44W / 400W |      0MiB / 40960MiB |      0%      Default |
|                               |                      |             {} |
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"On our MIG node {PERMISSIONS}", "mig"),
        (f"All is well without MIG; on the MIG node {PERMISSIONS}", "mig"),
        (f"MIG is not enabled; {PERMISSIONS}", "unknown"),
        (f"MIG M.: Disabled, {PERMISSIONS}", "unknown"),
        (f"{DISABLED.format('Disabled')}the mig plugin: {PERMISSIONS}", "unknown"),
        (f"{DISABLED.format(' Enabled')}the mig plugin: {PERMISSIONS}", "mig"),
    ],
)
def test_permissions_lack_where_mig_is_off(text: str, cause: str):
    assert ruled(text) == cause


def test_a_monitor_of_split_gpus_runs_as_root():
    assert "SYS_ADMIN" in told(f"On our MIG node {PERMISSIONS}")


IMAGE = "GPU: {}\n$ docker run {} nvcr.io/nvidia/tritonserver:25.02-py3{}\n"


@pytest.mark.parametrize(
    ("gpu", "options", "kind", "cause"),
    [
        ("Tesla P40", "--gpus all", "", "gpu-too-old"),
        ("Tesla P40", "--gpus all", "-sdk perf_analyzer -m x", "unknown"),  # a client
        ("Tesla P40", "--rm", "", "unknown"),  # a server of models on the CPU
        ("Jetson AGX Xavier", "--gpus all", "-igpu", "unknown"),
        ("Jetson Nano", "--gpus all", "", "unknown"),
    ],
)
def test_an_image_is_judged_where_its_server_gets_the_gpu(
    gpu: str, options: str, kind: str, cause: str
):
    assert ruled(IMAGE.format(gpu, options, kind)) == cause


def test_for_an_older_gpu_an_earlier_image_is_taken():
    fix = told(IMAGE.format("Tesla P40", "--gpus all", ""))
    assert "earlier release of the image" in fix
    assert "compile" not in fix


NVBENCH = "Warn: GPU throttled below threshold ({} MHz / 1980.00 MHz) ({}% < 75%) on sample 3.\n"


def test_a_limit_of_power_costs_a_healthy_gpu_a_third_of_its_clock():
    assert ruled(NVBENCH.format("950.11", "48")) == "power-thermal"
    once = NVBENCH.format("1320.00", "66.67").strip()
    assert ruled(once) == "unknown"
    assert ruled(f"{once} Discarding previous trial and pausing for 0.050s.") == "unknown"
    assert ruled(f"{once} Discarding previous trial and pausing for 0.312s.") == "power-thermal"


MAKE = """Driver Version: 525.116.04
$ nvcc --version
bash: nvcc: command not found
$ make
{}
make: *** [Makefile:12: all] Error 127
"""


def test_make_wanted_another_command_than_the_nvcc_that_somebody_asked_for():
    assert ruled(MAKE.format("protoc x.proto\n/bin/sh: 1: protoc: not found")) == "unknown"
    typed = "$ nvcc --version\nbash: nvcc: command not found\n"
    called = MAKE.replace(typed, "").format("/bin/sh: 1: nvcc: not found\ngcc -c main.c")
    assert ruled(called) == "toolkit-missing"


def test_windows_drivers_for_wsl_are_told_in_one_sentence():
    line = (
        "core.c:211] Core Nvidia component libcuda.so.1.1 not found in "
        "/usr/lib/wsl/drivers/u0398112.inf_amd64_0123abcd\n"
    )
    report = gpuprobe.explain(f"GPU: GeForce RTX 3060\n{line}")
    root = report.diagnosis.root
    assert root is not None
    assert root.finding.title.startswith("Of Windows' drivers WSL gets another maker's only")
