"""What a text reads like is stated only where it stands out, and of texts about GPUs."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.model import Known
from gpuprobe.facts.pasted import likeness as subject
from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.likeness import telling
from gpuprobe.facts.pasted.text import Text
from gpuprobe.knowledge.likeness import Likeness, learned, terms


def met(pasted: str) -> frozenset[str]:
    """The terms of a text that count."""
    return frozenset[str]().union(*(found for _, found in telling(Text(pasted))))


#: Words of somebody who tells that nouveau is in the way, without a line that a rule knows.
TOLD = """\
On my laptop with Ubuntu 22.04 I installed the nvidia driver with the runfile again and again.
After the reboot the kernel still boots with nouveau, the module is not there and dmesg is empty
for it. Secure boot and dkms were my first ideas, the module of the GPU did not build or load.
"""


def test_a_text_with_the_words_of_one_cause_reads_like_it():
    facts = read(TOLD)
    assert facts.known(said.READS_LIKE) == "driver-not-loaded"
    assert 40 <= (facts.known(said.READS_LIKE_PERCENT) or 0) <= 100


#: Words of somebody whose pictures are wrong: the work is done, and the result is the matter.
WORKS = """\
GPU: RTX 3060 12 GB, with torch 2.1 and the newest diffusers. The script runs through at a good
speed, but every image that it writes is black, with half precision only. With float32 the images
are fine, but slow. Is there an option for the VAE, or could you add one? It would be nice to have.
"""


def test_a_text_with_the_words_of_machines_that_work_reads_like_them():
    facts = read(WORKS)
    assert facts.known(said.READS_LIKE) == "healthy"
    assert (facts.known(said.READS_LIKE_PERCENT) or 0) >= 60


def likeness(cause: str, share: float, *, healthy: float = 0.0, known: int = 20) -> Likeness:
    """What so many words, and twice as many pairs, are told of."""
    pulls = {f"w{number}": 0.1 for number in range(known)}
    pairs = {f"w{number} x{pair}": 0.1 for number in range(known) for pair in range(2)}
    return Likeness(cause, share, healthy, {**pulls, **pairs})


@pytest.mark.parametrize(
    ("told", "stands_out"),
    [
        (likeness("mig", 0.51), True),
        (likeness("mig", 0.49), False),
        (likeness("mig", 0.9, known=14), True),
        (likeness("mig", 0.9, known=13), False),  # of pairs there are enough
        (likeness("mig", 0.7, healthy=0.19), True),
        (likeness("mig", 0.7, healthy=0.21), False),  # it may well work
        # It takes more to say that nothing is wrong.
        (likeness("healthy", 0.61, healthy=0.61), True),
        (likeness("healthy", 0.59, healthy=0.59), False),
        (likeness("healthy", 0.9, healthy=0.9, known=14), True),
        (likeness("healthy", 0.9, healthy=0.9, known=13), False),
        (likeness("unknown", 0.9), False),
    ],
)
def test_only_what_stands_out_is_said(told: Likeness, *, stands_out: bool):
    assert subject.stands_out(told, told.pulls.keys()) is stands_out


@pytest.mark.parametrize(
    ("words", "pairs", "stands_out"),
    [(3, 120, True), (4, 120, False), (3, 121, False)],
)
def test_a_text_whose_words_or_pairs_few_reports_have_is_of_another_kind(
    words: int, pairs: int, *, stands_out: bool
):
    told = likeness("mig", 0.9)  # of 20 words and 40 pairs
    unheard = (*(f"u{each}" for each in range(words)), *(f"u{each} v" for each in range(pairs)))
    assert subject.stands_out(told, {*told.pulls, *unheard}) is stands_out


def test_the_words_stand_in_the_line_that_is_named():
    facts = read(f"hello\n{TOLD}")
    shown = facts.fact(said.READS_LIKE_WORDS)
    assert isinstance(shown, Known)
    line = f"hello\n{TOLD}".splitlines()[int(shown.source.split()[1]) - 1]
    assert set(shown.value) <= {*terms(line).values()}
    assert 1 <= len(shown.value) <= 5


def test_the_line_that_is_named_has_words():
    """Where every word pulls away and the bias decides, an empty line would pull most."""
    assert all(found for _, found in telling(Text("GPU\n\n---\nthe same, still\n1080\n")))


def test_no_word_is_shown_twice():
    shown = read(TOLD).known(said.READS_LIKE_WORDS)
    assert shown is not None
    words = [word for term in shown for word in term.split(" ")]
    assert len(words) == len({*words})
    assert any(" " in term for term in shown)


def test_strongest_word_comes_first():
    told = learned().likeness(met(TOLD))
    assert told is not None
    shown = read(TOLD).known(said.READS_LIKE_WORDS)
    assert shown is not None
    as_terms = {
        spelled: term for line in TOLD.splitlines() for term, spelled in terms(line).items()
    }
    assert [*shown] == sorted(shown, key=lambda word: -told.pulls[as_terms[word]])


@pytest.mark.parametrize(
    "pasted",
    [
        "nouveau is in the way of the nvidia module",  # too few words
        TOLD.replace("nvidia", "wireless").replace("GPU", "card"),  # not about GPUs
        "",
        "The museum opens at nine. " * 50 + "gpu",
    ],
)
def test_what_does_not_stand_out_reads_like_nothing(pasted: str):
    assert read(pasted).known(said.READS_LIKE) is None


def test_a_text_of_words_that_no_report_has_is_of_another_kind():
    strange = " ".join(f"zq{chr(97 + n)}{chr(97 + m)}xv" for n in range(8) for m in range(8))
    assert read(f"{TOLD}{strange}").known(said.READS_LIKE) is None


def test_only_the_beginning_of_a_long_text_counts():
    filler = "".join(f"epoch {number} of the gpu\n" for number in range(500))
    assert read(TOLD + filler).known(said.READS_LIKE) == "driver-not-loaded"
    assert read(filler + TOLD).known(said.READS_LIKE) is None


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        ("fp16=False, memory=False, batch=False, tensor=False, allocate=False", False),
        ("{fp16: false, memory: false, batch: false, tensor: false, allocate: false}", False),
        ("fp16=False, memory=True, batch=False, tensor=False, allocate=False", True),
        ("fp16=False, memory=False, batch=False, tensor, allocate", True),
    ],
)
def test_a_line_of_settings_that_are_off_tells_nothing(line: str, tells: bool):
    assert (met(line) != frozenset()) is tells
