"""The examples run, and hold nothing of the machine on which they were written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VERIFY = Path(__file__).parents[1] / "examples" / "verify.ipynb"


def test_notebook_is_kept_without_outputs():
    cells = json.loads(VERIFY.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code] == [[]] * len(code)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_verification_cell_shows_the_report():
    why = "the extra `notebook` is not installed"
    nbclient = pytest.importorskip("nbclient", reason=why)
    nbformat = pytest.importorskip("nbformat", reason=why)
    pytest.importorskip("ipykernel", reason=why)
    notebook = nbformat.read(VERIFY, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    [output] = notebook.cells[1].outputs
    assert "gpuprobe" in output.data["text/plain"]
    assert '<div class="gpuprobe">' in output.data["text/html"]
