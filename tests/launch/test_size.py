"""Sizes as people write them."""

from __future__ import annotations

import pytest

from gpuprobe.launch.size import bytes_of


@pytest.mark.parametrize(
    ("text", "size"),
    [("10GiB", 10 << 30), ("1.5 GiB", 3 << 29), ("10GB", 10**10), ("512MiB", 1 << 29),
     ("100kB", 10**5), ("0B", 0), ("2TiB", 2 << 40)],
)  # fmt: skip
def test_a_size_is_read_with_its_unit(text: str, size: int):
    assert bytes_of(text) == size


@pytest.mark.parametrize("text", ["", "10", "10G", "GiB", "-1GiB", "nanGiB", "1e3GiB!", "infGiB",
                                  "1.2.3GiB", "10gib", "10XB", "1GiB\n",
                                  "9" * 400 + "GiB"])  # fmt: skip
def test_what_is_no_size_is_refused(text: str):
    with pytest.raises(ValueError, match="is no size with a unit, as 10GiB or 10GB are"):
        bytes_of(text)
