"""PyTorch: versions, builds, kernels, and advice that the tables allow."""

from __future__ import annotations

import itertools

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture, driver_cuda, products, pytorch
from gpuprobe.knowledge import pytorch_advice as advice
from gpuprobe.knowledge.architecture import Coverage
from gpuprobe.knowledge.driver_cuda import Service
from gpuprobe.knowledge.tables import Unstated, load

V = Version
PLATFORMS = ("linux_x86_64", "linux_aarch64", "windows")


def build(version: str, platform: pytorch.Platform = "linux_x86_64") -> pytorch.Build:
    found = pytorch.build(version, platform)
    assert isinstance(found, pytorch.Build), found
    return found


def coverage(version: str, capability: str, platform: pytorch.Platform = "linux_x86_64"):
    found = pytorch.kernels(build(version), V(capability), platform)
    return found if isinstance(found, Unstated) else found.coverage


# --- the table -------------------------------------------------------------------------------


def test_releases_are_unique_and_newest_first():
    versions = [found.torch for found in pytorch.releases()]
    assert versions == sorted(set(versions), reverse=True)


def test_python_ranges_are_ranges_and_never_move_back():
    for newer, older in itertools.pairwise(pytorch.releases()):
        assert newer.python_min <= newer.python_max
        assert newer.python_min >= older.python_min, newer.torch
        assert newer.python_max >= older.python_max, newer.torch


def test_a_build_is_named_after_its_cuda_and_stands_once():
    names = []
    for row in load("pytorch").section("builds"):
        cuda = row.version("cuda")
        assert row.text("variant") == f"cu{cuda.major}{cuda.minor}"
        names.append((row.text("torch"), row.text("variant")))
    assert len(set(names)) == len(names)


def test_every_build_belongs_to_a_release_and_every_default_is_a_build():
    for found in pytorch.releases():
        variants = {each.variant for each in pytorch.builds(found.torch)}
        assert found.pypi_linux in variants, found.torch
    listed = {found.torch for found in pytorch.releases()}
    assert {row.version("torch") for row in load("pytorch").section("builds")} <= listed


@pytest.mark.parametrize("platform", [*PLATFORMS, "conda"])
def test_a_build_compiles_only_what_its_toolkit_can(platform: str):
    for row in load("pytorch").section("builds"):
        cuda = row.version("cuda")
        able = architecture.toolkit_targets(cuda)
        for name in row.texts(platform):
            [target] = architecture.parse_target(name)
            assert able is not None
            assert target.capability in able.capabilities, (row.text("torch"), name)


def test_every_build_has_a_driver_that_starts_it():
    for row in load("pytorch").section("builds"):
        floor = driver_cuda.smallest_driver(row.version("cuda"))
        assert isinstance(floor, driver_cuda.Floor), row.text("variant")


# --- versions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "release", "variant", "official"),
    [
        ("2.4.1+cu121", "2.4", "cu121", True),
        ("2.4.1", "2.4", None, True),
        ("1.13.1+cu117.with.pypi.cudnn", "1.13", "cu117", True),
        ("2.8.0+cpu.cxx11.abi", "2.8", "cpu", True),
        ("2.9.0+rocm6.4", "2.9", "rocm6.4", True),
        ("2.7.0+xpu", "2.7", "xpu", True),
        ("2.6.0rc1+cu124", "2.6", "cu124", True),
        ("2.1.0a0+32f93b1", "2.1", None, False),
        ("2.0.0+nv23.05", "2.0", None, False),
        ("1.13.0a0+gitunknown", "1.13", None, False),
        ("2.7.0.dev20250115+cu128", "2.7", "cu128", False),
    ],
)
def test_versions_are_taken_apart(text: str, release: str, variant: str | None, official: bool):
    found = pytorch.parse_version(text)
    assert found is not None
    assert (str(found.release), found.variant, found.official) == (release, variant, official)


@pytest.mark.parametrize("text", ["", "2", "torch 2.4", "2.4.1 +cu121", "v2.4.1"])
def test_other_texts_are_no_version(text: str):
    assert pytorch.parse_version(text) is None


@pytest.mark.parametrize(
    ("version", "platform", "kind"),
    [
        ("2.4.1", "linux_x86_64", "cuda"),
        ("2.4.1", "windows", "cpu"),
        ("2.4.1+cu121", "windows", "cuda"),
        ("2.4.1+cpu", "linux_x86_64", "cpu"),
        ("2.9.0+rocm6.4", "linux_x86_64", "rocm"),
        ("2.4.1", "linux_aarch64", "unknown"),
        ("2.1.0a0+32f93b1", "linux_x86_64", "unknown"),
    ],
)
def test_kinds_of_builds(version: str, platform: pytorch.Platform, kind: str):
    assert pytorch.kind(version, platform) == kind


def test_the_cuda_that_torch_prints_decides_where_there_is_no_tag():
    """A conda package carries no tag and need not be what pip would install."""
    assert pytorch.variant("2.4.1", cuda=V("12.4")) == "cu124"


@pytest.mark.parametrize(
    "version", ["2.4.1+cpu", "2.4.1+cu999", "9.9.0", "2.1.0a0+32f93b1", "2.7.0.dev20250115+cu128"]
)
def test_what_is_no_listed_cuda_build_is_unstated_with_the_version(version: str):
    found = pytorch.build(version)
    assert isinstance(found, Unstated)
    assert version in found.reason or "table" in found.reason


# --- kernels ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "capability", "expected"),
    [
        ("2.4.1+cu121", "8.6", Coverage.NATIVE),
        ("2.4.1+cu121", "8.9", Coverage.NATIVE),
        ("2.4.1+cu121", "12.0", Coverage.NO),
        ("2.4.1+cu121", "3.7", Coverage.NO),
        ("2.4.1+cu118", "3.7", Coverage.NATIVE),
        ("2.7.0+cu128", "12.0", Coverage.NATIVE),
        ("2.7.0+cu128", "7.0", Coverage.NO),
        ("2.10.0+cu128", "7.0", Coverage.NATIVE),
        ("2.11.0+cu128", "7.0", Coverage.NO),
        ("2.13.0+cu126", "6.1", Coverage.NATIVE),
        ("2.13.0+cu130", "7.0", Coverage.NO),
        ("2.13.0+cu130", "12.1", Coverage.NATIVE),
        ("1.12.1+cu102", "8.6", Coverage.NO),
        ("1.8.0+cu102", "8.6", Coverage.NO),
    ],
)
def test_which_gpus_a_build_has_kernels_for(version: str, capability: str, expected: Coverage):
    assert coverage(version, capability) is expected


def test_ptx_names_the_driver_that_can_compile_it():
    found = pytorch.kernels(build("2.4.1+cu118"), V("8.7"), "windows")
    assert isinstance(found, architecture.Kernels)
    assert (found.coverage, str(found.ptx_driver)) == (Coverage.PTX, "520.06")


def test_what_was_not_inspected_is_unstated_and_not_no():
    assert isinstance(coverage("2.15.0", "8.6"), Unstated)
    assert isinstance(coverage("1.8.0+cu111", "8.6"), Unstated)


def test_a_neighbours_list_is_not_verified():
    found = pytorch.kernels(build("2.6.0+cu124"), V("8.6"))
    assert isinstance(found, architecture.Kernels)
    assert not found.verified


# --- advice ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capability", "given", "requirement", "index_path"),
    [
        ("12.0", {"driver": "570.86.10"}, "torch==2.11.*", "whl/cu128"),
        ("12.0", {"driver": "580.95.05"}, "torch==2.14.*", None),
        ("7.0", {"driver": "535.104.05", "python": "3.12"}, "torch==2.14.*", "whl/cu126"),
        ("3.7", {"driver": "470.57.02", "python": "3.9"}, "torch==2.7.*", "whl/cu118"),
        ("8.6", {"driver": "535.104.05", "python": "3.8"}, "torch==2.4.*", None),
    ],
)
def test_the_newest_build_that_fits(
    capability: str, given: dict[str, str], requirement: str, index_path: str | None
):
    found = advice.advise(V(capability), **{name: V(text) for name, text in given.items()})
    assert isinstance(found, advice.Install), found
    assert (found.requirement, found.index_path) == (requirement, index_path)


def test_on_windows_a_cuda_build_never_comes_from_plain_pip():
    found = advice.advise(V("8.9"), driver=V("560.94"), platform="windows")
    assert isinstance(found, advice.Install)
    assert found.index_path == "whl/cu126"


@pytest.mark.parametrize(
    ("capability", "given"),
    [
        ("3.5", {}),
        ("3.7", {"python": "3.14"}),
        ("8.6", {"driver": "410.104"}),
        ("12.0", {"driver": "535.104.05"}),
        ("3.7", {"driver": "535.104.05"}),
        ("8.6", {"python": "3.99"}),
    ],
)
def test_where_nothing_fits_nothing_is_advised(capability: str, given: dict[str, str]):
    found = advice.advise(V(capability), **{name: V(text) for name, text in given.items()})
    assert isinstance(found, Unstated)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_advice_that_the_tables_call_impossible(platform: pytorch.Platform):
    """For all capabilities, all branches, some Pythons: there are kernels and a driver for it."""
    system: driver_cuda.System = "windows" if platform == "windows" else "linux"
    branches = [V.of(row.integer("branch"), 99) for row in load("driver_cuda").section("branches")]
    advised = 0
    for capability, driver, python in itertools.product(
        architecture.capabilities(), branches, (V("3.8"), V("3.11"), V("3.14"))
    ):
        found = advice.advise(capability, python=python, driver=driver, platform=platform)
        if isinstance(found, Unstated):
            continue
        advised += 1
        release = pytorch.release(f"{found.torch}.0")
        assert release is not None
        assert release.python_min <= python <= release.python_max
        [chosen] = [b for b in pytorch.builds(found.torch) if b.variant == found.variant]
        code = pytorch.kernels(chosen, capability, platform)
        assert isinstance(code, architecture.Kernels)
        judged = driver_cuda.serves(chosen.cuda, driver=driver, system=system)
        allowed = {
            Coverage.NATIVE: (Service.YES, Service.MINOR_VERSION),
            Coverage.PTX: (Service.YES,),
        }
        assert judged.service in allowed[code.coverage], (capability, driver, found)
    assert advised > 0


def test_a_newer_driver_never_gets_an_older_build():
    for capability in (V("7.5"), V("8.6"), V("9.0")):
        last = V("0.0")
        for row in reversed(load("driver_cuda").section("branches")):
            found = advice.advise(capability, driver=V.of(row.integer("branch"), 99))
            if isinstance(found, advice.Install):
                assert found.torch >= last, (capability, row.integer("branch"))
                last = found.torch


def test_common_cards_have_a_build_with_a_current_driver():
    for name in (
        "Tesla V100-SXM2-32GB",
        "GeForce GTX 1080 Ti",
        "NVIDIA A100-SXM4-40GB",
        "NVIDIA H100",
    ):
        match = products.by_name(name)
        assert match is not None
        [capability] = match.capabilities
        found = advice.advise(capability, driver=V("580.95.05"), python=V("3.12"))
        assert isinstance(found, advice.Install), name


def test_the_newest_cuda_of_old_releases_is_told():
    assert pytorch.newest_cuda_before(V("1.5")).major == 10
    assert pytorch.newest_cuda_before(V("1.8")).major == 11


def test_the_first_release_with_a_cuda_is_before_all_others_that_have_it():
    first = pytorch.first_with_cuda(V("12.8"))
    assert first == V("2.7")
    assert all(build.cuda < V("12.8") for build in pytorch.builds(V("2.6")))
    assert pytorch.first_with_cuda(V("99.0")) is None


def test_builds_for_servers_of_arm_begin_later_than_those_for_others():
    assert pytorch.first_for("linux_aarch64") == V("2.4")
    assert pytorch.first_for("linux_aarch64") > pytorch.first_for("linux_x86_64")
    assert "cu126" in pytorch.variants_for("linux_aarch64")
