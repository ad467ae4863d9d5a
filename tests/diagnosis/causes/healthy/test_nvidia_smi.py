"""A set-up that works, as nvidia-smi and other monitors tell of it."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.cases import ruled

DMON = """$ nvidia-smi dmon {options}
# gpu   sm   mem  pclk
# Idx    %     %   MHz
    0    0     0  1404
    0   {busy}    40  {clock}
"""


@pytest.mark.parametrize(
    ("options", "busy", "clock", "verdict"),
    [
        ("", 97, 1404, "healthy"),
        ("", 3, 1404, "unknown"),
        ("", 97, 139, "unknown"),
        ("-i 0", 97, 1404, "unknown"),
    ],
)
def test_dmon_shows_a_gpu_at_work(options: str, busy: int, clock: int, verdict: str):
    assert ruled(DMON.format(options=options, busy=busy, clock=clock)) == verdict


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


CHECKED = (
    '  File "/env/lib/python3.12/site-packages/pynvml.py", line 1061, in _nvmlCheckReturn\n'
    "    raise NVMLError(ret)\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("nvmlDeviceGetFanSpeed(handle)\npynvml.NVMLError_NotSupported: Not Supported", "healthy"),
        ("pynvml.NVMLError_NotSupported: Not Supported", "unknown"),
        (f"{CHECKED}pynvml.NVMLError_NotSupported: Not Supported", "healthy"),
        (f"[rank3]: {CHECKED}pynvml.nvml.NVMLError_NotSupported: Not Supported", "healthy"),
        (f"{CHECKED}pynvml.NVMLError_DriverNotLoaded: Driver Not Loaded", "driver-not-loaded"),
        ("[<py3nvml.py3nvml.LP_struct_c_nvmlDevice_t object at 0x7f1ea24903c0>]", "healthy"),
        ("c_nvmlMemory_t(total: 4230938624 B, free: 3914006528 B, used: 316932096 B)", "healthy"),
        ("c_nvmlMemory_t is a structure", "unknown"),
        ("nvidia-smi -q -x\n<attached_gpus>4</attached_gpus>", "healthy"),
        ("nvidia-smi -q -x\n<attached_gpus>0</attached_gpus>", "unknown"),
    ],
)  # fmt: skip
def test_nvml_answered(text: str, cause: str):
    assert ruled(f"GPU: GeForce GTX 1070\n{text}\n") == cause


@pytest.mark.parametrize(
    "text",
    [
        "If GPU-Z shows 99% and task manager 3%, would that be normal?\n",
        "HWiNFO shows 95% on the Intel iGPU, task manager 4% on the NVIDIA GPU.\n",
        "nvidia-smi shows 95% of memory, task manager 3% GPU. Is it used at all?\n",
    ],
)
def test_a_monitor_of_something_else_proves_nothing(text: str):
    assert ruled(text) == "unknown"


@pytest.mark.parametrize(
    ("header", "verdict"),
    [("==============NVSMI LOG==============", "healthy"), ("====NVSMI====", "unknown")],
)
def test_a_log_that_nvidia_smi_began_shows_a_driver_that_answers(header: str, verdict: str):
    assert ruled(f"nvidia-smi -q yields:\n\n{header}\n\nTimestamp : Sun Dec  4\n") == verdict


OFF_THE_PATH = """$ singularity shell --nv image.sif
{shell} nvidia-smi
bash: nvidia-smi: command not found
{below} /usr/lib/nvidia-384/bin/nvidia-smi
| NVIDIA-SMI 384.130                Driver Version: 384.130                   |
|   0  Tesla P100-PCIE...  Off  | 00000000:08:00.0 Off |                  Off |
"""


@pytest.mark.parametrize(
    ("shell", "below", "verdict"),
    [
        ("$", "$", "healthy"),
        ("user@box:~/x$", "user@box:/$", "healthy"),
        ("Singularity>", "user@host:~$", "container-no-gpu"),
        ("user@box:~$", "user@host:~$", "container-no-gpu"),
    ],
)
def test_a_shell_that_misses_nvidia_smi_only_on_its_path(shell: str, below: str, verdict: str):
    assert ruled(OFF_THE_PATH.format(shell=shell, below=below)) == verdict


MISSED = "'nvidia-smi' is not recognized as an internal or external command,\n"
BANNER = "| NVIDIA-SMI 536.67    Driver Version: 536.67    CUDA Version: 12.2     |\n"
ASKED = "nvidia-smi --query-gpu=index,name --format=csv,noheader\n"
ROW = "0, NVIDIA A10\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"C:\\>gpustat\n{MISSED}\nC:\\>{ASKED}{ROW}", "healthy"),
        (f"$ watcher\nnvidia-smi: command not found\n$ {ASKED}{ROW}", "healthy"),
        (f"C:\\>gpustat\n{MISSED}\nC:\\>{ASKED}{MISSED}", "driver-missing"),
        (f"a@b:~$ w\nnvidia-smi: command not found\nroot@c:/# {ASKED}{ROW}", "unknown"),
    ],
)
def test_a_program_misses_what_its_shell_runs(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("command", "inside"),
    [
        ("docker exec -it netdata nvidia-smi", True),
        ("podman exec collector /usr/bin/nvidia-smi", True),
        ("docker exec -it netdata nvidia-smi || true", False),
        ("docker run --rm --gpus all ubuntu nvidia-smi", False),
    ],
)
def test_nvidia_smi_answers_in_a_container_that_runs(command: str, inside: bool):
    """What runs in a container of its own tells nothing of another one."""
    text = f"The collector in the docker container draws no chart.\n$ {command}\n{BANNER}"
    assert ("sign.smi-answers-inside" in read(text)) is inside
    assert (ruled(text) == "healthy") is inside


@pytest.mark.parametrize(
    ("refused", "cause"),
    [
        ("NVML: Unable to get the NvLink link utilization counter control for link 3", "healthy"),
        ("nvidia-smi: Unable to reset the NvLink error counters for link 0", "healthy"),
        ("nvmlDeviceSetGpuLockedClocks failed", "healthy"),
        # Such a call comes after the start, for which every user needs the device files.
        ("Unable to read the counters: failed to initialize NVML", "device-nodes"),
        ("Unable to determine the device handle for GPU 0000:3B:00.0", "device-nodes"),
    ],
)
def test_what_nvml_keeps_to_administrators_closes_no_device_file(refused: str, cause: str):
    assert ruled(f"GPU: Tesla V100\n{refused}: Insufficient Permissions\n") == cause
