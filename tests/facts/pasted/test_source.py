"""From bytes to text: whatever wrote the file."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from gpuprobe.facts.pasted import source
from gpuprobe.facts.pasted.source import TextTooLargeError, decode, read_text

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "| NVIDIA-SMI 535.104.05 | Geräte: 2 |\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encoding_is_recognised(encoding: str):
    assert decode(TEXT.encode(encoding)) == TEXT


def test_bytes_that_are_no_text_become_replacement_characters():
    assert decode(b"CUDA error\xff\xfe\x80 999") == "CUDA error\ufffd\ufffd\ufffd 999"


def test_what_gzip_packed_is_read_also_where_its_end_lacks():
    packed = gzip.compress(TEXT.encode())
    assert decode(packed) == decode(packed[:-8]) == TEXT


def test_what_only_begins_as_gzip_does_is_no_error():
    assert decode(b"\x1f\x8bCUDA").endswith("CUDA")


def test_little_that_unpacks_to_much_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "MAX_BYTES", 1 << 20)
    with pytest.raises(TextTooLargeError):
        decode(gzip.compress(b"x" * (1 << 21)))


def test_odd_number_of_bytes_of_utf_16_does_no_harm():
    assert decode(TEXT.encode("utf-16") + b"\x00").startswith(TEXT)


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff", b"\x00"])
def test_nearly_nothing_is_text_too(content: bytes):
    assert isinstance(decode(content), str)


def test_file_is_read(tmp_path: Path):
    (tmp_path / "log.txt").write_bytes(TEXT.encode("utf-16"))
    assert read_text(tmp_path / "log.txt") == TEXT


def test_too_large_a_text_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "MAX_BYTES", 1 << 20)
    assert len(decode(b"x" * (1 << 20))) == 1 << 20
    with pytest.raises(TextTooLargeError, match="more than 1 MiB; give the part around"):
        decode(b"x" * ((1 << 20) + 1))
