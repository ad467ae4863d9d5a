"""Sentences in which programs say whether a GPU is seen: ``CUDA available: False`` and its kin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import said
from .statement import Statement, say
from .values import truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Text

_ANSWER = r"(?P<answer>True|False|Yes|No|true|false|yes|no|available|not available|unavailable)\b"
_TORCH = re.compile(
    rf"""(?ax)\A\W*(?:
        (?i:(?:is\s)?(?:py)?(?:torch[.\s]{{1,2}})?(?:cuda|gpu)\s?(?:is\s)?_?availab(?:le|ility)\??)
      | (?i:(?:py)?torch\s(?:has|sees|detects|can\suse)\s(?:cuda|gpu))
      | (?i:(?:has|use)[_\s]cuda) | (?i:cuda\.is_available(?:\(\))?)
      | (?i:(?:PyTorch\s)?has\sactive\sGPU)
      )[\s*"'`|]*(?:[:=?]+|\s-\s|\sis)[\s*"'`|]*{_ANSWER}"""
)
#: Lightning: "GPU available: True (cuda), used: True".
_NUMBER = re.compile(
    r"(?ai)\A\W*num(?:ber)?(?: of)? (?:physical )?gpus?(?: available)?\W{0,3}\s*[:=]\s{0,4}"
    r"(\d{1,3})\b"
)
_TF = re.compile(r"(?ai)PhysicalDevice\(name='/physical_device:(?:XLA_)?GPU:(\d+)'")
_JAX = re.compile(r"(?ai)jax\.(?:local_)?devices(?:\(\)| \([^)]*\))?\s*[:=]\s*\[([^\]]*)\]")
_JAX_GPU = re.compile(r"(?i)(?:cuda|gpu)(?:device)?\(id=\d+")
_JAX_INFO = re.compile(r"(?a)device info: (.+?)-(\d+), (\d+) local devices")


def read(text: Text) -> Iterator[Statement]:
    """What the frameworks' own sentences say; numbers of GPUs are TensorFlow's."""
    for line in text.having("cuda", "gpu"):
        match = _TORCH.match(line.text)
        answer = truth(match["answer"]) if match else None
        if answer is not None:
            yield say(said.FRAMEWORK_SEES_GPU("torch"), answer, line)
    yield from _tensorflow(text)
    yield from _jax(text)


def _tensorflow(text: Text) -> Iterator[Statement]:
    for line, match in text.matching(_NUMBER, "num gpus", "number of gpus", "num physical gpus"):
        yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), int(match[1]) > 0, line)
        yield say(said.FRAMEWORK_COUNT("tensorflow"), int(match[1]), line)
    for line in text.having("physical_device:"):
        if found := _TF.findall(line.text):
            yield say(said.FRAMEWORK_SEES_GPU("tensorflow"), True, line)
            yield say(said.FRAMEWORK_COUNT("tensorflow"), len(set(found)), line)


def _jax(text: Text) -> Iterator[Statement]:
    for line, match in text.matching(_JAX, "jax.devices", "jax.local_devices"):
        count = len(_JAX_GPU.findall(match[1]))
        if count or "cpu" in match[1].lower():
            yield say(said.FRAMEWORK_SEES_GPU("jax"), count > 0, line)
            yield say(said.FRAMEWORK_COUNT("jax"), count, line)
    for line, match in text.matching(_JAX_INFO, "device info: "):
        gpu = match[1].lower() not in ("cpu", "tpu") and "tpu" not in match[1].lower()
        yield say(said.FRAMEWORK_SEES_GPU("jax"), gpu, line)
        yield say(said.FRAMEWORK_COUNT("jax"), int(match[3]) if gpu else 0, line)
