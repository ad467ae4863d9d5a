"""NumPy and the C core, which may both be missing until somebody brings an array."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

from ..ourselves import REINSTALL

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Dtype: TypeAlias = np.dtype[np.generic[object]]
    Array: TypeAlias = np.ndarray[tuple[int, ...], Dtype]
    #: "bfloat16", numpy.float32, numpy.dtype("float32").
    DtypeLike: TypeAlias = str | Dtype | type[np.generic[object]]

#: The types that NumPy itself does not have.
_OF_ML_DTYPES = ("bfloat16", "float8_e4m3fn", "float8_e5m2")


@cache  # of the answer that all is there; an error is raised each time
def require(call: str) -> None:
    """Raise ImportError, with the way out, where NumPy or the C core is missing."""
    try:
        import numpy as np  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(f"gpuprobe.{call} needs NumPy: pip install numpy") from error
    try:
        from .. import _core
    except ImportError as error:
        raise ImportError(
            f"gpuprobe.{call} needs the C core of gpuprobe, which cannot be loaded: {error}. "
            f"Install a C compiler (gcc, clang, MSVC) and run: {REINSTALL}"
        ) from error
    if not hasattr(_core, "matmul_reference"):
        raise ImportError(
            f"gpuprobe.{call} is missing: the C core was built where the headers of NumPy 2.0 or "
            f"later were not found. Run: {REINSTALL}"
        )


def dtype_name(call: str, dtype: DtypeLike) -> str:
    """The name of a type that is asked for of the result.

    Raises:
        ImportError: As `require`.
        TypeError: It is no type.
    """
    require(call)
    try:
        name: str = dtype_of(dtype).name
    except TypeError as error:
        raise TypeError(f"{call}: out_dtype={dtype!r} is no type: {error}") from None
    return name


def check_array(value: object, name: str) -> Array:
    """The array. TypeError for what is no plain one; the core asks for its element type."""
    import numpy as np

    if not isinstance(value, np.ndarray):
        hint = "; use its numpy()" if hasattr(value, "numpy") else ""
        raise TypeError(f"{name}: expected a numpy.ndarray, got {type(value)!r}{hint}")
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name}: a mask would be lost; pass {name}.filled(value)")
    return value


def check_form(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    """BufferError where what another library tells is no shape, or leads beyond all memory."""
    if min(shape, default=0) < 0:
        raise BufferError(f"its shape {shape} has fewer elements than none")
    if max(map(abs, (*shape, *strides)), default=0) > sys.maxsize:
        raise BufferError(f"its shape {shape} with strides of {strides} bytes is beyond all memory")


def dtype_of(dtype: DtypeLike) -> Dtype:
    """The type of this name, also of those that ml_dtypes brings."""
    import numpy as np

    if isinstance(dtype, str) and dtype in _OF_ML_DTYPES:
        try:
            import ml_dtypes
        except ImportError as error:
            raise ImportError(f"{dtype} comes with ml_dtypes: pip install ml_dtypes") from error
        brought: Dtype = np.dtype(getattr(ml_dtypes, dtype))
        return brought
    return np.dtype(dtype)
