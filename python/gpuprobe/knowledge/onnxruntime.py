"""ONNX Runtime: CUDA and cuDNN that the CUDA execution provider of a release needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..facts.version import Version
from . import architecture, driver_cuda
from .gpu_and_driver import unknown_to_driver
from .tables import Record, Unstated, load, release_number

_WITH_LIBRARIES = Version("1.21")


@dataclass(frozen=True, slots=True)
class Build:
    """One CUDA build of a span of releases; `on_index`: it is what pip installs.

    `cuda` with a major alone (``12``) means any toolkit of that major.
    """

    first: Version
    last: Version | None
    cuda: Version
    cudnn: Version
    cudnn_windows: Version | None
    on_index: bool
    minimum_capability: Version | None
    note: str | None
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Libraries:
    """The libraries that the CUDA provider opens, by soname."""

    names: tuple[str, ...]
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Install:
    """What to install; `cuda` and `cudnn` are None where pip brings them along."""

    requirement: str
    cuda: Version | None
    cudnn: Version | None
    build: Build
    reason: str
    source: str


def _build(row: Record) -> Build:
    return Build(
        row.version("from"),
        row.version_or_none("to"),
        row.version("cuda"),
        row.version("cudnn"),
        row.version_or_none("cudnn_windows"),
        row.flag("on_index"),
        row.version_or_none("minimum_capability"),
        row.text_or_none("note"),
        row.verified,
        row.source,
    )


def builds(version: str) -> tuple[Build, ...]:
    """The CUDA builds of a release, the one that pip installs first; () where none is listed."""
    asked = release_number(version)
    rows = load("onnxruntime").section("releases")
    found = [_build(row) for row in rows if asked is not None and row.spans(asked)]
    return tuple(sorted(found, key=lambda build: not build.on_index))


def build(version: str) -> Build | Unstated:
    """The build of onnxruntime-gpu that pip installs for a version."""
    for found in builds(version):
        if found.on_index:
            return found
    return Unstated(f"the table has no indexed CUDA build of ONNX Runtime {version}")


def release_of_line(line: int) -> Version | None:
    """The release whose source loads a provider in this line; None: not in the table."""
    rows = load("onnxruntime").section("lines")
    return next((row.version("version") for row in rows if row.integer("line") == line), None)


def before_newest_cuda() -> tuple[Version, Build]:
    """The first release whose indexed build is for the newest CUDA, and the build before it."""
    rows = [_build(row) for row in load("onnxruntime").section("releases")]
    indexed = [found for found in rows if found.on_index]
    newest = [found for found in indexed if found.cuda.major == indexed[0].cuda.major]
    return newest[-1].first, indexed[len(newest)]


def libraries(cuda_major: int) -> Libraries | Unstated:
    """What the CUDA provider opens when it was built for a CUDA major."""
    for row in load("onnxruntime").section("libraries"):
        if row.integer("cuda_major") == cuda_major:
            return Libraries(row.texts("libraries"), row.verified, row.source)
    return Unstated(f"the table lists no libraries for CUDA {cuda_major}")


def brings_libraries(version: str) -> bool:
    """Whether the extras ``cuda`` and ``cudnn`` of a release bring its libraries along."""
    asked = release_number(version)
    return asked is not None and asked >= _WITH_LIBRARIES


def providers(package: str) -> tuple[str, ...]:
    """The execution providers that a package brings (``onnxruntime`` the CPU's only)."""
    wanted = package.lower().replace("_", "-")
    for row in load("onnxruntime").section("packages"):
        if row.text("package") == wanted:
            return row.texts("providers")
    return ()


def advise(
    capability: Version,
    *,
    python: Version,
    driver: Version | None = None,
    driver_cuda_version: Version | None = None,
    platform: str = "linux_x86_64",
) -> Install | Unstated:
    """The newest indexed releases that this GPU, driver, Python and platform can use.

    The table does not say for which GPUs a release was compiled: one is advised only where the
    toolkit that made it knows the GPU.
    """
    if platform not in ("linux_x86_64", "windows"):
        return Unstated(f"ONNX Runtime has no packages with CUDA for {platform.replace('_', ' ')}")
    strange = unknown_to_driver(capability, driver)
    if strange is not None:
        return strange
    system: driver_cuda.System = "windows" if platform == "windows" else "linux"
    unasked = driver is None and driver_cuda_version is None
    for row in load("onnxruntime").section("releases"):
        found = _build(row)
        if not found.on_index or not serves_gpu(found, capability):
            continue
        judged = driver_cuda.serves(
            found.cuda, driver=driver, driver_cuda=driver_cuda_version, system=system
        )
        files = _for_python(found, python)
        if files is not None and (unasked or driver_cuda.starts(judged)):
            return _install(found, files, platform, judged.reason)
    return Unstated(
        f"no ONNX Runtime in the table fits capability {capability}, Python {python} and "
        f"this driver ({driver or driver_cuda_version or 'not known'})"
    )


def serves_gpu(found: Build, capability: Version) -> bool:
    """Whether nothing speaks against it: the toolkit that made the build knows the GPU."""
    if found.minimum_capability is not None and capability < found.minimum_capability:
        return False
    known = architecture.architecture(capability)
    if known is None or known.first_toolkit is None or known.tegra:
        return False
    last = known.last_toolkit
    return known.first_toolkit <= found.cuda and (last is None or found.cuda <= last)


class _Files(NamedTuple):
    """The releases of a span that have files for one Python; `last` None: it goes on."""

    first: Version
    last: Version | None
    source: str

    @property
    def newest(self) -> str:
        """What pip needs to take the newest of them."""
        return f">={self.first}" if self.last is None else f"=={self.last}.*"

    @property
    def bring_libraries(self) -> bool:
        """Whether an extra of the newest brings CUDA and cuDNN along."""
        return self.last is None or self.last >= _WITH_LIBRARIES


def _for_python(found: Build, python: Version) -> _Files | None:
    minor = Version.of(python.major, python.minor)
    for row in load("onnxruntime").section("python"):
        if not row.version("python_min") <= minor <= row.version("python_max"):
            continue
        ends = [each for each in (found.last, row.version_or_none("to")) if each is not None]
        first, last = max(row.version("from"), found.first), min(ends, default=None)
        if last is None or first <= last:
            return _Files(first, last, row.source)
    return None


def _install(found: Build, files: _Files, platform: str, why: str) -> Install:
    source, reason = f"{found.source}; {files.source}", f"built with CUDA {found.cuda}; {why}"
    if files.bring_libraries:
        requirement = f"onnxruntime-gpu[cuda,cudnn]{files.newest}"
        return Install(requirement, None, None, found, reason, source)
    cudnn = found.cudnn_windows if platform == "windows" else None
    requirement = f"onnxruntime-gpu{files.newest}"
    return Install(requirement, found.cuda, cudnn or found.cudnn, found, reason, source)
