"""The worst machines: whatever is missing, broken or forbidden, there is a clear report.

Each test runs ``python -m gpuprobe`` in a child and asks for the same: a verdict, an exit code
that is one of a report's, and no traceback.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.machines import DRIVER_535, H100
from support.trees import kernel_files, write_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERDICTS = {"healthy", "broken", "degraded", "unknown"}
#: Without a report there is nothing to be robust about: the numbers of usage errors and crashes.
REPORT_CODES = {0, 1, 3}

Done = subprocess.CompletedProcess[str]


def package_folder() -> Path:
    """The installed package; found without importing its parts."""
    import gpuprobe

    return Path(gpuprobe.__file__).parent


def run(
    *arguments: str,
    environ: Mapping[str, str] | None = None,
    before: Sequence[str] = (),
    cwd: Path | None = None,
) -> Done:
    """What gpuprobe said to these arguments; `before` is a command that starts it."""
    return subprocess.run(
        [*before, sys.executable, "-m", "gpuprobe", *arguments],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=180,
        env=environ,
        cwd=cwd,
    )


def changed(**variables: str | None) -> dict[str, str]:
    """This environment with some variables set, or removed where None."""
    environ = {name: value for name, value in os.environ.items() if name not in variables}
    return environ | {name: value for name, value in variables.items() if value is not None}


def check(done: Done) -> Done:
    """It ended with a report and without a traceback."""
    told = f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert "Traceback" not in done.stdout + done.stderr, told
    assert done.returncode in REPORT_CODES, told
    return done


def check_both(
    *, environ: Mapping[str, str] | None = None, before: Sequence[str] = (), cwd: Path | None = None
) -> dict[str, object]:
    """Text and JSON are both there; the JSON is returned."""
    text = check(run(environ=environ, before=before, cwd=cwd))
    assert text.stdout.strip(), "an empty report"
    done = check(run("--json", environ=environ, before=before, cwd=cwd))
    document: dict[str, object] = json.loads(done.stdout)
    assert document["verdict"] in VERDICTS
    crashed = document["checks"]["crashed"]  # type: ignore[index]
    assert crashed == 0, f"{crashed} checks crashed: {document.get('crashed')}"
    return document


def test_home_unset():
    check_both(environ=changed(HOME=None, USER=None, LOGNAME=None, XDG_CACHE_HOME=None))


def test_empty_environment():
    check_both(environ={"PYTHONPATH": os.environ.get("PYTHONPATH", "")})


def test_folders_of_the_environment_do_not_exist(tmp_path: Path):
    gone = str(tmp_path / "gone")
    check_both(environ=changed(HOME=gone, TMPDIR=gone, PATH=gone, LD_LIBRARY_PATH=gone))


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs the users of a POSIX system")
def test_not_root_in_a_folder_that_is_not_ours(tmp_path: Path):
    tmp_path.chmod(0o555)
    environ = changed(TMPDIR=str(tmp_path), HOME="/nonexistent", PYTHONDONTWRITEBYTECODE="1")
    before: list[str] = []
    if os.getuid() == 0:
        # Nobody; it may read what root may read, so that it reaches a virtual environment of root.
        before = [
            *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
            *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
        ]
        if not works(*before, "true"):
            pytest.skip("cannot become another user here: setpriv is missing or not permitted")
    check_both(environ=environ, before=before, cwd=tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="mount name spaces are Linux")
def test_read_only_file_system():
    remount = 'mount -o remount,bind,ro / && ! touch "$0" 2>&- && exec "$@"'
    before = ["unshare", "--mount", "sh", "-c", remount, "/gpuprobe-write-test"]
    if not works(*before, "true"):
        pytest.skip("cannot mount a file system read-only here: needs root and unshare")
    check_both(before=before)


def test_no_sys_and_no_proc(tmp_path: Path):
    document = check_both(environ=changed(GPUPROBE_ROOT=str(tmp_path)))
    assert document["verdict"] != "healthy"


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
def test_pipe_gigabyte_and_circle_of_links_in_the_place_of_files_are_reasons(tmp_path: Path):
    write_files(tmp_path, kernel_files((H100,), "nvidia", DRIVER_535, nodes=True))
    for path in ("etc/os-release", "proc/modules", "proc/sys/kernel/osrelease"):
        (tmp_path / path).unlink()
    os.mkfifo(tmp_path / "etc/os-release")
    (tmp_path / "proc/modules").symlink_to("modules")
    (tmp_path / "proc/sys/kernel/osrelease").mkdir()
    status = tmp_path / "var/lib/dpkg/status"
    status.parent.mkdir(parents=True)
    with status.open("wb") as file:
        file.truncate(1 << 30)
    document = check_both(environ=changed(GPUPROBE_ROOT=str(tmp_path)))
    facts: Mapping[str, Mapping[str, str]] = document["facts"]  # type: ignore[assignment]
    assert facts["os.name"]["unknown"] == "/etc/os-release: not a regular file"
    assert facts["module.nouveau.loaded"]["unknown"].startswith("/proc/modules: Too many levels")
    assert facts["driver.package"]["unknown"] == "/var/lib/dpkg/status: more than 67108864 bytes"


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1:strict"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "xx_YY.nonsense"},
    ],
    ids=["ascii", "latin-1", "C locale", "unknown locale"],
)
def test_output_that_is_not_utf8(variables: Mapping[str, str]):
    check_both(environ=changed(**variables))


@pytest.mark.parametrize("columns", ["40", "200", "1", "0", "nonsense"])
def test_terminal_of_any_width(columns: str):
    check_both(environ=changed(COLUMNS=columns))


def test_broken_numpy(tmp_path: Path):
    for name in ("numpy", "packaging", "rich", "torch", "tensorflow"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('broken on purpose')\n")
    check_both(environ=with_path(tmp_path))


def with_path(folder: Path) -> dict[str, str]:
    """This environment with `folder` first on Python's path."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return changed(PYTHONPATH=path)


def works(*command: str) -> bool:
    """Whether a command can be run here and succeeds."""
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package without anything compiled."""
    left_out = shutil.ignore_patterns("_core*", "_probe", "__pycache__")
    shutil.copytree(package_folder(), tmp_path / "gpuprobe", ignore=left_out)
    return tmp_path


def test_without_the_c_core(copied: Path):
    document = check_both(environ=with_path(copied))
    assert "C core" in json.dumps(document["facts"])
    assert document["verdict"] != "healthy"


def test_c_core_and_probe_that_cannot_be_loaded(copied: Path):
    package = copied / "gpuprobe"
    (package / "_core.abi3.so").write_bytes(b"\x7fELF, and then nothing of the kind")
    (package / "_probe").mkdir()
    for name in ("gpuprobe-probe", "gpuprobe-probe.exe"):
        (package / "_probe" / name).write_bytes(b"\x7fELF, and then nothing of the kind")
        (package / "_probe" / name).chmod(0o755)
    check_both(environ=with_path(copied))


def test_probe_that_may_not_be_executed(copied: Path):
    (copied / "gpuprobe" / "_probe").mkdir()
    (copied / "gpuprobe" / "_probe" / "gpuprobe-probe").write_text("#!/bin/sh\n")
    check_both(environ=with_path(copied))


@pytest.mark.skipif(os.name != "posix", reason="the probes are shell scripts")
@pytest.mark.parametrize(
    "script",
    [
        "",
        "exit 7",
        "kill -SEGV $$",
        "echo not json",
        "echo null",
        "echo []",
        "echo '{}'",
        'echo \'{"probe": 1, "step": "cuda", "ok": true, "devices": 5, "library": []}\'',
        'echo \'{"probe": 99, "step": 1, "ok": "yes", "library": {"path": 3}, "failed": 7}\'',
        "printf '\\377\\376\\000'",
        "head -c 30000000 /dev/zero",
        "echo '>'; echo '> cuInit' >&2; printf '> \\377' >&2",
        "exec >&- 2>&-",
    ],
)
def test_probe_that_answers_garbage(tmp_path: Path, script: str):
    probe = tmp_path / "probe"
    probe.write_text(f"#!/bin/sh\n{script}\n")
    probe.chmod(0o755)
    environ = changed(GPUPROBE_PROBE=str(probe), GPUPROBE_TIMEOUT="20")
    assert check_both(environ=environ)["verdict"] != "healthy"


def test_probe_that_is_not_there(tmp_path: Path):
    check_both(environ=changed(GPUPROBE_PROBE=str(tmp_path / "gone")))


@pytest.mark.skipif(os.name != "posix", reason="the redirections are a shell's")
@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", "<&-", "| true", "2>/dev/full"])
def test_closed_streams(redirection: str):
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m gpuprobe {redirection}', sys.executable],
        check=False,
        capture_output=True,
        text=True,
        timeout=180,
    )
    check(done)


def test_huge_environment(tmp_path: Path):
    folders = os.pathsep.join(str(tmp_path / f"folder-{n:05}") for n in range(1000))
    assert len(folders) < 128 * 1024, "the kernel refuses a longer variable"
    junk = {f"CUDA_JUNK_{n}": "x" * 1000 for n in range(500)}
    check_both(
        environ=changed(
            PATH=os.pathsep.join((os.environ.get("PATH", ""), folders)),
            LD_LIBRARY_PATH=folders,
            CUDA_VISIBLE_DEVICES=",".join(map(str, range(10000))),
            NVIDIA_VISIBLE_DEVICES="\u00e9\U0001f600" * 1000,
            **junk,
        )
    )


@pytest.mark.skipif(os.name != "posix", reason="the environment of Windows is text")
def test_environment_that_is_not_text():
    environ = {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}
    environ |= {b"CUDA_VISIBLE_DEVICES": b"\xff\xfe", b"LD_LIBRARY_PATH": b"/\xff"}
    done = subprocess.run(
        [sys.executable, "-m", "gpuprobe"], check=False, capture_output=True, env=environ
    )
    assert b"Traceback" not in done.stdout + done.stderr, done.stderr.decode("utf-8", "replace")
    assert done.returncode in REPORT_CODES
