"""Code that loads a model of Hugging Face's or pyannote's, and moves it nowhere.

``from_pretrained`` puts a model, or a whole pipeline, into main memory, and so does Transformers'
``pipeline`` of older releases, until somebody names a device. Most who leave it there want it so:
who does not, complains of it or shows what the GPU does meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say
from .environment import is_code

if TYPE_CHECKING:
    from ..text import Text

_LOADED = regex(
    r"\A[^#\n]{0,80}?\b((?:\w{0,40}Pipeline|\w{1,40}Model|AutoModel\w{0,40}|\w{1,40}For[A-Z]\w{1,40})"
    r"\.from_pretrained|(?<![.\w])pipeline(?=\(['\"][a-z-]{4,40}['\"]))\("
)
_CUES = (".from_pretrained(", "pipeline('", 'pipeline("')
#: Code that names a device, or hands the model on to what may do so.
_MOVED = regex(
    r"(?i)\.to\(|\.cuda\(|\bdevice(?:_map|_id)?['\"]?\s?[=:]|\bset_default_(?:device|tensor_type)"
    r"|\.enable_\w*offload|\baccelerator\b|\bdispatch_model\b|\bTrainer\(|\bquantization_config\b"
    r"|\bload_in_\dbit\b|\btorch_device\b|\bn_gpu\b"
)
_MOVED_CUES = (".to(", ".cuda(", "device", "offload", "accelerator", "dispatch_model", "trainer(",
               "quantization_config", "load_in_", "set_default_", "n_gpu")  # fmt: skip
#: It takes far longer than it should, or uses what it should not.
_COMPLAINT = regex(
    r"(?i)\b(?:takes?|took|needs?|wall time:) (?:\d+ (?:hours?|h\b|minutes?)|\d+min)"
    r"|\b(?:too|very|so|really|extremely|also|is) slow\b"
    r"|\b(?:ran|runs?|running|is|stays?|works?) (?:only |just )?on (?:the |my )?cpu\b"
    r"|\bcpu (?:alone|only)\b|\b(?:only|uses?|using) (?:the )?cpu\b|\bset (?:in|to) cpu\b"
    r"|\bcpu +usage\b[^.\n]{0,24}(?<![\d.])(?:[89]\d|100) ?%"
    r"|\bnvidia-smi\b[^.\n]{0,30}\b(?:does not|doesn't) show any (?:usage|use|activity|process)"
    r"|\bgpu (?:is not|isn't|stays|is) (?:being )?(?:used|unused|idle)\b"
)
_COMPLAINS = ("slow", "cpu", "hour", "minute", "nvidia-smi", "gpu", "wall time")
#: Only where there is one can it be missed.
_GPU = regex(r"(?i)\b(?:gpus?|cuda|nvidia-smi|[GR]TX|Tesla|T4)\b")


def read(text: Text) -> Statements:
    """The call that loads it, where no code names a device and somebody complains."""
    loaded = [each for each in text.matching(_LOADED, *_CUES) if is_code(each[0])]
    if not loaded or text.shows(_MOVED, *_MOVED_CUES):
        return
    complained = any(
        _COMPLAINT.search(line.text.partition("#")[0]) for line in text.having(*_COMPLAINS)
    )
    if complained and text.shows(_GPU, "gpu", "cuda", "nvidia-smi", "gtx", "rtx", "tesla", "t4"):
        line, match = loaded[0]
        yield say(said.SIGN("model-not-moved"), match[1], line)
