"""Lines that show that something ran on the GPU, or that it ran on the CPU instead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....knowledge import cudnn
from ... import said
from ...regex import regex
from ...version import Version
from ..prompts import command_of, commands
from ..statement import Statements, say
from ..wordings.sentences import NONSENSE, NONSENSE_CUES

if TYPE_CHECKING:
    from ..text import Line, Text

#: A tensor as a prompt shows it; in code a name and a bracket would stand before it.
_TENSOR = regex(r"device='cuda:\d+'[^()\n]{0,80}\)+\s*$")
_TENSOR_LEAD = regex(r"^\s*(?:tensor\(|\[|Parameter containing)")
#: Where one lies, and its shape, asked for at once.
_SHOWN_WITH_SHAPE = regex(r"\bdevice\(type='cuda', index=\d{1,2}\), torch\.Size\(\[")
#: A number that was read from there, wherever a program prints it; code makes it by a function.
_SCALAR = regex(
    r"(?a)(?<![\w.(\[=])tensor\((?:-?\d{1,12}(?:\.\d{0,8})?(?:e[+-]\d\d)?|True|False|nan|-?inf),"
    r" device='cuda:\d{1,2}'(?:, dtype=torch\.\w{3,12})?"
    r"(?:, grad_fn=<\w{3,60}>|, requires_grad=True)?\)"
)
#: The last line of a tensor that a program prints over several, and the one above it.
_LAST_OF_TENSOR = regex(
    r"\A\s{0,12}device='cuda:\d{1,2}'(?:, dtype=torch\.\w{3,12})?"
    r"(?:, grad_fn=<\w{3,60}>|, requires_grad=True)?\)"
)
_ROW_OF_TENSOR = regex(r"(?a)\A[\s\w(\[]{0,40}-?\d[^A-Za-z=]{0,400}\]{1,6},\s*\Z")
#: The same before torch 0.4, which told it in the last line.
_OLD_TENSOR = regex(r"^\W*torch\.cuda\.\w*Tensor of size [\dx]+ \(GPU \d+\)")
#: What CuPy computed, in a console or in a comment below the call.
_CUPY_CALL = regex(r"(?a)\A\W{0,4}(?:In \[\d+\]: )?(?:cupy|cp)\.\w[\w.]*\(.*\)\s*\Z")
_CUPY_RESULT = regex(r"(?a)\A\W{0,4}(?:Out\[\d+\]: ?)?array\(\S")
_NUMBERED = regex(r"(?a)\A\s{0,4}In \[\d{1,4}\]: ")
_CUPY_MADE = regex(
    r"(?a)\A(?:\w{1,40} = )?(?:cupy|cp)\.(?:random\.\w{2,20}|array|asarray|zeros|ones|arange|empty"
    r"|full|linspace|eye)\(.*\)\s*\Z"
)
_PLACED = regex(
    r"Executing op \w+ in device \S*GPU:\d|: \(\w+\):? ?/job:\S*(?:device:)?GPU:\d", re.IGNORECASE
)
_CREATED = regex(
    r"Created (?:TensorFlow )?device \(?\S*(?:device:)?GPU:\d"
    r"|Creating TensorFlow device \(/\S*gpu:\d"
    r"|^name: \"/(?:device:)?GPU:\d",
    re.IGNORECASE,
)
#: What a tensor of TensorFlow 2 says of where it lies.
_ON_DEVICE = regex(r"\A'/job:\w{1,20}/replica:\d{1,4}/task:\d{1,4}/device:GPU:\d{1,2}'\s*\Z")
#: Grappler counts them through the driver, whether or not the other libraries were found.
_ELIGIBLE = regex(r"Number of eligible GPUs \(core count >= \d+[^)\n]{0,60}\): [1-9]")
#: Whisper, where it begins; Lightning; Transformers' pipelines.
_TORCH_ON_CPU = (
    "is available in the environment, but no `device` argument is passed",
    "fp16 is not supported on cpu; using fp32",
    "performing inference on cpu when cuda is available",
    "gpu available but not used",
)
#: Where a model lies, as code asked; and the device that a program tells of choosing.
_MODEL_LIES = regex(
    r"(?:\bnext\([\w.]{1,40}\.parameters\(\)\)\.(?:device|is_cuda)"
    r"|\A\s{0,4}(?:>>> |In \[\d{1,4}\]: )\w{1,40}\.model\.device"
    r")\b(?P<told>[^\n]{0,40})"
)
_OF_CPU = regex(r"\A\W*(?:(?:returns|gives|is) )?(?:device\(type=')?(?:cpu|False)\b")
_OF_CUDA = regex(r"\A\W*(?:(?:returns|gives|is) )?(?:device\(type=')?(?:cuda|True)\b")
_DEVICE_CHOSEN = regex(
    r"(?i)\A\W{0,6}(?:using|running on) (?:the )?device(?:_type)?\W{1,4}cpu\W{0,4}\Z"
)
#: A program in one line that makes something on the GPU, and what it printed in the end.
_ONE_LINE = regex(
    r"\A(?:\S{0,80}/)?python[\d.]{0,5} -c .*\btorch\b"
    r".*(?:device=['\"]cuda|\.cuda\(\)|\.to\(['\"]cuda).*\bprint\("
)
_PRINTED = regex(r"(?a)\A(?:-?\d|tensor\(.*\)\s*\Z|NVIDIA |Tesla |GeForce |Quadro )")
_SPACY_ON_CPU = regex(
    r"\A\W{0,6}(?:[i\u2139] )?Using CPU\W{0,4}\Z|[`'\"]\u2139 Using CPU[`'\"]"
    r"|\bTo switch to GPU \d, use the option: --gpu-id"
)
#: The last is that of llama.cpp's kin for Falcon.
_OFFLOADED = regex(
    r"offloaded (\d+)/(\d+) layers to GPU|offloading (\d+) of \d+ layers to GPU, weights offloaded",
    re.IGNORECASE,
)
#: A field of llama.cpp's form, with its value behind it or below.
_BACKENDS = regex(r"(?i)(?:\A\W{0,6}|[,;] )GGML backends\W{0,4}(?:CUDA\W{0,3})?\Z")
_BACKEND = regex(r"(?i)\bCUDA\W{0,3}\Z")
_NONSENSE = regex(f"(?i){NONSENSE}")
#: nanoGPT and its kin tell of each step what share it takes of the peak of an A100.
_OF_PEAK = regex(r"(?a)\biter \d{1,8}: loss \S{1,16}, time [\d.]{1,12}ms, mfu (\d{1,3}\.\d{1,3})%")
#: More than a CPU reaches of it, in percent.
_BEYOND_CPU = 2.0
#: cupyx.profiler tells for each call how long both were at it.
_PROFILED = regex(r"\bCPU: *[\d.]{1,12} us [^\n]{0,80}\bGPU-\d{1,2}: *[\d.]{1,12} us\b")
_HISTOGRAMS = regex(
    r"\[LightGBM\] \[Info\] \d+ dense feature groups \([\d.]+ MB\) transferr?ed to GPU in"
)
#: OpenCL counts processors among its devices.
_PROCESSOR = regex(r"(?i)\b(?:processor|cpu|ryzen|xeon|core\(tm\))\b[^\n]*\bvendor: ")
#: What it warns of where a model is asked about data on another device than its own.
_XGBOOST = regex(r"\bXGBoost is running on: (cuda|cpu)\b[^\n]{0,8}, while the input data is on: ")
#: The device of a model's own configuration, once it was trained.
_XGBOOST_SAVED = regex(r"\A'(cuda(?::\d{1,2})?|cpu)'\s*\Z")
_OLLAMA = regex(r"\b(\d{1,3})% (GPU|CPU)\b(?!/)")
_TIMED = regex(
    r"^\W*(GPU|CPU|cuda)\b[^\d\n]{0,40}[:=] ?(\d+(?:\.\d+)?) ?(ms|s|sec|seconds|us|µs)\b",
    re.IGNORECASE,
)
_SECONDS = {"ms": 1e-3, "us": 1e-6, "µs": 1e-6}
#: Where the GPU is faster by this factor, the work was not done by the CPU.
_FASTER = 2.0

_CUDNN_LOADED = regex(r"Loaded cuDNN version (\d{4,5})\b")
_CUDNN_BOTH = regex(
    r"Loaded (?:runtime )?CuDNN library: (\d+(?:\.\d+)*)(?: \(compatibility version \d+\))?"
    r" but source was compiled (?:with|against):? (\d+(?:\.\d+)*)",
    re.IGNORECASE,
)


def read(text: Text) -> Statements:
    """Placements and results first, then the libraries that were loaded for them."""
    yield from _torch(text)
    yield from _torch_on_cpu(text)
    yield from _tensorflow(text)
    yield from _asked(text)
    # A llama.cpp that could not start CUDA counts the layers all the same.
    started = "failed to initialize cuda" not in text or "ggml_cuda_init: found" in text
    told = [
        (int(match[1] or match[3]), line)
        for line, match in text.matching(_OFFLOADED, "layers to gpu")
    ]
    for layers, line in sorted(told, key=lambda each: each[0] == 0):  # of several runs
        yield say(said.FRAMEWORK_COMPUTED("llama-cpp-python"), started and layers > 0, line)
    yield from _triton(text)
    yield from _ggml(text)
    for line in text.having("paddlepaddle works well on"):
        if "GPU" in line.text:
            yield say(said.FRAMEWORK_COMPUTED("paddlepaddle-gpu"), True, line)
        elif "CPU" in line.text:
            yield say(said.FRAMEWORK_COMPUTED("paddlepaddle"), False, line)
    yield from _lightgbm(text)
    for line, device in text.matching(_XGBOOST, "xgboost is running on: "):
        yield say(said.FRAMEWORK_COMPUTED("xgboost"), device[1] == "cuda", line)
    yield from _cupy(text)
    yield from _ollama(text)
    yield from _timings(text)
    yield from _cudnn(text)


def _torch(text: Text) -> Statements:
    for line, _ in text.matching(_OLD_TENSOR, "tensor of size"):
        yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
    for line in text.having("device='cuda"):
        if _TENSOR.search(line.text) and _TENSOR_LEAD.match(line.text):
            yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
        last = _LAST_OF_TENSOR.match(line.text) is not None
        if _SCALAR.search(line.text) or (
            last and any(_ROW_OF_TENSOR.match(each.text) for each in text.before(line, 1))
        ):
            yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
    for line, _ in text.matching(_SHOWN_WITH_SHAPE, "device(type='cuda'"):
        yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
    for line, match in text.matching(_OF_PEAK, "ms, mfu "):
        if float(match[1]) > _BEYOND_CPU:
            yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)


def _torch_on_cpu(text: Text) -> Statements:
    """Programs that tell of it, models that lie there, and a device that was chosen."""
    for line in text.having(*_TORCH_ON_CPU):
        yield say(said.FRAMEWORK_COMPUTED("torch"), False, line)
    for line, _ in text.matching(_DEVICE_CHOSEN, "using device", "running on device"):
        yield say(said.FRAMEWORK_COMPUTED("torch"), False, line)
    yield from _where_models_lie(text)
    for line, _ in text.matching(_SPACY_ON_CPU, "using cpu", "use the option: --gpu-id"):
        for library in ("torch", "cupy"):  # spaCy's layers are of one or both
            yield say(said.FRAMEWORK_COMPUTED(library), False, line)
    for line in text.having("gpu available: true"):  # Lightning
        if line.text.rstrip().endswith("used: False"):
            yield say(said.FRAMEWORK_COMPUTED("torch"), False, line)


def _where_models_lie(text: Text) -> Statements:
    """On one kind of device; of a model that was moved, or of two of them, it tells nothing."""
    answers: dict[bool, Line] = {}
    for line, asked in text.matching(_MODEL_LIES, ".parameters()).", ".model.device"):
        below = (each.text for each in text.after(line, 1))
        told = asked["told"].strip(" )`")
        answer = next(below, "") if not told or told.startswith(",") else told
        for pattern, on_gpu in ((_OF_CPU, False), (_OF_CUDA, True)):
            if pattern.match(answer):
                answers.setdefault(on_gpu, line)
    if len(answers) == 1:
        for on_gpu, line in answers.items():
            yield say(said.FRAMEWORK_COMPUTED("torch"), on_gpu, line)


def _asked(text: Text) -> Statements:
    """At a prompt: where a tensor or a model lies, and what a line of code printed of the GPU."""
    for line, command, below in commands(text, " -c "):
        if _ONE_LINE.match(command) and below and _PRINTED.match(below[0].text):
            yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
    for line, command, below in commands(text, ".device"):
        if command.endswith(".device") and below and _ON_DEVICE.match(below[0].text):
            yield say(said.FRAMEWORK_COMPUTED("tensorflow"), True, line)
        if command == "model.device" and below and below[0].text.startswith("device(type='cuda"):
            yield say(said.FRAMEWORK_COMPUTED("torch"), True, line)
    for line, command, below in commands(text, '"generic_param"]["device"]'):
        told = _XGBOOST_SAVED.match(below[0].text) if below and command.startswith("json") else None
        if told:
            yield say(said.FRAMEWORK_COMPUTED("xgboost"), told[1] != "cpu", line)


def _tensorflow(text: Text) -> Statements:
    for line in text.having("gpu:"):
        if _PLACED.search(line.text):
            yield say(said.FRAMEWORK_COMPUTED("tensorflow"), True, line)
        if _CREATED.search(line.text):
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
    for line in text.having("compiled cluster using xla"):
        yield say(said.FRAMEWORK_COMPUTED("tensorflow"), True, line)
    # Only of an operation that lies on the GPU.
    for line in text.having("deterministic gpu implementation of "):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
    for line, _ in text.matching(_ELIGIBLE, "number of eligible gpus"):
        if "skipping registering gpu" not in text:
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
    # It warns of this while it makes the device.
    for line in text.having("not built with cuda kernel binaries compatible with compute"):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)


#: NVIDIA's inference server gives a model an instance on a GPU, and lists those that it serves.
_INSTANCE = regex(r"TRITONBACKEND_ModelInstanceInitialize: \S{1,80} \(GPU device \d")
_READY = regex(r"\A\W*\| \S{1,80}\s{1,40}\| \d{1,4}\s{1,12}\| READY\s*\|")


def _triton(text: Text) -> Statements:
    if text.shows(_INSTANCE, "modelinstanceinitialize: "):
        for line, _ in text.matching(_READY, "| ready"):
            yield say(said.FRAMEWORK_COMPUTED("tritonserver"), True, line)
            return


def _ggml(text: Text) -> Statements:
    """Who reports to llama.cpp what a model says tells by which backend it was computed."""
    by_cuda = any(
        _BACKENDS.search(line.text)
        and any(_BACKEND.search(each.text) for each in (line, *text.after(line, 2)))
        for line in text.having("ggml backends")
    )
    for line, _ in text.matching(_NONSENSE, *NONSENSE_CUES) if by_cuda else ():
        yield say(said.SIGN("runs-on-gpu-told"), line.text.strip(), line)
        return


def _lightgbm(text: Text) -> Statements:
    """Its trainer for OpenCL computes histograms where it copied the features, on any maker's."""
    for line in text.having("[info] using gpu device:"):
        if _PROCESSOR.search(line.text):
            yield say(said.FRAMEWORK_COMPUTED("lightgbm"), False, line)
        if "NVIDIA" not in line.text:
            return
    for line, _ in text.matching(_HISTOGRAMS, "transferred to gpu in", "transfered to gpu in"):
        yield say(said.FRAMEWORK_COMPUTED("lightgbm"), True, line)


def _cupy(text: Text) -> Statements:
    for line, _ in text.matching(_CUPY_CALL, "cupy.", "cp."):
        if any(_CUPY_RESULT.match(each.text) for each in text.after(line, 1)):
            yield say(said.FRAMEWORK_COMPUTED("cupy"), True, line)

    for line in text.having("cupy.", "cp."):
        # A session numbers its prompts: the next one comes once the call is over.
        following = (_NUMBERED.match(each.text) for each in text.after(line, 1))
        if _CUPY_MADE.match(command_of(line) or "") and any(following):
            yield say(said.FRAMEWORK_COMPUTED("cupy"), True, line)
    for line, _ in text.matching(_PROFILED, "gpu-0:"):
        yield say(said.FRAMEWORK_COMPUTED("cupy"), True, line)


def _ollama(text: Text) -> Statements:
    """``ollama ps`` shows where a model lies, under a heading of its own."""
    for start in text.having("processor"):
        if "UNTIL" not in start.text:
            continue
        for line in text.after(start, 1):
            if match := _OLLAMA.search(line.text):
                yield say(said.FRAMEWORK_COMPUTED("ollama"), match[2] == "GPU", line)


def _timings(text: Text) -> Statements:
    """The same work timed on both, the GPU clearly the faster one."""
    times: dict[str, tuple[float, Line]] = {}
    for line in text.having("gpu", "cpu", "cuda"):
        match = _TIMED.match(line.text)
        if match is not None:
            where = "cpu" if match[1].lower() == "cpu" else "gpu"
            seconds = float(match[2]) * _SECONDS.get(match[3].lower(), 1.0)
            times.setdefault(where, (seconds, line))
    if "cpu" in times and "gpu" in times and 0 < times["gpu"][0] * _FASTER < times["cpu"][0]:
        yield say(said.FRAMEWORK_COMPUTED("program"), True, times["gpu"][1])


def _cudnn(text: Text) -> Statements:
    for line in text.having("loaded cudnn version"):
        if match := _CUDNN_LOADED.search(line.text):
            yield say(said.CUDNN_VERSION, cudnn.from_number(int(match[1])), line)
    for line in text.having("loaded runtime cudnn library", "loaded cudnn library"):
        if match := _CUDNN_BOTH.search(line.text):
            yield say(said.CUDNN_VERSION, _release(match[1]), line)
            yield say(said.CUDNN_BUILT_WITH, _release(match[2]), line)


def _release(text: str) -> Version:
    """``8.6.0``; once the number of the header, 7005."""
    return Version(text) if "." in text else cudnn.from_number(int(text))
