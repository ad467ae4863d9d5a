"""A GPU that a variable hides, told by Windows and containers."""

from __future__ import annotations

import pytest

from support.cases import ruled


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "nvidia-container-cli: device error: invalid device id: all,0",
            "hidden-by-visible-devices",
        ),
    ],
)
def test_a_gpu_that_a_variable_hides_is_named(text: str, cause: str):
    assert ruled(text) == cause


NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"


@pytest.mark.parametrize(
    "printed",
    [
        ">>> os.environ['CUDA_VISIBLE_DEVICES']\n{value}\n",
        ">>> os.getenv('CUDA_VISIBLE_DEVICES', None)\n{value}\n",
        "In [2]: os.environ.get('CUDA_VISIBLE_DEVICES')\nOut[2]: {value}\n",
        'os.environ["CUDA_VISIBLE_DEVICES"] -> {value}\n',
        "print(os.environ['CUDA_VISIBLE_DEVICES'])  ->  {value}\n",
        "PS C:\\work> $env:CUDA_VISIBLE_DEVICES\n{value}\n",
    ],
)
@pytest.mark.parametrize(
    ("value", "cause"), [("'-1'", "hidden-by-visible-devices"), ("'0'", "unknown")]
)
def test_a_program_prints_the_variable(printed: str, value: str, cause: str):
    shown = value.strip("'") if "$env" in printed or "print(" in printed else value
    assert ruled(f"GPU: NVIDIA A10G\n{printed.format(value=shown)}{NO_GPUS}") == cause


ITEMS = """PS C:\\> Get-ChildItem Env:CUDA*
Name                           Value
----                           -----
CUDA_PATH                      C:\\CUDA\\v11.8
CUDA_VISIBLE_DEVICES           {value}

"""


@pytest.mark.parametrize(
    ("value", "cause"), [("-1", "hidden-by-visible-devices"), ("0", "unknown")]
)
def test_powershell_lists_its_variables(value: str, cause: str):
    assert ruled(f"GPU: RTX 3060\n{ITEMS.format(value=value)}{NO_GPUS}") == cause


@pytest.mark.parametrize(
    ("device", "cause"),
    [("00:1e.0: unknown", "hidden-by-visible-devices"), ("0:1", "mig")],
)
def test_an_address_is_no_instance(device: str, cause: str):
    assert ruled(f"nvidia-container-cli: device error: unknown device id: {device}") == cause
