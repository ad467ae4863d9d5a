"""Published peaks."""

from __future__ import annotations

from typing import get_args

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture, limits, products
from gpuprobe.knowledge.tables import Unstated, load

ROWS = load("gpu_limits").section("gpus")


def test_names_are_unique_also_among_the_other_names():
    keys = [
        products.telling_words(name)
        for row in ROWS
        for name in (row.text("gpu"), *row.texts("also"))
    ]
    assert len(set(keys)) == len(keys)


def test_every_product_is_a_gpu_of_the_product_table_with_the_same_capability():
    for row in ROWS:
        match = products.by_name(row.text("gpu").partition(" (")[0])
        if match is not None:
            assert row.version("capability") in match.capabilities, row.text("gpu")
        assert architecture.architecture(row.version("capability")) is not None


def test_figures_are_positive_and_faster_types_are_not_slower():
    for row in ROWS:
        rates = {n: row.number_or_none(n) for n in row.names if n.startswith("dense_")}
        for faster, slower in (("fp4", "fp8"), ("fp8", "fp16"), ("fp16", "tf32")):
            fast, slow = rates.get(f"dense_{faster}"), rates.get(f"dense_{slower}")
            if fast is not None and slow is not None:
                assert fast >= slow > 0, (row.text("gpu"), faster)


def test_types_appear_with_the_architecture_that_brought_them():
    first = {"dense_tf32": "8.0", "dense_bf16": "8.0", "dense_fp8": "8.9", "dense_fp4": "10.0"}
    for row in ROWS:
        for name, capability in first.items():
            if row.has(name):
                assert row.version("capability") >= Version(capability), row.text("gpu")


def test_fields_marked_as_unverified_exist():
    for row in ROWS:
        for name in (*row.texts("unverified_fields"), *row.texts("confirmed")):
            assert row.has(name), (row.text("gpu"), name)


def test_dense_fields_are_those_of_the_type():
    names = {
        name.removeprefix("dense_")
        for row in ROWS
        for name in row.names
        if name.startswith("dense_")
    }
    assert names == set(get_args(limits.Dense))


@pytest.mark.parametrize(
    ("name", "memory_gb", "gpu"),
    [
        ("NVIDIA H100 80GB HBM3", 85.0, "H100 SXM5 80GB"),
        ("NVIDIA H100 PCIe", 85.0, "H100 PCIe 80GB"),
        ("NVIDIA A100-SXM4-40GB", 42.4, "A100 SXM4 40GB"),
        ("NVIDIA A100 80GB PCIe", None, "A100 PCIe 80GB"),
        ("Tesla V100-SXM2-16GB", 16.9, "V100 SXM2 32GB"),
        ("Tesla T4", None, "T4"),
        ("NVIDIA GeForce RTX 4090", 25.3, "GeForce RTX 4090"),
        ("NVIDIA GeForce RTX 4060 Ti", 17.0, "GeForce RTX 4060 Ti"),
        ("Tesla K80", 12.0, "K80 (per GPU, two on a board)"),
    ],
)
def test_a_board_has_its_figures(name: str, memory_gb: float | None, gpu: str):
    found = limits.by_name(name, memory_gb)
    assert isinstance(found, limits.Limits), found
    assert found.gpu == gpu


@pytest.mark.parametrize(
    ("name", "memory_gb"),
    [
        ("NVIDIA GeForce RTX 4090 Laptop GPU", None),
        ("GeForce GTX 1070 Mobile", None),
        ("GeForce GTX 1070 with Max-Q Design", None),
        ("NVIDIA GeForce RTX 3080", 12.9),
        ("NVIDIA GH200 144G HBM3e", None),
        ("A100", None),
        ("", None),
    ],
)
def test_another_board_is_not_given_the_figures_of_its_neighbour(
    name: str, memory_gb: float | None
):
    assert isinstance(limits.by_name(name, memory_gb), Unstated)


def test_dense_rates_are_asked_by_type():
    found = limits.by_name("NVIDIA H100 80GB HBM3")
    assert isinstance(found, limits.Limits)
    assert found.dense("bf16") == 989.5
    assert found.dense("fp4") is None
