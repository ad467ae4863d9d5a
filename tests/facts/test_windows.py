"""A Windows machine as its registry, its folders and its variables show it."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts import driver, host, names, pci
from gpuprobe.facts.libraries import of_driver as libraries
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.facts.probe import Silent
from gpuprobe.facts.systems import windows
from gpuprobe.facts.systems.windows_adapters import release
from gpuprobe.facts.version import Version
from support.windows import (
    CONTROL_SET,
    DRIVER_FILES,
    MSVC_FILES,
    RADEON,
    RTX_4090,
    SYSTEM32,
    VISUAL_STUDIO,
    WITHOUT_DRIVER,
    Windows,
)

if TYPE_CHECKING:
    from gpuprobe.facts.machine import Machine

    from .conftest import Make

SILENT = Silent("cuda", "not run", None, "not asked")
PATH = "C:\\Windows\\System32;C:\\tools\\cuda\\bin\\;C:\\not\\there"
HEADER = "#define CUDNN_MAJOR 8\n#define CUDNN_MINOR {}\n#define CUDNN_PATCHLEVEL {}\n"


def machine(make: Make, made: Windows) -> Machine:
    return make(made.tree(), made.variables(), "Windows")


def found(collector: object, looked_at: Machine) -> Facts:
    return Facts(dict(collector.collect(looked_at)))  # type: ignore[attr-defined]


# -- the system -----------------------------------------------------------------------------


def test_windows_11_is_named_by_its_build_though_it_calls_itself_10(make: Make):
    facts = found(host, machine(make, Windows()))
    assert facts.need(names.OS_NAME) == "Windows 11 Pro 23H2, build 22631.3007"
    assert facts.need(names.OS_MACHINE) == "AMD64"


def test_windows_10_keeps_its_name(make: Make):
    key = {"ProductName": "Windows 10 Pro", "CurrentBuild": "19045"}
    made = Windows(keys={"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion": key})
    facts = found(host, machine(make, made))
    assert facts.need(names.OS_NAME) == "Windows 10 Pro, build 19045"


def test_no_release_of_a_kernel_is_told(make: Make):
    facts = found(host, machine(make, Windows()))
    assert isinstance(facts.fact(names.OS_KERNEL), Unknown)


@pytest.mark.parametrize(
    ("prefix", "environment"),
    [
        ("C:\\Program Files\\WindowsApps\\Python_3.12_x64", "store"),
        ("C:\\Users\\alice\\Python312", "system"),
    ],
)
def test_pythons_of_the_store_are_told_apart(
    make: Make, monkeypatch: pytest.MonkeyPatch, prefix: str, environment: str
):
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "base_prefix", prefix)
    facts = found(host, machine(make, Windows()))
    assert facts.need(names.PYTHON_ENVIRONMENT) == environment


def test_settings_are_on_off_or_left_to_windows(make: Make):
    keys = {
        f"{CONTROL_SET}\\Control\\FileSystem": {"LongPathsEnabled": 0},
        f"{CONTROL_SET}\\Control\\GraphicsDrivers": {"HwSchMode": 2},
    }
    facts = found(windows, machine(make, Windows(keys=keys)))
    assert facts.need(names.WINDOWS_LONG_PATHS) is False
    assert facts.need(names.WINDOWS_GPU_SCHEDULING) is True
    facts = found(windows, make({"/registry.reg": "REGEDIT4\n"}, {}, "Windows"))
    assert isinstance(facts.fact(names.WINDOWS_LONG_PATHS), Absent)


def test_elsewhere_nothing_is_said_of_windows(make: Make):
    assert list(windows.collect(make())) == []


# -- the cards ------------------------------------------------------------------------------


def test_a_card_has_vendor_address_driver_and_name(make: Make):
    facts = found(pci, machine(make, Windows()))
    assert facts.need(names.PCI_GPU_COUNT) == facts.need(names.PCI_NVIDIA_COUNT) == 1
    assert facts.need(names.PCI_VENDOR(0)) == "nvidia"
    assert facts.need(names.PCI_DEVICE(0)) == "2684"
    assert facts.need(names.PCI_ADDRESS(0)) == "0000:01:00.0"
    assert facts.need(names.PCI_DRIVER(0)) == "nvlddmkm"
    assert facts.need(names.PCI_NAME(0)) == "NVIDIA GeForce RTX 4090"


def test_what_names_this_very_machine_stands_in_no_source(make: Make):
    facts = found(pci, machine(make, Windows()))
    told = [fact.source for fact in facts.values() if isinstance(fact, Known)]
    assert not any(RTX_4090.instance in source for source in told)


def test_cards_of_other_vendors_are_listed_too(make: Make):
    facts = found(pci, machine(make, Windows(cards=(RADEON, RTX_4090))))
    assert facts.need(names.PCI_GPU_COUNT) == 2
    assert facts.need(names.PCI_NVIDIA_COUNT) == 1
    assert facts.need(names.PCI_VENDOR(0)) == "amd"


def test_other_devices_of_the_bus_are_no_cards(make: Make):
    facts = found(pci, machine(make, Windows(cards=())))
    assert facts.need(names.PCI_GPU_COUNT) == facts.need(names.PCI_NVIDIA_COUNT) == 0


@pytest.mark.parametrize("service", ["BasicDisplay", None])
def test_a_card_without_nvidias_driver_is_still_there(make: Make, service: str | None):
    card = replace(WITHOUT_DRIVER, service=service)
    looked_at = machine(make, Windows(cards=(card,)))
    facts = found(pci, looked_at)
    assert facts.need(names.PCI_NVIDIA_COUNT) == 1
    facts = Facts(dict(driver.collect(looked_at, SILENT, SILENT)))
    assert isinstance(facts.fact(names.DRIVER_VERSION), Absent)


def test_a_card_that_no_driver_holds_now_is_neither_there_nor_absent(make: Make):
    facts = found(pci, machine(make, Windows(cards=(replace(RTX_4090, held=False),))))
    count = facts.fact(names.PCI_NVIDIA_COUNT)
    assert isinstance(count, Unknown)
    assert "no longer plugged in" in count.reason
    assert facts.subjects(names.PCI_VENDOR) == ()


def test_a_card_beside_one_that_was_taken_out_counts_alone(make: Make):
    gone = replace(RTX_4090, instance="4&1&0&0008", held=False)
    facts = found(pci, machine(make, Windows(cards=(gone, RTX_4090))))
    assert facts.need(names.PCI_NVIDIA_COUNT) == 1


def test_without_a_registry_nothing_is_known_of_cards(make: Make):
    facts = found(pci, make({"/x": ""}, {}, "Windows"))
    assert facts.fact(names.PCI_NVIDIA_COUNT) == Unknown("this tree has no /registry.reg")


# -- the driver -----------------------------------------------------------------------------


def test_the_drivers_release_is_in_the_last_five_digits(make: Make):
    facts = Facts(dict(driver.collect(machine(make, Windows()), SILENT, SILENT)))
    assert facts.need(names.DRIVER_VERSION) == Version("536.23")


@pytest.mark.parametrize(
    ("windows_version", "nvidia"),
    [
        ("31.0.15.3623", "536.23"),
        ("27.21.14.5671", "456.71"),
        ("32.0.15.6094", "560.94"),
        ("31.0.15.5009", "550.09"),
        ("21.21.13.7633", "376.33"),
    ],
)
def test_releases_are_read_out_of_windows_versions(windows_version: str, nvidia: str):
    assert release(windows_version) == Version(nvidia)


@pytest.mark.parametrize("text", ["", "31.0.15", "a.b.c.d", "31.0.15.3623.1", "536.23"])
def test_other_texts_are_no_release(text: str):
    assert release(text) is None


def test_the_drivers_dlls_are_found_in_system32(make: Make):
    looked_at = machine(make, Windows())
    facts = Facts(dict(libraries.collect(looked_at, SILENT, SILENT)))
    assert facts.need(names.LIBCUDA_PATH) == "C:\\Windows\\System32\\nvcuda.dll"
    assert facts.need(names.NVML_PATH) == "C:\\Windows\\System32\\nvml.dll"
    assert facts.need(names.LIBCUDA_STUB) is False


def test_an_older_drivers_nvml_is_found_beside_nvidia_smi(make: Make):
    place = "/Program Files/NVIDIA Corporation/NVSMI/nvml.dll"
    files = {f"{SYSTEM32}/nvcuda.dll": "", place: ""}
    facts = Facts(dict(libraries.collect(machine(make, Windows(files=files)), SILENT, SILENT)))
    assert facts.need(names.NVML_PATH) == "C:" + place.replace("/", "\\")


# -- the run time ---------------------------------------------------------------------------


def test_the_run_time_is_known_by_its_installers_note_and_its_files(make: Make):
    facts = found(windows, machine(make, Windows()))
    assert facts.need(names.MSVC_VERSION) == Version("14.38.33130.00")
    assert facts.need(names.MSVC_MISSING) == ()


def test_the_note_of_the_32_bit_installer_counts_too(make: Make):
    other = VISUAL_STUDIO.replace("SOFTWARE", "SOFTWARE\\WOW6432Node")
    keys = {VISUAL_STUDIO: {"Installed": 0}, other: {"Version": "v14.29.30139.00"}}
    facts = found(windows, machine(make, Windows(keys=keys)))
    assert facts.need(names.MSVC_VERSION) == Version("14.29.30139.00")


def test_each_file_that_is_nowhere_is_named(make: Make):
    files = {path: "" for path in MSVC_FILES if "msvcp" not in path}
    facts = found(windows, machine(make, Windows(files=files)))
    assert facts.need(names.MSVC_MISSING) == ("msvcp140.dll", "msvcp140_1.dll")


def cudnn(minor: int, patch: int, **more: str) -> Windows:
    files = {
        **DRIVER_FILES,
        "/tools/cuda/bin/cudnn64_8.dll": "",
        "/tools/cuda/include/cudnn_version.h": HEADER.format(minor, patch),
        **more,
    }
    return Windows(files=files, environ={"PATH": PATH})


def test_zlib_is_missed_where_the_cudnn_on_path_calls_it(make: Make):
    facts = found(windows, machine(make, cudnn(6, 0)))
    assert facts.need(names.LIBRARY_MISSING("zlibwapi")) == "zlibwapi.dll"


@pytest.mark.parametrize(
    "made",
    [
        cudnn(9, 7),
        cudnn(2, 4),
        cudnn(6, 0, **{"/tools/cuda/bin/zlibwapi.dll": ""}),
        cudnn(6, 0, **{f"{SYSTEM32}/zlibwapi.dll": ""}),
        cudnn(6, 0, **{"/tools/cuda/include/cudnn_version.h": "#define CUDNN_MAJOR 8\n"}),
        Windows(),
    ],
    ids=["a later cuDNN", "an earlier one", "beside it", "in System32", "no version", "no cuDNN"],
)
def test_zlib_is_not_missed_where_nobody_calls_it_or_it_is_there(make: Make, made: Windows):
    facts = found(windows, machine(make, made))
    assert names.LIBRARY_MISSING("zlibwapi").name not in facts


def test_toolkits_are_those_that_their_installers_noted(make: Make):
    environ = {"CUDA_PATH_V11_8": "C:\\CUDA\\v11.8", "CUDA_PATH_V12_4": "D:\\v12.4"}
    made = Windows(environ={**environ, "CUDA_PATH_VERSION": "x"})
    facts = found(windows, machine(make, made))
    assert facts.need(names.WINDOWS_TOOLKITS) == ("11.8 in C:\\CUDA\\v11.8", "12.4 in D:\\v12.4")
