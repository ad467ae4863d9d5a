"""Importing gpuprobe does nothing, and the doctor talks to nobody.

Each test looks from inside a fresh child process, through Python's audit hooks.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.trees import kernel_files, write_files

if TYPE_CHECKING:
    from pathlib import Path

#: Installed before anything of ours is imported; prints what was seen as one JSON object.
WATCH = """
import json, os, sys
seen = {"open": [], "process": [], "network": []}
PROCESS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system",
           "os.spawn")
def watch(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)):
        seen["open"].append(os.fsdecode(args[0]))
    elif event in PROCESS:
        seen["process"].append(f"{event} {args!r}")
    elif event in ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"):
        seen["network"].append(f"{event} {args!r}")
sys.addaudithook(watch)
"""
TELL = """
seen["modules"] = sorted(sys.modules)
try:
    with open("/proc/self/maps") as maps:
        seen["maps"] = sorted({line.split(None, 5)[5].strip() for line in maps if "/" in line})
except OSError:
    seen["maps"] = None
print(json.dumps(seen), file=sys.stderr)
"""

Seen = dict[str, list[str]]


def watched(code: str) -> Seen:
    """What a child saw that ran `code`."""
    done = subprocess.run(
        [sys.executable, "-c", WATCH + code + TELL],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    seen: Seen = json.loads(done.stderr.splitlines()[-1])
    return seen


@pytest.fixture(scope="module")
def imported() -> Seen:
    return watched("import gpuprobe\n")


def test_import_starts_no_process(imported: Seen):
    assert imported["process"] == []


def test_import_opens_no_connection(imported: Seen):
    assert imported["network"] == []
    assert "socket" not in imported["modules"]


def test_explaining_a_text_loads_nothing_for_machines_and_tables_of_no_framework_it_names():
    modules = {*watched("import gpuprobe\ngpuprobe.explain('nvcc fatal: no input')\n")["modules"]}
    of_frameworks = ("pytorch", "tensorflow", "jax", "cupy", "onnxruntime", "companions")
    assert not modules & {f"gpuprobe.knowledge.{each}" for each in of_frameworks}
    assert not modules & {"gpuprobe.facts.collect", "gpuprobe.facts.machine", "statistics"}
    assert "gpuprobe.facts.pasted" in modules


def test_import_maps_no_vendor_library(imported: Seen):
    if imported["maps"] is None:
        pytest.skip("no /proc/self/maps on this system: mapped libraries cannot be listed")
    names = [path.rpartition("/")[2] for path in imported["maps"]]
    assert [name for name in names if name.startswith(("libcu", "libnv", "libnccl"))] == []
    assert any(name.startswith(("libc.", "libc-", "ld-")) for name in names), "the list is empty"


@pytest.mark.parametrize("package", ["numpy", "rich", "packaging", "ctypes", "subprocess", "_core"])
def test_import_brings_no(imported: Seen, package: str):
    assert package not in {name.removeprefix("gpuprobe.") for name in imported["modules"]}


def test_import_reads_nothing_but_python_modules(imported: Seen):
    strange = [path for path in imported["open"] if not path.endswith((".py", ".pyc"))]
    # The interpreter's own: our look at the maps, and the version of the running system.
    assert [path for path in strange if path != "/proc/self/maps"] == []


def test_watcher_sees_what_it_forbids():
    seen = watched("""
import socket, subprocess
subprocess.run([sys.executable, "-S", "-c", ""])
open(os.devnull).close()
socket.getaddrinfo("127.0.0.1", 1)
""")
    assert seen["process"]
    assert seen["network"]
    assert "/dev/null" in seen["open"] or "nul" in seen["open"]


def test_doctor_opens_no_connection():
    seen = watched("import gpuprobe; gpuprobe.doctor().to_dict()\n")
    assert seen["network"] == []


#: What judges programs' words, and tables: a start without a GPU can do without them.
JUDGES_OF_WORDS = (
    *("gpuprobe.diagnosis.text", "gpuprobe.diagnosis.findings.", "gpuprobe.facts.pasted"),
    *("gpuprobe.knowledge", "gpuprobe.diagnosis.questions.codes.told", "gpuprobe.report.stated"),
)


def test_doctor_imports_no_judge_of_words_where_nobody_said_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write_files(tmp_path, kernel_files((), None, None, nodes=False))
    monkeypatch.setenv("GPUPROBE_ROOT", str(tmp_path))
    modules = watched("import gpuprobe; gpuprobe.doctor().text()\n")["modules"]
    assert "gpuprobe.diagnosis.rules.builds" in modules
    judges = [name for name in modules if f"{name}.".startswith(JUDGES_OF_WORDS)]
    assert [*judges, *(name for name in modules if name.endswith("faults"))] == []


def test_public_names_are_all_there():
    import gpuprobe

    missing = [name for name in gpuprobe.__all__ if getattr(gpuprobe, name, None) is None]
    assert missing == []
    assert set(gpuprobe.__all__) <= set(dir(gpuprobe))


def test_unknown_name_is_an_attribute_error():
    import gpuprobe

    with pytest.raises(AttributeError, match="no_such_name"):
        _ = gpuprobe.no_such_name
