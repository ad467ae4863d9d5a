"""cuDNN's graph interface by ctypes, without any code of gpuprobe. Numbers are cudnn_graph.h's."""

from __future__ import annotations

import ctypes
from ctypes import byref, create_string_buffer
from typing import TYPE_CHECKING

from .vendor import Library, Pointer

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTWISE, CONVOLUTION, ENGINE, CONFIG, HEURISTIC, PLAN = range(6)
FORWARD, ADDITION, GRAPH, PACK, TENSOR = 10, 13, 15, 16, 17

HANDLE, DATA_TYPE, BOOLEAN, INT64, VOID_PTR, MODE, HEUR_MODE = 0, 1, 2, 3, 6, 7, 8
NOTE, POINTWISE_MODE, PART, INT32 = 11, 14, 15, 23

UID, ALIGNMENT, DTYPE, EXTENTS, STRIDES, VIRTUAL = 906, 900, 901, 902, 903, 907
MODE_A, FALLBACK = 3, 2
NOT_INITIALIZED, BAD_PARAM, NULL_POINTER, WRONG_TYPE = 1001, 2000, 2002, 2010

_C_TYPES = {
    BOOLEAN: ctypes.c_bool,
    INT64: ctypes.c_int64,
    **dict.fromkeys((HANDLE, VOID_PTR, PART), ctypes.c_void_p),
}

Values = "Sequence[int | Pointer | None]"


class Cudnn:
    """The library, and descriptors in few words. What fails is for the caller to judge."""

    def __init__(self, path: str) -> None:
        self._library = Library(path)

    def __call__(self, name: str, *arguments: object) -> int:
        """Calls the function with this exact exported name."""
        return self._library(name, *arguments)

    def last_words(self) -> str:
        """What cudnnGetLastErrorString tells now."""
        text = create_string_buffer(256)
        self("cudnnGetLastErrorString", text, ctypes.c_size_t(len(text)))
        return text.value.decode()

    def make(self, kind: int) -> Pointer:
        """A new descriptor."""
        made = Pointer()
        code = self("cudnnBackendCreateDescriptor", kind, byref(made))
        assert code == 0, f"descriptor {kind}: {code} {self.last_words()}"
        return made

    def set(self, to: Pointer, attribute: int, kind: int, *values: int | Pointer | None) -> int:
        """The code of setting an attribute."""
        array = (_C_TYPES.get(kind, ctypes.c_int) * len(values))(*values)
        count = ctypes.c_int64(len(values))
        return self("cudnnBackendSetAttribute", to, attribute, kind, count, array)

    def get(
        self, of: Pointer, attribute: int, kind: int, capacity: int, *into: Pointer
    ) -> tuple[int, list[int]]:
        """The code, and the values; `into` are descriptors to be filled."""
        count = ctypes.c_int64(-1)
        array = (_C_TYPES.get(kind, ctypes.c_int) * max(capacity, 1))(*into)
        code = self(
            *("cudnnBackendGetAttribute", of, attribute, kind),
            *(ctypes.c_int64(capacity), byref(count), array if capacity else None),
        )
        if code != 0:
            return code, []
        return code, list(array)[: count.value] if capacity else [count.value]

    def finalize(self, descriptor: Pointer) -> int:
        """The code of finalizing."""
        return self("cudnnBackendFinalize", descriptor)

    def destroy(self, *descriptors: Pointer) -> None:
        """Ends descriptors, which must succeed."""
        for each in descriptors:
            assert self("cudnnBackendDestroyDescriptor", each) == 0

    def built(self, kind: int, *attributes: tuple[int, int, Values]) -> tuple[int, Pointer]:
        """A descriptor with its attributes, and the code of finalizing it."""
        made = self.make(kind)
        for attribute, of, values in attributes:
            code = self.set(made, attribute, of, *values)
            assert code == 0, f"attribute {attribute}: {code} {self.last_words()}"
        return self.finalize(made), made

    def ready(self, kind: int, *attributes: tuple[int, int, Values]) -> Pointer:
        """The same, which must succeed."""
        code, made = self.built(kind, *attributes)
        assert code == 0, f"descriptor {kind}: {code} {self.last_words()}"
        return made

    def tensor(self, uid: int, *extents: int) -> Pointer:
        """A compact tensor of float32."""
        return self.ready(TENSOR, *tensor_attributes(uid, extents))

    def convolution(self) -> Pointer:
        """Of float32, padded by one."""
        return self.ready(CONVOLUTION, *convolution_attributes((1, 1), (1, 1)))

    def forward(self, y: tuple[int, ...] = (2, 8, 6, 6), channels: int = 4) -> tuple[int, Pointer]:
        """From x of 2 x 4 x 6 x 6 and w of 8 x channels x 3 x 3; the code of finalizing."""
        x, w = self.tensor(1, 2, 4, 6, 6), self.tensor(2, 8, channels, 3, 3)
        return self.built(
            FORWARD,
            *((704, PART, (x,)), (703, PART, (w,)), (705, PART, (self.tensor(4, *y),))),
            (702, PART, (self.convolution(),)),
        )

    def graph(self, *operations: Pointer) -> Pointer:
        """A graph of finalized operations."""
        return self.ready(GRAPH, (801, PART, operations))

    def announced(self, graph: Pointer, mode: int) -> tuple[Pointer, int]:
        """A heuristic, and how many configurations it announces."""
        heuristic = self.ready(HEURISTIC, (201, PART, (graph,)), (200, HEUR_MODE, (mode,)))
        code, count = self.get(heuristic, 202, PART, 0)
        assert code == 0, f"results: {code} {self.last_words()}"
        return heuristic, count[0]


def compact(extents: Sequence[int]) -> tuple[int, ...]:
    """The strides of an array without gaps."""
    strides = [1]
    for extent in reversed(extents[1:]):
        strides.insert(0, strides[0] * extent)
    return tuple(strides)


def tensor_attributes(uid: int, extents: Sequence[int]) -> list[tuple[int, int, Values]]:
    """Those of a compact tensor of float32."""
    return [
        (DTYPE, DATA_TYPE, (0,)),
        (EXTENTS, INT64, tuple(extents)),
        (STRIDES, INT64, compact(extents)),
        (UID, INT64, (uid,)),
        (ALIGNMENT, INT64, (16,)),
    ]


def convolution_attributes(
    before: tuple[int, int], after: tuple[int, int]
) -> list[tuple[int, int, Values]]:
    """Those of a cross-correlation summed in float32, step by step."""
    return [
        (106, INT64, (2,)),
        (100, DATA_TYPE, (0,)),
        (101, MODE, (1,)),
        (105, INT64, before),
        (104, INT64, after),
        (102, INT64, (1, 1)),
        (103, INT64, (1, 1)),
    ]
