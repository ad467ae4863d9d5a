"""The arrows of docs/design.md, for Python: who may import whom, late imports included.

The checker is a function of a folder, so that the tests at the end can plant a violation and see
it found. `test_layers_c.py` does the same for the C core.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[1] / "python" / "gpuprobe"

EVERYTHING = ("",)
#: What a module may import of this package. The longest name that fits a module counts.
ARROWS: dict[str, tuple[str, ...]] = {
    "facts.version": (),
    "facts.model": ("facts.version",),
    "facts.names": ("facts.model", "facts.version"),
    "facts": ("facts", "knowledge", "ourselves", "_core"),
    "knowledge": ("knowledge", "facts.version"),
    "ourselves": (),
    "facts.locked": ("facts.model",),
    "facts.reported": ("facts.model", "facts.names"),
    "facts.said": ("facts.model", "facts.names", "facts.version"),
    "diagnosis": (
        *("diagnosis", "knowledge", "ourselves"),
        *("facts.model", "facts.names", "facts.said", "facts.locked", "facts.version"),
        *("facts.regex", "facts.reported"),
    ),
    "report": (
        *("report", "__version__", "diagnosis.model"),
        *("facts.model", "facts.names", "facts.said", "facts.snapshot", "facts.version"),
    ),
    "report.seen": ("report", "diagnosis.model", "facts.excerpt"),
    "report.harmless": ("facts.model", "facts.said", "facts.pasted.wordings.harmless"),
    "report.devices": (
        *("report", "__version__", "device", "knowledge.limits"),
        *("facts.model", "facts.names"),
    ),
    "report.comparison": ("report", "comparison.model", "facts.model", "facts.snapshot"),
    "comparison": (
        *("comparison", "report", "diagnosis.model", "knowledge.uuids"),
        *("facts.model", "facts.names"),
    ),
    "examine": ("comparison", "facts", "diagnosis", "report"),
    "device": ("device", "facts", "knowledge", "examine", "report"),
    "libraries": (
        *("facts", "report.libraries"),
        *("report.identity", "report.notebook", "report.redact", "report.terminal"),
    ),
    "report.libraries": ("report", "libraries"),
    "visible": ("visible", "device", "facts", "knowledge", "diagnosis.questions", "report"),
    "report.visible": ("report", "visible", "knowledge", "__version__"),
    "memory": (
        *("memory", "device", "examine", "_core"),
        *("report.memory", "report.notebook", "report.terminal", "report.units"),
    ),
    "report.memory": ("report", "memory.holders"),
    "cuda": (
        *("cuda", "compute.place", "device", "examine", "memory", "_core"),
        *("facts.model", "facts.names"),
    ),
    "config": ("config", "device", "memory"),
    "launch": ("launch", "device", "facts", "knowledge", "report.terminal", "report.units"),
    "compute": ("compute", "ourselves", "_core"),
    "compute.verification": (
        "compute",
        "report.notebook",
        "report.terminal",
        "report.verification",
    ),
    "compute.verify": ("compute", "examine", "report.progress"),
    "compute.gpu_ladder": (
        *("compute", "examine", "report.words"),
        *("facts.model", "facts.names", "facts.outcomes", "facts.probe"),
    ),
    "compute.gpu_child": ("compute", "facts.children", "facts.probe"),
    "compute.gpus": ("device", "facts.model", "facts.names"),
    "compute.gpu_steps": ("compute", "memory"),
    "report.verification": ("report", "compute.verification", "compute.proof"),
    "compute.core": ("_core",),
    "compute.copying": ("compute", "memory"),
    "compute.cuda_array": ("compute", "memory"),
    "compute.device_array": ("compute", "memory", "_core"),
    "compute.dlpack": ("compute", "memory", "_core"),
    "compute.job": ("compute", "memory", "_core"),
    "compute.vendor_library": ("facts", "_core"),
    "compute.failures": ("memory.errors", "report.units", "_core"),
    "compute.place": ("device", "diagnosis.model", "examine", "report.model", "report.words"),
    "pytest_plugin": EVERYTHING,
    "cli": EVERYTHING,
    "__main__": ("cli",),
    "": EVERYTHING,  # __init__.py: the public names
}
#: Modules of Python that would be a second door to the machine, and where they may be used.
DOORS: dict[str, tuple[str, ...]] = {
    "ctypes": (),
    "http": (),
    "requests": (),
    "socket": (),
    "urllib": (),
    "multiprocessing": (),
    # Ours: what the driver is asked by, under a deadline. The user's: what `gpuprobe run` becomes.
    "subprocess": ("facts.children", "launch.program"),
}
#: Calls of `os` that start or become another program, and the one place for them.
STARTS = re.compile(r"exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|fork|forkpty|system|popen|startfile")
STARTER = "launch.program"
#: These know nothing of the machine at all.
PURE = ("diagnosis", "knowledge")
TOUCHING = {"os", "pathlib", "platform", "shutil", "tempfile"}


def within(module: str, area: str) -> bool:
    """Whether `module` is `area` or lies below it."""
    return area in ("", module) or module.startswith(area + ".")


def area_of(module: str) -> str | None:
    """The longest entry of ARROWS that names `module`; None: nobody placed it."""
    if module == "":
        return ""
    return max((area for area in ARROWS if area and within(module, area)), key=len, default=None)


def modules(package: Path) -> dict[str, Path]:
    """All modules by their name inside the package; the package itself is ""."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(module: str, path: Path, known: dict[str, Path]) -> Iterator[tuple[int, str]]:
    """Line and absolute name of everything that a file imports, wherever in it."""
    package = path.name == "__init__.py"
    base = ["gpuprobe", *(module.split(".") if module else [])]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            keep = len(base) - node.level + (1 if package else 0)
            head = base[:keep] if node.level else []
            source = ".".join([*head, *(node.module.split(".") if node.module else [])])
            for name in node.names:
                inner = f"{source}.{name.name}"
                # The package's own names are imported lazily: each stands for its module.
                own = source == "gpuprobe" or inner.removeprefix("gpuprobe.") in known
                yield node.lineno, inner if own else source


def starts(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of everything by which a file starts a program without `subprocess`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names, module = [node.attr], node.value.id
        elif isinstance(node, ast.ImportFrom) and node.module == "os":
            names, module = [each.name for each in node.names], "os"
        else:
            continue
        if module == "os":
            yield from ((node.lineno, f"os.{name}") for name in names if STARTS.fullmatch(name))


def unused(package: Path) -> Iterator[str]:
    """Each module or area of ARROWS that is not there, and each arrow that no import needs."""
    known = modules(package)
    needed: dict[str, set[str]] = {}
    for module, path in known.items():
        names = needed.setdefault(area_of(module) or "", set())
        names |= {name.removeprefix("gpuprobe.") for _, name in imports(module, path, known)}
    for area, rule in ARROWS.items():
        if area not in needed:
            yield f"{area}: there is no such module"
        for name in rule:
            if not any(within(each, name) for each in needed.get(area, ())):
                yield f"{area}: nothing imports {name}"


def violations(package: Path) -> Iterator[str]:
    """Each import that goes against the arrows or opens another door."""
    known = modules(package)
    for module, path in known.items():
        area = area_of(module)
        if area is None:
            yield f"{module}: has no place in ARROWS"
            continue
        for line, name in imports(module, path, known):
            top, _, inner = name.partition(".")
            where = f"{path.relative_to(package)}:{line}"
            if top == "gpuprobe":
                if not any(within(inner, each) for each in ARROWS[area]):
                    yield f"{where}: {module} must not import {inner}"
            elif top in DOORS and not any(within(module, area) for area in DOORS[top]):
                yield f"{where}: {top} is used outside its door"
            elif top in TOUCHING and any(within(module, area) for area in PURE):
                yield f"{where}: {module} touches the machine by {top}"
        for line, name in starts(path):
            if module != STARTER:
                yield f"{path.relative_to(package)}:{line}: {name} is used outside its door"


def test_imports_follow_the_arrows():
    assert list(violations(PACKAGE)) == []


def test_no_arrow_is_drawn_in_vain():
    assert list(unused(PACKAGE)) == []


def plant(tmp_path: Path, name: str, text: str) -> list[str]:
    """The violations of a package with this one file beside the files that it could import."""
    others = ("facts/model", "facts/machine", "diagnosis/model", "report/text", "cli/doctor")
    for other in (*others, *(f"{area}/__init__" for area in ("facts", "diagnosis", "report"))):
        path = tmp_path / f"{other}.py"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    (tmp_path / "__init__.py").touch()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    return list(violations(tmp_path))


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("diagnosis/bad.py", "from ..facts.machine import Machine\n", "facts.machine"),
        ("diagnosis/bad.py", "def late():\n    from ..facts import machine\n", "facts.machine"),
        ("diagnosis/bad.py", "import gpuprobe.report.text\n", "report.text"),
        (
            "diagnosis/__init__.py",
            "from . import model\nfrom ..report import text\n",
            "report.text",
        ),
        ("facts/bad.py", "from gpuprobe.diagnosis.model import Rule\n", "diagnosis.model"),
        ("facts/model.py", "from .machine import Machine\n", "facts.machine"),
        ("report/bad.py", "from .. import doctor\n", "must not import doctor"),
        ("report/bad.py", "if True:\n    import subprocess\n", "subprocess"),
        ("cli/bad.py", "import urllib.request\n", "urllib"),
        ("diagnosis/bad.py", "import os\n", "touches the machine"),
        ("cli/bad.py", "import os\nos.execvp('a', ['a'])\n", "os.execvp"),
        ("facts/bad.py", "from os import path, fork\n", "os.fork"),
        ("stray.py", "", "no place"),
    ],
)
def test_planted_violation_is_found(tmp_path: Path, name: str, text: str, told: str):
    [violation] = plant(tmp_path, name, text)
    assert told in violation


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("diagnosis/good.py", "from ..facts.model import Facts\nfrom .model import Rule\n"),
        ("diagnosis/good.py", "from ..facts import model\nimport re\n"),
        ("facts/children.py", "import subprocess\nimport os\n"),
        ("launch/program.py", "import os\nos.execvpe('a', ['a'], {})\n"),
        ("cli/good.py", "import os\nos.fspath('a')\n"),
        ("cli/good.py", "from .. import __version__\nfrom ..facts.machine import Machine\n"),
    ],
)
def test_allowed_import_is_silent(tmp_path: Path, name: str, text: str):
    assert plant(tmp_path, name, text) == []
