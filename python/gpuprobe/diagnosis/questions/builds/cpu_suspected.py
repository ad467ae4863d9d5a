"""Frameworks that see no GPU, and are builds without CUDA by what the tables say of releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ..libraries.installed import installed_cuda
from ..packages.frameworks import framework_of
from ..place import Place, place_of
from ..sentences import something_fails
from ..statements import no_gpu_seen, seen_anyway, statements, value, value_words
from ..symptoms import driver_answers
from .cpu import SEEN, CpuBuild, left_windows, stated, uses_gpu
from .cpu_of_tensorflow import build_is_known, by_package, by_work, seen_by_another

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys

_ON_BOARDS = (("torch", "PyTorch"), ("tensorflow", "TensorFlow"))
#: NVIDIA's own builds for its boards: 2.1.0a0+41361538.nv23.06, 2.12.0+nv23.06.
_BY_NVIDIA = regex(r"[+.]nv\d")


def suspected(facts: Facts) -> tuple[CpuBuild, ...]:
    """Packages that see no GPU, and that the tables know as builds without CUDA."""
    return tuple(_by_table(facts))


def _by_table(facts: Facts) -> Iterator[CpuBuild]:
    place, windows = place_of(facts), statements(facts, "smi-of-windows")
    if place.system is None and windows:
        place = place._replace(system="Windows")
    for name in facts.subjects(names.PACKAGE_VERSION):
        framework = framework_of(name)
        version = facts.known(names.PACKAGE_VERSION(name))
        if framework is None or version is None or build_is_known(facts, name):
            continue
        if left_windows(name, version, place) or _plain_on_windows(name, version, place):
            failing = no_gpu_seen(facts, "torch" if name == "torch" else "tensorflow")
            if name == "torch":
                failing = failing or _told_unusable(facts, framework)
            else:
                failing = failing or statements(facts, "tensorflow-gpu-gone-told")
                failing = failing or _gpu_named_alone(facts, framework)
            if failing:
                title = f"{name} {version} as pip installs it on Windows has no GPU support"
                keys = (names.PACKAGE_VERSION(name), names.OS_SYSTEM, *windows, *failing)
                yield CpuBuild(name, framework, title, keys, guessed=True)
    yield from by_package(facts)
    yield from _jax_without_plugin(facts)
    yield from _on_tegra(facts)
    yield from _tensorflow_on_arm(facts)
    yield from _unversioned(facts, place)
    yield from _complained_of(facts)
    yield from _of_no_such_cuda(facts)
    yield from by_work(facts, place)
    yield from _libtorch(facts)
    yield from _configured(facts)
    yield from _told(facts)


#: What Rust calls PyTorch's library by, which its build script fetches without CUDA unasked; and
#: the archive that people fetch for C++.
_OF_RUST, _OF_CPP = "tch", "libtorch-shared-with-deps"


def _libtorch(facts: Facts) -> Iterator[CpuBuild]:
    """The one of C++ and of Rust, whose archives there are for the CPU and for each CUDA.

    A program of Rust's gets no GPU where Python's frameworks do: its LibTorch is another one.
    """
    fetched, missed = statements(facts, "libtorch-for-cpu"), no_gpu_seen(facts, "libtorch")
    if fetched and missed and not something_fails(facts):
        title = "LibTorch was fetched as the build for the CPU, by the folder of its address"
        yield CpuBuild(_OF_CPP, "LibTorch", title, (*fetched, *missed), guessed=True)
    unseen, seen = no_gpu_seen(facts, _OF_RUST), seen_by_another(facts, _OF_RUST)
    if unseen and seen and not something_fails(facts):
        title = "LibTorch sees no GPU where Python sees it: tch takes one without CUDA by itself"
        yield CpuBuild("libtorch", "LibTorch", title, (*unseen, *seen), guessed=True)


def _configured(facts: Facts) -> Iterator[CpuBuild]:
    """Somebody who has a GPU, or a toolkit, shows that CMake leaves CUDA out, and no more fails."""
    left_out = statements(facts, "configured-without-cuda")
    there = (*_gpu_named_alone(facts, None), *driver_answers(facts))
    if left_out and there and not something_fails(facts):
        title = "CMake leaves CUDA out of the program: it finds no toolkit, or was not asked for it"
        yield CpuBuild("cmake-build", "the program", title, (*left_out, *there), guessed=True)


def _told(facts: Facts) -> Iterator[CpuBuild]:
    """What somebody says of a package, or a program of an option, where nothing else fails."""
    name = value(facts, "told-cpu-build")
    if name and not something_fails(facts) and not uses_gpu(facts, name.lower()):
        framework = framework_of(name.lower()) or name
        title = f"{framework} is no build for GPUs, as the text says"
        keys = statements(facts, "told-cpu-build")
        yield CpuBuild(name.lower(), framework, title, keys, guessed=True)
    yield from _got(facts)
    made = statements(facts, "program-without-option")
    if made and not stated(facts):
        title = f"A program says that it was built without {facts.known(made[0])}"
        yield CpuBuild("the program", "the program", title, made, guessed=True)


#: Frameworks by what a text is about, and by what pip calls them.
_TOPICS = (
    ("torch", "torch"),
    ("tensorflow", "tensorflow"),
    ("jax", "jaxlib"),
    ("onnxruntime", "onnxruntime"),
)


def _got(facts: Facts) -> Iterator[CpuBuild]:
    """Somebody tells that an installation came to a build for the CPU, and what it is of."""
    told = statements(facts, "got-cpu-build-told")
    if statements(facts, "two-packages-told", "cpu-package-beside-told"):
        return  # GP606
    topics = {name: facts.known(said.ABOUT(topic)) or 0 for topic, name in _TOPICS}
    named = facts.known(told[0]) if told else None
    name = named or max(topics, key=lambda each: topics[each])
    fails = something_fails(facts) or uses_gpu(facts, name.removesuffix("lib"))
    if told and (named or topics[name]) and not fails:
        framework = framework_of(name) or name
        title = f"{framework} was installed as a build for the CPU, as the text says"
        yield CpuBuild(name, framework, title, told, guessed=True)


def _of_no_such_cuda(facts: Facts) -> Iterator[CpuBuild]:
    """A torch that was asked of conda for a CUDA that it never had: conda takes one for the CPU."""
    asked = value_words(facts, "conda-installs-torch")
    unseen = no_gpu_seen(facts, "torch")
    if not asked or not unseen:
        return
    from ....knowledge import pytorch

    version, cuda = pytorch.parse_version(asked[0]), Version(asked[1])
    made = () if version is None else pytorch.builds(version.release)
    if made and all(each.cuda != cuda for each in made):
        title = f"conda has no torch {asked[0]} for CUDA {cuda}, and takes one for the CPU"
        keys = (*statements(facts, "conda-installs-torch"), *unseen)
        yield CpuBuild("torch", "PyTorch", title, keys, guessed=True)


def _unversioned(facts: Facts, place: Place) -> Iterator[CpuBuild]:
    """A framework that sees no GPU, of which nothing else is told than that there is CUDA.

    What pip installs without more words is a build for the CPU: of torch and Open3D on Windows,
    and of JAX.
    """
    torch = no_gpu_seen(facts, "torch")
    there = _gpu_named_alone(facts, None) if torch else ()
    on_windows = place.system == "Windows" and not place.wsl
    if torch and there and on_windows and _is_bare(facts, "torch"):
        title = "torch as pip installs it on Windows has no GPU support"
        yield CpuBuild("torch", "PyTorch", title, (names.OS_SYSTEM, *torch, *there), guessed=True)
    unseen = no_gpu_seen(facts, "open3d")
    if unseen and on_windows and not something_fails(facts):
        title = "Open3D as pip installs it on Windows has no GPU support"
        yield CpuBuild("open3d", "Open3D", title, (names.OS_SYSTEM, *unseen), guessed=True)
    bare = statements(facts, "jaxlib-without-cuda")
    jax = bare or statements(facts, *_ON_CPU)
    failed = not bare and statements(facts, "jax-backend-failed")
    if not jax or not _is_bare(facts, "jaxlib") or failed:
        return
    there = statements(facts, "gpu-works-told", "notebook-with-gpu-told", "jax-only-cpu-client")
    asked = _platform_asked(facts) if bare else ()
    told = (*there, *_without_backend(facts), *asked)
    if there := _gpu_named_alone(facts, "JAX") or seen_by_another(facts, "jax") or told:
        title = "JAX found no GPU: without its CUDA plugin it takes the CPU"
        yield CpuBuild("jaxlib", "JAX", title, (*jax, *there), guessed=True)


#: What JAX says that has no backend but the CPU's.
_ON_CPU = "jax-fell-back-to-cpu", "jax-backend-unknown"
#: What a jaxlib for the CPU says where it is asked for a GPU.
_OF_BARE = {"jaxlib-without-cuda", "jax-backend-failed", *_ON_CPU}


def _complained_of(facts: Facts) -> Iterator[CpuBuild]:
    """Somebody wants CUDA of a jaxlib that has none, by its own word, and tells of no more.

    Until 2023 JAX warned that it found neither GPU nor TPU, and a jaxlib with CUDA told before it,
    as an error or a warning, why it got none.
    """
    bare = statements(facts, "jaxlib-without-cuda")
    if "GPU/TPU" in value(facts, "jax-fell-back-to-cpu"):
        bare = bare or statements(facts, "jax-fell-back-to-cpu")
    asks = statements(facts, "reporter-speaks", "chinese-reporter", "told-idle")
    if not bare or not asks or not _is_bare(facts, "jaxlib") or _asked_for_cpu(facts):
        return
    others = {*facts.subjects(said.SIGN)} - said.CIRCUMSTANCES - _OF_BARE
    failed = (said.ERROR, names.LIBRARY_MISSING, said.LIBRARY_BROKEN, names.XID)
    works = facts.known(said.PROGRESS) is not None or seen_anyway(facts)
    if others or works or any(facts.subjects(family) for family in failed):
        return
    if not facts.known(said.ABOUT("macos")) and facts.known(names.OS_SYSTEM) != "Darwin":
        title = "This jaxlib has no CUDA compiled in, so that JAX can use no GPU"
        if not statements(facts, "jaxlib-without-cuda"):
            title = "JAX found no GPU and tells of no library or driver that failed: mostly its "
            title += "jaxlib is the build without CUDA"
        yield CpuBuild("jaxlib", "JAX", title, bare, guessed=True, doubted=True)


def _without_backend(facts: Facts) -> Keys:
    """What jaxlib said while GPU support was compiled in or not: no plugin can have failed."""
    old = "unknown backend gpu" in value(facts, "jax-backend-unknown").lower()
    return statements(facts, "jax-backend-unknown") if old else ()


def _is_bare(facts: Facts, package: str) -> bool:
    keys = (names.PACKAGE_VERSION(package), names.PACKAGE_BUILD(package))
    return not any(key.name in facts for key in keys) and not _has_plugin(facts)


def _gpu_named_alone(facts: Facts, framework: str | None) -> Keys:
    """What somebody tells of a GPU who tells of no other framework, and of no other failure."""
    known = (framework_of(name) for name in facts.subjects(names.PACKAGE_VERSION))
    failed = (said.ERROR, names.LIBRARY_MISSING, said.LIBRARY_BROKEN)
    if {*known} - {framework, None} or any(facts.subjects(family) for family in failed):
        return ()
    if any(any(facts.known_of(seen)) for seen in SEEN):
        return ()
    told = (names.GPU_NAME("0"), said.CUDNN_VERSION, names.DRIVER_VERSION)
    toolkits = (each.key for each in installed_cuda(facts))
    return (*(key for key in told if facts.known(key) is not None), *toolkits)


def _told_unusable(facts: Facts, framework: str) -> Keys:
    """A sentence that misses the GPU, beside its name and no more that fails."""
    missed, there = statements(facts, "gpu-not-usable"), _gpu_named_alone(facts, framework)
    return (*missed, *there) if missed and there else ()


def _on_tegra(facts: Facts) -> Iterator[CpuBuild]:
    """The wheels of the public index for such a board's processor are builds without CUDA."""
    if not _on_board(facts):
        return
    for name, framework in _ON_BOARDS:
        failing = no_gpu_seen(facts, name) or _missed_alone(facts, framework)
        version = facts.known(names.PACKAGE_VERSION(name)) or ""
        # The address of an index tells of the build only where that has one for the board.
        known = build_is_known(facts, name) and not statements(facts, "pip-index-of-torch")
        if failing and not known and not _BY_NVIDIA.search(version):
            title = f"The {framework} that pip installs on a Jetson is a build without CUDA"
            keys = (names.TEGRA_MODEL, names.PACKAGE_VERSION(name), *failing)
            yield CpuBuild(name, framework, title, keys, guessed=True)


def _missed_alone(facts: Facts, framework: str) -> Keys:
    """A sentence that misses the GPU in a framework, where nothing else fails."""
    told = statements(facts, "gpu-not-usable")
    named = framework.lower() in value(facts, "gpu-not-usable").lower()
    return told if named and not something_fails(facts) else ()


def _tensorflow_on_arm(facts: Facts) -> Iterator[CpuBuild]:
    """Of TensorFlow there are no wheels with CUDA for Linux on ARM."""
    key, machine = names.PACKAGE_VERSION("tensorflow"), names.OS_MACHINE
    version = facts.known(key)
    missed = (*no_gpu_seen(facts, "tensorflow"), *_missed_alone(facts, "TensorFlow"))
    if not something_fails(facts):
        missed = (*missed, *statements(facts, "tf-cuda-asked"))
    of_pip = version is not None and "+" not in version and not build_is_known(facts, "tensorflow")
    if facts.known(machine) == "aarch64" and of_pip and missed and not _on_board(facts):
        title = f"TensorFlow {version} as pip installs it on ARM is a build without CUDA"
        yield CpuBuild("tensorflow", "TensorFlow", title, (key, machine, *missed), guessed=True)


def _on_board(facts: Facts) -> bool:
    return facts.known(names.TEGRA_MODEL) is not None


def _jax_without_plugin(facts: Facts) -> Iterator[CpuBuild]:
    fallen = (*statements(facts, *_ON_CPU, "jax-without-gpu-told"), *no_gpu_seen(facts, "jax"))
    version = facts.known(names.PACKAGE_VERSION("jaxlib"))
    if not fallen or version is None or "cuda" in version or _asked_for_cpu(facts):
        return
    failed = statements(facts, "jax-backend-failed") or facts.subjects(names.LIBRARY_MISSING)
    if failed and not statements(facts, "jaxlib-without-cuda"):
        return  # there is a plugin, which could not start
    if not _has_plugin(facts) and not build_is_known(facts, "jaxlib"):
        title = f"jaxlib {version} is installed without a CUDA plugin, so JAX takes the CPU"
        keys = (names.PACKAGE_VERSION("jaxlib"), *fallen)
        yield CpuBuild("jaxlib", "JAX", title, keys, guessed=True)


_PLATFORM = names.ENV("JAX_PLATFORMS"), names.ENV("JAX_PLATFORM_NAME")


def _asked_for_cpu(facts: Facts) -> bool:
    """Whether JAX takes the CPU because it was told to."""
    return any(facts.known(each) == "cpu" for each in _PLATFORM)


def _platform_asked(facts: Facts) -> Keys:
    """The variable by which somebody, who will have one, asked JAX for the GPU alone."""
    return tuple(each for each in _PLATFORM if facts.known(each) in ("cuda", "gpu"))


def _has_plugin(facts: Facts) -> bool:
    return any(name.startswith("jax-cuda") for name in facts.subjects(names.PACKAGE_VERSION))


def _plain_on_windows(name: str, version: str, place: Place) -> bool:
    """What plain pip installs of torch on Windows has no CUDA."""
    if name != "torch" or place.system != "Windows" or place.wsl:
        return False
    from ....knowledge.pytorch import kind

    return kind(version, "windows") == "cpu"
