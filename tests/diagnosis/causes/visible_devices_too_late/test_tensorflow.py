"""CUDA_VISIBLE_DEVICES that is set after CUDA has started, as TensorFlow tells of it."""

from __future__ import annotations

import pytest

from support.cases import ruled

CELLS = """2x Titan V
In [1]: import tensorflow as tf
        tf.config.list_logical_devices('GPU')
In [2]: import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        tf.config.list_physical_devices('GPU')
Out[2]: [PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU'){second}]
"""
SECOND = ",\n PhysicalDevice(name='/physical_device:GPU:1', device_type='GPU')"


@pytest.mark.parametrize(
    ("second", "cause"), [(SECOND, "visible-devices-too-late"), ("", "healthy")]
)
def test_a_list_of_devices_over_several_lines(second: str, cause: str):
    assert ruled(CELLS.format(second=second)) == cause


TAKEN = """Adding visible gpu devices: {gpus}
INFO trainer: CUDA_VISIBLE_DEVICES{value}
"""


@pytest.mark.parametrize(
    ("gpus", "value", "named"),
    [
        ("0, 1", ": 1", True),
        ("0", ": 1", False),
        ("0, 1", ": 0,1", False),
        ("0, 1", "='1'", False),  # of code, which may be the mended one
    ],
)
def test_tensorflow_takes_more_gpus_than_its_log_names(gpus: str, value: str, *, named: bool):
    text = TAKEN.format(gpus=gpus, value=value)
    assert (ruled(text) == "visible-devices-too-late") is named


CELLS_EXECUTED = """Executing Cell 1---------------------------------------
import os, tensorflow as tf
print(tf.config.list_logical_devices('GPU'))
...
Ending Cell 1------------------------------------------
Executing Cell 3---------------------------------------
{code}
x = tf.random.normal([4, 4]); print(x.device, len(tf.config.list_physical_devices('GPU')))
/job:localhost/replica:0/task:0/device:GPU:0 {count}
Ending Cell 3------------------------------------------
"""


def test_a_count_stands_behind_the_name_of_a_device():
    late = 'os.environ["CUDA_VISIBLE_DEVICES"] = "3"'
    assert ruled(CELLS_EXECUTED.format(code=late, count=4)) == "visible-devices-too-late"
    assert ruled(CELLS_EXECUTED.format(code="pass", count=4)) == "healthy"


LATE = """import os, sys
from tensorflow.python.client import device_lib
print(device_lib.list_local_devices())
os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512] and type float
|   0  GeForce RTX 2080 Ti  Off  | 00000000:05:00.0 Off |                  N/A |
| 71%   84C    P2   241W / 250W |  {first}MiB / 11019MiB |     98%      Default |
|   1  GeForce RTX 2080 Ti  Off  | 00000000:06:00.0 Off |                  N/A |
| 23%   31C    P8     9W / 250W |  {second}MiB / 11019MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [("10900", "  150", True), ("  150", "10900", False), ("10900", "10900", False)],
)
def test_the_first_gpu_is_full_where_another_was_chosen(first: str, second: str, *, named: bool):
    text = LATE.format(first=first, second=second)
    assert (ruled(text) == "visible-devices-too-late") is named


SET = '\nos.environ["CUDA_VISIBLE_DEVICES"]="1"\n'


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (
            "The line stands far down in the script; memory on all GPUs is taken all the same.",
            "visible-devices-too-late",
        ),
        (
            "I set the variable after all the imports, and the first GPU is taken.",
            "visible-devices-too-late",
        ),
        ("The line stands far down in the script.", "unknown"),
        ("I set it before the first import, not after the imports, still GPU 0", "unknown"),
        ("I set the variable before the imports, and all GPUs are taken.", "unknown"),
    ],
)
def test_visible_devices_far_down(said: str, cause: str) -> None:
    assert ruled(f"tensorflow: 2.7\n\n{said}\n{SET}") == cause
