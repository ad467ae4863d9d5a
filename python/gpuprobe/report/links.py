"""A link of the chain as a row of a report: its title, and the findings that break it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..diagnosis.model import Diagnosis, Link, Placed, Role

if TYPE_CHECKING:
    from .marks import Mark


class Row(NamedTuple):
    """One link of the chain in words that need no knowledge of CUDA."""

    link: Link
    title: str
    mark: Mark
    detail: str


TITLES = {
    Link.HARDWARE: "Graphics card",
    Link.KERNEL_MODULE: "Kernel driver",
    Link.USER_DRIVER: "Driver library",
    Link.DEVICE_NODES: "Device files",
    Link.CONTAINER: "Container",
    Link.VISIBLE_DEVICES: "Visible GPUs",
    Link.COMPUTE_MODE: "Compute mode",
    Link.RUNTIME: "CUDA version",
    Link.LIBRARIES: "CUDA libraries",
    Link.FRAMEWORK: "Frameworks",
    Link.WORK: "Computation",
    Link.LOCK: "Lock file",
}


def faults(diagnosis: Diagnosis, link: Link) -> list[Placed]:
    """The findings that break a link; what a text reads like is seen of none."""
    at_link = (each for each in diagnosis.placed if each.rule.link is link)
    return [each for each in at_link if each.role is not Role.NOTE and not each.rule.last_resort]


def see(diagnosis: Diagnosis, link: Link) -> str:
    """Where the fault of a link is told: its own words may be of something that works."""
    codes = dict.fromkeys(placed.rule.code for placed in faults(diagnosis, link))
    return f"see {', '.join(codes)} below" if codes else ""
