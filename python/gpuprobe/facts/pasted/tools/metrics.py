"""What the exporters for Prometheus tell of GPUs: DCGM's, and those that ask nvidia-smi or NVML.

A sample has a GPU's id and name among its labels, so the driver answered, whatever its value is.
The last Xid that DCGM saw is a sample as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    from ..text import Line, Text

_SAMPLE = regex(
    r"(?a)(?:\A|[\s\"'`])(?P<metric>DCGM_FI_\w{3,60}|nvidia_?smi_\w{3,60}|nvidia_gpu_\w{3,60})\{"
    r"(?P<labels>[^}\n]{1,800})\}(?:\s{1,4}(?P<value>[\d.e+]{1,24}))?"
)
_CUES = ("dcgm_fi_", "nvidia_smi_", "nvidiasmi_", "nvidia_gpu_")
_LABEL = regex(r"(?a)\b(\w{2,24})=\\?\"([^\"\\\n]{1,100})\\?\"")
_IDS, _NAMES = ("uuid", "UUID", "gpu", "minor_number", "id"), ("modelName", "name")
_XID = "DCGM_FI_DEV_XID_ERRORS"
_NUMBER = regex(r"(?a)([1-9]\d{0,2})(?:\.0{1,6})?")
#: DCGM's exporter, asked for much detail: which GPU, or share of one, Kubernetes gave to which pod.
_MAPPED = regex(r"Device to pod mapping: map\[([^\n]{1,4000})")
_GIVEN = regex(r"(?a)(?:\A|\s)(nvidia\d{1,2}|GPU-[\da-f-]{8,40})(?:/\w{1,40}|::\d{1,3})?:\{Name:")


def read(text: Text) -> Statements:
    """Each GPU of the first host by its id, in the order of the samples; and its Xid."""
    seen: dict[str, Line] = {}
    host: str | None = None
    for line, sample in text.matching(_SAMPLE, *_CUES):
        labels = dict(_LABEL.findall(sample["labels"]))
        gpu = next((labels[each] for each in _IDS if each in labels), None)
        host = labels.get("Hostname") if host is None else host
        if gpu is None or labels.get("Hostname") != host:
            continue
        number = _NUMBER.fullmatch(sample["value"] or "")
        if sample["metric"] == _XID and number is not None:
            yield say(names.XID(int(number[1])), excerpt(line.text), line)
        if gpu in seen:
            continue
        if name := next((labels[each] for each in _NAMES if each in labels), None):
            yield say(names.GPU_NAME(len(seen)), name, line)
        seen[gpu] = line
    for line, mapped in () if seen else text.matching(_MAPPED, "device to pod mapping"):
        for gpu in _GIVEN.findall(mapped[1]):
            seen.setdefault(gpu, line)
    if seen:
        yield say(names.NVML_COUNT, len(seen), next(iter(seen.values())))
