"""No fix names a build or a driver that the tables call impossible here, whatever is installed."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuprobe.diagnosis.catalogue import rules
from gpuprobe.diagnosis.engine import diagnose
from gpuprobe.diagnosis.fixes.framework import install_gpu_build
from gpuprobe.diagnosis.fixes.ground import Ground
from gpuprobe.diagnosis.questions.packages.frameworks import Package
from gpuprobe.facts.version import Version
from gpuprobe.knowledge import architecture
from gpuprobe.knowledge.tables import load
from support.examples import machine
from support.impossible import Here, against

if TYPE_CHECKING:
    from gpuprobe.knowledge.pytorch import Platform

PACKAGES = {
    "PyTorch": Package("torch", "PyTorch", "2.1.0+cpu", "cpu"),
    "TensorFlow": Package("tensorflow-cpu", "TensorFlow", "2.15.0", "cpu"),
    "JAX": Package("jaxlib", "JAX", "0.4.30", "cpu"),
    "ONNX Runtime": Package("onnxruntime", "ONNX Runtime", "1.18.0", "cpu"),
    "CuPy": Package("cupy-cuda12x", "CuPy", "13.0.0", "cuda"),
}
PLATFORMS: tuple[Platform, ...] = ("linux_x86_64", "linux_aarch64", "windows")
V = Version
#: One of each kind: for a look at all of their combinations.
SOME_GPUS = tuple(map(V, ("3.5", "3.7", "5.2", "6.1", "7.0", "8.6", "9.0", "12.0")))
SOME_DRIVERS = tuple(map(V, ("390.157", "450.248", "470.256", "515.105", "535.183",
                             "550.163", "570.195", "580.95", "610.43")))  # fmt: skip
SOME_PYTHONS = tuple(map(V, ("3.8", "3.10", "3.12", "3.15")))


def here_of(ground: Ground) -> Here:
    assert ground.python is not None
    assert ground.platform is not None
    return Here(
        ground.capabilities, ground.driver, ground.driver_cuda, ground.python, ground.platform
    )


def hold(package: Package, ground: Ground) -> None:
    """What a fix names is possible; where it names nothing, it says so."""
    fix = install_gpu_build(package, ground)
    assert against(fix, here_of(ground)) == []
    if not any("pip install" in command for command in fix.commands):
        assert "There is no build" in fix.text or "WSL 2" in fix.text, fix


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("framework", PACKAGES)
def test_a_build_that_is_named_fits_one_gpu(framework: str, platform: Platform):
    for capability, driver, python in itertools.product(SOME_GPUS, SOME_DRIVERS, SOME_PYTHONS):
        hold(PACKAGES[framework], Ground((capability,), python, driver, None, platform))


BOARDS = {row.capability for row in map(architecture.architecture, architecture.capabilities())
          if row is not None and row.tegra}  # fmt: skip
CAPABILITIES = tuple(each for each in architecture.capabilities() if each not in BOARDS)
DRIVERS = tuple(
    V(f"{row.integer('branch')}.154") for row in load("driver_cuda").section("branches")
)
CEILINGS = tuple(V(text) for text in ("10.2", "11.0", "11.4", "12.2", "12.8", "13.0"))
PYTHONS = tuple(V(f"3.{minor}") for minor in range(7, 16))
grounds = st.builds(
    lambda capabilities, python, drivers, platform: Ground(
        tuple(sorted(capabilities)), python, *drivers, platform
    ),
    st.sets(st.sampled_from(CAPABILITIES), min_size=1, max_size=3),
    st.sampled_from(PYTHONS),
    st.one_of(
        st.tuples(st.sampled_from(DRIVERS), st.none()),
        st.tuples(st.none(), st.sampled_from(CEILINGS)),
    ),
    st.sampled_from(PLATFORMS),
)


@given(framework=st.sampled_from(sorted(PACKAGES)), ground=grounds)
@settings(max_examples=400)
def test_a_build_that_is_named_fits_all_gpus_whatever_is_known_of_the_driver(
    framework: str, ground: Ground
):
    hold(PACKAGES[framework], ground)


def installed() -> list[tuple[str, str, str]]:
    """Every build of the tables: package, version, and its CUDA."""
    found = [
        ("torch", f"{row.text('torch')}.0+{row.text('variant')}", row.text("cuda"))
        for row in load("pytorch").section("builds")
    ]
    found += [
        (row.text("package"), row.text("tensorflow"), row.text("cuda"))
        for row in load("tensorflow").section("releases")
    ]
    found += [
        (f"jax-cuda{row.integer('cuda_major')}-plugin", row.text("to"), row.text("cuda_min"))
        for row in load("jax").section("wheels")
        if row.has("cuda_min") and row.has("cuda_major")
    ]
    found += [
        (row.text("package"), "13.0.0", row.text("cuda_min"))
        for row in load("cupy").section("packages")
        if row.text("package").startswith("cupy-cuda")
    ]
    return found + [
        ("onnxruntime-gpu", row.text("from"), row.text("cuda"))
        for row in load("onnxruntime").section("releases")
    ]


INSTALLED = installed()


@given(
    package=st.sampled_from(INSTALLED),
    capability=st.sampled_from(CAPABILITIES),
    driver=st.sampled_from(DRIVERS),
    python=st.sampled_from(PYTHONS),
)
@settings(max_examples=400)
def test_the_way_out_of_a_build_that_does_not_fit_is_possible(
    package: tuple[str, str, str], capability: Version, driver: Version, python: Version
):
    """Whatever of the tables is installed: of a new driver, an older build, one with code."""
    name, version, cuda = package
    facts = machine(
        "healthy",
        *(f"gpu.0.capability = {capability}", f"driver.version = {driver}"),
        *("driver.cuda is absent", f"python.version = {python}", "os.machine = x86_64"),
        *(f"package.{name}.version = {version}", f"package.{name}.build = cuda"),
        f"package.{name}.cuda = {cuda}",
    )
    here = Here((capability,), driver, None, python, "linux_x86_64")
    for placed in diagnose(facts, rules(), only=("GP203", "GP603", "GP604")).placed:
        fix = placed.finding.fix
        assert fix is None or against(fix, here) == [], placed.finding.title
