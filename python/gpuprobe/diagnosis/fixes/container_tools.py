"""Mend what starts containers: Docker and NVIDIA's container tools refuse, or are not set up."""

from __future__ import annotations

from ..model import Fix
from ..questions.place import Distribution, Place
from .access import TOOLKIT

_GUIDE = (
    "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html"
)
_PACKAGE = "nvidia-container-toolkit"
#: What installs the package, and takes it away again.
_INSTALL = {
    Distribution.UBUNTU: ("apt install", "apt remove"),
    Distribution.DEBIAN: ("apt install", "apt remove"),
    Distribution.FEDORA: ("dnf install", "dnf remove"),
    Distribution.RHEL: ("dnf install", "dnf remove"),
    Distribution.ARCH: ("pacman -S", "pacman -R"),
    Distribution.SUSE: ("zypper install", "zypper remove"),
}
_RESTART = "sudo systemctl restart docker"
_CONFIG = "/etc/nvidia-container-runtime/config.toml"


def set_up_toolkit(place: Place, *, rootless: bool = False) -> Fix:
    """Install NVIDIA's container tools, and make Docker know them."""
    if place.system == "Windows" and not place.wsl:
        return reach_windows_from_docker()
    found = _INSTALL.get(place.distribution) if place.distribution else None
    install = () if found is None else (f"sudo {found[0]} {_PACKAGE}",)
    where = (
        "" if place.distribution is Distribution.ARCH else f" from NVIDIA's repository ({_GUIDE})"
    )
    text = (
        f"If it is not there, install the package {_PACKAGE}{where}. Then register it with Docker "
        "and restart Docker, which stops running containers; the last command has to list nvidia."
    )
    if rootless:
        return _for_rootless(text, install)
    return Fix.by_admin(
        f"{text} If it does not, Docker is a snap, runs rootless or is Docker Desktop, and reads "
        "another daemon.json.",
        (
            *install,
            "sudo nvidia-ctk runtime configure --runtime=docker",
            _RESTART,
            "docker info | grep -i runtimes",
        ),
        undo="take nvidia out of /etc/docker/daemon.json and restart Docker",
    )


def _for_rootless(text: str, install: tuple[str, ...]) -> Fix:
    """A Docker of one user has a file and a service of its own."""
    file = "$HOME/.config/docker/daemon.json"
    return Fix.by_admin(
        text,
        (
            *install,
            f"nvidia-ctk runtime configure --runtime=docker --config={file}",
            "systemctl --user restart docker",
            "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=true --in-place",
            "docker info | grep -i runtimes",
        ),
        undo=f"take nvidia out of {file}, and no-cgroups out of {_CONFIG}",
    )


def give_lxc_its_tools(place: Place) -> Fix:
    """Incus and LXD call NVIDIA's tools and LXC's hook; no Docker has a part in that."""
    found = _INSTALL.get(place.distribution) if place.distribution else None
    install = () if found is None else (f"sudo {found[0]} {_PACKAGE}",)
    return Fix.by_admin(
        f"Install the package {_PACKAGE} on the host, from NVIDIA's repository ({_GUIDE}), and the "
        "hooks of LXC, which belong to the package of LXC, Incus or LXD. Then start the container "
        "again: with nvidia.runtime=true it gets the driver's files by them.",
        (*install, "nvidia-container-cli info"),
        undo=f"remove the package {_PACKAGE}",
    )


def set_up_node(_: Place) -> Fix:
    """The same for containerd, which starts the containers of a cluster."""
    return Fix.by_admin(
        f"On the node, where nvidia-smi has to work, install the package {_PACKAGE} ({_GUIDE}), "
        "register it with containerd and restart that. The cluster needs a RuntimeClass named "
        "nvidia where the pods name one.",
        (
            "sudo nvidia-ctk runtime configure --runtime=containerd",
            "sudo systemctl restart containerd",
            "kubectl get runtimeclass",
        ),
        undo="take nvidia out of /etc/containerd and restart containerd",
    )


def find_free_gpus() -> Fix:
    """No node of a cluster has a GPU to give: none has any, or all are taken."""
    return Fix(
        "See what each node has: the first command shows how many GPUs it offers (Capacity, "
        "Allocatable) and how many its pods have asked for (the last number of a node). If none is "
        "offered, the NVIDIA device plug-in does not run there, or finds no driver: the second "
        "command lists its pods, whose logs say why. If all are taken, wait, end what holds them, "
        "ask for fewer GPUs a pod, or add a node: all GPUs of a pod come from one node.",
        (
            "kubectl describe nodes | grep -E '^Name:|nvidia.com/gpu'",
            "kubectl get pods --all-namespaces -o wide | grep -i nvidia",
        ),
    )


def update_docker(_: Place) -> Fix:
    """Before 19.03 Docker had no such option."""
    return Fix.by_admin(
        "Docker knows --gpus from release 19.03 on. Update Docker, or with the older one name the "
        "run time of NVIDIA's tools.",
        ("docker --version", "docker run --runtime=nvidia IMAGE"),
        undo="install the former release of Docker again",
    )


def list_libraries_inside() -> Fix:
    """The tools call the host's ldconfig, whose list the container's loader may not read."""
    return Fix.by_admin(
        "NVIDIA's tools make the container's list of libraries with the host's ldconfig, which the "
        f"@ in {_CONFIG} says. Update the tools first. Where that changes nothing, take the @ "
        "away, so that they call the container's own, and start the container anew.",
        (
            "sudo nvidia-ctk config --set nvidia-container-cli.ldconfig=/sbin/ldconfig --in-place",
            _RESTART,
        ),
        undo=f"put the @ back into {_CONFIG}",
    )


def set_no_device_rules(_: Place, *, rootless: bool = False) -> Fix:
    """Inside another container nobody may say which devices a container opens."""
    if rootless:
        return Fix.by_admin(
            "Rootless Docker may not write the rules by which a container opens devices. Have "
            f"NVIDIA's tools leave them alone (no-cgroups = true in {_CONFIG}; a Docker that root "
            "runs on the same machine needs it false), restart Docker, and start the container as "
            "before. An administrator has to set it.",
            (
                "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=true --in-place",
                "systemctl --user restart docker",
            ),
            undo="sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=false --in-place",
        )
    return Fix.by_admin(
        "Inside an LXC container, or with rootless Docker, NVIDIA's tools may not set rules for "
        f"devices. Have them leave that alone (no-cgroups = true in {_CONFIG}) and restart Docker. "
        "The LXC container itself has to get /dev/nvidia* from its host.",
        ("sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=true --in-place", _RESTART),
        undo="sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=false --in-place",
    )


def set_device_rules() -> Fix:
    """With no-cgroups a Docker that root runs gives the files and not the right to open them."""
    return Fix.by_admin(
        f"no-cgroups = true in {_CONFIG} is for rootless Docker; where root runs Docker it keeps "
        "containers from opening the device files. Set it to false, and start the container again.",
        ("sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=false --in-place", _RESTART),
        undo="sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=true --in-place",
    )


def reach_windows_from_docker() -> Fix:
    """Docker on Windows runs inside WSL, which has to get the GPU from Windows."""
    return Fix.by_admin(
        "In PowerShell on Windows: nvidia-smi has to work there, else install the current NVIDIA "
        "driver on Windows. Renew WSL, restart it and then Docker Desktop (Settings > General: WSL "
        "2 based engine). Install no Linux driver inside WSL or a container.",
        (
            "nvidia-smi",
            "wsl.exe --update",
            "wsl.exe --shutdown",
            "docker run --rm --gpus all ubuntu nvidia-smi",
        ),
        undo="Device Manager > Display adapters > Properties > Driver > Roll Back Driver",
    )


def without_linux_driver_in_wsl() -> Fix:
    """Docker inside WSL asks a Linux driver, which has no kernel module there."""
    return Fix.by_admin(
        "If nvidia-smi works in WSL, remove the Linux driver that CUDA's packages brought along "
        f"(the second command lists it), and bring {_PACKAGE} up to date. If it fails, install the "
        "current NVIDIA driver on Windows and run `wsl.exe --update`. Then restart WSL and Docker.",
        (
            "nvidia-smi",
            "dpkg -l | grep -E 'nvidia-driver|libnvidia-compute|cuda-drivers'",
            "wsl.exe --shutdown",
        ),
        undo="install the packages again",
    )


def ask_for_less_memory() -> Fix:
    """A device plug-in that shares GPUs by their memory found none for the pod."""
    return Fix.by_user(
        "Ask for no more GPU memory than one GPU of the node has free, and let the plug-in's own "
        "scheduler place the pod. For Alibaba's gpushare that is the resource aliyun.com/gpu-mem, "
        "and the command shows what is free.",
        ("kubectl inspect gpushare",),
    )


def start_with_docker_of_system() -> Fix:
    """Docker Desktop on Linux, or a Docker that is packed in with its own files, sees no driver."""
    return Fix.by_admin(
        "Start the container with the Docker Engine of the system. Docker Desktop on Linux runs "
        "its containers in a virtual machine, which gets no GPU, and a snap's Docker does not find "
        "the driver: the first command tells which Docker answers, the second takes the system's. "
        f"Install that where it is missing, with the package {_PACKAGE} ({_GUIDE}).",
        (
            "docker context ls; snap list docker",
            "docker context use default",
            "sudo nvidia-ctk runtime configure --runtime=docker",
            _RESTART,
            "docker run --rm --gpus all ubuntu nvidia-smi",
        ),
        undo="docker context use desktop-linux",
    )


def ask_tools_what_they_miss() -> Fix:
    """The tools failed on the host, in words that tell no reason that is known."""
    return Fix.by_admin(
        "The container was to have the GPU, and NVIDIA's tools failed on the host: nvidia-smi has "
        "to work there first. Then let the tools say what they miss (the second command), and "
        f"bring the package {_PACKAGE} up to date ({_GUIDE}): before 1.8 it knows control groups "
        "of version 1 alone.",
        ("nvidia-smi", "sudo nvidia-container-cli --load-kmods --debug=/dev/tty info"),
        undo="install the former release of the package again",
    )


def repair_package_source() -> Fix:
    """The package manager knows no such package, or none whose parts go together."""
    return Fix.by_admin(
        f"Let the package manager know NVIDIA's repository of the tools, as {_GUIDE} tells, take "
        "away what older guides put in for nvidia-docker, which contradicts it, and install "
        f"{_PACKAGE}, which has taken the place of nvidia-docker2. Then register it with Docker.",
        (
            "grep -rl nvidia /etc/apt/sources.list.d /etc/yum.repos.d",
            "sudo nvidia-ctk runtime configure --runtime=docker",
            _RESTART,
        ),
        undo="remove the package and the repository's file again",
    )


def give_container_libraries() -> Fix:
    """On a Jetson with JetPack 4 CUDA lies on the board, and in no image."""
    return Fix.by_user(
        "Start the container with the run time nvidia: images for JetPack 4 (L4T r32) hold no "
        "libraries of CUDA, and this run time mounts those of the Jetson; --gpus alone does not.",
        ("docker run --runtime nvidia IMAGE",),
    )


def give_container_the_board() -> Fix:
    """The container tools for cards look for NVML; those of JetPack mount a list of files."""
    return Fix.by_user(
        "Start the container by Docker with the run time nvidia as JetPack installs it: it mounts "
        "the board's own libraries by the lists in the folder below. If they are missing, or a "
        "toolkit from elsewhere took its place, install nvidia-container again from JetPack's own "
        "packages. Singularity's --nv knows the drivers of cards alone.",
        (
            "ls /etc/nvidia-container-runtime/host-files-for-container.d",
            "docker run --runtime nvidia IMAGE",
        ),
    )


#: Systems that bring the driver and the container tools themselves.
APPLIANCES = ("truenas", "unraid")


def set_up_appliance(system: str) -> Fix:
    """What the system's own settings install; packages do not last there."""
    text = (
        "Unraid gets driver and run time by the plugin Nvidia Driver (Apps): install it, then "
        "restart Docker, and give the container the extra parameter --runtime=nvidia."
    )
    undo = "remove the plugin again"
    if system == "truenas":
        text = (
            "TrueNAS brings NVIDIA's container tools with its driver and writes Docker's settings "
            "itself: install no package and change no file by hand. Its updates take away what "
            "was put in. Switch the driver on under Apps > Configuration > Settings > Install "
            "NVIDIA Drivers; a driver of somebody else's has to be the build for this release."
        )
        undo = "switch Install NVIDIA Drivers off again"
    return Fix.by_admin(
        f"{text} nvidia-smi has to work, then the last command lists nvidia.",
        ("nvidia-smi", "docker info | grep -i runtimes"),
        undo=undo,
    )


def give_service_the_gpu() -> Fix:
    """The same where Compose starts the container, by its file."""
    return Fix.by_user(
        "Have the service ask for the GPUs in Compose's file, under deploy: resources: "
        "reservations: devices: [{driver: nvidia, count: all, capabilities: [gpu]}], and let "
        f"Compose make its container anew; what was changed inside it is lost. {TOOLKIT}",
        ("docker compose up --force-recreate",),
    )
