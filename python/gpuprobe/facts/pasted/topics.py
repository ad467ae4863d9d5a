"""What a text is about, by the names that it uses: frameworks, engines, containers, systems.

Nothing of a machine follows from it. It only tells which question to ask where nothing else does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .. import said
from .statement import Statements, say

if TYPE_CHECKING:
    from .text import Text


class Topic(NamedTuple):
    """A line is about `id` where it holds a cue and the pattern."""

    id: str
    cues: tuple[str, ...]
    pattern: str


#: Programs that bring torch along, so that its view of the GPU is theirs.
_OF_TORCH = ("vllm", "comfyui", "ultralytics", "detectron2", "fastai", "diffusers")

TOPICS = (
    # frameworks
    Topic("torch", ("torch", *_OF_TORCH), rf"torch|\b(?:{'|'.join(_OF_TORCH)})\b"),
    Topic("tensorflow", ("tensorflow", "keras", "tf."), r"\b(?:tensorflow|keras|tf\.\w+\.)"),
    Topic("jax", ("jax",), r"\bjax(?:lib)?\b"),
    Topic("onnxruntime", ("onnxruntime", "onnx runtime"), r"\bonnx ?runtime"),
    Topic("cupy", ("cupy",), r"\bcupy"),
    Topic("numba", ("numba",), r"\bnumba\b"),
    Topic(
        "ctranslate2",
        ("ctranslate2", "whispermodel(", "faster_whisper", "faster-whisper"),
        r"\bctranslate2\b|\bWhisperModel\(|\bfaster[_-]whisper\b",
    ),
    Topic("paddle", ("paddle",), r"\bpaddle(?:paddle|ocr)?\b"),
    Topic("cuda", ("cuda",), r"\bcuda\b(?![\s:=]{0,3}\d)"),
    # engines
    Topic("ollama", ("ollama",), r"\bollama\b"),
    Topic("llama-cpp", ("llama", "gguf"), r"\bllama[._-]cpp|\bllama-(?:cli|server)\b|\.gguf\b"),
    # what is around the program
    Topic("docker", ("docker", "compose"), r"\bdocker|\bcompose\.ya?ml\b"),
    Topic("podman", ("podman",), r"\bpodman\b"),
    Topic("apptainer", ("apptainer", "singularity"), r"\b(?:apptainer|singularity)\b"),
    Topic("kubernetes", ("kube", "k8s", "k3s"), r"\bkube(?:rnetes|ctl)|\bmicrok8s\b|\bk[83]s\b"),
    Topic("windows", ("win", ":\\", ".dll"), r"\bwin(?:dows|10|11)\b|\b[a-z]:\\|\w\.dll\b"),
    Topic("wsl", ("wsl",), r"\bwsl[12]?\b"),
    Topic(
        "linux",
        ("linux", "ubuntu", "debian", "fedora", "centos", "rhel", "sudo "),
        r"\blinux|\b(?:ubuntu|debian|fedora|centos|rhel)\b|\bsudo ",
    ),
    Topic("truenas", ("truenas",), r"\btruenas\b"),
    Topic("unraid", ("unraid",), r"\bunraid\b"),
    Topic("macos", ("mac", "apple"), r"\bmac ?os\b|\bmacbook\b|\bapple (?:silicon|m\d)\b"),
    # what is wrong
    Topic(
        "driver-fails",
        ("nvidia-smi", "driver"),
        r"nvidia-smi\b.{0,40}(?:\bfail|\berror|n't work|\bnot (?:work|found)|\bhangs?\b)"
        r"|\bdrivers?\b.{0,24}\b(?:fails?|failed|(?:does not|doesn't|won't) (?:load|work|start))\b",
    ),
    Topic(
        "slow",
        ("slow", "usage", "utili", "only cpu", "the cpu", "使用率", "利用率", "慢"),
        r"\b(?:very|too|so|extremely|really|much) slow(?:er|ly)?\b"
        r"|\b(?:is|are|was|were|runs?|got|gets?|became|becomes?) (?:(?!not )\w+ )?slow(?:er|ly)?\b"
        r"|(?:很|太|变|更|好|非常|特别|越来越)慢|慢了"
        r"|\bGPU[- ](?:usage|utili[sz]ation)|\bno GPU (?:usage|utili[sz]ation)"
        r"|\bonly (?:uses? |using )?(?:the )?cpu\b|\bonly cpu usage|GPU ?[使利]用率",
    ),
    Topic(
        "compiling",
        ("nvcc", "setup.py", "build_ext", "cpp_extension", "building wheel", "cuda_home"),
        r"(?<![\w-])nvcc\b|\bsetup\.py\b|build_ext\b|cpp_extension\b|building wheels? for"
        r"|\bcuda_home\b",
    ),
    # the packages of the same names stand in every list of torch's and TensorFlow's
    Topic("nccl", ("nccl",), r"(?<!nvidia-)\bnccl\b"),
    Topic(
        "restarts",
        ("restart", "reboot", "shut"),
        r"\b(?:machine|computer|pc|server|system) .{0,24}(?:restarts|reboots|shuts? ?down)\b"
        r"|\bsystem shutdown\b",
    ),
    # with which people speak of work that is not as it should be
    Topic(
        "work-doubted",
        (
            *("hang", "hung", "freez", "froz", "stuck", "stands still", "shuts ", "black screen"),
            *("dies", "died", "killed", "cpu", "idle", "slow", "throttl", "limit", "why", "wrong"),
            *("mine", "twice", "few", "sits", "grow", "ecc", "battery", "plug", "hot", "lost"),
        ),
        r"\b(?:hang(?:s|ing)?|hung|freez(?:es|ing)|fro(?:ze|zen)|stuck|stands still|dies|died"
        r"|shuts? (?:down|off)|black screen|killed|cpu|idle|slow\w*|throttl\w*|limit(?:s|ed)?|why"
        r"|wrong\w*|mine|twice|few|sits|grow(?:s|ing)?|ecc|battery|(?:un)?plug(?:ged)?|hot|lost)\b",
    ),
    # of work that does not go on, whatever was seen of it before
    Topic(
        "work-ends",
        (
            *("hang", "hung", "freez", "froz", "stuck", "stands still", "black", "killed", "dies"),
            *("died", "shut", "deadlock"),
        ),
        r"\b(?:hang(?:s|ing)?|hung|freez(?:es|ing)|fro(?:ze|zen)|stuck|stands still|dies|died"
        r"|shuts? (?:down|off)|black screen|(?:goes|went|turns|turned) black|killed|deadlock\w*)\b",
    ),
    # code that takes the GPU, in a traceback or pasted
    Topic(
        "calls-cuda",
        ("torch.cuda.", ".cuda()", "'cuda", '"cuda'),
        r"\A\s{4,}(?:\w[\w., ]* = )?(?:torch\.cuda\.(?:set_device|current_device|synchronize|init"
        r"|get_device_(?:name|properties|capability))\(|[\w.]+\.(?:cuda\(\)|to\(['\"]cuda))",
    ),
    # answers that no other reader knows: what printed them need not be asked for again
    Topic("nodes-described", ("allocatable:",), r"\A\s*Allocatable:"),
    Topic("displays-listed", ("pnp utility", "graphics/displays:"), r"PnP Utility|Displays:\s*\Z"),
)


def read(text: Text) -> Statements:
    """How many lines name each topic; the first of them is the source."""
    for topic in TOPICS:
        if any(cue in text for cue in topic.cues):  # most texts are about few of them
            pattern = re.compile(topic.pattern, re.IGNORECASE)
            lines = [line for line, _ in text.matching(pattern, *topic.cues)]
            if lines:
                yield say(said.ABOUT(topic.id), len(lines), lines[0])
