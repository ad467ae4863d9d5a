"""Which PyTorch is installed, from which index, and the way back."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.framework import install_gpu_build
from gpuprobe.diagnosis.fixes.ground import Ground
from gpuprobe.diagnosis.questions.packages.frameworks import Package
from gpuprobe.facts.version import Version
from support.pasted import finding, printed


def test_releases_before_the_tables_are_elsewhere() -> None:
    pasted = "PyTorch version: 1.1.0\nCUDA used to build PyTorch: 9.0.176\nOS: CentOS Linux 7\n"
    pasted += "Python version: 3.6\nIs CUDA available: Yes\nGPU models and configuration: GPU 0: "
    pasted += (
        "GeForce RTX 2080 Ti\nNvidia driver version: 410.72\nRuntimeError: cublas runtime error"
    )
    pasted += " : the GPU program failed to execute at /pytorch/aten/src/THC/THCBlas.cu:450"
    fix = finding(pasted).fix
    assert "previous-versions" in fix.text
    assert fix.undo is None
    newer = finding(pasted.replace("410.72", "535.54").replace("Python version: 3.6", "")).fix
    assert "previous-versions" not in newer.text


V = Version
INDEX = "https://download.pytorch.org/whl"
NOTHING = Ground((), None, None, None, None)
BESIDE = Ground((), None, None, None, None, beside=(("torchvision", "0.18.1"),))


def torch(version: str) -> Package:
    return Package("torch", "PyTorch", version, "cpu")


@pytest.mark.parametrize(
    ("version", "ground", "command"),
    [
        ("2.3.1", NOTHING, f"torch==2.3.1 --index-url {INDEX}/cu118"),
        ("2.3.1+cpu", NOTHING, f"torch==2.3.1 --index-url {INDEX}/cu118"),
        ("2.3.1", BESIDE, f"torch==2.3.1 torchvision==0.18.1 --index-url {INDEX}/cu118"),
        (
            "2.3.1",
            Ground((), None, V("550.54"), None, "windows"),
            f"torch==2.3.1 --index-url {INDEX}/cu121",
        ),
        (  # of 2.6 no build has code for it
            "2.6.0",
            Ground((V("12.0"),), None, None, None, None),
            f"torch --index-url {INDEX}/cu128",
        ),
        ("", NOTHING, f"torch --index-url {INDEX}/cu126"),
        ("", BESIDE, f"torch torchvision --index-url {INDEX}/cu126"),
        (
            "1.8.0",
            NOTHING,
            f"torch==1.8.0+cu111 --find-links {INDEX}/torch_stable.html",
        ),
    ],
)
def test_the_same_pytorch_with_cuda(version: str, ground: Ground, command: str) -> None:
    removed, installed = install_gpu_build(torch(version), ground).commands
    assert removed == "pip uninstall --yes torch" + " torchvision" * bool(ground.beside)
    assert installed == f"pip install {command}"


def test_the_release_of_an_old_pytorch_that_pypi_has_with_cuda() -> None:
    ground = Ground((), None, V("430.50"), None, "linux_x86_64")
    fix = install_gpu_build(torch("1.3.1"), ground)
    assert fix.commands == ("pip uninstall --yes torch", "pip install torch==1.3.1")


CONDA = Ground((), None, None, None, None, cpuonly=True)


def test_what_keeps_conda_to_the_cpu_goes_first() -> None:
    fix = install_gpu_build(torch("1.11.0"), CONDA)
    assert fix.commands[0] == "conda remove --yes pytorch cpuonly"
    assert not any("pip uninstall" in each for each in fix.commands)
    assert fix.undo == "conda install --channel pytorch pytorch==1.11.0 cpuonly"


def test_the_way_back_leads_to_a_cpu_build() -> None:
    undo = install_gpu_build(torch("2.3.1"), NOTHING).undo
    install = f"pip install torch==2.3.1 --index-url {INDEX}/cpu"
    assert undo == f"pip uninstall --yes torch && {install}"
    assert install_gpu_build(torch(""), NOTHING).undo is None


def test_a_machine_that_may_have_no_gpu_is_told_so() -> None:
    assert "nothing to install" in install_gpu_build(torch("2.3.1"), NOTHING).text
    known = Ground((V("8.6"),), None, None, None, None)
    assert "nothing to install" not in install_gpu_build(torch("2.3.1"), known).text


def test_nightly_build_goes_back_to_its_own_index() -> None:
    pasted = (
        "torch {}\nNVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the"
        " current PyTorch installation."
    )
    assert "whl/nightly/cu124" in printed(pasted.format("2.7.0.dev20250310+cu124"))
    assert "whl/cu124" in printed(pasted.format("2.6.0+cu124"))


@pytest.mark.parametrize(
    ("version", "driver", "driver_cuda", "variant", "how"),
    [
        ("2.6.0+cpu", "550.120", "12.4", "cu124", "which this driver serves."),
        ("2.6.0+cpu", "560.35.03", "12.6", "cu126", "which this driver serves."),
        # Of 2.3 there is none for CUDA 12.2, and the one for 12.1 is not above it.
        ("2.3.1+cpu", "535.183.01", "12.2", "cu121", "which this driver serves."),
        ("2.12.0+cpu", "550.120", "12.4", None, "by minor-version compatibility."),
    ],
)
def test_the_build_is_not_above_the_drivers_own_cuda(
    version: str, driver: str, driver_cuda: str, variant: str | None, how: str
) -> None:
    ground = Ground((), None, V(driver), V(driver_cuda), "linux_x86_64")
    told = install_gpu_build(torch(version), ground)
    assert how in told.text
    assert variant is None or told.commands[1].endswith(f"/{variant}")
