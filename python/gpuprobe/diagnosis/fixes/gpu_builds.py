"""What brings the GPU to a program that was built without it, where each has a way of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts.version import Version
from ...knowledge import cupy, tensorflow
from ..model import Fix
from ..shells import set_variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..questions.packages.frameworks import Package
    from .ground import Ground


def build_of(package: Package, ground: Ground, undo: str | None) -> Fix:
    """The way of this program; without one, what to look for."""
    way = _WAYS.get(package.name) or _WAYS.get(package.framework)
    text, commands = way(package, ground) if way is not None else ("", ())
    if not text:
        text = f"Install a build of {package.framework} with CUDA, or compile it with CUDA."
    return Fix.by_user(text, commands, undo=undo)


def _jax(_: Package, ground: Ground) -> tuple[str, tuple[str, ...]]:
    from .jax import command_of, served_wheel

    if ground.windows:
        return "Use JAX inside WSL 2: on Windows it has no packages with CUDA.", ()
    found = served_wheel(ground)
    if found is None:
        return "", ()
    text = (
        f"Install JAX with its packages for CUDA {found.cuda_major}, which pip brings along; they "
        f"want a driver from {found.linux_driver} on."
    )
    return text, (command_of(found),)


def _tensorflow(package: Package, _: Ground) -> tuple[str, tuple[str, ...]]:
    if package.name not in ("tensorflow", "tensorflow-cpu", "tensorflow-intel"):
        return "", ()
    known = tensorflow.release(package.version) if package.version else None
    if known is not None and not known.and_cuda:
        number, text = f"=={package.version}", "Install TensorFlow's own build, which has CUDA code"
        text += f"; it wants CUDA {known.cuda} and cuDNN {known.cudnn}, which pip does not bring."
        name = known.package
    else:
        text = "Install TensorFlow's own build together with the CUDA libraries, which pip brings."
        name, number = "tensorflow[and-cuda]", f"=={package.version}" if known else ""
    remove = f"pip uninstall --yes {package.name}"
    return text, (remove, f'pip install "{name}{number}"')


def _onnxruntime(_: Package, __: Ground) -> tuple[str, tuple[str, ...]]:
    text = "Install onnxruntime-gpu in the place of onnxruntime: the two share one folder."
    return text, ("pip uninstall --yes onnxruntime", "pip install onnxruntime-gpu")


def _cupy(_: Package, ground: Ground) -> tuple[str, tuple[str, ...]]:
    """The package of a CUDA's major that driver and GPU serve; without one pip compiles CuPy."""
    served = ground.driver_cuda
    if served is None:
        text = (
            "Install the CuPy for the CUDA that nvidia-smi shows: the number in the package's "
            "name is that of its major."
        )
        return text, ("nvidia-smi", "pip install cupy-cuda12x")
    found = cupy.package_for(served, min(ground.capabilities, default=None))
    if found is None:
        return "", ()
    text = f"Install the CuPy for CUDA {found.cuda_min.major}, which the driver serves."
    return text, (f"pip install {found.package}",)


#: PyPI has no later one: https://pypi.org/project/paddlepaddle-gpu/
_LAST_PADDLE_OF_PYPI = Version("2.6.2")
_PADDLE_INDEX = "https://www.paddlepaddle.org.cn/packages/stable"
#: Folders of that index, the newest first: https://www.paddlepaddle.org.cn/en/install/quick
_PADDLE_CUDAS = (Version("12.6"), Version("11.8"))


def _paddle(package: Package, ground: Ground) -> tuple[str, tuple[str, ...]]:
    """Under another name; from release 3 on in a folder for each CUDA."""
    remove = f"pip uninstall --yes {package.name}"
    version = Version.parse(package.version)
    if version is not None and version <= _LAST_PADDLE_OF_PYPI:
        text = "Install paddlepaddle-gpu of the same release in the place of paddlepaddle."
        return text, (remove, f"pip install paddlepaddle-gpu=={package.version}")
    driver = ground.driver_cuda
    cuda = next((each for each in _PADDLE_CUDAS if driver and driver >= each), _PADDLE_CUDAS[-1])
    folder = f"{_PADDLE_INDEX}/cu{cuda.major}{cuda.minor}/"
    wanted = "paddlepaddle-gpu" + (f"=={package.version}" if version else "")
    text = (
        "Install paddlepaddle-gpu in the place of paddlepaddle. From release 3 on it comes from "
        f"Paddle's own index, which has a folder for each CUDA; this is that of {cuda}."
    )
    return text, (remove, f"pip install {wanted} -i {folder}")


def _opencv(package: Package, ground: Ground) -> tuple[str, tuple[str, ...]]:
    target = ";".join(map(str, ground.capabilities)) or "CAPABILITY"
    options = "-D WITH_CUDA=ON -D WITH_CUDNN=ON -D OPENCV_DNN_CUDA=ON"
    text = (
        "No package of OpenCV that pip installs has CUDA: compile it, together with "
        "opencv_contrib, for the GPU's compute capability. Without that it computes on the CPU."
    )
    contrib = "-D OPENCV_EXTRA_MODULES_PATH=../opencv_contrib/modules"
    remove = ("pip uninstall --yes opencv-python",) * (package.name == "opencv-python")
    commands = (
        *remove,
        f'cmake {options} -D CUDA_ARCH_BIN="{target}" {contrib} ../opencv',
    )
    return text, commands


def _ggml(package: Package, ground: Ground) -> tuple[str, tuple[str, ...]]:
    compiled = "cmake -B build -DGGML_CUDA=ON && cmake --build build --config Release"
    text = f"Compile {package.framework} with CUDA, which needs the CUDA toolkit"
    if package.name != "llama-cpp-python":
        return f"{text}.", (compiled,)
    install = "pip install --force-reinstall --no-cache-dir --no-deps llama-cpp-python"
    for_python = f"CMAKE_ARGS=-DGGML_CUDA=on {install}"
    if ground.windows:
        for_python = f"{set_variable('CMAKE_ARGS', '-DGGML_CUDA=on', windows=True)}; {install}"
    text += ": the first command is for the program, the second for Python's package."
    return text, (compiled, for_python)


def _for_all(package: Package, _: Ground) -> tuple[str, tuple[str, ...]]:
    """One way whatever GPU and driver there are, by the pages of those who make the program."""
    return _FOR_ALL[package.framework]


_FOR_ALL: dict[str, tuple[str, tuple[str, ...]]] = {
    # https://xgboost.readthedocs.io/en/stable/install.html
    "XGBoost": (
        "Install PyPI's xgboost, which has CUDA on Windows, and on Linux from glibc 2.28 on.",
        ("pip uninstall --yes xgboost xgboost-cpu", "pip install xgboost"),
    ),
    # https://github.com/lightgbm-org/LightGBM/blob/main/python-package/README.rst
    "LightGBM": (
        (
            "Install PyPI's lightgbm, whose files for Linux and Windows compute by OpenCL"
            " (`device='gpu'`). `device='cuda'` is for Linux alone: for it compile LightGBM by the"
            " last command, with the CUDA toolkit."
        ),
        (
            "pip install --force-reinstall --no-deps lightgbm",
            "pip install --no-binary lightgbm lightgbm --config-settings=cmake.define.USE_CUDA=ON",
        ),
    ),
    # https://github.com/facebookresearch/faiss/blob/main/INSTALL.md
    "Faiss": (
        "Install conda's faiss-gpu, which is for Linux on x86-64, in the place of faiss-cpu.",
        ("pip uninstall --yes faiss-cpu", "conda install -c pytorch -c nvidia faiss-gpu"),
    ),
    # https://pypi.org/project/mxnet-cu112/
    "MXNet": (
        "Install the MXNet that names its CUDA: the last is mxnet-cu112 1.9.1.",
        ("pip uninstall --yes mxnet", "pip install mxnet-cu112"),
    ),
    # https://github.com/davisking/dlib: its CMakeLists.txt looks for both and says what it found
    "dlib": (
        'Let pip compile dlib beside nvcc and cuDNN: it prints "DLIB WILL USE CUDA", or why not.',
        ("pip install --force-reinstall --no-cache-dir --no-deps --verbose dlib",),
    ),
    # https://www.dgl.ai/pages/start.html
    "DGL": (
        "Install DGL from the page for your PyTorch, in the place of 2.4 (the last), and CUDA.",
        (
            "pip uninstall --yes dgl",
            "pip install dgl -f https://data.dgl.ai/wheels/torch-2.4/cu124/repo.html",
        ),
    ),
    # https://nnabla.readthedocs.io/en/latest/python/pip_installation_cuda.html
    "NNabla": (
        "Install nnabla's extension for the CUDA that is there: 1.39 has 11.0, 11.6 and 12.0.",
        ("pip list | grep nnabla", "pip install nnabla-ext-cuda120"),
    ),
    # https://www.nuget.org/packages/Emgu.CV.runtime.windows.cuda ends with 4.4.0: larger ones lie
    # beside the releases, https://github.com/emgucv/emgucv/releases/tag/4.8.0
    "Emgu CV": (
        "Take out Emgu CV's run time without CUDA, add the one with it (4.5 and later: GitHub).",
        (
            "dotnet remove package Emgu.CV.runtime.windows",
            "dotnet add package Emgu.CV.runtime.windows.cuda",
        ),
    ),
    # https://github.com/genn-team/genn: its setup builds for the CUDA that CUDA_PATH names
    "PyGeNN": (
        "Build PyGeNN anew from its source, with the toolkit's folder in CUDA_PATH.",
        ("export CUDA_PATH=/usr/local/cuda", "python setup.py develop"),
    ),
    # https://opennmt.net/CTranslate2/installation.html
    "CTranslate2": (
        "PyPI's CTranslate2 has CUDA for Linux on x86-64 and Windows; elsewhere compile it so.",
        ("cmake -B build -DWITH_CUDA=ON -DWITH_CUDNN=ON && cmake --build build",),
    ),
}


def _libtorch(_: Package, __: Ground) -> tuple[str, tuple[str, ...]]:
    text = (
        "Let tch take the LibTorch of a Python's torch that sees the GPU, or fetch one with CUDA "
        "(TORCH_CUDA_VERSION=cu118), or name yours by LIBTORCH; then compile the program anew. "
        "Where it runs, LD_LIBRARY_PATH has to name the folder lib of the same one first. Each tch "
        "goes with one torch."
    )
    return text, ("export LIBTORCH_USE_PYTORCH=1", "cargo clean && cargo build")


def _libtorch_of_cpp(_: Package, __: Ground) -> tuple[str, tuple[str, ...]]:
    text = (
        "Fetch the LibTorch for a CUDA, whose address at pytorch.org has a folder such as cu126 in "
        "the place of cpu, and compile the program anew against it, in an empty folder. Link its "
        "libtorch_cuda, too, which a linker leaves out that is not told to keep it "
        "(-Wl,--no-as-needed, or on Windows -INCLUDE:?warp_size@cuda@at@@YAHXZ): `ldd PROGRAM` "
        "lists it where it is in."
    )
    return text, ()


def _cmake(_: Package, __: Ground) -> tuple[str, tuple[str, ...]]:
    text = (
        "Install the CUDA toolkit where there is none, and configure anew, in an empty folder, "
        "with the path of its nvcc and the program's own option for CUDA (COLMAP: CUDA_ENABLED=ON)."
    )
    return text, ("cmake -B build -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc",)


def _nuget(_: Package, __: Ground) -> tuple[str, tuple[str, ...]]:
    name = "Microsoft.ML.OnnxRuntime"
    text = f"Reference NuGet's package {name}.Gpu in the place of {name}."
    return text, (f"dotnet remove package {name}", f"dotnet add package {name}.Gpu")


_WAYS: dict[str, Callable[[Package, Ground], tuple[str, tuple[str, ...]]]] = {
    "JAX": _jax,
    "TensorFlow": _tensorflow,
    "ONNX Runtime": _onnxruntime,
    "microsoft.ml.onnxruntime": _nuget,
    "CuPy": _cupy,
    "paddlepaddle": _paddle,
    **dict.fromkeys(_FOR_ALL, _for_all),
    "OpenCV": _opencv,
    "libtorch": _libtorch,
    "libtorch-shared-with-deps": _libtorch_of_cpp,
    "cmake-build": _cmake,
    "llama-cpp-python": _ggml,
    "whisper-cpp": _ggml,
}
