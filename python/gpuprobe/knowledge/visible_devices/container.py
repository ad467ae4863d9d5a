"""NVIDIA_VISIBLE_DEVICES: what a container run time gives to a container, before CUDA starts."""

from __future__ import annotations

from dataclasses import dataclass

SOURCE = "NVIDIA/nvidia-container-toolkit, internal/config/image"
#: Words that mean something there, and nothing to CUDA.
KEYWORDS = frozenset({"all", "none", "void"})


@dataclass(frozen=True, slots=True)
class Given:
    """What the run time gives: which GPUs, and whether the driver's files come with them.

    `devices` are the entries of a list: numbers, UUIDs, or names of the Container Device
    Interface; None where all GPUs are given.
    """

    devices: tuple[str, ...] | None
    driver: bool

    @property
    def nothing(self) -> bool:
        """Whether no GPU is given."""
        return self.devices == ()


def brings(capability: str, capabilities: str) -> bool:
    """Whether one comes along by this NVIDIA_DRIVER_CAPABILITIES.

    ``compute`` is libcuda, ``utility`` NVML and nvidia-smi.
    """
    return not {each.strip() for each in capabilities.split(",")}.isdisjoint(
        {capability, "all", ""}
    )


def given(value: str | None, *, legacy_image: bool = False) -> Given:
    """What a container gets by this value.

    `legacy_image`: it sets CUDA_VERSION and no NVIDIA_REQUIRE_CUDA; such an image gets all GPUs
    where the variable is not set. An administrator may have the value ignored for containers
    without privileges.
    """
    if value is None:
        return Given(None, driver=True) if legacy_image else Given((), driver=False)
    entries = tuple(entry.strip() for entry in value.split(",") if entry.strip())
    if not entries or "void" in entries:
        return Given((), driver=False)
    if "none" in entries:
        return Given((), driver=True)
    return Given(None if "all" in entries else entries, driver=True)
