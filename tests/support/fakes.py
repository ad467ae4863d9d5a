"""Builds the fake driver libraries of tests/fakes, and finds the vendor's headers for them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parents[1] / "fakes"


@dataclass(frozen=True, slots=True)
class Fakes:
    """A folder with the built libraries."""

    folder: Path

    def library(self, soname: str) -> Path:
        """The fake with this SONAME."""
        return self.folder / soname

    def cudnn(self) -> Path:
        """The fake cuDNN. Skips the test where it could not be built."""
        file = self.library("libcudnn.so.9")
        if not file.is_file():
            pytest.skip("no cudnn_graph.h (pip install nvidia-cudnn-cu13), or no CUDA toolkit")
        return file

    def cublaslt(self) -> Path:
        """The fake cuBLASLt. Skips the test where it could not be built."""
        file = self.library("libcublasLt.so.13")
        if not file.is_file():
            pytest.skip("no cublasLt.h (pip install nvidia-cublas==13.*), or no CUDA toolkit")
        return file

    @property
    def getenv(self) -> Path:
        """For LD_PRELOAD: ends a process that reads a variable of ours without the GIL."""
        return self.folder / "libgetenv.so"

    @property
    def stub(self) -> Path:
        """The toolkit's stub libcuda."""
        return self.folder / "stubs" / "libcuda.so.1"


def find_header(name: str) -> Path | None:
    """The folder of a vendor's header: from the wheels of the `test` extra, or a toolkit."""
    return next((each for each in _include_folders() if (each / name).is_file()), None)


def _include_folders() -> Iterator[Path]:
    for entry in sys.path:
        yield from sorted(Path(entry or ".").glob("nvidia/*/include"))
        yield Path(entry or ".") / "tvm_ffi" / "include"
    yield Path("/usr/local/cuda/include")


def build_fakes(folder: Path) -> Fakes:
    """Builds all libraries into `folder`. Skips the test where that cannot be done here."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the fakes are ELF libraries: Linux only")
    cuda, nvml, cmake = find_header("cuda.h"), find_header("nvml.h"), shutil.which("cmake")
    cudnn, runtime = find_header("cudnn_graph.h"), find_header("crt/host_defines.h")
    cublas = find_header("cublasLt.h")
    if cuda is None or nvml is None or cmake is None:
        pytest.skip(f"the fakes need cuda.h ({cuda}), nvml.h ({nvml}) and cmake ({cmake})")
    _run(cmake, "-S", str(SOURCE), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
         f"-DGPUPROBE_CUDA_INCLUDE={cuda}", f"-DGPUPROBE_NVML_INCLUDE={nvml}",
         f"-DGPUPROBE_CUDNN_INCLUDE={cudnn or ''}", f"-DGPUPROBE_CUBLAS_INCLUDE={cublas or ''}",
         f"-DGPUPROBE_RUNTIME_INCLUDE={runtime or ''}")  # fmt: skip
    _run(cmake, "--build", str(folder), "--parallel")
    return Fakes(folder)


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.fail(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}", pytrace=False)
