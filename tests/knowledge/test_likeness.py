"""What a text's words are told of: the arithmetic, and the table that was learned."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.diagnosis.causes import CAUSES
from gpuprobe.knowledge import likeness as subject
from gpuprobe.knowledge.alike import ROWS
from gpuprobe.knowledge.likeness import Model, Term, learned, model, terms, words
from gpuprobe.knowledge.tables import TableError

SMALL = Model(
    {"healthy": -9.0, "mig": 0.0, "wsl": 1.0},
    {"slice": Term(3.0, {"mig": 10, "wsl": -5}), "the": Term(4.0, {})},
)
#: The same as a table, with a pair of words.
TABLE = """\
What it is,
for people.

a healthy -9.00
b mig 0.00
c wsl 1.00

slice\t3.0\tb10c-5
slice of\t5.5\tc7
the\t4.0\t
"""


def test_words_are_letters_in_small_in_their_order():
    assert words("CUDA_ERROR 3.5: an\nx libcudart.so.12") == [
        *("cuda", "error", "an", "libcudart", "so")
    ]


def test_terms_are_words_and_each_two_beside_each_other():
    assert terms("CUDA nvcc: cuda 5").keys() == {"cuda", "nvcc", "cuda nvcc", "nvcc cuda"}
    assert terms("GPU").keys() == {"gpu"}
    assert terms("12 x") == {}


def test_of_words_alike_one_stands_for_all_and_how_they_stand_there_is_kept():
    assert terms("The card doesn't freeze") == {
        "the": "the",
        "gpu": "card",
        "not": "not",
        "hang": "freeze",
        "the gpu": "the card",
        "gpu the": "card does",
        "the not": "does not",
        "not hang": "not freeze",
    }
    assert terms("my GPUs freezes").keys() == terms("The card hangs").keys()


def test_words_alike_side_by_side_are_one():
    assert terms("graphics card, GPU") == {"gpu": "graphics"}


def test_a_word_is_in_one_row_only():
    said = [(line[0], word) for line in map(str.split, ROWS.splitlines()) for word in line]
    rows = {word: {first for first, each in said if each == word} for _, word in said}
    assert [word for word, firsts in rows.items() if len(firsts) > 1] == []
    assert [word for word in rows if words(word) != [word]] == []


def test_a_table_is_read_as_it_is_laid_out():
    read = model(TABLE)
    assert read.biases == SMALL.biases
    assert {**read.terms} == {**SMALL.terms, "slice of": Term(5.5, {"wsl": 7})}
    assert read.terms.get("slic") is None
    assert read.terms.get("zebra") is None


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        TABLE.replace("\n\n", "\n"),
        TABLE.replace("b mig 0.00", "b mig"),
        TABLE.replace("0.00", "none"),
    ],
)
def test_a_table_that_is_laid_out_in_another_way_is_refused(damaged: str):
    with pytest.raises(ValueError, match=r"unpack|could not convert"):
        model(damaged)


def test_shares_are_the_softmax_of_bias_and_mean_pull():
    told = SMALL.likeness({"slice", "the", "unheard"})
    assert told is not None
    # The vector (3, 4) has the length 5: 10 / 5 for mig, 1 - 5 / 5 for wsl.
    assert told.cause == "mig"
    total = math.exp(2) + math.exp(0) + math.exp(-9)
    assert told.share == pytest.approx(math.exp(2) / total)
    assert told.healthy == pytest.approx(math.exp(-9) / total)
    assert told.pulls == {"slice": 2.0, "the": 0.0}


def test_words_that_nobody_knows_tell_nothing():
    assert SMALL.likeness({"unheard"}) is None
    assert SMALL.likeness(()) is None


def test_a_word_that_pulls_away_leaves_the_others():
    told = SMALL.likeness({"the"})
    assert told is not None
    assert told.cause == "wsl"


def test_the_learned_causes_are_ours():
    assert set(learned().biases) - {"unknown"} <= set(CAUSES)
    assert "healthy" in learned().biases


def test_every_learned_term_can_be_met_and_pulls_toward_causes_that_are_listed():
    for name, term in learned().terms.items():
        assert name in terms(name)
        assert term.rarity >= 1
        assert term.pulls
        assert term.pulls.keys() <= learned().biases.keys()


def test_the_terms_stand_in_the_order_in_which_they_are_looked_for():
    names = [f"{name}\t" for name in learned().terms]
    assert names == sorted(names)


@pytest.mark.parametrize(
    ("word", "cause"),
    [
        ("dkms", "driver-not-loaded"),
        ("libcudnn", "cudnn-missing"),
        ("mig", "mig"),
        ("xid", "device-lost"),
    ],
)
def test_what_was_learned_is_what_one_expects(word: str, cause: str):
    pulls = learned().terms[word].pulls
    assert max(pulls, key=lambda each: pulls[each]) == cause


@pytest.mark.parametrize("damage", [("5.5\tc7", "5.5"), ("5.5", "five"), ("c7", "z7")])
def test_a_damaged_term_is_told_with_its_line(damage: tuple[str, str]):
    read = model(TABLE.replace(*damage))
    with pytest.raises(TableError, match="slice of"):
        read.likeness({"slice of"})


@given(st.sets(st.sampled_from(sorted(learned().terms)), min_size=1))
def test_a_share_is_the_largest_of_shares_that_add_up_to_one(found: set[str]):
    told = learned().likeness(found)
    assert told is not None
    assert 1 / len(learned().biases) <= told.share <= 1


def test_the_table_is_read_once():
    assert subject.learned() is subject.learned()


def test_the_order_of_the_words_changes_nothing():
    told = sorted(name for name, term in learned().terms.items() if len(term.pulls) > 3)[:400]
    assert learned().likeness(told) == learned().likeness(reversed(told))
