"""The stem of a library's file name: ``libcublas.so.12`` and ``cublas64_12.dll`` are ``cublas``."""

from __future__ import annotations

import re

from ...regex import regex

#: A library as texts name it, on all three systems; a folder with spaces is cut at the space.
#: It begins where a word begins and is bounded, so that a search for it stays linear.
WORD = (
    r"(?<![\w.+\-@/\\~])(?:[A-Za-z]:)?[\w.+\-@/\\~]{1,300}?"
    r"(?:\.so(?:\.\d+)*|\.dll|\.dylib|\.pyd)(?![\w+\-])"
)

_HASH = regex(r"-[0-9a-f]{8}(?=\.|\Z)")
_TAIL = regex(r"(?:64)?(?:_\d{1,9}){0,8}\Z")
#: Names whose number is no release of CUDA.
_OWN_NUMBER = regex(r"msvcp|vcruntime|libomp|c10")
_OWN_NAMES = {"nvcuda": "cuda", "nvidia-ml": "nvml", "nvml": "nvml", "stdc++": "stdcxx"}


def base(file: str) -> str:
    """The file's name without its folder."""
    return file.replace("\\", "/").rpartition("/")[2].strip("'\" ")


def stem(file: str) -> str:
    """What the library is called, in small letters and without dots.

    cuDNN's parts are all ``cudnn``: they come and go together.
    """
    name = _HASH.sub("", base(file).lower())
    name = re.split(r"\.(?:so|dll|dylib|pyd|cpython|abi3)\b|\.\d", name, maxsplit=1)[0]
    if file.lower().endswith(".dll"):
        name = name if _OWN_NUMBER.match(name) else _TAIL.sub("", name)
    else:
        name = name.removeprefix("lib")
    name = _OWN_NAMES.get(name, name).replace(".", "")
    return "cudnn" if name.startswith("cudnn") else name


def of_gpu(name: str) -> bool:
    """Whether a stem is one that a GPU program needs; the system's other libraries are not."""
    return name.startswith(_GPU_STEMS) or name in _COMPANIONS


_GPU_STEMS = (
    *(
        "cu",
        "nv",
        "npp",
        "nccl",
        "torch",
        "c10",
        "tensorflow",
        "onnxruntime",
        "xla",
        "jax",
        "ctranslate",
    ),
    *(
        "bitsandbytes",
        "llama",
        "ggml",
        "mxnet",
        "paddle",
        "caffe2",
        "magma",
        "triton",
        "hip",
        "roc",
    ),
)
#: The Visual C++ run time and zlib, without which the above do not load on Windows; what Windows
#: gives WSL to get at the GPU.
_COMPANIONS = frozenset(
    {"zlibwapi", "msvcp140", "msvcp140_1", "vcruntime140", "vcruntime140_1", "libomp140x86_64"}
) | {"d3d12", "dxcore"}
