"""Machines whose driver works and whose framework cannot use it."""

from __future__ import annotations

from dataclasses import replace

from support.machines import DRIVER_580, GTX_1080_TI, RTX_5090
from support.scenario import Expected, Package, Scenario
from support.trees import DOCKER

HEALTHY = Expected("healthy", None)


def torch(version: str, cuda: str | None) -> Package:
    """A PyTorch wheel, down to the file that says what it was built with."""
    text = (
        "from typing import Optional\n\n"
        "__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']\n"
        f"__version__ = {version!r}\n"
        "debug = False\n"
        f"cuda: Optional[str] = {cuda!r}\n"
        "git_version = '0000000000000000000000000000000000000000'\n"
        "hip: Optional[str] = None\n"
    )
    return Package("torch", version, {"torch/version.py": text, "torch/__init__.py": ""})


TORCH_CU121 = torch("2.3.1+cu121", "12.1")
TORCH_CPU = torch("2.3.1+cpu", None)

CPU_ONLY_BUILD = Scenario(
    name="cpu-only-build",
    expect=Expected("broken", "cpu-only-build", "cpu-only-build"),
    packages=(TORCH_CPU,),
)

# -- CPU builds under all their names ------------------------------------------------------------


def tensorflow(
    version: str,
    cuda: str | None,
    name: str = "tensorflow",
    cudnn: str | None = None,
    **more: bytes,
) -> Package:
    """A wheel of TensorFlow, with the file that says what it was built with."""
    told = f'"cuda_version": "{cuda}", "is_cuda_build": True' if cuda else '"is_cuda_build": False'
    told += f', "cudnn_version": "{cudnn}"' if cudnn else ""
    path = "tensorflow/python/platform/build_info.py"
    text = f"build_info = collections.OrderedDict({{{told}}})\n"
    return Package(name, version, {path: text, "tensorflow/__init__.py": "", **more})


#: A plugin brings CUDA to JAX; jaxlib is the same with and without it.
JAX = (Package("jax", "0.4.35"), Package("jaxlib", "0.4.35"))
ONNXRUNTIME_CPU = Package("onnxruntime", "1.20.1")
WITHOUT_CUDA = Expected("broken", "cpu-only-build", "cpu-only-build")

CPU_TENSORFLOW = Scenario(
    name="cpu-tensorflow",
    expect=WITHOUT_CUDA,
    packages=(tensorflow("2.17.0", None, "tensorflow-cpu"),),
)

JAX_WITHOUT_PLUGIN = Scenario(name="jax-without-plugin", expect=WITHOUT_CUDA, packages=JAX)

CPU_ONNXRUNTIME = Scenario(name="cpu-onnxruntime", expect=WITHOUT_CUDA, packages=(ONNXRUNTIME_CPU,))

# Each of them stays a CPU build when the others are replaced.
CPU_BUILDS_OF_EVERYTHING = Scenario(
    name="cpu-builds-of-everything",
    expect=replace(WITHOUT_CUDA, independent=("cpu-only-build",) * 3),
    packages=(TORCH_CPU, tensorflow("2.17.0", None, "tensorflow-cpu"), *JAX, ONNXRUNTIME_CPU),
)

# The look finds no GPU that they could use.
CPU_BUILDS_WHERE_NO_GPU_IS = Scenario(
    name="cpu-builds-where-no-gpu-is",
    expect=Expected("broken", "no-nvidia-gpu", "no-nvidia-gpu"),
    gpus=(),
    driver=None,
    module=None,
    packages=CPU_BUILDS_OF_EVERYTHING.packages,
)

# -- packages in each other's way ----------------------------------------------------------------

CUPY_TWICE = Scenario(
    name="cupy-twice",
    expect=Expected("degraded", "mixed-installs", "mixed-installs"),
    packages=(Package("cupy-cuda11x", "13.3.0"), Package("cupy-cuda12x", "13.3.0")),
)

_CONDA = "/opt/conda/envs/work"

# `pip install torch` in an environment in which conda had installed another release of it.
PIP_OVER_CONDA = Scenario(
    name="pip-over-conda",
    expect=Expected("degraded", "mixed-installs", "mixed-installs"),
    packages=(TORCH_CU121,),
    site=f"{_CONDA}/lib/python3.11/site-packages",
    files={f"{_CONDA}/conda-meta/pytorch-2.1.0-py3.11_cuda12.1_cudnn8.9.2_0.json": "{}"},
)

# What conda recorded is what is there.
CONDA_ALONE = replace(
    PIP_OVER_CONDA,
    name="conda-alone",
    expect=HEALTHY,
    packages=(torch("2.3.1", "12.1"),),
    files={f"{_CONDA}/conda-meta/pytorch-2.3.1-py3.11_cuda12.1_cudnn8.9.2_0.json": "{}"},
)

# conda-forge's own builds have versions of their own, and JAX's CUDA without a plugin.
CONDA_FORGE = replace(
    CONDA_ALONE,
    name="conda-forge",
    packages=(
        torch("2.1.2.post301", "12.0"),
        Package("jax", "0.4.23"),
        Package("jaxlib", "0.4.23.dev20240214"),
    ),
    files={
        f"{_CONDA}/conda-meta/pytorch-2.1.2-cuda120_py311h25b6552_301.json": "{}",
        f"{_CONDA}/conda-meta/jaxlib-0.4.23-cuda120py311hb4fdbde_201.json": "{}",
    },
)

# pip's jaxlib lies over conda's, and has no CUDA.
PIP_JAXLIB_OVER_CONDA = replace(
    CONDA_FORGE,
    name="pip-jaxlib-over-conda",
    expect=Expected("broken", "cpu-only-build", "cpu-only-build"),
    packages=JAX,
)

JAX_PLUGIN_OF_ANOTHER_RELEASE = Scenario(
    name="jax-plugin-of-another-release",
    expect=Expected("broken", "extension-mismatch", "extension-mismatch"),
    packages=(
        *JAX,
        Package("jax-cuda12-plugin", "0.4.30"),
        Package("jax-cuda12-pjrt", "0.4.30"),
    ),
)

JAX_WITH_ITS_PLUGIN = Scenario(
    name="jax-with-its-plugin",
    expect=HEALTHY,
    packages=(
        *JAX,
        Package("jax-cuda12-plugin", "0.4.35"),
        Package("jax-cuda12-pjrt", "0.4.35"),
    ),
)

# -- builds without code for the GPU -------------------------------------------------------------

# CUDA 13 has no compiler for Pascal any more, which the driver still serves.
PASCAL_WITH_CUDA_13 = Scenario(
    name="pascal-with-cuda-13",
    expect=Expected("broken", "gpu-too-old", "gpu-too-old"),
    gpus=(GTX_1080_TI,),
    driver=replace(DRIVER_580, open_module=False),
    packages=(torch("2.9.1+cu130", "13.0"),),
)

PASCAL_WITH_CUDA_12 = replace(
    PASCAL_WITH_CUDA_13,
    name="pascal-with-cuda-12",
    expect=HEALTHY,
    packages=(torch("2.7.1+cu126", "12.6"),),
)

BLACKWELL_WITH_CUDA_12_1 = Scenario(
    name="blackwell-with-cuda-12.1",
    expect=Expected("broken", "gpu-too-new", "gpu-too-new"),
    gpus=(RTX_5090,),
    driver=DRIVER_580,
    packages=(TORCH_CU121,),
)

BLACKWELL_WITH_CUDA_12_8 = replace(
    BLACKWELL_WITH_CUDA_12_1,
    name="blackwell-with-cuda-12.8",
    expect=HEALTHY,
    packages=(torch("2.7.1+cu128", "12.8"),),
)

# Arch, conda-forge and who compiles torch have code for other GPUs than PyTorch's own wheels.
PASCAL_WITH_A_TORCH_OF_ARCH = replace(
    PASCAL_WITH_CUDA_13, name="pascal-with-a-torch-of-arch", expect=HEALTHY,
    packages=(torch("2.7.0", "12.8"),),
)  # fmt: skip

# No toolkit of CUDA 13 could have made it, whoever built it.
PASCAL_WITH_ANY_CUDA_13 = replace(
    PASCAL_WITH_CUDA_13, name="pascal-with-any-cuda-13", packages=(torch("2.9.1", "13.0"),)
)

CUPY_OF_CONDA = replace(
    CONDA_ALONE,
    name="cupy-of-conda",
    packages=(Package("cupy", "13.3.0"), Package("onnxruntime-genai", "0.5.0")),
    files={
        f"{_CONDA}/conda-meta/cupy-core-13.3.0-py311hb4a9bd0_1.json": '{"depends": '
        '["__glibc >=2.17", "cuda-nvrtc >=12.0.76,<13.0a0", "cuda-version >=12,<13.0a0"]}'
    },
)

# `pip install --editable .` in the sources of PyTorch.
_EDITABLE = torch("2.9.0a0+git1234567", "12.8")
TORCH_IN_ITS_SOURCES = Scenario(
    name="torch-in-its-sources",
    expect=HEALTHY,
    packages=(Package("torch", _EDITABLE.version, {
        f"torch-{_EDITABLE.version}.dist-info/direct_url.json":
        '{"dir_info": {"editable": true}, "url": "file:///src/pytorch"}'
    }),),
    files={"/src/pytorch/torch/version.py": _EDITABLE.files["torch/version.py"]},
)  # fmt: skip

# As NVIDIA's container 25.01 has them, built from sources between two releases.
NGC = Scenario(
    name="ngc",
    expect=HEALTHY,
    driver=DRIVER_580,
    packages=(
        torch("2.6.0a0+ecf3bae40a.nv25.01", "12.8"),
        Package("torchvision", "0.20.0a0+120be1c"),
    ),
    files=DOCKER,
)

# A near miss: two releases.
TORCHVISION_OF_ANOTHER_RELEASE = replace(
    NGC,
    name="torchvision-of-another-release",
    expect=Expected("degraded", "extension-mismatch", "extension-mismatch"),
    packages=(torch("2.6.0+cu126", "12.6"), Package("torchvision", "0.20.1+cu124")),
)

ONNXRUNTIME_OF_CONDA = replace(
    CONDA_ALONE,
    name="onnxruntime-of-conda",
    packages=(Package("onnxruntime", "1.20.1"),),
    files={
        f"{_CONDA}/conda-meta/onnxruntime-1.20.1-py311h1a2b3c4_205_cuda.json":
        '{"depends": ["cuda-version >=12.6,<13", "cudnn >=9.3.0.75,<10.0a0"]}'
    },
)  # fmt: skip
