"""What the documents say is there, and what is there is said."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gpuprobe import ourselves
from gpuprobe.cli.commands import COMMANDS
from gpuprobe.diagnosis.catalogue import rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gpuprobe.diagnosis.model import Rule

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]\[]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
WHOLE_URL = re.compile(r"https://[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#][^\s]*)?")
#: An address in a sentence, or where one was begun.
ADDRESS = re.compile(r"\b(?:https?|ftp)://[^\s\"'`<>)\]}]*")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
VARIABLE = re.compile(r"\"(GPUPROBE_[A-Z_]+)\"")
MEASURED = re.compile(r"(?<![\w.])\d[\d.,]*\s?(?:ms|µs|GB/s|TB/s|GFLOPS|TFLOPS|TFLOP/s)\b")
#: The words that make a number checkable: what it was measured on, and how to measure it again.
DEVICE = re.compile(r"\b(?:H100|H200|A100|RTX|GeForce|Tesla|CPU|cores?|without a GPU)\b")
COMMAND = re.compile(r"`[^`]*(?:python -m|benchmarks|gpuprobe |pytest)[^`]*`")
#: Around a number, in lines.
NEAR = 12
#: A folder of somebody's machine; the documents' example user is alice. In JSON a line that begins
#: with one has ``\n`` before it.
MACHINE_PATH = re.compile(r"(?:(?<![\w.])|(?<=\\[nt]))/(?:root|work|home/(?!alice|user\b|<)\w+)/")


@cache
def text_of_docs() -> str:
    """All pages in one text."""
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def tracked() -> list[Path]:
    """The files of the repository; without git, what lies in its folders."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout: the tracked files are not known")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def options_of(command: str) -> set[str]:
    """The long options that a command's own help lists."""
    done = subprocess.run(
        [sys.executable, "-m", "gpuprobe", command, "--help"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(OPTION.findall(done.stdout)) - {"--help"}


def variables() -> set[str]:
    """Every GPUPROBE_* that a source names in quotes: what it may read from the environment."""
    sources = [
        *(ROOT / "python").rglob("*.py"),
        *(path for path in (ROOT / "csrc").rglob("*") if path.suffix in {".c", ".h"}),
    ]
    return {name for path in sources for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_documented(command: str):
    assert re.search(rf"`gpuprobe {command}\b", text_of_docs())


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_option_is_documented(command: str):
    documented = set(OPTION.findall(text_of_docs()))
    assert options_of(command) - documented == set()


def test_every_variable_is_documented():
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    assert variables(), "the search finds nothing"
    assert {name for name in variables() if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_every_finding_has_its_page(rule: Rule):
    pages = list((ROOT / "docs" / "findings").glob(f"{rule.code}*.md"))
    assert len(pages) == 1, f"{rule.code} {rule.name} has {len(pages)} pages in docs/findings"
    assert rule.name in pages[0].read_text(encoding="utf-8")


def broken_links(page: Path) -> Iterator[str]:
    """Links of a page that lead to no file or to no heading, or are no whole https address."""
    for match in LINK.finditer(FENCE.sub("", page.read_text(encoding="utf-8"))):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            if not WHOLE_URL.fullmatch(target):
                yield f"{page.name}: {target} is no whole https address"
            continue
        name, _, anchor = target.partition("#")
        other = (page.parent / name).resolve() if name else page
        if not other.exists():
            yield f"{page.name}: {target} does not exist"
        elif anchor and other.suffix == ".md" and anchor not in anchors(other):
            yield f"{page.name}: {target} has no such heading"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, by the rule of the common hosts of repositories."""
    headings = re.findall(r"^#+\s+(.*?)\s*$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    assert list(broken_links(page)) == []


def test_broken_link_is_found(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A Title\n[a](gone.md) [b](#a-title) [c](#none) [d](https://x.y/z)\n[e](http://x.y/z)"
    )
    assert list(broken_links(page)) == [
        "page.md: gone.md does not exist",
        "page.md: #none has no such heading",
        "page.md: http://x.y/z is no whole https address",
    ]


def addresses(sources: Iterable[Path]) -> Iterator[str]:
    """The addresses in these files, without the end of the sentence around them."""
    for path in sources:
        for found in ADDRESS.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}: {found.rstrip('.,;:')}"


def test_rules_and_fixes_name_whole_addresses():
    told = list(addresses((ROOT / "python" / "gpuprobe" / "diagnosis").rglob("*.py")))
    assert told, "the search finds nothing"
    assert [each for each in told if not WHOLE_URL.fullmatch(each.partition(": ")[2])] == []


def test_no_file_names_a_folder_of_somebodys_machine():
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if path != Path(__file__):
            lines = enumerate(text.splitlines(), 1)
            found += [f"{path.relative_to(ROOT)}:{n}" for n, s in lines if MACHINE_PATH.search(s)]
    assert found == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("open('/root/x')", True),
        ("see /home/bob/project", True),
        ("/work/project", True),
        ("/home/alice/venv", False),
        ("/workspace/x and ./work/x", False),
    ],
)
def test_folders_of_a_machine_are_recognised(text: str, told: bool):
    assert bool(MACHINE_PATH.search(text)) == told


def bare_numbers(text: str) -> Iterator[str]:
    """Measured numbers without a device and a command near them."""
    lines = FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text).splitlines()
    for number, line in enumerate(lines):
        if MEASURED.search(line):
            around = "\n".join(lines[max(0, number - NEAR) : number + NEAR + 1])
            if not (DEVICE.search(around) and COMMAND.search(around)):
                yield f"line {number + 1}: {line.strip()}"


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent.name != "findings"],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_measured_numbers_name_device_and_command(page: Path):
    assert list(bare_numbers(page.read_text(encoding="utf-8"))) == []


def test_bare_number_is_found():
    assert list(bare_numbers("It takes 30 ms.\n")) == ["line 1: It takes 30 ms."]
    assert list(bare_numbers("On an H100, by `python -m benchmarks`: 30 ms.\n")) == []
    assert list(bare_numbers("A table of 30 msgs, and 12 msec\n")) == []


READINGS = ROOT / "tests/cases/first_readings.json"
BATCH = re.compile(
    r"^\| (found_\w+), \d+ \| (\d+) \| (\d+) \([\d.]+ %\) \| (?:(\d+) \([\d.]+ %\))? \| (\d+) "
    r"\| (\d+) \|$",
    re.MULTILINE,
)
#: A row of how sure a verdict was: what was said, how often, and how often that was right.
SURE = re.compile(
    r"^\| ((?:certain|likely|possible|healthy)(?: by words)?) \| (\d+) \| (\d+) \(", re.MULTILINE
)
COLUMNS = ("batch", "cases", "by_rules", "with_words", "wrong", "silent")


def test_table_of_first_readings_is_that_of_their_file() -> None:
    told = BATCH.findall((ROOT / "tests/cases/README.md").read_text(encoding="utf-8"))
    kept = [
        tuple("" if row[name] is None else str(row[name]) for name in COLUMNS)
        for row in json.loads(READINGS.read_text(encoding="utf-8"))
    ]
    assert told == kept


def test_table_of_how_sure_it_was_has_the_sums_of_the_file() -> None:
    page = (ROOT / "docs/accuracy.md").read_text(encoding="utf-8")
    told = {sure: (int(said), int(right)) for sure, said, right in SURE.findall(page)}
    said, right = Counter[str](), Counter[str]()
    for row in json.loads(READINGS.read_text(encoding="utf-8")):
        for sure, (times, well) in row.get("sure", {}).items():
            said[sure] += times
            right[sure] += well
    assert told == {sure: (said[sure], right[sure]) for sure in said}


def test_picture_of_first_readings_is_drawn_from_their_file() -> None:
    drawn = "from benchmarks.first_readings import batches, picture; print(picture(batches()))"
    done = subprocess.run(
        [sys.executable, "-c", drawn], cwd=ROOT, capture_output=True, text=True, check=True
    )
    kept = (ROOT / "docs/first_readings.svg").read_text(encoding="utf-8")
    assert done.stdout.strip() == kept.strip()


def test_how_gpuprobe_is_installed_is_told_as_it_is_released():
    changelog = (ROOT / "docs" / "changelog.md").read_text(encoding="utf-8")
    newest = next(line for line in changelog.splitlines() if line.startswith("## "))
    expected = "./gpuprobe" if newest.endswith("(not released)") else "gpuprobe"
    assert expected == ourselves.REQUIREMENT


def test_one_place_tells_how_gpuprobe_is_installed():
    named = re.compile(r"pip install [^\n`&]*(?<![\w.'/])gpuprobe(?![\w.])")
    package = ROOT / "python" / "gpuprobe"
    told = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in (*PAGES, ROOT / "pyproject.toml", *sorted(package.rglob("*.py")))
        for found in named.finditer(path.read_text(encoding="utf-8"))
    ]
    assert told == []


def test_platforms_name_the_pythons_of_the_package_and_what_tests_them():
    page = (ROOT / "docs" / "platforms.md").read_text(encoding="utf-8")
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    releases = re.findall(r"Python :: (3\.\d+)", pyproject)
    assert f"of {releases[0]} to {releases[-1]} |" in page
    for script in re.findall(r"`(\.ci/\w+)`", page):
        assert (ROOT / script).is_file()


def test_platforms_claim_no_gpu_before_there_are_results_of_one():
    page = (ROOT / "docs" / "platforms.md").read_text(encoding="utf-8")
    if not (ROOT / "benchmarks" / "results").is_dir():
        assert "On none of them was\nit run on a GPU yet" in page
        assert "On NVIDIA hardware: not yet run" in page
