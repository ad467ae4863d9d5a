"""Answers of the probe program, as Python objects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gpuprobe.facts.answers import Answer, read_answer
from gpuprobe.facts.probe import Silent

if TYPE_CHECKING:
    from gpuprobe.facts.snapshot import JsonValue

    Part = JsonValue | dict[str, "Part"] | list["Part"]

NOT_RUN = Silent("cuda", "not run", None, "gpuprobe was installed without its C core")
HUNG = Silent("cuda", "hung", "cuInit", "the probe 'cuda' was killed after 60 s in cuInit")
CRASHED = Silent("cuda", "crashed", "cuInit", "the probe 'cuda': ended by SIGSEGV in cuInit")

UUID, OTHER_UUID = "GPU-3f6a1c52-8e4b-4d0a-9b7e-51c2d86e0f10", "GPU-47c10b5d-3e8f-4a92-b6c4-d10f7e"


def answered(step: str, **fields: Part) -> Answer:
    """What the program prints for `step`; a healthy answer but for `fields`."""
    common: dict[str, Part] = {
        "probe": 1,
        "step": step,
        "ok": True,
        "library": {"name": "lib", "path": "/usr/lib/lib.so.1", "via": "search", "error": None},
        "failed": None,
        "times_ms": {"load": 1.0, "init": 30.5},
    }
    return read_answer(json.dumps({**common, **fields}), step)


def failed(kind: str, call: str, code: int, name: str | None = None) -> dict[str, Part]:
    """The member "failed" of an answer."""
    return {"kind": kind, "call": call, "code": code, "name": name, "text": None}


def missing_library(step: str) -> Answer:
    """The answer where the loader finds no library."""
    error = "libcuda.so.1: cannot open shared object file: No such file or directory"
    return answered(
        step,
        failed=failed("library", "dlopen", 0),
        library={"name": "libcuda.so.1", "path": None, "via": "search", "error": error},
        times_ms={"load": 0.1},
    )


def nvml_device(index: int = 0, **fields: Part) -> dict[str, Part]:
    """A device in NVML's list."""
    return {
        "index": index,
        "name": "NVIDIA H100 80GB HBM3",
        "uuid": UUID,
        "pci": "0000:01:00.0",
        "minor": 0,
        "capability": [9, 0],
        "memory_total_bytes": 85520809984,
        "memory_free_bytes": 84000000000,
        "compute_mode": 0,
        "persistence_mode": 1,
        "mig_mode": 0,
        "nvlinks": [],
        "nvlink_errors": 0,
        "paths": [],
        "processes": [],
        "mig_devices": [],
        "unread": {},
        "failed": None,
        **fields,
    }


def link(number: int, **fields: Part) -> dict[str, Part]:
    """A link of NVML's that leads to a switch."""
    return {"link": number, "active": 1, "remote_kind": 2, "remote": None, "unread": {}, **fields}


def mig_device(place: int, **fields: Part) -> dict[str, Part]:
    """A MIG instance in NVML's list of a GPU."""
    return {
        "place": place,
        "name": "NVIDIA H100 80GB HBM3 MIG 1g.10gb",
        "uuid": f"MIG-5d2f9a7c-1b7e-5c3d-9e0f-{place:012x}",
        "memory_bytes": 10468982784,
        "gpu_instance": 9 + place,
        "compute_instance": 0,
        "unread": {},
        **fields,
    }


def cuda_device(ordinal: int = 0, **fields: Part) -> dict[str, Part]:
    """A device in CUDA's list."""
    return {
        "ordinal": ordinal,
        "name": "NVIDIA H100 80GB HBM3",
        "uuid": UUID,
        "pci": "0000:01:00.0",
        "capability": [9, 0],
        "sms": 132,
        "memory_bytes": 84930000000,
        "integrated": False,
        "compute_mode": 0,
        "unread": {},
        "failed": None,
        **fields,
    }
