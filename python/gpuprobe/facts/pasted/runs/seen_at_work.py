"""Logs of which one line names the GPU and another one shows that the work went on from there.

Either line alone tells too little: the first one is written before anything is computed, and the
second one is the same on a CPU.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from .programs_at_work import DARKNET_COUNTED

if TYPE_CHECKING:
    from ..text import Line, Text

#: MXNet measures cuDNN's algorithms before a layer's first use, and then tells its speed.
_MEASURES = "running performance tests to find the best convolution algorithm"
_SPEED = regex(r"(?a)\bSpeed: [\d.]{1,12} samples/s")
#: Inductor times its kernels and the library's; those by Triton are for GPUs.
_CHOICES = regex(r"\AAUTOTUNE \w{2,40}\(")
_BY_TRITON = regex(r"(?a)\A\s{1,8}triton_\w{1,80} [\d.]{1,12} ms [\d.]{1,6}%")
_MOST_CHOICES = 40
#: How a sample begins; `deviceQuery`, which computes nothing, begins without brackets.
_SAMPLE = regex(r"\A\s*\[[\w ]{3,60}\] - Starting\.\.\.|\A\s*Host to Device Bandwidth, \d Device")
_LONGEST_SAMPLE = 30
#: COLMAP tells of the features that it found in an image.
_FEATURES = regex(r"(?a)\bFeatures:\s{1,12}[1-9]")
#: DeepSpeed counts the memory of its accelerator, which may be the CPU.
_ALLOCATED = regex(r"(?a)SamplesPerSec=[\d.]{1,24}, MemAllocated=(\d{1,5}(?:\.\d{1,4})?)GB")
#: Its later releases take CUDA by themselves only where torch sees a device.
_DETECTED = regex(
    r"(?a)\breal_accelerator\.py:(?:20[3-9]|2[1-9]\d|[3-9]\d\d):get_accelerator\]"
    r" Setting ds_accelerator to cuda \(auto detect\)"
)
#: What its report tells of CUDA alone.
_REPORTED = regex(r"(?a)\A\s*nvcc version \.{3,40} \d{1,2}\.\d")
_ON_CUDA = regex(r"\bSetting ds_accelerator to cuda\b")
#: TensorFlow 1.14 to 2.15 tell of each library that they open.
_OPENED = regex(r"Successfully opened dynamic library (?:lib)?cudnn", re.IGNORECASE)
#: How TensorFlow 2 describes a GPU before it opens the libraries.
_CORES = regex(r"(?a)\bcoreClock: [\d.]{1,8}GHz coreCount: \d{1,3} deviceMemorySize: ")
#: The heading, and the row of the first GPU: with itself it has no link, with the others it may.
_LINKS = regex(
    r"(?a)\bgpu_device\.cc:\d{1,5}\] (?:0:   N|Device interconnect StreamExecutor with strength)"
)
#: TensorFlow before 1.0 has a Y there, and describes above the GPU that it takes or ignores.
_OLD_LINKS = regex(r"(?a)\bgpu_init\.cc:\d{1,5}\] 0:   Y")
#: The web UI for Stable Diffusion, of one image: so many steps a second.
_STEPS = regex(
    r"(?a)\ATotal progress: 100%\|[^|]{0,120}\| \d{1,4}/\d{1,4} \[[\d:]{4,8}<[\d:?]{1,8},"
    r"\s{1,4}([\d.]{1,8})it/s\]"
)
#: More than a CPU reaches: it takes seconds for one.
_BEYOND_CPU = 4.0
#: Other makers' GPUs, and the CPU by choice.
_OTHERS = "directml", "rocm", "zluda", "openvino", "--use-cpu", "torch-mlu", "ipex"
#: Darknet tells of each step of a training.
_TRAINED = regex(
    r"(?a)\A\s*\d{1,7}: \d[\d.]*, \d[\d.]* avg(?: loss)?, \d[\d.]* rate, \d[\d.]* seconds"
)
#: What it asks of the GPU before it builds a network.
_CUDNN_HALF = regex(
    r"(?a)\bcompute_capability = \d{3,4}, cudnn_half = [01]\b|\bcudnn_half = [01], GPU: "
)
#: Kaldi names the GPU that it took, and what it reached with it.
_ACTIVE = regex(r"FinalizeActiveGpu\(\):cu-device\.cc:\d{1,5}\) The active GPU is \[\d")
_OBJECTIVE = regex(r"(?a)\baverage objective function for '[\w-]{1,40}' is -?\d")
#: Metashape, once PhotoScan, names its device in the same manner, and tells when it is done.
_PHOTOS = regex(
    r"(?a)\bUsing device: (?:NVIDIA [^\n]{3,60}, \d{1,3} compute units, free memory: \d"
    r"|(?:NVIDIA|GeForce|Quadro|Tesla|TITAN)\b[^\n]{3,60}, \d{1,3} compute units, (?:\d{3,6} MB"
    r" global memory, CUDA \d|free memory: [\d/]{3,14} MB, compute capability \d))"
)
_PROCESSED = regex(r"(?a)\bFinished processing in [\d.]{1,12} sec \(exit code 1\)")
#: spaCy names the GPU that it takes, and has a row for each evaluation of a training.
_TAKES = regex(r"(?a)\A\W{0,4}Using GPU: \d{1,2}\s*\Z")
_LOSSES = regex(r"\A\s*E\s{1,4}#\s{1,8}LOSS ")
_EVALUATED = regex(r"(?a)\A\s*\d{1,6}\s{1,8}\d{1,8}(?:\s{1,12}\d{1,9}\.\d\d){2,24}\s*\Z")
#: Folding@home: the GPU by CUDA, and a part of a work unit that a core for GPUs did.
_FOLDER = regex(
    r"(?a)\bCUDA Device \d{1,2}: Platform:\d"
    r"|\bREADY gpu:\d{1,2}:[^\[\n]{1,20}\[(?:NVIDIA|GeForce|Quadro|Tesla|TITAN|[GR]TX)\b"
)
_FOLDED = regex(r"(?a):0x2\d:Completed [1-9]\d{0,9} out of \d{1,10} steps")
#: Surya and Marker tell of each model where it lies, and show then how far they are.
_LOADED = regex(r"\ALoaded [^\n]{1,160} on device cuda(?::\d{1,2})? with dtype \S")
_FINISHED = regex(r"(?a)\A[\w ]{3,60}: {1,2}100%\|[^|]{0,120}\| ?(\d{1,7})/\1 \[")
#: The sample that copies between all pairs of GPUs prints its matrices when it has done so.
_MATRIX = regex(r"(?i)\A\s*(?:Uni|Bi)directional P2P=(?:En|Dis)abled Bandwidth\b")
_RATES = regex(r"(?a)\A\s*(\d{1,2})((?:\s{1,6}\d{1,5}\.\d\d){2,16})\s*\Z")
#: In GB/s: less than a copy through main memory reaches, so that the copies between GPUs fail.
_TOO_SLOW = 4.0
_MOST_GPUS = 20
#: What begins the next matrix: another one of rates, or one of latencies, which are in µs.
_NEXT_MATRIX = regex(r"(?i)\bP2P=(?:En|Dis)abled\b|\blatency\b|\bMatrix\b")
#: vLLM, of the last seconds: it computed tokens, of requests whose cache it has.
_SERVING = regex(
    r"(?a)\bAvg generation throughput: (?!0\.0 )\d[\d.]{0,12} tokens/s, Running: [1-9]\d{0,6} reqs,"
    r".{0,80}\bGPU KV cache usage: (?!0\.0%)\d{1,3}\.\d{1,2}%"
)
#: It calls the cache so on processors and on other makers' accelerators as well.
_VLLM_ELSEWHERE = (
    *("cpu_worker", "cpu_model_runner", "device_config=cpu", "detected platform cpu", "rocm"),
    *("detected platform tpu", "tpu_worker", "xpu", "hpu_", "vllm_ascend", "vllm-cpu", "neuron"),
)
#: RELION gives its threads the GPUs that CUDA counts, and draws a mouse while it computes.
_MAPPED = regex(
    r"(?a)\A\s*Thread \d{1,3} on (?:slave|follower|rank) ?\d{1,4} mapped to device \d{1,2}\b"
)
_EXPECTED = regex(r"(?a)\A\s{0,8}[\d.]{1,8}/\s{0,8}[\d.]{1,8} (?:sec|min|hrs) \.{2,80}~~\(,_,")
#: DeepStream loads TensorRT's engine, and then tells how many frames a second it sees of each
#: stream, in brackets the mean.
_ENGINE = "load new model:", "use deserialized engine model:", "serialize cuda engine to file:"
_PERF = regex(r"(?a)\*\*PERF: {1,3}((?:\d{1,5}\.\d{1,3} \(\d{1,5}\.\d{1,3}\)\s{0,8}){1,64})\Z")
#: YOLO's row of an epoch: the second column is the GPU's memory, 0G on a CPU.
_GPU_MEM = regex(
    r"(?a)\A\s*\d{1,5}/\d{1,5}\s{1,12}(?!0+(?:\.0+)?G)\d{1,3}(?:\.\d{1,3})?G"
    r"(?:\s{1,12}(?:\d[\d.]*|nan)){4,16}(?:\s|:|\Z)"
)
#: Nerfstudio's table: how many thousands of rays it renders in a second of training.
_RAYS = regex(
    r"(?a)\A\d{1,8} \(\d{1,3}\.\d\d%\)\s[^\n]{0,80}\d ms\s[^\n]{0,60}?(\d{1,4}\.\d\d) K\s*\Z"
)
_RAYS_BEYOND_CPU = 20.0
#: Detectron2 and its forerunner tell after each step how much of the GPU's memory it took at most.
_STEP = regex(
    r"(?a)\beta: [^\n]{3,40}\biter: [1-9]\d{0,8}\b[^\n]{0,800}"
    r"\bmax[_ ]mem: [1-9]\d{0,6}(?:M\b|\s*\Z)"
)
#: The line with which transformers' examples, and LLaMA-Factory after them, begin.
_RANK = regex(
    r"(?a)\bProcess rank: -?\d{1,5}, (?:world size: \d{1,5}, )?device: (?:(cpu), n_gpu: 0\b"
    r"|cuda(?::\d{1,2})?, n_gpu: [1-9])"
)
_ENABLED = regex(r"\A\W{0,4}GPU Enabled: (True|False)\s*\Z")


def read(text: Text) -> Statements:
    """Each program by its own pair of lines."""
    yield from _mxnet(text)
    yield from _inductor(text)
    yield from _colmap(text)
    yield from _sample(text)
    yield from _copied(text)
    yield from _deepspeed(text)
    yield from _tensorflow(text)
    yield from _tensorflow_links(text)
    yield from _web_ui(text)
    yield from _models_on_cuda(text)
    for line, _ in text.matching(_SERVING, "gpu kv cache usage: ") if _is_on_gpu(text) else ():
        yield say(said.FRAMEWORK_COMPUTED("vllm"), True, line)
    yield from _in_turn(text, "relion", (_MAPPED, " mapped to device "), (_EXPECTED, "~~(,_,"))
    yield from _deepstream(text)
    yield from _columns(text)
    for line, _ in text.matching(_STEP, " max_mem: ", " max mem: "):
        yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
    for begun in ((DARKNET_COUNTED, "gpu count: "), (_CUDNN_HALF, "cudnn_half = ")):
        yield from _in_turn(text, "darknet", begun, (_TRAINED, " rate, "))
    yield from _in_turn(text, "kaldi", (_ACTIVE, "the active gpu is ["), (_OBJECTIVE, "objective"))
    yield from _in_turn(
        text, "metashape", (_PHOTOS, "using device: "), (_PROCESSED, "finished processing")
    )
    yield from _spacy(text)
    for cue in ("cuda device ", "ready gpu:"):
        yield from _in_turn(text, "fahclient", (_FOLDER, cue), (_FOLDED, ":completed "))
    for line, match in text.matching(_RANK, "process rank: "):
        yield say(said.FRAMEWORK_SEES_GPU("torch"), match[1] is None, line)
    if "stable-baselines3:" in text:
        for line, match in text.matching(_ENABLED, "gpu enabled: "):
            yield say(said.FRAMEWORK_SEES_GPU("torch"), match[1] == "True", line)


def _copied(text: Text) -> Statements:
    """The rates at which NVIDIA's sample copied between all pairs of GPUs."""
    rates = [
        float(rate)
        for start, _ in text.matching(_MATRIX, "directional p2p=")
        for line in takewhile(_is_within, text.after(start, _MOST_GPUS))
        if (row := _RATES.match(line.text))
        for gpu, rate in enumerate(row[2].split())
        if gpu != int(row[1])
    ]
    if rates and min(rates) >= _TOO_SLOW:
        line = next(line for line, _ in text.matching(_MATRIX, "directional p2p="))
        yield say(said.FRAMEWORK_COMPUTED("cuda-samples"), True, line)


def _is_within(line: Line) -> bool:
    return _NEXT_MATRIX.search(line.text) is None


def _first(text: Text, cue: str) -> Line | None:
    return next(text.having(cue), None)


def _mxnet(text: Text) -> Statements:
    began = _first(text, _MEASURES)
    if began is None:
        return
    yield say(said.FRAMEWORK_SEES_GPU("mxnet"), True, began)
    for line, _ in text.matching(_SPEED, "speed: "):
        if line.number > began.number:
            yield say(said.FRAMEWORK_COMPUTED("mxnet"), True, line)
            return


def _inductor(text: Text) -> Statements:
    for start, _ in text.matching(_CHOICES, "autotune "):
        for line in text.after(start, _MOST_CHOICES):
            if _BY_TRITON.match(line.text):
                yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
                return


def _colmap(text: Text) -> Statements:
    made = _first(text, "creating sift gpu feature extractor")
    for line, _ in text.matching(_FEATURES, "features: ") if made else ():
        if made and line.number > made.number:
            yield say(said.FRAMEWORK_COMPUTED("colmap"), True, line)
            return


def _sample(text: Text) -> Statements:
    """The CUDA samples compare what they computed, or copied back from the GPU."""
    for line in text.having("result = pass"):
        if any(_SAMPLE.match(each.text) for each in text.before(line, _LONGEST_SAMPLE)):
            yield say(said.FRAMEWORK_COMPUTED("cuda-samples"), True, line)
    for line in text.having("test passed"):
        if any("from the CUDA device to the host" in each.text for each in text.before(line, 2)):
            yield say(said.FRAMEWORK_COMPUTED("cuda-samples"), True, line)


def _deepspeed(text: Text) -> Statements:
    # Its report tells of the machine, and of no run.
    if "extension op report" not in text and "ds_report" not in text:
        for line, _ in text.matching(_DETECTED, "ds_accelerator to cuda (auto detect)"):
            yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)
    chosen = text.shows(_ON_CUDA, "setting ds_accelerator to cuda")
    if chosen or (text.shows(_REPORTED, "nvcc version .") and "ds_accelerator to" not in text):
        for line, match in text.matching(_ALLOCATED, "memallocated="):
            if float(match[1]) > 0:
                yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)


def _tensorflow(text: Text) -> Statements:
    """Once it has opened what it needs, cuDNN as the last, it describes the GPU that it takes."""
    opened = next((line for line, _ in text.matching(_OPENED, "dynamic library libcudnn")), None)
    if opened is None or "skipping registering gpu" in text:
        return
    for line in text.having("successful numa node read from sysfs"):
        if line.number > opened.number:
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
            return
    described = next((line for line, _ in text.matching(_CORES, "corecount:")), None)
    whole = "could not load dynamic library" not in text
    if whole and described is not None and described.number < opened.number:
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, described)


def _tensorflow_links(text: Text) -> Statements:
    """It takes a GPU, and then shows which of them reach each other, a row for each."""
    ignored = "ignoring gpu device" in text or "ignoring visible gpu device" in text
    for line, _ in () if ignored else text.matching(_OLD_LINKS, "] 0:   y"):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
        return
    taken = _first(text, "adding visible gpu devices: 0")
    if taken is None or "skipping registering gpu" in text:
        return
    for line, _ in text.matching(_LINKS, "] 0:  ", "] device interconnect"):
        if line.number > taken.number:
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
            return


def _web_ui(text: Text) -> Statements:
    if any(each in text for each in _OTHERS):
        return
    for line, match in text.matching(_STEPS, "total progress: 100%"):
        if float(match[1]) >= _BEYOND_CPU:
            yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)


def _is_on_gpu(text: Text) -> bool:
    return not any(each in text for each in _VLLM_ELSEWHERE)


def _deepstream(text: Text) -> Statements:
    """TensorRT's engine is loaded, and frames go through it; of a stream that ended it tells 0."""
    loaded = min((line.number for line in text.having(*_ENGINE)), default=None)
    if loaded is None:
        return
    for line, match in text.matching(_PERF, "**perf: "):
        if loaded < line.number and any(float(rate) > 0 for rate in match[1].split()[::2]):
            yield say(said.FRAMEWORK_COMPUTED("deepstream"), True, line)
            return


def _columns(text: Text) -> Statements:
    """Columns with the memory of the GPU, or with more rays a second than a CPU reaches."""
    for line, _ in () if "mps" in text else text.matching(_GPU_MEM, "g "):
        yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
        break
    for line, rays in text.matching(_RAYS, "%)") if "train rays / sec" in text else ():
        if float(rays[1]) >= _RAYS_BEYOND_CPU:
            yield say(said.FRAMEWORK_COMPUTED("nerfstudio"), True, line)
            break


def _models_on_cuda(text: Text) -> Statements:
    loaded = next(text.matching(_LOADED, " on device cuda"), None)
    if loaded is None:
        return
    yield say(said.FRAMEWORK_SEES_GPU("torch"), True, loaded[0])
    for line, _ in text.matching(_FINISHED, ": 100%|", ":  100%|"):
        if line.number > loaded[0].number:
            yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
            return


def _spacy(text: Text) -> Statements:
    taken = next((line for line, _ in text.matching(_TAKES, "using gpu: ")), None)
    heading = next((line for line, _ in text.matching(_LOSSES, "loss ")), None)
    if taken is None or heading is None or heading.number < taken.number:
        return
    for line in text.after(heading, 2):
        if _EVALUATED.match(line.text):
            yield say(said.FRAMEWORK_COMPUTED("spacy"), True, line)


def _in_turn(
    text: Text, program: str, takes: tuple[re.Pattern[str], str], does: tuple[re.Pattern[str], str]
) -> Statements:
    """A program names the GPU that it takes, and below that what it did; each with its cue."""
    taken = next((line for line, _ in text.matching(*takes)), None)
    if taken is None:
        return
    yield say(said.FRAMEWORK_SEES_GPU(program), True, taken)
    for line, _ in text.matching(*does):
        if line.number > taken.number:
            yield say(said.FRAMEWORK_COMPUTED(program), True, line)
            return
