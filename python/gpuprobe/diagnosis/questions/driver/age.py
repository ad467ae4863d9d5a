"""What a pasted text says of a driver that is too old: by a program's own comparison, or a code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....facts import names, said
from ....facts.regex import regex
from ....facts.version import Version
from ....knowledge.driver_functions import first_cuda
from ....knowledge.tables import release_number
from ...fixes.driver import update_driver, without_newer_driver
from ...model import Confidence, Finding, Severity, cite
from ..binding import held_by
from ..gpus.known import gpus
from ..gpus.throttling import protecting
from ..libraries.needs import tensorflow_release, warp_before_driver
from ..packages.frameworks import Package
from ..place import place_of
from ..sentences import alone, in_sentences
from ..statements import errors, no_gpu_seen, statements, value
from .beyond import conda_before_table, unseen_beyond
from .end import is_at_its_end, is_served, last_branch_here, served_cuda
from .functions import entries_missing, without_function
from .interfaces import interface_too_old
from .needed import needed_driver
from .ptx import ptx_refused
from .suspected import suspected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....facts.model import Facts, Keys
    from ....knowledge.driver_cuda import LastBranch

#: Statements of programs that compared the two themselves, with what each says.
_COMPARED = (
    ("container-requirement", "The image asks for {}, which the host's driver does not offer"),
    ("vgpu-versions-differ", "The virtual machine's driver and its host's do not go together"),
    ("container-banner-driver-too-old", "The image was built for a newer driver ({})"),
    ("xla-driver-too-old-for-ptx", "The driver is older than the PTX that XLA makes"),
    ("nvenc-driver-too-old", "The driver is older than the {} that the program was built for"),
    ("miner-no-driver", "The program finds no driver that is new enough for it"),
    ("ollama-driver-too-old", "Ollama serves this GPU with driver {}"),
    ("rapids-driver-too-old", "The driver serves an older CUDA than RAPIDS was built with"),
    ("numba-driver-function-missing", "The driver is older than the program: it does not have {}"),
    ("science-driver-too-old", "The program found a driver that is too old for it: {}"),
    ("encoder-driver-too-old", "The driver's encoder is older than the program was built for"),
    ("optix-driver-too-old", "The driver's OptiX is older than the program was built for"),
    ("renderer-driver-too-old", "The program asks for a newer driver than it found: {}"),
    ("omniverse-driver-too-old", "Omniverse wants driver {} or newer, and found an older one"),
    ("ollama-leaves-gpu-out", "Ollama leaves the GPU out: its driver is too old for it"),
    ("smi-without-capability", "The driver's nvidia-smi does not tell what a build asks it for"),
    ("julia-driver-too-old", "The driver serves CUDA {}, which no toolkit of CUDA.jl is for"),
    ("cudanative-driver-too-old", "The driver does not serve {}, which Julia's packages found"),
    ("ffmpeg-without-nvenc", "ffmpeg's encoder needs driver {} or newer"),
)
_PTX_NUMBER = "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
_INSUFFICIENT = "cudaErrorInsufficientDriver"
_NEWER_ASKED = "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER"
#: Codes that only a driver older than the program gives.
_BY_CODE = (
    (
        _INSUFFICIENT,
        "The driver serves an older CUDA than the program was built with (error 35)",
    ),
    (
        _NEWER_ASKED,
        "The driver does not have a function that the program calls (error 36)",
    ),
    (_PTX_NUMBER, "The driver is older than the toolkit that made the program's PTX"),
)
#: The first release for CUDA 12, and the first that unpacks what nvcc --compress-mode packed: by
#: its manual that option is "not compatible with drivers released before" CUDA 12.4.
_OF_CUDA_12, _UNPACKS = 525, 550


def told_too_old(facts: Facts) -> Finding | None:
    """The surest statement that the driver is too old; None where there is none."""
    by_sentence = in_sentences(facts, "told-too-old", "chinese-too-old")
    last = (by_sentence, "The driver is too old, as the text says", Confidence.POSSIBLE)
    for keys, title, confidence in (*_statements(facts), *((last,) if by_sentence else ())):
        evidence = cite(facts, *keys, names.DRIVER_VERSION, names.DRIVER_CUDA)
        present = facts.known(names.DRIVER_VERSION)
        end, wanted = last_branch_here(facts), needed_driver(facts, keys)
        if end is not None and is_at_its_end(facts, end, wanted, keys):
            return Finding(
                f"{title}; branch {end.branch} is the last that serves this GPU",
                evidence,
                without_newer_driver(
                    end, told=(wanted or served_cuda(facts) or present) is not None
                ),
                confidence=Confidence.LIKELY,
                stands_alone=True,
                cause="gpu-too-old",
            )
        fix = update_driver(place_of(facts), present, wanted, end.branch if end else None)
        fix = replace(fix, text=fix.text + _end(end) + _other_way(facts, keys))
        return Finding(title, evidence, fix, confidence=confidence, stands_alone=True)
    return None


def _end(last: LastBranch | None) -> str:
    if last is None:
        return ""
    return f" Branch {last.branch} is the last that serves this GPU ({last.architecture})."


def _other_way(facts: Facts, keys: Keys) -> str:
    """How the driver can stay as it is, as a sentence; empty where nobody knows."""
    if said.ERROR(_PTX_NUMBER) in keys:
        return (
            " Or, if you compile the program, do so for the GPU's own architecture (nvcc "
            "-arch=sm_…): then the driver has no PTX to compile."
        )
    if said.SIGN("encoder-driver-too-old") in keys:
        return (
            " Or keep the driver, and take the program in a build with older headers of the "
            "encoder: an earlier release, or the distribution's package in the place of a flatpak."
        )
    if said.SIGN("torch-driver-too-old") not in keys:
        return ""
    from ...fixes.framework import other_build
    from ...fixes.ground import ground_of
    from ...fixes.pytorch import other_index

    version, ground = facts.known(names.PACKAGE_VERSION("torch")), ground_of(facts)
    package = Package("torch", "PyTorch", version or "", "cuda")
    return other_build(package, ground) or other_index(ground)


def _statements(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    by_torch = statements(facts, "torch-driver-too-old")
    if by_torch:
        number = value(facts, "torch-driver-too-old")
        serves = f", {Version.from_cuda_number(int(number))}," if number.isdigit() else ""
        title = f"The driver's CUDA{serves} is older than the one that torch was built with"
        yield by_torch, title, Confidence.CERTAIN
    for sign, title in _COMPARED:
        keys = statements(facts, sign)
        told = value(facts, sign)
        if sign == "smi-without-capability" and facts.subjects(said.ERROR):
            continue  # a build that reads the field did not fail for it
        if keys and (sign != "ffmpeg-without-nvenc" or _is_release(facts, told)):
            yield keys, title.format(_readable(told)), Confidence.CERTAIN
    refused = statements(facts, "container-banner-compatibility")
    if value(facts, "container-banner-compatibility") == "UNAVAILABLE":
        title = "The image needs a newer driver than the host's, and its own library does not help"
        yield refused, title, Confidence.LIKELY
    yield from _conda(facts)
    yield from ptx_refused(facts)
    for key in entries_missing(facts):
        name = key.name.split(".")[1]
        title = f"The driver is older than the program: it does not have {name}"
        if not (facts.known(key) == _UNNAMED and _has_by_table(facts, name)):
            yield (key,), title, Confidence.LIKELY
    yield from without_function(facts)
    yield from _unlinked(facts)
    yield from _no_device_counted(facts)
    yield from _older_than_program(facts)
    yield from suspected(facts)
    yield from _by_code(facts)
    yield from _below_told(facts)
    yield from interface_too_old(facts)


#: What a reader calls the driver's library of which no file is named.
_UNNAMED = "the driver's library"


def _has_by_table(facts: Facts, function: str) -> bool:
    """Whether the driver that is told serves a CUDA which has the function."""
    serves, first = served_cuda(facts), first_cuda(function)
    return serves is not None and first is not None and serves >= first


def _below_told(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """Somebody names the least driver that a program asks for, and has an older one."""
    keys, driver = in_sentences(facts, "told-minimum-driver"), facts.known(names.DRIVER_VERSION)
    least = Version.parse(value(facts, "told-minimum-driver"))
    if keys and least is not None and driver is not None and driver < least:
        title = f"The program asks for driver {least}, as the text says, and {driver} is there"
        yield keys, title, Confidence.LIKELY


#: Meshroom with these words asks for CUDA 10 at most; a driver that serves a later one counts.
_COUNTS = 11
#: GPUs since Ampere have no driver that is older than that.
_NEEDS_MORE = Version("8.0")
#: What AliceVision (Meshroom) says where CUDA does not count a GPU of this capability or a later.
_MESHROOM = regex(r"(?i)needs a CUDA-Enabled GPU \(with at least compute \w{1,12} (\d\.\d)\)")


def _no_device_counted(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """A GPU that serves the program by its capability, and CUDA does not count it."""
    serves, driver = served_cuda(facts), facts.known(names.DRIVER_VERSION)
    if serves is not None and serves.major >= _COUNTS:
        return
    if held_by(facts, "nouveau"):
        return
    keys = statements(facts, "program-finds-no-gpu")
    least = _MESHROOM.search(value(facts, "program-finds-no-gpu"))
    enough = [
        gpu
        for gpu in gpus(facts)
        if least and Version(least[1]) <= gpu.capability < _NEEDS_MORE  # any driver of it counts
    ]
    if enough and not facts.known(names.NVML_COUNT):
        which = "the driver" if driver is None else f"driver {driver}"
        title = f"{enough[0].title} would serve the program; {which} is too old for its CUDA"
        yield (*keys, enough[0].key), title, Confidence.POSSIBLE


def _older_than_program(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """A program tells the CUDA of its build, which is later than the driver's."""
    serves, missed = served_cuda(facts), statements(facts, "program-finds-no-gpu")
    for program in _TELL_THEIR_CUDA if missed else _ONLY_WITH_GPU:
        built = facts.known(names.PACKAGE_CUDA(program))
        if built is not None and serves is not None and not is_served(built, serves):
            title = f"The driver serves CUDA up to {serves}, {program} was built with {built}"
            yield (names.PACKAGE_CUDA(program), *missed), title, Confidence.CERTAIN


#: Programs that print both at their start.
_TELL_THEIR_CUDA = ("gromacs", "lc0")
#: What prints them does not begin without a GPU, and need not say why it ended.
_ONLY_WITH_GPU = ("lc0",)


def _readable(told: str) -> str:
    """What a statement carries; of the driver's own number for its CUDA the release."""
    return f"CUDA {Version.from_cuda_number(int(told))}" if told.isdigit() else told


def _unlinked(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """XLA has the driver link what a toolkit's ptxas made, which has to be no newer than it."""
    keys = errors(facts, "CUDA_ERROR_NO_BINARY_FOR_GPU")
    serves, toolkit = served_cuda(facts), facts.known(names.TOOLKIT_VERSION)
    linked = statements(facts, "xla-link-failed")
    if not (keys and linked) or serves is None or toolkit is None:
        return
    made = Version.of(toolkit.major, toolkit.minor)
    if serves < made:
        title = f"The driver, of CUDA {serves}, cannot link what the ptxas of CUDA {made} compiled"
        yield (*keys, *linked, names.TOOLKIT_VERSION), title, Confidence.LIKELY


def _by_code(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    yield from _below_toolkit(facts)
    for code, title in _BY_CODE:
        keys = errors(facts, code)
        if keys and not (code == _NEWER_ASKED and warp_before_driver(facts)):
            yield keys, title, Confidence.LIKELY
    yield from unseen_beyond(facts)
    yield from _compiled_later(facts)
    yield from _packed(facts)
    refused = statements(facts, "ollama-driver-refused")
    elsewhere = statements(facts, "ollama-no-libraries")
    if refused and not elsewhere and not facts.known(names.CUDA_COUNT):
        title = "Ollama's CUDA run time finds the driver too old (or none)"
        yield refused, title, Confidence.LIKELY


def _below_toolkit(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """What the tables say of the driver and the toolkit that somebody names beside error 35."""
    keys = errors(facts, _INSUFFICIENT)
    serves, toolkit = served_cuda(facts), facts.known(names.TOOLKIT_VERSION)
    if not keys or serves is None or toolkit is None:
        return
    if not is_served(toolkit, serves):
        title = f"The driver serves CUDA up to {serves}, the program is of toolkit {toolkit}"
        yield (*keys, names.TOOLKIT_VERSION), title, Confidence.CERTAIN


def _compiled_later(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """What a ptxas of a later major release compiled: its format is of no meaning to the driver.

    Within a major release older drivers load it.
    """
    keys, ptxas = errors(facts, "CUDA_ERROR_INVALID_IMAGE"), facts.known(said.PTXAS_VERSION)
    serves = served_cuda(facts)
    if keys and ptxas is not None and serves is not None and serves.major < ptxas.major:
        title = f"The driver serves CUDA up to {serves}, and cannot load what ptxas {ptxas} made"
        yield (*keys, said.PTXAS_VERSION), title, Confidence.CERTAIN


def _packed(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """A program for CUDA 12 whose code the driver calls invalid, as it cannot unpack it."""
    keys, driver = errors(facts, "CUDA_ERROR_INVALID_IMAGE"), facts.known(names.DRIVER_VERSION)
    if not keys or driver is None or _OF_XLA in (facts.known(keys[0]) or ""):
        return
    if _OF_CUDA_12 <= driver.major < _UNPACKS:
        title = f"Driver {driver} cannot unpack code that CUDA 12.4 or a later one packed"
        yield keys, title, Confidence.LIKELY


#: XLA compiles for the GPU at run time, and asks so itself.
_OF_XLA = "in-memory CUBIN"


def _is_release(facts: Facts, told: str) -> bool:
    """A driver's release, by which ffmpeg also ends where the encoder's library is not there."""
    gone = names.LIBRARY_MISSING("nvidia-encode"), names.LIBRARY_MISSING("nvencodeapi")
    return told[:1].isdigit() and not any(facts.known(key) for key in gone)


def _conda(facts: Facts) -> Iterator[tuple[Keys, str, Confidence]]:
    """What conda asks of the driver, or brings along, beyond the CUDA that the driver serves."""
    serves = served_cuda(facts)
    if serves is None:
        yield from conda_before_table(facts)
        return
    asked = value(facts, "conda-asks-driver")
    if asked and Version(asked) > serves:
        title = f"The driver serves CUDA up to {serves}, the packages ask conda for {asked}"
        yield statements(facts, "conda-asks-driver"), title, Confidence.CERTAIN
    sees = facts.known_of(said.FRAMEWORK_SEES_GPU)
    for key in map(names.PACKAGE_VERSION, ("cudatoolkit", "cuda-version")):
        brought = release_number(facts.known(key) or "")
        if brought is not None and brought.major > serves.major and not any(sees):
            title = f"The driver serves CUDA up to {serves}, conda brings CUDA {facts.known(key)}"
            yield (key,), title, Confidence.LIKELY


def slower_compilation(facts: Facts) -> Finding | None:
    """JAX works, and compiles one kernel at a time under a driver older than its ptxas.

    That costs time once. Where the GPU's own clocks are held down it is good to know, and no more.
    """
    keys = statements(facts, "jax-ptxas-newer-than-driver")
    if not keys:
        return None
    return Finding(
        "The driver is older than JAX's ptxas, so kernels are compiled one at a time",
        cite(facts, *keys, names.DRIVER_VERSION),
        update_driver(place_of(facts), facts.known(names.DRIVER_VERSION)),
        severity=Severity.NOTE if protecting(facts) else Severity.WARNING,
        stands_alone=True,
    )


def builds_by_table(facts: Facts) -> list[tuple[Package, Version | None]]:
    """What pip installs of a release that is named by its version alone, and sees no GPU."""
    return [*_torch_by_table(facts), *_tensorflow_by_table(facts)]


def _torch_by_table(facts: Facts) -> Iterator[tuple[Package, Version | None]]:
    version = facts.known(names.PACKAGE_VERSION("torch"))
    keys = (names.PACKAGE_BUILD("torch").name, names.PACKAGE_CUDA("torch").name)
    stated = any(name in facts for name in keys)
    failing = no_gpu_seen(facts, "torch") or errors(facts, "cudaErrorInsufficientDriver")
    if version is None or stated or not failing or statements(facts, "torch-without-cuda"):
        return
    from ....knowledge.pytorch import Build, build

    windows = place_of(facts).driver_system == "windows"
    found = build(version, "windows" if windows else "linux_x86_64")
    if isinstance(found, Build) and found.cuda is not None:
        yield Package("torch", "PyTorch", version, "cuda"), found.cuda


def _tensorflow_by_table(facts: Facts) -> Iterator[tuple[Package, Version | None]]:
    """The CUDA of its release; conda builds it for the toolkit that it brings along."""
    release = tensorflow_release(facts)
    beside = facts.known(names.PACKAGE_VERSION("tensorflow-cpu")) is not None
    if release is None or beside:
        return
    name, version, cuda = release
    brought = release_number(facts.known(names.PACKAGE_VERSION("cudatoolkit")) or "")
    if no_gpu_seen(facts, "tensorflow") or _is_all_that_is_told(facts, brought or cuda):
        yield Package(name, "TensorFlow", version, "cuda"), brought or cuda


def _is_all_that_is_told(facts: Facts, cuda: Version | None) -> bool:
    """Whether somebody asks with nothing but a release that the driver cannot serve at all."""
    serves = served_cuda(facts)
    return serves is not None and cuda is not None and serves.major < cuda.major and alone(facts)
