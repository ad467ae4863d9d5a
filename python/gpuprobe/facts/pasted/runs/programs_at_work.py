"""What programs print of a GPU that they use: a table of their lines.

Some of them tell of work that was done there, others of the GPU that they begin with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    import re

    from ...model import Family
    from ..text import Text


class _Line(NamedTuple):
    """A line of `program`, found by its small-letter `cues`, and what it shows."""

    program: str
    shows: Family[bool]
    cues: tuple[str, ...]
    pattern: re.Pattern[str]


#: Darknet counts its GPUs at its start.
DARKNET_COUNTED = regex(r"CUDA-version: \d{4,5} \(\d{4,5}\),[^\n]{0,60} GPU count: [1-9]")

_DONE, _BEGUN = said.FRAMEWORK_COMPUTED, said.FRAMEWORK_SEES_GPU
_LINES = (
    _Line(
        "vllm",
        _DONE,
        ("gpu blocks:", "gpu kv cache size", "available kv cache memory"),
        regex(
            r"# GPU blocks: [1-9]|GPU KV cache size: [1-9]"
            r"|gpu_worker\.py:\d+\] Available KV cache memory: [1-9]"
        ),
    ),
    _Line(
        "sunshine",
        _BEGUN,
        ("_nvenc [nvenc]",),
        regex(r"\bFound (?:H\.264|HEVC|AV1) encoder: \w{2,8}_nvenc \[nvenc\]"),
    ),
    # Wolf asks GStreamer for each encoder, and takes the first one that can be made.
    _Line(
        "wolf",
        _BEGUN,
        (" encoder: nvcodec",),
        regex(r"\bUsing (?:H264|HEVC|AV1) encoder: nvcodec\b"),
    ),
    _Line(
        "nccl-tests",
        _DONE,
        ("# avg bus bandwidth",),
        # Slurm writes the task's number in front of it.
        regex(r"\A(?:\d{1,4}:)?\W*# Avg bus bandwidth\s{1,8}: [\d.]*[1-9]"),
    ),
    _Line("gpu-burn", _DONE, (": ok",), regex(r"\A\s*GPU \d{1,2}: OK\s*\Z")),
    # The diagnostic of level 3 computes; the lower ones only ask.
    _Line("dcgm", _DONE, ("targeted stress",), regex(r"\A\W{0,4}Targeted Stress\s+\| Pass\b")),
    _Line(
        "megatron",
        _DONE,
        ("consumed samples:",),
        regex(
            r"\biteration\s{1,12}\d{1,9}/\s{0,12}\d{1,9} \| consumed samples:\s{1,14}\d{1,12} \|"
            r".{0,80}elapsed time per iteration \(ms\): [\d.]{1,9}"
        ),
    ),
    _Line(
        "openmm",
        _DONE,
        ("cuda - successfully computed forces",),
        regex(r"\A\W{0,4}\d CUDA - Successfully computed forces"),
    ),
    # How busy the encoder of the card was, and what it was opened with.
    _Line(
        "nvencc",
        _DONE,
        ("encode time ",),
        regex(r"\Aencode time [\d:]+, CPU: [\d.]+%?, GPU: [\d.]+%?, VE: \d*[1-9]"),
    ),
    _Line(
        "nvencc",
        _BEGUN,
        ("nvenc api ",),
        regex(r"\ANVENC / CUDA\s+NVENC API \d+\.\d+, CUDA \d+\.\d+"),
    ),
    _Line(
        "gromacs",
        _BEGUN,
        ("selected for this run",),
        regex(r"\A\s*\d{1,2} GPUs? selected for this run"),
    ),
    _Line(
        "tensorrt",
        _BEGUN,
        ("tensorrt-managed allocation in",),
        regex(r"TensorRT-managed allocation in [\w ]{3,40}: CPU [+-]\d+, GPU \+[1-9]"),
    ),
    _Line(
        "triton-server",
        _BEGUN,
        ("cuda memory pool is created on device",),
        regex(r"CUDA memory pool is created on device \d{1,2} with size [1-9]"),
    ),
    _Line(
        "darknet",
        _BEGUN,
        ("gpu count: ",),
        DARKNET_COUNTED,
    ),
    _Line(
        "tensorrt",
        _DONE,
        ("&&&& passed tensorrt", "[i] throughput: "),
        regex(r"\A&&&& PASSED TensorRT\.|\[I\] Throughput: \d[\d.]{0,12} qps"),
    ),
    # It checks what cuDNN writes beside a convolution's result, and says so where it cannot.
    _Line(
        "tensorflow",
        _BEGUN,
        ("convolution redzone checking",),
        regex(r"\bFailed to allocate memory for convolution redzone checking; skipping this check"),
    ),
    # Cellpose makes a tensor there, before it says so.
    _Line(
        "torch",
        _BEGUN,
        ("torch cuda version installed and working",),
        regex(r"\*\* TORCH CUDA version installed and working\. \*\*"),
    ),
    # YOLO compares results in half precision with those in full; on a CPU it does not begin.
    _Line("torch", _DONE, ("amp: checks passed",), regex(r"\AAMP: checks passed\b")),
    # Inductor counts the processors of the GPU for which it compiles.
    _Line(
        "torch",
        _BEGUN,
        ("not enough sms to use max_autotune_gemm",),
        regex(r"\bNot enough SMs to use max_autotune_gemm mode"),
    ),
    _Line(
        "nccl-tests",
        _BEGUN,
        (" on ",),
        regex(
            r"(?a)\A#\s+Rank\s+\d{1,4} (?:Group\s+\d{1,3} )?Pid\s+\d{1,8} on\s+\S{1,80}"
            r" device\s+\d{1,2} \[\w{2,12}(?::[\w:.]{2,12})?\] \S"
        ),
    ),
    # BOINC tells what CUDA's driver answered of each device.
    _Line(
        "boinc",
        _BEGUN,
        ("cuda device",),
        regex(
            r"\bCUDA devices?(?: \(not used\))?: [^\n(]{3,60}"
            r" \(driver version (?!0)\w[\w.]{0,12}, "
        ),
    ),
    # What googletest says of a test that is named after CUDA, and after no lack of it.
    _Line(
        "googletest",
        _DONE,
        ("[       ok ] cuda", "[       ok ] gpu"),
        regex(r"\[       OK \] (?:CUDA|Cuda|GPU|Gpu)(?![\w.]*(?i:no|dis|unavail|fall|skip|host))"),
    ),
    # Its own measuring program, which asks CUDA for what stands below this line.
    _Line("tensorrt", _BEGUN, ("selected device: ",), regex(r"\[I\] Selected Device: \S")),
    _Line(
        "triton-server",
        _BEGUN,
        ("collecting metrics for gpu ",),
        regex(r"\bmetrics\.cc:\d{1,5}\] \"?Collecting metrics for GPU \d{1,3}: \S"),
    ),
    # Cycles, of each device that CUDA gave it; AMD's have other ids.
    _Line(
        "blender",
        _BEGUN,
        ('added device "',),
        regex(r"\bAdded device \"[^\"]{1,80}\" with id \"CUDA_"),
    ),
    # What `printShortCudaDeviceInfo` writes.
    _Line(
        "opencv-python",
        _BEGUN,
        ("driver/runtime ver.",),
        regex(r"\ADevice \d{1,2}: {1,2}\"[^\"]{1,80}\" .{1,40}, Driver/Runtime ver\.\d"),
    ),
    # Numba's advice on a kernel that it is about to launch, and how it shows a device.
    _Line(
        "numba",
        _BEGUN,
        ("numbaperformancewarning: ",),
        regex(
            r"NumbaPerformanceWarning: (?:Grid size \(?\d{1,9}\)? .{0,60}in GPU under"
            r"|Host array used in CUDA kernel)"
        ),
    ),
    _Line(
        "numba",
        _BEGUN,
        ("<managed device ", "<cuda device "),
        regex(r"<Managed Device \d{1,2}>|<CUDA device \d{1,2} 'b?'"),
    ),
    # How JAX shows its devices, which have had three names.
    _Line(
        "jax",
        _BEGUN,
        ("device(id=", "[cuda(id="),
        regex(r"\[(?:Cuda|Gpu|StreamExecutorGpu)Device\(id=\d|\[cuda\(id=\d"),
    ),
    _Line(
        "torch",
        _BEGUN,
        ("capability among gpus detected",),
        regex(r"\bHighest compute capability among GPUs detected: \d"),
    ),
    _Line(
        "program",
        _BEGUN,
        ("cuda true ", "cuda: true "),
        regex(r"\A\W{0,4}cuda:? True,? (?:NVIDIA|Tesla|GeForce|Quadro|TITAN)\b"),
    ),
    # MMDetection and its kin write this field where CUDA is there, in megabytes.
    _Line(
        "torch",
        _DONE,
        (" memory: ",),
        regex(
            r"\b(?:Epoch|Iter) ?(?:\(train\) )?\[[^\n]{1,160}\bdata_time: [\d.]{1,12},?"
            r"\s{1,4}memory: [1-9]\d{1,6},?\s[^\n]{0,400}\bloss: [\d.]"
        ),
    ),
    _Line("theano", _DONE, ("used the gpu",), regex(r"\A\s*Used the gpu\s*\Z")),
    _Line("hwloc", _BEGUN, ("coproc(cuda)",), regex(r"\bCoProc\(CUDA\)")),
    _Line(
        "matlab",
        _BEGUN,
        ("cudadevice with properties",),
        regex(r"\A\s*CUDADevice with properties:"),
    ),
    # RLlib names the device to which it copied the model that fails there.
    _Line("torch", _BEGUN, ("in tower ",), regex(r"\A\W*In tower \d{1,3} on device cuda:\d")),
)


def read(text: Text) -> Statements:
    """Each program whose line stands in the text."""
    for each in _LINES:
        for line, _ in text.matching(each.pattern, *each.cues):
            yield say(each.shows(each.program), True, line)
