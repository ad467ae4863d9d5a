"""Regular expressions that are compiled when they are first used.

The readers of text have some nine hundred, of which a text meets a part: to compile all of them at
the start took a fifth of the time of the command `gpuprobe explain` about one text.
"""

from __future__ import annotations

import re
from typing import cast


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, at the price of a string until somebody searches with it.

    Its matches know the compiled pattern as their `re`, not this.
    """
    return cast("re.Pattern[str]", _Uncompiled(pattern, flags))


class _Uncompiled:
    """Takes on the methods of the compiled pattern when it is asked for the first of them."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> object:
        compiled = re.compile(self.pattern, self._flags)
        public = (each for each in dir(compiled) if not each.startswith("_"))
        self.__dict__.update((each, getattr(compiled, each)) for each in public)
        return getattr(compiled, name)
