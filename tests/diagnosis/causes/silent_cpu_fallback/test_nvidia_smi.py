"""Work that the CPU does beside a GPU that works, as nvidia-smi and other monitors tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

SMI = (
    "| NVIDIA-SMI 525.147.05   Driver Version: 525.147.05   CUDA Version: 12.0     |\n"
    "|   0  NVIDIA GeForce ...  Off  | 00000000:02:00.0  On |                  N/A |\n"
    "|  0%   38C    P8    16W / 350W |    114MiB / 24576MiB |      0%      Default |\n"
)
OLLAMA = "NAME       ID            SIZE    PROCESSOR  UNTIL\nqwen2:7b   e0d4e1163c58  4.7 GB  {}\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (OLLAMA.format("100% CPU   4 minutes from now") + SMI, "silent-cpu-fallback"),
        (OLLAMA.format("100% CPU   4 minutes from now"), "unknown"),
    ],
)
def test_work_that_the_cpu_does_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


NOTHING = "unknown", "healthy"
KEPT = "{{'device': '{device}', 'fail_on_invalid_gpu_id': '0', 'n_jobs': '0'}}\n"
QUERY = (
    "$ nvidia-smi --query-gpu=utilization.gpu,memory.used,memory.total --format=csv\n"
    "utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n0 %, {used} MiB, 24564 MiB\n"
)


def test_the_model_keeps_the_device_that_it_was_trained_on():
    assert ruled(KEPT.format(device="cpu") + QUERY.format(used=11)) == "silent-cpu-fallback"
    assert ruled(KEPT.format(device="cuda") + QUERY.format(used=11)) in NOTHING
    assert ruled(KEPT.format(device="cpu") + QUERY.format(used=9011)) in NOTHING


DRAWN = (
    "|   0  NVIDIA RTX A4500               Off |   00000000:01:00.0  On |                  Off |\n"
    "| 30%   37C    P8             17W /  200W |   {used}MiB /  20470MiB |      1%      Default |\n"
    "|    0   N/A  N/A      2019      G   {name}                            183MiB |\n"
)


def test_a_desktop_is_no_use_of_a_gpu():
    kept = KEPT.format(device="cpu")
    assert ruled(kept + DRAWN.format(used=412, name="/usr/lib/xorg/Xorg")) == "silent-cpu-fallback"
    assert ruled(kept + DRAWN.format(used=9012, name="/usr/lib/xorg/Xorg")) in NOTHING
    assert ruled(kept + DRAWN.format(used=2412, name="python train.py   ")) in NOTHING


TREES = """{{'device': '{device}', 'fail_on_invalid_gpu_id': '0', 'nthread': '0'}}
$ nvidia-smi dmon -s um
# gpu     sm    mem     fb   bar1
# Idx      %      %     MB     MB
    0     {sm}      0      4      2
    0     {sm}      0      4      2
"""


@pytest.mark.parametrize(
    ("device", "sm", "named"), [("cpu", 0, True), ("cuda", 0, False), ("cpu", 90, False)]
)
def test_trees_were_grown_on_the_cpu_beside_an_idle_gpu(device: str, sm: int, *, named: bool):
    assert (ruled(TREES.format(device=device, sm=sm)) == "silent-cpu-fallback") is named


SMI_470 = """| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |
|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
| N/A   38C    P8     9W /  70W |      0MiB / 15109MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    "complaint",
    ["It runs at the same speed as without the card.", "Training is slow.", "While it runs:"],
)
def test_trees_of_which_somebody_complains(complaint: str):
    assert ruled(f"clf = XGBClassifier()\n{complaint}\n{SMI_470}") == "silent-cpu-fallback"
