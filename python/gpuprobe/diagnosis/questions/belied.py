"""What belies the cause that the words of a text speak for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import names, said
from ...facts.regex import regex
from ...facts.version import Version
from .gpus.known import gpus
from .kernels.tensorflow_age import linked_run_time
from .statements import errors, line_of, looked_for_node, seen_anyway, statements, value
from .symptoms import driver_answers, nvidia_gpus, sees_none
from .visible.values import NUMBERS, VISIBLE

if TYPE_CHECKING:
    from ...facts.model import Facts

#: Causes by which a program does not get to the driver, and what shows that one does.
_WITHOUT_DRIVER = frozenset((
    *("container-no-gpu", "driver-missing", "driver-not-loaded", "driver-too-old", "no-nvidia-gpu"),
    *("driver-library-mismatch", "fabric-manager", "stub-library", "forward-compat", "wsl"),
))  # fmt: skip
_REACHED = (
    *("dcgm-initialized", "k8s-plugin-registered", "k8s-pod-scheduled"),
    "smi-off-the-path",
)
_NO_DRIVER = ("driver-missing", "driver-not-loaded", "no-nvidia-gpu")
#: Causes that end a program which had begun well.
_OF_MEMORY = ("oom-other-process", "oom-preallocation", "oom-workload")
_AFTER_START = frozenset((
    *("device-lost", "extension-mismatch", "gpu-too-new", "gpu-too-old", "nccl", "user-code"),
    *_OF_MEMORY,
))  # fmt: skip
#: What somebody does who means a program to leave the GPU alone.
_ON_PURPOSE = (
    *("hidden-by-visible-devices", "visible-devices-too-late"),
    *("silent-cpu-fallback", "cpu-only-build"),
)
#: From this share on the words are right as often as what a rule calls likely.
LIKELY_PERCENT = 95
#: Causes by which a GPU that is there has nothing to do.
_IDLE = ("silent-cpu-fallback", "cpu-only-build")
#: Libraries that come with the toolkit, or with a framework.
_OF_TOOLKIT = ("cublas-missing", "cudart-missing", "cudnn-missing")
#: Causes with which a program goes on all the same.
_SLOW = ("power-thermal", "silent-cpu-fallback")


def is_belied(facts: Facts, cause: str) -> bool:
    """Whether something that the text states cannot be beside this cause, of which it reads."""
    if cause in _WITHOUT_DRIVER and (seen_anyway(facts) or _is_reached(facts)):
        return True
    if any(told(facts, cause) for told in _SHOWN):
        return True
    if cause == "hidden-by-visible-devices" and (_leaves_first(facts) or _is_contained(facts)):
        return True
    if cause in _ON_PURPOSE and statements(facts, "purpose-told"):
        return True
    if cause == "device-lost" and statements(facts, "fault-made"):
        return True
    if cause == "silent-cpu-fallback" and _computed(facts):
        return True
    if cause == "cpu-only-build" and looked_for_node(facts):
        return True
    return _is_of_harmless_line(facts) or _went_on(facts, cause)


def _is_answered(facts: Facts, cause: str) -> bool:
    """Whether nvidia-smi printed something where there would be no driver, or in the container."""
    inside = cause == "container-no-gpu" and bool(statements(facts, "smi-answers-inside"))
    return inside or (cause in _NO_DRIVER and bool(driver_answers(facts)))


def _is_told_of_gpus(facts: Facts, cause: str) -> bool:
    """Whether an NVIDIA GPU is named where there would be none, or none where one would idle.

    Words that are sure of it outweigh a name, which may be another machine's.
    """
    if cause == "no-nvidia-gpu":
        unsure = (facts.known(said.READS_LIKE_PERCENT) or 0) < LIKELY_PERCENT
        return unsure and bool(nvidia_gpus(facts))
    return cause in _IDLE and facts.known(names.PCI_NVIDIA_COUNT) == 0


def _has_code(facts: Facts, cause: str) -> bool:
    """Whether CUDA refuses an argument; a program without code for the GPU gets another code.

    Or torch warns of a GPU that is later than what it was made for, by a minor number alone.
    """
    later = said.NOISE("torch-warns-of-a-gpu-that-runs-its-code")
    refused = errors(facts, "CUDA_ERROR_INVALID_VALUE") or facts.known(later) is not None
    return cause == "gpu-too-old" and bool(refused)


def _finds_none(facts: Facts, cause: str) -> bool:
    """Whether CUDA lists no device: of a driver that is too old it tells by another code.

    And a program that found no GPU at all did not choose a wrong one.
    """
    if cause == "driver-too-old":
        return bool(errors(facts, "CUDA_ERROR_NO_DEVICE"))
    return cause == "user-code" and bool(statements(facts, "no-gpu-to-choose"))


def _misses_part_of_driver(facts: Facts, cause: str) -> bool:
    """Whether each library that is not found is one of the driver's own, or one for drawing."""
    if cause not in _OF_TOOLKIT:
        return False
    missing = facts.subjects(names.LIBRARY_MISSING)
    if missing:
        return all(each.startswith("nvidia-") for each in missing)
    return bool(statements(facts, "drawing-driver-missing"))


#: The library whose absence is the cause.
_LIBRARY = {"cublas-missing": "cublas", "cudart-missing": "cudart", "cudnn-missing": "cudnn"}


def _opened_it(facts: Facts, cause: str) -> bool:
    """Whether the library that would be missing was opened; cuBLAS stands for its siblings too."""
    library, missing = _LIBRARY.get(cause, ""), facts.subjects(names.LIBRARY_MISSING)
    opened = facts.known(said.LIBRARY_LOADED(library)) is not None
    return opened and not (missing if library == "cublas" else library in missing)


#: The first GPUs for which all that is still made has code, and the last that all knew long since.
_STILL_SERVED, _LONG_KNOWN = Version("8.0"), Version("6.2")


def _is_of_another_age(facts: Facts, cause: str) -> bool:
    """Whether every GPU that is named is a recent one where it would be too old, or the reverse."""
    found = [gpu.capability for gpu in gpus(facts)]
    if cause == "gpu-too-old":
        return bool(found) and min(found) >= _STILL_SERVED
    if cause != "gpu-too-new" or not found or max(found) > _LONG_KNOWN:
        return False
    return not any(cuda < first for cuda in _cudas(facts) for first in map(_first_cuda, found))


def _cudas(facts: Facts) -> tuple[Version, ...]:
    """Each CUDA that the text tells of: what a program opened, the toolkit, what is named."""
    opened, toolkit = linked_run_time(facts), facts.known(names.TOOLKIT_VERSION)
    there = (*(opened or ())[:1], *((toolkit,) if toolkit else ()))
    return (*there, *map(Version, facts.known(said.CUDA_NAMED) or ()))


def _first_cuda(capability: Version) -> Version:
    """The CUDA that such a GPU came with; of a very old one nobody knows an earlier."""
    from ...knowledge.architecture import architecture

    known = architecture(capability)
    return Version("0") if known is None or known.first_toolkit is None else known.first_toolkit


def _lacks_its_part(facts: Facts, cause: str) -> bool:
    """Whether there is no card of NVIDIA's where its driver would be old, or no WSL where that is.

    WSL is Windows, or names itself.
    """
    if cause == "driver-too-old":
        return facts.known(names.PCI_NVIDIA_COUNT) == 0
    linux = facts.known(names.OS_SYSTEM) == "Linux" and facts.known(names.WSL_VERSION) is None
    return cause == "wsl" and linux and facts.known(said.ABOUT("wsl")) is None


#: That none is found, which is not that none is used.
_FOUND_NONE = regex(
    r"(?i)\b(?:no (?:cuda |nvidia )?gpus?\b|(?:cuda|gpus?)(?: device)? (?:(?:is |are |was )?not"
    r"|isn't|aren't|wasn't) (?:available|found|detected|recogni[sz]ed|listed|visible|seen)\b"
    r"|(?:find|detect|see|recogni[sz]e) (?:\w+ ){0,2}(?:cuda|gpus?)\b)"
)


def _finds_nothing_to_use(facts: Facts, cause: str) -> bool:
    """Whether somebody says that no GPU is found, where one would be there and not be used."""
    told = value(facts, "gpu-not-usable") if cause == "silent-cpu-fallback" else ""
    return _FOUND_NONE.search(told) is not None


def _hangs_instead(facts: Facts, cause: str) -> bool:
    """Whether several GPUs stand still; what finds no memory ends with an error that says so."""
    return cause in _OF_MEMORY and bool(statements(facts, "several-hang-told"))


_SHOWN = (
    *(_is_answered, _is_told_of_gpus, _has_code, _finds_none, _misses_part_of_driver),
    *(_opened_it, _is_of_another_age, _lacks_its_part, _finds_nothing_to_use, _hangs_instead),
)


def _leaves_first(facts: Facts) -> bool:
    """Whether no GPU at all is seen, beside a variable that leaves the one each machine has."""
    left = facts.known(VISIBLE) or ""
    return bool(sees_none(facts) and NUMBERS.fullmatch(left) and left.split(",")[0] == "0")


def _is_contained(facts: Facts) -> bool:
    """Whether CUDA finds no device in a container: mostly it got none. No variable is told of."""
    inside = facts.known(names.CONTAINER_KIND) is not None and facts.known(VISIBLE) is None
    return inside and bool(errors(facts, "CUDA_ERROR_NO_DEVICE"))


def _is_reached(facts: Facts) -> bool:
    """Whether a program is on a device, as it says itself, or a monitor watches one."""
    named = (facts.known(key) for key in (said.DEVICE_IN_USE, said.DEVICE_WORKED))
    return any(named) or bool(statements(facts, *_REACHED))


def _computed(facts: Facts) -> bool:
    answers = facts.known_of(said.FRAMEWORK_COMPUTED)
    return True in answers and False not in answers


def _is_of_harmless_line(facts: Facts) -> bool:
    """Whether the line that says most is one that is known to be harmless.

    As is torch's warning of a toolkit that differs by its minor release alone.
    """
    noise = (said.NOISE(each) for each in facts.subjects(said.NOISE))
    keys = (*noise, *statements(facts, "build-cuda-minor-differs"))
    return line_of(facts, said.READS_LIKE) in (line_of(facts, key) for key in keys)


def _went_on(facts: Facts, cause: str) -> bool:
    """Whether a program got on with its work, in spite of it or, of some causes, after it."""
    progress = line_of(facts, said.PROGRESS)
    if not progress or cause in _SLOW:
        return False
    return cause not in _AFTER_START or progress > line_of(facts, said.READS_LIKE)
