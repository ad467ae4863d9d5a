"""What may stand in the place of a file or a folder: whatever a broken machine can come up with."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from typing import TYPE_CHECKING

from .corrupt import corrupted

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import TypeAlias

    Accident: TypeAlias = Callable[[Path, Path, random.Random, Sequence[str]], None]

HUGE, LONG = 1 << 30, 1 << 20
MANY = 300
#: Pieces of what collectors read: they bring a garbage text further into a parser than noise.
_PIECES = (
    *("NVRM version: ", "535.104.05", "Device Minor: ", "9" * 30, "0x0302", "0x10de", "nvidia 1 0"),
    *("PRETTY_NAME=", "cuda: Optional[str] = '", "'is_cuda_build', True", "²", "\0", "-", "1..2"),
    *("'cuda_version', '64_", "Requires-Dist: nvidia-cuda-runtime==", "+cu", "=", ":", "%", "{}"),
    *("Package: nvidia-driver\nStatus: i ok installed\n", "Version: ", "\n\n", "blacklist nvidia"),
    *("NVRM: Xid (PCI:0): ", "79,", "Linux version ", "kernel/nvidia.ko:", "c 195:* rw", "a *:* r"),
    *('"cuda"', "REVISION:", "# R36", "/dev/shm rw,size=1k", "6.1", "Fabric Manager version "),  # noqa: S108
    *("microsoft-standard", "tegra", "\n", " ", "glibc-ld.so.cache1.1", "include /etc/ld.so.conf"),
    *("[HKEY_LOCAL_MACHINE\\SYSTEM]", '"a"=dword:', "hex(7):", "\x7fELF\x02\x01\x01", "<string>"),
    *("/usr/bin/", "..", "/", "(deleted)", "lib", ".so.", "-12.dist-info"),
)
_ODD_NAMES = (
    *(b"\xff\xfe.conf", b"nvidia\n0", b"libcudart.so.\xb2", b"libcuda.so.", b"kernel-", b"-"),
    *(b"libcublas.so." + b"9" * 200, b"0000:01:00.0\x1b[31m", b"nvidia-\xe2\x80\xae1-1", b"cuda-"),
    *(b".json", b"a-b-c.json", b"torch-\xff.dist-info", b"+.egg-info", b"nvidia99999999999999999"),
    *(b"{}", b"%s", b"a.b", b"card:0", b"\\", b"VEN_10DE&DEV_2684"),
)


def _nothing(place: Path, *_: object) -> None:
    _clear(place)


def _empty(place: Path, *_: object) -> None:
    _clear(place)
    place.write_bytes(b"")


def _noise(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    _clear(place)
    place.write_bytes(dice.randbytes(dice.choice((1, 4, 5, 64, 5000, 70_000))))


def _words(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    _clear(place)
    text = "".join(dice.choice(_PIECES) for _ in range(dice.randint(1, 30)))
    place.write_text(text, encoding="utf-8")


def _damaged(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    """What stood there, after the accidents of texts; a folder loses an entry."""
    if place.is_dir():
        entries = sorted(place.iterdir())
        if entries:
            _clear(dice.choice(entries))
        return
    if place.is_file() and place.stat().st_size < HUGE:
        text = place.read_bytes().decode("latin-1")
        broken = corrupted((text, dice.choice(_PIECES)), dice)
        place.write_bytes(broken.encode("utf-8", "surrogatepass"))


def _huge(place: Path, *_: object) -> None:
    """A gigabyte that takes no room."""
    _clear(place)
    with place.open("wb") as file:
        file.truncate(HUGE)


def _long(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    """What stood there, or a piece, again and again: slow is who reads it all at every line."""
    old = place.read_bytes() if place.is_file() and place.stat().st_size < LONG else b""
    _clear(place)
    line = (old or dice.choice(_PIECES).encode()) + dice.choice((b"\n", b""))
    place.write_bytes(line * (LONG // len(line)))


def _folder(place: Path, *_: object) -> None:
    _clear(place)
    place.mkdir()


def _circle(place: Path, *_: object) -> None:
    _clear(place)
    other = place.with_name(place.name[:200] + ".other")
    _clear(other)
    place.symlink_to(other.name)
    other.symlink_to(place.name)


def _link(place: Path, _: Path, dice: random.Random, asked: Sequence[str]) -> None:
    """To itself, up, out of the tree, or to another place that somebody looks at."""
    _clear(place)
    out = ("/proc/self/root", "../" * 40 + "etc/passwd", "/dev/zero", "gone", ".", "..", "/")
    place.symlink_to(dice.choice((place.name, *out, dice.choice(asked))))


def _pipe(place: Path, *_: object) -> None:
    """A reader would wait for a writer that never comes."""
    _clear(place)
    os.mkfifo(place)


def _device(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    """/dev/zero, which never ends, /dev/full, and a number that no driver has."""
    _clear(place)
    minor = dice.choice(((1, 5), (1, 7), (4000, 1)))
    os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(*minor))  # root alone may; else an OSError


def _closed(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    if place.exists() and not place.is_symlink():
        place.chmod(dice.choice((0o000, 0o111, 0o444)))


def _odd_names(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    """Beside what lies there: files and folders whose names nobody expects."""
    folder = place if place.is_dir() else place.parent
    for name in dice.sample(_ODD_NAMES, 5):
        entry = os.path.join(os.fsencode(folder), name)  # noqa: PTH118  a name that is no text
        if dice.choice((True, False)):
            os.mkdir(entry)  # noqa: PTH102
        else:
            os.close(os.open(entry, os.O_CREAT | os.O_WRONLY))


def _many(place: Path, _: Path, dice: random.Random, __: Sequence[str]) -> None:
    """A folder full of links to one file, under names like those that lie there."""
    folder = place if place.is_dir() else place.parent
    stem = dice.choice(("nvidia", "libcudart.so.12.", "0000:01:", "x", place.name[:100]))
    for number in range(MANY):
        (folder / f"{stem}{number}").symlink_to("nowhere")


ACCIDENTS: tuple[Accident, ...] = (
    *(_nothing, _empty, _noise, _words, _words, _damaged, _damaged, _huge, _long, _folder, _circle),
    *(_link, _link, _pipe, _device, _closed, _odd_names, _many),
)


def happen(
    root: Path,
    asked: Sequence[str],
    dice: random.Random,
    accidents: Sequence[Accident] = ACCIDENTS,
) -> str:
    """One accident at one of the places `asked`; what it was, in words."""
    path, accident = dice.choice(asked), dice.choice(accidents)
    told = f"{accident.__name__.strip('_')} {path!r}"
    if "\0" in path:
        return f"{told}: no file has such a name"
    place = root / path.lstrip("/")
    if not is_inside(place.parent, root):
        return f"{told}: a link leads out of the tree"
    try:
        if not is_inside(place, root):
            place.unlink()
        place.parent.mkdir(parents=True, exist_ok=True)
        accident(place, root, dice, asked)
    except (OSError, ValueError) as error:  # below a file, in a circle, a NUL in a link's goal
        return f"{told}: {error}"
    return told


def is_inside(place: Path, root: Path) -> bool:
    """Whether `place`, all links followed, is in the tree: what lies outside is somebody's own."""
    home = os.path.realpath(root)
    return os.path.commonpath((home, os.path.realpath(place))) == home


def _clear(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        place.chmod(0o755)
        shutil.rmtree(place)
    else:
        with contextlib.suppress(FileNotFoundError):
            place.unlink()
