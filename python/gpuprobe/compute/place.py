"""Where it is computed. This release has the CPU alone, and says so where a GPU is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..report.model import Report

CPU = "cpu"


class GpuUnavailable(RuntimeError):  # noqa: N818  (a state of the machine, as people name it)
    """There is no GPU to compute on; the text is the doctor's finding and its fix.

    Attributes:
        report: What the doctor found.
    """

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


def require_cpu(call: str, device: object) -> None:
    """Return where `device` is "cpu".

    Raises:
        GpuUnavailable: A GPU is asked for, by None, a number, a UUID or a `Device`.
    """
    if device != CPU:
        way_out = f'gpuprobe.{call}(…, device="cpu") runs the reference.'
        healthy = "The GPU works, but this release of gpuprobe does not compute on it yet."
        raise unavailable(healthy, way_out)


def unavailable(healthy: str, way_out: str) -> GpuUnavailable:
    """What to raise: the doctor's finding, or `healthy` where it has none; then `way_out`."""
    from ..diagnosis.model import Verdict
    from ..examine import judge, machine_facts
    from ..report.words import headline

    report = judge(machine_facts())
    root, verdict = report.diagnosis.root, report.diagnosis.verdict
    if verdict in (Verdict.HEALTHY, Verdict.DEGRADED):
        found = healthy
    elif root is None:
        found = "No GPU was seen to work, and no fault was found; `gpuprobe` says what is unknown."
    else:
        fix = root.finding.fix
        found = "\n".join((headline(root), fix.text, *(f"    {each}" for each in fix.commands)))
    return GpuUnavailable(f"{found}\n{way_out}", report)
