"""What this machine's driver makes of values of CUDA_VISIBLE_DEVICES that no document explains.

Each value is put to a process that has never touched CUDA, and its answer is written down beside
what was foretold. Needs a GPU and its driver; nothing is computed.

    python -m benchmarks.visible_devices [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gpuprobe.facts import names
from gpuprobe.visible.look import explain_text, facts_here

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpuprobe.visible import Explanation

#: Values by the question that they put; {uuid} and {mig} are the first of each.
QUESTIONS = {
    "hexadecimal": ("0x0", "0x1", "0x1,0"),
    "octal": ("00", "01", "010", "08,0"),
    "blanks": (" {uuid}", "{uuid} ", "{uuid},{other} ", "{uuid}, {other}", " 0", "0 ,1"),
    "case": ("{uuid_upper}", "{uuid_lower}"),
    "empty entry": ("0,,1", ",0", "0,", "{uuid},,{other}"),
    "repetition": ("0,0", "{uuid},{uuid}", "{uuid},{prefix}", "0,-1,0", "1,0,0"),
    "mixed": ("0,{uuid}", "{uuid},0", "0,{other}"),
    "MIG": ("{mig}", "{mig_prefix}", "{mig},{uuid}", "{uuid},{mig}"),
    "well documented": ("0", "-1", "", "0,-1,1", "1gpu", "+0", "-0", "all", '"0"', "{prefix}"),
}


def main(arguments: list[str] | None = None) -> int:
    """Ask, and print one line a value; 0 also where there is no GPU to ask."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.visible_devices", description=str(__doc__).splitlines()[0]
    )
    parser.add_argument("--json", metavar="FILE", help="write the answers into FILE, too")
    options = parser.parse_args(arguments)
    every = explain_text(None)
    if not every.seen:
        print(f"visible devices: nobody to ask: {every.unseen or 'CUDA shows no device'}")
        return 0
    answers = list(ask(words_for(every)))
    for answer in answers:
        print(line_of(answer))
    if options.json:
        driver = facts_here().known(names.DRIVER_VERSION)
        document = {"driver": str(driver), "devices": len(every.rows), "answers": answers}
        Path(options.json).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


def words_for(every: Explanation) -> dict[str, str]:
    """What stands for the open places of a value on this machine; what it lacks is left out."""
    uuids = [row.uuid for row in every.rows if (row.uuid or "").startswith("GPU-")]
    migs = [row.uuid for row in every.rows if (row.uuid or "").startswith("MIG-")]
    words = {}
    if uuids:
        uuid = uuids[0] or ""
        words |= {"uuid": uuid, "prefix": uuid[:12], "other": uuids[-1] or ""}
        words |= {"uuid_upper": uuid.upper(), "uuid_lower": uuid.lower()}
    if migs:
        words |= {"mig": migs[0] or "", "mig_prefix": (migs[0] or "")[:12]}
    return words


def ask(words: dict[str, str]) -> Iterator[dict[str, object]]:
    """The driver's answer to each value that this machine can be asked."""
    for question, values in QUESTIONS.items():
        for pattern in values:
            try:
                value = pattern.format(**words)
            except KeyError:
                continue  # no second GPU, no MIG instance
            found = explain_text(value).to_dict()
            kept = ("value", "foretold", "foretold_otherwise", "seen", "agrees", "doubts")
            yield {"question": question, "pattern": pattern, **{name: found[name] for name in kept}}


def line_of(answer: dict[str, object]) -> str:
    """One answer for a person."""
    seen, foretold = answer["seen"], answer["foretold"]
    verdict = "as foretold" if seen == foretold else "OTHERWISE"
    count = len(seen) if isinstance(seen, list) else "?"
    return f"{answer['question']:16} {answer['pattern']!r:22} {count} shown, {verdict}"


if __name__ == "__main__":
    sys.exit(main())
