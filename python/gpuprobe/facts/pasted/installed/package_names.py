"""Names of packages as people and tools write them, and what a name or a version's tag tells.

Only packages that have to do with GPUs are recorded; a reader asks `recorded` for the one
spelling that facts use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...installed.distributions import normalise
from ...regex import regex
from ..statement import Statements, deny, say
from ..values import cuda_digits

if TYPE_CHECKING:
    from ..text import Line

#: Other names of a distribution: conda's, an import's, a person's.
_ALIASES = {
    "cuda-jl": "cuda-jl",
    "cupy-core": "cupy",
    "flash-attention": "flash-attn",
    "flash-attention-2": "flash-attn",
    "flashattention": "flash-attn",
    "onnx-runtime": "onnxruntime",
    "onnx-runtime-gpu": "onnxruntime-gpu",
    "onnxruntime-directml": "onnxruntime-directml",
    "ort": "onnxruntime",
    "microsoft-ml-onnxruntime": "onnxruntime",
    "microsoft-ml-onnxruntime-gpu": "onnxruntime-gpu",
    "microsoft-ml-onnxruntime-gpu-windows": "onnxruntime-gpu",
    "microsoft-ml-onnxruntime-gpu-linux": "onnxruntime-gpu",
    "paddle": "paddlepaddle",
    "paddle-paddle": "paddlepaddle",
    "paddle-gpu": "paddlepaddle-gpu",
    "py-torch": "torch",
    "pytorch": "torch",
    "pytorch-gpu": "torch",
    "pytorch-nightly": "torch",
    "pytorch-version": "torch",
    "tensor-flow": "tensorflow",
    "tensorflow2": "tensorflow",
    "tf": "tensorflow",
    "tf2": "tensorflow",
    "tf-gpu": "tensorflow-gpu",
    "torch-vision": "torchvision",
    "llama-cpp": "llama-cpp-python",
}
_EXACT = frozenset(
    (
        *(
            "accelerate",
            "apex",
            "auto-gptq",
            "autoawq",
            "bitsandbytes",
            "catboost",
            "causal-conv1d",
        ),
        *("chainer", "cpuonly", "ctranslate2", "cuda", "cudatoolkit", "cudf", "cudnn", "cugraph"),
        *("cuml", "cupy", "cuquantum", "cuda-version", "cuda-jl", "deepspeed", "dgl", "dlib"),
        *(
            "exllamav2",
            "faiss-gpu",
            *("qiskit-aer", "qiskit-aer-gpu"),
            "faiss-cpu",
            "faster-whisper",
            "flash-attn",
            "flashinfer-python",
        ),
        *("flax", "gpustat", "horovod", "jax", "jaxlib", "keras", "lightgbm", "lightning"),
        *("llama-cpp-python", "magma", "mamba-ssm", "mmcv", "mmcv-full", "mxnet", "nccl", "numba"),
        *("numba-cuda", "numpy", "onnxruntime", "openai-whisper", "optax", "paddlepaddle", "peft"),
        *(
            "pycuda",
            "pygdf",
            "pynvml",
            "pytorch-cuda",
            "pytorch-lightning",
            "pytorch-mutex",
            "rapids",
            "rmm",
        ),
        *(
            "cumm",
            "sglang",
            "spconv",
            "sgl-kernel",
            "tensorrt",
            "tf-nightly",
            "theano",
            "tinygrad",
            "torch",
        ),
        *("transformer-engine", "transformers", "triton", "vllm", "warp-lang", "whisperx"),
        *("xformers", "xgboost", "xla"),
    )
)
_STARTS = (
    *("torch", "pytorch-triton", "tensorflow", "tf-nightly", "jax", "cupy-", "onnxruntime-"),
    *("nvidia-", "cuda-", "mxnet-", "paddlepaddle-", "tensorrt-", "cudf-", "cuml-", "cugraph-"),
    *(
        "dgl-",
        "cumm-",
        "spconv-",
        "mmcv-",
        "vllm-",
        "flashinfer-",
        "triton-",
        "cudnn-",
        "rmm-",
        "libcudnn",
    ),
    "faiss-gpu-",
)
_NOT = ("tensorflow-datasets", "tensorflow-docs", "tensorflow-hub", "tensorflow-metadata")

#: Packages whose name alone tells what they are built for.
_KINDS = {
    "faiss-cpu": "cpu",
    "faiss-gpu": "cuda",
    "onnxruntime": "cpu",
    "onnxruntime-directml": "directml",
    "onnxruntime-gpu": "cuda",
    "onnxruntime-openvino": "openvino",
    "onnxruntime-rocm": "rocm",
    "onnxruntime-silicon": "cpu",
    "onnxruntime-training-gpu": "cuda",
    "paddlepaddle": "cpu",
    "paddlepaddle-gpu": "cuda",
    "tensorflow-cpu": "cpu",
    "tensorflow-gpu": "cuda",
    "tensorflow-intel": "cpu",
    "tensorflow-macos": "cpu",
    "tensorflow-rocm": "rocm",
    "tf-nightly-cpu": "cpu",
    "tf-nightly-gpu": "cuda",
}
#: The archives that ONNX Runtime is released as, beside its packages.
_ARCHIVE = regex(
    r"(?a)onnxruntime-(?:win|linux)-(?:x64|arm64|aarch64)(?P<gpu>(?:-gpu)?(?:-cuda(?P<cuda>\d\d))?)"
)
_CUDA_NAME = regex(r"(?a)-cu(?:da)?-?(\d{1,4})x?(?=-|\Z)")
_TAG = regex(r"(?a)(cpu|xpu|rocm|cu(?:da)?)(\d{0,4})")
_POST = regex(r"(?a)\.post(\d{2,3})\Z")
#: Until 2.0 the last digit was cuDNN's.
_OF_POST = {"85": "80", "87": "80", "97": "90", "107": "100"}
_VERSION = regex(r"(?a)[vV]?(\d{1,5}(?:\.\d{1,10}){0,4}[\w.]{0,40}(?:[-+]\w[\w.]{0,60})?)")


def recorded(name: str) -> str | None:
    """The spelling of a package that has to do with GPUs; None for any other."""
    plain = normalise(name.strip().strip("\"'`"))
    plain = _ALIASES.get(plain, plain)
    if "/" in plain:
        return None  # nvidia.com/gpu is a resource of a cluster
    if archive := _ARCHIVE.fullmatch(plain):
        return "onnxruntime-gpu" if archive["gpu"] else "onnxruntime"
    if plain in _EXACT or (plain.startswith(_STARTS) and plain not in _NOT):
        return plain
    return None


def cuda_of_archive(name: str) -> str | None:
    """The CUDA in the name of an archive, ``onnxruntime-win-x64-cuda12``."""
    archive = _ARCHIVE.fullmatch(name.lower())
    return archive["cuda"] if archive else None


def exactly(label: str) -> str | None:
    """The same for words of a label: "ONNX Runtime" is a package, "Torch VRAM Total" is none."""
    plain = label.strip().replace(" ", "-")
    return _ALIASES.get(plain, plain if plain in _EXACT else None)


def tells_build(name: str) -> bool:
    """Whether the name alone tells what the package is built for: ``mxnet-cu101``."""
    return _told(name, "")[0] is not None


def version_text(text: str) -> str | None:
    """The version at the start of `text`, with its local part; None where there is none."""
    found = _VERSION.match(text.strip().strip("\"'`=v "))
    return found[1].rstrip(".") if found else None


def installed(name: str, version: str, line: Line) -> Statements:
    """That `name`, already in its one spelling, is there in this version, and what that tells.

    The point of ``12.*``, and of a sentence's end, is no part of it.
    """
    version = version.rstrip(".")
    yield say(names.PACKAGE_VERSION(name), version, line)
    kind, digits = _told(name, version)
    if kind is not None:
        yield from built_for(name, kind, digits, line)


def told_of(name: str, version: str, line: Line) -> Statements:
    """The same by a person, who also names a project by what is the package for the CPU."""
    if name == "onnxruntime":
        yield say(names.PACKAGE_VERSION(name), version, line)
    else:
        yield from installed(name, version, line)


def copies(name: str, found: list[tuple[str, str]], line: Line) -> Statements:
    """Both managers' versions, once they differ."""
    bare = {version.partition("+")[0] for version, _ in found}
    if len({manager for _, manager in found}) > 1 and len(bare) > 1:
        told = tuple(f"{version} of {manager}" for version, manager in found)
        yield say(names.PACKAGE_COPIES(name), told, line)


def variant(name: str, line: Line) -> Statements:
    """That a package is there whose name alone is known, and what its name tells."""
    kind, digits = _told(name, "")
    if kind is not None:
        yield from built_for(name, kind, digits, line)


def built_for(name: str, kind: str, cuda_as_tag: str, line: Line) -> Statements:
    """What a build is made for: ``cuda`` with the digits of its CUDA, or none; ``cpu``."""
    yield say(names.PACKAGE_BUILD(name), kind, line)
    cuda = cuda_digits(cuda_as_tag)
    if kind != "cuda":
        yield deny(names.PACKAGE_CUDA(name), line)
    elif cuda is not None:
        yield say(names.PACKAGE_CUDA(name), cuda, line)


def _told(name: str, version: str) -> tuple[str | None, str]:
    """Kind and CUDA digits, by the version's tag, else by the package's name."""
    tag = _TAG.match(version.partition("+")[2])
    if tag:
        return ("cuda" if tag[1].startswith("cu") else tag[1]), tag[2]
    post = _POST.search(version) if name == "paddlepaddle-gpu" else None
    if post:
        return "cuda", _OF_POST.get(post[1], post[1])
    in_name = _CUDA_NAME.search(name)
    if in_name:
        return "cuda", in_name[1]
    return _KINDS.get(name), ""
