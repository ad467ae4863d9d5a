"""What is said of who holds memory, also where it is not known."""

from __future__ import annotations

from dataclasses import replace

from gpuprobe.device import Device
from gpuprobe.device.groups import Use
from gpuprobe.memory import Holders, OutOfMemory, Shortage, holders_in
from gpuprobe.report.memory import markdown, page, text
from gpuprobe.report.terminal import Style
from support.widths import too_wide

GIB = 1 << 30

BUSY = Holders(
    ordinal=0, nvml_index=1, name="GPU <b>", total_bytes=8 * GIB, free_bytes=5 * GIB,
    processes=("python (process 4711): 2048 MiB",), process_bytes=2 * GIB,
)  # fmt: skip
HIDDEN = Holders(
    None, name="Other", unknown={"processes": "NVML says no", "free_bytes": "not asked"}
)


def test_what_no_process_is_listed_with_is_told():
    assert BUSY.used_bytes == 3 * GIB
    assert BUSY.other_bytes == GIB
    assert BUSY.lines() == (
        "python (process 4711): 2048 MiB",
        "held by no listed process: 1.0 GiB",
    )


def test_processes_that_are_told_to_hold_more_than_is_used_leave_nothing_over():
    shared = replace(BUSY, process_bytes=4 * GIB)
    assert shared.other_bytes == 0


def test_an_empty_list_is_not_an_unknown_one():
    empty = Holders(0, total_bytes=GIB, free_bytes=GIB, processes=(), process_bytes=0)
    assert empty.lines() == ("no process is listed",)
    assert HIDDEN.lines() == ("who holds memory is not known: NVML says no",)


def test_unknown_sizes_give_no_differences():
    assert HIDDEN.used_bytes is None
    assert HIDDEN.other_bytes is None


def test_reasons_come_under_the_names_of_the_holders():
    device = Device(0, unknown={"use.processes": "why", "clocks.sm_mhz": "no", "ordinal": "hidden"})
    [found] = holders_in([device])
    assert dict(found.unknown) == {"processes": "why", "ordinal": "hidden"}
    [known] = holders_in([Device(0, ordinal=3, use=Use(processes=(), process_bytes=0))])
    assert (known.ordinal, known.processes) == (3, ())


def test_text_fits_a_narrow_terminal():
    named = replace(BUSY, name="NVIDIA GeForce RTX 4090 Laptop GPU")
    assert too_wide(text((named, HIDDEN), "", Style(width=30)), 30) == []


def in_every_form(*gpus: Holders, none_because: str = "") -> tuple[str, ...]:
    shown = text(gpus, none_because, Style())
    return shown, markdown(gpus, none_because), page(gpus, none_because)


def test_every_form_shows_every_gpu():
    for shown in in_every_form(BUSY, HIDDEN):
        assert "process 4711" in shown
        assert "NVML says no" in shown
        assert "GPU 1 (CUDA 0) GPU" in shown
        assert "GPU ? Other" in shown


def test_the_text_gives_the_reason_for_an_unknown_size():
    assert "free: not asked" in in_every_form(HIDDEN)[0]


def test_a_gpu_of_which_nothing_is_known_says_so_once():
    names = ("name", "total_bytes", "free_bytes", "processes")
    lost = Holders(None, nvml_index=5, unknown=dict.fromkeys(names, "the GPU is lost"))
    assert text((lost,), "", Style()).splitlines() == [
        "GPU 5, name unknown",
        "  how much is in use is not known: the GPU is lost",
        "  who holds memory is not known: the GPU is lost",
    ]


def test_processes_have_their_numbers_in_json():
    words = (
        "a (process 1): b (process 4711): 2048 MiB",
        "process 7 of the host: 3 MiB",
        "python (process 12, this one): memory not told",
        "alice: 10900 MiB",
    )
    rows = replace(BUSY, processes=words).to_dict()["processes"]
    assert isinstance(rows, list)
    assert [tuple(row.values()) for row in rows] == [
        (4711, "a (process 1): b", 2 << 30, words[0]),
        (7, None, 3 << 20, words[1]),
        (12, "python", None, words[2]),
        (None, None, None, words[3]),
    ]
    assert HIDDEN.to_dict()["processes"] is None


def test_a_name_is_escaped_for_browsers():
    assert "GPU &lt;b&gt;" in page((BUSY,), "")


def test_a_name_does_not_steer_the_terminal_of_who_prints_the_holders():
    """On a GPU that is shared it is somebody else's; an error for want of memory tells it, too."""
    gpu = Holders(0, processes=("\x1b]0;mine\x07 (process 7): 512 MiB",))
    error = OutOfMemory(0, Shortage(True, 1, 2, 3, 4, 5), gpu)
    assert gpu.to_dict()["processes"][0]["name"] == "\x1b]0;mine\x07"  # type: ignore[index]
    for told in (str(gpu), str(error)):
        assert "\\x1b]0;mine\\x07 (process 7): 512 MiB" in told
        assert "\x1b" not in told


def test_no_gpu_is_said_with_the_reason_in_every_form():
    for shown in in_every_form(none_because="NVML is not installed"):
        assert "No GPU can be shown" in shown
        assert "NVML is not installed" in shown
