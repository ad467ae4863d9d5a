"""What a pasted text says of a GPU that has failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ....facts.regex import regex
from ...model import Confidence
from ..sentences import in_sentences
from ..statements import errors, line_of, statements, value
from ..symptoms import kept_by_vfio, module_runs, nvidia_gpus, unknown_of_gpu

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

_CODES = (
    "CUDA_ERROR_ECC_UNCORRECTABLE",
    "CUDA_ERROR_NVLINK_UNCORRECTABLE",
    "NVML_ERROR_GPU_IS_LOST",
    "NVML_ERROR_RESET_REQUIRED",
    "NVML_ERROR_INSUFFICIENT_POWER",
    "NVML_ERROR_IRQ_ISSUE",
)
_SIGNS = (
    *("bus-lost", "gpu-reset-required", "gsp-failed", "gpu-not-started", "gpu-crash-dump"),
    *("power-state-stuck", "bus-error-fatal", "ecc-pages-pending", "io-region-invalid"),
    *("resources-refused", "pci-answers-nothing", "device-file-silent"),
    *("gpu-answers-nonsense", "nvswitch-failed"),
)
#: A module that does not serve the GPU fails to start it as well.
_START = "gsp-failed", "gpu-not-started"
_NOT_SERVED = ("open-module-unsupported", "driver-does-not-serve-gpu", "legacy-branch-needed",
               "gsp-firmware-missing")  # fmt: skip
#: What others than the driver see of it.
_SEEN = ("k8s-unhealthy-gpu", "slurm-gpu-gone", "bus-lost-told", "gpu-hung-told",
         "passthrough-device-silent", "windows-code-43", "windows-device-failed")  # fmt: skip
#: Words of nvidia-smi about a GPU that are a matter of permission, not of its health.
_REFUSED = ("insufficient permissions", "not found", "not supported")


CODE_43 = said.SIGN("windows-code-43")
_COUNT = names.PCI_NVIDIA_COUNT


class Lost(NamedTuple):
    """The statement that shows it."""

    title: str
    keys: Keys
    confidence: Confidence = Confidence.CERTAIN
    overclocked: bool = False


#: How a kernel fails that computes right on other GPUs.
_OF_KERNELS = (
    "CUDA_ERROR_LAUNCH_FAILED",
    "CUDA_ERROR_ILLEGAL_ADDRESS",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    "CUDA_ERROR_MISALIGNED_ADDRESS",
)


def fails_in_miner(facts: Facts) -> Keys:
    """A miner's kernels fail: nobody writes those himself, and who mines sets clocks and volts."""
    failed, miner = errors(facts, *_OF_KERNELS), statements(facts, "miner-at-work")
    return (*failed, *miner) if failed and miner else ()


def lost_asleep(facts: Facts) -> Keys:
    """Unasked, the driver keeps little of what programs have on a GPU while the machine sleeps."""
    failed, slept = errors(facts, *_OF_KERNELS), statements(facts, "after-suspend")
    return (*failed, *slept) if failed and slept else ()


def _gone_after_a_kernel(facts: Facts) -> Lost | None:
    """What a program did wrong is over when it has ended; a GPU that stays away is not well."""
    failed, lost = errors(facts, *_OF_KERNELS), statements(facts, "told-lost", "chinese-lost")
    if not failed or not lost:
        return None
    title = "A kernel failed, and the GPU is out of use since, as it is told"
    return Lost(title, (*failed, *lost), Confidence.LIKELY)


def _went_meanwhile(facts: Facts) -> Lost | None:
    """A program counted its devices; below it there are none, until the machine starts anew."""
    none, told = errors(facts, "CUDA_ERROR_NO_DEVICE"), statements(facts, "reboot-helps-told")
    counted = names.CUDA_COUNT
    if not none or not told or not facts.known(counted):
        return None
    if line_of(facts, counted) > min(line_of(facts, key) for key in none):
        return None
    title = "CUDA had its devices and then none, and a restart of the machine brings them back"
    return Lost(title, (counted, *none, *told), Confidence.LIKELY)


def lost_gpu(facts: Facts) -> Lost | None:
    """The GPU that failed; None where the text tells of none."""
    codes, signs = errors(facts, *_CODES), statements(facts, *_SIGNS)
    if statements(facts, *_NOT_SERVED):
        signs = tuple(key for key in signs if key not in statements(facts, *_START))
    if codes or signs:
        keys = (*codes, *signs, *_handle(facts))
        return Lost(_title(facts, keys[0]), keys)
    seen = () if statements(facts, "mig-uuid-unread") else statements(facts, *_SEEN)
    unread = (*_handle(facts), *unknown_of_gpu(facts), *seen)
    if unread:
        return Lost(_silent(facts, unread[0]), unread, Confidence.LIKELY)
    if failed := fails_in_miner(facts):
        title = "A miner's kernel failed: mostly the GPU's clocks are set higher than it bears"
        return Lost(title, failed, Confidence.LIKELY, overclocked=True)
    if gone := _gone_after_a_kernel(facts) or _went_meanwhile(facts):
        return gone
    record, told = statements(facts, "gsp-record-shown"), statements(facts, "told-lost")
    if record and told:
        title = "The module shows what the GPU sent it last, and the GPU goes away, as it is told"
        return Lost(title, (*record, *told), Confidence.LIKELY)
    missing = statements(facts, "gpus-missing-told")
    if by_sentence := missing or in_sentences(facts, "told-lost", "chinese-lost"):
        title = f"A GPU goes away, as it is told: {_told(facts, by_sentence[0])}"
        return Lost(title, by_sentence, Confidence.POSSIBLE)
    none = () if statements(facts, *_NOT_SERVED) else statements(facts, "smi-no-devices")
    elsewhere = facts.known(names.CONTAINER_KIND) and not _in_driver_container(facts)
    elsewhere = elsewhere or facts.known(_COUNT) == 0
    elsewhere = elsewhere or bool(statements(facts, "slurm-step-without-gpu"))
    if none and not elsewhere and not kept_by_vfio(facts):
        there = (*nvidia_gpus(facts), *((names.MODULE_VERSION,) if module_runs(facts) else ()))
        title = "The driver runs, and its GPU does not answer: nvidia-smi lists no device"
        sure = Confidence.LIKELY if there else Confidence.POSSIBLE
        return Lost(title, (*none, *there), sure)
    return None


def _silent(facts: Facts, key: Key[object]) -> str:
    """Which GPU does not answer, where nvidia-smi's words tell its address or number."""
    if key == CODE_43:
        return "Windows stopped the GPU because its driver reported a problem (code 43)"
    told = _told(facts, key)
    if key.name == "sign.k8s-unhealthy-gpu" and told.isdigit():
        return f"NVIDIA's device plug-in took a GPU out of use: Xid {told}"
    which, _, why = told.partition(" ")
    if key.name == "sign.smi-device-handle" and which[:1].isalnum() and ":" in which:
        return f"GPU {which} does not answer: {why}"
    return f"A GPU does not answer: {told}"


#: The address of a GPU in the driver's lines, and the number of the event.
_ADDRESS = regex(r"(?ai)\b((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?)\b")


def without_addresses(keys: Keys) -> bool:
    """Whether the firmware's or the hypervisor's want of room is what the text tells first."""
    return keys[0].name == "sign.io-region-invalid"


def _title(facts: Facts, key: Key[object]) -> str:
    """Which GPU is gone, where the line tells it; else what the first line says."""
    line = str(facts.known(key))
    if without_addresses((key,)):
        return "A GPU got no room in the machine's address space: its memory region (BAR) is empty"
    if key.name == "sign.bus-lost" and "fallen off the bus" in line:
        address = _ADDRESS.search(line[max(line.find(_DRIVER), 0) :])
        which = "A GPU" if address is None else f"GPU {address[1]}"
        event = " (Xid 79)" if facts.known(names.XID("79")) is not None else ""
        return f"{which} has fallen off the bus{event}"
    if key.name == "sign.gsp-failed" and line.startswith("RmInitAdapter"):
        return f"The driver could not start a GPU: {_told(facts, key)}"
    what = "An NVSwitch" if key.name == "sign.nvswitch-failed" else "A GPU"
    return f"{what} has failed: {_told(facts, key)}"


def _in_driver_container(facts: Facts) -> bool:
    """Whether the GPU operator's own container asked, which has the driver and all of the GPUs.

    Its probe is nvidia-smi, and no other's is.
    """
    probed = "startup probe failed" in value(facts, "smi-no-devices").lower()
    return probed or bool(statements(facts, "driver-container"))


def _handle(facts: Facts) -> Keys:
    words = value(facts, "smi-device-handle").lower()
    if any(each in words for each in _REFUSED):
        return ()
    return statements(facts, "smi-device-handle")


def _told(facts: Facts, key: Key[object]) -> str:
    if key.name.startswith("error."):
        return key.name.partition(".")[2]
    words = str(facts.known(key))
    words = words[max(words.find(_DRIVER), 0) :].strip(" `.,")
    for mark in '`"':
        words = words if words.count(mark) % 2 == 0 else words.replace(mark, "")
    return words if len(words) <= _LIMIT else words[:_LIMIT].rpartition(" ")[0] + " …"


_LIMIT = 100
#: How the driver's lines begin, behind the time and the host that a log puts before them.
_DRIVER = "NVRM: "
