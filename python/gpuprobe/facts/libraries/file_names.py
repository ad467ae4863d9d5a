"""The names of CUDA's library files, taken apart: ``libcublas.so.12.4.5.8``, ``cublas64_12.dll``.

A library is called by its stem, in small letters as everywhere in the facts: ``cublaslt``.
"""

from __future__ import annotations

from typing import NamedTuple

#: How files of other stems than their own begin: the name in the file, and the stem.
_OTHER_STEMS = {"nvtoolsext": "nvtx", "nvtx3interop": "nvtx"}
STEMS = frozenset(
    {
        *("cudart", "cublas", "cublaslt", "cufft", "cufftw", "curand", "cusolver", "cusolvermg"),
        *("cusparse", "cusparselt", "nvrtc", "nvrtc-builtins", "nvjitlink", "nvvm", "nvjpeg"),
        *("cudnn", "nccl", "cupti", "nvtx", "cutensor", "cufile", "nvshmem_host"),
        *("nvinfer", "nvinfer_plugin", "nvonnxparser"),
    }
)
#: cuDNN comes in parts since version 8: cudnn_ops, cudnn_cnn and so on.
PART = "cudnn_"
#: How the name of every file of ours begins on Linux. Broad, as one search for each of these in
#: the loader's cache costs more than to look at what it finds beside.
BEGINNINGS = ("libcu", "libnv", "libnccl")

#: Below it the digits of a DLL are one number; "110" is CUDA 11.0.
_LEAST_WITH_MINOR = 70
#: The characters that auditwheel puts into a name, so that no other file is taken for it.
_HASH_LENGTH = 8


class LibraryName(NamedTuple):
    """Stem and version, as the name of a file states them: ``("cublas", "12.4.5.8")``."""

    stem: str
    version: str

    @property
    def number(self) -> str:
        """The first number of the version: files that differ in it stand side by side."""
        return self.version.partition(".")[0]


def parse(file: str) -> LibraryName | None:
    """What the name of a file says; None: no CUDA library, or one for the linker (no version)."""
    if file.startswith(BEGINNINGS):
        head, mark, version = file.partition(".so.")
        return _named(_without_hash(head[3:]), version) if mark else None
    if file[-4:].lower() == ".dll":
        return _dll(file[:-4])
    return None


def _named(name: str, version: str) -> LibraryName | None:
    lower = name.lower()
    stem = _OTHER_STEMS.get(lower, lower)
    known = stem in STEMS or stem.startswith(PART)
    parts = version.split(".")
    if not known or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    return LibraryName(stem, version)


def _without_hash(name: str) -> str:
    """``cudart-a7b20f20``, as wheels before CUDA 11.7 called their copies."""
    head, mark, tail = name.rpartition("-")
    mangled = len(tail) == _HASH_LENGTH and all(char in "0123456789abcdef" for char in tail)
    return head if mark and mangled else name


def folder_of(path: str, file: str) -> str:
    """The folder in which a file was found; `path` ends with the name `file`."""
    return path[: -len(file) - 1]


def _dll(name: str) -> LibraryName | None:
    """``cudart64_110``, ``nvrtc64_120_0``, ``nvJitLink_120_0``, ``cudnn_ops_infer64_8``."""
    head, mark, tail = name.partition("64_")
    if not mark:
        digits = len(name.rstrip("0123456789_"))
        head, tail = name[:digits], name[digits:].lstrip("_")
    first = tail.partition("_")[0]
    if not (first.isascii() and first.isdigit()):
        return _named(head, first)
    number = int(first)
    spaced = number >= _LEAST_WITH_MINOR
    return _named(head, f"{first[:-1]}.{first[-1]}" if spaced else first)
