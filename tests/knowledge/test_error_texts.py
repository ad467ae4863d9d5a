"""The vendor's words for its codes: unique, canonical, and those of libcudart where it is."""

from __future__ import annotations

from gpuprobe.knowledge import error_texts, errors
from gpuprobe.knowledge.tables import load


def test_a_text_means_one_code_of_an_interface():
    found = [(each.api, each.text) for each in error_texts.texts()]
    assert len(set(found)) == len(found)


def test_every_row_has_a_code_that_the_table_of_codes_knows_or_is_newer():
    rows = load("error_texts").section("cuda")
    unknown = {
        row.integer("code")
        for row in rows
        if error_texts.name_of("driver", row.integer("code")) is None
    }
    assert unknown <= {10}  # newer than the table of codes


def test_longer_texts_come_first():
    lengths = [len(each.text) for each in error_texts.texts()]
    assert lengths == sorted(lengths, reverse=True)


def test_one_meaning_has_one_name():
    [runtime] = errors.by_name("cudaErrorNoDevice")
    [own] = errors.by_name("cudaErrorInsufficientDriver")
    assert error_texts.canonical(runtime) == "CUDA_ERROR_NO_DEVICE"
    assert error_texts.canonical(own) == "cudaErrorInsufficientDriver"
    assert error_texts.name_of("driver", 35) == "cudaErrorInsufficientDriver"
    assert error_texts.name_of("nvml", 12345) is None


def test_the_old_numbers_have_todays_names():
    old = error_texts.before_10_1()
    assert (old[30], old[48], old[59]) == (
        "CUDA_ERROR_UNKNOWN",
        "CUDA_ERROR_NO_BINARY_FOR_GPU",
        "CUDA_ERROR_ASSERT",
    )
    assert len(old) == len(load("error_texts").section("runtime_before_10_1"))
