"""What programs print of a GPU that they use: a table of their lines.

Some of them tell of work that was done there, others of the GPU that they begin with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...regex import regex
from ..statement import Statements, say
from . import frameworks_at_work
from .program_line import BEGUN, DONE, ProgramLine

if TYPE_CHECKING:
    from ..text import Text

#: Darknet counts its GPUs at its start.
DARKNET_COUNTED = regex(r"CUDA-version: \d{4,5} \(\d{4,5}\),[^\n]{0,60} GPU count: [1-9]")

_LINES = (
    # A fault of its own, in what it counted on the GPU.
    ProgramLine(
        "lightgbm",
        DONE,
        ("bug in gpu histogram! split",),
        regex(r"(?a)\A\[LightGBM\] \[Fatal\] Bug in GPU histogram! split \d"),
    ),
    # The devices of OpenCL that it works with.
    ProgramLine(
        "darktable",
        BEGUN,
        ("[opencl_init]",),
        regex(r"(?a)\[opencl_init\]\s{1,12}\d{1,2}\s{1,8}'(?:NVIDIA|GeForce|Quadro|Tesla|TITAN)\b"),
    ),
    ProgramLine(
        "sunshine",
        BEGUN,
        ("_nvenc [nvenc]",),
        regex(r"\bFound (?:H\.264|HEVC|AV1) encoder: \w{2,8}_nvenc \[nvenc\]"),
    ),
    # Wolf asks GStreamer for each encoder, and takes the first one that can be made.
    ProgramLine(
        "wolf",
        BEGUN,
        (" encoder: nvcodec",),
        regex(r"\bUsing (?:H264|HEVC|AV1) encoder: nvcodec\b"),
    ),
    ProgramLine(
        "nccl-tests",
        DONE,
        ("# avg bus bandwidth",),
        # Slurm writes the task's number in front of it.
        regex(r"\A(?:\d{1,4}:)?\W*# Avg bus bandwidth\s{1,8}: [\d.]*[1-9]"),
    ),
    ProgramLine("gpu-burn", DONE, (": ok",), regex(r"\A\s*GPU \d{1,2}: OK\s*\Z")),
    # The diagnostic of level 3 computes; the lower ones only ask.
    ProgramLine("dcgm", DONE, ("targeted stress",), regex(r"\A\W{0,4}Targeted Stress\s+\| Pass\b")),
    ProgramLine(
        "openmm",
        DONE,
        ("cuda - successfully computed forces",),
        regex(r"\A\W{0,4}\d CUDA - Successfully computed forces"),
    ),
    # How busy the encoder of the card was, and what it was opened with.
    ProgramLine(
        "nvencc",
        DONE,
        ("encode time ",),
        regex(r"\Aencode time [\d:]+, CPU: [\d.]+%?, GPU: [\d.]+%?, VE: \d*[1-9]"),
    ),
    ProgramLine(
        "nvencc",
        BEGUN,
        ("nvenc api ",),
        regex(r"\ANVENC / CUDA\s+NVENC API \d+\.\d+, CUDA \d+\.\d+"),
    ),
    ProgramLine(
        "gromacs",
        BEGUN,
        ("selected for this run",),
        regex(r"\A\s*\d{1,2} GPUs? selected for this run"),
    ),
    ProgramLine(
        "darknet",
        BEGUN,
        ("gpu count: ",),
        DARKNET_COUNTED,
    ),
    ProgramLine(
        "nccl-tests",
        BEGUN,
        (" on ",),
        regex(
            r"(?a)\A\W?\s+Rank\s+\d{1,4} (?:Group\s+\d{1,3} )?Pid\s+\d{1,8} on\s+\S{1,80}"
            r" device\s+\d{1,2} \[\w{2,12}(?::[\w:.]{2,12})?\] \S"
        ),
    ),
    # BOINC tells what CUDA's driver answered of each device.
    ProgramLine(
        "boinc",
        BEGUN,
        ("cuda device",),
        regex(
            r"\bCUDA devices?(?: \(not used\))?: [^\n(]{3,60}"
            r" \(driver version (?!0)\w[\w.]{0,12}, "
        ),
    ),
    # Cycles, of each device that CUDA gave it; AMD's have other ids.
    ProgramLine(
        "blender",
        BEGUN,
        ('added device "',),
        regex(r"\bAdded device \"[^\"]{1,80}\" with id \"CUDA_"),
    ),
    # Caffe asks CUDA for the name of each GPU that it takes.
    ProgramLine(
        "caffe",
        BEGUN,
        ("] gpu ",),
        regex(r"(?a)\bcaffe\.cpp:\d{1,4}\] GPU \d{1,2}: \S"),
    ),
    ProgramLine(
        "kokkos",
        BEGUN,
        ("kokkos::cuda[",),
        regex(r"(?a)\bKokkos::Cuda\[ ?\d{1,2} ?\] \S[^\n]{0,160}: Selected\b"),
    ),
    # NVIDIA's own measuring program ends each test so.
    ProgramLine(
        "nvbandwidth",
        DONE,
        ("sum host_to_", "sum device_to_"),
        regex(r"(?a)\ASUM (?:host|device)_to_\w{2,60}_(?:ce|sm) [\d.]*[1-9]"),
    ),
    ProgramLine(
        "nccl-tests",
        DONE,
        ("# out of bounds values",),
        regex(r"\A(?:\d{1,4}:)?\W*# Out of bounds values : 0 OK\b"),
    ),
    # Chia's plotter, once CUDA told it of the device.
    ProgramLine(
        "bladebit",
        BEGUN,
        ("selected cuda device ",),
        regex(r"(?a)\A\s*Selected cuda device \d{1,2} : \S"),
    ),
    # The executor of RAPIDS has taken its share of the GPU's memory.
    ProgramLine(
        "spark-rapids",
        BEGUN,
        ("initializing rmm ",),
        regex(
            r"(?a)\bInitializing RMM \w{0,12} ?(?:initial )?pool size = [1-9][\d.]* MB on gpuId \d"
        ),
    ),
    ProgramLine(
        "pg-strom",
        BEGUN,
        ("pg-strom: gpu",),
        regex(r"(?a)\bPG-Strom: GPU\d{1,2} \S[^\n]{0,160}\bCC \d{1,2}\.\d"),
    ),
    ProgramLine(
        "finminer",
        BEGUN,
        ("platform: cuda, name: ",),
        regex(r"(?a)\AGPU#\d{1,2}: Platform: CUDA, Name: [^,\n]{3,60}, [1-9]\d{2,6} MB available"),
    ),
    # PhoenixMiner lists AMD's GPUs without a capability.
    ProgramLine(
        "phoenixminer",
        BEGUN,
        (" cuda cap. ",),
        regex(r"(?a)\bGPU\d{1,2}: [^(\n]{3,60} \(pcie \d{1,3}\), CUDA cap\. \d{1,2}\.\d,"),
    ),
    # Omniverse draws on it, and names no GPU so that it does not use.
    ProgramLine(
        "omniverse",
        BEGUN,
        ("| yes: ",),
        regex(r"(?a)\A\s*\| \d{1,2}\s{1,4}\| NVIDIA [^|\n]{3,60}\| Yes: \d{1,2}\s{0,8}\|"),
    ),
    ProgramLine(
        "program",
        BEGUN,
        ("cuda true ", "cuda: true "),
        regex(r"\A\W{0,4}cuda:? True,? (?:NVIDIA|Tesla|GeForce|Quadro|TITAN)\b"),
    ),
    ProgramLine("hwloc", BEGUN, ("coproc(cuda)",), regex(r"\bCoProc\(CUDA\)")),
    ProgramLine(
        "matlab",
        BEGUN,
        ("cudadevice with properties",),
        regex(r"\A\s*CUDADevice with properties:"),
    ),
)


def read(text: Text) -> Statements:
    """Each program whose line stands in the text."""
    for each in (*frameworks_at_work.LINES, *_LINES):
        for line, _ in text.matching(each.pattern, *each.cues):
            yield say(each.shows(each.program), True, line)
