"""Machines whose frameworks get other CUDA libraries than they were made for, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from support.cuda_libraries import toolkit
from support.elf import library
from support.scenario import Expected, Package, Scenario

from .packages import HEALTHY, ONNXRUNTIME_CPU, tensorflow, torch

if TYPE_CHECKING:
    from support.trees import Files

_ORIGIN = "$ORIGIN/../nvidia"
_FRAMEWORK = "tensorflow/libtensorflow_framework.so.2"
#: TensorFlow finds pip's wheels by RUNPATH, which comes after LD_LIBRARY_PATH.
_RUNPATH = ":".join(
    f"{_ORIGIN}/{each}/lib"
    for each in ("cublas", "cuda_runtime", "cudnn", "cufft", "curand", "cusolver", "cusparse")
)
TENSORFLOW = tensorflow(
    "2.18.0",
    "12.5",
    **{_FRAMEWORK: library("libtensorflow_framework.so.2", runpath=_RUNPATH)},
)
#: torch names them by RPATH, which comes before it; the libraries name each other by RUNPATH.
_TORCH = torch("2.4.1+cu121", "12.1")
_TORCH_CUDA = library(
    "libtorch_cuda.so", "libcublas.so.12", "libcusparse.so.12", "libcudnn.so.9",
    rpath=":".join(f"$ORIGIN/../../nvidia/{each}/lib" for each in ("cublas", "cusparse", "cudnn")),
)  # fmt: skip
TORCH = replace(_TORCH, files={**_TORCH.files, "torch/lib/libtorch_cuda.so": _TORCH_CUDA})


def wheel(name: str, version: str, *files: str) -> Package:
    """A wheel of NVIDIA's: `files` are paths below ``nvidia/``."""
    content = {f"nvidia/{file}": library(file.rpartition("/")[2]) for file in files}
    return Package(name, version, content)


WHEELS = (
    wheel("nvidia-cuda-runtime-cu12", "12.5.82", "cuda_runtime/lib/libcudart.so.12"),
    wheel("nvidia-cublas-cu12", "12.5.3.2", "cublas/lib/libcublas.so.12",
          "cublas/lib/libcublasLt.so.12"),
    wheel("nvidia-cufft-cu12", "11.2.3.61", "cufft/lib/libcufft.so.11"),
    wheel("nvidia-curand-cu12", "10.3.6.82", "curand/lib/libcurand.so.10"),
    wheel("nvidia-cusolver-cu12", "11.6.3.83", "cusolver/lib/libcusolver.so.11"),
    wheel("nvidia-nvjitlink-cu12", "12.5.82", "nvjitlink/lib/libnvJitLink.so.12"),
    wheel("nvidia-cudnn-cu12", "9.3.0.75", "cudnn/lib/libcudnn.so.9",
          "cudnn/lib/libcudnn_ops.so.9"),
    Package("nvidia-cusparse-cu12", "12.5.1.3", {
        "nvidia/cusparse/lib/libcusparse.so.12": library(
            "libcusparse.so.12", "libnvJitLink.so.12", runpath="$ORIGIN/../../nvjitlink/lib"),
    }),
)  # fmt: skip
LOCAL = "/usr/local/cuda-12.1/lib64"
CONFLICT = Expected("broken", "library-path-conflict", "library-path-conflict")


def older(**releases: str) -> Files:
    """Libraries of a toolkit that is searched first: soname -> release."""
    files = toolkit(LOCAL, releases)
    sonames = {f"{LOCAL}/{soname.partition('.so')[0]}.so.{release}": soname
               for soname, release in releases.items()}  # fmt: skip
    return {**files, **{path: library(soname) for path, soname in sonames.items()}}


TENSORFLOW_WITH_ITS_WHEELS = Scenario(
    name="tensorflow-with-its-wheels", expect=HEALTHY, packages=(TENSORFLOW, *WHEELS)
)

# `pip install tensorflow` without the extra: the run time is the first of its list.
TENSORFLOW_WITHOUT_LIBRARIES = Scenario(
    name="tensorflow-without-libraries",
    expect=Expected("broken", "cudart-missing", "cudart-missing"),
    packages=(TENSORFLOW,),
)

TENSORFLOW_WITHOUT_CUBLAS = Scenario(
    name="tensorflow-without-cublas",
    expect=Expected("broken", "cublas-missing", "cuda-library-missing"),
    packages=(TENSORFLOW, *(each for each in WHEELS if "cublas" not in each.name)),
)

TENSORFLOW_WITHOUT_CUDNN = Scenario(
    name="tensorflow-without-cudnn",
    expect=Expected("broken", "cudnn-missing", "cudnn-missing"),
    packages=(TENSORFLOW, *(each for each in WHEELS if "cudnn" not in each.name)),
)

# Not Google's wheel, which was tested with cuDNN 8: conda-forge and NVIDIA take cuDNN 9 for it.
TENSORFLOW_OF_ANOTHER_BUILDER = Scenario(
    name="tensorflow-of-another-builder",
    expect=HEALTHY,
    packages=(tensorflow("2.17.0", "12.6", cudnn="9"), *WHEELS),
)

# A near miss: Google's own.
TENSORFLOW_WITH_A_LATER_CUDNN = Scenario(
    name="tensorflow-with-a-later-cudnn",
    expect=Expected("broken", "cudnn-mismatch", "cudnn-mismatch"),
    packages=(tensorflow("2.17.0", "12.3", cudnn="8"), *WHEELS),
)

OLDER_CUBLAS_FIRST = Scenario(
    name="older-cublas-first",
    expect=Expected("degraded", "library-path-conflict", "library-path-conflict"),
    packages=(TENSORFLOW, *WHEELS),
    library_path=(LOCAL,),
    files=older(**{"libcublas.so.12": "12.1.3.1"}),
)

# What torch's own files ask for is named by them; of what cuSPARSE asks for that is not so.
OLDER_CUBLAS_BEHIND = replace(
    OLDER_CUBLAS_FIRST, name="older-cublas-behind", expect=HEALTHY, packages=(TORCH, *WHEELS)
)

OLDER_NVJITLINK_FIRST = replace(
    OLDER_CUBLAS_BEHIND,
    name="older-nvjitlink-first",
    expect=CONFLICT,
    files=older(**{"libnvJitLink.so.12": "12.1.105"}),
)

TWO_CUDNNS = Scenario(
    name="two-cudnns",
    expect=CONFLICT,
    packages=(TENSORFLOW, *WHEELS),
    library_path=(LOCAL,),
    files=older(**{"libcudnn.so.9": "9.0.0", "libcudnn_ops.so.9": "9.0.0"}),
)

# A later one of the same major serves as well.
LATER_CUDNN_FIRST = replace(
    TWO_CUDNNS,
    name="later-cudnn-first",
    expect=HEALTHY,
    files=older(**{"libcudnn.so.9": "9.5.1", "libcudnn_ops.so.9": "9.5.1"}),
)

MIXED_CUDNN = Scenario(
    name="mixed-cudnn",
    expect=Expected("broken", "cudnn-mismatch", "cudnn-mismatch"),
    packages=(tensorflow("2.18.0", "12.5"),
              *(each for each in WHEELS if "cudnn" not in each.name)),
    library_path=(LOCAL,),
    files=older(**{"libcudnn.so.9": "9.3.0", "libcudnn_ops.so.9": "9.5.1"}),
)  # fmt: skip

ONNXRUNTIME = Package(
    "onnxruntime-gpu",
    "1.20.1",
    {"onnxruntime/capi/build_and_package_info.py": "cuda_version = '12.6'\n"},
)

ONNXRUNTIME_WITH_WHEELS = Scenario(
    name="onnxruntime-with-wheels", expect=HEALTHY, packages=(ONNXRUNTIME, *WHEELS)
)

# The CPU's package was installed as a dependency of another, over the one for GPUs.
ONNXRUNTIME_TWICE = Scenario(
    name="onnxruntime-twice",
    expect=Expected("degraded", "mixed-installs", "mixed-installs"),
    packages=(ONNXRUNTIME_CPU, ONNXRUNTIME, *WHEELS),
)
