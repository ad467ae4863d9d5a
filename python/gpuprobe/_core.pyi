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

@final
class CudaState(tuple[str, tuple[str | None, ...], int | None]):
    """CUDA as it is in this process."""

    __match_args__: Final = ("state", "uuids", "code")
    n_fields: Final = 3
    n_sequence_fields: Final = 3
    n_unnamed_fields: Final = 0

    @property
    def state(self) -> str: ...
    @property
    def uuids(self) -> tuple[str | None, ...]: ...
    @property
    def code(self) -> int | None: ...

def probe(argv: Sequence[str], *, trace: bool = False) -> str: ...
def kernel_images() -> tuple[KernelImage, ...]: ...
def cuda_state() -> CudaState: ...
def getenv(name: str, /) -> str | None: ...
