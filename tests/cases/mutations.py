"""What happens to a text on its way into an issue: quoting, numbering, cutting, mixing."""

from __future__ import annotations

import random


def quoted(text: str) -> str:
    """As a mail program or an issue quotes it."""
    return "\n".join(f"> {line}" if line else ">" for line in text.splitlines())


def numbered(text: str) -> str:
    """As ``cat -n`` shows it."""
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.splitlines(), 1))


def coloured(text: str) -> str:
    """As a terminal that paints every line records it."""
    return "\n".join(f"\x1b[1;31m{line}\x1b[0m" for line in text.splitlines())


def windows(text: str) -> str:
    """With the line ends of Windows."""
    return text.replace("\n", "\r\n")


def thinned(text: str) -> str:
    """Without a third of its lines, the same ones in every run."""
    lines = text.splitlines()
    dice = random.Random(len(text))
    left_out = set(dice.sample(range(len(lines)), len(lines) // 3))
    return "\n".join(line for number, line in enumerate(lines) if number not in left_out)


def shuffled(text: str) -> str:
    """With its lines in another order, the same one in every run."""
    lines = text.splitlines()
    random.Random(len(text)).shuffle(lines)
    return "\n".join(lines)


#: These change how a text looks, and not what it says.
OF_LOOKS = (quoted, numbered, coloured, windows)
#: These lose or mix what it says.
OF_CONTENT = (thinned, shuffled)
