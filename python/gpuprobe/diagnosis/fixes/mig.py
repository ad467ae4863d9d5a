"""GPUs that MIG splits: make instances, name them, or give a node those that it is to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Fix

if TYPE_CHECKING:
    from ..questions.place import Place


#: Of one GPU, and back by the number that making it printed: without them nvidia-smi takes every
#: GPU in MIG mode, and every instance, others' too.
_MAKE = "sudo nvidia-smi mig -i {gpu} -cgi 0 -C"
_UNMAKE = (
    "sudo nvidia-smi mig -i {gpu} -dci -gi ID && sudo nvidia-smi mig -i {gpu} -dgi -gi ID, with "
    "the ID of the GPU instance that was made"
)


def make_mig_instance(gpus: tuple[str, ...]) -> Fix:
    """Make an instance on a GPU in MIG mode, or switch the mode off; `gpus`: that have none."""
    gpu = gpus[0] if len(gpus) == 1 else "GPU"
    return Fix.by_admin(
        "A GPU is in MIG mode, and CUDA sees none of its instances. Make one on that GPU, by its "
        "number, or switch its mode off; both need a GPU that nobody uses.",
        ("nvidia-smi -L", _MAKE.format(gpu=gpu)),
        undo=_UNMAKE.format(gpu=gpu),
    )


def make_mig_at_start() -> Fix:
    """Instances are the driver's, and gone with it; so is the mode since Hopper."""
    return Fix.by_admin(
        "MIG instances last until the driver is unloaded, and from Hopper on so does the mode; "
        "before, it takes hold with a reset of the GPU. Have both set at each start of the "
        "machine, before anything uses the GPUs: by a unit of systemd, by nvidia-mig-parted, or in "
        "a cluster by the GPU operator's MIG manager, from the label nvidia.com/mig.config.",
        ("nvidia-smi -L", _MAKE.format(gpu="GPU")),
        undo=_UNMAKE.format(gpu="GPU"),
    )


def open_mig_capabilities(_: Place) -> Fix:
    """Let this user open the files of the instances that are there."""
    return Fix(
        "NVML lists MIG instances, and CUDA none: mostly their files in /dev/nvidia-caps are "
        "missing here, or closed to this user; a container has to be given instances by name.",
        ("nvidia-smi -L", "ls -l /dev/nvidia-caps"),
    )


def name_mig_instance() -> Fix:
    """Give each process an instance of its own."""
    return Fix(
        "Name an instance of the list, for each process its own: before driver 570 a process can "
        "use one only. Or switch MIG off where one program has to use whole GPUs.",
        ("nvidia-smi -L", "export CUDA_VISIBLE_DEVICES=MIG-UUID"),
    )


def number_mig_instance() -> Fix:
    """For a program that reads numbers, and fails on the name that CUDA takes."""
    return Fix(
        "This program takes numbers only. Leave the variable unset: CUDA then gives it the first "
        "instance of the list, as number 0. For another instance start it in a container that is "
        "given just that one (the third command); later releases of the program may take names.",
        (
            "nvidia-smi -L",
            "unset CUDA_VISIBLE_DEVICES",
            "docker run --gpus '\"device=MIG-UUID\"' IMAGE",
        ),
    )


def start_one_for_each() -> Fix:
    """As many processes as instances; one that needs several GPUs at once needs whole ones."""
    return Fix(
        "Before driver 570 a process can use one MIG instance only. Start the program once for "
        "each instance, with its name from the list and its share of the work. If that is too "
        "small for the program, ask for a whole GPU, which administrators have to take MIG off.",
        ("nvidia-smi -L", "CUDA_VISIBLE_DEVICES=MIG-UUID PROGRAM"),
    )


def look_for_mig_instance() -> Fix:
    """Where nobody knows whether there are instances at all."""
    return Fix.by_admin(
        "See whether the list shows lines with MIG. If not, make an instance (the second command "
        "makes one of the whole GPU, by its number) or switch MIG off: sudo nvidia-smi -i GPU -mig "
        "0. If it does, name one: export CUDA_VISIBLE_DEVICES=MIG-UUID.",
        ("nvidia-smi -L", _MAKE.format(gpu="GPU")),
        undo=f"{_UNMAKE.format(gpu='GPU')}; or -mig 1 where it was switched off",
    )


def let_plugin_see_all() -> Fix:
    """What watches a node's GPUs is to see all of them, which NVML grants to root alone."""
    return Fix.by_user(
        "Run the pod of the plug-in privileged, or with the capability SYS_ADMIN, and with "
        "NVIDIA_MIG_MONITOR_DEVICES=all: so a current release of the GPU operator starts it.",
        ("kubectl get pods -A | grep -i -E 'gpu|nvidia'", "helm list -A"),
    )


def ask_as_root() -> Fix:
    """Let a monitor see whole GPUs under MIG, or a program its own instance."""
    return Fix.by_user(
        "A monitor, or a plugin of Kubernetes, has to run as root to see whole GPUs under MIG, in "
        "a container with the capability SYS_ADMIN. A program that computes is to use one "
        "instance: name it.",
        ("nvidia-smi -L", "export CUDA_VISIBLE_DEVICES=MIG-UUID"),
    )


#: The smallest instance of the GPUs whose name tells how much memory they have.
_SMALLEST = (("A30", "1g.6gb"), ("A100", "40GB", "1g.5gb"), ("A100", "80GB", "1g.10gb"),
             ("H100", "80GB", "1g.10gb"))  # fmt: skip


def one_type_for_all(gpus: tuple[str, ...]) -> Fix:
    """The strategy single offers all instances of a node as one resource, so they are alike."""
    found = (
        profile
        for *words, profile in _SMALLEST
        if gpus and all(word in gpu for gpu in gpus for word in words)
    )
    profile = next(found, "PROFILE")
    label = "kubectl label node NODE nvidia.com/mig.config={} --overwrite"
    return Fix.by_admin(
        "Give all GPUs of the node instances of one type: the MIG manager of the GPU operator "
        "makes them by this label, once no pod uses the GPUs (the first command shows what there "
        "is). Or keep the types and set the strategy to mixed (mig.strategy=mixed of the Helm "
        "chart): then pods ask for each type by its name.",
        ("nvidia-smi mig -lgi", label.format(f"all-{profile}")),
        undo=label.format("FORMER"),
    )
