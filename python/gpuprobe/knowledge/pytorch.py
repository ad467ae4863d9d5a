"""PyTorch: what a version was built with, and which GPUs it has kernels for."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal

from ..facts.version import Version
from . import architecture
from .architecture import Coverage, Kernels
from .tables import Record, Unstated, load

Platform = Literal["linux_x86_64", "linux_aarch64", "windows"]
Kind = Literal["cuda", "cpu", "rocm", "xpu", "other", "unknown"]

_VERSION = re.compile(r"(\d+\.\d+)(?:\.\d+)?(?:(a|b|rc|\.dev|\.post)\d+)?(?:\+(.+))?", re.ASCII)
_CUDA_TAG = re.compile(r"cu(\d{2,3})(?![a-z\d])")


@dataclass(frozen=True, slots=True)
class TorchVersion:
    """A version as torch prints it, taken apart.

    `official` is False for nightly builds and for those of others (NVIDIA's containers and
    JetPack, own builds), which follow no table. `variant` is the local tag (``cu121``, ``cpu``,
    ``rocm6.2``) or None.
    """

    text: str
    release: Version
    variant: str | None
    official: bool


@dataclass(frozen=True, slots=True)
class Release:
    """One minor release, and the variant that plain pip installs (None: not known)."""

    torch: Version
    python_min: Version
    python_max: Version
    pypi_linux: str | None
    pypi_windows: str | None
    note: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Build:
    """One CUDA variant of one release."""

    torch: Version
    variant: str
    cuda: Version
    cudnn: Version
    nccl: Version | None
    level: str | None
    disagreement: str | None
    source: str


def parse_version(text: str) -> TorchVersion | None:
    """``2.4.1+cu121``, ``2.1.0a0+32f93b1``, ``2.6.0.dev20241112+cpu``; None: no torch version."""
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        return None
    release, stage, local = found.groups()
    variant = _variant_of_tag(local) if local is not None else None
    foreign = local is not None and variant is None
    early = stage in ("a", ".dev")
    return TorchVersion(text.strip(), Version(release), variant, not (foreign or early))


def _variant_of_tag(local: str) -> str | None:
    cuda = _CUDA_TAG.match(local)
    if cuda is not None:
        return cuda.group(0)
    return next((tag for tag in ("cpu", "xpu") if local.startswith(tag)), None) or (
        local if local.startswith("rocm") else None
    )


@functools.cache
def releases() -> tuple[Release, ...]:
    """All releases in the table, newest first."""
    return tuple(_release(row) for row in load("pytorch").section("releases"))


def _release(row: Record) -> Release:
    return Release(
        row.version("torch"),
        row.version("python_min"),
        row.version("python_max"),
        row.text_or_none("pypi_linux"),
        row.text_or_none("pypi_windows"),
        row.text_or_none("note"),
        row.source,
    )


def release(version: str) -> Release | None:
    """The release that a version belongs to; None: not in the table, or no torch version."""
    asked = parse_version(version)
    return next((r for r in releases() if asked is not None and r.torch == asked.release), None)


@functools.cache
def _records() -> dict[tuple[Version, str], Record]:
    """The builds by release and variant."""
    rows = load("pytorch").section("builds")
    return {(row.version("torch"), row.text("variant")): row for row in rows}


def _build(row: Record) -> Build:
    return Build(
        row.version("torch"),
        row.text("variant"),
        row.version("cuda"),
        row.version("cudnn"),
        row.version_or_none("nccl"),
        row.text_or_none("level"),
        row.text_or_none("disagreement"),
        row.source,
    )


@functools.cache
def builds(torch: Version) -> tuple[Build, ...]:
    """The CUDA variants of a release such as ``2.4``, lowest CUDA first."""
    found = (_build(row) for (release_, _), row in _records().items() if release_ == torch)
    return tuple(sorted(found, key=lambda build: build.cuda))


@functools.cache
def newest_cuda_before(torch: Version) -> Version:
    """The newest CUDA that any release before `torch` was built with."""
    return max(row.version("cuda") for (release_, _), row in _records().items() if release_ < torch)


@functools.cache
def oldest_release() -> Version:
    """The oldest release that the table lists."""
    return min(release_ for release_, _ in _records())


@functools.cache
def first_for(platform: Platform) -> Version:
    """The first release of which the table has a build with CUDA for this platform."""
    return min(release_ for (release_, _), row in _records().items() if row.texts(platform))


@functools.cache
def variants_for(platform: Platform) -> tuple[str, ...]:
    """The CUDA variants of the newest release with builds for this platform, lowest CUDA first."""
    rows = {key: row for key, row in _records().items() if row.texts(platform)}
    newest = max(release_ for release_, _ in rows)
    return tuple(each.variant for each in builds(newest) if (newest, each.variant) in rows)


@functools.cache
def first_with_cuda(cuda: Version) -> Version | None:
    """The first release of which there is a build with this CUDA or a later one."""
    found = (row.version("torch") for row in _records().values() if row.version("cuda") >= cuda)
    return min(found, default=None)


def variant(
    version: str, platform: Platform = "linux_x86_64", cuda: Version | None = None
) -> str | Unstated:
    """The variant of an installed version: its tag, else the CUDA it was built with, else PyPI's.

    `cuda` is torch.version.cuda where it is known. Without a tag and without it the answer is
    what plain pip installs on `platform`, which a conda package or another index need not follow.
    """
    asked = parse_version(version)
    if asked is None:
        return Unstated(f"{version!r} is no version of torch")
    if asked.variant is not None:
        return asked.variant
    if cuda is not None:
        return f"cu{cuda.major}{cuda.minor}"
    found = release(version)
    if not asked.official or found is None:
        return Unstated(f"torch {version} is not an official build of a release in the table")
    plain = {"linux_x86_64": found.pypi_linux, "windows": found.pypi_windows}.get(platform)
    return plain or Unstated(f"the table does not say what pip installs for {platform}")


def kind(version: str, platform: Platform = "linux_x86_64", cuda: Version | None = None) -> Kind:
    """Which devices a version was built for, from the same evidence as `variant`."""
    name = variant(version, platform, cuda)
    if isinstance(name, Unstated):
        return "unknown"
    if name.startswith("rocm"):
        return "rocm"
    if name in ("cpu", "xpu"):
        return "cpu" if name == "cpu" else "xpu"
    return "cuda" if name.startswith("cu") else "other"


def build(
    version: str, platform: Platform = "linux_x86_64", cuda: Version | None = None
) -> Build | Unstated:
    """The CUDA build that a version stands for; `Unstated` for CPU builds and unlisted ones."""
    asked, name = parse_version(version), variant(version, platform, cuda)
    if isinstance(name, Unstated) or asked is None:
        return name if isinstance(name, Unstated) else Unstated(f"{version!r} is no version")
    if not name.startswith("cu"):
        return Unstated(f"torch {version} is a {name} build: it uses no CUDA")
    if not asked.official:
        return Unstated(f"torch {version} is no official release; the table has no other builds")
    row = _records().get((asked.release, name))
    if row is None:
        return Unstated(f"the table has no {name} build of torch {asked.release}")
    return _build(row)


def kernels(
    found: Build, capability: Version, platform: Platform = "linux_x86_64"
) -> Kernels | Unstated:
    """Whether `found` has code for GPUs of `capability`."""
    row = _records()[found.torch, found.variant]
    compiled = row.texts(platform)
    if not compiled:
        return _by_conda_list(row, found, capability, platform)
    return architecture.kernels(
        f"torch {found.torch} {found.variant}",
        compiled,
        found.cuda,
        capability,
        system="windows" if platform == "windows" else "linux",
        verified=not row.flag("architectures_unverified"),
        source=row.source,
    )


def _by_conda_list(
    row: Record, found: Build, capability: Version, platform: Platform
) -> Kernels | Unstated:
    """What follows where only conda binaries were inspected.

    Their lists include the libraries that were linked in: what they lack, torch lacks; what they
    hold, torch may lack all the same.
    """
    listed = row.texts("conda")
    what = f"torch {found.torch} {found.variant} for {platform}"
    targets = [target for name in listed for target in architecture.parse_target(name)]
    if not targets or architecture.coverage(targets, capability) is not Coverage.NO:
        return Unstated(f"the table does not say what {what} was compiled for")
    reason = f"not even the conda build of {what} holds code for {capability}: {' '.join(listed)}"
    return Kernels(Coverage.NO, listed, None, reason, False, row.source)
