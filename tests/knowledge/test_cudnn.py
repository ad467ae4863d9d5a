"""CuDNN: releases, floors, files, numbers."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture, cudnn
from gpuprobe.knowledge.tables import Unstated, load
from support.pasted import told

V = Version


def test_packages_are_newest_first_and_unique():
    keys = [(each.cudnn, each.cuda) for each in cudnn.packages()]
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) == len(keys)


def test_the_floor_never_falls_for_one_cuda():
    for cuda in {each.cuda for each in cudnn.packages()}:
        floors = [each.minimum_capability for each in cudnn.packages() if each.cuda == cuda]
        assert floors == sorted(floors, reverse=True), cuda


def test_a_floor_is_never_below_what_the_toolkit_compiles_for():
    """CUDA 12 begins at 5.0, CUDA 13 at 7.5; cuDNN 8.8.1 for 12 is marked as not verified."""
    for each in cudnn.packages():
        cuda = V.of(each.cuda.major, each.cuda.minor)
        toolkit = architecture.toolkit_targets(cuda)
        if toolkit is not None and each.verified:
            assert each.minimum_capability >= min(toolkit.capabilities), (each.cudnn, each.cuda)


@pytest.mark.parametrize(
    ("number", "version"),
    [(91002, "9.10.2"), (90100, "9.1.0"), (8907, "8.9.7"), (7605, "7.6.5"), (92800, "9.28.0")],
)
def test_version_numbers_are_decoded(number: int, version: str):
    assert cudnn.from_number(number) == V(version)


def test_every_listed_release_survives_its_number():
    """The way there is the macro of cudnn_version.h, written down here once more."""
    for each in cudnn.packages():
        major, minor, patch = (*each.cudnn.parts, 0)[:3]
        factor = 10000 if major >= 9 else 1000
        assert cudnn.from_number(major * factor + minor * 100 + patch) == V.of(major, minor, patch)


@pytest.mark.parametrize(
    ("version", "cuda", "floor"),
    [
        ("9.10.2", "12.4", "5.0"),
        ("9.11.0", "12.4", "7.5"),
        ("9.3.0", "12.5", "5.0"),
        ("8.9.7", "11.8", "5.0"),
        ("8.4.0", "10.2", "3.0"),
        ("9.20.0.48", None, "7.5"),
    ],
)
def test_the_capability_floor(version: str, cuda: str | None, floor: str):
    found = cudnn.capability_floor(V(version), None if cuda is None else V(cuda))
    assert isinstance(found, cudnn.Package)
    assert found.minimum_capability == V(floor)


@pytest.mark.parametrize("version", ["99.0", "4.0"])
def test_beyond_the_table_the_floor_is_unstated(version: str):
    assert isinstance(cudnn.capability_floor(V(version)), Unstated)


def test_between_two_floors_the_table_does_not_guess():
    assert isinstance(cudnn.capability_floor(V("8.8.5"), V("12.0")), Unstated)


def test_each_major_has_one_main_library_named_after_it():
    for major in (6, 7, 8, 9):
        [main] = [each for each in cudnn.libraries(major) if each.main]
        assert (main.soname, main.windows) == (f"libcudnn.so.{major}", f"cudnn64_{major}.dll")
    assert cudnn.libraries(5) == ()


def test_sonames_are_unique_and_carry_their_major():
    names = [row.text("soname") for row in load("cudnn").section("libraries")]
    assert len(set(names)) == len(names)
    for row in load("cudnn").section("libraries"):
        assert row.text("soname").endswith(f".so.{row.integer('major')}")


def test_pip_packages():
    assert cudnn.pip_packages(9, 12) == ("nvidia-cudnn-cu12",)
    assert cudnn.pip_packages(8, 13) == ()


def test_what_a_form_takes_for_cudnn_ends_where_the_table_does():
    newest = max(each.cudnn.major for each in cudnn.packages())
    read = said.CUDNN_VERSION.name
    assert told(f"cudnn: {newest}.0")[read] == f"{newest}.0"
    assert read not in told(f"cudnn: {newest + 1}.0")
