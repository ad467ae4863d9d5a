"""Where it is computed: on the CPU when that is said, else nowhere yet, and the doctor says why."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import gpuprobe
from support.arrays import whole
from support.trees import kernel_files, write_files

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def _bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a GPU."""
    write_files(tmp_path, kernel_files((), None, None, nodes=False))
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))


@pytest.mark.usefixtures("_bare_machine")
@pytest.mark.parametrize("device", [None, 0, "GPU-8932f937"])
def test_without_a_gpu_the_error_is_the_finding_and_the_way_out(device: object):
    with pytest.raises(gpuprobe.GpuUnavailable) as caught:
        gpuprobe.matmul(whole((2, 2)), whole((2, 2)), device=device)
    root = caught.value.report.diagnosis.root
    assert root is not None
    assert root.rule.code == "GP101"
    text = str(caught.value)
    assert root.finding.title[1:] in text
    assert root.finding.fix.text in text
    assert 'gpuprobe.matmul(…, device="cpu")' in text


@pytest.mark.usefixtures("_bare_machine")
def test_convolution_says_it_too():
    with pytest.raises(gpuprobe.GpuUnavailable, match=r"gpuprobe\.conv2d"):
        gpuprobe.conv2d(whole((1, 1, 2, 2)), whole((1, 1, 1, 1)))


#: `find_spec` hides a package from one child as if it were not installed.
HIDDEN = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
import gpuprobe
try:
    gpuprobe.matmul([], [], device="cpu")
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("numpy", "gpuprobe.matmul needs NumPy: pip install numpy"),
        ("gpuprobe._core", "needs the C core of gpuprobe, which cannot be loaded: cannot import"),
    ],
)
def test_what_is_missing_is_told_with_the_way_out(name: str, told: str):
    code = HIDDEN.format(name=name)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told in done.stdout


def test_public_names_bring_no_numpy_until_they_are_called():
    code = (
        "import gpuprobe, sys; gpuprobe.matmul, gpuprobe.conv2d, gpuprobe.prove_matmul, "
        "gpuprobe.prove_conv2d, gpuprobe.Proof; print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
