"""What holds for every reader and every text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.model import Absent, Known
from gpuprobe.facts.pasted import read
from gpuprobe.facts.snapshot import find_key

from .test_collect_env import NEW, OLD, ROCM
from .test_form import GITHUB, TABLE, TENSORFLOW
from .test_host import LSPCI, NVCC, PTXAS
from .test_nvidia_smi import MIG, OLDEST, PROCESSES, QUERY
from .test_reports import BITSANDBYTES, CUPY, DEVICE_QUERY, JULIA, NUMBA, XFORMERS

SAMPLES = (
    *(NEW, OLD, ROCM, GITHUB, TABLE, TENSORFLOW, LSPCI, NVCC, PTXAS, MIG, OLDEST, PROCESSES),
    *(QUERY, BITSANDBYTES, CUPY, DEVICE_QUERY, JULIA, NUMBA, XFORMERS),
)
WORDS = sorted({word for sample in SAMPLES for word in sample.split()})
#: What readers look for, put together at random, in place of whole lines.
SOUP = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from(["\n", ": ", "==", "| ", "$ ", ">>> ", "٣"])),
    max_size=60,
).map(" ".join)


def values(pasted: str) -> dict[str, object]:
    return {
        name: fact.value if isinstance(fact, Known) else None for name, fact in read(pasted).items()
    }


@given(st.one_of(st.text(), SOUP))
def test_any_text_gives_facts_of_the_catalogue_and_of_their_types(pasted: str) -> None:
    for name, fact in read(pasted).items():
        key = find_key(name)
        assert key is not None, name
        assert isinstance(fact, Known | Absent), name
        if isinstance(fact, Known):
            assert type(fact.value) is key.type, name


@pytest.mark.parametrize("sample", SAMPLES)
def test_shuffled_lines_are_read_without_an_error(sample: str) -> None:
    lines = sample.split("\n")
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        read("\n".join(lines))


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(
    "pasting",
    [
        lambda line, _: f"{line}\r",
        lambda line, _: f"> {line}",
        lambda line, _: f"\x1b[32m{line}\x1b[0m",
        lambda line, number: f"{number:5} | {line}",
        lambda line, number: f"{number:6}\t{line}",
        lambda line, _: line.replace(" ", "\u00a0"),
    ],
    ids=["CRLF", "quoted", "coloured", "numbered", "cat -n", "no-break spaces"],
)
def test_the_way_of_pasting_changes_nothing(sample: str, pasting) -> None:  # type: ignore[no-untyped-def]
    lines = sample.strip("\n").split("\n")
    pasted = "\n".join(pasting(line, number) for number, line in enumerate(lines, start=1))
    assert values(pasted) == values("\n".join(lines))


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_fact_names_a_line_of_the_text(sample: str) -> None:
    count = len(sample.split("\n"))
    for name, fact in read(sample).items():
        assert isinstance(fact, Known | Absent)
        number = int(fact.source.split()[1])
        assert 1 <= number <= count, name


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_fact_stands_in_a_text_of_megabytes_as_well(sample: str) -> None:
    filler = "\n".join(f"step {number}: loss 0.{number}" for number in range(60_000))
    # What is said in sentences depends on the whole text, as does what it reads like.
    whole = ("sign.", "text.")
    alone = {name: value for name, value in values(sample).items() if not name.startswith(whole)}
    found = values(f"{filler}\n{sample}\n{filler}")
    assert {name: found.get(name) for name in alone} == alone
