"""What a variable, a banner, a plugin's name or a kernel's name says of a failure beside it."""

from __future__ import annotations

import pytest

import gpuprobe
from support.cases import ruled

COMPAT = """NOTE: CUDA Forward Compatibility mode ENABLED.
  Using CUDA 12.3 driver version 545.23.08 with kernel driver version {kernel}.
RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display
driver / cuda driver combination
"""


@pytest.mark.parametrize(
    ("banner", "cause"),
    [
        (COMPAT.format(kernel="470.57.02"), "forward-compat"),
        (COMPAT.replace("NOTE: CUDA Forward Compatibility mode ENABLED.\n", ""), None),
    ],
)
def test_an_image_says_that_its_own_driver_library_is_used(banner: str, cause: str | None):
    assert (ruled(banner) == "forward-compat") is (cause is not None)


TWO_GPUS = """$ nvidia-smi -L
GPU 0: Tesla V100 (UUID: GPU-11111111-1111-1111-1111-111111111111)
GPU 1: Tesla V100 (UUID: GPU-22222222-2222-2222-2222-222222222222)
$ CUDA_VISIBLE_DEVICES={value} python train.py
RuntimeError: CUDA error: invalid device ordinal
"""


@pytest.mark.parametrize(
    ("value", "cause"), [("4", "hidden-by-visible-devices"), ("1", "user-code")]
)
def test_an_ordinal_is_refused_where_the_variable_names_no_gpu(value: str, cause: str):
    assert ruled(TWO_GPUS.format(value=value)) == cause


TWO_PLUGINS = """jax 0.6.0
jaxlib 0.6.0
jax-cuda12-plugin 0.6.0
{other} 0.6.0
RuntimeError: Unable to initialize backend 'cuda': ALREADY_EXISTS: {why}
"""
TWICE = "PJRT_Api already exists for device type cuda"


@pytest.mark.parametrize(
    ("other", "cause"), [("jax-cuda13-plugin", "mixed-installs"), ("jax-cuda12-pjrt", "unknown")]
)
def test_two_plugins_register_themselves_as_one_platform(other: str, cause: str):
    assert ruled(TWO_PLUGINS.format(other=other, why=TWICE)) == cause


DOCKER = """$ docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES={capabilities} image
ImportError: libcuda.so.1: cannot open shared object file: No such file or directory
$ nvidia-smi
bash: nvidia-smi: command not found
"""


@pytest.mark.parametrize(
    ("capabilities", "named"), [("graphics,video", True), ("compute,utility", False)]
)
def test_a_container_was_told_to_do_without_the_libraries(capabilities: str, *, named: bool):
    root = gpuprobe.explain(DOCKER.format(capabilities=capabilities)).diagnosis.root
    assert root is not None
    assert root.cause == "container-no-gpu"
    assert ("NVIDIA_DRIVER_CAPABILITIES" in root.finding.title) is named


SMI_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."


@pytest.mark.parametrize(
    ("kernel", "cause"),
    [
        ("kernel: 4.4.0-19041-Microsoft", "wsl"),
        ("kernel: 4.4.0-210-generic", "driver-not-loaded"),
    ],
)
def test_the_first_wsl_is_known_by_its_kernel(kernel: str, cause: str):
    assert ruled(f"{kernel}\n$ nvidia-smi\n{SMI_FAILED}\n") == cause


STUBS = """LD_LIBRARY_PATH={path}
CUDA driver version is insufficient for CUDA runtime version
Driver Version: 535.54.03    CUDA Version: 12.2
"""


@pytest.mark.parametrize(
    ("path", "named"),
    [("/usr/local/cuda/lib64/stubs:/opt/lib", True), ("/opt/lib", False)],
)
def test_a_stub_first_on_the_path_gives_the_code_of_an_old_driver(path: str, *, named: bool):
    assert (ruled(STUBS.format(path=path)) == "stub-library") is named


@pytest.mark.parametrize(
    ("reason", "cause"), [("HW_THERMAL_SLOWDOWN", "power-thermal"), ("GPU_IDLE", "unknown")]
)
def test_a_monitor_names_the_reason_for_low_clocks(reason: str, cause: str):
    assert ruled(f'{{"msg": "clocks throttled", "gpu": 3, "reason": "{reason}"}}\n') == cause


@pytest.mark.parametrize(
    ("value", "cause"), [("''", "hidden-by-visible-devices"), ("0", "unknown")]
)
def test_jax_takes_the_cpu_where_the_variable_is_empty(value: str, cause: str):
    fallback = "WARNING:absl:No GPU/TPU found, falling back to CPU."
    assert ruled(f"$ CUDA_VISIBLE_DEVICES={value} python train.py\n{fallback}\n") == cause


@pytest.mark.parametrize(("used", "cause"), [("0", "cpu-only-build"), ("ON", "unknown")])
def test_torch_shows_the_settings_of_its_build(used: str, cause: str):
    shown = f"PyTorch built with:\n  - Build settings: BLAS_INFO=mkl, USE_CUDA={used}, USE_MKL=ON,"
    assert ruled(f"GPU: RTX 3060\n{shown}\n") == cause


NO_SUCH_DEVICE = "modprobe: ERROR: could not insert 'nvidia': No such device\n"
NOT_BY_OPEN = """NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:1c03)
NVRM: installed in this system is not supported by open
NVRM: nvidia.ko because it does not include the required GPU
NVRM: System Processor (GSP).
"""


@pytest.mark.parametrize(
    ("log", "cause"), [(NOT_BY_OPEN, "driver-not-loaded"), ("", "no-nvidia-gpu")]
)
def test_the_open_module_refuses_a_gpu_that_is_there(log: str, cause: str):
    assert ruled(f"{NO_SUCH_DEVICE}{log}") == cause
