"""What embed.py makes of compiled kernels, and that the lowered PTX is true to its header."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[1] / "csrc" / "kernels"
PTX = "//\n// Compiler Build ID: 1\n//\n.version 9.0\n.target {target}\n.address_size 64\n\nret;\n"


@dataclass(frozen=True)
class Row:
    """One row of the table in images.c."""

    kind: str
    capability: int
    arch_specific: int
    min_cuda: int
    data: bytes


def embed(folder: Path, *images: Path, cuda: str = "13.0") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", KERNELS / "embed.py", "--cuda", cuda,
         "--output", folder / "images.c", *images],
        check=False,
        capture_output=True,
        text=True,
    )  # fmt: skip


def rows_of(folder: Path) -> list[Row]:
    text = (folder / "images.c").read_text(encoding="ascii")
    arrays = {
        name: bytes(map(int, body.split(",")))
        for name, body in re.findall(r"unsigned char (\w+)\[\d+\] = \{\n([^}]*)\}", text)
    }
    rows = re.findall(r"\{GP_IMAGE_(\w+), (\d+), (\d+), (\d+), (\w+), sizeof \w+\}", text)
    return [Row(kind, int(a), int(b), int(c), arrays[name]) for kind, a, b, c, name in rows]


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def write_ptx(folder: Path, capability: int) -> Path:
    text = PTX.format(target=f"sm_{capability}")
    return write(folder, f"compute_{capability}.ptx", text.encode())


def test_a_cubin_needs_a_driver_of_the_compilers_major_version(tmp_path: Path) -> None:
    content = bytes(range(256))
    done = embed(tmp_path, write(tmp_path, "sm_86.cubin", content), cuda="13.2")
    assert done.returncode == 0, done.stderr
    assert rows_of(tmp_path) == [Row("CUBIN", 86, 0, 13000, content)]
    assert "const int gp_images_cuda = 13020;\n" in (tmp_path / "images.c").read_text("ascii")
    assert "cubin_86 256" in done.stdout


def test_an_arch_specific_cubin_is_marked(tmp_path: Path) -> None:
    embed(tmp_path, write(tmp_path, "sm_90a.cubin", b"x"))
    assert rows_of(tmp_path) == [Row("CUBIN", 90, 1, 13000, b"x")]


def test_ptx_needs_a_driver_of_the_compilers_very_version(tmp_path: Path) -> None:
    embed(tmp_path, write_ptx(tmp_path, 100), cuda="13.2")
    [row] = rows_of(tmp_path)
    assert (row.kind, row.capability, row.min_cuda) == ("PTX", 100, 13020)
    assert row.data.startswith(b".version 9.0\n.target sm_100\n")


def test_ptx_of_75_is_lowered_for_old_drivers_and_cards(tmp_path: Path) -> None:
    embed(tmp_path, write_ptx(tmp_path, 75))
    [row] = rows_of(tmp_path)
    assert (row.kind, row.capability, row.min_cuda) == ("PTX", 50, 9000)
    assert row.data.startswith(b".version 6.0\n.target sm_50\n.address_size 64\n")


def test_embedded_ptx_ends_with_one_nul_and_has_no_comment_lines(tmp_path: Path) -> None:
    embed(tmp_path, write_ptx(tmp_path, 75))
    [row] = rows_of(tmp_path)
    assert row.data.index(b"\0") == len(row.data) - 1
    assert b"//" not in row.data


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("kernels.cubin", b"x", "expected a name such as"),
        ("sm_90.fatbin", b"x", "expected a name such as"),
        ("compute_75.ptx", b"ret;\n", "0 .version and 0 .target"),
        ("compute_75.ptx", 2 * PTX.format(target="sm_75").encode(), "2 .version and 2 .target"),
    ],
)
def test_what_cannot_be_embedded_ends_the_build_with_a_reason(
    tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    done = embed(tmp_path, write(tmp_path, name, content))
    assert done.returncode != 0
    assert complaint in done.stderr


@pytest.fixture(scope="module")
def toolkit() -> Path:
    """The folder of nvcc and ptxas."""
    found = [
        Path(entry) / "bin"
        for entry in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda")
        if entry
    ]
    nvcc = shutil.which("nvcc")
    if nvcc:
        found.append(Path(nvcc).parent)
    for folder in found:
        if (folder / "nvcc").is_file() and (folder / "ptxas").is_file():
            return folder
    pytest.skip("no CUDA toolkit here: only ptxas can tell whether PTX is true to its header")


@pytest.fixture(scope="module")
def lowered(toolkit: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("ptx")
    image = folder / "compute_75.ptx"
    subprocess.run(
        [toolkit / "nvcc", "-allow-unsupported-compiler", "-arch=compute_75", "-ptx",
         "-o", image, KERNELS / "kernels.cu"],
        check=True,
    )  # fmt: skip
    embed(folder, image)
    [row] = rows_of(folder)
    return row.data.rstrip(b"\0").decode("ascii")


def assemble(toolkit: Path, text: str, capability: int, folder: Path) -> tuple[int, str]:
    source = write(folder, "lowered.ptx", text.encode("ascii"))
    done = subprocess.run(
        [toolkit / "ptxas", f"-arch=sm_{capability}", "-o", folder / "out.cubin", source],
        check=False,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("capability", [75, 80, 90, 100, 110, 120])
def test_the_lowered_kernels_assemble_for_every_newer_card(
    toolkit: Path, lowered: str, tmp_path: Path, capability: int
) -> None:
    known = subprocess.run(
        [toolkit / "nvcc", "--list-gpu-code"], check=True, capture_output=True, text=True
    ).stdout.split()
    if f"sm_{capability}" not in known:
        pytest.skip(f"this toolkit knows no sm_{capability}, only {' '.join(known)}")
    assert lowered.startswith(".version 6.0\n.target sm_50\n")
    assert assemble(toolkit, lowered, capability, tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("instruction", "needs"),
    [
        ("redux.sync.add.s32 %r1, %r1, 0xffffffff;", "sm_80"),
        ("activemask.b32 %r1;", "PTX ISA .version 6.2"),
    ],
)
def test_ptxas_refuses_what_the_lowered_header_does_not_allow(
    toolkit: Path, lowered: str, tmp_path: Path, instruction: str, needs: str
) -> None:
    newer = lowered.replace("\tret;", f"\t{instruction}\n\tret;", 1)
    assert newer != lowered
    code, complaint = assemble(toolkit, newer, 80, tmp_path)
    assert code != 0
    assert needs in complaint
