"""From the bytes of a file to text: a log is read whatever wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

#: What is much larger than any log that people paste is another kind of file.
MAX_BYTES = 64 << 20

_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_SAMPLE = 2048
_GZIP, _OF_GZIP = b"\x1f\x8b", 31


class TextTooLargeError(ValueError):
    """More bytes than anybody would paste."""


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file.

    Raises:
        OSError: It cannot be read.
        TextTooLargeError: It has more than `MAX_BYTES`.
    """
    with Path(path).open("rb") as file:
        return decode(file.read(MAX_BYTES + 1))


def decode(content: bytes) -> str:
    """The text that `content` holds; what is no text becomes replacement characters.

    Windows PowerShell writes UTF-16 into files (``nvidia-smi > out.txt``), with or without a mark;
    nvidia-bug-report.sh writes with gzip.

    Raises:
        TextTooLargeError: There are more than `MAX_BYTES`.
    """
    if content.startswith(_GZIP):
        content = _unpacked(content)
    if len(content) > MAX_BYTES:
        raise TextTooLargeError(
            f"the text has more than {MAX_BYTES >> 20} MiB; give the part around the first error"
        )
    return content.decode(_encoding(content), "replace")


def _unpacked(content: bytes) -> bytes:
    """No more than tells that it is too much; what is cut off has its beginning."""
    import zlib

    try:
        return zlib.decompressobj(_OF_GZIP).decompress(content, MAX_BYTES + 1)
    except zlib.error:
        return content


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    sample = content[:_SAMPLE]
    high, low = sample[1::2].count(0), sample[::2].count(0)
    if 2 * high > len(sample[1::2]) and not low:
        return "utf-16-le"  # Latin letters: every second byte is zero
    return "utf-16-be" if 2 * low > len(sample[::2]) and not high else "utf-8"
