"""The parts of made machines: cards, drivers, PyTorch builds. Versions come from the tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuprobe.knowledge import tables


@dataclass(frozen=True, slots=True)
class Card:
    """A GPU, and the driver branches that serve it (None: the newest still does)."""

    name: str
    capability: str
    memory_mib: int
    first_branch: int
    last_branch: int | None = None

    @property
    def sm(self) -> int:
        """61 for 6.1."""
        return int(self.capability.replace(".", ""))


K80 = Card("Tesla K80", "3.7", 11441, 352, 470)
GTX_980 = Card("NVIDIA GeForce GTX 980", "5.2", 4096, 352, 580)
GTX_1080 = Card("NVIDIA GeForce GTX 1080", "6.1", 8192, 367, 580)
P100 = Card("Tesla P100-PCIE-16GB", "6.0", 16280, 375, 580)
V100 = Card("Tesla V100-SXM2-32GB", "7.0", 32768, 384, 580)
T4 = Card("Tesla T4", "7.5", 15360, 410)
RTX_2080 = Card("NVIDIA GeForce RTX 2080 Ti", "7.5", 11264, 410)
A100 = Card("NVIDIA A100-SXM4-40GB", "8.0", 40960, 450)
RTX_3090 = Card("NVIDIA GeForce RTX 3090", "8.6", 24576, 455)
RTX_4090 = Card("NVIDIA GeForce RTX 4090", "8.9", 24564, 525)
H100 = Card("NVIDIA H100 80GB HBM3", "9.0", 81559, 525)
RTX_5090 = Card("NVIDIA GeForce RTX 5090", "12.0", 32607, 570)
CARDS = (
    *(K80, GTX_980, GTX_1080, P100, V100, T4, RTX_2080),
    *(A100, RTX_3090, RTX_4090, H100, RTX_5090),
)

#: One release of each branch.
_RELEASES = (
    *("410.104", "418.87.00", "430.50", "440.33.01", "450.80.02", "455.45.01", "460.91.03"),
    *("470.256.02", "495.46", "510.108.03", "515.105.01", "520.61.05", "525.147.05", "530.41.03"),
    *("535.183.01", "545.23.08", "550.127.05", "555.42.06", "560.35.05", "565.57.01"),
    *("570.133.20", "575.57.08", "580.95.05", "590.48.01", "610.43.02"),
)


@dataclass(frozen=True, slots=True)
class Driver:
    """A release, and the highest CUDA that it serves."""

    version: str
    cuda: str

    @property
    def branch(self) -> int:
        """535 for 535.183.01."""
        return int(self.version.partition(".")[0])


def drivers() -> tuple[Driver, ...]:
    """A driver of each branch of the table, oldest first."""
    rows = tables.load("driver_cuda").section("branches")
    cuda = {row.integer("branch"): str(row.version("cuda")) for row in rows}
    found = ((int(version.partition(".")[0]), version) for version in _RELEASES)
    return tuple(Driver(version, cuda[branch]) for branch, version in found if branch in cuda)


def drivers_of(card: Card) -> tuple[Driver, ...]:
    """Those that serve `card`."""
    last = card.last_branch or 10_000
    return tuple(each for each in drivers() if card.first_branch <= each.branch <= last)


@dataclass(frozen=True, slots=True)
class Torch:
    """A CUDA wheel of PyTorch, and the targets that were compiled into it."""

    release: str
    variant: str
    cuda: str
    targets: tuple[str, ...]

    @property
    def version(self) -> str:
        """As torch prints it."""
        return f"{self.release}.0+{self.variant}"

    @property
    def short_cuda(self) -> str:
        """12.6 for 12.6.3."""
        return ".".join(self.cuda.split(".")[:2])

    def runs_on(self, card: Card) -> bool:
        """Whether a binary serves the card, or PTX that its driver translates."""
        for target in self.targets:
            kind, _, digits = target.partition("_")
            number = int(re.sub(r"\D", "", digits))
            same_major = number // 10 == card.sm // 10
            if number <= card.sm and (kind == "compute" or same_major):
                return True
        return False

    def is_served_by(self, driver: Driver) -> bool:
        """A driver serves every CUDA of its own major (from 11 on) and all older ones."""
        return int(self.cuda.partition(".")[0]) <= int(driver.cuda.partition(".")[0])

    def compiled_for(self) -> str:
        """As the warning about an unfit device lists them."""
        return " ".join(target for target in self.targets if target.startswith("sm"))


def torches() -> tuple[Torch, ...]:
    """The wheels for CUDA 11 and later whose targets are known, newest first.

    Before CUDA 11 a driver had to be of the very release, which `is_served_by` does not know.
    """
    rows = tables.load("pytorch").section("builds")
    return tuple(
        Torch(
            row.text("torch"),
            row.text("variant"),
            str(row.version("cuda")),
            row.texts("linux_x86_64"),
        )
        for row in rows
        if row.texts("linux_x86_64") and row.version("cuda").major >= 11
    )


@dataclass(frozen=True, slots=True)
class Machine:
    """What a made text is about."""

    card: Card
    driver: Driver
    count: int = 1
    python: str = "3.10.12"
    system: str = "Ubuntu 22.04.4 LTS"
