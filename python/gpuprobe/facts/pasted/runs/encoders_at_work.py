"""Videos that were encoded on the GPU: ffmpeg and OBS name the encoder, and then count frames."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ... import said
from ...regex import regex
from ..statement import Statements, say

if TYPE_CHECKING:
    import re

    from ..text import Line, Text

#: What each stream of a run becomes: "(h264 (native) -> hevc (hevc_nvenc))", or another encoder.
_MAPPED = regex(
    r"\A\s*Stream #\d[^\n]{0,40} -> #\d[^\n]{0,40}\(.{1,60} -> \w{2,20} \((\w{2,30})\)\)"
)
_OPENED = regex(r"\[\w{2,10}_nvenc @ 0x[\da-f]{4,16}\] Nvenc initialized successfully")
#: What the encoder itself could not do: "Cannot load libcuda.so.1".
_REFUSED = regex(r"(?i)_nvenc @ 0x[\da-f]{4,16}\] .*\b(?:cannot|no|not|failed|unsupported|error)\b")
_FRAMES = regex(r"(?a)\bframe= {0,8}[1-9]\d{0,9} fps= {0,4}[\d.]{1,8} q=")
#: OBS, which shows an encoder's settings once it has been made.
_SETTINGS = regex(r"\[(?:jim-nvenc|obs-nvenc|NVENC encoder): '[^'\n]{1,80}'\] settings:")
_OUTPUT = regex(
    r"(?a)\bOutput '[^'\n]{1,80}': (?:Total frames output: [1-9]|Number of lagged frames due to"
    r" rendering lag/stalls: \d)"
)
_OF_VIDEO = "nvenc", "libx26", "_qsv", "_amf", "_vaapi", "libsvt", "libvpx", "libaom"


def read(text: Text) -> Statements:
    """Each program once; frames count for the encoder that is named last above them."""
    named = {line.number: "nvenc" in match[1] for line, match in _streams(text)}
    named |= {line.number: True for line, _ in text.matching(_OPENED, "nvenc initialized")}
    named |= {line.number: False for line, _ in text.matching(_REFUSED, "_nvenc @ ")}
    numbers = sorted(named)
    for line, _ in text.matching(_FRAMES, "frame=") if named else ():
        above = bisect_left(numbers, line.number)
        if above and named[numbers[above - 1]]:
            yield say(said.FRAMEWORK_COMPUTED("ffmpeg"), True, line)
            break
    made = next(
        (line for line, _ in text.matching(_SETTINGS, "nvenc: '", "nvenc encoder: '")), None
    )
    for line, _ in (
        text.matching(_OUTPUT, "total frames output: ", "number of lagged frames ") if made else ()
    ):
        if made and line.number > made.number:
            yield say(said.FRAMEWORK_COMPUTED("obs"), True, line)
            break


def _streams(text: Text) -> list[tuple[Line, re.Match[str]]]:
    """The streams of videos and their encoders."""
    found = text.matching(_MAPPED, "stream #")
    return [each for each in found if any(cue in each[1][1] for cue in _OF_VIDEO)]
