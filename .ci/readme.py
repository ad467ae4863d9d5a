"""Print one of the two commands that README.md promises, word for word.

`install` is the first fenced block that installs the package without an extra, `test` the first
that installs the extra `test`. Where a block shows a prompt, its lines with `$ ` are the commands.
"""

import re
import sys
from pathlib import Path

FENCE = re.compile(r"^```(?:sh|bash|console|shell)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(block: str) -> str:
    """What a reader of this block types."""
    typed = re.findall(r"^\$ (.*)$", block, re.MULTILINE)
    return "\n".join(typed) if typed else block.strip()


def find(readme: str, *, test: bool) -> str:
    """The first block that installs this package, with or without the extra `test`."""
    for block in FENCE.findall(readme):
        text = commands(block)
        if "pip install" in text and bool(re.search(r"\[[\w,]*test\b", text)) == test:
            return text
    raise SystemExit(f"README.md has no block that installs the package (test: {test})")


def main() -> int:
    """Print the command named on the command line: install or test."""
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    print(find(readme, test={"install": False, "test": True}[sys.argv[1]]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
