"""Frameworks without CUDA: by their build, by their own word, by what the tables say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ..packages.frameworks import Package, framework_of, framework_packages
from ..packages.mixed import is_shadowed
from ..place import Place, place_of
from ..statements import looked_for_node, no_gpu_seen, statements, value, value_words
from ..symptoms import driver_answers, nvidia_gpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys

#: The first TensorFlow without GPU support on native Windows.
_TENSORFLOW_WITHOUT_WINDOWS = (2, 11)

#: Statements of builds that they have no CUDA: statement, package, framework.
_STATEMENTS = (
    ("torch-without-cuda", "torch", "PyTorch"),
    ("tf-without-cuda", "tensorflow", "TensorFlow"),
    ("tf-native-windows", "tensorflow", "TensorFlow"),
    ("jax-without-cuda", "jaxlib", "JAX"),
    ("ort-provider-not-in-build", "onnxruntime", "ONNX Runtime"),
    ("ort-nuget-without-cuda", "microsoft.ml.onnxruntime", "ONNX Runtime"),
    ("ctranslate2-without-cuda", "ctranslate2", "CTranslate2"),
    ("llama-without-gpu", "llama-cpp-python", "llama.cpp"),
    ("whisper-without-gpu", "whisper-cpp", "whisper.cpp"),
    ("paddle-without-cuda", "paddlepaddle", "PaddlePaddle"),
    ("mxnet-without-cuda", "mxnet", "MXNet"),
    ("xgboost-without-cuda", "xgboost", "XGBoost"),
    ("lightgbm-without-gpu", "lightgbm", "LightGBM"),
    ("opencv-without-cuda", "opencv-python", "OpenCV"),
    ("opencv-configured-without-cuda", "opencv-python", "OpenCV"),
    ("vllm-without-cuda", "vllm", "vLLM"),
    ("faiss-without-gpu", "faiss-cpu", "Faiss"),
    ("nnabla-without-cuda", "nnabla", "NNabla"),
    ("sherpa-without-cuda", "sherpa-onnx", "sherpa-onnx"),
    ("dgl-without-cuda", "dgl", "DGL"),
    ("tvm-without-cuda", "tvm", "TVM"),
    ("dlib-without-cuda", "dlib", "dlib"),
    ("candle-without-cuda", "candle-core", "candle"),
    ("warp-without-cuda", "warp-lang", "Warp"),
    ("taichi-without-cuda", "taichi", "Taichi"),
    ("koboldcpp-without-cuda", "koboldcpp", "KoboldCpp"),
    ("ollama-without-cuda", "ollama", "Ollama"),
    ("kaldi-without-cuda", "kaldi", "Kaldi"),
    ("lammps-without-gpu", "lammps", "LAMMPS"),
    ("colmap-without-cuda", "colmap", "COLMAP"),
    ("genn-without-cuda", "pygenn", "PyGeNN"),
    ("emgu-without-cuda", "emgu.cv", "Emgu CV"),
    ("ffmpeg-without-cuda", "ffmpeg", "FFmpeg"),
)


SEEN = (said.FRAMEWORK_SEES_GPU, said.FRAMEWORK_COMPUTED)


class CpuBuild(NamedTuple):
    """A package without CUDA. `stated`: it says so itself; `guessed`: by tables only.

    `doubted`: so it is, and whether there is a GPU that it should use nobody tells.
    """

    package: str
    framework: str
    title: str
    keys: Keys
    stated: bool = False
    guessed: bool = False
    doubted: bool = False

    def as_package(self, facts: Facts) -> Package:
        """The package, for the choice of another build."""
        version = facts.known(names.PACKAGE_VERSION(self.package)) or ""
        return Package(self.package, self.framework, version, "cpu")


def for_cpu(facts: Facts) -> Iterator[CpuBuild]:
    """The packages whose build is known to be without CUDA."""
    place = place_of(facts)
    for package in framework_packages(facts):
        key = package.name
        keys = (names.PACKAGE_VERSION(key), names.PACKAGE_BUILD(key), names.PACKAGE_PATH(key))
        if left_windows(package.name, package.version, place):
            title = f"{package.title} has no GPU support on Windows: 2.10 was the last that had"
            yield CpuBuild(key, package.framework, title, keys)
        elif package.name == "jaxlib" and not _misses_plugin(facts):
            continue
        elif package.build == "cpu" and not _does_not_matter(facts, package.name):
            title = f"{package.title} is a build without CUDA, so it never uses the GPU"
            if package.name == "jaxlib":
                title = f"{package.title} is installed without a CUDA plugin, so JAX takes the CPU"
            yield CpuBuild(key, package.framework, title, keys)


def _does_not_matter(facts: Facts, package: str) -> bool:
    """Whether the package uses a GPU all the same, or what fails is its exchange with NumPy."""
    asked = (*no_gpu_seen(facts, ""), *statements(facts, "torch-without-cuda"))
    in_numpy = statements(facts, "numpy-abi", "numpy-abi-2")
    looked = package.startswith("tensorflow") and looked_for_node(facts)
    return uses_gpu(facts, package) or looked or (bool(in_numpy) and not asked)


def _misses_plugin(facts: Facts) -> bool:
    """Whether it is known that JAX is there for the GPU; jaxlib itself is the same for all."""
    asked = (*no_gpu_seen(facts, "jax"), *statements(facts, "jax-fell-back-to-cpu"))
    return bool(asked) or names.PACKAGE_FOLDERS.name in facts


def stated(facts: Facts) -> tuple[CpuBuild, ...]:
    """What builds say of themselves."""
    of_tables = (
        CpuBuild(package, framework, _title(facts, package, framework), (said.SIGN(sign),), True)
        for sign, package, framework in _STATEMENTS
        if statements(facts, sign) and _is_meant(facts, sign)
    )
    others = (
        *(_operators, _for_amd, _left_out, _other_program, _paddle, _replaced),
        *(_of_ggml, _wordless, _catboost, _opencv, _without_half),
    )
    return (*of_tables, *(each for step in others for each in step(facts)))


def _title(facts: Facts, package: str, framework: str) -> str:
    version = facts.known(names.PACKAGE_VERSION(package))
    # A version that names a CUDA is of another build than the one that says so.
    which = f"{framework} {version}" if version and "+cu" not in version else framework
    return f"{which} says that it is a build without CUDA"


def _is_meant(facts: Facts, sign: str) -> bool:
    """Where a package for GPUs is installed as well, the CPU's lies over it (GP606).

    A llama.cpp that failed to start CUDA has it. Ollama lists what it has on every machine. A JAX
    that lists the GPU is another one than warned. A TensorFlow that knows GPUs lacks an operation.
    """
    if sign == "tf-without-cuda" and "Nccl" in value(facts, sign):
        return bool(statements(facts, "tf-cpu-registered"))  # builds for Windows have none
    if sign == "tf-without-cuda":
        reached = statements(facts, "tf-gpu-registered", "tf-xla-gpu")
        return not (reached and "OpKernel" in value(facts, sign))
    if sign == "jax-without-cuda":
        return not (uses_gpu(facts, "jax") or statements(facts, "jax-plugin-mismatch"))
    if sign == "opencv-configured-without-cuda":  # most who show it ask for something else
        with_it = statements(facts, "opencv-configured-with-cuda")
        asked = statements(facts, "opencv-asked-for-cuda")
        return bool(asked) and not (with_it or uses_gpu(facts, "opencv-python"))
    if sign in ("llama-without-gpu", "whisper-without-gpu"):
        listed = statements(facts, "ggml-cuda-file") and "compiled" not in value(facts, sign)
        return not (listed or statements(facts, "ggml-no-cuda"))
    if sign == "dlib-without-cuda":  # one among several libraries, which may well do without
        tried = statements(facts, "dlib-cuda-compile-failed", "nvcc-not-found")
        return not (
            tried
            or facts.subjects(said.ERROR)
            or any(uses_gpu(facts, each) for each in _seers(facts))
        )
    if sign in ("ollama-without-cuda", "tvm-without-cuda"):
        return _asked_for(facts, sign.partition("-")[0])
    # COLMAP keeps SiftGPU silent about the language that it takes: another program asked for it.
    of_another = sign == "colmap-without-cuda" and statements(facts, "siftgpu-draws")
    return not (of_another or is_shadowed(facts, sign))


def _asked_for(facts: Facts, package: str) -> bool:
    """Whether a GPU is there for Ollama, or TVM missed it; who compiles for CPUs shows the same."""
    shown = nvidia_gpus(facts) or facts.known(names.DRIVER_VERSION) is not None
    if package == "tvm":
        refused = "not enabled" in value(facts, "tvm-without-cuda")
        shown = refused or statements(facts, "gpu-not-usable")
    return bool(shown) and not uses_gpu(facts, package)


def _operators(facts: Facts) -> Iterator[CpuBuild]:
    """An operator of torch itself without CUDA code: the whole build has none."""
    if value(facts, "op-without-cuda").startswith("aten::"):
        title = _title(facts, "torch", "PyTorch")
        yield CpuBuild("torch", "PyTorch", title, (said.SIGN("op-without-cuda"),), True)


def _for_amd(facts: Facts) -> Iterator[CpuBuild]:
    """PyTorch for AMD's GPUs, on a machine that has one of NVIDIA."""
    build = names.PACKAGE_BUILD("torch")
    failing = (*statements(facts, "torch-no-amd-gpu"), *no_gpu_seen(facts, "torch"))
    rocm = facts.known(build) == "rocm"
    if failing and nvidia_gpus(facts) and (rocm or statements(facts, "torch-no-amd-gpu")):
        title = "PyTorch is a build for AMD's GPUs (ROCm), which never uses one of NVIDIA"
        yield CpuBuild("torch", "PyTorch", title, (build, *failing, *nvidia_gpus(facts)), True)


def _other_program(facts: Facts) -> Iterator[CpuBuild]:
    """A program of the sciences, which people mostly compile themselves."""
    made = statements(facts, "program-without-gpu")
    if made:
        name = value(facts, "program-without-gpu")
        title = f"{name} says that it is a build without GPU support"
        yield CpuBuild(name.lower(), name, title, made, True)


def _paddle(facts: Facts) -> Iterator[CpuBuild]:
    """Paddle ran on the CPU beside a GPU, as its check or somebody says; its package is for it."""
    ran, build = said.FRAMEWORK_COMPUTED("paddlepaddle"), names.PACKAGE_BUILD("paddlepaddle")
    idle = (ran,) if facts.known(ran) is False else statements(facts, "told-idle")
    there = (*nvidia_gpus(facts), *driver_answers(facts))
    if idle and facts.known(build) == "cpu" and there:
        title = "The package paddlepaddle is a build without CUDA: it ran on the CPU"
        keys = (names.PACKAGE_VERSION("paddlepaddle"), *idle, *there)
        yield CpuBuild("paddlepaddle", "PaddlePaddle", title, keys, True)


def _replaced(facts: Facts) -> Iterator[CpuBuild]:
    """What pip installed in the place of a build for GPUs, as somebody tells."""
    name = value(facts, "replaced-by-cpu-build").lower()
    if name and not any(uses_gpu(facts, each) for each in (name, f"{name}-gpu")):
        framework = framework_of(name) or name
        title = f"{framework} for GPUs was replaced by a build without CUDA"
        yield CpuBuild(name, framework, title, statements(facts, "replaced-by-cpu-build"), True)


def _of_ggml(facts: Facts) -> Iterator[CpuBuild]:
    """Make was asked for CUDA by a name that this source does not know: its flags are without."""
    keys = statements(facts, "ggml-make-asked-for-cuda", "ggml-flags-without-cuda")
    if len(keys) > 1 and not statements(facts, "ggml-flags-with-cuda"):
        whisper = value(facts, "ggml-build-info").lower() == "whisper"
        package, name = _WHISPER if whisper else _LLAMA
        title = f"{name} is compiled without CUDA, though make was asked for it"
        yield CpuBuild(package, name, title, keys, True)


_WHISPER, _LLAMA = ("whisper-cpp", "whisper.cpp"), ("llama-cpp-python", "llama.cpp")


def _wordless(facts: Facts) -> Iterator[CpuBuild]:
    """A TensorFlow 1 that begins without a word of CUDA; one for GPUs tells of it every time."""
    made = statements(facts, "tf-without-word-of-cuda")
    beside = statements(facts, "net-packages-beside", "cpu-package-beside-told")  # GP606
    if made and not beside and not uses_gpu(facts, "tensorflow"):
        title = "TensorFlow begins without a word of CUDA and knows no device: it is built without"
        yield CpuBuild("tensorflow", "TensorFlow", title, made, True)


def _catboost(facts: Facts) -> Iterator[CpuBuild]:
    """Its script makes a wheel for the CPU where the part for GPUs does not compile."""
    made = statements(facts, "catboost-gpu-not-linked", "catboost-gpu-not-built")
    if len(made) > 1:
        title = "CatBoost's wheel was built without its part for GPUs, which did not compile"
        yield CpuBuild("catboost", "CatBoost", title, made, True)


def _opencv(facts: Facts) -> Iterator[CpuBuild]:
    """Its CUDA modules come with opencv_contrib, and only where it was compiled with CUDA."""
    made = statements(facts, "opencv-modules-missing")
    if made:
        module = value(facts, "opencv-modules-missing")
        title = f"OpenCV is installed without its modules for CUDA: {module} is not there"
        yield CpuBuild("opencv", "OpenCV", title, made, True)


def _without_half(facts: Facts) -> Iterator[CpuBuild]:
    """PyTorch's code for CUDA is a library of its own, which builds for the CPU do not have.

    Python's loads it wherever it is there. A linker leaves it out of a program of C++ or Rust, as
    that calls nothing in it by name.
    """
    made, error = statements(facts, _UNLOADED), value(facts, _UNLOADED)
    if error.startswith("RuntimeError"):
        yield CpuBuild("torch", "PyTorch", _title(facts, "torch", "PyTorch"), made, True)
    elif made:
        package = "libtorch" if error.startswith(_OF_RUST) else "libtorch-shared-with-deps"
        title = "LibTorch's library for CUDA is not loaded: it is the build for the CPU, or the "
        title += "program is linked without it"
        yield CpuBuild(package, "LibTorch", title, made, stated=True, guessed=True)


_UNLOADED, _OF_RUST = "torch-cuda-part-not-loaded", ("Torch", "c_error")


#: What spaCy computes on the GPU with.
_SPACY = ("spacy", "thinc")


def _left_out(facts: Facts) -> Iterator[CpuBuild]:
    """The part of a package for the GPU, which pip left out, or which a program misses."""
    asked = value_words(facts, "pip-extra-unknown")
    if missed := statements(facts, "spacy-without-cupy", "chainer-without-cupy"):
        title = "The program computes on the GPU with CuPy, which is not installed"
        yield CpuBuild("cupy", "CuPy", title, missed, True)
    elif len(asked) > 1 and not any(uses_gpu(facts, each) for each in _seers(facts)):
        package, extra = asked[:2]
        name = "cupy" if package in _SPACY else package
        title = f'pip knows no "{extra}" of {package}, and left out the part for the GPU'
        keys = statements(facts, "pip-extra-unknown")
        yield CpuBuild(name, framework_of(name) or name, title, keys, True)


def _seers(facts: Facts) -> set[str]:
    return {name for family in SEEN for name in facts.subjects(family)}


def uses_gpu(facts: Facts, name: str) -> bool:
    """Whether a framework sees a GPU, or computed on one."""
    return any(facts.known(family(name)) for family in SEEN)


def left_windows(name: str, version: str, place: Place) -> bool:
    """Whether it is a TensorFlow of the releases that use no GPU on Windows."""
    if place.system != "Windows" or place.wsl or framework_of(name) != "TensorFlow":
        return False
    major, _, minor = version.partition(".")
    minor = minor.partition(".")[0]
    if not (major.isdigit() and minor.isdigit()):
        return False
    return (int(major), int(minor)) >= _TENSORFLOW_WITHOUT_WINDOWS
