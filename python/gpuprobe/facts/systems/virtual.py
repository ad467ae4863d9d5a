"""Virtual machines, by what their firmware calls itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, Unknown, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.VM_KIND,)

_VENDOR, _PRODUCT = "/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"
#: Words in vendor and product, in lower case, more special ones first.
_WORDS = (
    ("amazon ec2", "amazon"),
    ("google compute engine", "google"),
    ("openstack", "openstack"),
    ("alibaba cloud", "alibaba"),
    ("tencent cloud", "tencent"),
    ("digitalocean", "digitalocean"),
    ("vserver", "hetzner"),
    ("virtual machine", "hyper-v"),  # Microsoft Corporation, Azure included
    ("vmware", "vmware"),
    ("virtualbox", "virtualbox"),
    ("parallels", "parallels"),
    ("bhyve", "bhyve"),
    ("nutanix", "nutanix"),
    ("kvm", "kvm"),
    ("qemu", "kvm"),
    ("xen", "xen"),
    ("apple virtualization", "apple"),
)


def collect(machine: Machine) -> Iterator[Entry]:
    """The hypervisor's name."""
    yield entry(names.VM_KIND, _kind(machine))


def _kind(machine: Machine) -> Fact[str]:
    """`Absent`: the firmware is that of a machine of metal, or of EC2's without hypervisor."""
    if machine.system != "Linux":
        return Unknown(f"looked for on Linux only, not on {machine.system}")
    vendor, product = machine.read_text(_VENDOR), machine.read_text(_PRODUCT)
    if not isinstance(vendor, Known):
        return Unknown(vendor.reason if isinstance(vendor, Unknown) else f"no {_VENDOR}")
    model = product.value if isinstance(product, Known) else ""
    told = f"{vendor.value} {model}".lower()
    if ".metal" in model:
        return Absent(_PRODUCT)
    for word, kind in _WORDS:
        if word in told:
            return Known(kind, vendor.source)
    return Absent(vendor.source)
