"""A GPU that has failed or fell off the bus, told by Windows, clusters and containers."""

# ruff: noqa: RUF001  letters of other scripts are what some of these are about

from __future__ import annotations

import pytest

from support.cases import ruled

COUNTED = "error: gres/gpu count reported lower than configured ({} < 4)"
BEGAN = 'level=info msg="DCGM successfully initialized!"\n'
NO_COUNTERS = "Error getting supported metrics: Profiling is not supported for this group of GPUs"
NO_MODULE = "This request is serviced by a module of DCGM that is not currently loaded"
NO_FIELD = 'level=fatal msg="Error watching fields: Feature not supported"'


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (COUNTED.format(3), "device-lost"),
        (
            "Windows has stopped this device because it has reported problems. (Code 43)",
            "device-lost",
        ),
        # DCGM watches GPUs that it has no counters of.
        (f"{BEGAN}{NO_COUNTERS}\n", "healthy"),
        (f"{BEGAN}{NO_MODULE}\n", "healthy"),
        (f"{BEGAN}{NO_FIELD}\n", "healthy"),
        (f"{BEGAN}Error setting watches. Result: -6: Feature not supported\n", "healthy"),
        (f"{BEGAN}Error adding GPU 1 to group: Feature not supported\n", "unknown"),
        (f"{NO_FIELD}\n", "unknown"),
        (f"{NO_MODULE}\n", "unknown"),
        (BEGAN, "unknown"),
        (f"{BEGAN}{NO_MODULE}\nNVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off", "device-lost"),
    ],
)
def test_a_gpu_that_is_lost_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


OPERATOR = """Environment: kubernetes
GPU: L40S
$ kubectl describe pod {pod}
  Warning  Unhealthy  3m   kubelet  {probe} probe failed: No devices were found
"""


@pytest.mark.parametrize(
    ("pod", "probe", "cause"),
    [
        ("nvidia-driver-daemonset-x7k2p", "Startup", "device-lost"),
        ("my-training-job", "Liveness", "unknown"),
    ],
)
def test_the_drivers_own_container_is_given_all_gpus(pod: str, probe: str, cause: str):
    assert ruled(OPERATOR.format(pod=pod, probe=probe)) == cause


DCGM = (
    '{metric}{{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA A100-SXM4-40GB",'
    'Hostname="n1"}} {value}\n'
)


@pytest.mark.parametrize(
    ("metric", "value", "cause"),
    [
        ("DCGM_FI_DEV_GPU_TEMP", "41", "healthy"),
        ("DCGM_FI_DEV_XID_ERRORS", "0", "healthy"),
        ("DCGM_FI_DEV_XID_ERRORS", "79", "device-lost"),
        ("node_memory_free", "79", "unknown"),
    ],
)
def test_an_exporter_tells_of_a_gpu(metric: str, value: str, cause: str):
    assert ruled(DCGM.format(metric=metric, value=value)) == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("This device cannot start. (Code 10)", "device-lost"),
        ("This device cannot find enough free resources that it can use. (Code 12)", "device-lost"),
        (
            "Windows a arrêté ce périphérique car il a signalé des problèmes. (Code 43)",
            "device-lost",
        ),
        ("由于该设备有问题，Windows 已将其停止。 (代码 43)", "device-lost"),
        ("Система Windows остановила это устройство. (Код 43)", "device-lost"),
        ("Windows detuvo este dispositivo porque informó de problemas. (Código 43)", "device-lost"),
        ("このデバイスは Windows によって停止されました。 (コード 43)", "device-lost"),
        (
            "Windows cannot load the drivers required for this device. (Code 31)",
            "driver-not-loaded",
        ),
        ("The driver may be corrupted or missing. (Code 39)", "driver-not-loaded"),
        (
            "Windows cannot verify the digital signature for the drivers (Code 52)",
            "driver-not-loaded",
        ),
        ("The drivers for this device are not installed. (Code 28)", "driver-missing"),
        ("This device is working properly. (Code 0)", "unknown"),
        ("This device is disabled. (Code 22)", "unknown"),
    ],
)
def test_the_number_of_a_devices_problem_tells_the_cause(told: str, cause: str) -> None:
    assert ruled(f"NVIDIA Quadro T400\n{told}") == cause
    sheet = "Device type: Display adapters\nManufacturer: NVIDIA\nLocation: PCI bus 1\n\nStatus\n"
    assert ruled(sheet + told) == cause
    assert ruled(f"Realtek PCIe GbE Family Controller\n{told}") == "unknown"
    assert ruled(f"NVIDIA High Definition Audio\n{told}") == "unknown"


def test_a_monitor_on_windows_writes_lost_in_one_word():
    told = "OS: Windows\nGPU: GTX 1080 Ti\n[NVML] NVML get load failed with code: GPUIs{}\n"
    assert ruled(told.format("Lost")) == "device-lost"
    assert ruled(told.format("Idle")) != "device-lost"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            (
                "[3682] ERROR: Nvidia card not showing up in PCI bus after rescan. Continuing "
                "anyways.\n"
            ),
            "device-lost",
        ),
        ("[3610] INFO: Nvidia card not visible in PCI bus, rescanning\n", "unknown"),
    ],
)
def test_optimus_manager_finds_no_card_on_the_bus(text: str, cause: str):
    assert ruled(text) == cause
