"""Which of several packages of one module is to stay."""

from __future__ import annotations

import pytest

from gpuprobe.diagnosis.fixes.packages import pip_without_conda
from support.pasted import finding, printed

CUPY = "{}CuPy may not function correctly because multiple CuPy packages are installed\n"
CUPY += "in your environment:\n\n  cupy, cupy-cuda11x\n"


def test_rapids_needs_the_cupy_of_conda() -> None:
    assert "conda install --force-reinstall cupy" in printed(CUPY.format("RAPIDS: 23.02\n"))
    assert "pip uninstall --yes cupy cupy-cuda11x" in printed(CUPY.format(""))


_CUPY = """\
  CuPy may not function correctly because multiple CuPy packages are installed
  in your environment:

    {}

  Follow these steps to resolve this issue:
"""


def commands(pasted: str) -> tuple[str, ...]:
    fix = finding(pasted).fix
    return fix.commands if fix else ()


def test_the_packages_that_cupy_lists_are_named():
    pasted = _CUPY.format("cupy-cuda12x, cupy-cuda13x")
    assert "comes from cupy-cuda12x and cupy-cuda13x:" in finding(pasted).title
    assert commands(pasted)[0] == "pip uninstall --yes cupy-cuda12x cupy-cuda13x"


@pytest.mark.parametrize(("serves", "kept"), [("13.0", "cupy-cuda13x"), ("12.4", "cupy-cuda12x")])
def test_of_cupys_packages_the_newest_that_the_driver_serves_stays(serves: str, kept: str):
    smi = f"| NVIDIA-SMI 580.65.06    Driver Version: 580.65.06    CUDA Version: {serves} |\n"
    pasted = smi + _CUPY.format("cupy-cuda12x, cupy-cuda13x")
    assert commands(pasted)[1] == f"pip install {kept}"


def test_without_names_nothing_is_removed_by_a_name_that_is_none():
    pasted = "CuPy may not function correctly because multiple CuPy packages are installed\n"
    assert "comes from several packages" in finding(pasted).title
    assert commands(pasted)[0] == "pip list | grep -i cupy"


_ORT = "onnxruntime==1.24.2\nonnxruntime-gpu==1.24.2\n>>> ort.get_available_providers()\n"


def test_what_uv_installed_uv_removes():
    by_uv = commands("packages installed by uv:\n" + _ORT + "['CPUExecutionProvider']\n")
    assert by_uv[0] == "uv pip uninstall onnxruntime onnxruntime-gpu"
    assert by_uv[1] == "uv pip install onnxruntime-gpu==1.24.2"
    by_pip = commands("packages installed by pip:\n" + _ORT + "['CPUExecutionProvider']\n")
    assert by_pip[0] == "pip uninstall --yes onnxruntime onnxruntime-gpu"


def test_pips_package_comes_back_without_what_it_needs() -> None:
    fix = pip_without_conda("torch", "2.5.1+cu121", "2.5.1")
    assert fix.commands[1].startswith("pip install torch==2.5.1+cu121 ")
    assert fix.commands[1].endswith(" --no-deps")
