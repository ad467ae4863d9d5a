"""Driver and CUDA: ceilings, floors, and whether a driver serves a run time."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import driver_cuda as dc
from gpuprobe.knowledge.tables import Unstated, load

V = Version
SYSTEMS = ("linux", "windows")
RUNTIMES = sorted({V.of(t.toolkit.major, t.toolkit.minor) for t in dc.toolkits()})
drivers = st.builds(V.of, st.integers(300, 700), st.integers(0, 130), st.integers(0, 20))


def ceiling(driver: str, system: dc.System = "linux") -> dc.Ceiling:
    found = dc.highest_cuda(V(driver), system)
    assert isinstance(found, dc.Ceiling)
    return found


def floor_of(found: dc.Floor | Unstated) -> str:
    assert isinstance(found, dc.Floor)
    return str(found.driver)


@pytest.mark.parametrize(
    ("driver", "cuda"),
    [("384.69", "8.0"), ("384.81", "9.0"), ("384", "9.0"), ("396.24", "9.1"), ("396.26", "9.2")],
)
def test_an_early_driver_of_a_branch_does_not_serve_the_cuda_that_came_later(
    driver: str, cuda: str
):
    assert str(ceiling(driver).cuda) == cuda


# --- the table -------------------------------------------------------------------------------


def test_branches_are_unique_and_newest_first():
    numbers = [row.integer("branch") for row in load("driver_cuda").section("branches")]
    assert numbers == sorted(set(numbers), reverse=True)


def test_a_newer_branch_never_serves_less_cuda():
    rows = load("driver_cuda").section("branches")
    for newer, older in itertools.pairwise(rows):
        assert newer.version("cuda") >= older.version("cuda"), newer.integer("branch")


def test_the_windows_list_rises_with_cuda():
    rows = load("driver_cuda").section("windows")
    for newer, older in itertools.pairwise(rows):
        assert newer.version("cuda") > older.version("cuda")
        assert newer.version("first") > older.version("first")


def test_the_windows_list_and_the_branches_agree():
    for row in load("driver_cuda").section("windows"):
        assert ceiling(row.text("first"), "windows").cuda == row.version("cuda"), row.text("first")


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_driver_of_a_toolkit_serves_that_toolkit(system: dc.System):
    for toolkit in dc.toolkits():
        driver = toolkit.linux if system == "linux" else toolkit.windows
        if driver is not None:
            judged = dc.serves(toolkit.toolkit, driver=driver, system=system)
            assert judged.service is dc.Service.YES, toolkit.name


def test_toolkit_drivers_never_fall_within_a_newer_toolkit():
    for system in SYSTEMS:
        drivers = [getattr(t, system) for t in dc.toolkits() if getattr(t, system) is not None]
        assert drivers == sorted(drivers, reverse=True), system


def test_branches_lie_far_enough_apart_for_windows_numbers():
    numbers = [row.integer("branch") for row in load("driver_cuda").section("branches")]
    recent = [number for number in numbers if number >= 410]
    assert min(newer - older for newer, older in itertools.pairwise(recent)) >= 5


def test_a_capability_belongs_to_one_last_branch():
    rows = load("driver_cuda").section("last_branches")
    listed = [c for row in rows for c in row.versions("capabilities")]
    assert len(set(listed)) == len(listed)


# --- the highest CUDA of a driver -------------------------------------------------------------


@pytest.mark.parametrize(
    ("driver", "system", "cuda"),
    [
        ("535.104.05", "linux", "12.2"),
        ("550.54.15", "linux", "12.4"),
        ("470.256.02", "linux", "11.4"),
        ("565.57.01", "linux", "12.7"),
        ("591.59", "windows", "13.1"),
        ("537.13", "windows", "12.2"),
        ("528.33", "windows", "12.0"),
        ("617.14", "windows", "13.4"),
    ],
)
def test_a_known_driver_has_its_cuda(driver: str, system: dc.System, cuda: str):
    found = ceiling(driver, system)
    assert (found.cuda, found.exact) == (V(cuda), True)


def test_a_linux_driver_between_two_branches_lies_between_their_cudas():
    found = ceiling("415.27")
    assert (found.cuda, found.at_most, found.exact) == (V("10.0"), V("10.1"), False)


def test_a_driver_newer_than_the_table_is_open_upwards():
    found = ceiling("699.10")
    assert (found.at_most, found.exact) == (None, False)


def test_a_driver_older_than_the_table_is_unstated_with_its_number():
    found = dc.highest_cuda(V("304.137"))
    assert isinstance(found, Unstated)
    assert "304.137" in found.reason


def test_an_unverified_branch_says_so():
    assert not ceiling("435.21").verified
    assert "unverified" in ceiling("435.21").source


@given(drivers, drivers, st.sampled_from(SYSTEMS))
def test_a_higher_driver_never_serves_less(one: Version, other: Version, system: dc.System):
    low, high = (dc.highest_cuda(driver, system) for driver in sorted((one, other)))
    if isinstance(low, dc.Ceiling):
        assert isinstance(high, dc.Ceiling)
        assert high.cuda >= low.cuda


# --- the smallest driver ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cuda", "system", "driver"),
    [
        ("12.4", "linux", "550.54.14"),
        ("12.4.1", "linux", "550.54.15"),
        ("12.4.1", "windows", "551.78"),
        ("10.1", "linux", "418.39"),
    ],
)
def test_a_toolkit_asks_for_its_own_driver(cuda: str, system: dc.System, driver: str):
    assert floor_of(dc.toolkit_driver(V(cuda), system)) == driver


def test_a_toolkit_without_a_published_driver_is_unstated():
    assert isinstance(dc.toolkit_driver(V("13.1"), "windows"), Unstated)
    assert isinstance(dc.toolkit_driver(V("12.7")), Unstated)


@pytest.mark.parametrize(
    ("runtime", "system", "driver"),
    [
        ("11.8", "linux", "450.80.02"),
        ("12.9", "linux", "525.60.13"),
        ("12.1", "windows", "527.41"),
        ("13.2", "windows", "580"),
        ("10.2", "linux", "440.33"),
    ],
)
def test_a_program_starts_on_the_floor_of_its_family(runtime: str, system: dc.System, driver: str):
    assert floor_of(dc.smallest_driver(V(runtime), system)) == driver


def test_before_cuda_11_there_is_no_family():
    assert isinstance(dc.family_driver(10), Unstated)


# --- whether a driver serves a run time -------------------------------------------------------


@pytest.mark.parametrize(
    ("driver", "runtime", "service"),
    [
        ("535.104.05", "11.8", dc.Service.YES),
        ("535.104.05", "12.2", dc.Service.YES),
        ("535.104.05", "12.4", dc.Service.MINOR_VERSION),
        ("535.104.05", "13.0", dc.Service.NO),
        ("410.104", "10.1", dc.Service.NO),
        ("450.51.06", "11.0", dc.Service.YES),
        ("450.51.06", "11.2", dc.Service.NO),
        ("450.80.02", "11.2", dc.Service.MINOR_VERSION),
        ("415.27", "12.4", dc.Service.NO),
        ("415.27", "10.1", dc.Service.UNKNOWN),
        ("699.10", "14.0", dc.Service.UNKNOWN),
        ("699.10", "13.4", dc.Service.YES),
    ],
)
def test_driver_and_runtime(driver: str, runtime: str, service: dc.Service):
    assert dc.serves(V(runtime), driver=V(driver)).service is service


def test_a_refusal_states_both_versions_and_the_driver_that_is_needed():
    judged = dc.serves(V("12.4"), driver=V("470.57.02"))
    assert "11.4" in judged.reason
    assert "12.4" in judged.reason
    assert str(judged.needed) == "525.60.13"


def test_what_the_driver_itself_prints_is_believed_more_than_the_table():
    """Compat libraries raise the CUDA of an old driver."""
    judged = dc.serves(V("12.4"), driver=V("470.57.02"), driver_cuda=V("12.4"))
    assert judged.service is dc.Service.YES


@pytest.mark.parametrize(
    ("driver_cuda", "service"),
    [
        ("12.0", dc.Service.MINOR_VERSION),
        ("12.4", dc.Service.YES),
        ("11.8", dc.Service.NO),
    ],
)
def test_the_cuda_of_the_driver_is_enough(driver_cuda: str, service: dc.Service):
    assert dc.serves(V("12.4"), driver_cuda=V(driver_cuda)).service is service


def test_cuda_11_0_alone_does_not_tell_whether_the_family_is_served():
    assert dc.serves(V("11.2"), driver_cuda=V("11.0")).service is dc.Service.UNKNOWN


def test_nothing_known_is_unknown():
    assert dc.serves(V("12.4")).service is dc.Service.UNKNOWN


@given(drivers, drivers, st.sampled_from(RUNTIMES), st.sampled_from(SYSTEMS))
def test_a_newer_driver_never_takes_a_runtime_away(
    one: Version, other: Version, runtime: Version, system: dc.System
):
    low, high = (dc.serves(runtime, driver=d, system=system) for d in sorted((one, other)))
    if low.service in (dc.Service.YES, dc.Service.MINOR_VERSION):
        assert high.service in (dc.Service.YES, dc.Service.MINOR_VERSION)


@given(drivers, st.sampled_from(RUNTIMES), st.sampled_from(SYSTEMS))
def test_a_refused_driver_is_older_than_the_needed_one(
    driver: Version, runtime: Version, system: dc.System
):
    judged = dc.serves(runtime, driver=driver, system=system)
    if judged.service is dc.Service.NO:
        assert judged.needed is not None
        assert driver < judged.needed


# --- branches ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capability", "branch"),
    [("1.3", 340), ("2.1", 390), ("3.5", 470), ("7.0", 580), ("7.5", None), ("12.0", None)],
)
def test_the_last_branch_of_a_capability(capability: str, branch: int | None):
    found = dc.last_branch(V(capability))
    assert isinstance(found, dc.LastBranch)
    assert found.branch == branch


def test_a_capability_that_no_table_lists_is_unstated():
    assert isinstance(dc.last_branch(V("7.2")), Unstated)
