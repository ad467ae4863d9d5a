"""A scenario: one machine, what is wrong with it, and what the doctor has to say about it.

A scenario is written down in tests/scenarios/. `stage` makes it real in a folder: a tree that
stands for the machine's files, the driver's libraries (fakes) under their real names, and the
environment in which a command has to be run to see that machine.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .machines import DRIVER_535, H100, Driver, Gpu, Mig, Process
from .trees import Files, kernel_files, library_folder, write_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from .fakes import Fakes

#: How a library comes to be found: named by a variable, or by the loader's own search.
Way = Literal["override", "search"]
WAYS: tuple[Way, ...] = ("override", "search")

#: Folders of a staged tree: the stub, as toolkits and their containers have it, and packages.
STUBS = "/usr/local/cuda/lib64/stubs"
SITE = "/usr/lib/python3/dist-packages"


@dataclass(frozen=True, slots=True)
class Package:
    """An installed distribution. `files` are path -> text, beside its metadata."""

    name: str
    version: str
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the doctor's JSON has to hold. `cause` None: no root cause."""

    verdict: str
    cause: str | None
    name: str | None = None  # of the finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Defaults describe a healthy machine with one H100; a scenario says what is different."""

    name: str
    expect: Expected
    gpus: tuple[Gpu, ...] = (H100,)
    migs: tuple[Mig, ...] = ()
    processes: tuple[Process, ...] = ()
    driver: Driver | None = DRIVER_535  # of the libraries; None: no driver is installed
    module: str | None = "nvidia"  # the kernel driver that holds the GPUs: nouveau, vfio-pci, None
    module_version: str | None = None  # None: the driver's own
    nodes: bool = True  # /dev/nvidia*
    stub_first: bool = False  # the toolkit's stub stands before the driver's library
    faults: Mapping[str, int | str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    packages: tuple[Package, ...] = ()
    files: Files = field(default_factory=dict)  # further files of the tree

    def ini(self) -> str:
        """The scenario file that the fakes read."""
        sections: dict[str, Mapping[str, int | str]] = {}
        if self.driver is not None:
            sections["driver"] = self.driver.ini()
        sections.update({f"gpu.{i}": gpu.ini() for i, gpu in enumerate(self.gpus)})
        sections.update({f"mig.{i}": each.ini() for i, each in enumerate(self.migs)})
        sections.update({f"process.{i}": each.ini() for i, each in enumerate(self.processes)})
        sections["faults"] = self.faults
        blocks = (
            "\n".join([f"[{name}]", *(f"{key} = {value}" for key, value in keys.items())])
            for name, keys in sections.items()
        )
        return "\n\n".join(blocks) + "\n"

    def tree(self) -> Files:
        """The machine's files, but for the libraries."""
        version = self.module_version or (self.driver.version if self.driver else None)
        module = None if version is None else Driver(version, 0, _is_open(self.driver))
        return {**kernel_files(self.gpus, self.module, module, nodes=self.nodes), **self.files}


def _is_open(driver: Driver | None) -> bool:
    return driver is not None and driver.open_module


@dataclass(frozen=True, slots=True)
class Stage:
    """A scenario made real in a folder."""

    scenario: Scenario
    folder: Path

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    def library(self, soname: str) -> Path:
        """Where the scenario's library is, or would be if there were one."""
        folder = library_folder()
        if self.scenario.stub_first and soname == "libcuda.so.1":
            folder = STUBS
        return self.tree / folder.lstrip("/") / soname

    def environment(self, way: Way) -> dict[str, str]:
        """The environment of a command that is to see this machine."""
        if way == "override":
            found = {
                "GPUPROBE_LIBCUDA": str(self.library("libcuda.so.1")),
                "GPUPROBE_LIBNVML": str(self.library("libnvidia-ml.so.1")),
            }
        else:
            folders = (*([STUBS] if self.scenario.stub_first else []), library_folder())
            paths = (str(self.tree / folder.lstrip("/")) for folder in folders)
            found = {"LD_LIBRARY_PATH": ":".join(paths)}
        return self._common() | found | dict(self.scenario.environment)

    def _common(self) -> dict[str, str]:
        """Nothing that this machine says about GPUs reaches the command, save what we set."""
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return inherited | {
            "GPUPROBE_ROOT": str(self.tree),
            "GPUPROBE_FAKE_SCENARIO": str(self.folder / "scenario.ini"),
            "GPUPROBE_FAKE_REPORT": str(self.folder / "report.jsonl"),
            "PYTHONPATH": str(self.tree / SITE.lstrip("/")),
        }

    def reports(self) -> tuple[Mapping[str, int | str], ...]:
        """What each fake says at the end of each process: calls made, objects still alive."""
        path = self.folder / "report.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return tuple(json.loads(line) for line in lines)


def stage(scenario: Scenario, fakes: Fakes, folder: Path) -> Stage:
    """Writes the scenario into `folder`, which is empty."""
    made = Stage(scenario, folder)
    (folder / "scenario.ini").write_text(scenario.ini())
    write_files(made.tree, scenario.tree())
    if scenario.driver is not None:
        for soname in ("libcuda.so.1", "libnvidia-ml.so.1"):
            _install(fakes.library(soname), made.tree / library_folder().lstrip("/"),
                     soname.replace(".1", f".{scenario.driver.version}"), soname)  # fmt: skip
    if scenario.stub_first:
        _install(fakes.stub, made.tree / STUBS.lstrip("/"), "libcuda.so", "libcuda.so.1")
    write_files(made.tree, {f"{SITE}/README.txt": "Installed packages.\n"})
    for package in scenario.packages:
        _write_package(made.tree / SITE.lstrip("/"), package)
    return made


def _install(library: Path, folder: Path, file: str, link: str) -> None:
    """As drivers do: the file carries the version, the SONAME is a link to it."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(library, folder / file)
    (folder / link).symlink_to(file)


def _write_package(site: Path, package: Package) -> None:
    metadata = f"Metadata-Version: 2.1\nName: {package.name}\nVersion: {package.version}\n"
    info = f"{package.name.replace('-', '_')}-{package.version}.dist-info"
    files = {**package.files, f"{info}/METADATA": metadata, f"{info}/INSTALLER": "pip\n"}
    record = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    write_files(site, {**files, f"{info}/RECORD": record})
