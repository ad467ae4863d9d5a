"""What a frame, a folder, a board or a table beside the message tells; each with a near miss."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DRIVER = (
    "\nRuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA"
    " GPU and installed a driver from http://www.nvidia.com/Download/index.aspx"
)
NO_CODE = "\nRuntimeError: CUDA error: no kernel image is available for execution on the device"
INVALID = "\nRuntimeError: CUDA error: invalid device function"
OOM = "\nRuntimeError: CUDA error: out of memory"
TABLE = """
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  Tesla V100-SXM2...  On   | 00000000:06:00.0 Off |                    0 |
| N/A   35C    P0    41W / 300W |  USEDMiB / 16160MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("I have an AMD gpu (RX 580)." + NO_DRIVER, "no-nvidia-gpu"),
        ("I have an AMD Ryzen 5 processor." + NO_DRIVER, "driver-missing"),
        ("I have an AMD gpu and also an RTX 3060." + NO_DRIVER, "driver-missing"),
        ("%cd /content" + NO_DRIVER, "no-nvidia-gpu"),
        ("%cd /contents" + NO_DRIVER, "driver-missing"),
        ("NVIDIA Jetson AGX Orin\nJetPack 5.1" + NO_CODE, "gpu-too-new"),
        ("NVIDIA Jetson of mine\nJetPack 5.1" + NO_CODE, "unknown"),
        ("cuda devices unavailable or busy", "device-busy"),
        ("cuda devices available", "unknown"),
    ],
)
def test_the_machine_is_told_beside_the_message(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('  File "/x/site-packages/mmcv/ops/nms.py", line 3, in f' + INVALID, "extension-mismatch"),
        ('  File "/x/site-packages/mine/ops/nms.py", line 3, in f' + INVALID, "unknown"),
        ("#3 0x0 in cuCtxCreate_v2 ()" + OOM, "oom-other-process"),
        ("#3 0x0 in cuMemAlloc_v2 ()" + OOM, "oom-workload"),
        (TABLE.replace("USED", "15923") + OOM, "oom-other-process"),
        (TABLE.replace("USED", "  923") + OOM, "oom-workload"),
    ],
)
def test_the_frame_or_the_table_tells_whose_fault_it_is(text: str, cause: str):
    assert ruled(text) == cause
