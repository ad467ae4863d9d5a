"""TensorFlow: releases, platforms, kernels, libraries, advice."""

from __future__ import annotations

import itertools

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture, cudnn, driver_cuda, tensorflow
from gpuprobe.knowledge.architecture import Coverage
from gpuprobe.knowledge.driver_cuda import Service
from gpuprobe.knowledge.tables import Unstated, load

V = Version


# --- the table -------------------------------------------------------------------------------


def test_releases_are_unique_and_newest_first():
    versions = [found.tensorflow for found in tensorflow.releases()]
    assert versions == sorted(set(versions), reverse=True)


def test_needs_never_move_back():
    for newer, older in itertools.pairwise(tensorflow.releases()):
        assert newer.python_max >= older.python_max, newer.tensorflow
        assert newer.cuda >= older.cuda, newer.tensorflow
        assert newer.cudnn.major >= older.cudnn.major, newer.tensorflow


def test_libraries_carry_the_majors_of_cuda_and_cudnn():
    for row in load("tensorflow").section("releases"):
        cuda, major = row.version("cuda"), row.version("cudnn").major
        names = row.texts("sonames")
        runtime = {12: "libcudart.so.12", 11: "libcudart.so.11.0"}.get(cuda.major)
        assert f"libcudnn.so.{major}" in names, row.text("tensorflow")
        assert runtime is None or runtime in names, row.text("tensorflow")
        dlls = row.texts("windows_dlls")
        assert not dlls or f"cudnn64_{major}.dll" in dlls


def test_windows_dlls_stand_where_windows_has_gpu_support():
    for row in load("tensorflow").section("releases"):
        assert bool(row.texts("windows_dlls")) == row.has("windows_cuda"), row.text("tensorflow")


def test_a_wheel_compiles_only_what_its_toolkit_can():
    for row in load("tensorflow").section("releases"):
        able = architecture.toolkit_targets(row.version("cuda"))
        for name in row.texts("compiled"):
            [target] = architecture.parse_target(name)
            assert able is not None
            assert target.capability in able.capabilities, (row.text("tensorflow"), name)


def test_the_cudnn_of_a_release_has_a_known_library():
    for found in tensorflow.releases():
        assert cudnn.libraries(found.cudnn.major) or found.cudnn.major <= 5


# --- releases --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "cuda", "dnn"),
    [("2.16.2", "12.3", "8.9"), ("2.18.0", "12.5", "9.3"), ("2.10.1", "11.2", "8.1")],
)
def test_a_patch_release_has_the_needs_of_its_series(version: str, cuda: str, dnn: str):
    found = tensorflow.release(version)
    assert found is not None
    assert (str(found.cuda), str(found.cudnn)) == (cuda, dnn)


@pytest.mark.parametrize("version", ["2.99.0", "0.12.0", "", "nightly"])
def test_other_versions_are_not_listed(version: str):
    assert tensorflow.release(version) is None


@pytest.mark.parametrize(
    ("python", "platform", "expected"),
    [
        ("3.13", "linux_x86_64", "2.21.0"),
        ("3.8", "linux_x86_64", "2.13.0"),
        ("3.10", "windows", "2.10.0"),
        ("3.7", "windows", "2.10.0"),
        ("3.6", "windows", "2.6.0"),
    ],
)
def test_the_newest_release_for_a_python(python: str, platform: tensorflow.Platform, expected: str):
    found = tensorflow.newest_for_python(V(python), platform)
    assert found is not None
    assert str(found.tensorflow) == expected


def test_a_python_that_no_release_takes():
    assert tensorflow.newest_for_python(V("3.99")) is None
    assert tensorflow.newest_for_python(V("3.11"), "windows") is None


# --- kernels and libraries -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "capability", "expected"),
    [
        ("2.18.0", "8.6", Coverage.NATIVE),
        ("2.18.0", "5.2", Coverage.NO),
        ("2.16.1", "5.2", Coverage.NATIVE),
        ("2.18.0", "9.0", Coverage.NATIVE),  # compute_90 of its list is both: cubin and PTX
        ("2.18.0", "12.0", Coverage.PTX),
        ("2.11.0", "8.6", Coverage.NATIVE),
        ("2.11.0", "9.0", Coverage.PTX),
        ("2.3.0", "5.0", Coverage.NO),
        ("2.0.0", "3.0", Coverage.NO),
    ],
)
def test_which_gpus_a_release_has_kernels_for(version: str, capability: str, expected: Coverage):
    found = tensorflow.kernels(version, V(capability))
    assert isinstance(found, architecture.Kernels)
    assert found.coverage is expected


def test_where_only_the_smallest_capability_is_known_more_is_unstated():
    assert isinstance(tensorflow.kernels("2.0.0", V("7.5")), Unstated)


def test_libraries_by_platform():
    linux, windows = tensorflow.libraries("2.10.0"), tensorflow.libraries("2.10.0", "windows")
    assert isinstance(linux, tensorflow.Libraries)
    assert isinstance(windows, tensorflow.Libraries)
    assert "libcudart.so.11.0" in linux.names
    assert "cudart64_110.dll" in windows.names
    assert isinstance(tensorflow.libraries("2.16.1", "windows"), Unstated)


# --- advice ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capability", "python", "driver", "platform", "requirement"),
    [
        ("8.6", "3.12", "535.104.05", "linux_x86_64", "tensorflow[and-cuda]==2.21.*"),
        ("5.2", "3.12", "580.95.05", "linux_x86_64", "tensorflow[and-cuda]==2.16.*"),
        ("8.6", "3.10", "560.94", "windows", "tensorflow==2.10.*"),
        ("7.5", "3.9", "470.57.02", "linux_x86_64", "tensorflow[and-cuda]==2.14.*"),
    ],
)
def test_the_newest_release_that_fits(
    capability: str, python: str, driver: str, platform: tensorflow.Platform, requirement: str
):
    found = tensorflow.advise(V(capability), python=V(python), driver=V(driver), platform=platform)
    assert isinstance(found, tensorflow.Install), found
    assert found.requirement == requirement


@pytest.mark.parametrize(
    ("capability", "python", "driver", "platform"),
    [
        ("8.6", "3.12", "410.104", "linux_x86_64"),
        ("8.6", "3.12", "560.94", "windows"),
        ("8.6", "3.12", "535.104.05", "linux_aarch64"),
        ("3.0", "3.12", "470.57.02", "linux_x86_64"),
        ("8.6", "3.12", "304.137", "linux_x86_64"),
    ],
)
def test_where_nothing_fits_nothing_is_advised(
    capability: str, python: str, driver: str, platform: tensorflow.Platform
):
    found = tensorflow.advise(V(capability), python=V(python), driver=V(driver), platform=platform)
    assert isinstance(found, Unstated)


def test_no_advice_that_the_tables_call_impossible():
    branches = [V.of(row.integer("branch"), 99) for row in load("driver_cuda").section("branches")]
    pythons = (V("3.6"), V("3.9"), V("3.12"))
    for capability, driver, python in itertools.product(
        architecture.capabilities(), branches, pythons
    ):
        found = tensorflow.advise(capability, python=python, driver=driver)
        if isinstance(found, Unstated):
            continue
        name = found.requirement.partition("==")[2].removesuffix(".*")
        release = tensorflow.release(name)
        assert release is not None
        assert release.python_min <= python <= release.python_max
        service = driver_cuda.serves(release.cuda, driver=driver).service
        assert service is not Service.NO
        assert service is Service.YES or found.kernels.coverage is Coverage.NATIVE


def test_the_first_release_with_a_cuda_is_before_all_others_that_have_it():
    assert tensorflow.first_with_cuda(Version("11.0")) == Version("2.4.0")
    assert tensorflow.first_with_cuda(Version("11.1")) == Version("2.5.0")
    assert tensorflow.first_with_cuda(Version("99.0")) is None
