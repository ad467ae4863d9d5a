"""How cuDNN's descriptors behave where there is no device: of the fake, and of a real cuDNN 9.

Each statement runs in a process of its own: `python -m support.cudnn_contract PATH NAME`. Every one
was seen of a real cuDNN 9.28 without a driver; what kills a real one is left out, as a tensor of an
unknown type, a plan without a configuration, or the results for a depthwise convolution.
"""

from __future__ import annotations

import sys
from ctypes import byref
from typing import TYPE_CHECKING

from .contract import same
from .cudnn_graphs import (
    ADDITION,
    ALIGNMENT,
    BAD_PARAM,
    CONFIG,
    CONVOLUTION,
    DATA_TYPE,
    ENGINE,
    EXTENTS,
    FALLBACK,
    FORWARD,
    GRAPH,
    HANDLE,
    HEUR_MODE,
    HEURISTIC,
    INT32,
    INT64,
    MODE_A,
    NOT_INITIALIZED,
    NOTE,
    NULL_POINTER,
    PACK,
    PART,
    POINTWISE,
    POINTWISE_MODE,
    STRIDES,
    TENSOR,
    UID,
    VOID_PTR,
    WRONG_TYPE,
    Cudnn,
    convolution_attributes,
    tensor_attributes,
)
from .vendor import Pointer

if TYPE_CHECKING:
    from collections.abc import Callable

#: Every statement, by name.
CONTRACT: dict[str, Callable[[Cudnn], None]] = {}


def statement(check: Callable[[Cudnn], None]) -> Callable[[Cudnn], None]:
    """Enters a function into the contract."""
    CONTRACT[check.__name__] = check
    return check


@statement
def the_version_is_a_nine(dnn: Cudnn) -> None:
    same("major", dnn("cudnnGetVersion") // 10000, 9)


@statement
def without_a_device_there_is_no_handle(dnn: Cudnn) -> None:
    same("create", dnn("cudnnCreate", byref(Pointer())), NOT_INITIALIZED)


@statement
def the_last_words_are_told_once(dnn: Cudnn) -> None:
    same("finalize", dnn.finalize(dnn.make(TENSOR)), BAD_PARAM)
    same("are there words", dnn.last_words() != "", True)
    same("again", dnn.last_words(), "")


@statement
def a_tensor_needs_extents_strides_and_alignment(dnn: Cudnn) -> None:
    whole = tensor_attributes(1, (1, 2, 3, 4))
    for missing in (EXTENTS, STRIDES, ALIGNMENT):
        some = [each for each in whole if each[0] != missing]
        same(f"without {missing}", dnn.built(TENSOR, *some)[0], BAD_PARAM)
    same("whole", dnn.built(TENSOR, *whole)[0], 0)


@statement
def a_tensor_is_aligned_to_whole_elements(dnn: Cudnn) -> None:
    some = tensor_attributes(1, (1, 2, 3, 4))[:-1]
    for bytes_, code in ((0, BAD_PARAM), (2, BAD_PARAM), (3, BAD_PARAM), (4, 0), (256, 0)):
        same(f"{bytes_}", dnn.built(TENSOR, *some, (ALIGNMENT, INT64, (bytes_,)))[0], code)


@statement
def strides_may_be_zero_and_not_negative(dnn: Cudnn) -> None:
    some = [each for each in tensor_attributes(1, (1, 2, 3, 4)) if each[0] != STRIDES]
    for strides, code in (((0, 0, 4, 1), 0), ((24, 12, -4, 1), BAD_PARAM), ((24, 12, 4), 2000)):
        same(f"{strides}", dnn.built(TENSOR, *some, (STRIDES, INT64, strides))[0], code)


@statement
def a_tensor_may_be_empty(dnn: Cudnn) -> None:
    same("no images", dnn.built(TENSOR, *tensor_attributes(1, (0, 2, 3, 4)))[0], 0)


@statement
def an_attribute_has_one_type_and_belongs_to_one_kind(dnn: Cudnn) -> None:
    tensor = dnn.make(TENSOR)
    same("id as int32", dnn.set(tensor, UID, INT32, 1), WRONG_TYPE)
    same("of a convolution", dnn.set(tensor, 100, DATA_TYPE, 0), BAD_PARAM)
    same("of nothing", dnn.set(tensor, 5000, INT64, 1), BAD_PARAM)


@statement
def what_is_final_can_be_read_and_not_changed(dnn: Cudnn) -> None:
    same("too early", dnn.get(dnn.make(TENSOR), EXTENTS, INT64, 8)[0], NOT_INITIALIZED)
    tensor = dnn.tensor(1, 1, 2, 3, 4)
    same("all", dnn.get(tensor, EXTENTS, INT64, 8), (0, [1, 2, 3, 4]))
    same("two of them", dnn.get(tensor, EXTENTS, INT64, 2), (0, [1, 2]))
    same("as int32", dnn.get(tensor, EXTENTS, INT32, 8)[0], WRONG_TYPE)
    same("changed", dnn.set(tensor, UID, INT64, 2), BAD_PARAM)


@statement
def padding_may_be_left_out_and_not_negative(dnn: Cudnn) -> None:
    whole = convolution_attributes((1, 0), (2, 3))
    same("whole", dnn.built(CONVOLUTION, *whole)[0], 0)
    some = [each for each in whole if each[0] not in (104, 105)]
    same("left out", dnn.built(CONVOLUTION, *some)[0], 0)
    same("negative", dnn.built(CONVOLUTION, *convolution_attributes((-1, 0), (0, 0)))[0], BAD_PARAM)


@statement
def an_operation_is_checked_for_shapes_and_missing_parts(dnn: Cudnn) -> None:
    same("right", dnn.forward()[0], 0)
    same("y is smaller", dnn.forward(y=(2, 8, 5, 6))[0], BAD_PARAM)
    same("channels of x that w does not divide", dnn.forward(channels=3)[0], BAD_PARAM)
    same("groups", dnn.forward(channels=1)[0], 0)
    same("no parts", dnn.finalize(dnn.make(FORWARD)), BAD_PARAM)


@statement
def parts_may_end_once_they_are_given(dnn: Cudnn) -> None:
    x, w, y = dnn.tensor(1, 2, 4, 6, 6), dnn.tensor(2, 8, 4, 3, 3), dnn.tensor(4, 2, 8, 6, 6)
    conv = dnn.convolution()
    parts = ((704, PART, (x,)), (703, PART, (w,)), (705, PART, (y,)), (702, PART, (conv,)))
    forward = dnn.ready(FORWARD, *parts)
    dnn.destroy(x, w, y, conv)
    graph = dnn.graph(forward)
    dnn.destroy(forward)
    same("engines are announced", dnn.announced(graph, MODE_A)[1] > 0, True)


@statement
def a_graph_needs_operations_and_a_handle_that_is_one(dnn: Cudnn) -> None:
    graph = dnn.make(GRAPH)
    same("handle", dnn.set(graph, 800, HANDLE, None), NULL_POINTER)
    same("empty", dnn.finalize(graph), BAD_PARAM)


@statement
def a_heuristic_needs_a_graph(dnn: Cudnn) -> None:
    same("none", dnn.built(HEURISTIC, (200, HEUR_MODE, (MODE_A,)))[0], BAD_PARAM)


@statement
def engines_are_announced_and_without_a_device_none_comes(dnn: Cudnn) -> None:
    graph = dnn.graph(dnn.forward()[1])
    heuristic, count = dnn.announced(graph, MODE_A)
    same("several", count > 1, True)
    configs = [dnn.make(CONFIG) for _ in range(count)]
    same("results", dnn.get(heuristic, 202, PART, count, *configs), (0, []))
    same("in the fallback, too", dnn.announced(graph, FALLBACK)[1] > 0, True)


@statement
def a_bias_can_be_added_in_the_graph_or_alone(dnn: Cudnn) -> None:
    plus = dnn.ready(POINTWISE, (0, POINTWISE_MODE, (0,)), (1, DATA_TYPE, (0,)))
    virtual = dnn.ready(TENSOR, *tensor_attributes(9, (2, 8, 6, 6)), (907, 2, (1,)))
    x, w = dnn.tensor(1, 2, 4, 6, 6), dnn.tensor(2, 8, 4, 3, 3)
    bias, y = dnn.tensor(3, 1, 8, 1, 1), dnn.tensor(4, 2, 8, 6, 6)
    forward = dnn.ready(
        FORWARD,
        *((704, PART, (x,)), (703, PART, (w,)), (705, PART, (virtual,))),
        (702, PART, (dnn.convolution(),)),
    )
    add = [(750, PART, (plus,)), (752, PART, (bias,)), (753, PART, (y,))]
    both = dnn.graph(forward, dnn.ready(ADDITION, *add, (751, PART, (virtual,))))
    same("both", dnn.announced(both, MODE_A)[1] > 0, True)
    alone = dnn.graph(dnn.ready(ADDITION, *add, (751, PART, (dnn.tensor(5, 2, 8, 6, 6),))))
    same("alone, usual", dnn.announced(alone, MODE_A)[1], 0)
    same("alone, fallback", dnn.announced(alone, FALLBACK)[1] > 0, True)


@statement
def an_engine_tells_its_notes(dnn: Cudnn) -> None:
    graph = dnn.graph(dnn.forward()[1])
    engine = dnn.ready(ENGINE, (1300, PART, (graph,)), (1301, INT64, (0,)))
    code, notes = dnn.get(engine, 1303, NOTE, 32)
    same("code", code, 0)
    same("all are known", [each for each in notes if not 0 <= each <= 9], [])
    same("number", dnn.get(engine, 1301, INT64, 1), (0, [0]))


@statement
def a_pack_has_as_many_pointers_as_ids(dnn: Cudnn) -> None:
    ids = (1000, INT64, (1, 2))
    same("as many", dnn.built(PACK, ids, (1001, VOID_PTR, (4096, 8192)))[0], 0)
    same("fewer", dnn.built(PACK, ids, (1001, VOID_PTR, (4096,)))[0], BAD_PARAM)
    pack = [(1001, VOID_PTR, (4096, 8192)), (1003, VOID_PTR, (4096,))]
    same("with a workspace", dnn.built(PACK, ids, *pack)[0], 0)


@statement
def what_is_not_there_is_refused(dnn: Cudnn) -> None:
    same("destroyed", dnn("cudnnBackendDestroyDescriptor", None), NULL_POINTER)
    unknown = dnn("cudnnBackendCreateDescriptor", 1234, byref(Pointer()))
    same("kind", unknown, 4003)


def main() -> None:
    """Checks one statement of one library."""
    path, name = sys.argv[1:]
    CONTRACT[name](Cudnn(path))


if __name__ == "__main__":
    main()
