"""Variables are found wherever they are set; advice to set one is not a setting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted.runs import environment
from gpuprobe.facts.pasted.text import Text

LATE = "visible.set_after_import"


def facts(pasted: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, fact in environment.read(Text(pasted)):
        found.setdefault(key.name, getattr(fact, "value", None))
    return found


def variables(pasted: str) -> dict[str, object]:
    return {
        name.removeprefix("env."): value
        for name, value in facts(pasted).items()
        if name.startswith("env.")
    }


@pytest.mark.parametrize(
    ("pasted", "value"),
    [
        ("export CUDA_VISIBLE_DEVICES=0,1", "0,1"),
        ("CUDA_VISIBLE_DEVICES=0,1 python train.py", "0,1"),
        ("$ CUDA_VISIBLE_DEVICES= python train.py", ""),
        ("Then it sets CUDA_VISIBLE_DEVICES=0.", "0"),
        ('export CUDA_VISIBLE_DEVICES=""', ""),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "-1"),
        ("os.environ['CUDA_VISIBLE_DEVICES']='GPU-8932f937'", "GPU-8932f937"),
        ('os.environ.setdefault("CUDA_VISIBLE_DEVICES", "3")', "3"),
        ("ENV CUDA_VISIBLE_DEVICES=0", "0"),
        ("ENV CUDA_VISIBLE_DEVICES 0", "0"),
        ("docker run --gpus all -e CUDA_VISIBLE_DEVICES=2 image", "2"),
        ("set CUDA_VISIBLE_DEVICES=1", "1"),
        ("DEEPMD INFO    CUDA_VISIBLE_DEVICES: 0,1", "0,1"),
        ("in my Slurm job CUDA_VISIBLE_DEVICES is NoDevFiles", "NoDevFiles"),
        ("`CUDA_VISIBLE_DEVICES` was set to `-1`", "-1"),
        ("C:\\x> set CUDA_VISIBLE_DEVICES=1", "1"),
        ('$env:CUDA_VISIBLE_DEVICES = "1"', "1"),
        ("setenv CUDA_VISIBLE_DEVICES 1", "1"),
        ("CUDA_VISIBLE_DEVICES: 1", "1"),
        ("  - name: CUDA_VISIBLE_DEVICES\n    value: '0'", "0"),
        ("$ echo $CUDA_VISIBLE_DEVICES\nMIG-GPU-5c/1/0", "MIG-GPU-5c/1/0"),
        ("echo %CUDA_VISIBLE_DEVICES%\n0", "0"),
        ("printenv CUDA_VISIBLE_DEVICES\n5", "5"),
        ("unset CUDA_VISIBLE_DEVICES", None),
        ("env={'CUDA_VISIBLE_DEVICES': '7'}", "7"),
        ("os.environ['CUDA_VISIBLE_DEVICES']: -1", "-1"),
        ('Sys.setenv(CUDA_VISIBLE_DEVICES = "1")', "1"),
        ("setenv('CUDA_VISIBLE_DEVICES', '1')", "1"),
        ('[Environment]::SetEnvironmentVariable("CUDA_VISIBLE_DEVICES", "-1", "User")', "-1"),
        ('$env.CUDA_VISIBLE_DEVICES = "-1"', "-1"),
        ("setx CUDA_VISIBLE_DEVICES -1", "-1"),
        ("set -gx CUDA_VISIBLE_DEVICES 3", "3"),
        ("%env CUDA_VISIBLE_DEVICES 2", "2"),
        ('- { name: CUDA_VISIBLE_DEVICES, value: "-1" }', "-1"),
        ('{"name": "CUDA_VISIBLE_DEVICES", "value": "0"}', "0"),
    ],
)
def test_a_setting_is_found(pasted: str, value: str | None) -> None:
    assert variables(pasted) == {"CUDA_VISIBLE_DEVICES": value}


@pytest.mark.parametrize(
    "pasted",
    [
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
        "If reserved memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
        "To turn them off, set the environment variable `TF_ENABLE_ONEDNN_OPTS=0`.",
        "MY_CUDA_VISIBLE_DEVICES=0",
        "RuntimeError: device 5 is not visible (CUDA_VISIBLE_DEVICES=[0, 1])",  # torch's list
        "CUDA_VISIBLE_DEVICES is not set to -1",
        "If CUDA_VISIBLE_DEVICES is -1, no GPU is used",
        "print(os.environ['CUDA_VISIBLE_DEVICES'])",
        "check CUDA_VISIBLE_DEVICES and LD_LIBRARY_PATH",
        "export CUDA_VISIBLE_DEVICES=...",
        "echo $LD_LIBRARY_PATH\n$ next command",
        "os.environ['CUDA_VISIBLE_DEVICES']: None",
        "we set -x CUDA_VISIBLE_DEVICES_OF_MINE 3",
        '{"name": "CUDA_VISIBLE_DEVICES", "description": "which GPUs"}',
    ],
)
def test_what_sets_nothing_says_nothing(pasted: str) -> None:
    assert variables(pasted) == {}


def test_the_search_path_of_tensorflows_log() -> None:
    log = "dlerror: libcudart.so.11.0: cannot open; LD_LIBRARY_PATH: /usr/local/cuda/lib64:/x"
    assert variables(log) == {"LD_LIBRARY_PATH": "/usr/local/cuda/lib64:/x"}


def test_what_is_printed_comes_before_what_is_set() -> None:
    assert variables("export LD_LIBRARY_PATH=/a\necho $LD_LIBRARY_PATH\n/b:/a") == {
        "LD_LIBRARY_PATH": "/b:/a"
    }


SET = 'os.environ["CUDA_VISIBLE_DEVICES"] = "1"'


@pytest.mark.parametrize(
    ("code", "late"),
    [
        (f"import os\nimport torch\n{SET}", True),
        (f"import os, torch\n{SET}", True),
        (f"from torch import nn\n{SET}", True),
        (f">>> import tensorflow as tf\n>>> {SET}", True),
        (f"import os\nprint(torch.cuda.is_available())\n{SET}", True),
        (f"import os\n{SET}\nimport torch", False),
        (f'  File "a.py", line 1, in <module>\n    import torch\n{SET}\nimport torch', False),
        (f"import torch\n```\n```\n{SET}\nimport torch", False),
    ],
)
def test_order_counts_within_one_piece_of_code(code: str, late: bool) -> None:
    assert facts(code)[LATE] is late


def test_a_shell_says_nothing_of_order() -> None:
    assert LATE not in facts("import torch\nexport CUDA_VISIBLE_DEVICES=0")


@given(st.text(alphabet="CUDA_VISIBLE=\"' $%{}:\n01", max_size=200))
def test_no_text_breaks_the_reader(noise: str) -> None:
    facts(f"CUDA_VISIBLE_DEVICES={noise}\necho $CUDA_HOME{noise}\n- name: CUDA_HOME\n{noise}")


def test_deepmd_says_of_a_variable_that_it_is_not_set() -> None:
    pasted = "DEEPMD INFO    CUDA_VISIBLE_DEVICES: unset"
    assert variables(pasted) == {"CUDA_VISIBLE_DEVICES": None}
