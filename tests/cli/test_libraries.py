"""``gpuprobe libraries``: the table, one library, the forms, and names that stand for none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gpuprobe.report.terminal import cells
from support.cuda_libraries import CUDA_12_WHEELS, SITE, TOOLKIT_12_1, cache, toolkit
from support.trees import write_files

if TYPE_CHECKING:
    from pathlib import Path

    from support.commands import Gpuprobe

FORMS = ("text", "json", "markdown", "html")
HOME = "/home/alice"
CONDA = f"{HOME}/a-folder-with-a-rather-long-name/envs/training-2024/lib"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with wheels and with an older toolkit that comes first."""
    write_files(tmp_path, CUDA_12_WHEELS)
    write_files(tmp_path, toolkit(CONDA, TOOLKIT_12_1))
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))
    monkeypatch.setenv("LD_LIBRARY_PATH", CONDA)
    monkeypatch.setenv("HOME", HOME)
    monkeypatch.setattr("sys.path", [SITE])
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.usefixtures("machine")
def test_the_table_fits_80_columns_and_has_every_copy(gpuprobe: Gpuprobe):
    ran = gpuprobe("libraries")
    assert ran.code == 0
    assert max(map(cells, ran.out.splitlines())) <= 80
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["nvjitlink", "12.1.105", "LD_LIBRARY_PATH"] in [row[:3] for row in rows]
    assert ["12.4.127", "pip"] in [row[:2] for row in rows]
    assert ["cudnn", "+2", "parts", "9.1.0.70", "pip"] in [row[:5] for row in rows]


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("width", [30, 40, 69])
def test_where_a_table_has_no_room_values_stand_below_each_other(
    gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch, width: int
):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = gpuprobe("libraries").out.splitlines()
    assert max(map(cells, lines)) <= width
    at = lines.index("nvjitlink")
    assert lines[at + 1].startswith("  12.1.105, by")


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [(), ("cublas",)])
def test_every_form_tells_the_versions_whole(gpuprobe: Gpuprobe, form: str, name: tuple[str, ...]):
    """Versions look like addresses, which redaction hides."""
    text = gpuprobe("libraries", *name, "--format", form).out
    assert "12.1.3.1" in text
    assert "12.4.5.8" in text


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("form", FORMS[1:])
def test_what_is_meant_for_other_eyes_names_nobody(gpuprobe: Gpuprobe, form: str):
    assert "alice" not in gpuprobe("libraries", "--format", form).out
    assert "alice" in gpuprobe("libraries", "--format", form, "--no-redact").out


def test_a_name_that_only_a_remark_tells_is_hidden_as_well(machine: Path, gpuprobe: Gpuprobe):
    folder = HOME.replace("alice", "bobby") + "/cuda/lib64"
    write_files(machine, {**toolkit(folder, TOOLKIT_12_1), "/etc/ld.so.conf": f"{folder}\n"})
    (machine / "etc/ld.so.cache").write_bytes(cache())
    assert "bobby" in gpuprobe("libraries").out
    assert "bobby" not in gpuprobe("libraries", "--json").out


@pytest.mark.usefixtures("machine")
def test_one_library_is_told_with_the_whole_path_of_each_copy(gpuprobe: Gpuprobe):
    document = json.loads(gpuprobe("libraries", "libcublas.so.12", "--json", "--no-redact").out)
    assert [each["path"] for each in document["libraries"]] == [
        f"{CONDA}/libcublas.so.12",
        f"{SITE}/nvidia/cublas/lib/libcublas.so.12",
    ]
    text = gpuprobe("libraries", "cublas").out
    assert "package    nvidia-cublas-cu12 12.4.5.8\n" in text
    assert "version    12.1.3.1\n" in text


def test_no_copy_at_all_is_an_answer(
    bare_root: Path, gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    for variable in ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    for arguments, what in (((), "a CUDA library"), (("libcudnn.so.9",), "cudnn")):
        for form in FORMS[:1] + FORMS[2:]:
            ran = gpuprobe("libraries", *arguments, "--format", form)
            assert ran.code == 0
            told = " ".join(ran.out.split())
            assert f"No copy of {what} was found. Searched: ld.so.cache, default folders." in told
            assert "where LD_LIBRARY_PATH (Windows: PATH), a pip package" in told
        document = gpuprobe("libraries", *arguments, "--json").json()
        assert (document["libraries"], document["searched"]) == (
            [],
            ["ld.so.cache", "default folders"],
        )


@pytest.mark.usefixtures("machine")
def test_one_that_is_missing_beside_others_is_told_by_its_name(gpuprobe: Gpuprobe):
    told = " ".join(gpuprobe("libraries", "cusparselt").out.split())
    assert told.startswith("No copy of cusparselt was found. Searched: LD_LIBRARY_PATH, ")
    assert "pip" in told


@pytest.mark.parametrize(
    ("name", "told"), [("cublass", "did you mean 'cublas'"), ("qt", "there are cublas,")]
)
def test_a_name_that_stands_for_no_library_is_wrong_usage(gpuprobe: Gpuprobe, name: str, told: str):
    ran = gpuprobe("libraries", name)
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.usefixtures("machine")
def test_a_process_that_is_not_there_is_told(gpuprobe: Gpuprobe):
    assert "? there is no /proc/77/maps" in gpuprobe("libraries", "--pid", "77").out


def test_what_a_process_has_mapped_is_marked(machine: Path, gpuprobe: Gpuprobe):
    line = f"7f00-7fff r-xp 0 fd:01 9 {SITE}/nvidia/nccl/lib/libnccl.so.2\n"
    write_files(machine, {"/proc/77/maps": line})
    [marked] = [
        row for row in gpuprobe("libraries", "--pid", "77").out.splitlines() if " * " in row
    ]
    assert marked.startswith("nccl")
