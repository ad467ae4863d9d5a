"""The chain: one line a link, in words that need no knowledge of CUDA."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import gpuprobe
from gpuprobe.diagnosis.model import Link
from gpuprobe.examine import judge
from gpuprobe.facts.model import Absent, Fact, Facts, Known, Unknown, Value
from gpuprobe.facts.version import Version
from gpuprobe.report.chain import chain
from gpuprobe.report.marks import Mark
from support.samples import broken, healthy, no_gpu_here, report_of, unknown

if TYPE_CHECKING:
    from gpuprobe.report.model import Report


def marks(report: Report) -> dict[Link, Mark]:
    return {row.link: row.mark for row in chain(report)}


HUNG = "the probe 'kernel' was killed"
OF_EIGHT = tuple(f"nvidia{number}" for number in range(8))


def detail(link: Link, **facts: Fact[Value]) -> str:
    """What is said of a link; ``__`` stands for a dot in the facts' names."""
    report = report_of({name.replace("__", "."): fact for name, fact in facts.items()})
    return next((row.detail for row in chain(report) if row.link is link), "")


def test_proof_clears_every_link_before_it():
    assert set(marks(healthy()).values()) == {Mark.WORKS}


def test_root_is_broken_and_what_comes_after_it_is_open():
    found = marks(no_gpu_here())
    assert found[Link.HARDWARE] is Mark.BROKEN
    assert set(found.values()) == {Mark.BROKEN, Mark.OPEN}


def test_warning_is_in_part():
    assert marks(broken())[Link.FRAMEWORK] is Mark.IN_PART


def test_what_nobody_could_look_at_is_open():
    assert marks(unknown())[Link.HARDWARE] is Mark.OPEN


@pytest.mark.parametrize("facts", [{}, {"cuda.kernel.outcome": Known("right", "a kernel")}])
def test_line_that_says_nobody_could_look_is_no_line_that_works(facts: dict[str, Fact[Value]]):
    rows = [row for row in chain(report_of(facts)) if row.detail.startswith("could not look")]
    assert rows
    assert {row.mark for row in rows} == {Mark.OPEN}


def test_thing_that_is_not_there_does_not_work_though_its_check_is_clear():
    missing = report_of({"module.nvidia.version": Absent("/proc")})
    assert marks(missing)[Link.KERNEL_MODULE] is Mark.OPEN


def test_stub_does_not_work_though_a_library_is_found():
    stub = {"libcuda.path": Known("/s/libcuda.so", "x"), "libcuda.stub": Known(True, "x")}
    assert marks(report_of(stub))[Link.USER_DRIVER] is not Mark.WORKS


def test_link_with_a_fault_names_its_finding_as_its_own_words_may_be_of_what_works():
    rows = {row.link: row.detail for row in chain(broken())}
    faulty = [link for link, mark in marks(broken()).items() if mark in (Mark.BROKEN, Mark.IN_PART)]
    assert {rows[link].rpartition("; ")[2][:6] for link in faulty} == {"see GP"}
    assert not any("see GP" in rows[link] for link in rows if link not in faulty)


def test_link_without_words_of_its_own_is_shown_where_it_has_a_fault():
    facts: dict[str, Fact[Value]] = {
        "pci.nvidia_gpu_count": Known(1, "x"),
        "libcuda.path": Known("/l/libcuda.so.1", "x"),
        "cuda.device_count": Known(1, "x"),
        "library.cudnn.version": Known(Version("9.3.0"), "x"),
        "library.cudnn_ops.version": Known(Version("9.5.1"), "x"),
        "library.cudnn.path": Known("/u/libcudnn.so.9", "x"),
        "library.cudnn_ops.path": Known("/u/libcudnn_ops.so.9", "x"),
    }
    [row] = [
        row for row in chain(judge(Facts(facts), source="snapshot")) if row.link is Link.LIBRARIES
    ]
    assert (row.mark, row.detail) == (Mark.BROKEN, "see GP502 below")


@pytest.mark.parametrize(
    ("link", "facts", "said"),
    [
        (Link.HARDWARE, {"pci__nvidia_gpu_count": Known(2, "x")}, "2 from NVIDIA on the PCI bus"),
        (Link.HARDWARE, {"pci__nvidia_gpu_count": Known(0, "x")}, "none found"),
        (
            Link.HARDWARE,
            {"gpu__0__name": Known("A100", "x"), "gpu__0__mig_instances": Known(2, "x")},
            "A100, divided into 2 MIG instances",
        ),
        (
            Link.HARDWARE,
            {"pci__nvidia_gpu_count": Known(0, "x"), "pci__0__vendor": Known("amd", "x")},
            "none from NVIDIA, only from AMD",
        ),
        (Link.HARDWARE, {"pci__nvidia_gpu_count": Unknown("no /sys")}, "could not look: no /sys"),
        (
            Link.KERNEL_MODULE,
            {"module__nouveau__loaded": Known(True, "x")},
            "nouveau, which cannot",
        ),
        (Link.KERNEL_MODULE, {"wsl__version": Known(2, "x")}, "Windows has it"),
        (Link.USER_DRIVER, {"libcuda__path": Absent("x")}, "libcuda is not installed"),
        (
            Link.USER_DRIVER,
            {"libcuda__path": Known("/s/libcuda.so", "x"), "libcuda__stub": Known(True, "x")},
            "only a stub for linking: /s/libcuda.so",
        ),
        (
            Link.USER_DRIVER,
            {
                "libcuda__path": Known("/l/libcuda.so.2", "x"),
                "libcuda__version": Known(Version("2"), "x"),
                "driver__version": Known(Version("1"), "x"),
            },
            "2, /l/libcuda.so.2",
        ),
        (Link.DEVICE_NODES, {"node__nvidia0": Absent("x")}, "no /dev/nvidia*"),
        (
            Link.DEVICE_NODES,
            {"node__nvidia0": Known("not permitted", "x"), "node__nvidiactl": Known("usable", "x")},
            "nvidia0 in /dev is not permitted; nvidiactl in /dev is usable",
        ),
        (
            Link.DEVICE_NODES,
            {"node__nvidiactl": Known("usable", "x"), "node__nvidia-uvm": Absent("x")},
            "nvidiactl in /dev is usable; nvidia-uvm is missing",
        ),
        (
            Link.DEVICE_NODES,
            {f"node__{name}": Known("usable", "x") for name in ("nvidiactl", *OF_EIGHT)},
            "nvidiactl, nvidia[0-7] in /dev are usable",
        ),
        (Link.DEVICE_NODES, {"node__nvidia0": Unknown("no /dev")}, "could not look: no /dev"),
        (
            Link.HARDWARE,
            {"tegra__model": Known("NVIDIA Jetson", "x"), "pci__nvidia_gpu_count": Known(0, "x")},
            "on the board: NVIDIA Jetson",
        ),
        (
            Link.HARDWARE,
            {"wsl__version": Known(2, "x"), "pci__nvidia_gpu_count": Known(0, "x")},
            "not to be seen: WSL shows the GPUs of Windows through its driver only",
        ),
        (
            Link.KERNEL_MODULE,
            {
                "module__nvidia__version": Absent("x"),
                "tegra__model": Known("NVIDIA Jetson", "x"),
                "tegra__release": Known(Version("36.4.3"), "x"),
            },
            "the board's own, of L4T 36.4.3",
        ),
        (Link.DEVICE_NODES, {}, ""),
        (
            Link.VISIBLE_DEVICES,
            {"env__CUDA_VISIBLE_DEVICES": Known("", "x")},
            "CUDA_VISIBLE_DEVICES=(empty)",
        ),
        (Link.CONTAINER, {"wsl__version": Known(2, "x")}, "Windows Subsystem for Linux 2"),
        (Link.WORK, {"cuda__kernel__outcome": Known("not run", "x")}, "not tried: left out"),
        (
            Link.FRAMEWORK,
            {
                "package__torch__version": Known("2.4.1+cu121", "x"),
                "package__torch__build": Known("cuda", "x"),
                "package__torch__cuda": Known(Version("12.1"), "x"),
            },
            "torch 2.4.1+cu121 (CUDA 12.1)",
        ),
        (Link.FRAMEWORK, {"package__torch__build": Known("cpu", "x")}, "torch (cpu)"),
        (
            Link.WORK,
            {
                "cuda__kernel__outcome": Known("not run", "x"),
                "cuda__kernel__why_not": Known("the GPU is reserved", "x"),
            },
            "not tried: the GPU is reserved",
        ),
        (Link.WORK, {"cuda__kernel__outcome": Known("wrong", "x")}, "its result is WRONG"),
        (
            Link.WORK,
            {"cuda__kernel__outcome": Known("hung", "x")},
            "a small program had no answer from the driver",
        ),
        (
            Link.WORK,
            {
                "cuda__kernel__outcome": Known("hung", f"{HUNG} after 60 s in cuInit"),
                "cuda__kernel__call": Known("cuInit", "x"),
            },
            "had no answer from cuInit within 60 s; GPUPROBE_TIMEOUT=300 waits longer",
        ),
        (
            Link.WORK,
            {"cuda__kernel__outcome": Known("hung", f"{HUNG} after 0.5 s in cuInit")},
            "within 0.5 s; GPUPROBE_TIMEOUT=300 waits longer",
        ),
        (
            Link.WORK,
            {"cuda__kernel__outcome": Known("hung", f"{HUNG} after 600 s in cuInit")},
            "within 600 s; GPUPROBE_TIMEOUT=3000 waits longer",
        ),
    ],
)
def test_each_link_is_told_in_one_sentence(link: Link, facts: dict[str, Fact[Value]], said: str):
    told = detail(link, **facts)
    assert said in told if said else told == ""


def test_equal_gpus_are_counted():
    row = chain(healthy())[0]
    assert row.detail == "2 x NVIDIA H100 80GB HBM3, 79.2 GiB"


def test_long_reason_is_cut():
    told = detail(Link.WORK, cuda__kernel__outcome=Unknown("very " * 50))
    assert told.endswith("…")
    assert len(told) < 100


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Could not load library cudnn_cnn_infer64_8.dll. Error code 193", "does not load"),
        ("ImportError: libcudnn.so.8: cannot open shared object file: No such file or directory",
         "is not found"),
    ],
)  # fmt: skip
def test_library_that_is_there_and_of_no_use_is_not_called_missing(text: str, what: str):
    rows = {row.link: row.detail for row in chain(gpuprobe.explain(text))}
    assert what in rows[Link.LIBRARIES]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("libcuda reported version is: 375.66.0\n", "libcuda 375.66.0"),
        ("libcuda reported version is: 384.130\nDriver Version: 384.130\n", "driver 384.130"),
    ],
)
def test_library_of_a_text_is_told_where_it_is_another_than_the_driver(text: str, told: str):
    rows = {row.link: row.detail for row in chain(gpuprobe.explain(text))}
    assert rows[Link.USER_DRIVER] == told
