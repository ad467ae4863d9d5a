"""Machines whose GPU's memory, or the GPU itself, is taken by others; and memory that fails."""

from __future__ import annotations

from dataclasses import replace

from support.machines import H100, TESLA_T4, Process
from support.scenario import Expected, Scenario

from .healthy import HEALTHY

_TRAINING = Process("python", 4711, H100.memory_mib - 1000)
FAILING = Expected("degraded", "device-lost", "memory-errors")

FULL_BY_ANOTHER_PROCESS = Scenario(
    name="full-by-another-process",
    expect=Expected("broken", "oom-other-process", "oom-other-process"),
    gpus=(replace(H100, used_mib=H100.memory_mib - 300),),
    processes=(_TRAINING,),
)

# A near miss: most of the memory is in use, and there is room for more.
NEARLY_FULL = Scenario(
    name="nearly-full",
    expect=HEALTHY,
    gpus=(replace(H100, used_mib=60000),),
    processes=(replace(_TRAINING, used_mib=59400),),
)

# One program at a time, and one is there: no other can start on this GPU now.
EXCLUSIVE_AND_IN_USE = Scenario(
    name="exclusive-and-in-use",
    expect=Expected("degraded", "device-busy", "exclusive-mode-taken"),
    gpus=(replace(H100, compute_mode=3, used_mib=20600),),
    processes=(replace(_TRAINING, used_mib=20000),),
)

PROHIBITED = Scenario(
    name="prohibited",
    expect=Expected("broken", "device-busy", "compute-mode-prohibited"),
    gpus=(replace(H100, compute_mode=2),),
)

ECC_UNCORRECTED = Scenario(
    name="ecc-uncorrected",
    expect=FAILING,
    gpus=(replace(H100, ecc_uncorrected=2, ecc_uncorrected_total=2),),
)

ROW_REMAP_PENDING = Scenario(
    name="row-remap-pending",
    expect=FAILING,
    gpus=(replace(H100, rows_uncorrected=1, rows_pending=1),),
)

ROW_REMAP_FAILED = Scenario(
    name="row-remap-failed",
    expect=FAILING,
    gpus=(replace(H100, rows_uncorrected=8, rows_failed=1),),
)

# Cards before Ampere retire pages where later ones replace rows.
PAGES_PENDING = Scenario(
    name="pages-pending",
    expect=FAILING,
    gpus=(replace(TESLA_T4, pages_double_bit=1, pages_pending=1),),
)

# A near miss: what was corrected, and what was replaced long ago, is healed.
HEALED = Scenario(
    name="healed",
    expect=HEALTHY,
    gpus=(
        replace(
            H100, ecc_corrected=12, ecc_uncorrected_total=3, rows_corrected=1, rows_uncorrected=2
        ),
    ),
)
