"""The driver of a cluster's nodes, which a container or the cloud puts there."""

from __future__ import annotations

from ..model import Fix

_PLATFORMS = (
    "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/platform-support.html"
)
_UPGRADE = "helm upgrade RELEASE nvidia/gpu-operator -n NAMESPACE --reuse-values"
_POOL = "gcloud container node-pools"
_LATEST = "--accelerator type=GPU,count=1,gpu-driver-version=latest"


def name_a_driver_image() -> Fix:
    """NVIDIA makes an image of each driver for some systems, whose names end the tag."""
    return Fix.by_admin(
        "The tag is a driver's release and the node's system. See whether there is one for this "
        f"system ({_PLATFORMS}). If there is, the node cannot reach the registry. If not, name a "
        "release that has one (driver.version), take another system for the nodes, or install the "
        "driver on them and switch the operator's off (the last command).",
        ("kubectl get nodes -o wide", f"{_UPGRADE} --set driver.enabled=false"),
        undo="helm rollback RELEASE -n NAMESPACE",
    )


def take_a_node_with_driver() -> Fix:
    """A release of Google's system has the drivers that came out before it."""
    return Fix.by_admin(
        "Make the node pool anew with a newer release of the system, and have the cloud install "
        "its latest driver for it.",
        (f"{_POOL} create POOL {_LATEST} --cluster CLUSTER",),
        undo=f"{_POOL} delete POOL --cluster CLUSTER",
    )
