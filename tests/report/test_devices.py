"""The list of GPUs in every form: it fits, it tells, and one bad GPU spoils no other."""

from __future__ import annotations

import re

import pytest

from gpuprobe.device import devices_in
from gpuprobe.facts.model import Absent, Facts, Known, Unknown
from gpuprobe.report.devices import text
from gpuprobe.report.devices.html import page
from gpuprobe.report.devices.listing import Listing, listing_of
from gpuprobe.report.devices.markdown import markdown
from gpuprobe.report.terminal import Style
from support import gpu_facts
from support.gpu_facts import SAMPLES
from support.html import Tags
from support.widths import too_wide


def listing(name: str) -> Listing:
    return of(SAMPLES[name]())


def of(facts: Facts) -> Listing:
    return listing_of(facts, devices_in(facts), "This machine has no NVIDIA GPU")


def shown(name: str, *, everything: bool = False) -> list[str]:
    """The same list in all forms."""
    found = listing(name)
    write = text.everything if everything else text.text
    return [
        write(found, Style()),
        markdown(found, everything=everything),
        page(found, everything=everything),
    ]


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("width", [30, 40, 60, 80, 100])
@pytest.mark.parametrize("name", SAMPLES)
def test_text_fits_the_width(name: str, width: int, everything: bool):
    write = text.everything if everything else text.text
    assert too_wide(write(listing(name), Style(width)), width) == []


@pytest.mark.parametrize("width", [20, 40, 60])
@pytest.mark.parametrize("name", ["mig", "two"])
def test_uuid_stands_whole_in_a_narrow_list(name: str, width: int):
    found = listing(name)
    wide, narrow = (text.text(found, Style(each)) for each in (100, width))
    everything = text.everything(found, Style(width))
    uuids = re.findall(r"(?:GPU|MIG)-[0-9a-f-]{36}", wide)
    assert uuids
    assert [uuid for uuid in uuids if uuid not in narrow or uuid not in everything] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_text_is_ascii_where_the_stream_is(name: str):
    assert text.text(listing(name), Style(ascii=True)).isascii()


def test_an_empty_list_says_why_in_every_form():
    for form in shown("none"):
        assert "No GPU can be shown. This machine has no NVIDIA GPU." in form


@pytest.mark.parametrize("name", ["one", "two", "eight", "mig", "silent"])
def test_every_form_names_every_gpu_and_its_uuid(name: str):
    for form in shown(name):
        for device in listing(name).devices:
            assert str(device.name) in form.replace("\\", "")
            assert str(device.uuid) in form.replace("\\", "")


def test_a_gpu_has_its_figures_in_two_lines():
    lines = text.text(listing("two"), Style()).splitlines()
    assert lines[2] == "GPU 0  NVIDIA GeForce RTX 3060 · Ampere 8.6 · 28 SMs"
    assert lines[3].split("░  ")[1].split("   ") == [
        " 0.4 of 12.0 GiB",
        "34 °C",
        " 14 of 170 W",
        "  0 % busy",
    ]


@pytest.mark.parametrize(
    ("used", "filled"), [(0, 0), (1, 1), (50, 8), (99, 16), (100, 16), (120, 16)]
)
def test_the_bar_shows_the_share_and_never_hides_a_use(used: int, filled: int):
    total = 100 << 30
    facts = Facts(gpu_facts.h200(0, memory_bytes=total, memory_free_bytes=total - (used << 30)))
    assert text.text(of(facts), Style()).count("█") == filled


def test_both_orders_are_shown_and_the_difference_is_told():
    for form in shown("two"):
        assert "CUDA 0 is NVML 1, CUDA 1 is NVML 0" in form.replace("\n  ", " ")
        assert "CUDA\\_DEVICE\\_ORDER=PCI\\_BUS\\_ID" in form or (
            "CUDA_DEVICE_ORDER=PCI_BUS_ID" in form
        )


@pytest.mark.parametrize("name", ["one", "eight", "lost", "silent", "none"])
def test_equal_orders_are_no_warning(name: str):
    assert listing(name).warnings == ()


def test_a_device_order_that_is_set_is_not_advised_again():
    environment = {
        "env.CUDA_DEVICE_ORDER": Known("PCI_BUS_ID", "environment"),
        "env.CUDA_VISIBLE_DEVICES": Known("1,0", "environment"),
    }
    [warning] = of(Facts({**gpu_facts.two(), **environment})).warnings
    assert "CUDA 0 is NVML 1" in warning
    assert "CUDA_DEVICE_ORDER" not in warning


def test_a_device_order_is_not_advised_where_a_lost_gpu_shifts_the_numbers():
    gone = {"gpu.5.cuda_ordinal": Absent("CUDA's list"), "gpu.5.failure": Known("is lost", "NVML")}
    after = {f"gpu.{number}.cuda_ordinal": Known(number - 1, "CUDA") for number in (6, 7)}
    [warning] = of(Facts({**gpu_facts.eight(), **gone, **after})).warnings
    assert warning.endswith("CUDA 5 is NVML 6, CUDA 6 is NVML 7; name GPUs by UUID.")


@pytest.mark.parametrize(("mask", "said"), [("0", "0"), ("", "(empty)")])
def test_a_hidden_gpu_is_told_with_the_variable_that_hides_it(mask: str, said: str):
    hidden = {
        "gpu.7.cuda_ordinal": Absent("CUDA's list"),
        "env.CUDA_VISIBLE_DEVICES": Known(mask, "environment"),
    }
    [warning] = of(Facts({**gpu_facts.eight(), **hidden})).warnings
    assert warning == f"CUDA does not list GPU 7 (CUDA_VISIBLE_DEVICES={said})."


def test_a_gpu_is_not_hidden_whose_instance_is_seen_or_where_cuda_does_not_answer():
    silent = {"gpu.0.cuda_ordinal": Unknown("cuInit: 999 CUDA_ERROR_UNKNOWN")}
    assert of(Facts({**gpu_facts.one(), **silent})).warnings == ()
    assert listing("mig").warnings == ()


def test_a_lost_gpu_says_what_failed_and_spoils_no_other():
    for form in shown("lost"):
        assert "NVML_ERROR_GPU_IS_LOST" in form.replace("\\", "")
        assert "3.0 of 140.4 GiB" in form
        assert "nobody looked" not in form


def test_mig_instances_stand_below_their_gpu():
    lines = text.text(listing("mig"), Style()).splitlines()
    assert lines[4:6] == ["       └ MIG 1g.5gb  4.8 GiB", "       └ MIG 3g.15gb  14.2 GiB"]
    assert f"  └     0   9/0                       {gpu_facts.uuid(70, 'MIG')}" in lines
    assert any("MIG is on and no instance exists" in line for line in lines)


def test_what_nobody_could_read_is_a_question_mark_with_its_reason():
    for form in shown("silent"):
        assert "libnvidia-ml.so.1 is not there" in " ".join(form.replace("\\", "").split())
    assert "NVML's number: libnvidia-ml.so.1" in shown("silent")[0]
    assert "  0     0     ?" in shown("silent")[0]
    assert "140.4 GiB   ? °C   ? W   ? % busy" in shown("silent")[0]


def test_one_reason_for_several_gpus_is_one_line():
    assert "? GPU 0, 1, load: NVML does not say (code 3)" in shown("mig")[0].splitlines()


def test_everything_has_each_value_or_its_reason():
    lines = text.everything(listing("one"), Style(100)).splitlines()
    squeezed = [" ".join(line.split()) for line in lines]
    for line in ("SM at most 1980 MHz", "Lanes 16", "Links 18", "bf16 989.5 TFLOPS", "Down none",
                 "not known Pages retired, Pages waiting: NVML does not say (code 3)",
                 "CPUs near it 0-47,96-143", "Instances none"):  # fmt: skip
        assert line in squeezed


@pytest.mark.parametrize("name", SAMPLES)
def test_page_is_whole_and_fetches_nothing(name: str):
    for everything in (False, True):
        html = page(listing(name), everything=everything)
        parsed = Tags(html)
        assert parsed.open == []
        assert not {tag for tag, _ in parsed.seen} & {"script", "link", "img", "iframe", "object"}
        assert not re.search(r"url\(|@import|\bon\w+=", html)


def test_a_value_cannot_become_markup():
    evil = "<script>alert('x')</script>|`"
    facts = Facts(
        gpu_facts.h200(0, name=evil, pci=evil, processes=(evil,), peers=(f"GPU 1: {evil}",))
    )
    both = of(Facts({**facts, **gpu_facts.h200(1)}))
    assert "script" not in {tag for tag, _ in Tags(page(both)).seen}
    assert "<script>" not in markdown(both)


def test_page_of_several_gpus_shows_how_they_are_connected():
    html = page(listing("eight"))
    assert html.count('<td class="nvlink">NVLink x18</td>') == 8 * 7
    assert "How they are connected" not in page(listing("one"))


def test_page_marks_what_asks_for_attention():
    html = page(listing("eight"))
    assert '<li class="part">NVLink 17 of 18 up</li>' in html
    assert '<li class="part">2 rows remapped, waiting for a reset</li>' in html
    assert html.count('<li class="open">NVLink 18 of 18 up</li>') == 7


def test_page_compares_the_link_with_what_is_possible():
    assert "gen 1 x4; card gen 4 x16, slot gen 3 x4" in page(listing("two"))


def test_processes_are_a_table():
    assert "<td>python (process 4711)</td><td>21012 MiB</td>" in page(listing("two"))


def test_what_is_wrong_with_a_gpu_stands_below_its_name():
    lines = text.text(listing("lost"), Style()).split("\n")
    [name, wrong] = [line for line in lines if "name unknown" in line or "cannot be used" in line]
    assert wrong.index("✗") == name.index("name unknown")
