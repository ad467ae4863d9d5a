"""What the documents show of the command line is what it prints on the machines they speak of.

A line of dots in an example stands for lines that are left out. Times, shares of a bound and the
version of Python are of the day.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scenarios.driver import DRIVER_TOO_OLD
from scenarios.hardware import NO_DEVICE
from scenarios.healthy import HEALTHY_H100, TWO_DIFFERENT_CARDS
from scenarios.libraries import OLDER_NVJITLINK_FIRST
from scenarios.slow import NO_PERMISSION
from support.child import complaints
from support.machines import H100, Process
from support.scenario import Package, Scenario, stage
from support.trees import library_folder
from support.vendor import is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from support.fakes import Fakes
    from support.scenario import Stage

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LOCK = re.compile(r'^```json\n(\{\n  "gpuprobe_lock".*?)^```$', re.MULTILINE | re.DOTALL)
DOTS = ("...", "…")
OF_THE_DAY = (
    (re.compile(r" +[\d.]+ ms"), " some ms"),
    (re.compile(r"[\d.]+ % of the bound"), "some % of the bound"),
    (re.compile(r"Python 3\.[\d.]+"), "Python 3"),
)

ISSUE = """\
Torch does not see my GPU. Here is what I have:

Ubuntu 22.04
torch==2.8.0+cu128
>>> torch.cuda.is_available()
False

$ nvidia-smi
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 470.256.02   Driver Version: 470.256.02   CUDA Version: 11.4     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  NVIDIA GeForce ...  Off  | 00000000:01:00.0 Off |                  N/A |
|  0%   34C    P8    20W / 350W |      5MiB / 24576MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
"""


def of_four(number: int) -> str:
    """A UUID of its own."""
    return f"GPU-{number}d2f9a7c-1b7e-4c3d-9e0f-a1b2c3d4e5f6"


H100S = tuple(
    replace(H100, uuid=of_four(4 + n), pci=f"0000:{n + 1:02x}:00.0", minor=n) for n in range(4)
)
FOUR_H100 = replace(HEALTHY_H100, gpus=H100S)
ONE_OF_TWO_BUSY = replace(
    HEALTHY_H100,
    gpus=(replace(H100S[0], used_mib=20000), replace(H100S[1], used_mib=720)),
    processes=(Process("python", 4711, 20000, gpu=0),),
)
AGREED = Scenario(
    name="agreed-on",
    expect=HEALTHY_H100.expect,
    gpus=H100S[:2],
    packages=(
        Package(
            "torch",
            "2.4.1+cu121",
            {"torch/version.py": "__version__ = '2.4.1+cu121'\ncuda: str = '12.1'\nhip = None\n"},
        ),
        Package("nvidia-cudnn-cu12", "9.1.0.70"),
    ),
)

VISIBLE = 'gpuprobe visible "0,GPU-9e8d"'
#: The machine on which each example was made; of a judged text any machine.
MACHINES = {
    ("README.md", "gpuprobe"): DRIVER_TOO_OLD,
    ("README.md", VISIBLE): TWO_DIFFERENT_CARDS,
    ("docs/visible.md", VISIBLE): TWO_DIFFERENT_CARDS,
    ("docs/cli.md", "gpuprobe visible 2,0,7,1"): FOUR_H100,
    ("docs/cli.md", "gpuprobe libraries"): OLDER_NVJITLINK_FIRST,
    ("docs/cli.md", "gpuprobe run --idle 1 --min-free 10GiB -- python train.py"): ONE_OF_TWO_BUSY,
    ("docs/cli.md", "gpuprobe nodes snapshots"): NO_DEVICE,
    ("docs/compute.md", "gpuprobe verify --device cpu"): NO_DEVICE,
    ("docs/explain.md", "gpuprobe explain issue.txt"): NO_DEVICE,
    ("docs/explain.md", 'echo "PyTorch does not find my GPU" | gpuprobe explain -'): NO_DEVICE,
}
#: What a text reads like changes with the table of words, which is learned anew.
LEARNED = "GP903 reads-like"


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a page, and the lines that are shown below it."""

    page: str
    command: str
    shown: tuple[str, ...]


def examples() -> Iterator[Example]:
    """Every command that a page shows the output of."""
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            command, *shown = block.splitlines()
            plain = not command.startswith("$ ") or "".join(shown[:1]).startswith("$ ")
            if shown and not plain and LEARNED not in block:
                name = page.relative_to(ROOT).as_posix()
                yield Example(name, command.removeprefix("$ "), tuple(shown))


def pattern(shown: tuple[str, ...]) -> str:
    """What a whole output has to match."""
    lines = (
        r"(?:[^\n]*\n)*" if line.strip() in DOTS else re.escape(of_any_day(line)) + r"\n"
        for line in shown
    )
    return "".join(lines)


def of_any_day(text: str) -> str:
    """`text` without what is another each day."""
    for numbers, words in OF_THE_DAY:
        text = numbers.sub(words, text)
    return text


def test_every_example_has_its_machine() -> None:
    assert sorted((each.page, each.command) for each in examples()) == sorted(MACHINES)


@pytest.mark.parametrize("example", [*examples()], ids=lambda each: f"{each.page}: {each.command}")
def test_what_is_shown_is_what_is_printed(example: Example, fakes: Fakes, tmp_path: Path) -> None:
    scenario = MACHINES[example.page, example.command]
    if "x86_64" not in library_folder() or is_installed("libcuda.so.1"):
        pytest.skip("the examples are of x86_64, and of the played driver alone")
    if " verify " in example.command:
        pytest.importorskip("gpuprobe._core", reason="gpuprobe was built without its C core")
    made = played(scenario, fakes, tmp_path / "machine")
    (tmp_path / "issue.txt").write_text(ISSUE, encoding="utf-8")
    (tmp_path / "train.py").touch()
    if " nodes " in example.command:
        healthy = played(HEALTHY_H100, fakes, tmp_path / "healthy")
        open_ = played(NO_PERMISSION, fakes, tmp_path / "unknown")
        write_nodes(tmp_path / "snapshots", {"broken": made, "healthy": healthy, "unknown": open_})
    printed = output(example.command, made, tmp_path)
    assert re.fullmatch(pattern(example.shown), of_any_day(printed)), printed


def test_the_lock_that_is_shown_is_the_one_that_is_written(fakes: Fakes, tmp_path: Path) -> None:
    text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    [shown] = re.findall(
        r"^```json\n(\{\n  \"gpuprobe_lock\".*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    made = played(AGREED, fakes, tmp_path / "machine")
    written = output("gpuprobe lock -o gpu.lock.json; cat gpu.lock.json", made, tmp_path)
    python = re.compile(r'"python": "3\.\d+\.\*"')
    assert python.sub("", written) == python.sub("", shown)


def played(scenario: Scenario, fakes: Fakes, folder: Path) -> Stage:
    """The machine of a scenario in a folder of its own."""
    folder.mkdir()
    return stage(scenario, fakes, folder)


def output(command: str, made: Stage, folder: Path) -> str:
    """What a terminal of 80 columns shows, but for the lines that tell of a played machine."""
    environment = made.environment("search")
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    program = f'gpuprobe() {{ {shlex.quote(sys.executable)} -m gpuprobe "$@"; }}'
    done = subprocess.run(
        ["sh", "-c", f"{program}\n{command}"],
        cwd=folder,
        env={**environment, "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    played = re.compile(r"^! OVERRIDE\b.*\n(?: {2}\S.*\n)*", re.MULTILINE)
    return complaints(played.sub("", done.stdout))


def write_nodes(folder: Path, machines: Mapping[str, Stage]) -> None:
    """Snapshots of forty machines: two without a GPU, one of which not all can be told."""
    folder.mkdir()
    for name, made in machines.items():
        output(f"gpuprobe snapshot -o {name}.json", made, folder.parent)
    kinds = {3: "unknown", 7: "broken", 19: "broken"}
    for number in range(1, 41):
        snapshot = folder.parent / f"{kinds.get(number, 'healthy')}.json"
        shutil.copyfile(snapshot, folder / f"node{number:03}.json")
