"""Let GPUs talk to each other again, by what exactly failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...facts import said
from ...facts.regex import regex
from ..model import Fix
from ..questions.place import place_of
from ..questions.statements import statements, value

if TYPE_CHECKING:
    from ...facts.model import Facts, Key

SWITCHED_OFF = Fix(
    "Set both variables before the program starts, or start it with `accelerate launch`, which "
    "sets them.",
    ("export NCCL_P2P_DISABLE=1 NCCL_IB_DISABLE=1",),
)
_INTERFACE = Fix(
    "Let NCCL use the network interface by which the machines reach each other, on all of them: "
    "name it in the place of eth0. A firewall between them refuses connections, too.",
    ("ip -brief address", "export NCCL_SOCKET_IFNAME=eth0"),
)
_INFINIBAND = Fix(
    "Look at the InfiniBand card and its driver. Without it NCCL takes the usual network, which "
    "shows whether it is to blame.",
    ("ibstat", "export NCCL_IB_DISABLE=1"),
)
_PEERS = Fix(
    "Let NCCL copy by way of main memory, which shows whether peer access (P2P) is to blame. Where "
    "it is, look at IOMMU and ACS.",
    ("export NCCL_P2P_DISABLE=1", "nvidia-smi topo -p2p r"),
)
_HANDLES = Fix(
    "A process opens memory of another one's GPU only where it sees that GPU as well: let each "
    "process of a node see all of the job's GPUs (Slurm: --gpu-bind=none), and "
    "choose its own by its rank on the node. Whether that is to blame a run shows that copies by "
    "way of main memory, with Cray's MPICH or with UCX.",
    ("export MPICH_GPU_IPC_ENABLED=0", "export UCX_TLS=^cuda_ipc", "nvidia-smi topo -p2p r"),
)
ROOM_FOR_NCCL = Fix(
    "NCCL found no memory on the GPU for its buffers, which it takes beside the program's: see "
    "with the program at work how much is free, and leave some (a smaller batch, a smaller share "
    "for the program, other processes ended). If there is plenty, NCCL's warning before that one "
    "has CUDA's own error: run again with NCCL_DEBUG=INFO.",
    ("nvidia-smi",),
)
_REMOTE = Fix(
    "Another process of the job ended, or its connection did: its own error, in its log or farther "
    "up, is the one to mend. If none of them failed, look at the network between them "
    "(NCCL_SOCKET_IFNAME)."
)
_VERSIONS = Fix(
    "Install the same release of the framework, and with it of NCCL, on all machines.",
    ("python -c 'import torch; print(torch.cuda.nccl.version())'",),
)
_MPI = Fix(
    "Use an MPI that was built with CUDA, or copy the data to main memory before it is sent.",
    ("ompi_info --parsable --all | grep mpi_built_with_cuda_support:value",),
)
_LIBRARY = Fix(
    "Install NCCL for the CUDA of the framework: with pip the package of that CUDA's number, from "
    "NVIDIA's repositories libnccl2. Its folder has to be one that the loader searches.",
    ("pip install nvidia-nccl-cu12", "ldconfig -p | grep libnccl"),
)
_NEWER = Fix(
    "Install a newer NCCL, built with a CUDA that knows this GPU: its release notes name the GPUs "
    "that each one serves.",
    ("pip install --upgrade nvidia-nccl-cu12",),
)
_EIGHT_PEERS = Fix(
    "A GPU opens itself to eight others at most, and the rest is copied by way of main memory, "
    "which works and is slower. Show a process nine GPUs or fewer.",
    ("nvidia-smi topo -m", "export CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7"),
)
_MANY_PEERS = (said.ERROR("CUDA_ERROR_TOO_MANY_PEERS"),)
_BY_SIGN = (
    ("nccl-library-missing", _LIBRARY),
    ("nccl-kernel-too-large", _NEWER),
    ("p2p-not-by-product", SWITCHED_OFF),
    ("nccl-no-gpu-memory", ROOM_FOR_NCCL),
    ("nccl-version-mismatch", _VERSIONS),
    ("mpi-not-cuda-aware", _MPI),
    ("nccl-peer-access-to-blame", _PEERS),
)
_OF_INFINIBAND = regex(r"(?i)ibv_|mlx5|NET/IB")
_OF_SYSTEM = regex(r"(?i)system ?error")
_LOGS = ("nccl-warning", "nccl-cuda-failure", "nccl-started")


def repair(facts: Facts, keys: tuple[Key[str], ...]) -> Fix:
    """By the first sign that tells what failed; else let NCCL tell."""
    for sign, fix in _BY_SIGN:
        if said.SIGN(sign) in keys:
            return fix
    if (named := _by_words(facts, keys)) is not None:
        return named
    if any(_OF_SYSTEM.search(facts.known(key) or "") for key in keys):
        return _of_system(facts, _program(facts, keys))
    peers = (said.SIGN("peer-access-refused"), said.ERROR("CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"))
    if any(key in keys for key in peers) or keys == _MANY_PEERS:
        return _EIGHT_PEERS if keys == _MANY_PEERS else _PEERS
    if statements(facts, "nccl-by-bridge"):
        return _around_bridge(value(facts, "nccl-by-bridge"))
    look = (
        "then look at the network interface (NCCL_SOCKET_IFNAME), or at IOMMU and ACS where peer "
        "access (P2P) fails."
    )
    if statements(facts, *_LOGS):
        text = "NCCL's first warning names the transport that fails. Switch that one off to see "
        return Fix(f"{text}whether it is to blame; {look}", ("nvidia-smi topo -m",))
    program = _program(facts, keys)
    if hangs(keys):
        text = (
            "Run again with NCCL_DEBUG=INFO, which shows how far NCCL came, then with "
            "NCCL_P2P_DISABLE=1: if it goes on then, peer access is to blame, mostly for IOMMU or "
            "ACS. Else look at the network interface (NCCL_SOCKET_IFNAME)."
        )
        runs = (f"NCCL_DEBUG=INFO {program}", f"NCCL_P2P_DISABLE=1 {program}")
        return Fix(text, (*runs, "nvidia-smi topo -m"))
    text = "Run again with NCCL_DEBUG=INFO: the first warning names the transport that fails; "
    return Fix(text + look, (f"NCCL_DEBUG=INFO {program}", "nvidia-smi topo -m"))


def by_mpi(facts: Facts) -> bool:
    """Whether it is an MPI, or UCX below it, that names CUDA's call; NCCL names none."""
    return value(facts, "peer-handle-refused").startswith("cuIpc")


def _around_bridge(name: str) -> Fix:
    return Fix(
        f"NCCL connects by {name}, a bridge that ends in its machine. Between several machines let "
        "it use the interface by which they reach each other, on all of them: name it in the place "
        "of eth0. On one machine look at IOMMU and ACS, where peer access (P2P) fails.",
        (*_INTERFACE.commands, "nvidia-smi topo -m"),
    )


def _by_words(facts: Facts, keys: tuple[Key[str], ...]) -> Fix | None:
    """By what NCCL itself, or MPI, tells of CUDA, of the network and of other processes."""
    if value(facts, "nccl-cuda-failure") == "out of memory":
        return ROOM_FOR_NCCL
    if said.SIGN("peer-handle-refused") in keys:
        return _HANDLES if by_mpi(facts) else _PEERS
    if said.SIGN("nccl-network") in keys:
        told = " ".join(facts.known(key) or "" for key in keys)
        return _INFINIBAND if _OF_INFINIBAND.search(told) else _INTERFACE
    return _REMOTE if value(facts, "nccl-unhandled").lower().startswith("remote") else None


#: NCCL's own tests, and what C++ programs say of a call that fails.
_COMPILED = regex(r"(?i)\bnccl[_-]?tests?\b|_perf\b|\.c(?:pp|c|u):\d{1,5}\] Check failed")


def _program(facts: Facts, keys: tuple[Key[str], ...]) -> str:
    told = any(_COMPILED.search(facts.known(key) or "") for key in keys)
    return "PROGRAM" if told else "python PROGRAM"


def hangs(keys: tuple[Key[str], ...]) -> bool:
    """Whether somebody tells that it stands still, and NCCL itself says nothing."""
    return bool(keys) and all(key in _HANGS for key in keys)


_HANGS = tuple(
    map(
        said.SIGN,
        ("nccl-hangs", "several-hang-told", "one-goes-on-told", "sits-told", "nccl-started"),
    )
)


def _of_system(facts: Facts, program: str) -> Fix:
    """NCCL's word for a call that the operating system refused."""
    text = (
        "The operating system refused NCCL a call: mostly for want of shared memory in a container "
        "(docker run --shm-size=8g), or of a way to another machine (NCCL_SOCKET_IFNAME)."
    )
    if statements(facts, *_LOGS):
        return Fix(f"{text} NCCL's first warning names the call.", ("df -h /dev/shm",))
    text += " With NCCL_DEBUG=INFO the first warning names the call."
    return Fix(text, ("df -h /dev/shm", f"NCCL_DEBUG=INFO {program}"))


def without_nccl(facts: Facts) -> Fix:
    """A PyTorch that was built without it."""
    gloo = (
        "let the program take gloo in its place, init_process_group('gloo'); with one GPU start it "
        "without distributed training"
    )
    system = place_of(facts).system
    if system == "Windows":
        return Fix(f"NCCL is not made for Windows: {gloo}. Inside WSL 2 there is NCCL.")
    if system == "Linux":
        return Fix(
            f"Builds for the CPU have no NCCL: install one with CUDA, or {gloo}.",
            ("python -c 'import torch; print(torch.__version__, torch.version.cuda)'",),
        )
    return Fix(
        f"NCCL is not made for Windows and macOS, and builds for the CPU have none: {gloo}. On "
        "Linux install a build with CUDA."
    )
