"""The kernel's log and TensorFlow's diagnosis give the versions of the driver's halves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.pasted.text import Text
from gpuprobe.facts.pasted.tools import kernel_log


def facts(pasted: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, fact in kernel_log.read(Text(pasted)):
        found.setdefault(key.name, str(getattr(fact, "value", "absent")))
    return found


@pytest.mark.parametrize(
    ("pasted", "number"),
    [
        ("NVRM: Xid (PCI:0000:65:00): 79, pid=1234, GPU has fallen off the bus.", 79),
        ("[ 12.3] NVRM: Xid (0000:03:00): 62, 0d5c(2e60) 00000000 00000000", 62),
        ("NVRM: Xid (PCI:0000:01:00 GPU-I:05): 13, pid=2, Graphics Exception", 13),
        ("XidCriticalError: Xid=48 on Device=GPU-1", 48),
        ("We see Xid 119 in dmesg", 119),
    ],
)
def test_an_xid_is_told_under_its_number(pasted: str, number: int) -> None:
    assert set(facts(pasted)) == {f"xid.{number}"}


@pytest.mark.parametrize(
    "pasted",
    [
        "Xid",
        "xid errors are listed below",
        "Xid 1.2 of the manual",
        "What do you think of Xid 31 as WARN?",
    ],
)
def test_a_word_without_a_number_is_no_xid(pasted: str) -> None:
    assert facts(pasted) == {}


def test_an_api_mismatch_names_client_and_module() -> None:
    log = (
        "[  8.1] NVRM: API mismatch: the client has the version 470.57.02, but\n"
        "[  8.1] NVRM: this kernel module has the version 460.91.03.  Please\n"
        "[  8.1] NVRM: make sure that this kernel module and all NVIDIA driver"
    )
    found = facts(log)
    assert found["libcuda.version"] == found["nvml.version"] == "470.57.02"
    assert found["module.nvidia.version"] == "460.91.03"


def test_nvidia_smi_names_the_version_of_its_library() -> None:
    log = (
        "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.161"
    )
    assert facts(log) == {"nvml.version": "535.161"}


def test_tensorflows_diagnosis() -> None:
    log = (
        "I cuda_diagnostics.cc:145] libcuda reported version is: 375.66.0\n"
        "I cuda_diagnostics.cc:369] kernel reported version is: 384.130.0\n"
    )
    found = facts(log)
    assert (found["libcuda.version"], found["module.nvidia.version"]) == ("375.66.0", "384.130.0")
    both = "kernel version 450.51.5 does not match DSO version 440.33.1 -- cannot find working"
    found = facts(both)
    assert (found["libcuda.version"], found["module.nvidia.version"]) == ("440.33.1", "450.51.5")


def test_a_libcuda_that_was_not_loaded_is_absent() -> None:
    line = (
        "libcuda reported version is: NOT_FOUND: was unable to find libcuda.so DSO loaded into it"
    )
    assert facts(line) == {"libcuda.path": "absent"}


def test_nouveau_in_the_log_is_loaded() -> None:
    assert facts("[ 3.4] nouveau 0000:01:00.0: NVIDIA GP107") == {"module.nouveau.loaded": "True"}
    assert facts("please blacklist nouveau first") == {}


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(noise: str) -> None:
    facts(f"Xid {noise}\nAPI mismatch: client has the version {noise}\nnouveau {noise}")
