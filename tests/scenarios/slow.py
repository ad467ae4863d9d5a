"""Machines whose GPU computes rightly and slowly, or does not tell all about itself."""

from __future__ import annotations

from dataclasses import replace

from support.machines import H100, RTX_4090
from support.scenario import Expected, Scenario

from .healthy import HEALTHY

SLOW = Expected("degraded", "power-thermal", "power-thermal")

_BUSY = replace(H100, utilization=98, clock_sm=1740, power=655.0, temperature=61, throttle=0)
# Bits of nvmlClocksEventReason…
_POWER_CAP = 0x4
_HW_SLOWDOWN, _HW_THERMAL = 0x8, 0x40

POWER_LIMIT_FAR_BELOW = Scenario(
    name="power-limit-far-below", expect=SLOW, gpus=(replace(H100, power_limit=300),)
)

# A near miss: somebody saves a little power.
POWER_LIMIT_A_LITTLE_BELOW = Scenario(
    name="power-limit-a-little-below", expect=HEALTHY, gpus=(replace(H100, power_limit=600),)
)

# A near miss of heat: a GPU at its power limit only works hard.
AT_ITS_POWER_LIMIT = Scenario(
    name="at-its-power-limit",
    expect=HEALTHY,
    gpus=(replace(_BUSY, power=699.0, throttle=_POWER_CAP),),
)

TOO_HOT = Scenario(
    name="too-hot",
    expect=SLOW,
    gpus=(replace(_BUSY, clock_sm=1005, temperature=91, throttle=_HW_SLOWDOWN | _HW_THERMAL),),
)

FOUR_LANES = Scenario(name="four-lanes", expect=SLOW, gpus=(replace(RTX_4090, pcie_width=4),))

# A near miss: boards with two slots give each eight lanes.
EIGHT_LANES = Scenario(name="eight-lanes", expect=HEALTHY, gpus=(replace(RTX_4090, pcie_width=8),))

GENERATION_1_UNDER_LOAD = Scenario(
    name="generation-1-under-load", expect=SLOW, gpus=(replace(_BUSY, pcie_generation=1),)
)

# A near miss: a board of before can do no more.
GENERATION_OF_THE_SLOT = Scenario(
    name="generation-of-the-slot",
    expect=HEALTHY,
    gpus=(replace(_BUSY, pcie_generation=4, slot_generation_max=4),),
)

# A near miss: what a screen shows keeps a resting GPU busy.
GENERATION_1_BEHIND_A_SCREEN = Scenario(
    name="generation-1-behind-a-screen",
    expect=HEALTHY,
    gpus=(replace(RTX_4090, utilization=62, clock_sm=210, pcie_generation=1),),
)

# A near miss: a link that has nothing to carry saves power.
GENERATION_1_IDLE = Scenario(
    name="generation-1-idle", expect=HEALTHY, gpus=(replace(H100, pcie_generation=1),)
)

# A GeForce has no ECC, no rows to replace, no MIG; here it tells nothing of its power either.
NOT_SUPPORTED = Scenario(
    name="not-supported",
    expect=HEALTHY,
    gpus=(
        replace(
            RTX_4090,
            power=None, power_limit=None, power_limit_default=None, power_limit_max=None,
            temperature_slowdown=None, throttle=None, utilization=None,
        ),
    ),
)  # fmt: skip

# The driver keeps to itself what only administrators may ask: whether memory fails stays open.
NO_PERMISSION = Scenario(
    name="no-permission",
    expect=Expected("unknown", None),
    faults={
        "nvmlDeviceGetTotalEccErrors": 4,
        "nvmlDeviceGetRemappedRows": 4,
        "nvmlDeviceGetComputeRunningProcesses_v2": 4,
    },
)

NVML_UNKNOWN_ERROR = Scenario(
    name="nvml-unknown-error",
    expect=HEALTHY,
    faults={"nvmlDeviceGetPowerUsage": 999, "nvmlDeviceGetTemperature": 999},
)
