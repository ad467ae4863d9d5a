"""Names of machines, folded as Slurm writes them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.report.node_names import folded


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], ""),
        (["login"], "login"),
        (["node007"], "node007"),
        (["node001", "node003", "node002"], "node[001-003]"),
        (["node001", "node003", "node003"], "node[001,003]"),
        (["node9", "node10", "node8"], "node[8-9,10]"),  # a run has one width
        (["node08", "node9", "node10"], "node[9,08,10]"),
        (["r1-gpu1.example", "r1-gpu2.example", "r2-gpu1.example"],
         "r1-gpu[1-2].example,r2-gpu1.example"),
        (["node", "node1", "node2"], "node,node[1-2]"),
        (["a1", "b1", "a2"], "a[1-2],b1"),
    ],
)  # fmt: skip
def test_names_that_differ_in_their_last_number_are_one_entry(names: list[str], told: str):
    assert folded(names) == told


def unfolded(told: str) -> set[str]:
    """The names that a reader takes from a list."""
    found = set()
    for entry in re.findall(r"[^,\[\]]*(?:\[[^\]]*\][^,\[\]]*)?", told):
        before, _, rest = entry.partition("[")
        inner, _, after = rest.partition("]")
        for run in inner.split(",") if inner else [""]:
            first, _, last = run.partition("-")
            for number in range(int(first or 0), int(last or first or 0) + 1):
                middle = f"{number:0{len(first)}d}" if first else ""
                found.add(f"{before}{middle}{after}")
    return found - {""}


@given(
    st.sets(
        st.builds(
            "{}{:0{}d}{}".format,
            st.sampled_from(("node", "r1-gpu")),
            st.integers(0, 120),
            st.integers(1, 3),
            st.sampled_from(("", ".example")),
        ),
        min_size=1,
    )
)
def test_every_name_can_be_read_back(names: set[str]):
    assert unfolded(folded(names)) == names
