"""Distributions that install into the same folder: what is imported is what came last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.model import Absent, Facts, Keys
from ....facts.regex import regex
from ..extensions.faults import framework_of, package_with
from ..extensions.jax_plugins import beside_cuda_of_jaxlib
from ..extensions.words import lacking
from ..statements import statements, value

if TYPE_CHECKING:
    from collections.abc import Iterator


#: Its builds for one CUDA each have names of their own.
_FAISS = regex(r"faiss-(?:cpu|gpu(?:-cu\d+)?)")
#: Module, the distributions that bring it, and those among them that only bring a part.
_FAMILIES = (
    ("cupy", regex(r"cupy(?:-cuda\d+x?|-rocm-[\d-]+)?")),
    ("onnxruntime", regex(r"onnxruntime(?:-(?:gpu|directml|openvino|rocm|qnn|silicon))?")),
    ("tensorflow", regex(r"tensorflow(?:-(?:gpu|cpu|rocm|macos))?|tf-nightly(?:-(?:gpu|cpu))?")),
    ("paddle", regex(r"paddlepaddle(?:-gpu)?")),
    ("mxnet", regex(r"mxnet(?:-cu\d+(?:mkl)?|-mkl)?")),
    # Each registers itself as JAX's platform "cuda".
    ("jax_plugins", regex(r"jax-cuda\d+-plugin")),
    # Their files for CUDA 11, 12 and 13 have the same names.
    ("nvidia.cudnn", regex(r"nvidia-cudnn-cu\d+")),
    ("nvidia.nccl", regex(r"nvidia-nccl-cu\d+")),
    ("pynvml", regex(r"nvidia-ml-py3?")),
    ("faiss", _FAISS),
    ("cumm", regex(r"cumm(?:-cu\d+)?")),
    ("spconv", regex(r"spconv(?:-cu\d+)?")),
    ("qiskit_aer", regex(r"qiskit-aer(?:-gpu(?:-cu\d{2})?)?")),
)
#: What somebody says of both, without a release.
_BESIDE = "cpu-package-beside-told"
#: Releases of TensorFlow whose two packages were two builds.
_APART = regex(r"1\.|2\.0")
#: In place of the names, where CuPy says that there are several and which is not told.
ANOTHER_CUPY = "cupy in another package"
_LISTED = regex(r"cupy(?:-\w+)*")
#: Their own words for "the CUDA half is not there", which a CPU copy on top brings about.
_HARM = {
    "cupy": ("cupy-several-packages", "cupy-not-installed-right"),
    "onnxruntime": (
        *("ort-provider-not-in-build", "ort-nuget-without-cuda"),
        "ort-directml-not-in-build",
    ),
    "jax_plugins": ("jax-plugin-twice",),
    "pynvml": ("pynvml-of-other",),
    "faiss": ("faiss-without-gpu",),
    "cumm": ("cumm-other-release",),
    "qiskit_aer": ("qiskit-aer-cpu-alone",),
}
_CPU_NAMES = regex(r"onnxruntime|paddlepaddle|qiskit-aer|mxnet|cumm|spconv|.*-cpu|mxnet-mkl")


class Clash(NamedTuple):
    """Packages that claim one module; `wanted`: the one to keep, where it is clear.

    `packages` are titles, whose first word is what pip calls the package.

    `of_conda`: the release that conda recorded, where pip laid another over it.
    """

    module: str
    packages: tuple[str, ...]
    keys: Keys
    harms: bool
    wanted: str | None
    effect: str
    of_conda: str | None = None


def clashes(facts: Facts) -> Iterator[Clash]:
    """Each module that several of the installed packages bring, then copies of one package."""
    for module, pattern in _FAMILIES:
        found = _installed(facts, module, pattern)
        if module == "qiskit_aer" and not statements(facts, *_HARM[module]):
            continue  # Qiskit's own package asks for the one, and the other lies on top of it
        if len(found) > 1 and not _alike(facts, found):
            yield _clash(facts, module, found)
    yield from _of_net(facts)
    yield from _of_nd4j(facts)
    yield from _copied(facts)
    yield from _over_conda(facts)
    yield from _of_two_releases(facts)
    yield from _of_jaxlib(facts)


#: The module of a clash of .NET's packages, which all bring a library of one name.
NET = "of .NET"


def _of_net(facts: Facts) -> Iterator[Clash]:
    """A project has the native library twice: with CUDA and without."""
    if both := statements(facts, "net-packages-beside"):
        packages = tuple(value(facts, "net-packages-beside").split(" and "))
        effect = "which of their native libraries lies there in the end is chance"
        yield Clash(NET, packages, both, False, packages[-1], effect)


#: The same of Java's ND4J, whose backends are packages of their own.
ND4J = "of ND4J"


def _of_nd4j(facts: Facts) -> Iterator[Clash]:
    """A project depends on the backend for CPUs and on one for GPUs."""
    if both := statements(facts, "nd4j-backends-beside"):
        packages = tuple(value(facts, "nd4j-backends-beside").split(" and "))
        effect = "it uses one of its backends only, which may be that for CPUs"
        yield Clash(ND4J, packages, both, False, packages[-1], effect)


def _copied(facts: Facts) -> Iterator[Clash]:
    """Frameworks that lie there twice, in two versions."""
    for package in facts.subjects(names.PACKAGE_COPIES):
        key = names.PACKAGE_COPIES(package)
        versions = {copy.partition(" ")[0] for copy in facts.known(key) or ()}
        if len(versions) <= 1 or package not in ("torch", "tensorflow", "jaxlib"):
            continue
        titles = tuple(f"{package} {version}" for version in sorted(versions))
        other = copy_for_vision(facts) if package == "torch" else None
        failing = statements(facts, "extension-operator-missing") if other else ()
        failing = (*failing, *statements(facts, "framework-hollow"))
        effect = "Python imports the first it finds"
        effect += f", and torchvision was built for {other}" if other else ""
        yield Clash(package, titles, (key, *failing), bool(failing), None, effect)


def copy_for_vision(facts: Facts) -> str | None:
    """The copy of torch that torchvision was built for, where another one is imported."""
    from ....knowledge.companions import torchvision_for
    from ....knowledge.tables import Unstated, release_number

    have = release_number(facts.known(names.PACKAGE_VERSION("torchvision")) or "")
    imported = (facts.known(_TORCH) or "").partition("+")[0]
    if have is None or not imported:
        return None
    for copy in facts.known(names.PACKAGE_COPIES("torch")) or ():
        version = copy.partition(" ")[0]
        wanted = torchvision_for(version)
        if isinstance(wanted, Unstated):
            continue
        if (have.major, have.minor) == (wanted.major, wanted.minor):
            return None if version.partition("+")[0] == imported else f"torch {version}"
    return None


def _of_two_releases(facts: Facts) -> Iterator[Clash]:
    """A library of a framework itself lacks a symbol of another of them: they are of two."""
    for name in facts.subjects(said.SYMBOL_WANTED_BY):
        key, framework = said.SYMBOL_WANTED_BY(name), framework_of(name)
        package = framework and package_with(framework, facts.known(key) or "")
        if package:
            packages = (package, f"{package} of another release")
            effect = f"its libraries have no {lacking(name)} for each other"
            keys = (key, names.PACKAGE_VERSION(package))
            yield Clash(package, packages, keys, True, package, effect)
            return


#: The platform of JAX that a jaxlib of its own page, with a tag of CUDA, brings as a plugin does.
JAXS_CUDA = '"cuda" of JAX'


def _of_jaxlib(facts: Facts) -> Iterator[Clash]:
    """A plugin for CUDA is left beside a jaxlib that has CUDA compiled in."""
    if keys := beside_cuda_of_jaxlib(facts):
        packages = (f"jaxlib {facts.known(names.PACKAGE_VERSION('jaxlib'))}", "a CUDA plugin")
        effect = "the plugin is of another release, and asks jaxlib for what it does not have"
        yield Clash(JAXS_CUDA, packages, keys, True, None, effect)


_TORCH = names.PACKAGE_VERSION("torch")


#: Those that conda brings with libraries of their own, which pip's build does not fit.
_OF_CONDA = ("torch", "tensorflow", "jaxlib", "cupy", "onnxruntime")


def _over_conda(facts: Facts) -> Iterator[Clash]:
    """A framework that conda installed, and that pip replaced by another release since."""
    from ....knowledge.tables import release_number

    for package in facts.subjects(names.PACKAGE_CONDA):
        if package not in _OF_CONDA:
            continue
        keys = (names.PACKAGE_CONDA(package), names.PACKAGE_VERSION(package))
        recorded, found = (facts.look(key) for key in keys)
        if recorded is None or found is None:
            continue
        of_conda = recorded.partition(" ")[0]
        if release_number(of_conda) != release_number(found):  # conda-forge's own: 2.1.2.post301
            titles = (f"{package} {of_conda} (conda)", f"{package} {found} (pip)")
            effect = "pip's files lie over those of conda"
            yield Clash(package, titles, keys, False, None, effect, of_conda)


def _installed(facts: Facts, module: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    found = [
        name
        for name in facts.subjects(names.PACKAGE_VERSION)
        if pattern.fullmatch(name) and _is_there(facts, name)
    ]
    if module == "cupy":
        told = _LISTED.findall(value(facts, "cupy-several-packages"))
        found.extend(name for name in told if pattern.fullmatch(name))
    if module == "onnxruntime" and _is_hollow(facts):
        return ("onnxruntime", "onnxruntime-gpu")  # who removes one takes files of the other along
    if module == "pynvml" and statements(facts, "pynvml-of-other"):
        listed = tuple(dict.fromkeys(("nvidia-ml-py", *found)))
        return (*listed, "pynvml of others")  # the first alone has what was asked for
    told_of = f"{value(facts, 'two-packages-told')} {value(facts, _BESIDE)}"
    both = re.findall(r"[a-z][\w-]*", told_of.lower())
    found.extend(name for name in both if pattern.fullmatch(name))
    several = module == "cupy" and statements(facts, "cupy-several-packages")
    if several and len(set(found)) < 2:  # noqa: PLR2004  CuPy knows of more than is told
        return ("cupy", ANOTHER_CUPY)
    return tuple(dict.fromkeys(found))


def is_shadowed(facts: Facts, sign: str) -> bool:
    """Whether a package for GPUs is there too, and the CPU's over it: the module has no CUDA."""
    if sign == "faiss-without-gpu":
        found = _installed(facts, "faiss", _FAISS)
        return len(found) > 1 and "faiss-cpu" in found
    if sign == "paddle-without-cuda":
        both = (names.PACKAGE_VERSION(name) for name in ("paddlepaddle", "paddlepaddle-gpu"))
        return all(facts.known(key) is not None for key in both)
    gpu = names.PACKAGE_VERSION("onnxruntime-gpu")  # by itself it is broken, and no CPU build
    asked = sign in ("ort-provider-not-in-build", "ort-nuget-without-cuda")
    return asked and facts.known(gpu) is not None


def _is_hollow(facts: Facts) -> bool:
    """Whether the module has nothing in it, and is not a file of the program's own."""
    return bool(statements(facts, "ort-hollow")) and not statements(facts, "ort-own-file")


def _is_there(facts: Facts, name: str) -> bool:
    """Of an installed package at least its name is known."""
    return not isinstance(facts.fact(names.PACKAGE_VERSION(name)), Absent)


def _alike(facts: Facts, packages: tuple[str, ...]) -> bool:
    """Since 2.1 tensorflow-gpu of one version was the same as tensorflow, or asked for it.

    Who tells of a nightly TensorFlow may give its version under both names.
    """
    if set(packages) == {"tensorflow", "tf-nightly"}:
        nightly = {facts.known(names.PACKAGE_VERSION(name)) for name in packages}
        return len(nightly) == 1 and ".dev" in (nightly.pop() or "")
    if not set(packages) <= {"tensorflow", "tensorflow-gpu"}:
        return False
    versions = {facts.known(names.PACKAGE_VERSION(name)) or "" for name in packages} - {""}
    if statements(facts, _BESIDE) and not versions:
        return False  # who blames them has a release in which they are two builds
    return len(versions) < 2 and not any(map(_APART.match, versions))  # noqa: PLR2004


#: What is left of a module's packages, by its own words.
_LEFT = {"onnxruntime": ("ort-hollow",)}
#: What else becomes of several; JAX's plugins lie in folders of their own.
_EFFECTS = {"jax_plugins": 'each registers itself as the platform "cuda"'}
#: NVIDIA's own bindings to NVML, which others have taken over under the same module's name.
_KEPT = {"pynvml": "nvidia-ml-py"}


def _clash(facts: Facts, module: str, packages: tuple[str, ...]) -> Clash:
    harm = statements(facts, *_HARM.get(module, ()))
    sees = facts.known(said.FRAMEWORK_SEES_GPU(module))
    told = statements(facts, "two-packages-told", _BESIDE, *_LEFT.get(module, ()))
    keys = (*(names.PACKAGE_VERSION(name) for name in packages), *told, *harm)
    gpu = [name for name in packages if not _CPU_NAMES.fullmatch(name)]
    return Clash(
        module,
        packages,
        keys,
        bool(harm) or sees is False,
        _KEPT.get(module, gpu[0] if len(gpu) == 1 else None),
        _EFFECTS.get(module, "what was installed last lies on top of the others"),
    )
