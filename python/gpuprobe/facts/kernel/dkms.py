"""What DKMS has made of the driver's module, by the folders that it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import names
from ..model import Absent, Entry, Fact, Known, entry
from .module_files import running_kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..machine import Machine

WRITES = (names.MODULE_DKMS,)

_TREE = "/var/lib/dkms"
#: Entries of a version's folder that are no kernels.
_NO_KERNELS = ("source", "build")


def collect(machine: Machine) -> Iterator[Entry]:
    """The state for the running kernel; where there is none, the best for another."""
    yield entry(names.MODULE_DKMS, _state(machine))


def _state(machine: Machine) -> Fact[str]:
    """`Absent`: DKMS has no module of NVIDIA's."""
    listed = machine.list_dir(_TREE)
    if not isinstance(listed, Known):
        return listed
    release = running_kernel(machine)
    here = release.value if isinstance(release, Known) else ""
    found = [
        state
        for name in listed.value
        if name.startswith("nvidia") and not name.startswith("nvidia-fs")
        for state in _states(machine, f"{_TREE}/{name}")
    ]
    if not found:
        return Absent(listed.source)
    return Known(min(found, key=lambda state: _rank(state, here)), listed.source)


def _rank(state: str, here: str) -> tuple[bool, int]:
    word, _, kernel = state.partition(" for ")
    order = ("installed", "built", "broken", "added")
    return (kernel != here, order.index(word))


def _states(machine: Machine, folder: str) -> Iterator[str]:
    """As `dkms status` words them; a link ``kernel-RELEASE-ARCH`` marks what is installed."""
    entries = machine.list_dir(folder)
    versions = entries.value if isinstance(entries, Known) else ()
    installed = [name.removeprefix("kernel-") for name in versions if name.startswith("kernel-")]
    yield from (f"installed for {each.rpartition('-')[0]}" for each in installed)
    for version in versions:
        inside = machine.list_dir(f"{folder}/{version}")
        if version.startswith("kernel-") or not isinstance(inside, Known):
            continue
        if "source" in inside.value and not machine.is_there(f"{folder}/{version}/source"):
            yield "broken"
            continue
        kernels = [name for name in inside.value if name not in _NO_KERNELS]
        yield from (f"built for {kernel}" for kernel in kernels)
        if not kernels:
            yield "added"
