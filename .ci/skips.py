"""Count the skipped tests of a JUnit file by reason; fail on a reason that is not allowed.

A skip is a hole in the proof. Every kind of hole stands in .ci/allowed_skips, one regular
expression a line, so that a new one is a decision in a review and not an accident.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET


def reasons(junit: Path) -> Counter[str]:
    """How often each reason was given."""
    tree = ET.parse(junit)  # noqa: S314 our own pytest wrote it
    return Counter(map(reason_of, tree.iter("skipped")))


def reason_of(skip: ET.Element) -> str:
    """What a test said. Where a whole file is skipped, only the text below tells why."""
    message = skip.get("message", "no reason")
    told = re.search(r"'Skipped: (.*)'\)$", (skip.text or "").strip())
    return told[1] if told and message == "collection skipped" else message


def allowed() -> list[re.Pattern[str]]:
    """The expressions of .ci/allowed_skips."""
    lines = (Path(__file__).parent / "allowed_skips").read_text(encoding="utf-8").splitlines()
    return [re.compile(line) for line in lines if line and not line.startswith("#")]


def main() -> int:
    """Judge the JUnit file named on the command line."""
    counted, known = reasons(Path(sys.argv[1])), allowed()
    strange = 0
    for reason, count in counted.most_common():
        expected = any(pattern.search(reason) for pattern in known)
        strange += not expected
        print(f"{count:5d}  {'' if expected else 'NOT ALLOWED: '}{reason}")
    print(f"{counted.total():5d}  skipped in all, {strange} reasons not in .ci/allowed_skips")
    return 1 if strange else 0


if __name__ == "__main__":
    sys.exit(main())
