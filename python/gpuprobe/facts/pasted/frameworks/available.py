"""Sentences in which programs say whether a GPU is seen: ``CUDA available: False`` and its kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import names, said
from ...excerpt import excerpt
from ...regex import regex
from ..statement import Statements, say
from ..text import cues
from ..values import truth

if TYPE_CHECKING:
    from ..text import Line, Text

_ANSWER = r"(?P<answer>True|False|Yes|No|true|false|yes|no|available|not available|unavailable)\b"
_TORCH = regex(
    rf"""(?ax)\A\W*(?:
        (?i:(?:is\s)?(?:py)?(?:torch[.\s]{{1,2}})?(?:cuda|gpu)\s?(?:is\s)?_?availab(?:le|ility)\??)
      | (?i:(?:py)?torch\s(?:has|sees|detects|can\suse)\s(?:cuda|gpu)(?:\savailable)?)
      | (?i:(?:has|use)[_\s]cuda) | (?i:cuda\.is_available(?:\(\))?)
      | (?i:(?:PyTorch\s)?has\sactive\sGPU)
      )(?P<between>(?:[\s*"'`|:=?-]|is\b)+){_ANSWER}"""
)
#: What makes an answer of a word, and not the next one of a sentence.
_BETWEEN = regex(r"[:=?]|\s(?:-\s|is|\s)")
#: print("torch.cuda.is_available()", torch.cuda.is_available())
_PRINTED = regex(r"(?i)\A\W{0,4}(?:torch\.)?cuda\.is_available\(\)\s{1,4}(True|False)\W*\Z")
#: "PyTorch built with CUDA: False"
_BUILT = regex(
    r"(?i)\A\W*(?:py)?torch (?:is |was )?built with cuda\s*[:=?]\s*(True|False|Yes|No)\b"
)
#: Programs that took the GPU and say so: Ultralytics, trainers of all kinds.
_USED = regex(
    r"(?i)_CudaDeviceProperties\(name=|torch-\d\S{0,80} CUDA:\d+ \("
    r"|(?:\A|\bINFO\s{1,8})Using (?:device:? )?['\"]?cuda(?::\d+)?['\"]?(?: device)?\W*\Z"
    r"|(?:Torch detected GPU|Using torch device): (?:NVIDIA|Tesla|Quadro|GeForce|cuda)\b"
    r"|Performing inference on CPU when CUDA is available|\bGPU available but not used\b"
    r"|\bGPU is available in the environment, but no `device`"
    r"|\bGPU available: True(?: \(cuda\))?, used: True\b"
    r"|\AUsing cuda for inference\.\s*\Z"  # Wav2Lip
)
_USED_CUES = cues(
    "cuda|torch detected gpu|using torch device|gpu available but"
    "|gpu is available in the environment|gpu available: true"
)
#: Lightning: "GPU available: True (cuda), used: True".
_NUMBER = regex(
    r"(?ai)\A\W*num(?:ber)?(?: of)? (?:physical )?gpus?(?: available)?\W{0,3}\s*[:=]\s{0,4}"
    r"(\d{1,3})\b"
)
_TF = regex(r"(?ai)PhysicalDevice\(name='/physical_device:(?:XLA_)?GPU:(\d+)'")
#: Lines that a list of devices goes on for: more GPUs than one machine has, and its CPU.
_ENTRIES = 16
#: R prints each member of a list on lines of its own.
_OF_R = regex(r"\APhysicalDevice\(")
_CPU_ONLY = regex(r"\A[^(]*\[PhysicalDevice\(name='/physical_device:CPU:0',[^)]*\)\]\s*\Z")
#: What people say of its answer in a sentence.
_TF_NONE = regex(
    r"(?i)list_physical_devices\b[^\n]{0,60}\b(?:returns?|gives?|gave|is|prints?|outputs?|shows?"
    r"|yields?|got|get)\b[^\n]{0,30}(?:\bempty\b|\[\]|\bno gpus?\b|\bnothing\b)"
    r"|list_physical_devices\b[^\n]{0,60}\b(?:cannot|can't|does(?: not|n't)|did(?: not|n't)|stopped"
    r"|fails? to|failed to)[^\n]{0,20}\b(?:list|show|detect|find|see|return)"
)
#: What it lists where an operation is to be placed on a device that it does not have.
_TF_AVAILABLE = regex(
    r"(?i)device:?GPU:\d[^\n]{0,200}?(?:available|valid) devices?(?: are|:)? ?\[?"
    r"([^\n\]]*(?:device:)?CPU:0[^\n\]]*)"
)
#: What Keras lists where a model is to be copied to more GPUs than there are.
_KERAS_AVAILABLE = regex(r"(?i)machine only has: \[([^\]\n]*/(?:\w+:)?cpu:0[^\]\n]*)\]")
#: What DeePMD-kit counts of TensorFlow's devices, in its summary of a training.
_DEEPMD = regex(r"(?ai)\bDEEPMD INFO {1,4}count of visible gpus?: {1,12}(\d{1,2})\b")
#: A GPU of a list that operations are placed on; XLA's compiler has a device of its own for it.
_PLACED_ON = regex(r"(?i)(?<!xla_)gpu:\d")
#: What TensorFlow 1's tools print of the devices that a session may use.
_TF_VISIBLE = regex(r"Devices visible to TensorFlow: \[(_DeviceAttributes\([^\]\n]*)\]")
#: The files of TensorFlow that speak of CUDA, whether it starts or not.
_WORDS_OF_CUDA = ("cuda_driver", "cuda_diagnostics", "gpu_device.cc", "gpu_init.cc", "dso_loader",
                  "cuda_gpu_executor", "cudart_stub")  # fmt: skip
_TF_HEDGED = regex(r"(?i)\b(?:if|when|should|expect\w*|previously|before)\b")
_THEANO = regex(r"\AUsing gpu device \d: \w|Mapped name None to device cuda0: \w")
#: llama.cpp, whisper.cpp and what is built on them
_GGML = regex(r"(?a)(?<!only )\b[Ff]ound (\d{1,3}) (?:ggml_)?CUDA devices?\b")
#: How CUDA Python answers `cudaGetDeviceCount()` and `cuDeviceGetCount()`, which stand above.
_COUNTED = regex(
    r"\A\W*\(<(?:cudaError_t\.cudaSuccess|CUresult\.CUDA_SUCCESS): 0>, (\d{1,2})\)\s*\Z"
)
_JAX = regex(r"(?ai)jax[. ](?:local_)?devices(?:\(\)| \([^)]*\))?\s*[:=]\s*\[([^\]]*)\]")
_JAX_GPU = regex(r"(?i)(?:cuda|gpu)(?:device)?\(id=\d+")
_JAX_INFO = regex(r"(?a)device info: (.+?)-(\d+), (\d+) local devices")


#: ComfyUI's choice of a device, which it takes from torch: in its log and in its reports.
_COMFY = regex(
    r"(?a)(?:\A\W*|INFO\W+)(?:Device|Name):\**\s{1,3}cuda:\d{1,3} "
    r"(?:\S.*: \w+|NVIDIA \w+(?:[ -]\w+){0,5}[ -]?)\s*\Z"
)
#: TensorFlow 1's list of devices, an entry of it.
_TYPE = regex(r'\A\s*\[?device_type: "(\w+)"')


def read(text: Text) -> Statements:
    """What the frameworks' own sentences say; numbers of GPUs are TensorFlow's."""
    for line in text.having("cuda", "gpu"):
        match = _TORCH.match(line.text)
        answer = truth(match["answer"]) if match and _BETWEEN.search(match["between"]) else None
        if answer is not None:
            yield say(said.FRAMEWORK_SEES_GPU("torch"), answer, line)
    for line, match in text.matching(_PRINTED, "is_available()"):
        yield say(said.FRAMEWORK_SEES_GPU("torch"), match[1].lower() == "true", line)
    yield from _comfy(text)
    yield from _lightning(text)
    yield from _refused(text)
    yield from _whisper(text)
    for line, match in text.matching(_BUILT, "built with cuda"):
        yield say(names.PACKAGE_BUILD("torch"), "cuda" if truth(match[1]) else "cpu", line)
    yield from _local_devices(text)
    for line, _ in text.matching(_USED, *_USED_CUES):
        yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)
    yield from _tensorflow(text)
    yield from _jax(text)
    for line in text.having("using gpu device ", " to device cuda0: "):
        if _THEANO.search(line.text):
            yield say(said.FRAMEWORK_SEES_GPU("theano"), True, line)
    for line, match in text.matching(_COUNTED, "cudasuccess: 0>", "cuda_success: 0>"):
        yield say(names.CUDA_COUNT, int(match[1]), line)
    for line, match in text.matching(_GGML, "cuda devices"):
        yield say(names.CUDA_COUNT, int(match[1]), line)


#: Programs that asked torch and got a no: AUTOMATIC1111's, YOLO's, torch's own when it loads.
_REFUSED = regex(
    r"(?i)torch is not able to use gpu|CUDA unavailable, invalid device"
    r"|Invalid CUDA 'device=[^']*' requested|torch\.cuda\.is_available\(\) (?:is|returned) False"
    r"|can only be used on CUDA devices|CUDA is required but not available"
    r"|GPU is required to (?:quantize|run)|No GPU found\. A GPU is needed"
    r"|(?:'cuda'|enabled), but CUDA is not available|Torch reports CUDA not available"
    r"|No supported gpu backend found|CUDAAccelerator\W? can not run on your system"
    r"|No CUDA runtime is found, using CUDA_HOME|No platform detected, vLLM is running"
    r"|CUDA (?:is )?not available\W{1,2}(?:using|fall|switching|defaulting|running)"
    r"|supported with GPUs, no GPUs found|mixed precision requires a GPU \(not 'cpu'\)"
    r"|Neither CUDA nor MPS are available|cannot find any torch accelerator"
    r"|No accelerator \(CUDA, XPU, HPU\) is available"
    r"|No NVIDIA GPU found\? Unsloth"
    # RVC and what is made from it, in the order of its releases
    r"|没有发现支持的N卡|No supported N-card found|(?-i:No supported Nvidia GPU found)"
    r"|TORCH (?:CUDA|GPU)(?: nor MPS)? version not installed/working"
    r"|the unoptimized RealESRGAN is (?:very )?slow on CPU\b"
    r"|Unknown compute capability\. Ensure PyTorch with CUDA support is installed"  # tiny-cuda-nn
)
_REFUSED_CUES = cues(
    "torch is not able to use gpu|cuda unavailable|invalid cuda 'device"
    "|torch.cuda.is_available() is false|is_available() returned false"
    "|only be used on cuda devices|not available|gpu is required to|no gpu found."
    "|no supported gpu backend|cudaaccelerator|no cuda runtime is found|no platform detected"
    "|no gpus found!|precision requires a gpu|cuda nor mps|any torch accelerator"
    "|no nvidia gpu found?|没有发现支持的n卡|no supported n-card|no supported nvidia gpu"
    "|version not installed/working|no accelerator (cuda"
    "|unoptimized realesrgan|unknown compute capability. ensure"
)


def _refused(text: Text) -> Statements:
    for line, _ in text.matching(_REFUSED, *_REFUSED_CUES):
        yield say(said.FRAMEWORK_SEES_GPU("torch"), False, line)


_LIGHTNING = regex(r"\A\s*- available:\s{1,12}(True|False)\s*\Z")
#: So many lines of its report hold the names of the GPUs, which come before.
_LIGHTNING_LINES = 18


def _lightning(text: Text) -> Statements:
    """Its report has a part "* CUDA:"."""
    for start in text.having("* cuda:"):
        for line in text.after(start, _LIGHTNING_LINES):
            if match := _LIGHTNING.match(line.text):
                yield say(said.FRAMEWORK_SEES_GPU("torch"), match[1] == "True", line)
                break


#: The memory that torch has of its GPU; without one it is the machine's.
_COMFY_MEMORY = regex(r"(?a)\bTotal VRAM (\d{4,7}) MB, total RAM (?!\1\b)\d{4,8} MB\s*\Z")
_COMFY_TORCH = regex(r"(?i)\bpytorch version: \d[\w.]{2,30}\+cu\d")


def _comfy(text: Text) -> Statements:
    for line, _ in text.matching(_COMFY, "device: cuda:", "name:** cuda:", "name: cuda:"):
        yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)
    for line, _ in text.matching(_COMFY_MEMORY, "total vram "):
        if any(_COMFY_TORCH.search(each.text) for each in text.after(line, 2)):
            yield say(said.FRAMEWORK_SEES_GPU("torch"), True, line)


#: Their names alone, as people print them, and as Keras' multi_gpu_model tells them.
_NAMES = regex(
    r"(?i)(?:\A\s{0,8}(?:Out ?\[\d*\]: ?)?|(?P<keras>this machine only has: ))"
    r"\[(?P<names>u?'/(?:device:)?(?:CPU|GPU|XLA_[CG]PU):\d+'(?:, u?'/[\w:]{4,24}')*)\]"
)
_PLACED_ON_NAMED = regex(r"(?i)'/(?:device:)?GPU:\d")


def _local_devices(text: Text) -> Statements:
    """``device_lib.list_local_devices()``; XLA_GPU is none that operations are placed on."""
    kinds = [(match[1], line) for line, match in text.matching(_TYPE, "device_type: ")]
    gpus = [line for kind, line in kinds if kind == "GPU"]
    if gpus:
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, gpus[0])
    elif any(kind == "CPU" for kind, _ in kinds):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, kinds[-1][1])
    asked = "list_local_devices" in text
    for line, match in text.matching(_NAMES, "/cpu:0'", ":cpu:0'", "/gpu:0'", ":gpu:0'"):
        if asked or match["keras"]:
            sees = _PLACED_ON_NAMED.search(match["names"]) is not None
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), sees, line)


def _tensorflow(text: Text) -> Statements:
    for line, match in text.matching(_NUMBER, "num gpus", "number of gpus", "num physical gpus"):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), int(match[1]) > 0, line)
        yield say(said.FRAMEWORK_COUNT("tensorflow"), int(match[1]), line)
    for line in text.having("physical_device:"):
        listed = _whole_list(text, line)
        if found := _TF.findall(listed):
            if "device:CPU:" in listed and not _PLACED_ON.search(listed):
                yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, line)
                continue
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
            if not _OF_R.match(line.text):
                yield say(said.FRAMEWORK_COUNT("tensorflow"), len(set(found)), line)
    yield from _no_device_to_place_on(text)
    for line, _ in text.matching(_TF_NONE, "list_physical_devices"):
        if not _TF_HEDGED.search(line.text):
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, line)
    yield from _none_in_r(text)
    yield from _visible_to_tensorflow(text)
    yield from _without_word_of_cuda(text)
    for line in text.having("[physicaldevice(name='/physical_device:cpu:0'"):
        if _CPU_ONLY.search(line.text) and "physical_devices('cpu" not in text:
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, line)


def _visible_to_tensorflow(text: Text) -> Statements:
    """Its own list of a session's devices; where TPUs are in it, no GPU is asked for."""
    for line, counted in text.matching(_DEEPMD, "count of visible gpu"):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), int(counted[1]) > 0, line)
    for line, listed in text.matching(_TF_VISIBLE, "visible to tensorflow"):
        if "TPU" not in listed[1]:
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), "device:GPU" in listed[1], line)


def _without_word_of_cuda(text: Text) -> Statements:
    """A session that lists no device, right below what TensorFlow says of the processor.

    Or that counts the threads that MKL leaves to it, as what was compiled with MKL does. In between
    a build for GPUs tells what became of CUDA.
    """
    if any(cue in text for cue in _WORDS_OF_CUDA):
        return
    for line in text.having("device mapping: no known devices", "default inter op setting"):
        if any("cpu_feature_guard" in each.text for each in text.before(line, 1)):
            if "process_util" in line.text:
                yield say(said.SIGN("tf-with-mkl"), excerpt(line.text), line)
            else:
                yield say(said.SIGN("tf-without-word-of-cuda"), excerpt(line.text), line)
            return


def _none_in_r(text: Text) -> Statements:
    """Of the list of all devices, which was asked for without a kind, the CPU alone is left."""
    asked = any(True for _ in text.having("$list_physical_devices()"))
    if asked and "physical_device:gpu" not in text:
        for line in text.having("physicaldevice(name='/physical_device:cpu:0'"):
            if _OF_R.match(line.text):
                yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, line)


def _whole_list(text: Text, line: Line) -> str:
    """A list to its closing bracket, which Python prints over as many lines as it has entries."""
    parts = [line.text]
    for each in text.after(line, _ENTRIES) if line.text.rstrip().endswith(",") else ():
        parts.append(each.text)
        if "]" in each.text:
            break
    return " ".join(parts)


def _no_device_to_place_on(text: Text) -> Statements:
    """TensorFlow 1 lists what there is instead of a GPU; SLEAP, which asks it, says it in words."""
    for line, listed in text.matching(_TF_AVAILABLE, "available devices", "valid devices"):
        if not _PLACED_ON.search(listed[1]):
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, line)
    for line, listed in text.matching(_KERAS_AVAILABLE, "machine only has: ["):
        if not _PLACED_ON.search(listed[1]):
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, line)
    for line in text.having("gpus: none detected.", "no known devices"):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), False, line)


def _jax(text: Text) -> Statements:
    for line, match in text.matching(_JAX, "jax.devices", "jax.local_devices", "jax devices"):
        count = len(_JAX_GPU.findall(match[1]))
        if count or "cpu" in match[1].lower():
            yield say(said.FRAMEWORK_SEES_GPU("jax"), count > 0, line)
            yield say(said.FRAMEWORK_COUNT("jax"), count, line)
    none = ("warning: no gpu detected, will be using cpu",  # ColabFold asks JAX
            "dlpack tensor is on gpu, but no gpu backend was provided")  # fmt: skip
    for line in text.having(*none):
        yield say(said.FRAMEWORK_SEES_GPU("jax"), False, line)
    for line, match in text.matching(_JAX_INFO, "device info: "):
        gpu = match[1].lower() not in ("cpu", "tpu") and "tpu" not in match[1].lower()
        yield say(said.FRAMEWORK_SEES_GPU("jax"), gpu, line)
        yield say(said.FRAMEWORK_COUNT("jax"), int(match[3]) if gpu else 0, line)


def _whisper(text: Text) -> Statements:
    """Whisper has asked torch: of a GPU that is there and not used it warns before that."""
    if "performing inference on cpu when cuda" not in text:
        for line in text.having("fp16 is not supported on cpu; using fp32"):
            yield say(said.FRAMEWORK_SEES_GPU("torch"), False, line)
