"""Print how large the files are, and fail on one over 400 lines or a function over 60.

Size is a topic of every review: such files grow by one reasonable addition at a time. Tables
of data, documents and generated files are not counted.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
C_FUNCTION = re.compile(r"^(?:[\w\s*()]*?\b)?(\w+)\(")


def python_functions(text: str) -> Iterator[tuple[str, int]]:
    """Name and lines of each function, docstring and decorators left out."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            has_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            doc = (first.end_lineno or 0) - first.lineno + 1 if has_text else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - doc


def c_functions(text: str) -> Iterator[tuple[str, int]]:
    """Name and lines of each function, by the layout that clang-format enforces.

    A body starts at a lone `{` in the first column and ends at the next `}` there; the name is
    the last one before a parenthesis at the start of a line.
    """
    name, start = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield name, number - start + 1
            start = 0
        elif not start and (match := C_FUNCTION.match(line)):
            name = match[1]


READERS = {
    ".py": python_functions,
    ".c": c_functions,
    ".h": c_functions,
    ".cu": c_functions,
    ".cuh": c_functions,
    ".cpp": c_functions,
    ".sh": None,
    ".cmake": None,
}


def sources(root: Path) -> list[Path]:
    """The tracked source files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    return [root / name for name in listed if Path(name).suffix in READERS]


def offences(path: Path) -> Iterator[str]:
    """What is too large in one file."""
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > FILE_LIMIT:
        yield f"{lines} lines (stop at {FILE_LIMIT})"
    functions = READERS[path.suffix]
    for name, length in functions(text) if functions else ():
        if length > FUNCTION_LIMIT:
            yield f"{name} has {length} lines (stop at {FUNCTION_LIMIT})"


def main() -> int:
    """Print a line per folder, then the offenders."""
    root = Path(__file__).parents[1]
    folders: dict[Path, list[int]] = defaultdict(list)
    found = []
    for path in sources(root):
        if not path.is_file():  # deleted, not yet committed
            continue
        name = path.relative_to(root)
        folders[name.parent].append(path.read_text(encoding="utf-8").count("\n"))
        found += [f"{name}: {offence}" for offence in offences(path)]
    for folder, sizes in sorted(folders.items()):
        middle = sorted(sizes)[len(sizes) // 2]
        print(f"{len(sizes):4d} files {sum(sizes):6d} lines, median {middle:4d}  {folder}")
    print(*found, f"{len(found)} too large", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
