"""How cuBLASLt behaves: said once, checked of the fake and of a real library where there is one.

Each statement runs in a process of its own: `python -m support.cublaslt_contract NAME LIBRARY`.
Those of WITHOUT_A_DEVICE need no GPU and no driver, so that the real library can be asked on any
machine. The numbers are cublasStatus_t and the enumerations of cublasLt.h.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref
from typing import TYPE_CHECKING

from .contract import in_context, same
from .vendor import Library, Pointer, Size

if TYPE_CHECKING:
    from collections.abc import Callable

    Statement = Callable[[Library], None]

#: Every statement, by name.
WITHOUT_A_DEVICE: dict[str, Statement] = {}
ON_A_DEVICE: dict[str, Statement] = {}

R_32F, R_16BF, R_8I, R_32I, E4M3, E5M2 = 0, 14, 3, 10, 28, 29
COMPUTE_32F, COMPUTE_32I = 68, 72
NOT_INITIALIZED, INVALID_VALUE, NOT_SUPPORTED = 1, 7, 15
TRANSA, TRANSB = 3, 4
WORKSPACE, REDUCTION, ALIGNMENTS = 1, 3, (5, 6, 7, 8)


def without_a_device(check: Statement) -> Statement:
    """Enters a function into the contract."""
    WITHOUT_A_DEVICE[check.__name__] = check
    return check


def on_a_device(check: Statement) -> Statement:
    """Likewise, for what needs a GPU and its driver."""
    ON_A_DEVICE[check.__name__] = check
    return check


# -- descriptors ------------------------------------------------------------------------------


def _operation(library: Library, compute: int = COMPUTE_32F, scale: int = R_32F) -> Pointer:
    made = Pointer()
    same("operation", library("cublasLtMatmulDescCreate", byref(made), compute, scale), 0)
    return made


def _layout(library: Library, type_: int, rows: int, columns: int, ld: int) -> Pointer:
    made = Pointer()
    shape = ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(ld)
    same("layout", library("cublasLtMatrixLayoutCreate", byref(made), type_, *shape), 0)
    return made


def _preference(library: Library) -> Pointer:
    made = Pointer()
    same("preference", library("cublasLtMatmulPreferenceCreate", byref(made)), 0)
    return made


def _told(library: Library, kind: str, descriptor: Pointer, attribute: int, size: int) -> int:
    value, written = ctypes.c_uint64(0), Size(0)
    call = f"cublasLt{kind}GetAttribute"
    arguments = (descriptor, attribute, byref(value), Size(size), byref(written))
    same(f"{kind} {attribute}", library(call, *arguments), 0)
    same(f"bytes of {kind} {attribute}", written.value, size)
    return value.value


@without_a_device
def it_tells_its_version_in_parts(library: Library) -> None:
    parts = [ctypes.c_int(-1) for _ in range(3)]
    codes = [library("cublasLtGetProperty", i, byref(part)) for i, part in enumerate(parts)]
    major, minor, patch = (part.value for part in parts)
    same("codes", codes, [0, 0, 0])
    same("whole", library("cublasLtGetVersion"), major * 10000 + minor * 100 + patch)


@without_a_device
def a_descriptor_keeps_what_it_is_told(library: Library) -> None:
    operation, layout = _operation(library, 77), _layout(library, R_16BF, 3, 4, 5)
    preference = _preference(library)
    transposed, count, step = ctypes.c_int32(1), ctypes.c_int32(6), ctypes.c_int64(1 << 40)
    workspace, aligned = ctypes.c_uint64(1 << 25), ctypes.c_uint32(16)
    for kind, descriptor, attribute, value in (
        ("MatmulDesc", operation, TRANSA, transposed),
        ("MatrixLayout", layout, 5, count),
        ("MatrixLayout", layout, 6, step),
        ("MatmulPreference", preference, WORKSPACE, workspace),
        ("MatmulPreference", preference, ALIGNMENTS[0], aligned),
    ):
        size = ctypes.sizeof(value)
        code = library(
            f"cublasLt{kind}SetAttribute", descriptor, attribute, byref(value), Size(size)
        )
        same(f"set {kind} {attribute}", code, 0)
        same("kept", _told(library, kind, descriptor, attribute, size), value.value)
    made = [_told(library, "MatmulDesc", operation, i, 4) for i in (0, 1)]
    same("operation", made, [77, R_32F])
    made = [_told(library, "MatrixLayout", layout, i, 8) for i in (2, 3, 4)]
    same("layout", made, [3, 4, 5])


@without_a_device
def what_is_not_told_is_usual(library: Library) -> None:
    operation, layout = _operation(library), _layout(library, R_32F, 2, 2, 2)
    preference = _preference(library)
    made = [_told(library, "MatmulDesc", operation, i, 4) for i in (2, TRANSA, TRANSB, 5, 7)]
    same("operation", made, [0, 0, 0, 0, 1])
    made = [_told(library, "MatrixLayout", layout, i, n) for i, n in ((0, 4), (1, 4), (5, 4))]
    same("layout", made, [R_32F, 0, 1])
    same("step", _told(library, "MatrixLayout", layout, 6, 8), 0)
    same("workspace", _told(library, "MatmulPreference", preference, WORKSPACE, 8), 0)
    same("reduction", _told(library, "MatmulPreference", preference, REDUCTION, 4), 7)
    made = [_told(library, "MatmulPreference", preference, i, 4) for i in ALIGNMENTS]
    same("alignments", made, [256] * 4)


@without_a_device
def an_attribute_has_one_size(library: Library) -> None:
    operation, value, written = _operation(library), ctypes.c_uint64(1), Size(0)
    set_ = "cublasLtMatmulDescSetAttribute"
    get = "cublasLtMatmulDescGetAttribute"
    bad = [
        library(set_, operation, TRANSA, byref(value), Size(2)),
        library(set_, operation, TRANSA, byref(value), Size(8)),
        library(set_, operation, TRANSA, None, Size(4)),
        library(set_, operation, 999, byref(value), Size(4)),
        library(set_, None, TRANSA, byref(value), Size(4)),
        library(get, operation, TRANSA, byref(value), Size(2), byref(written)),
    ]
    same("bad", bad, [INVALID_VALUE] * 6)
    same("asked", library(get, operation, TRANSA, None, Size(0), byref(written)), 0)
    same("size", written.value, 4)


@without_a_device
def nothing_is_judged_before_a_product_is_asked_for(library: Library) -> None:
    for rows, columns, ld in ((3, 4, 2), (0, 4, 1), (3, 4, -3), (1 << 40, 4, 1 << 40)):
        _layout(library, R_32F, rows, columns, ld)
    _layout(library, 1000, 3, 4, 3)
    _operation(library, 1234, 999)


@without_a_device
def what_is_not_there_can_be_destroyed_but_for_the_handle(library: Library) -> None:
    for kind in ("MatmulDesc", "MatrixLayout", "MatmulPreference"):
        same(kind, library(f"cublasLt{kind}Destroy", None), 0)
    same("handle", library("cublasLtDestroy", None), INVALID_VALUE)


@without_a_device
def a_place_to_write_is_needed(library: Library) -> None:
    shape = ctypes.c_uint64(3), ctypes.c_uint64(4), ctypes.c_int64(3)
    codes = [
        library("cublasLtMatmulDescCreate", None, COMPUTE_32F, R_32F),
        library("cublasLtMatrixLayoutCreate", None, R_32F, *shape),
        library("cublasLtMatmulPreferenceCreate", None),
    ]
    same("codes", codes, [INVALID_VALUE] * 3)


@without_a_device
def without_a_handle_nothing_is_chosen_or_computed(library: Library) -> None:
    operation, layout = _operation(library), _layout(library, R_32F, 2, 2, 2)
    code, _, _ = _chosen(library, None, operation, [layout] * 3, _preference(library))
    same("heuristic", code, NOT_INITIALIZED)
    nothing = [None, None, layout, None, layout, None, None, layout, None, layout, None, None]
    code = library("cublasLtMatmul", None, operation, *nothing, Size(0), None)
    same("matmul", code, NOT_INITIALIZED)


@without_a_device
def it_does_not_start_without_a_driver(library: Library) -> None:
    same("create", library("cublasLtCreate", byref(Pointer())), NOT_INITIALIZED)


# -- products ---------------------------------------------------------------------------------

Choice = ctypes.c_char * 96  # algorithm 64, workspace 8, state 4, waves 4, reserved 16


def _chosen(
    library: Library,
    handle: Pointer | None,
    operation: Pointer,
    layouts: list[Pointer],
    preference: Pointer,
) -> tuple[int, int, ctypes.Array[ctypes.c_char]]:
    """The code, how many algorithms there are, and the first of them."""
    choice, got = Choice(), ctypes.c_int(-1)
    a, b, d = layouts
    name = "cublasLtMatmulAlgoGetHeuristic"
    code = library(name, handle, operation, a, b, d, d, preference, 1, choice, byref(got))
    return code, got.value, choice


def _begun(library: Library) -> tuple[Library, Pointer]:
    """The driver with a context, and a handle."""
    driver, _ = in_context()
    handle = Pointer()
    same("create", library("cublasLtCreate", byref(handle)), 0)
    return driver, handle


def _set(
    library: Library,
    kind: str,
    descriptor: Pointer,
    attribute: int,
    value: ctypes.c_int32 | ctypes.c_uint64,
) -> None:
    size = Size(ctypes.sizeof(value))
    code = library(f"cublasLt{kind}SetAttribute", descriptor, attribute, byref(value), size)
    same(f"set {kind} {attribute}", code, 0)


def _upload(driver: Library, numbers: list[float]) -> Pointer:
    place, sent = Pointer(), (ctypes.c_float * len(numbers))(*numbers)
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(ctypes.sizeof(sent))), 0)
    same("in", driver("cuMemcpyHtoD_v2", place, sent, Size(ctypes.sizeof(sent))), 0)
    return place


class Small:
    """The product of 1 3 5 / 2 4 6 and 1 0 / 0 1 / 2 3, on a device, ready to be computed."""

    def __init__(self, library: Library, *, workspace: int = 0, scale: float = 1.0) -> None:
        self.library = library
        self.driver, self.handle = _begun(library)
        self.operation, preference = _operation(library), _preference(library)
        shapes = (2, 3, 2), (3, 2, 4), (2, 2, 2)
        self.layouts = [_layout(library, R_32F, *shape) for shape in shapes]
        _set(library, "MatmulPreference", preference, WORKSPACE, ctypes.c_uint64(workspace))
        code, got, self.choice = _chosen(
            library, self.handle, self.operation, self.layouts, preference
        )
        same("heuristic", (code, got), (0, 1))
        self.a = _upload(self.driver, [scale * each for each in (1, 2, 3, 4, 5, 6)])
        self.b = _upload(self.driver, [1, 0, 2, 99, 0, 1, 3, 99])
        self.d = _upload(self.driver, [0] * 4)

    @property
    def workspace_size(self) -> int:
        """Bytes that the algorithm asks for."""
        return int.from_bytes(self.choice.raw[64:72], "little")

    def run(
        self,
        *,
        a: Pointer | None = None,
        workspace: Pointer | None = None,
        size: int = 0,
        stream: Pointer | None = None,
    ) -> int:
        """The code of cublasLtMatmul."""
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        la, lb, ld = self.layouts
        return self.library(
            *("cublasLtMatmul", self.handle, self.operation, byref(one), a or self.a, la),
            *(self.b, lb, byref(zero), self.d, ld, self.d, ld, self.choice),
            *(workspace, Size(size), stream),
        )

    def numbers(self) -> list[float]:
        """The result, by columns."""
        out = (ctypes.c_float * 4)()
        same("out", self.driver("cuMemcpyDtoH_v2", out, self.d, Size(16)), 0)
        return list(out)


@on_a_device
def a_product_is_that_of_columns(library: Library) -> None:
    small = Small(library)
    same("matmul", small.run(), 0)
    same("numbers", small.numbers(), [11.0, 14.0, 18.0, 22.0])
    same("destroy", library("cublasLtDestroy", small.handle), 0)


@on_a_device
def an_algorithm_does_with_the_workspace_that_it_was_allowed(library: Library) -> None:
    small = Small(library, workspace=1 << 22)
    size = small.workspace_size
    place = _upload(small.driver, [0] * (size // 4 + 1))
    same("within", size <= 1 << 22, True)
    same("matmul", small.run(workspace=place, size=size), 0)
    same("numbers", small.numbers(), [11.0, 14.0, 18.0, 22.0])


@on_a_device
def no_workspace_is_taken_that_was_not_offered(library: Library) -> None:
    _, handle = _begun(library)
    layouts = [_layout(library, R_32F, 64, 64, 64)] * 3
    code, got, choice = _chosen(library, handle, _operation(library), layouts, _preference(library))
    same("heuristic", (code, got), (0, 1))
    same("workspace", int.from_bytes(choice.raw[64:72], "little"), 0)


@on_a_device
def shapes_that_do_not_fit_are_refused(library: Library) -> None:
    _, handle = _begun(library)
    layouts = [_layout(library, R_32F, *shape) for shape in ((2, 3, 2), (4, 2, 4), (2, 2, 2))]
    code, _, _ = _chosen(library, handle, _operation(library), layouts, _preference(library))
    same("heuristic", code, INVALID_VALUE)


@on_a_device
def int8_is_taken_with_k_fastest_in_both_inputs_alone(library: Library) -> None:
    _, handle = _begun(library)
    layouts = [_layout(library, each, 16, 16, 16) for each in (R_8I, R_8I, R_32I)]
    plain = _operation(library, COMPUTE_32I, R_32I)
    by_inner = _operation(library, COMPUTE_32I, R_32I)
    _set(library, "MatmulDesc", by_inner, TRANSA, ctypes.c_int32(1))
    preference = _preference(library)
    code, _, _ = _chosen(library, handle, plain, layouts, preference)
    same("as stored", code, NOT_SUPPORTED)
    code, got, _ = _chosen(library, handle, by_inner, layouts, preference)
    same("by k", (code, got), (0, 1))


@on_a_device
def two_of_float8_e5m2_are_not_multiplied(library: Library) -> None:
    _, handle = _begun(library)
    operation = _operation(library)
    _set(library, "MatmulDesc", operation, TRANSA, ctypes.c_int32(1))
    layouts = [_layout(library, each, 16, 16, 16) for each in (E5M2, E5M2, R_32F)]
    code, _, _ = _chosen(library, handle, operation, layouts, _preference(library))
    same("heuristic", code, NOT_SUPPORTED)


def chosen_of(library: Library, compute: int, inputs: int, result: int) -> int:
    """What the heuristic says of a product of these types."""
    _, handle = _begun(library)
    layouts = [_layout(library, each, 16, 16, 16) for each in (inputs, inputs, result)]
    operation = _operation(library, compute)
    return _chosen(library, handle, operation, layouts, _preference(library))[0]


if __name__ == "__main__":
    (WITHOUT_A_DEVICE | ON_A_DEVICE)[sys.argv[1]](Library(sys.argv[2]))
