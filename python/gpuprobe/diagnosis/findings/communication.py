"""Can the GPUs talk to each other?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ..fixes.communication import by_mpi, hangs, repair, without_nccl
from ..model import Confidence, Finding, Findings, Fix, Severity, cite
from ..questions.applicable import not_without_gpu
from ..questions.place import Place, place_of
from ..questions.sentences import something_fails
from ..questions.statements import errors, short, statements, value

if TYPE_CHECKING:
    from ...facts.model import Facts, Key

_SHARED_MEMORY = "nccl-shared-memory"
_FAILED = (
    "nccl-network",
    "nccl-version-mismatch",
    "nccl-timeout",
    "nccl-hangs",
    "nccl-no-gpu-memory",
    "nccl-unhandled",
    "nccl-cuda-failure",
    "torch-without-nccl",
    "nccl-library-missing",
    "nccl-tests-fail-told",
    "nccl-kernel-too-large",
    "p2p-not-by-product",
    "mpi-not-cuda-aware",
    "nccl-peer-access-to-blame",
    "works-with-gloo",
    "peer-handle-refused",
    "peer-access-not-given",
    "nvshmem-failed",
)
_COPIES = ("peer-copy-zeros", "peer-copy-wrong", "peer-copy-verified-wrong", "iommu-page-fault")
_CODES = (
    "ncclUnhandledCudaError",
    "ncclSystemError",
    "ncclInternalError",
    "ncclInvalidArgument",
    "ncclInvalidUsage",
    "ncclRemoteError",
    "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
)
_CLUES = ("peer-access-refused", "acs-enabled", "nccl-warning")
_CLUE_CODES = (
    "CUDA_ERROR_MAP_FAILED",  # another process's memory, or a graphics buffer
    "CUDA_ERROR_TOO_MANY_PEERS",  # eight for each GPU, of which larger machines have more
)


def nccl(facts: Facts) -> Findings:
    """What GP503 finds."""
    not_without_gpu(facts)
    shared = (*statements(facts, _SHARED_MEMORY), *statements(facts, "bus-error-in-nccl"))
    failed = (*statements(facts, *_FAILED), *errors(facts, *_CODES), *_stands_together(facts))
    failed = () if _is_of_memory(facts, failed) else failed
    clues = (*statements(facts, *_CLUES), *errors(facts, *_CLUE_CODES), *_stands(facts))
    twice = statements(facts, "nccl-duplicate-gpu")
    if twice:
        yield _same_gpu(facts, twice)
    elif shared:
        beside = (*failed, *statements(facts, "bus-error"))
        yield _small_shared_memory(facts, place_of(facts), (*shared, *beside))
    elif copies := (*statements(facts, *_COPIES), *_refused(facts, (*failed, *clues))):
        yield _lost_copies(facts, (*copies, *failed, *clues))
    elif lacking := _left_out(facts):
        yield _without_nccl(facts, lacking)
    elif none := _none_for_windows(facts):
        yield _not_for_windows(facts, none)
    elif failed:
        yield _failure(facts, (*failed, *clues), Severity.ERROR, Confidence.LIKELY)
    elif clues:
        yield _failure(facts, clues, Severity.WARNING, Confidence.POSSIBLE)
    elif peermem := statements(facts, "peermem-refused"):
        yield _without_rdma(facts, peermem)


def _is_of_memory(facts: Facts, failed: tuple[Key[str], ...]) -> bool:
    """GP703: NCCL got no memory of CUDA, and every other word is of the call that ended with it."""
    ends = (*statements(facts, *_CALL_ENDS), *errors(facts, "ncclUnhandledCudaError"))
    told = value(facts, "nccl-cuda-failure").lower() == "out of memory"
    return told and bool(errors(facts, "CUDA_ERROR_OUT_OF_MEMORY")) and set(failed) <= set(ends)


_CALL_ENDS = "nccl-unhandled", "nccl-cuda-failure"


def _refused(facts: Facts, beside: tuple[Key[str], ...]) -> tuple[Key[str], ...]:
    """The IOMMU's fault of some device, where what several GPUs do together fails or stands."""
    fault, stands = statements(facts, "dmar-fault"), statements(facts, "mirrored-hangs")
    return (*fault, *stands) if fault and (stands or beside) else ()


def _stands(facts: Facts) -> tuple[Key[str], ...]:
    """A program stands where NCCL has begun, or several GPUs work, and nothing else fails."""
    for signs in (("mirrored-hangs", "tf-nccl-reduces"), ("sits-told", "nccl-started")):
        both = statements(facts, *signs)
        if len(both) > 1:
            return both
    return _hang_of_several(facts)


def _hang_of_several(facts: Facts) -> tuple[Key[str], ...]:
    """Work hangs on several GPUs; not where anything else fails, or one GPU alone hangs as well."""
    if something_fails(facts) or statements(facts, "one-hangs-told"):
        return ()
    return statements(facts, "several-hang-told")


def _stands_together(facts: Facts) -> tuple[Key[str], ...]:
    """Somebody says that the same work goes on with one of the GPUs."""
    hang, alone = _hang_of_several(facts), statements(facts, "one-goes-on-told")
    return (*hang, *alone) if hang and alone else ()


def _left_out(facts: Facts) -> tuple[Key[str], ...]:
    """A build of TensorFlow without operations of NCCL, unless it knows no GPUs either."""
    if statements(facts, "tf-cpu-registered"):
        return ()
    lacking = statements(facts, "tf-without-nccl")
    return (*lacking, *statements(facts, "tf-gpu-registered")) if lacking else ()


def _none_for_windows(facts: Facts) -> tuple[Key[str], ...]:
    """On Windows somebody misses NCCL, and tells of nothing else that fails."""
    told = statements(facts, "nccl-not-on-windows-told")
    return told if place_of(facts).system == "Windows" and not something_fails(facts) else ()


def _not_for_windows(facts: Facts, keys: tuple[Key[str], ...]) -> Finding:
    tensorflow = facts.known(said.ABOUT("tensorflow")) is not None
    fix = _SUM_BY_COPIES if tensorflow else without_nccl(facts)
    title = "There is no NCCL for Windows: several GPUs have to add up in another way"
    return Finding(title, cite(facts, *keys), fix, confidence=Confidence.LIKELY)


_SUM_BY_COPIES = Fix(
    "NCCL is not made for Windows, and other builds can leave it out. Let MirroredStrategy "
    "sum by copies: cross_device_ops=tf.distribute.HierarchicalCopyAllReduce(), or "
    "ReductionToOneDevice."
)


def _without_nccl(facts: Facts, keys: tuple[Key[str], ...]) -> Finding:
    return Finding(
        f"This TensorFlow is built without NCCL, which {facts.known(keys[0])} is an operation of",
        cite(facts, *keys),
        _SUM_BY_COPIES,
    )


def _same_gpu(facts: Facts, keys: tuple[Key[str], ...]) -> Finding:
    return Finding(
        f"Two ranks use one GPU: {facts.known(keys[0])}",
        cite(facts, *keys),
        Fix("Give each rank a device of its own: torch.cuda.set_device(local_rank)."),
        cause="user-code",
    )


def _small_shared_memory(facts: Facts, place: Place, keys: tuple[Key[str], ...]) -> Finding:
    inside = place.container is not None
    text = "Start the container with more shared memory" if inside else "Make /dev/shm larger"
    title = "NCCL cannot make its segment in /dev/shm, which is full or too small"
    if keys[0] == said.SIGN("bus-error-in-nccl"):
        title = "NCCL dies of a bus error, as where /dev/shm is too small for its segment"
    return Finding(
        title,
        cite(facts, *keys),
        Fix.by_user(
            f"{text}; a container gets 64 MB unless it is told otherwise (in Kubernetes: an "
            "emptyDir of medium Memory on /dev/shm).",
            ("df -h /dev/shm", "docker run --shm-size=8g …"),
        ),
    )


def _lost_copies(facts: Facts, keys: tuple[Key[str], ...]) -> Finding:
    return Finding(
        "What is copied from one GPU to another does not arrive: peer access does not work here",
        cite(facts, *keys),
        Fix.by_reboot(
            "An active IOMMU, or access control (ACS) of the PCIe switches, stops what GPUs write "
            "to each other. Switch the IOMMU off in the firmware, or to passing through (iommu=pt) "
            "for the kernel; until then copy by way of the CPU, and keep NCCL from peer access.",
            ("NCCL_P2P_DISABLE=1 python PROGRAM", "nvidia-smi topo -p2p r", "cat /proc/cmdline"),
            undo="set the firmware's option, or the kernel's, back",
        ),
        confidence=Confidence.LIKELY,
    )


def _without_rdma(facts: Facts, keys: tuple[Key[str], ...]) -> Finding:
    return Finding(
        f"Network cards do not reach the GPU's memory: {facts.known(keys[0])} is not loaded",
        cite(facts, *keys),
        Fix.by_admin(
            "The module is built against the network card's drivers (MLNX_OFED or DOCA) that are "
            "there when the GPU's driver is installed: install that anew after them, then load it. "
            "Without it NCCL copies by way of the CPU, which works and is slower.",
            ("sudo modprobe nvidia-peermem", "sudo dmesg | grep -i peermem"),
            undo="sudo modprobe -r nvidia-peermem",
        ),
        severity=Severity.WARNING,
        confidence=Confidence.LIKELY,
    )


def _failure(
    facts: Facts, keys: tuple[Key[str], ...], severity: Severity, confidence: Confidence
) -> Finding:
    evidence = cite(facts, *keys, *statements(facts, "nccl-by-bridge"))
    if keys == _NO_NCCL:
        title = "This PyTorch is a build without NCCL"
        return Finding(title, evidence, without_nccl(facts), severity, confidence)
    return Finding(
        _title(facts, keys, sure=confidence is Confidence.LIKELY),
        evidence,
        repair(facts, keys),
        severity=severity,
        confidence=confidence,
    )


_NO_NCCL = (said.SIGN("torch-without-nccl"),)


def _title(facts: Facts, keys: tuple[Key[str], ...], *, sure: bool) -> str:
    if said.SIGN("p2p-not-by-product") in keys:
        return (
            "Accelerate wants NCCL's P2P and IB switched off, which GPUs of this kind do not have"
        )
    if hangs(keys):
        if sure:
            return "NCCL hangs with several GPUs, as the text says"
        return "The GPUs may not reach each other: what runs on several of them does not go on"
    if sure and keys[0] == _HANDLE and by_mpi(facts):
        call = value(facts, "peer-handle-refused")
        return f"A process could not share what it has on a GPU with another one: {call}"
    if sure and keys[0] == said.SIGN("works-with-gloo"):
        return "The work fails with NCCL, and goes with Gloo in its place"
    return f"{'NCCL failed' if sure else 'The GPUs may not reach each other'}: {_why(facts, keys)}"


_HANDLE = said.SIGN("peer-handle-refused")
#: What failed, where the line that tells it tells of much else.
_WHY = {
    said.ERROR("CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"): "these GPUs have no peer access",
    said.ERROR("CUDA_ERROR_TOO_MANY_PEERS"): "each has eight peers at most",
    said.SIGN("nccl-kernel-too-large"): "its kernels ask for more shared memory than the GPU has",
    said.SIGN("peer-access-refused"): "they have no peer access",
    said.SIGN("nccl-peer-access-to-blame"): "peer access is to blame, as the text says",
    said.SIGN("nccl-library-missing"): "its library is not found",
    said.SIGN("nccl-network"): "it did not get through the network",
    said.SIGN("nccl-timeout"): "a collective operation did not end in time",
    said.SIGN("nccl-hangs"): "it does not come back, as the text says",
}


def _why(facts: Facts, keys: tuple[Key[str], ...]) -> str:
    """In NCCL's own words, where those alone were caught; else by what is known of them."""
    for key in keys:
        words = facts.known(key) or ""
        if words and words == short(words) and key != said.SIGN("nccl-timeout"):
            return words
        if key in _WHY:
            return _WHY[key]
    return short(facts.known(keys[0]) or "")
