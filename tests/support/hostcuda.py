"""The kernels of csrc/kernels on the host: builds tests/hostcuda and calls it by ctypes.

Arrays are `bytes` of 32-bit elements: equal bytes are equal bits, and nothing needs NumPy.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "hostcuda"
BLOCK = 256  # GP_KERNEL_BLOCK
ORDERS = ("ascending", "descending", "random:1", "random:2")

RAN, NO_KERNEL, BAD_LAUNCH, DIVERGED = range(4)  # hostcuda_result

_GUARD = b"\xcc" * 64  # behind every output: a kernel that writes too far changes it


class BuildError(Exception):
    """The shim does not compile; the text is CMake's or the compiler's."""


def build(folder: Path, *definitions: str, targets: tuple[str, ...] = ("all",)) -> Path:
    """Build the shared libraries and programs of the shim into `folder` and return it.

    Raises:
        BuildError: with what CMake or the compiler said.
    """
    cmake = shutil.which("cmake")
    if cmake is None:
        raise BuildError("no cmake on PATH; the test extra brings it")
    _run(cmake, "-S", str(SOURCE), "-B", str(folder), "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
         *definitions)  # fmt: skip
    _run(cmake, "--build", str(folder), "--parallel", "--target", *targets)
    return folder


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")


def load(library: Path) -> ctypes.CDLL:
    """Load a library of the shim and declare what it exports."""
    loaded = ctypes.CDLL(str(library))
    u64 = ctypes.c_uint64
    loaded.hostcuda_launch.argtypes = [
        ctypes.c_char_p, ctypes.c_uint * 3, ctypes.c_uint * 3, ctypes.c_size_t,
        ctypes.POINTER(ctypes.c_void_p),
    ]  # fmt: skip
    if hasattr(loaded, "gp_reference_hash_u64"):
        loaded.gp_reference_fill_f32.argtypes = [ctypes.c_void_p, u64, u64]
        loaded.gp_reference_fill_f32.restype = None
        loaded.gp_reference_add_f32.argtypes = [ctypes.c_void_p] * 3 + [u64]
        loaded.gp_reference_add_f32.restype = None
        loaded.gp_reference_hash_u64.argtypes = [ctypes.c_void_p, u64]
        loaded.gp_reference_hash_u64.restype = u64
    return loaded


def launch(
    library: ctypes.CDLL,
    kernel: str,
    *arguments: ctypes.c_uint64 | ctypes.c_void_p,
    grid: tuple[int, int, int] = (1, 1, 1),
    block: tuple[int, int, int] = (BLOCK, 1, 1),
    shared_bytes: int = 0,
    order: str = "ascending",
) -> int:
    """Run a kernel and return the code of hostcuda_launch."""
    pointers = (ctypes.c_void_p * max(len(arguments), 1))(
        *(ctypes.addressof(argument) for argument in arguments)
    )
    os.environ["HOSTCUDA_ORDER"] = order
    try:
        code = library.hostcuda_launch(
            kernel.encode(), (ctypes.c_uint * 3)(*grid), (ctypes.c_uint * 3)(*block),
            shared_bytes, pointers,
        )  # fmt: skip
    finally:
        del os.environ["HOSTCUDA_ORDER"]
    return int(code)


def pointer(memory: ctypes.Array[ctypes.c_char]) -> ctypes.c_void_p:
    """The address of some memory, as a kernel argument."""
    return ctypes.c_void_p(ctypes.addressof(memory))


def _output(elements: int) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(b"\xcc" * 4 * elements + _GUARD, 4 * elements + len(_GUARD))


def _written(memory: ctypes.Array[ctypes.c_char]) -> bytes:
    assert memory.raw.endswith(_GUARD), "the kernel wrote behind the end of its output"
    return memory.raw[: -len(_GUARD)]


def _input(data: bytes) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(data, max(len(data), 1))


@dataclass(frozen=True)
class Kernels:
    """The kernels themselves, with the threads in one order."""

    library: ctypes.CDLL
    order: str = "ascending"
    blocks: int = 3

    def fill_f32(self, n: int, seed: int) -> bytes:
        """`n` floats of gp_fill_f32."""
        out = _output(n)
        self._launch("gp_fill_f32", pointer(out), ctypes.c_uint64(n), ctypes.c_uint64(seed))
        return _written(out)

    def add_f32(self, a: bytes, b: bytes) -> bytes:
        """The sum of two arrays of floats."""
        n = len(a) // 4
        out, left, right = _output(n), _input(a), _input(b)
        self._launch("gp_add_f32", pointer(out), pointer(left), pointer(right), ctypes.c_uint64(n))
        return _written(out)

    def hash_u64(self, words: bytes) -> int:
        """The hash of an array of 32-bit words."""
        found, data = ctypes.c_uint64(0), _input(words)
        address = ctypes.c_void_p(ctypes.addressof(found))
        self._launch("gp_hash_u64", address, pointer(data), ctypes.c_uint64(len(words) // 4))
        return found.value

    def _launch(self, kernel: str, *arguments: ctypes.c_uint64 | ctypes.c_void_p) -> None:
        grid = (self.blocks, 1, 1)
        code = launch(self.library, kernel, *arguments, grid=grid, order=self.order)
        assert code == RAN, f"{kernel} with {self}: hostcuda_launch returned {code}"


@dataclass(frozen=True)
class References:
    """The plain-C references: the same functions as `Kernels`."""

    library: ctypes.CDLL

    def fill_f32(self, n: int, seed: int) -> bytes:
        """`n` floats of gp_reference_fill_f32."""
        out = _output(n)
        self.library.gp_reference_fill_f32(out, n, seed)
        return _written(out)

    def add_f32(self, a: bytes, b: bytes) -> bytes:
        """The sum of two arrays of floats."""
        out = _output(len(a) // 4)
        self.library.gp_reference_add_f32(out, _input(a), _input(b), len(a) // 4)
        return _written(out)

    def hash_u64(self, words: bytes) -> int:
        """The hash of an array of 32-bit words."""
        return int(self.library.gp_reference_hash_u64(_input(words), len(words) // 4))
