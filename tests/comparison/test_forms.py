"""How a comparison is shown: in every form, width and to other eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpuprobe.comparison.compare import compare
from gpuprobe.examine import judge
from gpuprobe.facts.model import Facts, Known
from gpuprobe.report.comparison import cells_of, for_other_eyes
from support.samples import ALICE, broken, healthy, no_gpu_here, unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuprobe.comparison.model import Comparison
    from gpuprobe.facts.model import Value

SAMPLES = (healthy, broken, no_gpu_here, unknown)


def of_values(a: Mapping[str, Value], b: Mapping[str, Value]) -> Comparison:
    one, other = (
        Facts({name: Known(value, "a test") for name, value in side.items()}) for side in (a, b)
    )
    return compare(judge(one), judge(other))


def names_of(found: Comparison) -> list[str]:
    return [each.name for each in found.differences]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100])
def test_text_keeps_to_its_width(width: int):
    for one in SAMPLES:
        for other in SAMPLES:
            lines = compare(one(), other()).text(width=width).splitlines()
            assert [line for line in lines if len(line) > width] == []


def test_values_too_long_for_a_column_stand_below_each_other():
    folders = tuple(f"/usr/lib/python3.11/site-packages/{number}" for number in range(4))
    found = of_values({"packages.folders": folders}, {"packages.folders": folders[:1]})
    lines = found.text(width=80).splitlines()
    at = lines.index("  packages.folders")
    assert lines[at + 1].startswith("    A /usr/lib/python3.11/site-packages/0, /usr/lib")
    assert lines[at + 3] == "    B /usr/lib/python3.11/site-packages/0"
    short = of_values({"os.name": "Debian"}, {"os.name": "Ubuntu"}).text(width=80)
    assert "  os.name                         Debian" in short


def test_a_name_is_not_broken():
    name = "gpu.0.power_limit_default_watts"
    found = of_values({name: 700.0}, {name: 300.0})
    lines = found.text(width=80).splitlines()
    at = lines.index(f"  {name}")
    assert lines[at + 1 : at + 3] == ["    A 700.0", "    B 300.0"]


def test_other_eyes_see_no_names_and_the_same_differences():
    found = compare(healthy(), broken(), labels=("/home/alice/a.json", "gpu-node-17.json"))
    hidden = for_other_eyes(found, ALICE)
    assert names_of(hidden) == names_of(found)
    for shown in (hidden.markdown(), hidden.html(), str(hidden.to_dict()), hidden.text()):
        assert "alice" not in shown
        assert "gpu-node-17" not in shown


def test_every_form_tells_what_makes_the_verdict():
    found = compare(healthy(), broken())
    assert found.b.title
    for shown in (found.text(width=100), found.markdown(), found.html()):
        assert found.b.title in shown


def test_an_empty_list_and_a_yes_are_told_in_the_words_of_a_report():
    a = {"container.mounts": (), "libcuda.stub": True}
    b = {"container.mounts": ("/dev",), "libcuda.stub": False}
    found = of_values(a, b)
    assert [cells_of(each) for each in found.differences] == [("yes", "no"), ("none", "/dev")]


def test_other_eyes_do_not_see_whose_folder_a_label_names():
    label = "/home/alice/a.json".replace("alice", "bobby")
    found = compare(healthy(), broken(), labels=(label, "b"))
    assert for_other_eyes(found, ALICE).a.label == "/home/user-2/a.json"


def test_sizes_that_read_alike_are_told_in_bytes():
    a = {"gpu.0.memory_bytes": 85_029_158_912}
    b = {"gpu.0.memory_bytes": 85_029_158_913}
    assert "85029158913" in of_values(a, b).text()
