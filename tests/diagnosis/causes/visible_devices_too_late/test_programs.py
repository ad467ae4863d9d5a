"""CUDA_VISIBLE_DEVICES that is set after CUDA has started, told by nvidia-smi and others."""

from __future__ import annotations

import pytest

from support.cases import ruled

LATE = "RuntimeError: {} devices cannot be modified after being initialized"
SET = "os.environ['CUDA_VISIBLE_DEVICES']='3'"
WROTE_IN_TRAIN = "I wrote os.environ['CUDA_VISIBLE_DEVICES']='1' in train.py,\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (LATE.format("Visible"), "visible-devices-too-late"),
        (f"import jaxnet\n{SET} => not working", "visible-devices-too-late"),
        (f"{SET}\nimport torch", "unknown"),
        (f"{SET} => not working\nimport torch", "unknown"),
        (f"In my code I write {SET}, but it still runs on GPU 0", "visible-devices-too-late"),
        (WROTE_IN_TRAIN + "the code will always use cuda:0", "visible-devices-too-late"),
        (
            "I set CUDA_VISIBLE_DEVICES in the script and it has no effect",
            "visible-devices-too-late",
        ),
    ],
)
def test_a_variable_that_is_set_too_late_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


WROTE_IN_MAIN = "I wrote os.environ['CUDA_VISIBLE_DEVICES'] = '{}' in main.py.\n"


@pytest.mark.parametrize(
    "text",
    [
        WROTE_IN_MAIN.format(0) + "and device_count() shows 1.",
        WROTE_IN_TRAIN + "and the training uses cuda:0 as it should",
    ],
)
def test_this_is_not_a_variable_that_is_set_too_late(text: str):
    assert ruled(text) != "visible-devices-too-late"


CONSOLE_OF_R = """> tf$config$list_physical_devices("GPU")
[[1]]
PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')
[[2]]
PhysicalDevice(name='/physical_device:GPU:1', device_type='GPU')
> Sys.setenv(CUDA_VISIBLE_DEVICES = "3")
> m %>% fit(x, y)
{told}
"""


@pytest.mark.parametrize(
    ("told", "late"), [("Still GPU 0 is used.", True), ("Now GPU 3 is used.", False)]
)
def test_the_variable_comes_too_late_in_r(told: str, *, late: bool):
    assert (ruled(CONSOLE_OF_R.format(told=told)) == "visible-devices-too-late") is late


NOTHING = "unknown", "healthy"


def test_dask_gives_a_worker_its_gpu_too_late():
    warned = (
        "UserWarning: Worker with process ID 31217 should have a CUDA context assigned to device "
        "{}.\n"
    )
    elsewhere = "2, but instead the CUDA context is on device 0"
    assert ruled(warned.format(elsewhere)) == "visible-devices-too-late"
    assert ruled(warned.format("2")) in NOTHING


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("设置CUDA_VISIBLE_DEVICES 没生效", "visible-devices-too-late"),
        ("it still attempts to use GPU 0", "visible-devices-too-late"),
        ("it takes that GPU", "unknown"),
    ],
)
def test_a_variable_that_code_sets_changes_nothing(said: str, cause: str):
    code = 'import oneflow\nimport os\nos.environ["CUDA_VISIBLE_DEVICES"] = "1"\n'
    assert ruled(f"{code}\n{said}\n") == cause


IN_CODE = """os.environ["CUDA_VISIBLE_DEVICES"] = "{value}"
However, the program {uses} three GPUs.
"""


@pytest.mark.parametrize(
    ("value", "uses", "late"),
    [("0,1", "occupies", True), ("0,1,2", "occupies", False), ("0,1", "is told of", False)],
)
def test_more_gpus_are_used_than_code_names(value: str, uses: str, *, late: bool):
    assert (ruled(IN_CODE.format(value=value, uses=uses)) == "visible-devices-too-late") is late


NOTEBOOK = """[1]: import jax.numpy as jnp
     {first}
[2]: %env CUDA_VISIBLE_DEVICES=3
env: CUDA_VISIBLE_DEVICES=3
[3]: run(batch)
The training is on GPU 0.
"""


@pytest.mark.parametrize(
    ("first", "late"), [("print(jnp.ones(4).sum())", True), ("import numpy as np", False)]
)
def test_a_cell_sets_the_variable_below_one_that_computed(first: str, late: bool):
    assert (ruled(NOTEBOOK.format(first=first)) == "visible-devices-too-late") is late


CODE = """import os
os.environ["CUDA_VISIBLE_DEVICES"]="1"
from jax.lib import xla_bridge
print(xla_bridge.get_backend().devices())
[{devices}]
"""


@pytest.mark.parametrize(
    ("devices", "cause"),
    [
        ("GpuDevice(id=0), GpuDevice(id=1)", "visible-devices-too-late"),
        ("GpuDevice(id=0)", "healthy"),
    ],
)
def test_more_gpus_are_listed_than_the_code_asked_for(devices: str, cause: str):
    assert ruled(CODE.format(devices=devices)) == cause


@pytest.mark.parametrize(
    ("told", "late"),
    [
        ("works, but my colleague's job uses two GPUs.", False),
        ("works, but with DataParallel it takes two GPUs minutes to start.", False),
        ("is set, but it uses two GPUs.", True),
        ("is set. The training still uses two GPUs.", True),
        ("is set, however nvidia-smi shows that it occupies two GPUs.", True),
    ],
)
def test_who_uses_more_gpus_than_are_named_is_the_program(told: str, late: bool):
    text = f'I set os.environ["CUDA_VISIBLE_DEVICES"] = "0"\nIt {told}'
    assert (ruled(text) == "visible-devices-too-late") is late


FEWER = "\nIndexError: the list kept from before has 4 GPUs, of which 1 is visible\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("The workflow starts the kernel and then sets CUDA_VISIBLE_DEVICES=0.", True),
        ("It exports `CUDA_VISIBLE_DEVICES` after the Dask cluster has started", True),
        ("The workflow sets CUDA_VISIBLE_DEVICES=0 and then starts the kernel.", False),
        ("It starts the kernel and then sets the seed. CUDA_VISIBLE_DEVICES=0", False),
        ("Should I start the kernel and then set CUDA_VISIBLE_DEVICES?", False),
    ],
)
def test_a_kernel_has_what_the_variable_was_at_its_start(told: str, *, cause: bool):
    assert ruled(told + FEWER) == ("visible-devices-too-late" if cause else "unknown")
    assert ruled(told) == "unknown"  # it harms nobody by itself
