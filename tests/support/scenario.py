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

import pytest

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
    files: Mapping[str, str | bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the doctor's JSON has to hold. `cause` None: no root cause.

    `independent` are the names of findings that stand beside the root.
    """

    verdict: str
    cause: str | None
    name: str | None = None  # of the finding
    independent: tuple[str, ...] = ()


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
    on_bus: bool = True  # whether the GPUs show themselves on the PCI bus; not so under WSL
    libraries: Mapping[str, str] | None = None  # soname -> file; None: both of a usual driver
    library_path: tuple[str, ...] = ()  # folders that LD_LIBRARY_PATH names
    stub_first: bool = False  # the toolkit's stub stands before the driver's library
    faults: Mapping[str, int | str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    packages: tuple[Package, ...] = ()
    site: str = SITE  # the folder of the packages
    files: Files = field(default_factory=dict)  # further files of the tree
    missing: tuple[str, ...] = ()  # files that a healthy machine has
    closed: tuple[str, ...] = ()  # files that nobody may open

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
        gpus = self.gpus if self.on_bus else ()
        files = {**kernel_files(gpus, self.module, module, nodes=self.nodes), **self.files}
        return {path: text for path, text in files.items() if path not in self.missing}

    def driver_files(self) -> Mapping[str, str]:
        """The driver's libraries: soname -> file. A file's name mostly carries the version."""
        if self.driver is None:
            return {}
        if self.libraries is not None:
            return self.libraries
        folder, version = library_folder(), self.driver.version
        return {
            soname: f"{folder}/{soname.removesuffix('1')}{version}"
            for soname in ("libcuda.so.1", "libnvidia-ml.so.1")
        }


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
        file = self.scenario.driver_files().get(soname, f"{library_folder()}/{soname}")
        if self.scenario.stub_first and soname == "libcuda.so.1":
            file = f"{STUBS}/{soname}"
        return self.within(file).with_name(soname)

    def within(self, path: str) -> Path:
        """Where a path of the scenario's machine lies on this one."""
        return self.tree / path.lstrip("/")

    def environment(self, way: Way) -> dict[str, str]:
        """The environment of a command that is to see this machine."""
        if way == "override":
            found = {
                "GPUPROBE_LIBCUDA": str(self.library("libcuda.so.1")),
                "GPUPROBE_LIBNVML": str(self.library("libnvidia-ml.so.1")),
            }
            folders = [*self.scenario.library_path]
        else:
            files = self.scenario.driver_files().values()
            folders = [file.rpartition("/")[0] for file in files] or [library_folder()]
            stubs = [STUBS] if self.scenario.stub_first else []
            found, folders = {}, [*self.scenario.library_path, *stubs, *folders]
        if folders:
            paths = dict.fromkeys(str(self.within(folder)) for folder in folders)
            found["LD_LIBRARY_PATH"] = ":".join(paths)
        return self._common() | found | dict(self.scenario.environment)

    def _common(self) -> dict[str, str]:
        """Nothing that this machine says about GPUs reaches the command, save what we set."""
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return inherited | {
            "GPUPROBE_ROOT": str(self.tree),
            "GPUPROBE_FAKE_SCENARIO": str(self.folder / "scenario.ini"),
            "GPUPROBE_FAKE_REPORT": str(self.folder / "report.jsonl"),
            "PYTHONPATH": str(self.within(self.scenario.site)),
        }

    def before(self) -> tuple[str, ...]:
        """What a command has to begin with: root must not open what is closed to all."""
        if not self.scenario.closed or os.geteuid() != 0:
            return ()
        if shutil.which("setpriv") is None:
            pytest.skip("root may open everything, and there is no setpriv")
        rights = "-dac_override,-dac_read_search"
        return ("setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}")

    def reports(self) -> tuple[Mapping[str, int | str], ...]:
        """What each fake says at the end of each process: calls made, objects still alive."""
        path = self.folder / "report.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        return tuple(json.loads(line) for line in lines)


def stage(scenario: Scenario, fakes: Fakes, folder: Path) -> Stage:
    """Writes the scenario into `folder`, which is empty."""
    made = Stage(scenario, folder)
    if scenario.library_path and any(map(_brings_libraries, scenario.packages)):
        pytest.importorskip("elftools")  # who gets which library stands in the files
    (folder / "scenario.ini").write_text(scenario.ini())
    write_files(made.tree, scenario.tree())
    for soname, file in scenario.driver_files().items():
        _install(fakes.library(soname), made.within(file), soname)
    if scenario.stub_first:
        _install(fakes.stub, made.within(f"{STUBS}/libcuda.so"), "libcuda.so.1")
    write_files(made.tree, {f"{scenario.site}/README.txt": "Installed packages.\n"})
    for package in scenario.packages:
        _write_package(made.within(scenario.site), package)
    for path in scenario.closed:
        made.within(path).chmod(0)
    return made


def _brings_libraries(package: Package) -> bool:
    return any(isinstance(content, bytes) for content in package.files.values())


def _install(library: Path, place: Path, soname: str) -> None:
    """As drivers do: the file carries the version, the SONAME is a link to it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(library, place)
    if place.name != soname:
        place.with_name(soname).symlink_to(place.name)


def _write_package(site: Path, package: Package) -> None:
    metadata = f"Metadata-Version: 2.1\nName: {package.name}\nVersion: {package.version}\n"
    info = f"{package.name.replace('-', '_')}-{package.version}.dist-info"
    files = {**package.files, f"{info}/METADATA": metadata, f"{info}/INSTALLER": "pip\n"}
    record = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    write_files(site, {**files, f"{info}/RECORD": record})
