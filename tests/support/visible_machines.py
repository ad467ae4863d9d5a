"""Machines for CUDA_VISIBLE_DEVICES: four equal GPUs, and one that is split beside a whole one."""

from __future__ import annotations

from dataclasses import replace

from gpuprobe.knowledge.visible_devices.model import Gpu, Instance
from support.gpu import Driver, Mig
from support.machines import A100, H100

UUIDS = (
    "GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f10",
    "GPU-47c10b5d-3e8f-4a92-b6c4-d10f7e2a9585",
    "GPU-9e8d35e3-6f2c-4b1a-a0d7-2c5b81f49e63",
    "GPU-3f7b2d63-9f5c-4e1b-8a6d-62d3e97f1021",
)
FOUR = tuple(
    replace(H100, uuid=uuid, pci=f"0000:{place + 1:02x}:00.0", minor=place)
    for place, uuid in enumerate(UUIDS)
)
GPUS = tuple(Gpu(uuid) for uuid in UUIDS)

DRIVER_570 = Driver("570.86.15", 12080)
SPLIT = replace(A100, uuid=UUIDS[1], pci="0000:02:00.0", minor=1, mig=True)
#: Two compute instances of one GPU instance, and one of another.
MIGS = tuple(
    Mig(f"{A100.name} MIG", f"MIG-{n}1111111-6f2c-5b1a-a0d7-2c5b81f49e63", 4864, 14, gi, ci, n, 1)
    for n, (gi, ci) in enumerate(((1, 0), (1, 1), (2, 0)))
)
SPLIT_GPUS = (
    Gpu(UUIDS[0]),
    Gpu(
        UUIDS[1],
        mig=True,
        instances=tuple(Instance(m.uuid, m.gpu_instance, m.compute_instance) for m in MIGS),
    ),
)
