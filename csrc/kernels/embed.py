"""Make images.c, the table of compiled kernels that images.h declares. Runs at build time.

usage: embed.py --cuda 13.0 --output images.c sm_75.cubin sm_90a.cubin compute_75.ptx …

The name of a file tells its target. compute_75.ptx is embedded with its header lowered (ptx.py).
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import ptx

LOWERED_FROM = 75
_NAME = re.compile(r"(?:sm|compute)_(?P<capability>\d+)(?P<specific>a?)\.(?P<kind>cubin|ptx)")
_BYTES_A_LINE = 24


@dataclass(frozen=True)
class Image:
    """One row of the table; the fields are those of `gp_image`."""

    kind: str
    capability: int
    arch_specific: bool
    min_cuda: int
    data: bytes

    @property
    def name(self) -> str:
        """The C name of its bytes, such as `cubin_90a`."""
        return f"{self.kind}_{self.capability}{'a' if self.arch_specific else ''}"


def cuda_number(version: tuple[int, int]) -> int:
    """Return 13020 for 13.2, as CUDA itself encodes its versions."""
    return version[0] * 1000 + version[1] * 10


def read_image(path: Path, cuda: tuple[int, int]) -> Image:
    """Read one compiled file.

    A cubin loads on every driver of the compiler's CUDA major (minor version compatibility), PTX
    only on drivers of the very version or later.

    Raises:
        ValueError: the file is not named after its target.
    """
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise ValueError(f"{path.name}: expected a name such as sm_90a.cubin or compute_75.ptx")
    capability, specific = int(match["capability"]), bool(match["specific"])
    if match["kind"] == "cubin":
        of_the_major = cuda_number((cuda[0], 0))
        return Image("cubin", capability, specific, of_the_major, path.read_bytes())
    text = ptx.without_comments(path.read_text(encoding="ascii"))
    min_cuda = cuda_number(cuda)
    if capability == LOWERED_FROM:
        text, capability, min_cuda = ptx.lower(text), ptx.LOWERED_CAPABILITY, ptx.LOWERED_CUDA
    return Image("ptx", capability, specific, min_cuda, text.encode("ascii") + b"\0")


def c_bytes(image: Image) -> str:
    """Return the definition of the image's bytes."""
    rows = (
        ", ".join(map(str, image.data[start : start + _BYTES_A_LINE]))
        for start in range(0, len(image.data), _BYTES_A_LINE)
    )
    # The driver reads the ELF header of a cubin in place: 8-byte fields need 8-byte alignment.
    head = f"static const _Alignas(8) unsigned char {image.name}[{len(image.data)}] = {{\n"
    return head + ",\n".join(rows) + "};\n"


def c_row(image: Image) -> str:
    """Return the image's row in the table."""
    fields = f"{image.capability}, {int(image.arch_specific)}, {image.min_cuda}"
    return f"    {{GP_IMAGE_{image.kind.upper()}, {fields}, {image.name}, sizeof {image.name}}},\n"


def c_table(images: list[Image], cuda: tuple[int, int]) -> str:
    """Return the whole text of images.c."""
    return (
        "/* Made by embed.py. */\n"
        '#include "images.h"\n\n'
        + "\n".join(map(c_bytes, images))
        + "\nconst gp_image gp_images[] = {\n"
        + "".join(map(c_row, images))
        + "};\nconst size_t gp_image_count = sizeof gp_images / sizeof gp_images[0];\n"
        + f"const int gp_images_cuda = {cuda_number(cuda)};\n"
    )


def main(arguments: list[str]) -> None:
    """Read the images, print their sizes, write the table."""
    parser = argparse.ArgumentParser(description="make the C table of the compiled kernels")
    parser.add_argument("--cuda", required=True, help="version of the compiler, such as 13.0")
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("images", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    major, minor = map(int, options.cuda.split("."))
    cuda = (major, minor)
    images = [read_image(path, cuda) for path in options.images]
    options.output.write_text(c_table(images, cuda), encoding="ascii")
    sizes = ", ".join(f"{image.name} {len(image.data)}" for image in images)
    sys.stdout.write(f"kernels embedded (bytes): {sizes}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
