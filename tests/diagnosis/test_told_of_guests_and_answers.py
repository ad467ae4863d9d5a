"""Guests that lose or lack a part of the GPU, and answers by which a driver shows itself."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import fix, told

BLOCKED = "Failed to initialize NVML: GPU access blocked by the operating system\n"


@pytest.mark.parametrize(
    ("place", "cause"),
    [
        ("nvidia-smi in the nspawn container:", "device-nodes"),
        ("Environment: LXC", "device-nodes"),
        ("systemd-nspawn machine with DeviceAllow=/dev/nvidia0 rw", "device-nodes"),
        ("Environment: docker", "wsl"),
        ("Environment: LXC in WSL2", "wsl"),
        ("", "wsl"),
    ],
)
def test_the_operating_system_that_blocks_need_not_be_windows(place: str, cause: str):
    assert ruled(f"{place}\n{BLOCKED}") == cause


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            (
                "The container can use the card at first. After\nsystemctl daemon-reload\n"
                "on the host it cannot open the device any more."
            ),
            "device-nodes",
        ),
        ("My pod loses its GPU when somebody runs systemctl daemon-reload.", "device-nodes"),
        ("Install the toolkit for docker.\nsudo systemctl daemon-reload\nsudo reboot", "unknown"),
    ],
)
def test_systemd_takes_the_gpu_from_a_container(told: str, cause: str):
    assert ruled(f"{told}\n") == cause


FAILED = "cu->cuInit(0) failed -> CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        (
            "docker\nFor some days it works, then no more until the container is restarted:",
            "device-nodes",
        ),
        (
            "docker, after a few hours it fails; restarting the container always fixes it:",
            "device-nodes",
        ),
        ("docker: should I wait for some days until the container is restarted?",
         "driver-not-loaded"),
        ("Nothing was cured by restarting the container.", "driver-not-loaded"),
    ],
)  # fmt: skip
def test_a_restart_gives_a_container_its_gpu_again(told: str, cause: str):
    assert ruled(f"{told}\n{FAILED}") == cause


@pytest.mark.parametrize(
    ("sentence", "cause"),
    [
        ("The dkms module of the 390 series does not build against it.", "driver-not-loaded"),
        ("nvidia: the dkms module of this release cannot be built", "driver-not-loaded"),
        ("The dkms module of the 390 series builds against it.", "unknown"),
        ("The dkms module of the network card does not build.", "unknown"),
    ],
)
def test_dkms_is_told_not_to_build(sentence: str, cause: str):
    assert ruled(f"OS: Void Linux\n\n{sentence}\n") == cause


OPTIX = "rtx_functions.h:47 Optix Error: 'Library not found'\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"srun -p gpu --container-name=cuda --gpus=1 ./rtx\n{OPTIX}", "container-no-gpu"),
        (f"srun -p gpu --gpus=1 ./rtx\n{OPTIX}", "unknown"),
        (
            "CUDA works in the container. Asked for OptiX, Blender lists only the CPU.",
            "container-no-gpu",
        ),
        ("CUDA works in the container, and OptiX is fine.", "unknown"),
    ],
)
def test_optix_is_a_part_that_containers_do_not_get(text: str, cause: str):
    assert ruled(f"GPU: Nvidia T4\n{text}\n") == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("hardware accelerator set to TPU\n!nvidia-smi finds no graphics card\n", "no-nvidia-gpu"),
        ("With the TPU runtime it works.\n", "unknown"),
        ("!nvidia-smi finds no graphics card\nWould it with the TPU runtime?\n", "unknown"),
    ],
)
def test_a_notebook_with_a_tpu_has_no_gpu(text: str, cause: str):
    assert ruled(text) == cause


POWERD = "/usr/bin/nvidia-powerd[1017]: Failed to get Processor Power Budget\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"The card draws about 20 W.\n{POWERD}", "power-thermal"),
        (f"Games are slower than on Windows.\n{POWERD}", "power-thermal"),
        (POWERD, "unknown"),
        ("The card draws about 20 W.\n", "unknown"),
        ("The card is fast until, once it is hot, it draws fewer watts.", "power-thermal"),
        ("The GPU is slowed down so that it stays at 84 degrees.", "power-thermal"),
        ("The GPU would be slowed down so that it stays at 84 degrees?", "unknown"),
        ("Once the GPU is hot, the fan turns.", "unknown"),
    ],
)
def test_a_card_without_watts_or_too_hot_is_slow(text: str, cause: str):
    assert ruled(f"GPU: RTX 4060 Laptop\n\n{text}\n") == cause


QUERY = "$ nvidia-smi {}--query-gpu={} --format=csv,noheader,nounits\n{}\n"


@pytest.mark.parametrize(
    ("options", "columns", "rows", "cause"),
    [
        ("--loop=1 ", "temperature.gpu,utilization.gpu", "41, 6\n41, 7", "healthy"),
        ("", "uuid", "GPU-99bec085-9182-0deb-0f1f-5cb929bd097b", "healthy"),
        ("", "index,gpu_bus_id", "0, 00000000:1A:00.0", "unknown"),
        ("", "index,uuid", "0, GPU-99bec085-9182-0deb-0f1f-5cb929bd097b", "unknown"),
        ("", "utilization.gpu,power.max_limit", "99, 140", "unknown"),
        ("", "temperature.gpu", "[Unknown Error]", "device-lost"),
        ("", "fan.speed", "[N/A]", "unknown"),
    ],
)
def test_a_row_of_a_query_is_an_answer_of_the_driver(
    options: str, columns: str, rows: str, cause: str
):
    assert ruled(QUERY.format(options, columns, rows)) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("nvmlDeviceGetFanSpeed(handle)\npynvml.NVMLError_NotSupported: Not Supported", "healthy"),
        ("pynvml.NVMLError_NotSupported: Not Supported", "unknown"),
        ("[<py3nvml.py3nvml.LP_struct_c_nvmlDevice_t object at 0x7f1ea24903c0>]", "healthy"),
        ("c_nvmlMemory_t(total: 4230938624 B, free: 3914006528 B, used: 316932096 B)", "healthy"),
        ("c_nvmlMemory_t is a structure", "unknown"),
        ("nvidia-smi -q -x\n<attached_gpus>4</attached_gpus>", "healthy"),
        ("nvidia-smi -q -x\n<attached_gpus>0</attached_gpus>", "unknown"),
    ],
)  # fmt: skip
def test_nvml_answered(text: str, cause: str):
    assert ruled(f"GPU: GeForce GTX 1070\n{text}\n") == cause


STEPS = """$ srun -N1 nvidia-smi
No devices were found
$ srun -N1 {}nvidia-smi -L
GPU 0: Tesla P100-SXM2-16GB (UUID: GPU-66ffd018-8d7f-8035-acbf-6f55db19ee01)
"""


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ("-G1 ", "hidden-by-visible-devices"),
        ("--gres=gpu:1 ", "hidden-by-visible-devices"),
        ("", "device-lost"),
    ],
)
def test_a_step_of_slurm_that_asks_for_no_gpu_gets_none(options: str, cause: str):
    assert ruled(STEPS.format(options)) == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("CUDA error: failed to load CUDA: LoadLibraryExW failed", "driver-missing"),
        ("failed to load CUDA: the plug-in is off", "unknown"),
    ],
)
def test_a_miner_finds_no_library_of_the_driver(line: str, cause: str):
    assert ruled(f"OS: Windows\n\n{line}\n") == cause


def test_each_handle_is_of_one_gpu():
    pointer = "<py3nvml.py3nvml.LP_struct_c_nvmlDevice_t object at 0x7f1ea24903c0>"
    text = f"[{pointer}, {pointer}]\nc_nvmlMemory_t(total: 4230938624 B, free: 1 B, used: 2 B)\n"
    assert told(text)["nvml.device_count"] == 2


def test_a_container_without_optix_asks_for_the_part_for_graphics():
    text = f"srun --container-name=cuda --gpus=1 ./rtx\n{OPTIX}"
    assert "graphics" in fix(text).text
