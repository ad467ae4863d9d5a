"""An explanation in what JSON knows."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from ..knowledge.visible_devices.words import remark, why

if TYPE_CHECKING:
    from ..knowledge.visible_devices.model import Entry, Target
    from .explanation import Explanation


def plain(explanation: Explanation) -> dict[str, object]:
    """Its fields; the prediction's come one by one."""
    foretold = explanation.prediction
    seen = explanation.seen
    return {
        "value": explanation.value,
        "order": explanation.order,
        "sound": explanation.is_sound,
        "visible": _list(explanation.devices),
        "entries": [_entry(entry, explanation.gpu_count) for entry in foretold.entries],
        "foretold": _targets(foretold.devices),
        "foretold_otherwise": [_targets(other) for other in foretold.others],
        "doubts": [doubt.value for doubt in foretold.doubts],
        "seen": _list(seen),
        "unseen": explanation.unseen or None,
        "agrees": explanation.agrees,
        "devices": [asdict(row) for row in explanation.rows],
        "unknown": explanation.unknown or None,
        "orders_differ": explanation.orders_differ,
        "others": [asdict(opinion) for opinion in explanation.opinions],
        "remarks": [asdict(each) for each in explanation.remarks],
        "process": None if explanation.process is None else asdict(explanation.process),
        "too_late": explanation.too_late,
    }


def _entry(entry: Entry, count: int) -> dict[str, object]:
    return {
        "text": entry.text,
        "kind": entry.kind.value,
        "fate": entry.fate.value,
        "why": why(entry, count or None),
        "remark": remark(entry),
        "number": entry.number,
        "uuid": None if entry.target is None else entry.target.uuid,
        "ordinal": entry.ordinal,
    }


def _targets(targets: tuple[Target, ...] | None) -> list[object] | None:
    """UUIDs; where one is not known, the number of the GPU in CUDA's order."""
    return None if targets is None else [each.uuid or each.gpu for each in targets]


def _list(uuids: tuple[str | None, ...] | None) -> list[str | None] | None:
    return None if uuids is None else list(uuids)
