"""What a text reads like is stated only where it stands out, and of texts about GPUs."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.model import Known
from gpuprobe.facts.pasted import read
from gpuprobe.knowledge.likeness import learned, words

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


def test_it_takes_more_to_read_like_a_machine_that_works():
    doubted = WORKS + "It fails with an error."
    told = learned().likeness(words(doubted))
    assert told is not None
    assert told.cause == "healthy"
    assert 0.4 <= told.share < 0.6  # enough for a fault
    assert read(doubted).known(said.READS_LIKE) is None


def test_the_words_stand_in_the_line_that_is_named():
    facts = read(f"hello\n{TOLD}")
    shown = facts.fact(said.READS_LIKE_WORDS)
    assert isinstance(shown, Known)
    line = f"hello\n{TOLD}".splitlines()[int(shown.source.split()[1]) - 1]
    assert set(shown.value) <= words(line)
    assert 1 <= len(shown.value) <= 5


def test_strongest_word_comes_first():
    told = learned().likeness(words(TOLD))
    assert told is not None
    shown = read(TOLD).known(said.READS_LIKE_WORDS)
    assert shown is not None
    assert [*shown] == sorted(shown, key=lambda word: -told.pulls[word])


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
    shares = {read(each).known(said.READS_LIKE_PERCENT) for each in (TOLD, f"{TOLD}{line}\n")}
    assert (len(shares) > 1) is tells
