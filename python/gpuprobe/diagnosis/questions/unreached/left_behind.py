"""What a container said before it had its GPU, and holds no more; or lost since it had it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names, said
from ..statements import errors, goes_on_between, line_of, statements

if TYPE_CHECKING:
    from ....facts.model import Facts, Key, Keys

#: Images looked for a file of the driver's kernel module, which is never there under WSL.
BANNER = "container-banner-no-driver"


def is_left_behind(facts: Facts, key: Key[object]) -> bool:
    """Whether a pod, a node or a program found its GPU later, be it in another container."""
    line = line_of(facts, key)
    for before, after in _IN_TIME:
        if key == said.SIGN(before):
            later = line_of(facts, said.SIGN(after))
            return line < later and not goes_on_between(facts, line, later)
    named, worked, went_on, failed = (line_of(facts, each) for each in _RUN)
    works = worked > line or line < named < went_on
    return key == said.SIGN(BANNER) and works and failed <= line


#: What a cluster without a GPU to give says, and what one says that has it.
_IN_TIME = (
    ("k8s-no-gpu-resource", "k8s-pod-scheduled"),
    ("k8s-plugin-no-nvml", "k8s-plugin-registered"),
)
_RUN = (said.DEVICE_IN_USE, said.DEVICE_WORKED, said.PROGRESS, said.FAILURE)
#: How a program fails whose device files were taken from it.
_TAKEN = ("CUDA_ERROR_NO_DEVICE", "CUDA_ERROR_UNKNOWN", "NVML_ERROR_UNKNOWN",
          "CUDA_ERROR_NOT_PERMITTED")  # fmt: skip


def lost_meanwhile(facts: Facts) -> Keys:
    """A container had its GPU, and systemd's new reading of its units took it away again.

    That it works once more after a restart tells of this only where no device is seen meanwhile.
    """
    told = statements(facts, "lost-on-reload-told", "container-loses-gpu-told")
    again = statements(facts, "container-restart-helps-told")
    if facts.known(names.CONTAINER_KIND) is not None:
        again = (*again, *statements(facts, "container-after-reload"))
    failed = errors(facts, *_TAKEN)
    return told or ((*again, *failed) if again and failed else ())
