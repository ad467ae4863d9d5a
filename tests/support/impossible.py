"""What the tables say against a command that a fix prints: read row by row, without the advice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture, driver_cuda
from gpuprobe.knowledge.architecture import Coverage
from gpuprobe.knowledge.driver_cuda import Floor, LastBranch
from gpuprobe.knowledge.tables import Record, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpuprobe.diagnosis.model import Fix

_INSTALL = re.compile(
    r"pip install (?:--upgrade |--force-reinstall )?"
    r'"(?P<name>[a-z][\w-]*)(?:\[(?P<extras>[\w,-]+)\])?(?P<way>==|>=)(?P<release>[\d.]+?)(?:\.\*)?"'
    r"(?: --index-url \S+/whl/(?P<variant>\w+))?\Z"
)
_DRIVER = re.compile(r"NVIDIA driver (\d[\d.]*) or newer")
_ENVIRONMENT = re.compile(r"conda create --name gpu python=([\d.]+)")


@dataclass(frozen=True, slots=True)
class Here:
    """The machine for which a command is printed."""

    capabilities: tuple[Version, ...]
    driver: Version | None
    driver_cuda: Version | None
    python: Version
    platform: str

    @property
    def system(self) -> driver_cuda.System:
        return "windows" if self.platform == "windows" else "linux"


def against(fix: Fix, here: Here) -> list[str]:
    """Everything that the tables say against the commands and the driver that a fix names."""
    environment = _ENVIRONMENT.search("\n".join(fix.commands))
    python = here.python if environment is None else Version(environment[1])
    # Also what a sentence offers in backquotes.
    commands = [*fix.commands, *re.findall(r"`(pip install [^`]*)`", fix.text)]
    found = []
    for command in commands:
        if "pip install" in command:
            match = _INSTALL.search(command)
            if match is None:
                found.append(f"not understood: {command}")
            else:
                reasons = _against(match, here, python)
                found += [f"{command}: {reason}" for reason in reasons]
    for text in _DRIVER.findall(fix.text):
        found += [f"driver {text}: {reason}" for reason in _against_driver(Version(text), here)]
    return found


def _against_driver(driver: Version, here: Here) -> Iterator[str]:
    for capability in here.capabilities:
        last = driver_cuda.last_branch(capability)
        if isinstance(last, LastBranch) and last.branch is not None and driver.major > last.branch:
            yield f"{last.branch} is the last branch for {capability}"


def _against(match: re.Match[str], here: Here, python: Version) -> Iterator[str]:
    name, release = match["name"], Version(match["release"])
    if name == "torch":
        yield from _torch(release, match["variant"], here, python)
    elif name in ("tensorflow", "tensorflow-gpu"):
        yield from _tensorflow(release, match["extras"], here, python)
    elif name == "jax":
        yield from _jax(release, match["extras"], here, python)
    elif name.startswith("cupy-cuda"):
        yield from _cupy(name, release, here, python)
    elif name == "onnxruntime-gpu":
        yield from _onnxruntime(release, match["way"], here, python)
    else:
        yield "no table lists it"


def _torch(release: Version, tag: str | None, here: Here, python: Version) -> Iterator[str]:
    rows = [row for row in load("pytorch").section("releases") if row.version("torch") == release]
    if not rows:
        yield "no such release"
        return
    yield from _of_python(python, rows[0].version("python_min"), rows[0].version("python_max"))
    plain = {"linux_x86_64": "pypi_linux", "windows": "pypi_windows"}.get(here.platform)
    variant = tag or (rows[0].text_or_none(plain) if plain else None)
    for row in load("pytorch").section("builds"):
        if row.version("torch") == release and row.text("variant") == variant:
            yield from _of_build(row.texts(here.platform), row.version("cuda"), here)
            return
    yield f"no build {variant} of {release}"


def _tensorflow(release: Version, extras: str | None, here: Here, python: Version) -> Iterator[str]:
    windows = here.platform == "windows"
    if here.platform == "linux_aarch64":
        yield "its packages for ARM have no CUDA"
    for row in load("tensorflow").section("releases"):
        listed = row.version("tensorflow")
        if (listed.major, listed.minor) != (release.major, release.minor):
            continue
        prefix = "windows_" if windows else ""
        cuda = row.version_or_none(f"{prefix}cuda")
        if cuda is None:
            yield "no CUDA on Windows"
            return
        if extras == "and-cuda" and not row.flag("and_cuda"):
            yield "no such extra"
        first, last = (row.version(f"{prefix}python_{end}") for end in ("min", "max"))
        yield from _of_python(python, first, last)
        yield from _of_build(row.texts("compiled"), cuda, here)
        return
    yield "no such release"


def _jax(release: Version, extra: str, here: Here, python: Version) -> Iterator[str]:
    if here.platform == "windows":
        yield "no CUDA on Windows"
    [span] = [row for row in load("jax").section("releases") if row.spans(release)]
    yield from _of_python(python, span.version("python_min"), span.version_or_none("python_max"))
    for row in load("jax").section("wheels"):
        if row.spans(release) and row.text("extra") == extra:
            cuda = row.version_or_none("cuda") or row.version("built_with")
            yield from _of_build(row.texts("compiled"), cuda, here)
            return
    yield f"no extra {extra}"


def _cupy(name: str, release: Version, here: Here, python: Version) -> Iterator[str]:
    [span] = [row for row in load("cupy").section("releases") if row.spans(release)]
    if python not in span.versions("python"):
        yield f"not for Python {python}"
    if name not in span.texts("wheels"):
        yield "no such package in that release"
    [row] = [row for row in load("cupy").section("packages") if row.text("package") == name]
    yield from _of_driver(row.version("cuda_min"), here, by_ptx=False)
    yield from _of_minimum(row, here)


def _onnxruntime(release: Version, way: str, here: Here, python: Version) -> Iterator[str]:
    if here.platform == "linux_aarch64":
        yield "no packages for ARM"
    spans = [row for row in load("onnxruntime").section("releases") if row.spans(release)]
    [row] = [row for row in spans if row.flag("on_index")]
    if way == ">=" and row.has("to"):
        yield "later releases are others"
    pythons = [each for each in load("onnxruntime").section("python") if each.spans(release)]
    yield from _of_python(
        python, pythons[0].version("python_min"), pythons[0].version("python_max")
    )
    yield from _of_driver(row.version("cuda"), here, by_ptx=False)
    yield from _of_minimum(row, here)


def _of_python(python: Version, first: Version, last: Version | None) -> Iterator[str]:
    if python < first or (last is not None and python > last):
        yield f"not for Python {python}"


def _of_minimum(row: Record, here: Here) -> Iterator[str]:
    minimum = row.version_or_none("minimum_capability")
    if minimum is not None and min(here.capabilities) < minimum:
        yield f"not below capability {minimum}"


def _of_build(compiled: tuple[str, ...], cuda: Version, here: Here) -> Iterator[str]:
    targets = [target for name in compiled for target in architecture.parse_target(name)]
    for capability in here.capabilities:
        covered = architecture.coverage(targets, capability)
        if covered not in (Coverage.NATIVE, Coverage.PTX):
            yield f"no code for {capability}"
        yield from _of_driver(cuda, here, by_ptx=covered is Coverage.PTX)


def _of_driver(cuda: Version, here: Here, *, by_ptx: bool) -> Iterator[str]:
    judged = driver_cuda.serves(
        cuda, driver=here.driver, driver_cuda=here.driver_cuda, system=here.system
    )
    if not driver_cuda.starts(judged, needs_jit=by_ptx):
        yield f"CUDA {cuda} does not start: {judged.reason}"
    for capability in here.capabilities:
        last, first = driver_cuda.last_branch(capability), architecture.first_branch(capability)
        branch = None if here.driver is None else here.driver.major
        if branch is None:
            continue
        if isinstance(last, LastBranch) and last.branch is not None and branch > last.branch:
            yield f"driver {here.driver} does no longer know {capability}"
        if isinstance(first, Floor) and branch < first.driver.major:
            yield f"driver {here.driver} does not know {capability} yet"
