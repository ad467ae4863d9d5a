"""Print the requirements of one extra of pyproject.toml, one a line, without spaces."""

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib


def main() -> int:
    """Print the extra named on the command line."""
    project = Path(__file__).parents[1] / "pyproject.toml"
    extras = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for requirement in extras[sys.argv[1]]:
        print(requirement.replace(" ", ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
