"""The binding to the C core. Private, and missing where the core could not be built."""

from collections.abc import Sequence
from typing import Final, final

version: Final[str]

class UsageError(ValueError):
    """The arguments name no step of the probe; the text says how to call it."""

@final
class KernelImage(tuple[str, str, int]):
    """A compiled form of the embedded kernels."""

    __match_args__: Final = ("kind", "capability", "size_bytes")
    n_fields: Final = 3
    n_sequence_fields: Final = 3
    n_unnamed_fields: Final = 0

    @property
    def kind(self) -> str: ...
    @property
    def capability(self) -> str: ...
    @property
    def size_bytes(self) -> int: ...

def probe(argv: Sequence[str], *, trace: bool = False) -> str: ...
def kernel_images() -> tuple[KernelImage, ...]: ...
