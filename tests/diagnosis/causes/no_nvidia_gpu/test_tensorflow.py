"""A machine without an NVIDIA GPU, as TensorFlow tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DEVICE = "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"
NOT_COMMUNICATING = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"OS: Google Colab\n{NO_DEVICE}\n{NOT_COMMUNICATING}", "no-nvidia-gpu"),
    ],
)
def test_a_machine_without_an_nvidia_gpu_is_named(text: str, cause: str):
    assert ruled(text) == cause


UNLOADED = """Win10, 8GB, {card}
tensorflow-gpu==1.14.0
ImportError: DLL load failed: The specified module could not be found.
"""


@pytest.mark.parametrize(
    ("card", "cause"),
    [("AMD Radeon HD6450M", "no-nvidia-gpu"), ("GeForce GTX 1060", "cudart-missing")],
)
def test_tensorflow_misses_the_driver_s_dll_where_no_gpu_has_one(card: str, cause: str):
    assert ruled(UNLOADED.format(card=card)) == cause


HALF = "RuntimeError: \"slow_conv2d_cpu\" not implemented for 'Half'\n"
CONTAINER = "W dso_loader.cc:55] Could not load dynamic library 'libcuda.so.1'; dlerror: \
libcuda.so.1: cannot open shared object file: No such file or directory\n"


@pytest.mark.parametrize(
    ("told", "below", "cause"),
    [
        ("The PC has no separate graphics card.", HALF, "no-nvidia-gpu"),
        ("The server has no NVIDIA GPU.", HALF, "no-nvidia-gpu"),
        ("The PC has no separate GPU memory.", HALF, "unknown"),
        ("If the PC has no dedicated GPU, take a smaller model.", HALF, "unknown"),
        ("", HALF, "unknown"),
        ("The PC has no dedicated GPU.", "\"LayerNorm\" not implemented for 'Half'", "unknown"),
        ("The PC has no dedicated GPU.", ">>> tf.test.gpu_device_name()\n''\n", "no-nvidia-gpu"),
        ("Docker on a machine that has a CPU only", CONTAINER, "no-nvidia-gpu"),
        ("Docker on a machine that has only a CPU.", CONTAINER, "no-nvidia-gpu"),
        ("Docker on a machine that has a CPU only build", CONTAINER, "driver-missing"),
    ],
)
def test_a_machine_that_is_told_to_have_no_card(told: str, below: str, cause: str) -> None:
    assert ruled(f"{told}\n\n{below}") == cause


ATTRIBUTES = "(/job:localhost/replica:0/task:0/device:{0}:0, {0}, 268435456)"


@pytest.mark.parametrize(
    ("device", "cause"), [("CPU", "no-nvidia-gpu"), ("GPU", "healthy"), ("TPU", "unknown")]
)
def test_tensorflow_lists_what_a_session_sees(device: str, cause: str):
    listed = f"Devices visible to TensorFlow: [_DeviceAttributes{ATTRIBUTES.format(device)}]"
    gpu = "" if device == "GPU" else "GPU: Radeon RX 580\n"
    assert ruled(f"{gpu}{listed}\n") == cause


@pytest.mark.parametrize(
    ("field", "cause"),
    [
        ("no graphics card in this system", "no-nvidia-gpu"),
        ("no GPU in this machine", "no-nvidia-gpu"),
        ("no GPU in this list", "driver-not-loaded"),
    ],
)
def test_a_form_says_that_there_is_no_card(field: str, cause: str):
    assert ruled(f"GPU: {field}\n\n{NO_DEVICE}\n") == cause


WHEEL = "tensorflow-2.15.0-cp311-cp311-{}.whl"


@pytest.mark.parametrize(
    ("wheels", "cause"),
    [
        (("macosx_14_0_arm64",), "no-nvidia-gpu"),
        (("macosx_14_0_arm64", "manylinux_2_17_x86_64"), "unknown"),
    ],
)
def test_a_wheel_tells_that_the_machine_is_a_mac(wheels: tuple[str, ...], cause: str):
    commands = "".join(f"pip install https://host/{WHEEL.format(each)}\n" for each in wheels)
    listed = '>>> tf.config.list_physical_devices("GPU")\n[]\n'
    assert ruled(f"{commands}{listed}") == cause


@pytest.mark.parametrize(
    ("platform", "cause"),
    [
        ("Python Platform: macOS-14.2.1-arm64-arm-64bit", "no-nvidia-gpu"),
        ("platform.platform() -> 'Darwin-21.6.0-x86_64-i386-64bit'", "no-nvidia-gpu"),
        ("creating build/lib.macosx-11.0-arm64-3.9", "unknown"),
        ("Python Platform: macOS or Linux", "unknown"),
    ],
)
def test_a_mac_by_what_python_calls_its_platform(platform: str, cause: str) -> None:
    assert ruled(f"{platform}\nTensor Flow Version: 2.13.0\nGPU is NOT AVAILABLE\n") == cause
