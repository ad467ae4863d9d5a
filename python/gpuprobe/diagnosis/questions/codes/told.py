"""The codes of a pasted text that have a usual reading, and no rule of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....facts import names, said
from ...fixes.access import let_processes_in, open_exclusive
from ...fixes.device import mend_driver_of_guest, open_compute_mode, read_kernel_log
from ...fixes.wsl import renew_container_tools, without_sharing
from ...model import Confidence, Fix
from ..driver.versions import compat_tried
from ..gpus.lost import lost_asleep
from ..place import place_of
from ..sentences import something_fails
from ..statements import errors, seen_anyway, statements
from . import readings

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys
    from .readings import Reading

#: By name: the codes of `readings`, without those that other rules judge in texts.
_CODES = {
    "CUDA_ERROR_DEVICE_UNAVAILABLE": 46,
    "CUDA_ERROR_OPERATING_SYSTEM": 304,
    "CUDA_ERROR_JIT_COMPILER_NOT_FOUND": 221,
    "CUDA_ERROR_NOT_PERMITTED": 800,
    "CUDA_ERROR_MPS_CONNECTION_FAILED": 805,
    "CUDA_ERROR_MPS_RPC_FAILURE": 806,
    "CUDA_ERROR_MPS_SERVER_NOT_READY": 807,
    "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED": 808,
    "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED": 809,
}
_CLOSED = ("exclusive", "prohibited")


class Told(NamedTuple):
    """A code and what it mostly means."""

    title: str
    keys: Keys
    reading: Reading


def told_code(facts: Facts) -> Told | None:
    """The first code with a reading; None where the text states none."""
    if errors(facts, "CUDA_ERROR_SYSTEM_NOT_READY"):
        return None  # GP208: what fails beside it fails with it
    for name, number in _CODES.items():
        keys = errors(facts, name)
        if keys and not _of_memory(facts, keys[0]) and not _of_checkpoint(facts, keys[0]):
            title = readings.said("CUDA", "driver", number)
            return _with_mode(facts, Told(title, keys, readings.CUDA[number]))
    if busy := statements(facts, "devices-said-busy"):
        title = readings.said("CUDA", "driver", 46)
        return _with_mode(facts, Told(title, busy, readings.CUDA[46]))
    steps = (
        *(_taken, _no_symbol, _mps, _unknown_error, _reloaded, _slept, _fails_awake),
        _not_in_wsl,
    )
    return next((told for step in steps if (told := step(facts)) is not None), None)


def repair(facts: Facts, told: Told) -> Fix:
    """What to do about it: of a GPU that lets nobody in by the mode that the text shows."""
    place = place_of(facts)
    if told.reading.fix is not open_compute_mode:
        return told.reading.fix(place)
    for gpu in facts.subjects(names.GPU_COMPUTE_MODE):
        mode = facts.known(names.GPU_COMPUTE_MODE(gpu)) or ""
        if mode.startswith("exclusive"):
            others = facts.subjects(names.GPU_COMPUTE_MODE)
            every = {facts.known(names.GPU_COMPUTE_MODE(each)) for each in others} == {mode}
            return open_exclusive(place, gpu, mode, every=every and len(others) > 1)
        if mode == "prohibited":
            return let_processes_in(place, gpu, facts.known(names.GPU_NAME(gpu)))
    failing = (name for name in facts.subjects(said.ERROR) if name.startswith("NVML_"))
    return mend_driver_of_guest(place) if any(failing) else open_compute_mode(place)


#: The last is how NVIDIA's images show what met their own first call.
_STARTING = (
    *("cudagetdevicecount", "cuda initialization", "cuinit", "driver library init"),
    "[[ named symbol not found (error 500)",
)


def _no_symbol(facts: Facts) -> Told | None:
    """A symbol that is missed at the start is one of the driver's library, not the program's.

    That is another driver than the program expects: in a container the host's, in WSL Windows'.
    """
    keys = errors(facts, "CUDA_ERROR_NOT_FOUND")
    message = (facts.known(keys[0]) or "").lower() if keys else ""
    if not any(word in message for word in _STARTING):
        return None
    windows = facts.known(names.OS_SYSTEM) == "Windows"
    docker = facts.known(names.CONTAINER_KIND) or facts.known(said.ABOUT("docker"))
    inside = windows and docker is not None  # Docker's own WSL
    # On other systems Docker Desktop has no GPU, so that no driver gives a code there.
    desktop = statements(facts, "docker-desktop-told")
    wsl = inside or bool(desktop) or facts.known(names.WSL_VERSION) is not None
    reading, where = readings.CUDA[1], (names.WSL_VERSION, *desktop)
    if wsl and (docker is not None or desktop):
        reading = reading._replace(cause="wsl", fix=renew_container_tools)
        title = "In the container a file of Windows' driver is missing (CUDA's error 500)"
        return Told(title, (*keys, *where, names.CONTAINER_KIND), reading)
    reading = reading._replace(cause="wsl" if wsl else "driver-library-mismatch")
    return Told(readings.said("CUDA", "driver", 500), (*keys, *where), reading)


def _of_memory(facts: Facts, key: Key[str]) -> bool:
    """GP901: a program of PyTorch shares memory of the GPU among processes.

    Or pins memory of the host, of which the system lets it have no more; no device file is closed.
    """
    message = (facts.known(key) or "").lower()
    return any(each in message for each in ("storagesharing", "hostregister", "page locking"))


def _of_checkpoint(facts: Facts, key: Key[str]) -> bool:
    """Whether a program that runs on the GPU was to be saved, which not every system lets it."""
    return "cucheckpoint" in (facts.known(key) or "").lower()


def _not_in_wsl(facts: Facts) -> Told | None:
    """WSL has not all of CUDA: no memory that processes share, and only a part of pinned memory."""
    keys = errors(facts, "CUDA_ERROR_NOT_SUPPORTED")
    handles = errors(facts, "CUDA_ERROR_INVALID_HANDLE")
    keys += tuple(key for key in handles if "ipc" in (facts.known(key) or "").lower())
    keys += statements(facts, "vllm-uva-missing")
    if not keys or facts.known(names.WSL_VERSION) is None:
        return None
    reading = readings.DEFAULT._replace(cause="wsl", fix=without_sharing)
    title = "The program asks CUDA for something that WSL does not have"
    return Told(title, (*keys, names.WSL_VERSION), reading)


def _mps(facts: Facts) -> Told | None:
    keys = statements(facts, "mps-failed")
    title = "The daemon that shares the GPU among processes (MPS) is at fault"
    return Told(title, keys, readings.CUDA[805]) if keys else None


def _taken(facts: Facts) -> Told | None:
    """A GPU that admits one process only is no device to a second one."""
    numbered = () if _is_free(facts) else errors(facts, "CUDA_ERROR_INVALID_DEVICE")
    keys = (*numbered, *errors(facts, "CUDA_ERROR_NO_DEVICE"))
    keys += statements(facts, "program-finds-no-gpu", "program-shares-no-gpu")
    if not facts.subjects(said.ERROR):  # of it nothing is told but where it came up
        keys += statements(facts, "tf-session-begun")
    busy = readings.CUDA[46]
    if given_then_refused(facts) and not statements(facts, "tf-gpu-ignored-capability"):
        title = "The GPU is there and admits no further process"
        return Told(title, keys, busy)
    if held := _held_by_one_thread(facts):
        title = "The GPU admits one thread alone, and another one holds it"
        return Told(title, held, busy._replace(confidence=Confidence.LIKELY))
    if single := _too_many_threads(facts):
        title = "The GPU admits one thread alone, and TensorFlow computes with several"
        return Told(title, single, busy)
    if not keys or not _closed(facts):
        return None
    title = "The GPU is in a compute mode that keeps further processes out"
    return Told(title, (*keys, *_closed(facts)), busy)


#: What a GPU may have in use of which no program holds a part: a context takes more.
_IDLE_BYTES = 24 << 20


def _is_free(facts: Facts) -> bool:
    """Whether nobody holds a GPU that admits one process, so that it lets the next one in.

    Then a number that is invalid (101) is that of a GPU which the program does not have.
    """
    modes = facts.keys_of(names.GPU_COMPUTE_MODE)
    if not modes or any(facts.known(key) == "prohibited" for key in modes):
        return False
    sizes = (
        (facts.known(names.GPU_MEMORY(gpu)), facts.known(names.GPU_MEMORY_FREE(gpu)))
        for gpu in facts.subjects(names.GPU_COMPUTE_MODE)
    )
    return all(
        size is not None and free is not None and size - free < _IDLE_BYTES for size, free in sizes
    )


#: The run time's words for 216, and what gives a thread a context that is there: other calls have
#: the number for a context of their own process.
_OF_A_THREAD = "exclusive-thread", "cuctxsetcurrent(", "cuctxpushcurrent("


def _held_by_one_thread(facts: Facts) -> tuple[Key[str], ...]:
    """The context may be used by the thread alone that made it."""
    keys = errors(facts, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE")
    shown = {key: (facts.known(key) or "").lower() for key in keys}
    return tuple(key for key in keys if any(each in shown[key] for each in _OF_A_THREAD))


def _too_many_threads(facts: Facts) -> Keys:
    """Trouble with TensorFlow on a GPU in the mode for one thread, and nothing else to blame."""
    modes = facts.keys_of(names.GPU_COMPUTE_MODE)
    single = tuple(key for key in modes if facts.known(key) == "exclusive thread")
    asked = tuple(said.ABOUT(each) for each in ("tensorflow", "trouble"))
    if not single or not all(facts.known(key) for key in asked) or something_fails(facts):
        return ()
    return () if seen_anyway(facts) else single


#: What makes a context on a GPU that an earlier call has handed out.
_CONTEXT = "cudeviceprimaryctxretain", "cuctxcreate"


def given_then_refused(facts: Facts) -> bool:
    """Whether a GPU that exists is called invalid: its compute mode admits one process alone."""
    keys = errors(facts, "CUDA_ERROR_INVALID_DEVICE")
    message = (facts.known(keys[0]) or "").lower() if keys else ""
    in_banner = "cuda driver unavailable" in message  # of an image that tries its own libraries
    return not in_banner and any(call in message for call in _CONTEXT)


def _closed(facts: Facts) -> Keys:
    modes = facts.keys_of(names.GPU_COMPUTE_MODE)
    closed = tuple(key for key in modes if (facts.known(key) or "").startswith(_CLOSED))
    return closed or statements(facts, "told-exclusive")


def _with_mode(facts: Facts, told: Told) -> Told:
    """A compute mode that admits one process, or none, makes "busy" certain."""
    closed = _closed(facts)
    if told.reading.cause != "device-busy" or not closed:
        return told
    certain = told.reading._replace(confidence=Confidence.CERTAIN)
    return told._replace(keys=(*told.keys, *closed), reading=certain)


def _reloaded(facts: Facts) -> Told | None:
    """Who was helped by a fresh nvidia_uvm had a stale one."""
    keys = statements(facts, "uvm-reloaded")
    if not keys:
        return None
    reading = readings.CUDA[999]._replace(confidence=Confidence.LIKELY)
    title = "CUDA works again once the module nvidia_uvm is loaded anew"
    return Told(title, (*keys, *statements(facts, "after-suspend")), reading)


def _slept(facts: Facts) -> Told | None:
    """A GPU that worked until the machine slept: the driver's unified memory did not wake up."""
    keys = statements(facts, "gpu-gone-after-suspend")
    if not keys or seen_anyway(facts):
        return None
    return Told("No program gets at the GPU since the machine slept", keys, readings.CUDA[999])


def _fails_awake(facts: Facts) -> Told | None:
    keys = lost_asleep(facts)
    if not keys:
        return None
    title = "A kernel failed after the machine slept, which takes what programs have on the GPU"
    return Told(title, keys, readings.CUDA[999])


#: What NCCL and its plugins call unknown is no matter of the driver's start.
_OF_TRANSPORTS = "ipc handle", " net/"


def _unknown_error(facts: Facts) -> Told | None:
    """999 at the start is mostly a device file, above all after suspend; later it may be all."""
    keys = errors(facts, "CUDA_ERROR_UNKNOWN")
    message = (facts.known(keys[0]) or "").lower() if keys else ""
    if statements(facts, "cudart-other-than-built"):
        return None  # GP403
    if statements(facts, "torch-driver-too-old"):
        return None  # GP203
    if not keys or compat_tried(facts) or any(each in message for each in _OF_TRANSPORTS):
        return None
    reading = readings.CUDA[999]
    starting = statements(facts, "torch-unknown-error-environment", "after-suspend")
    if seen_anyway(facts) and not starting:
        reading = readings.DEFAULT._replace(fix=read_kernel_log)
    elif starting or "cuinit" in message:
        reading = reading._replace(confidence=Confidence.LIKELY)
    return Told(readings.said("CUDA", "driver", 999), (*keys, *starting), reading)
