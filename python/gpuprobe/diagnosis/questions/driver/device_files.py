"""The driver's device files: which of them keep a program out, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts import names
from ...fixes.access import allow_device_nodes, leave_control_group, make_device_nodes
from ...model import Confidence, Draft
from ..place import place_of
from .state import in_container, on_board

if TYPE_CHECKING:
    from ....facts.model import Facts, Key

_CONTROL, _UVM = names.NODE("nvidiactl"), names.NODE("nvidia-uvm")
_NVMAP = names.NODE("nvmap")
_NVML_UNKNOWN = 999


def control_file(facts: Facts) -> Key[str]:
    """The file that every program opens first; on a Jetson that of its shared memory.

    Raises:
        Missing: Nobody knows whether it is a Jetson.
    """
    return _NVMAP if on_board(facts) else _CONTROL


def shut(facts: Facts) -> Draft | None:
    """Why the files cannot be opened; None: nothing that is seen speaks of them.

    Raises:
        Missing: A file could not be looked at.
    """
    for reason in (_closed, _refused, _missing, _refused_by_effect):
        found = reason(facts)
        if found is not None:
            return found
    for node in _nodes(facts):
        facts.look(names.NODE(node))
    return None


def _nodes(facts: Facts) -> list[str]:
    return [node for node in facts.subjects(names.NODE) if node.startswith(("nvidia", "nvmap"))]


def _closed(facts: Facts) -> Draft | None:
    nodes = _in_state(facts, "not permitted")
    if not nodes:
        return None
    title = f"{_files(nodes)} may not be opened by this user"
    return Draft(title, nodes, allow_device_nodes(place_of(facts)))


def _refused(facts: Facts) -> Draft | None:
    """Everybody might open them, by their permissions, and the kernel says no."""
    nodes = _in_state(facts, "refused")
    if not nodes:
        return None
    inside = in_container(facts)
    who = "The container's control group" if inside else "A control group, or SELinux,"
    title = f"{who} refuses {_files(nodes)}, whose permissions allow everybody"
    keys = (names.CONTAINER_KIND, names.CONTAINER_DEVICES) if inside else ()
    certain = facts.known(names.CONTAINER_DEVICES) is False
    confidence = Confidence.CERTAIN if certain else Confidence.LIKELY
    return Draft(title, (*nodes, *keys), leave_control_group(place_of(facts)), confidence)


def _missing(facts: Facts) -> Draft | None:
    """Not said of a Jetson, whose files are others with each release of its system."""
    wanted = (_NVMAP,) if on_board(facts) else (_CONTROL, _UVM)
    nodes = tuple(key for key in wanted if facts.look(key) is None)
    if not nodes or _NVMAP in nodes:
        return None
    verb = "is" if len(nodes) == 1 else "are"
    title = f"{_files(nodes, ' and ')} {verb} missing, though the kernel module runs"
    return Draft(title, nodes, make_device_nodes(place_of(facts)), Confidence.LIKELY)


def _refused_by_effect(facts: Facts) -> Draft | None:
    """The files look usable, and the container's device rules refuse them.

    Version 1 of control groups shows its rules. Else only the effect is seen: NVML, which opens
    the files and nothing else, does not know why it fails.
    """
    if not in_container(facts):
        return None
    allowed = facts.known(names.CONTAINER_DEVICES)
    if allowed is not False and facts.look(names.NVML_CODE) != _NVML_UNKNOWN:
        return None
    return Draft(
        "The container's control group refuses the GPU's device files, which are there",
        (names.CONTAINER_KIND, names.CONTAINER_DEVICES, _CONTROL, _UVM),
        leave_control_group(place_of(facts)),
        Confidence.CERTAIN if allowed is False else Confidence.LIKELY,
    )


def _in_state(facts: Facts, state: str) -> tuple[Key[str], ...]:
    """The files in this state. Of several GPUs one that is closed may be somebody else's."""
    nodes = _nodes(facts)
    found = [node for node in nodes if facts.known(names.NODE(node)) == state]
    if any(map(_is_gpu, found)) and any(
        facts.look(names.NODE(node)) == "usable" for node in nodes if _is_gpu(node)
    ):
        found = [node for node in found if not _is_gpu(node)]
    return tuple(names.NODE(node) for node in found)


def _is_gpu(node: str) -> bool:
    return node.removeprefix("nvidia").isdigit()


def _files(nodes: tuple[Key[str], ...], between: str = ", ") -> str:
    return between.join(f"/dev/{key.name.partition('.')[2]}" for key in nodes)
