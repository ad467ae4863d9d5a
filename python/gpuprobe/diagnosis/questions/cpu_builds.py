"""Frameworks without CUDA: by their build, by their own word, by what the tables say of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...facts import names, said
from ...facts.version import Version
from .installed import installed_cuda
from .mixed_packages import is_shadowed
from .packages import Package, framework_of, framework_packages
from .place import place_of
from .statements import no_gpu_seen, statements, value, value_words
from .symptoms import driver_answers, nvidia_gpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...facts.model import Facts, Key
    from .place import Place

#: The first TensorFlow without GPU support on native Windows.
_TENSORFLOW_WITHOUT_WINDOWS = (2, 11)

#: Statements of builds that they have no CUDA: statement, package, framework.
_STATEMENTS = (
    ("torch-without-cuda", "torch", "PyTorch"),
    ("tf-without-cuda", "tensorflow", "TensorFlow"),
    ("tf-native-windows", "tensorflow", "TensorFlow"),
    ("jax-without-cuda", "jaxlib", "JAX"),
    ("ort-provider-not-in-build", "onnxruntime", "ONNX Runtime"),
    ("ctranslate2-without-cuda", "ctranslate2", "CTranslate2"),
    ("llama-without-gpu", "llama-cpp-python", "llama.cpp"),
    ("paddle-without-cuda", "paddlepaddle", "PaddlePaddle"),
    ("mxnet-without-cuda", "mxnet", "MXNet"),
    ("xgboost-without-cuda", "xgboost", "XGBoost"),
    ("opencv-without-cuda", "opencv-python", "OpenCV"),
    ("opencv-configured-without-cuda", "opencv-python", "OpenCV"),
    ("vllm-without-cuda", "vllm", "vLLM"),
    ("faiss-without-gpu", "faiss-cpu", "Faiss"),
    ("dgl-without-cuda", "dgl", "DGL"),
    ("dlib-without-cuda", "dlib", "dlib"),
    ("candle-without-cuda", "candle-core", "candle"),
    ("warp-without-cuda", "warp-lang", "Warp"),
    ("taichi-without-cuda", "taichi", "Taichi"),
    ("koboldcpp-without-cuda", "koboldcpp", "KoboldCpp"),
    ("ollama-without-cuda", "ollama", "Ollama"),
    ("lammps-without-gpu", "lammps", "LAMMPS"),
    ("colmap-without-cuda", "colmap", "COLMAP"),
)


_SEEN = (said.FRAMEWORK_SEES_GPU, said.FRAMEWORK_COMPUTED)
_ON_BOARDS = (("torch", "PyTorch"), ("tensorflow", "TensorFlow"))
#: NVIDIA's own builds for its boards: 2.1.0a0+41361538.nv23.06, 2.12.0+nv23.06.
_BY_NVIDIA = re.compile(r"[+.]nv\d")


class CpuBuild(NamedTuple):
    """A package without CUDA. `stated`: it says so itself; `guessed`: by tables only."""

    package: str
    framework: str
    title: str
    keys: tuple[Key[object], ...]
    stated: bool = False
    guessed: bool = False

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
        if _left_windows(package.name, package.version, place):
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
    return _uses_gpu(facts, package) or (bool(in_numpy) and not asked)


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
    others = (_operators, _for_amd, _left_out, _other_program, _paddle, _replaced)
    return (*of_tables, *(each for step in others for each in step(facts)))


def _title(facts: Facts, package: str, framework: str) -> str:
    version = facts.known(names.PACKAGE_VERSION(package))
    which = f"{framework} {version}" if version else framework
    return f"{which} says that it is a build without CUDA"


def _is_meant(facts: Facts, sign: str) -> bool:
    """Where a package for GPUs is installed as well, the CPU's lies over it (GP606).

    And llama.cpp that failed to start CUDA has it. Ollama lists what it has on every machine. A JAX
    that lists the GPU is another one than warned. A TensorFlow that knows GPUs lacks an operation.
    """
    if sign == "tf-without-cuda":
        return not (statements(facts, "tf-gpu-registered") and "OpKernel" in value(facts, sign))
    if sign == "jax-without-cuda":
        return not _uses_gpu(facts, "jax")
    if sign == "opencv-configured-without-cuda":  # most who show it ask for something else
        with_it = statements(facts, "opencv-configured-with-cuda")
        asked = statements(facts, "opencv-asked-for-cuda")
        return bool(asked) and not (with_it or _uses_gpu(facts, "opencv-python"))
    if sign == "dlib-without-cuda":  # GP406: it was to have it, and its trial did not compile
        return not statements(facts, "dlib-cuda-compile-failed")
    if sign == "llama-without-gpu":
        return not statements(facts, "ggml-no-cuda")
    if sign == "ollama-without-cuda":
        shown = nvidia_gpus(facts) or facts.known(names.DRIVER_VERSION) is not None
        return bool(shown) and not _uses_gpu(facts, "ollama")
    return not is_shadowed(facts, sign)


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
    if name and not any(_uses_gpu(facts, each) for each in (name, f"{name}-gpu")):
        framework = framework_of(name) or name
        title = f"{framework} for GPUs was replaced by a build without CUDA"
        yield CpuBuild(name, framework, title, statements(facts, "replaced-by-cpu-build"), True)


#: What spaCy computes on the GPU with.
_SPACY = ("spacy", "thinc")


def _left_out(facts: Facts) -> Iterator[CpuBuild]:
    """The part of a package for the GPU, which pip left out, or which a program misses."""
    asked = value_words(facts, "pip-extra-unknown")
    if missed := statements(facts, "spacy-without-cupy", "chainer-without-cupy"):
        title = "The program computes on the GPU with CuPy, which is not installed"
        yield CpuBuild("cupy", "CuPy", title, missed, True)
    elif len(asked) > 1 and not any(_uses_gpu(facts, each) for each in _seers(facts)):
        package, extra = asked[:2]
        name = "cupy" if package in _SPACY else package
        title = f'pip knows no "{extra}" of {package}, and left out the part for the GPU'
        keys = statements(facts, "pip-extra-unknown")
        yield CpuBuild(name, framework_of(name) or name, title, keys, True)


def _seers(facts: Facts) -> set[str]:
    return {name for family in _SEEN for name in facts.subjects(family)}


def suspected(facts: Facts) -> tuple[CpuBuild, ...]:
    """Packages that see no GPU, and that the tables know as builds without CUDA."""
    return tuple(_by_table(facts))


def _by_table(facts: Facts) -> Iterator[CpuBuild]:
    place = place_of(facts)
    for name in facts.subjects(names.PACKAGE_VERSION):
        framework = framework_of(name)
        version = facts.known(names.PACKAGE_VERSION(name))
        if framework is None or version is None or _build_is_known(facts, name):
            continue
        if _left_windows(name, version, place) or _plain_on_windows(name, version, place):
            failing = no_gpu_seen(facts, "torch" if name == "torch" else "tensorflow")
            failing = failing or (() if name == "torch" else _gpu_named_alone(facts, framework))
            if failing:
                title = f"{name} {version} as pip installs it on Windows has no GPU support"
                keys = (names.PACKAGE_VERSION(name), names.OS_SYSTEM, *failing)
                yield CpuBuild(name, framework, title, keys, guessed=True)
    yield from _plain_tensorflow(facts)
    yield from _jax_without_plugin(facts)
    yield from _on_tegra(facts)
    yield from _unversioned(facts, place)
    yield from _of_no_such_cuda(facts)


#: Before it the package of plain name was that for the CPU, beyond doubt.
_TENSORFLOW_IN_ONE = Version("1.15")
#: What pip lists beside it: then the name is the package's, not the project's.
_BESIDE_TENSORFLOW = ("tensorflow-estimator", "tensorboard")


def _plain_tensorflow(facts: Facts) -> Iterator[CpuBuild]:
    """TensorFlow of the time when its GPU support was in a package of its own."""
    from ...knowledge.tables import release_number

    key = names.PACKAGE_VERSION("tensorflow")
    version = release_number(facts.known(key) or "")
    unseen = no_gpu_seen(facts, "tensorflow")
    if version is None or version >= _TENSORFLOW_IN_ONE or not unseen:
        return
    seen = _seen_by_another(facts, "tensorflow")
    listed = seen or any(facts.known(names.PACKAGE_VERSION(name)) for name in _BESIDE_TENSORFLOW)
    asked = statements(facts, "tensorflow-asked")
    both = facts.known(names.PACKAGE_VERSION("tensorflow-gpu")) is not None
    if (listed or asked) and not both and not statements(facts, "tensorflow-gpu-asked"):
        title = f"tensorflow {version} is without CUDA: then GPU support was in tensorflow-gpu"
        yield CpuBuild(
            "tensorflow", "TensorFlow", title, (key, *asked, *seen, *unseen), guessed=True
        )


def _of_no_such_cuda(facts: Facts) -> Iterator[CpuBuild]:
    """A torch that was asked of conda for a CUDA that it never had: conda takes one for the CPU."""
    asked = value_words(facts, "conda-installs-torch")
    unseen = no_gpu_seen(facts, "torch")
    if not asked or not unseen:
        return
    from ...knowledge import pytorch

    version, cuda = pytorch.parse_version(asked[0]), Version(asked[1])
    made = () if version is None else pytorch.builds(version.release)
    if made and all(each.cuda != cuda for each in made):
        title = f"conda has no torch {asked[0]} for CUDA {cuda}, and takes one for the CPU"
        keys = (*statements(facts, "conda-installs-torch"), *unseen)
        yield CpuBuild("torch", "PyTorch", title, keys, guessed=True)


def _unversioned(facts: Facts, place: Place) -> Iterator[CpuBuild]:
    """A framework that sees no GPU, of which nothing else is told than that there is CUDA.

    What pip installs without more words is a build for the CPU: of torch on Windows, and of JAX.
    """
    torch = no_gpu_seen(facts, "torch")
    there = _gpu_named_alone(facts, None) if torch else ()
    on_windows = place.system == "Windows" and not place.wsl
    if torch and there and on_windows and _is_bare(facts, "torch"):
        title = "torch as pip installs it on Windows has no GPU support"
        yield CpuBuild("torch", "PyTorch", title, (names.OS_SYSTEM, *torch, *there), guessed=True)
    bare = statements(facts, "jaxlib-without-cuda")
    jax = bare or statements(facts, *_ON_CPU)
    failed = not bare and statements(facts, "jax-backend-failed")
    if not jax or not _is_bare(facts, "jaxlib") or failed:
        return
    told = (*statements(facts, "gpu-works-told"), *_without_backend(facts))
    if there := _gpu_named_alone(facts, "JAX") or _seen_by_another(facts, "jax") or told:
        title = "JAX found no GPU: without its CUDA plugin it takes the CPU"
        yield CpuBuild("jaxlib", "JAX", title, (*jax, *there), guessed=True)


def _without_backend(facts: Facts) -> tuple[Key[object], ...]:
    """What jaxlib said while GPU support was compiled in or not: no plugin can have failed."""
    old = "unknown backend gpu" in value(facts, "jax-backend-unknown").lower()
    return statements(facts, "jax-backend-unknown") if old else ()


def _seen_by_another(facts: Facts, framework: str) -> tuple[Key[object], ...]:
    seen = said.FRAMEWORK_SEES_GPU
    others = (seen(each) for each in facts.subjects(seen) if each != framework)
    return tuple(key for key in others if facts.known(key))


def _is_bare(facts: Facts, package: str) -> bool:
    keys = (names.PACKAGE_VERSION(package), names.PACKAGE_BUILD(package))
    return not any(key.name in facts for key in keys) and not _has_plugin(facts)


def _gpu_named_alone(facts: Facts, framework: str | None) -> tuple[Key[object], ...]:
    """What somebody tells of a GPU who tells of no other framework, and of no other failure."""
    known = (framework_of(name) for name in facts.subjects(names.PACKAGE_VERSION))
    failed = (said.ERROR, names.LIBRARY_MISSING, said.LIBRARY_BROKEN)
    if {*known} - {framework, None} or any(facts.subjects(family) for family in failed):
        return ()
    if any(facts.known(seen(each)) for seen in _SEEN for each in facts.subjects(seen)):
        return ()
    told = (names.GPU_NAME("0"), said.CUDNN_VERSION, names.DRIVER_VERSION)
    toolkits = (each.key for each in installed_cuda(facts))
    return (*(key for key in told if facts.known(key) is not None), *toolkits)


def _on_tegra(facts: Facts) -> Iterator[CpuBuild]:
    """The wheels of the public index for such a board's processor are builds without CUDA."""
    if facts.known(names.TEGRA_MODEL) is None:
        return
    for name, framework in _ON_BOARDS:
        failing = no_gpu_seen(facts, name)
        version = facts.known(names.PACKAGE_VERSION(name)) or ""
        if failing and not _build_is_known(facts, name) and not _BY_NVIDIA.search(version):
            title = f"The {framework} that pip installs on a Jetson is a build without CUDA"
            keys = (names.TEGRA_MODEL, names.PACKAGE_VERSION(name), *failing)
            yield CpuBuild(name, framework, title, keys, guessed=True)


#: What JAX says that has no backend but the CPU's.
_ON_CPU = "jax-fell-back-to-cpu", "jax-backend-unknown"


def _jax_without_plugin(facts: Facts) -> Iterator[CpuBuild]:
    fallen = (*statements(facts, *_ON_CPU), *no_gpu_seen(facts, "jax"))
    version = facts.known(names.PACKAGE_VERSION("jaxlib"))
    if not fallen or version is None or "cuda" in version or _asked_for_cpu(facts):
        return
    failed = statements(facts, "jax-backend-failed") or facts.subjects(names.LIBRARY_MISSING)
    if failed and not statements(facts, "jaxlib-without-cuda"):
        return  # there is a plugin, which could not start
    if not _has_plugin(facts) and not _build_is_known(facts, "jaxlib"):
        title = f"jaxlib {version} is installed without a CUDA plugin, so JAX takes the CPU"
        keys = (names.PACKAGE_VERSION("jaxlib"), *fallen)
        yield CpuBuild("jaxlib", "JAX", title, keys, guessed=True)


def _asked_for_cpu(facts: Facts) -> bool:
    """Whether JAX takes the CPU because it was told to."""
    variables = (names.ENV("JAX_PLATFORMS"), names.ENV("JAX_PLATFORM_NAME"))
    return any(facts.known(each) == "cpu" for each in variables)


def _build_is_known(facts: Facts, name: str) -> bool:
    return names.PACKAGE_BUILD(name).name in facts


def _has_plugin(facts: Facts) -> bool:
    return any(name.startswith("jax-cuda") for name in facts.subjects(names.PACKAGE_VERSION))


def _uses_gpu(facts: Facts, name: str) -> bool:
    return any(facts.known(family(name)) for family in _SEEN)


def _left_windows(name: str, version: str, place: Place) -> bool:
    if place.system != "Windows" or place.wsl or framework_of(name) != "TensorFlow":
        return False
    major, _, minor = version.partition(".")
    minor = minor.partition(".")[0]
    if not (major.isdigit() and minor.isdigit()):
        return False
    return (int(major), int(minor)) >= _TENSORFLOW_WITHOUT_WINDOWS


def _plain_on_windows(name: str, version: str, place: Place) -> bool:
    """What plain pip installs of torch on Windows has no CUDA."""
    if name != "torch" or place.system != "Windows" or place.wsl:
        return False
    from ...knowledge.pytorch import kind

    return kind(version, "windows") == "cpu"
