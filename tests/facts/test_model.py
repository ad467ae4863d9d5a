"""What facts answer of all the subjects of a family at once."""

from __future__ import annotations

from gpuprobe.facts import names
from gpuprobe.facts.model import Absent, Facts, Known, Unknown, entry

NAMED = Facts(
    dict(
        (
            entry(names.GPU_NAME(1), Known("NVIDIA L4", "a tool")),
            entry(names.GPU_NAME(0), Absent("a tool")),
            entry(names.GPU_UUID(1), Known("GPU-4", "a tool")),
            entry(names.GPU_NAME(2), Unknown("no answer")),
            entry(names.GPU_NAME(3), Known("", "a tool")),
        )
    )
)


def test_the_keys_of_a_family_stand_in_the_order_of_the_facts():
    assert NAMED.keys_of(names.GPU_NAME) == tuple(map(names.GPU_NAME, (1, 0, 2, 3)))


def test_what_is_known_of_a_family_leaves_out_what_is_absent_or_unknown():
    assert NAMED.known_of(names.GPU_NAME) == ("NVIDIA L4", "")


def test_a_family_of_which_nothing_is_said_has_neither():
    assert NAMED.keys_of(names.XID) == NAMED.known_of(names.XID) == ()
