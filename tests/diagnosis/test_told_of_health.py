"""A GPU's health, drivers that were not built, and settings without effect, as people tell them."""

from __future__ import annotations

import pytest

import gpuprobe
from gpuprobe.report.words import verdict_sentence
from support.cases import ruled

TABLE = """\
| NVIDIA-SMI 450.51.05    Driver Version: 450.51.05    CUDA Version: 11.0     |
|   1  Tesla V100S-PCI...  Off  | 00000000:00:08.0 Off |                  {:>3} |
| N/A   33C    P0    26W / 250W |      0MiB / 32510MiB |      0%      Default |
"""
ROWS = "    Remapped Rows\n        Uncorrectable Error : 4\n        Pending  : {}\n"
ECC = """\
GPU 00000000:01:00.0
    ECC Errors
        Volatile
            SRAM Correctable              : 3
            {}              : {}
        Aggregate
            DRAM Uncorrectable            : 7
"""
OLD_ECC = """\
GPU 00000000:01:00.0
    ECC Errors
        Volatile
            Double Bit
                Device Memory             : {0}
                Total                     : {0}
"""
CAPPED = """\
GPU 00000000:4B:00.0
    Clocks Event Reasons
        SW Power Cap                      : Active
    Utilization
        Gpu                               : {} %
    GPU Power Readings
        Power Draw                        : {} W
        Current Power Limit               : 400.00 W
"""
FORM = "GPU model and memory: {}\nCUDA failure 100: no CUDA-capable device is detected"
SET = "os.environ['CUDA_VISIBLE_DEVICES']='3'"
NO_DEVICE = "Call to cuInit results in CUDA_ERROR_NO_DEVICE"
COMPAT = """\
failed call to cuInit: CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
kernel version 470.161.3 does not match DSO version 520.61.5 -- cannot find working devices
"""


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (TABLE.format(4), "device-lost"),
        (ROWS.format("Yes"), "device-lost"),
        (ECC.format("DRAM Uncorrectable", 1), "device-lost"),
        (ECC.format("SRAM Uncorrectable Parity", 1), "device-lost"),
        (OLD_ECC.format(2), "device-lost"),
        (CAPPED.format(100, 241.3), "power-thermal"),
        (FORM.format("CPU-only machine"), "no-nvidia-gpu"),
        (FORM.format("no GPU"), "no-nvidia-gpu"),
        (f"import jaxnet\n{SET} => not working", "visible-devices-too-late"),
        (f"In my code I write {SET}, but it still runs on GPU 0", "visible-devices-too-late"),
        (TABLE.format(0) + COMPAT, "forward-compat"),
        (COMPAT, "driver-library-mismatch"),
        ("DKMS module 'nvidia-367.35' failed to build, please check", "driver-not-loaded"),
        ("dkms autoinstall on 7.1.3/x86_64 failed for nvidia(10)", "driver-not-loaded"),
        ("ERROR: The nvidia kernel module was not created.", "driver-not-loaded"),
        ("==> ERROR: module not found: 'nvidia_uvm'", "driver-not-loaded"),
        ("NVIDIA kernel module missing. Falling back to nouveau.", "driver-not-loaded"),
        (f"DESKTOP-1A2B3C4:~/x$ python\n{NO_DEVICE}", "wsl"),
        (f"user@LAPTOP-DNCQ5AAC:/mnt/d/x$ python\n{NO_DEVICE}", "wsl"),
        (f"system='Linux', node='DESKTOP-1A2B3C4'\n{NO_DEVICE}", "wsl"),
        (
            " * ERROR: x11-drivers/nvidia-drivers-550.1::gentoo failed (compile)",
            "driver-not-loaded",
        ),
        ("ManagedCuda.CudaException: 'ErrorIllegalAddress: While executing a kernel", "user-code"),
    ],
)
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        (TABLE.format(0), "healthy"),
        (TABLE.format("N/A"), "healthy"),
        (ROWS.format("No"), "unknown"),
        (ECC.format("DRAM Uncorrectable", 0), "unknown"),
        (OLD_ECC.format(0), "unknown"),
        (CAPPED.format(100, 396.1), "unknown"),
        (CAPPED.format(3, 61.2), "unknown"),
        (FORM.format("none"), "driver-not-loaded"),
        (f"{SET}\nimport torch", "unknown"),
        (f"{SET} => not working\nimport torch", "unknown"),
        ("export CUDA_VISIBLE_DEVICES=3 does not work", "unknown"),
        ("dkms autoinstall on 7.1.3/x86_64 failed for virtualbox(10)", "unknown"),
        ("==> ERROR: module not found: 'zfs'", "unknown"),
        (f"DESKTOP-1A2B3C4: the host\n{NO_DEVICE}", "driver-not-loaded"),
        (f"C:\\x on DESKTOP-1A2B3C4\n{NO_DEVICE}", "driver-not-loaded"),
        ("akmods built and installed nvidia-kmod", "unknown"),
        ("System.Exception: 'ErrorIllegalAddress'", "unknown"),
    ],
)
def test_kin_is_not_taken_for_it(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict


UNMET = " {} : Depends: something (>= 1.0) but it is not going to be installed"
TEMPERATURE = "        GPU Max Operating Temp            : {} C"


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        ("E: Unable to locate package nvidia-container-toolkit", "container-no-gpu"),
        ("E: Unable to locate package nvidia-driver-570", "driver-missing"),
        ("No package akmod-nvidia available.", "driver-missing"),
        ("E: Unable to locate package cuda-toolkit-12-4", "toolkit-missing"),
        ("E: Unable to locate package libcudnn8", "cudnn-missing"),
        (UNMET.format("nvidia-driver-565-open"), "driver-missing"),
        (UNMET.format("nvidia-docker2"), "container-no-gpu"),
        (UNMET.format("nvidia-cuda-toolkit"), "toolkit-missing"),
        (
            "- nothing provides dkms needed by nvidia-driver-3:550.54-1.el9.x86_64",
            "driver-missing",
        ),
        ("CUDA fails after suspend until we reload the `nvidia_uvm` module.", "device-nodes"),
        (TEMPERATURE.format(57), "power-thermal"),
        # Near misses: other packages, a driver that answers, limits as GPUs have them.
        ("E: Unable to locate package python3-cuda-tools", "unknown"),
        (UNMET.format("libreoffice"), "unknown"),
        (TABLE.format(0) + UNMET.format("nvidia-driver-565"), "unknown"),
        ("the module nvidia_uvm is loaded", "unknown"),
        (TEMPERATURE.format(93), "unknown"),
        ("Attached GPUs                             : 2", "healthy"),
        ("Attached GPUs                             : 0", "unknown"),
    ],
)
def test_what_was_not_installed_or_is_held_back(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict


TPU = "Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so: libtpu.so: cannot"
AVX = "This TensorFlow binary is optimized to use available CPU instructions"


@pytest.mark.parametrize(
    ("pasted", "verdict"),
    [
        (f"AlphaFold v3.0.2\nRTX 6000 Ada\n{TPU}", "healthy"),
        (f"python server.py\n{AVX}\nTF-TRT Warning: Could not find TensorRT", "healthy"),
        (f"{TPU}\nand then it is slow", "unknown"),
        (f"{AVX}\nTraceback (most recent call last):", "unknown"),
        (f"{TPU}\nNo GPU/TPU found, falling back to CPU.", "unknown"),
        ("No running processes found", "unknown"),
        (" 2.5\n[torch.cuda.FloatTensor of size 1x2 (GPU 0)]", "healthy"),
        ("a torch.cuda.FloatTensor of size 1x2 (GPU 0) would be better", "unknown"),
    ],
)
def test_messages_that_only_alarm_show_no_fault(pasted: str, verdict: str) -> None:
    assert ruled(pasted) == verdict


def test_what_is_harmless_is_the_answer_where_nothing_else_is_said() -> None:
    report = gpuprobe.explain(f"AlphaFold v3.0.2\n{TPU}")
    assert verdict_sentence(report).startswith("Healthy, as far as this text tells: ")
    assert "<details open><summary>Harmless" in report.html()


def test_what_is_harmless_says_nothing_of_a_mac() -> None:
    text = "System: macOS 12, Apple M1\nCould not identify NUMA node of platform GPU ID 0"
    assert ruled(text) == "unknown"


def test_what_is_harmless_stands_aside_where_the_gpu_was_seen() -> None:
    report = gpuprobe.explain(f"jax.devices() -> [CudaDevice(id=0)]\n{TPU}")
    assert verdict_sentence(report).startswith("Healthy. ")
    assert "<details open>" not in report.html()


@pytest.mark.parametrize(
    "pasted",
    [
        "When run on GPU the program runs fine except that some results are zero",
        "NaNs only on GPU with a large convolution kernel",
        "the gradients differ between CPU and GPU",
        "outputs are not equal on the GPU and on the CPU",
        ">>> cupy.piecewise(x, [True, False], [1, 2])\narray([1, 1])",
        "cp.sum(x, axis=0)\n# array([1, 1])",
    ],
)
def test_who_finds_fault_with_a_result_has_a_gpu_that_computes(pasted: str) -> None:
    assert ruled(pasted) == "healthy"


@pytest.mark.parametrize(
    "pasted",
    [
        "Should results differ between CPU and GPU?",
        "the program does not run on the GPU, and runs fine on the CPU",
        "cupy.zeros(3)\ncupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorNoDevice",
        "numpy.sum(x)\narray([1, 1])",
        "if the gradients differ between CPU and GPU, tell us",
    ],
)
def test_of_a_question_or_a_failure_nothing_of_that_follows(pasted: str) -> None:
    assert ruled(pasted) != "healthy"
