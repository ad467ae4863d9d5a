"""What a text's words are told of: the arithmetic, and the table that was learned."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.diagnosis.causes import CAUSES
from gpuprobe.knowledge import likeness as subject
from gpuprobe.knowledge.likeness import Model, Word, learned, words

SMALL = Model(
    {"mig": 0.0, "wsl": 1.0},
    {"slice": Word(3.0, {"mig": 10.0, "wsl": -5.0}), "the": Word(4.0, {})},
)


def test_words_are_letters_in_small_and_each_counts_once():
    assert words("CUDA_ERROR 3.5: cuda error\nx libcudart.so.12") == {
        *("cuda", "error", "libcudart", "so")
    }


def test_shares_are_the_softmax_of_bias_and_mean_pull():
    told = SMALL.likeness({"slice", "the", "unheard"})
    assert told is not None
    # The vector (3, 4) has the length 5: 10 / 5 for mig, 1 - 5 / 5 for wsl.
    assert told.cause == "mig"
    assert told.share == pytest.approx(math.exp(2) / (math.exp(2) + math.exp(0)))
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


def test_every_learned_word_can_be_met_and_pulls_toward_causes_that_are_listed():
    for name, word in learned().words.items():
        assert words(name) == {name}
        assert word.rarity >= 1
        assert word.pulls.keys() <= learned().biases.keys()


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
    pulls = learned().words[word].pulls
    assert max(pulls, key=lambda each: pulls[each]) == cause


@given(st.sets(st.sampled_from(sorted(learned().words)), min_size=1))
def test_a_share_is_the_largest_of_shares_that_add_up_to_one(found: set[str]):
    told = learned().likeness(found)
    assert told is not None
    assert 1 / len(learned().biases) <= told.share <= 1


def test_the_table_is_read_once():
    assert subject.learned() is subject.learned()


def test_the_order_of_the_words_changes_nothing():
    told = sorted(name for name, word in learned().words.items() if len(word.pulls) > 3)[:400]
    assert learned().likeness(told) == learned().likeness(reversed(told))
