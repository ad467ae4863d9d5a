"""A GPU that a variable hides, as PyTorch and what stands on it tell of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

INVALID = (
    "ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu' or pass valid CUDA device(s)\n"
    "torch.cuda.is_available(): {seen}\ntorch.cuda.device_count(): {count}\n"
    "os.environ['CUDA_VISIBLE_DEVICES']: {visible}\n"
)
NONE = "RuntimeError: No CUDA GPUs are available\n"
SEES = ">>> torch.cuda.is_available()\nTrue\n"
NO_DEVICE = "CUDA error: no CUDA-capable device is detected\n"
TABLE = """\
| NVIDIA-SMI 384.81                 Driver Version: 384.81                    |
|   0  GRID K520           Off  | 00000000:00:03.0 Off |                  N/A |
| N/A   25C    P8    18W / 125W |     11MiB /  4036MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (INVALID.format(seen=False, count=0, visible=-1), "hidden-by-visible-devices"),
        (SEES + "in the launcher:\n" + NONE, "hidden-by-visible-devices"),
        (SEES, "healthy"),
        (SEES + "inside Docker:\n" + NONE + "docker run --gpus all image", "unknown"),
        (
            f"CUDA_VISIBLE_DEVICES=${{GPU_ID}} ./demo.py\n{NO_DEVICE}{TABLE}",
            "hidden-by-visible-devices",
        ),
    ],
)
def test_a_gpu_that_a_variable_hides_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "env CUDA_VISIBLE_DEVICES=-1 python train.py\nepoch 1 done",
        (
            "'--include localhost:3': No slot '3' specified on host 'w' was told. "
            "CUDA_VISIBLE_DEVICES=0,1 works.\n"
        ),
    ],
)
def test_kin_of_a_gpu_that_a_variable_hides_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


NOTHING = "unknown", "healthy"
SLOT = "ValueError: No slot '4' specified on host 'localhost'\n"


def test_deepspeed_takes_the_variable_for_the_hosts_gpus():
    told = "Detected CUDA_VISIBLE_DEVICES=4,5: setting --include=localhost:4,5\n"
    assert ruled(told + SLOT) == "hidden-by-visible-devices"
    assert ruled("deepspeed --include localhost:4 run.py\n" + SLOT) in NOTHING


ONE_LISTED = "GPU 0: NVIDIA RTX 3060 (UUID: GPU-11111111-1111-1111-1111-111111111111)\n"


@pytest.mark.parametrize(
    ("device", "cause"), [("1", "hidden-by-visible-devices"), ("0", "unknown")]
)
def test_comfyui_sets_the_variable(device: str, cause: str):
    text = f"Set cuda device to: {device}\n{NONE}C:\\>nvidia-smi -L\n{ONE_LISTED}"
    assert ruled(text) == cause


IN_R = """$ nvidia-smi -L
GPU 0: Tesla T4 (UUID: GPU-11111111-1111-1111-1111-111111111111)
$ echo $CUDA_VISIBLE_DEVICES
{value}
$ Rscript -e 'torch::cuda_is_available()'
[1] FALSE
"""


@pytest.mark.parametrize(("value", "named"), [("1", True), ("0", False)])
def test_r_sees_none_where_the_variable_counts_beyond_the_list(value: str, *, named: bool):
    text = IN_R.format(value=value)
    assert (ruled(text) == "hidden-by-visible-devices") is named


TWO_GPUS = """$ nvidia-smi -L
GPU 0: Tesla V100 (UUID: GPU-11111111-1111-1111-1111-111111111111)
GPU 1: Tesla V100 (UUID: GPU-22222222-2222-2222-2222-222222222222)
$ {start}python train.py
RuntimeError: CUDA error: invalid device ordinal
"""


@pytest.mark.parametrize(
    ("start", "cause"),
    [
        ("CUDA_VISIBLE_DEVICES=4 ", "hidden-by-visible-devices"),
        ("CUDA_VISIBLE_DEVICES=1 ", "hidden-by-visible-devices"),  # it leaves the number 0 only
        ("", "user-code"),
    ],
)
def test_an_ordinal_is_beyond_those_that_the_variable_leaves(start: str, cause: str):
    assert ruled(TWO_GPUS.format(start=start)) == cause


def test_a_word_that_stands_for_a_value_is_no_value():
    failing = "torch.cuda.is_available() is False\n"
    asked = "CUDA_VISIBLE_DEVICES={} python train.py\n"
    assert ruled(asked.format("''") + failing) == "hidden-by-visible-devices"
    assert ruled(asked.format("<the uuid>") + failing) != "hidden-by-visible-devices"


@pytest.mark.parametrize(
    ("setting", "cause"),
    [
        ("CUDA_VISIBLE_DEVICES=-1", "hidden-by-visible-devices"),
        ("# CUDA_VISIBLE_DEVICES=-1", "unknown"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "hidden-by-visible-devices"),
        ('# os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "unknown"),
    ],
)
def test_a_setting_that_was_switched_off(setting: str, cause: str):
    seen = ruled(f"{setting}\nGPU: RTX 3080\n>>> torch.cuda.is_available()\nFalse\n")
    assert (seen == cause) if cause != "unknown" else (seen != "hidden-by-visible-devices")


OF_TRITON = "specifies invalid or unsupported gpu id 1. GPUs with at least the minimum are: {}"
LIST = "os.environ['CUDA_VISIBLE_DEVICES'] = '{}'\n"


@pytest.mark.parametrize(
    "pasted",
    [
        LIST.format("[0-3]") + NONE,
        OF_TRITON.format("none"),
        LIST.format("[GPU]") + NONE,
        INVALID.format(seen=False, count=0, visible=None),
    ],
)
def test_what_stands_for_another_value_hides_nothing(pasted: str) -> None:
    assert ruled(pasted) not in ("hidden-by-visible-devices", "user-code")


TORCH_ANSWERS = ">>> torch.cuda.is_available()\n{}\n"
STOPPED = "NVIDIA A100\n{}$ systemctl is-active nvidia-fabricmanager\ninactive\n"


def test_a_variable_hides_gpus_beside_a_service_that_is_not_needed():
    hides = "$ echo $CUDA_VISIBLE_DEVICES\n-1\n"
    assert (
        ruled(STOPPED.format(hides) + TORCH_ANSWERS.format("False")) == "hidden-by-visible-devices"
    )
    assert ruled(STOPPED.format("") + TORCH_ANSWERS.format("False")) == "fabric-manager"
