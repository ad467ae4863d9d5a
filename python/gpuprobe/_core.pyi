"""The binding to the C core. Private, and missing where the core could not be built."""

from collections.abc import Callable, Sequence
from typing import (
    Final,
    Literal,
    Protocol,
    TypeAlias,
    TypedDict,
    TypeVar,
    final,
    overload,
    type_check_only,
)

import numpy as np
from typing_extensions import Self

_Tensor = TypeVar("_Tensor", bound=DeviceTensor)
_Dtype: TypeAlias = np.dtype[np.generic[object]]
_Array: TypeAlias = np.ndarray[tuple[int, ...], _Dtype]
_Pair: TypeAlias = tuple[int, int]
#: Planes, rows in each, their width, pitch and height: csrc/device/gp_copy.h.
_Rows: TypeAlias = tuple[int, int, int, int, int]
#: Layout, padding, zeros before, zeros behind, stride, dilation, groups.
_Conv2dOptions: TypeAlias = tuple[int, int, _Pair, _Pair, _Pair, _Pair, int]

@type_check_only
class _Shaped(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...

version: Final[str]
#: Of the compiler of the embedded kernels, such as 13000; 0: built without kernels.
kernels_cuda: Final[int]

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
class CudaState(tuple[str, tuple[str | None, ...], int | None, int | None]):
    """CUDA as it is in this process."""

    __match_args__: Final = ("state", "uuids", "code", "driver_cuda")
    n_fields: Final = 4
    n_sequence_fields: Final = 4
    n_unnamed_fields: Final = 0

    @property
    def state(self) -> str: ...
    @property
    def uuids(self) -> tuple[str | None, ...]: ...
    @property
    def code(self) -> int | None: ...
    @property
    def driver_cuda(self) -> int | None: ...

class ArenaError(Exception):
    """What an arena could not do."""

    #: Kind, call, code, the code's name, the driver's words, what was lacking.
    args: tuple[str, str, int, str, str | None, ArenaShortage | None]

class ArenaFull(ArenaError):  # noqa: N818  (its args say it all)
    """It has no memory for what is asked of it."""

@type_check_only
class ArenaShortage(TypedDict):
    """All in bytes; `device`: free, total."""

    asked: int
    limit: int
    in_use: int
    reserved: int
    largest_free: int
    device: tuple[int, int] | None

@type_check_only
class ArenaStats(TypedDict):
    """csrc/device/gp_arena.h says what each of them means."""

    backing: str
    limit: int
    in_use: int
    in_use_peak: int
    reserved: int
    reserved_peak: int
    largest_free: int
    blocks: int
    allocations: int
    frees: int
    growths: int
    growth_bytes: int
    shrinks: int
    retries: int
    shortages: int

@final
class Block:
    """Device memory; goes back when the object goes."""

    @property
    def address(self) -> int: ...
    @property
    def size(self) -> int: ...
    def share(self, stream: int, /) -> None: ...

class DeviceTensor:
    """The form and the place of an array of a device."""

    def __new__(
        cls,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        dtype: str,
        device: int,
        stream: int,
        address: int,
        owner: object,
        is_read_only: bool = False,
    ) -> Self: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def device(self) -> int: ...
    @property
    def stream(self) -> int: ...
    @property
    def address(self) -> int: ...
    @property
    def owner(self) -> object: ...
    @property
    def is_read_only(self) -> bool: ...

@final
class Arena:
    """Memory of one device. Starts CUDA in this process."""

    def __new__(cls, device: int, fraction: float, limit: int, /) -> Arena: ...
    def alloc(self, size: int, stream: int, /) -> Block: ...
    def empty(
        self, kind: type[_Tensor], shape: tuple[int, ...], dtype: str, stream: int, /
    ) -> _Tensor: ...
    # Only where the build found NumPy's headers.
    def copy_in(self, address: int, array: _Array, stream: int, /) -> None: ...
    def copy_out(self, address: int, array: _Array, stream: int, /) -> None: ...
    def copy_rows_out(self, address: int, array: _Array, rows: _Rows, stream: int, /) -> None: ...
    def copy_within(
        self, to: int, to_stream: int, source: int, source_stream: int, rows: _Rows, /
    ) -> None: ...
    def copy_across(
        self, to: int, to_stream: int, arena: Arena, source: int, stream: int, size: int, /
    ) -> None: ...
    # Settings: dtype, compute; of conv2d also the options.
    @overload
    def matmul(
        self,
        backend: str,
        find_library: Callable[[str], str | None] | None,
        arrays: tuple[_Tensor, ...],
        out: object,
        is_timed: Literal[False],
        settings: tuple[object, ...],
        /,
    ) -> _Tensor: ...
    @overload
    def matmul(
        self,
        backend: str,
        find_library: Callable[[str], str | None] | None,
        arrays: tuple[_Tensor, ...],
        out: object,
        is_timed: Literal[True],
        settings: tuple[object, ...],
        /,
    ) -> tuple[_Tensor, tuple[float, float, str | None]]: ...
    @overload
    def conv2d(
        self,
        backend: str,
        find_library: Callable[[str], str | None] | None,
        arrays: tuple[_Tensor, ...],
        out: object,
        is_timed: Literal[False],
        settings: tuple[object, ...],
        /,
    ) -> _Tensor: ...
    @overload
    def conv2d(
        self,
        backend: str,
        find_library: Callable[[str], str | None] | None,
        arrays: tuple[_Tensor, ...],
        out: object,
        is_timed: Literal[True],
        settings: tuple[object, ...],
        /,
    ) -> tuple[_Tensor, tuple[float, float, str | None]]: ...
    def device_memory(self) -> tuple[int, int]: ...
    def trim(self, keep: int, /) -> int: ...
    def forget(self, stream: int, /) -> None: ...
    def follow(self, later: int, earlier: int, /) -> None: ...
    def synchronize(self) -> None: ...
    def reset_peak(self) -> None: ...
    def stats(self) -> ArenaStats: ...
    def close(self) -> None: ...
    def abandon(self) -> None: ...

@type_check_only
class ProductFindings(TypedDict):
    """What a proof found: csrc/ops/prove/gp_prove_matmul.h says what each of them means."""

    is_right: bool
    basis: Literal["exact", "bound", "none"]
    not_finite: Literal["", "a", "b", "c"]
    bad_place: _Pair
    fraction: float
    pattern: Literal["none", "element", "rows", "columns", "tile", "scattered", "everywhere"]
    rows: tuple[int, int, int]  # how many, the first, the last
    columns: tuple[int, int, int]
    is_zero: bool
    is_tf32: bool
    is_one_bit: bool
    has_swapped_rows: bool
    has_swapped_columns: bool
    elements: tuple[tuple[int, int, float, float, int, int], ...]

def probe(argv: Sequence[str], *, trace: bool = False) -> str: ...
def kernel_images() -> tuple[KernelImage, ...]: ...
def cuda_state() -> CudaState: ...
def getenv(name: str, /) -> str | None: ...
def is_sticky(code: int, /) -> bool: ...
def pointer_device(address: int, /) -> int: ...
def dlpack_lend(
    owner: object,
    address: int,
    place: _Pair,
    dtype: _Pair,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    versioned: bool,
    read_only: bool,
    copied: bool,
    /,
) -> object: ...
def dlpack_take(
    capsule: object, /
) -> tuple[
    object,
    int,
    _Pair,
    tuple[int, int, int],
    tuple[int, ...],
    tuple[int, ...] | None,
    bool,
]: ...

# Only where the build found NumPy's headers.
def matmul_reference(a: _Array, b: _Array, dtype: _Dtype, compute: str, /) -> _Array: ...
def conv2d_reference(
    x: _Array,
    w: _Array,
    bias: _Array | None,
    dtype: _Dtype,
    compute: str,
    options: _Conv2dOptions,
    /,
) -> _Array: ...
def matmul_shape(a: _Shaped, b: _Shaped, /) -> tuple[int, ...]: ...
def conv2d_shape(
    x: _Shaped, w: _Shaped, options: _Conv2dOptions, /
) -> tuple[tuple[int, int, int, int], _Pair, _Pair]: ...
def prove_product(
    a: _Array, b: _Array, c: _Array, axes: int, compute: str, seed: int, zero_steps: int = 0, /
) -> ProductFindings: ...
