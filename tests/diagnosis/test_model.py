"""A finding is made of a title, of facts that show it, and of a fix that tells its way back."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.model import Confidence, Draft, Evidence, Fix, Safety
from gpuprobe.facts import names
from gpuprobe.facts.model import Facts, Known, entry

FACTS = Facts(dict((entry(names.OS_KERNEL, Known("6.8.0", "/proc/version")),)))


def test_a_draft_cites_what_is_known_of_its_keys() -> None:
    fix = Fix("boot the other kernel")
    draft = Draft("too new", (names.OS_KERNEL, names.OS_NAME), fix, Confidence.LIKELY)
    found = draft.finding(FACTS)
    assert (found.title, found.fix, found.confidence) == ("too new", fix, Confidence.LIKELY)
    assert found.evidence == (Evidence("os.kernel", "6.8.0", "/proc/version"),)


@pytest.mark.parametrize(
    ("fix", "safety"),
    [
        (Fix.by_user("move it"), Safety.USER),
        (Fix.by_admin("install it", ("apt install x",), undo="apt remove x"), Safety.ADMIN),
        (Fix.by_reboot("restart", undo="none needed"), Safety.REBOOT),
    ],
)
def test_a_fix_tells_whose_rights_it_needs(fix: Fix, safety: Safety) -> None:
    assert fix.safety is safety


def test_an_administrator_is_told_the_way_back() -> None:
    with pytest.raises(ValueError, match="way back"):
        Fix.by_admin("install it", undo="")
