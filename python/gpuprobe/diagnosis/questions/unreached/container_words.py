"""What refuses to give a container its GPU, as a title says it, and the repair of just that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ...fixes import container_tools as fixes
from ...fixes.access import WITH_OWN_LIBRARIES
from ..place import Place, place_of
from ..statements import statements, value

if TYPE_CHECKING:
    from ....facts.model import Facts, Keys
    from ...model import Fix

_STARTED_WITHOUT = "The container is started without access to the GPU"
_RULES = "failed to add device rules"


def title_of_tools(facts: Facts, tools: Keys) -> str:
    """Who refused, where Docker did not even start the container."""
    if said.SIGN("docker-no-device-driver") in tools:
        return (
            "Docker has no driver for GPUs: the NVIDIA Container Toolkit is not installed, or not "
            "registered with Docker"
        )
    if said.SIGN("docker-unknown-runtime") in tools:
        if value(facts, "docker-unknown-runtime") == "--gpus":
            return "This Docker does not know the option --gpus: it is older than 19.03"
        who = "The node" if _of_cluster(facts) else "Docker"
        return (
            f"{who} does not know the run time nvidia: the NVIDIA Container Toolkit is not set up"
        )
    told = (title for sign, title in _TITLES if said.SIGN(sign) in tools)
    title = next(told, _STARTED_WITHOUT)
    few = any(each in value(facts, _OF_NODES).lower() for each in _TOO_FEW)
    return _MORE_THAN_FREE if title == _NONE_OFFERED and few else title


_OF_NODES, _OF_PLUGIN = "k8s-no-gpu-resource", "k8s-plugin-no-nvml"
_NONE_OFFERED = "A node of the cluster offers no GPU (nvidia.com/gpu)"
_MORE_THAN_FREE = "The pod asks for more GPUs than a node of the cluster has free"
_TITLES = (
    ("container-runtime-missing", "A program of the NVIDIA Container Toolkit is not there"),
    (
        "cdi-device-unresolved",
        "The CDI file is missing, or does not name the GPU that was asked for",
    ),
    (
        "container-ldconfig-helps",
        "The container's list of libraries lacks the driver's until ldconfig runs inside of it",
    ),
    ("cdi-description-stale", "The CDI file names files of a driver that are no longer there"),
    (_OF_PLUGIN, "NVIDIA's device plug-in finds no driver, or no GPU, on its node"),
    (_OF_NODES, _NONE_OFFERED),
)
#: What the scheduler and a node say of a pod that asks; the node may have none at all as well.
_TOO_FEW = "insufficient nvidia.com/gpu", "devices unavailable"
_OF_CLUSTER = "runtimeclass", "runtimehandler", "runtime handler", "is configured"


def _of_cluster(facts: Facts) -> bool:
    """Whether containerd said so, which starts the containers of Kubernetes."""
    words = value(facts, "docker-unknown-runtime").lower()
    inside = facts.known(names.CONTAINER_KIND) == "kubernetes"
    return inside or any(each in words for each in _OF_CLUSTER)


def sets_no_rules(facts: Facts) -> bool:
    """Whether the container tools may not say which devices a container opens."""
    words = value(facts, "container-cli-error").lower()
    if "devices.allow: operation not permitted" in words:
        return True
    if "devices.allow: permission denied" in words:
        return bool(statements(facts, "rootless-docker"))  # root may write there
    return _RULES in words and "not permitted" in words


def repair_of_tools(facts: Facts, keys: Keys) -> Fix | None:
    """What mends just this; None where the container only has to ask for the GPU."""
    place = place_of(facts)
    if said.SIGN("container-cli-error") in keys and sets_no_rules(facts):
        rootless = bool(statements(facts, "rootless-docker"))
        return fixes.set_no_device_rules(place, rootless=rootless)
    if said.SIGN("docker-unknown-runtime") in keys:
        if value(facts, "docker-unknown-runtime") == "--gpus":
            return fixes.update_docker(place)
        if _of_cluster(facts):
            return fixes.set_up_node(place)
    elif (other := _repair_beside_docker(facts, keys, place)) is not None:
        return other
    elif facts.known(names.CONTAINER_KIND) in (*_NOT_DOCKER, "kubernetes"):
        return None
    tools = ("docker-no-device-driver", "docker-unknown-runtime", "container-runtime-missing")
    if any(said.SIGN(each) in keys for each in tools):
        for system in fixes.APPLIANCES:
            if facts.known(said.ABOUT(system)) is not None:
                return fixes.set_up_appliance(system)
        rootless = bool(statements(facts, "rootless-docker"))
        return fixes.set_up_toolkit(place, rootless=rootless)
    return None


def _repair_beside_docker(facts: Facts, keys: Keys, place: Place) -> Fix | None:
    """What mends a node of a cluster, or what Incus and LXD miss."""
    if value(facts, "container-runtime-missing") in _OF_LXC:
        return fixes.give_lxc_its_tools(place)
    if said.SIGN(_OF_PLUGIN) in keys:
        return fixes.set_up_node(place)
    return fixes.find_free_gpus() if said.SIGN(_OF_NODES) in keys else None


#: What Incus and LXD call the parts that they miss.
_OF_LXC = ("NVIDIA LXC hook", "NVIDIA container tools")
_NOT_DOCKER = ("podman", "singularity", "apptainer", "lxc", "lxd", "incus")


def in_linux(facts: Facts) -> bool:
    """Whether a text tells of a container that nobody starts inside WSL."""
    of_system = facts.known(names.CONTAINER_KIND) in WITH_OWN_LIBRARIES
    return of_system and not facts.known(names.WSL_VERSION)
