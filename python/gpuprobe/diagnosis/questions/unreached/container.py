"""What keeps a container from the driver of its host.

Each public function that yields an `Unreached` is one cause of `unreached`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...model import Confidence
from ..gpus.mig import unknown_instance, without_instance
from ..statements import errors, line_of, statements, value
from ..symptoms import (
    driver_answers,
    library_gone,
    module_gone,
    no_device,
    sees_none,
    smi_gone,
)
from .cause import CONTAINER, HIDDEN, MISSING, NODES, NOT_LOADED, Unreached
from .container_words import sets_no_rules, title_of_tools
from .left_behind import BANNER, is_left_behind

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE


def driver_failed(facts: Facts) -> Keys:
    """The container tools asked the driver, which did not answer as drivers do."""
    words = value(facts, "container-cli-error").lower()
    failed = "driver error" in words or "driver rpc error" in words
    return statements(facts, "container-cli-error") if failed else ()


_LIBRARIES = "load library failed: libnvidia-ml", "load library failed: libcuda"
_IDS = "unknown device", "unknown or invalid device", "invalid device id"
#: What NVIDIA's container tools say of the host, by the stable part of their words.
_CLI_REASONS = (
    (("driver not loaded", "nvml error: driver"), NOT_LOADED, "The host's driver does not run"),
    (("cuda error: no cuda-capable",), NOT_LOADED, "The host's driver finds no GPU"),
    (_LIBRARIES, MISSING, "The host has no NVIDIA driver"),
    (("no-gpu-has-",), HIDDEN, "No GPU of the node has the memory that the pod asks for"),
    (("insufficient permissions",), NODES, "The driver's files may not be opened"),
    (("cuda error: unknown error",), NODES, "CUDA does not start on the host"),
    (_IDS, HIDDEN, "No GPU has the id that was named"),
)
#: Reasons that rules of their own judge.
_CLI_ELSEWHERE = ("requirement error: unsatisfied", "unsatisfied condition", "mismatch", "mig")


def _virtual(facts: Facts) -> Keys:
    """Docker Desktop where it gives its containers no GPU: anywhere but on Windows."""
    if facts.known(names.OS_SYSTEM) != "Linux" or facts.known(names.WSL_VERSION) is not None:
        return ()
    return statements(facts, "docker-desktop-told")


def container_cli(facts: Facts) -> Unreached | None:
    """NVIDIA's container tools say what they miss on the host."""
    said_so = statements(facts, "container-cli-error")
    words = value(facts, "container-cli-error").lower()
    if not said_so or any(word in words for word in _CLI_ELSEWHERE) or unknown_instance(facts):
        return None
    if driver_failed(facts) and module_gone(facts):
        return None  # what the host's own commands show tells more
    if any(word in words for word in _LIBRARIES) and (answers := driver_answers(facts)):
        title = (
            "Docker runs apart from this machine's driver: nvidia-container-cli finds none there"
        )
        return Unreached(CONTAINER, title, (*said_so, *answers))
    if any(word in words for word in _LIBRARIES) and (desktop := _virtual(facts)):
        title = "Docker Desktop runs containers in a virtual machine, which has no GPU on Linux"
        return Unreached(CONTAINER, title, (*said_so, *desktop), _LIKELY)
    if "driver error" in words and (gone := library_gone(facts)):
        title = "The host has no library of a driver: nvidia-container-cli cannot open it"
        return Unreached(MISSING, title, (*said_so, *gone))
    for known, cause, title in _CLI_REASONS:
        if any(word in words for word in known):
            return Unreached(cause, f"{title}: nvidia-container-cli says so", said_so)
    if driver_failed(facts) and (unloaded := statements(facts, "uvm-not-loaded")):
        title = "The host's driver does not run: a hook of its containers finds no module of it"
        return Unreached(NOT_LOADED, title, (*unloaded, *said_so))
    title = "NVIDIA's container tools could not give the container its GPU"
    if sets_no_rules(facts):
        title = "NVIDIA's container tools may not set rules for devices here"
    return Unreached(CONTAINER, title, (*said_so, names.CONTAINER_KIND))


_TOOLS = (
    "docker-no-device-driver",
    "docker-unknown-runtime",
    "container-runtime-missing",
    "container-runtime-failed",
    BANNER,
    "container-legacy-file",
    "container-ldconfig-helps",
    "docker-volume-plugin-missing",
    "compose-without-gpus",
    "singularity-writable",
    "cdi-device-unresolved",
    "cdi-description-stale",
    "k8s-no-gpu-resource",
    "k8s-plugin-no-nvml",
)


def refused_by_engine(facts: Facts) -> Unreached | None:
    """The host sees its GPU, and Docker or Podman has nothing that hands it on."""
    refused = statements(facts, "docker-no-device-driver", "cdi-device-unresolved")
    if not refused or statements(facts, "gpu-works-in-container"):
        return None
    seen = facts.keys_of(said.FRAMEWORK_SEES_GPU)
    if any(facts.known(key) and line_of(facts, key) > line_of(facts, refused[0]) for key in seen):
        return None  # it may have been mended
    title = "The host sees its GPU, and what starts containers cannot hand it on"
    return Unreached(CONTAINER, title, (names.CONTAINER_KIND, *refused))


def container_tools(facts: Facts) -> Keys:
    """What says that the container tools are missing, or not asked."""
    told = statements(facts, *_TOOLS)
    if statements(facts, "mig-without-instances"):  # such a node offers no GPU before it has some
        told = tuple(key for key in told if key != said.SIGN("k8s-no-gpu-resource"))
    told = tuple(key for key in told if not is_left_behind(facts, key))
    in_wsl = facts.known(names.WSL_VERSION) is not None and facts.known(said.CONTAINER_GPUS)
    if in_wsl or statements(facts, "gpu-works-in-container"):
        told = tuple(key for key in told if key != said.SIGN(BANNER))
    return told


#: How people say that it fails inside a container.
_TOLD_INSIDE = "told-container", "chinese-container", "works-outside-container-told"


def host_of_singularity(facts: Facts) -> Unreached | None:
    """Singularity looked for the driver's files, to bind them, and the host shows it none."""
    said_so = statements(facts, "singularity-no-nv")
    if not said_so or driver_answers(facts):
        return None
    return Unreached(MISSING, "Singularity finds no NVIDIA driver on its host", said_so)


def container(facts: Facts) -> Unreached | None:
    """The container was started without the GPU."""
    tools = container_tools(facts)
    if not tools and not statements(facts, "container-cli-error"):
        tools = statements(facts, "container-hook-failed")
        if facts.known(said.CONTAINER_GPUS):
            tools = (*tools, *statements(facts, "lxc-hooks-failed"))
    if not tools and (inside := facts.known(names.CONTAINER_KIND)) is not None:
        tools = statements(facts, "board-memory-missing")
        if inside in _LXC:  # it has nvidia-container-cli bring the driver's files, and has none
            tools = (*tools, *statements(facts, "lxd-without-container-cli"))
    if tools:
        kinds = statements(facts, "snap-docker", "rootless-docker")
        keys = (*tools, names.CONTAINER_KIND, *kinds)
        return Unreached(CONTAINER, title_of_tools(facts, tools), keys)
    if lacking := _left_out(facts):
        title = "NVIDIA_DRIVER_CAPABILITIES leaves a part of the driver out of the container"
        return Unreached(CONTAINER, title, lacking, _CERTAIN)
    kind = facts.known(names.CONTAINER_KIND)
    told = statements(facts, *_TOLD_INSIDE)
    files = statements(facts, "device-file-missing") if kind is not None else ()
    keys = (*library_gone(facts), *smi_gone(facts), *_started_without(facts), *files)
    keys = (*keys, *told, *no_device(facts)) if told and (keys or no_device(facts)) else keys
    if not keys and kind is not None and (unstarted := statements(facts, *_FINDS_NONE)):
        what = "NVML does not start" if said.SIGN(_NVML) in unstarted else "Ollama finds no GPU"
        title = f"Inside this container ({kind}) {what}: the GPU is not passed in"
        return Unreached(CONTAINER, title, (names.CONTAINER_KIND, *unstarted), _POSSIBLE)
    if not keys or (kind is None and not told and not _starts_a_container(facts)):
        return None
    which = "" if kind is None else f" ({kind})"
    asked = facts.known(said.CONTAINER_GPUS)
    why = "the GPU it was to get did not arrive" if asked else "it was started without the GPU"
    title = f"Inside this container{which} there is no driver: {why}"
    if keys == statements(facts, _VLLM):
        title = f"Inside this container{which} vLLM finds no GPU: perhaps {why}"
    keys = (*keys, names.CONTAINER_KIND, said.CONTAINER_GPUS, *driver_answers(facts))
    return Unreached(CONTAINER, title, keys)


def while_built(facts: Facts) -> Unreached | None:
    """A command that builds an image has neither GPU nor driver, which a container has later."""
    native = statements(facts, "cmake-native-without-gpu")
    if not statements(facts, "cuda-home-none"):  # else it misses the toolkit
        native = (*native, *statements(facts, "setup-without-cuda"))
    stopped = statements(facts, "docker-build-stopped", *(("docker-build",) if native else ()))
    missed = (*errors(facts, "CUDA_ERROR_NO_DEVICE"), *library_gone(facts), *sees_none(facts))
    missed = (*missed, *native)
    if not stopped or not missed:
        return None
    title = "The command runs while an image is built, when neither GPU nor driver is there"
    return Unreached(CONTAINER, title, (*missed, *stopped))


_LXC = ("lxc", "lxd", "incus")
#: Its library is there, of the image or of the host.
_NVML = "nvml-not-started"
_FINDS_NONE = _NVML, "ollama-no-gpu"
#: How packages for GPUs speak where there is no driver, and where they are installed wrong.
_WITHOUT_DRIVER = ("bnb-without-gpu", "cupy-not-installed-right", "chainer-not-set-up")
#: So it ends as well where its build is not one for CUDA.
_VLLM = "vllm-no-device"


def _left_out(facts: Facts) -> Keys:
    """What is missed of the driver, and the variable that says which parts of it come along.

    Without its libcuda a framework that is built for CUDA sees no GPU, and need not say why.
    """
    from ..visible.values import CAPABILITIES, left_out

    library = library_gone(facts) if left_out(facts) else ()
    if not library and left_out(facts) and _are_for_cuda(facts):
        library = no_device(facts)
    program = smi_gone(facts) if left_out(facts, "utility") else ()
    return (CAPABILITIES, *library, *program) if library or program else ()


def _are_for_cuda(facts: Facts) -> bool:
    """Whether no package is known to be a build that needs no libcuda."""
    builds = facts.keys_of(names.PACKAGE_BUILD)
    return all(facts.known(key) in (None, "cuda") for key in builds)


def _starts_a_container(facts: Facts) -> bool:
    """Whether it was a container's run time that did not find nvidia-smi in the image."""
    return "executable file" in value(facts, "smi-not-found")


def _started_without(facts: Facts) -> Keys:
    """In a container no device also means that the run time passed none in."""
    if facts.known(said.CONTAINER_GPUS) is False:
        # Without libcuda CUDA's run time gives the code for a driver that is too old.
        failed = (*no_device(facts), *errors(facts, "cudaErrorInsufficientDriver"))
        return (*failed, *statements(facts, *_WITHOUT_DRIVER))
    inside = facts.known(names.CONTAINER_KIND) is not None and not driver_answers(facts)
    if undecided := statements(facts, _VLLM) if inside else ():
        return undecided
    host = (*driver_answers(facts), *statements(facts, "works-outside-container-told"))
    outside = facts.known(names.CONTAINER_KIND) is not None and host
    if outside and facts.known(said.CONTAINER_GPUS) is None and not without_instance(facts):
        # nvidia-smi spoke on the host, or somebody tells that all is well there
        return errors(facts, "CUDA_ERROR_NO_DEVICE")
    failed = errors(facts, "CUDA_ERROR_NO_DEVICE")
    building = statements(facts, "docker-build")
    if building and (missed := (*failed, *library_gone(facts))):
        return (*missed, *building)  # while an image is built there is neither GPU nor driver
    absent = statements(facts, "tf-kernel-driver-not-running", "tf-no-device-node")
    return (*failed, *absent) if absent else ()


def by_compose_alone(facts: Facts) -> Unreached | None:
    """Somebody gets the GPU with docker run, and not with Compose, whose file has to ask for it."""
    told = statements(facts, "compose-alone-told")
    missed = (*library_gone(facts), *no_device(facts), *statements(facts, "gpu-not-usable"))
    of_gpu = missed or "gpu" in value(facts, "compose-alone-told").lower()
    if not told or not of_gpu:
        return None
    title = "docker run gives the container the GPU, and Compose starts it without one"
    return Unreached(CONTAINER, title, (*told, *missed))


#: A driver that serves this serves the CUDA of nearly all that is built today.
_SERVES_MOST = 12


def stub_in_container(facts: Facts) -> Unreached | None:
    """In a container a program calls the driver too old, and the host's is of today.

    So it answers where the container has no driver, and the stub of its image is taken for one.
    """
    from ..driver.end import served_cuda

    refused, served = errors(facts, "cudaErrorInsufficientDriver"), served_cuda(facts)
    inside = facts.known(names.CONTAINER_KIND) is not None
    of_host = statements(facts, "smi-of-host-told")
    answers = driver_answers(facts) and not of_host
    if not refused or served is None or not inside or answers:
        return None
    toolkit, built = facts.known(names.TOOLKIT_VERSION), facts.known_of(names.PACKAGE_CUDA)
    needs = built if toolkit is None else (*built, toolkit)
    if served.major < _SERVES_MOST or any(need > served for need in needs):
        return None
    title = f"The host's driver serves CUDA {served}, and the container finds an older one or none"
    keys = (*refused, *of_host, names.DRIVER_VERSION, names.CONTAINER_KIND)
    return Unreached(CONTAINER, title, keys, Confidence.LIKELY if of_host else Confidence.POSSIBLE)


def beside_running_module(facts: Facts) -> Unreached | None:
    """The module tells of its GPU in /proc, which containers see, and there is no nvidia-smi."""
    listed, gone = statements(facts, "proc-lists-gpu"), smi_gone(facts)
    if not listed or not gone or driver_answers(facts):
        return None
    title = "The host's driver runs the GPU, and nvidia-smi is not here: is it a container?"
    return Unreached(CONTAINER, title, (*listed, *gone), Confidence.POSSIBLE)
