"""JAX, CuPy, ONNX Runtime and Numba."""

from __future__ import annotations

import itertools

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture, cupy, driver_cuda, jax, numba, onnxruntime
from gpuprobe.knowledge.architecture import Coverage
from gpuprobe.knowledge.driver_cuda import Service
from gpuprobe.knowledge.tables import Unstated, load

V = Version
BRANCHES = [V.of(row.integer("branch"), 99) for row in load("driver_cuda").section("branches")]


@pytest.mark.parametrize("name", ["jax", "cupy"])
def test_spans_are_ordered_and_do_not_overlap(name: str):
    rows = load(name).section("releases")
    for newer, older in itertools.pairwise(rows):
        assert newer.version("from") <= newer.version("to")
        assert older.version("to") < newer.version("from"), newer.text("from")


def test_numba_releases_are_newest_first():
    firsts = [row.version("from") for row in load("numba").section("releases")]
    assert firsts == sorted(set(firsts), reverse=True)


# --- JAX --------------------------------------------------------------------------------------


def test_every_jax_wheel_belongs_to_a_span_of_releases():
    spans = {(row.text("from"), row.text("to")) for row in load("jax").section("releases")}
    for row in load("jax").section("wheels"):
        assert (row.text("from"), row.text("to")) in spans


def test_the_driver_of_a_jax_wheel_starts_its_cuda():
    """What JAX's own pages ask for is what the driver tables ask for."""
    for row in load("jax").section("wheels"):
        driver, major = row.version_or_none("linux_driver"), row.integer_or_none("cuda_major")
        if driver is not None and major is not None:
            floor = driver_cuda.family_driver(major)
            assert isinstance(floor, driver_cuda.Floor)
            assert driver.major == floor.driver.major, row.text("extra")


def test_jax_compiles_only_what_its_toolkit_can():
    for row in load("jax").section("wheels"):
        built = row.version_or_none("built_with") or row.version_or_none("cuda")
        able = architecture.toolkit_targets(built) if built is not None else None
        for name in row.texts("compiled") if able is not None else ():
            [target] = architecture.parse_target(name)
            assert able is not None
            assert target.capability in able.capabilities, (row.text("from"), name)


@pytest.mark.parametrize(
    ("version", "extras", "cudnn_min"),
    [
        ("0.4.35", ["cuda12"], "9.1"),
        ("0.10.0", ["cuda13", "cuda12"], "9.8"),
        ("0.4.25", ["cuda12_pip", "cuda11_pip"], "8.9.7.29"),
    ],
)
def test_the_cuda_builds_of_a_jax_release(version: str, extras: list[str], cudnn_min: str):
    found = jax.wheels(version)
    assert [wheel.extra for wheel in found] == extras
    assert str(found[0].cudnn_min) == cudnn_min


def test_an_unlisted_jax_is_none():
    assert jax.release("9.9.9") is None
    assert jax.release("") is None
    assert jax.wheels("0.1.0") == ()


def test_jax_plugins_and_platforms():
    found = jax.plugin(13)
    assert found is not None
    assert found.packages == ("jax-cuda13-plugin", "jax-cuda13-pjrt")
    assert jax.plugin(11) is None
    assert [jax.gpu_platform(p) for p in ("linux_x86_64", "windows", "plan9")] == [
        True,
        False,
        None,
    ]


@pytest.mark.parametrize(
    ("capability", "python", "driver", "requirement"),
    [
        ("9.0", "3.12", "580.95.05", "jax[cuda13]==0.11.0"),
        ("9.0", "3.12", "535.104.05", "jax[cuda12]==0.11.0"),
        ("7.0", "3.12", "580.95.05", "jax[cuda12]==0.11.0"),
        ("9.0", "3.11", "580.95.05", "jax[cuda13]==0.10.2"),
        ("9.0", "3.10", "580.95.05", "jax[cuda12]==0.6.2"),
    ],
)
def test_the_newest_jax_that_fits(capability: str, python: str, driver: str, requirement: str):
    found = jax.advise(V(capability), python=V(python), driver=V(driver))
    assert isinstance(found, jax.Install), found
    assert found.requirement == requirement


@pytest.mark.parametrize(
    ("capability", "python", "driver"),
    [
        *(("3.5", "3.12", "470.57.02"), ("9.0", "3.6", "580.95.05"), ("9.0", "3.12", "470.57.02")),
        ("9.0", "3.15", "580.95.05"),  # no release in the table has files for it
        ("12.0", "3.12", "550.54.14"),  # a driver that is older than the GPU
    ],
)
def test_where_no_jax_fits_none_is_advised(capability: str, python: str, driver: str):
    assert isinstance(jax.advise(V(capability), python=V(python), driver=V(driver)), Unstated)


def test_no_jax_advice_that_the_tables_call_impossible():
    for capability, driver in itertools.product(architecture.capabilities(), BRANCHES):
        found = jax.advise(capability, python=V("3.12"), driver=driver)
        if isinstance(found, jax.Install):
            assert found.wheel.cuda is not None
            service = driver_cuda.serves(found.wheel.cuda, driver=driver).service
            assert service is Service.YES or (
                service is Service.MINOR_VERSION and found.kernels.coverage is Coverage.NATIVE
            )


# --- CuPy -------------------------------------------------------------------------------------


def test_every_wheel_of_a_cupy_release_is_a_listed_package():
    for found in cupy.releases():
        for name in found.packages:
            assert cupy.package(name) is not None, name


@pytest.mark.parametrize(
    ("name", "major"), [("cupy-cuda12x", 12), ("cupy_cuda11x", 11), ("cupy-cuda102", 10)]
)
def test_the_cuda_of_a_cupy_package(name: str, major: int):
    found = cupy.package(name)
    assert found is not None
    assert found.cuda_min.major == major


@pytest.mark.parametrize("name", ["cupy", "cupy-rocm-5-0", "cupy-cuda14x"])
def test_other_packages_have_no_cuda_in_their_name(name: str):
    assert cupy.package(name) is None


@pytest.mark.parametrize(
    ("capability", "python", "driver", "requirement"),
    [
        ("9.0", "3.12", "580.95.05", "cupy-cuda13x==14.2.0"),
        ("9.0", "3.12", "535.104.05", "cupy-cuda12x==14.2.0"),
        ("7.0", "3.12", "580.95.05", "cupy-cuda12x==14.2.0"),
        ("3.5", "3.12", "470.57.02", "cupy-cuda11x==13.6.0"),
        ("9.0", "3.9", "535.104.05", "cupy-cuda12x==13.6.0"),
    ],
)
def test_the_newest_cupy_that_fits(capability: str, python: str, driver: str, requirement: str):
    found = cupy.advise(V(capability), python=V(python), driver=V(driver))
    assert isinstance(found, cupy.Install), found
    assert found.requirement == requirement


def test_where_no_cupy_fits_none_is_advised():
    assert isinstance(cupy.advise(V("8.6"), python=V("3.12"), driver=V("410.104")), Unstated)
    assert isinstance(cupy.advise(V("3.0"), python=V("3.12"), driver=V("470.57.02")), Unstated)


def test_no_cupy_advice_that_the_tables_call_impossible():
    for capability, driver in itertools.product(architecture.capabilities(), BRANCHES):
        found = cupy.advise(capability, python=V("3.11"), driver=driver)
        if isinstance(found, cupy.Install):
            service = driver_cuda.serves(found.package.cuda_min, driver=driver).service
            assert service in (Service.YES, Service.MINOR_VERSION)
            release = cupy.release(found.requirement.partition("==")[2])
            assert release is not None
            assert found.package.cuda_min.major in {cuda.major for cuda in release.cuda}


# --- ONNX Runtime -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "cuda", "cudnn"),
    [
        ("1.27.0", "13.0", "9"),
        ("1.30.0", "13.0", "9"),
        ("1.22.1", "12.8", "9"),
        ("1.20.1", "12", "9"),
        ("1.18.1", "11.8", "8"),
        ("1.16.3", "11.8", "8.2.4"),
    ],
)
def test_what_an_installed_onnxruntime_needs(version: str, cuda: str, cudnn: str):
    found = onnxruntime.build(version)
    assert isinstance(found, onnxruntime.Build)
    assert (str(found.cuda), str(found.cudnn)) == (cuda, cudnn)


def test_each_onnxruntime_has_at_most_one_indexed_build():
    for minor in range(1, 31):
        found = [each for each in onnxruntime.builds(f"1.{minor}.0") if each.on_index]
        assert len(found) == 1, minor


def test_onnxruntime_before_the_newest_cuda_was_built_for_the_major_before_it():
    first, before = onnxruntime.before_newest_cuda()
    newest = onnxruntime.build(str(first))
    assert isinstance(newest, onnxruntime.Build)
    assert before.cuda.major < newest.cuda.major
    assert before.last is not None
    assert before.last < first


def test_an_unlisted_onnxruntime_is_unstated():
    assert isinstance(onnxruntime.build("0.5.0"), Unstated)
    assert onnxruntime.builds("x") == ()


@pytest.mark.parametrize(
    ("capability", "python", "driver", "requirement"),
    [
        ("9.0", "3.12", "580.95.05", "onnxruntime-gpu[cuda,cudnn]>=1.27"),
        ("7.0", "3.12", "580.95.05", "onnxruntime-gpu[cuda,cudnn]==1.26.*"),
        ("9.0", "3.12", "535.104.05", "onnxruntime-gpu[cuda,cudnn]==1.26.*"),
        ("9.0", "3.10", "580.95.05", "onnxruntime-gpu[cuda,cudnn]==1.23.*"),
        ("8.0", "3.9", "535.104.05", "onnxruntime-gpu==1.19.*"),
        ("3.7", "3.10", "470.57.02", "onnxruntime-gpu==1.18.*"),
    ],
)
def test_the_newest_onnxruntime_that_fits(
    capability: str, python: str, driver: str, requirement: str
):
    found = onnxruntime.advise(V(capability), python=V(python), driver=V(driver))
    assert isinstance(found, onnxruntime.Install), found
    assert found.requirement == requirement
    assert (found.cuda is None) == ("[cuda,cudnn]" in requirement)


@pytest.mark.parametrize(
    ("capability", "python", "driver", "platform"),
    [
        *(("9.0", "3.15", "580.95.05", "windows"), ("9.0", "3.12", "470.57.02", "linux_x86_64")),
        *(("9.0", "3.12", "580.95.05", "linux_aarch64"), ("2.0", "3.8", "390.157", "windows")),
        ("12.0", "3.9", "580.95.05", "linux_x86_64"),  # too new for the last with files for 3.9
    ],
)
def test_where_no_onnxruntime_fits_none_is_advised(
    capability: str, python: str, driver: str, platform: str
):
    found = onnxruntime.advise(V(capability), python=V(python), driver=V(driver), platform=platform)
    assert isinstance(found, Unstated), found


def test_libraries_of_the_cuda_provider_carry_the_cuda_major():
    for major in (11, 12, 13):
        found = onnxruntime.libraries(major)
        assert isinstance(found, onnxruntime.Libraries)
        assert any(name.startswith(f"libcublasLt.so.{major}") for name in found.names)
    assert isinstance(onnxruntime.libraries(10), Unstated)


def test_providers_of_the_packages():
    assert "CUDAExecutionProvider" in onnxruntime.providers("onnxruntime_gpu")
    assert onnxruntime.providers("onnxruntime") == ("CPUExecutionProvider",)
    assert onnxruntime.providers("onnx") == ()


# --- Numba ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "toolkit", "expected"),
    [
        ("0.60.0", "12.4", True),
        ("0.60.0", "11.0", False),
        ("0.60.0", "13.0", False),
        ("0.55.1", "9.0", False),
    ],
)
def test_which_toolkits_the_target_inside_numba_takes(version: str, toolkit: str, expected: bool):
    assert numba.takes_toolkit(version, V(toolkit)) is expected


@pytest.mark.parametrize(
    ("version", "toolkit"), [("0.60.0", "12.8"), ("0.55.1", "11.2"), ("9.9", "12.0")]
)
def test_what_the_table_does_not_say_is_unstated(version: str, toolkit: str):
    assert isinstance(numba.takes_toolkit(version, V(toolkit)), Unstated)


def test_a_span_written_with_x_covers_its_patches():
    found = numba.release("0.54.1")
    assert found is not None
    assert (str(found.python_min), str(found.python_max)) == ("3.6", "3.9")


def test_capabilities_of_numba_cuda():
    found = numba.capabilities(13)
    assert found is not None
    assert str(found.least) == "7.5"
    assert numba.capabilities(11) is None


def test_requirement_of_numba_cuda():
    assert (numba.requirement(13), numba.requirement(11)) == ("numba-cuda[cu13]", None)
