"""What a build of a framework has to fit on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...facts import names
from ...facts.regex import regex
from ...facts.version import Version
from ..questions.place import place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...facts.model import Facts
    from ...knowledge.pytorch import Platform

#: The tables name paths on PyTorch's own index of wheels; this is its host.
PYTORCH_INDEX = "https://download.pytorch.org"
#: Before these, the releases of one time, all builds are on one page, with the CUDA in their
#: version; since then each CUDA has an index, by https://pytorch.org/get-started/previous-versions/
_FIRST_WITH_INDEX = {
    "torch": Version("1.11"),
    "torchvision": Version("0.12"),
    "torchaudio": Version("0.11"),
}
#: What PyTorch's own builds have behind the plus; others' have words of their own there.
_OWN_TAG = regex(r"cu\d{2,3}|cpu|rocm[\d.]{1,8}|xpu")
OLD_PAGE = f"{PYTORCH_INDEX}/whl/torch_stable.html"


@dataclass(frozen=True, slots=True)
class Choice:
    """What to give to ``pip install``; `needs`: what pip does not bring along, or empty."""

    requirement: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a build has to fit; None, or no GPU: not known, so nothing can be chosen by it."""

    capabilities: tuple[Version, ...]
    python: Version | None
    driver: Version | None
    driver_cuda: Version | None
    platform: Platform | None
    jetson: bool = False  # a Tegra board before JetPack 7, which the usual wheels do not serve
    beside: tuple[tuple[str, str], ...] = ()  # what goes with a torch, and its release
    cpuonly: bool = False  # conda's package that keeps torch to builds for the CPU

    @property
    def torch_packages(self) -> tuple[str, ...]:
        """torch, and what is compiled for it and installed."""
        return "torch", *(name for name, _ in self.beside)

    @property
    def windows(self) -> bool:
        """Whether it is native Windows."""
        return self.platform == "windows"


def ground_of(facts: Facts) -> Ground:
    """The ground that these facts tell of."""
    gpus = facts.subjects(names.GPU_CAPABILITY)
    found = (facts.known(names.GPU_CAPABILITY(gpu)) for gpu in gpus)
    return Ground(
        tuple(sorted({capability for capability in found if capability is not None})),
        facts.known(names.PYTHON_VERSION),
        facts.known(names.DRIVER_VERSION),
        facts.known(names.DRIVER_CUDA),
        _platform(facts),
        _is_jetson(facts),
        tuple(_beside_torch(facts)),
        facts.known(names.PACKAGE_VERSION("cpuonly")) is not None,
    )


def has_index(version: str, name: str = "torch") -> bool:
    """Whether the builds of a release of PyTorch's are on an index for each CUDA."""
    release = Version.parse(version.partition("+")[0])
    first = _FIRST_WITH_INDEX.get(name)
    return release is None or first is None or release >= first


def where_built(name: str, version: str) -> str:
    """The option of pip for the place of a release with a tag, ``2.3.1+cu121``; empty for PyPI."""
    release, _, variant = version.partition("+")
    if name not in _FIRST_WITH_INDEX or not _OWN_TAG.fullmatch(variant):
        return ""
    if not has_index(version, name):
        return f" -f {OLD_PAGE}"
    folder = "whl/nightly" if ".dev" in release else "whl"
    return f" --index-url {PYTORCH_INDEX}/{folder}/{variant}"


def in_place_of(packages: Iterable[str], requirement: str) -> tuple[str, str]:
    """The commands that bring another build of packages that are there.

    The build that goes has to be removed: pip takes it for the one that is asked for, whatever
    index it came from. --force-reinstall would renew all that a package needs as well, NumPy, say.
    """
    return f"pip uninstall --yes {' '.join(packages)}", f"pip install {requirement}"


#: Compiled for one release of torch, from whose index they have to come as well.
_WITH_TORCH = ("torchvision", "torchaudio")


def _beside_torch(facts: Facts) -> Iterator[tuple[str, str]]:
    for name in _WITH_TORCH:
        version = facts.known(names.PACKAGE_VERSION(name))
        if version is not None:
            yield name, version.partition("+")[0]


#: L4T 38 is JetPack 7: from then on the builds for servers of ARM serve these boards, too.
_FIRST_LIKE_SERVERS = 38


def _is_jetson(facts: Facts) -> bool:
    if facts.known(names.TEGRA_MODEL) is None:
        return False
    release = facts.known(names.TEGRA_RELEASE)
    return release is None or release.major < _FIRST_LIKE_SERVERS


def _platform(facts: Facts) -> Platform | None:
    system = place_of(facts).system
    if system != "Linux":
        return "windows" if system == "Windows" else None
    board = facts.known(names.TEGRA_MODEL) is not None
    arm = board or facts.known(names.OS_MACHINE) == "aarch64"
    return "linux_aarch64" if arm else "linux_x86_64"
