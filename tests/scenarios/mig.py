"""Machines whose GPU is split by MIG, or is about to be."""

from __future__ import annotations

from support.machines import A100, A100_1G, A100_2G, with_mig
from support.scenario import Expected, Scenario

from .healthy import HEALTHY

_SPLIT = (with_mig(A100),)
_INSTANCES = (A100_1G, A100_2G)

MIG_WITHOUT_INSTANCE = Scenario(
    name="mig-without-instance", expect=Expected("broken", "mig", "mig"), gpus=_SPLIT
)

MIG_TWO_INSTANCES = Scenario(name="mig-two-instances", expect=HEALTHY, gpus=_SPLIT, migs=_INSTANCES)

MIG_INSTANCE_NAMED = Scenario(
    name="mig-instance-named",
    expect=HEALTHY,
    gpus=_SPLIT,
    migs=_INSTANCES,
    environment={"CUDA_VISIBLE_DEVICES": A100_2G.uuid},
)

# The name of an instance that was destroyed: a new one of the same size has a new name.
MIG_WRONG_INSTANCE = Scenario(
    name="mig-wrong-instance",
    expect=Expected("broken", "mig", "visible-devices-hide-all"),
    gpus=_SPLIT,
    migs=_INSTANCES,
    environment={"CUDA_VISIBLE_DEVICES": "MIG-00000000-0000-5000-8000-000000000000"},
)
