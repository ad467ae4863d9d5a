"""torchvision for torch, RAPIDS for GPUs."""

from __future__ import annotations

import pytest

from gpuprobe.facts.version import Version
from gpuprobe.knowledge import companions
from gpuprobe.knowledge.tables import Unstated


@pytest.mark.parametrize(
    ("torch", "torchvision"),
    [("2.1.0+cu121", "0.16"), ("1.13.1", "0.14"), ("2.0.0", "0.15"), ("1.8.1", "0.9")],
)
def test_each_torch_has_its_torchvision(torch: str, torchvision: str):
    assert companions.torchvision_for(torch) == Version(torchvision)


def test_torch_that_is_not_listed_has_none():
    assert isinstance(companions.torchvision_for("0.4.1"), Unstated)


@pytest.mark.parametrize(
    ("version", "cuda_major", "floor"),
    [("0.13", None, "6.0"), ("23.12.0", 12, "6.0"), ("24.02", 12, "7.0"), ("25.10", 13, "7.5")],
)
def test_rapids_serves_gpus_from_a_capability_on(version: str, cuda_major: int | None, floor: str):
    found = companions.rapids_floor(version, cuda_major)
    assert isinstance(found, companions.Floor)
    assert found.capability == Version(floor)


@pytest.mark.parametrize(
    ("program", "compute_type", "floor"),
    [
        ("ollama", None, "5.0"),
        ("vllm", None, "7.0"),
        ("ctranslate2", "float16", "7.0"),
        ("flash-attention", None, "7.5"),
        ("flashinfer", None, "7.5"),
    ],
)
def test_programs_serve_gpus_from_a_capability_on(
    program: str, compute_type: str | None, floor: str
):
    found = companions.program_floor(program, compute_type)
    assert isinstance(found, companions.Floor)
    assert found.capability == Version(floor)


def test_of_other_programs_nobody_says_which_gpus_they_serve():
    assert isinstance(companions.program_floor("ctranslate2", "float8"), Unstated)


def test_rapids_left_pascal_earlier_inside_wsl():
    found = companions.rapids_floor("22.06", 11, wsl=True)
    assert isinstance(found, companions.Floor)
    assert found.capability == Version("7.0")
    newest = companions.rapids_floor("25.10", 13, wsl=True)
    assert isinstance(newest, companions.Floor)
    assert newest.capability == Version("7.5")


@pytest.mark.parametrize(
    ("package", "told"), [("cudf-cu12", True), ("cuml", True), ("torch", False)]
)
def test_packages_of_rapids_are_known(package: str, told: bool):
    assert companions.is_rapids(package) is told


@pytest.mark.parametrize(
    ("python", "last"), [("3.6", "0.14"), ("3.7.9", "22.02"), ("3.8", "23.04"), ("3.12", None)]
)
def test_rapids_left_each_python_with_a_release(python: str, last: str | None):
    assert companions.last_rapids_for(Version(python)) == last


@pytest.mark.parametrize(
    ("package", "system", "since", "works_without"),
    [
        ("torch", "Linux", "2.3", True),
        ("torch", "Windows", "2.4.1", True),
        ("jaxlib", "Linux", "0.4.26", False),
        ("onnxruntime-gpu", "Windows", "1.19", False),
    ],
)
def test_each_has_a_first_release_for_numpy_2(
    package: str, system: str, since: str, works_without: bool
):
    found = companions.numpy_2_since(package, system)
    assert isinstance(found, companions.NumpyTwo)
    assert (found.since, found.works_without) == (Version(since), works_without)


@pytest.mark.parametrize("package", ["torchvision", "onnxruntime-tools", "numpy"])
def test_of_others_nobody_knows_when_they_took_numpy_2(package: str):
    assert isinstance(companions.numpy_2_since(package), Unstated)


@pytest.mark.parametrize(
    ("image", "release", "least"),
    [
        ("tensorrtserver", "19.08", "6.0"),
        ("tritonserver", "21.10", "6.0"),
        ("tritonserver", "25.03", "7.5"),
    ],
)
def test_an_image_of_nvidias_server_serves_gpus_from_a_capability_on(
    image: str, release: str, least: str
):
    found = companions.image_floor(image, release)
    assert isinstance(found, companions.Floor)
    assert found.capability == Version(least)


@pytest.mark.parametrize(("image", "release"), [("tritonserver", "24.05"), ("pytorch", "21.10")])
def test_of_other_images_nobody_knows_which_gpus_they_serve(image: str, release: str):
    assert isinstance(companions.image_floor(image, release), Unstated)


@pytest.mark.parametrize(
    ("program", "capability", "release"),
    [("tensorrt", "12.0", "10.8"), ("tensorrt", "9.0", None), ("ollama", "12.0", None)],
)
def test_late_gpus_have_a_first_release(program: str, capability: str, release: str | None):
    found = companions.first_release(program, Version(capability))
    assert found == Version(release) if release else isinstance(found, Unstated)
