"""``gpuprobe visible``: exit codes, forms, and a machine without a GPU."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scenarios.healthy import HEALTHY
from support.child import complaints, run_python
from support.scenario import Scenario, stage
from support.visible_machines import FOUR, UUIDS

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from support.commands import Gpuprobe
    from support.fakes import Fakes


@pytest.fixture
def blind(bare_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a GPU and a driver, on which the variable is not set."""
    monkeypatch.setenv("GPUPROBE_ROOT", str(bare_root))
    monkeypatch.setenv("GPUPROBE_LIBCUDA", str(bare_root / "libcuda.so.1"))
    monkeypatch.setenv("GPUPROBE_LIBNVML", str(bare_root / "libnvidia-ml.so.1"))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        ((), 3, "is not set"),
        (("0",), 3, "well written"),
        (("GPU-1,GPU-2",), 3, "well written"),
        (("all",), 1, "NVIDIA_VISIBLE_DEVICES"),
        (("",), 1, "an empty entry"),
        (("-1",), 1, "a negative number"),
        (("--", "-1,0"), 1, "not read"),
        (("0", "1"), 2, ""),
    ],
)
def test_without_a_driver_the_value_is_judged_by_how_it_is_written(
    arguments: tuple[str, ...], code: int, word: str, gpuprobe: Gpuprobe
) -> None:
    ran = gpuprobe("visible", *arguments)
    assert ran.code == code
    assert word in ran.out
    assert code == 2 or "could not be asked" in ran.out
    assert "cannot open shared object file" not in ran.out


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("user", ["entries", "style"])
def test_redaction_hides_a_user_and_no_field_or_tag_of_that_name(
    user: str, gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", user)
    value = f"GPU-1 of {user}"
    found = json.loads(gpuprobe("visible", "--json", value).out)
    assert [entry["text"] for entry in found["entries"]] == ["GPU-1 of user-1"]
    page = gpuprobe("visible", "--format", "html", value).out
    assert "<style>" in page
    assert f"of {user}" not in page


@pytest.mark.usefixtures("blind")
def test_the_value_that_is_set_is_explained_where_none_is_given(
    gpuprobe: Gpuprobe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "void")
    ran = gpuprobe("visible", "--json")
    assert json.loads(ran.out)["value"] == "void"
    assert json.loads(ran.out)["orders_differ"] is None  # no GPU is known here


def on_four(fakes: Fakes, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    made = stage(Scenario(name="four", expect=HEALTHY, gpus=FOUR), fakes, folder)
    return run_python(made.environment("override"), "-m", "gpuprobe", "visible", *arguments)


@pytest.mark.parametrize(
    ("value", "code"), [("2,0", 0), (UUIDS[1][:10], 0), ("2,9", 1), ("2,2", 1), ("-1", 1)]
)
def test_exit_code_says_whether_every_entry_shows_a_device(
    value: str, code: int, fakes: Fakes, tmp_path: Path
) -> None:
    assert on_four(fakes, tmp_path, value).returncode == code


def test_json_holds_the_table_and_what_leaves_is_redacted(fakes: Fakes, tmp_path: Path) -> None:
    document = json.loads(on_four(fakes, tmp_path, "2,0", "--json").stdout)
    assert [row["ordinal"] for row in document["devices"]] == [1, None, 0, None]
    assert document["visible"][0].startswith(UUIDS[2][:12])
    assert UUIDS[2] not in json.dumps(document)
    assert document["agrees"] is True
    assert document["orders_differ"] is False


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_every_form_is_written(form: str, fakes: Fakes, tmp_path: Path) -> None:
    done = on_four(fakes, tmp_path, "2,0", "--format", form, "--no-redact")
    assert UUIDS[2] in done.stdout
    assert complaints(done.stderr) == ""
