"""The part of the contract that copies rest on: addresses, pinned memory, rows, two devices."""

from __future__ import annotations

import ctypes
from ctypes import byref, create_string_buffer

from .contract import in_context, same, statement
from .vendor import Pointer, Size

KIND, ORDINAL = 2, 9  # CU_POINTER_ATTRIBUTE_MEMORY_TYPE, _DEVICE_ORDINAL
HOST, DEVICE = 1, 2  # CUmemorytype


def one_end(name: str) -> tuple[tuple[str, type], ...]:
    """The members of CUDA_MEMCPY3D for where it is copied from, or to."""
    return (
        *((f"{name}_{part}", Size) for part in ("x", "y", "z", "lod")),
        (f"{name}_kind", ctypes.c_uint),
        *((f"{name}_{part}", Pointer) for part in ("host", "device", "array", "reserved")),
        *((f"{name}_{part}", Size) for part in ("pitch", "height")),
    )


class Copy3D(ctypes.Structure):
    """CUDA_MEMCPY3D."""

    _fields_ = (
        *(*one_end("from"), *one_end("to")),
        *((part, Size) for part in ("width", "height", "depth")),
    )


@statement
def the_device_of_an_address_is_told_without_a_context() -> None:
    driver, context = in_context()
    place, device, mine = Pointer(), ctypes.c_int(-1), create_string_buffer(16)
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(16)), 0)
    same("pop", driver("cuCtxPopCurrent_v2", byref(context)), 0)
    inside = Pointer((place.value or 0) + 15)
    same("inside", driver("cuPointerGetAttribute", byref(device), ORDINAL, inside), 0)
    same("device", device.value, 0)
    same("of the host", driver("cuPointerGetAttribute", byref(device), ORDINAL, mine), 1)
    same("push", driver("cuCtxPushCurrent_v2", context), 0)
    same("free", driver("cuMemFree_v2", place), 0)


@statement
def rows_are_copied_without_what_lies_between_them() -> None:
    """Of two planes that are four rows apart."""
    driver, _ = in_context()
    place, sent, got = Pointer(), bytes(range(128)), create_string_buffer(24)
    wanted = b"".join(sent[each : each + 4] for each in (0, 16, 32, 64, 80, 96))
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(256)), 0)
    same("in", driver("cuMemcpyHtoD_v2", place, sent, Size(128)), 0)
    rows = Copy3D(from_kind=DEVICE, from_device=place, from_pitch=16, from_height=4)
    rows.width, rows.height, rows.depth, rows.to_pitch, rows.to_height = 4, 3, 2, 4, 3
    rows.to_kind, rows.to_host = HOST, ctypes.addressof(got)
    same("out", driver("cuMemcpy3DAsync_v2", byref(rows), None), 0)
    same("wait", driver("cuStreamSynchronize", None), 0)
    same("bytes", got.raw, wanted)
    target = Pointer((place.value or 0) + 128)
    rows.to_kind, rows.to_device = DEVICE, target
    same("within", driver("cuMemcpy3DAsync_v2", byref(rows), None), 0)
    same("out", driver("cuMemcpyDtoH_v2", got, target, Size(24)), 0)
    same("bytes", got.raw, wanted)
    rows.from_height = 2
    same("overlapping planes", driver("cuMemcpy3DAsync_v2", byref(rows), None), 1)
    rows.from_height, rows.from_pitch = 4, 3
    same("overlapping rows", driver("cuMemcpy3DAsync_v2", byref(rows), None), 1)
    same("free", driver("cuMemFree_v2", place), 0)


@statement
def memory_is_copied_from_one_device_to_another() -> None:
    driver, near = in_context()
    if driver.number("cuDeviceGetCount") == 1:
        return
    far, left, places = Pointer(), Pointer(), (Pointer(), Pointer())
    got = create_string_buffer(8)
    same("retain", driver("cuDevicePrimaryCtxRetain", byref(far), 1), 0)
    same("alloc", driver("cuMemAlloc_v2", byref(places[0]), Size(8)), 0)
    same("push", driver("cuCtxPushCurrent_v2", far), 0)
    same("alloc", driver("cuMemAlloc_v2", byref(places[1]), Size(8)), 0)
    same("pop", driver("cuCtxPopCurrent_v2", byref(left)), 0)
    same("in", driver("cuMemcpyHtoD_v2", places[0], b"12345678", Size(8)), 0)
    ends = (places[1], far, places[0], near)
    same("copy", driver("cuMemcpyPeerAsync", *ends, Size(8), None), 0)
    same("wait", driver("cuStreamSynchronize", None), 0)
    same("push", driver("cuCtxPushCurrent_v2", far), 0)
    same("out", driver("cuMemcpyDtoH_v2", got, places[1], Size(8)), 0)
    same("bytes", got.raw, b"12345678")
    same("free", driver("cuMemFree_v2", places[1]), 0)


@statement
def pinned_memory_is_told_from_other_memory_of_the_host() -> None:
    driver, _ = in_context()
    host, kind, place = Pointer(), ctypes.c_uint(0), Pointer()
    same("pin", driver("cuMemHostAlloc", byref(host), Size(4096), 0), 0)
    last = Pointer((host.value or 0) + 4095)
    same("ask", driver("cuPointerGetAttribute", byref(kind), KIND, last), 0)
    same("kind", kind.value, HOST)
    pageable = create_string_buffer(1 << 20)
    code = driver("cuPointerGetAttribute", byref(kind), KIND, pageable)
    same("not pinned", code == 0 and kind.value == HOST, False)
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(16)), 0)
    same("ask", driver("cuPointerGetAttribute", byref(kind), KIND, place), 0)
    same("kind", kind.value, DEVICE)
    same("ends", [driver("cuMemFree_v2", place), driver("cuMemFreeHost", host)], [0, 0])


@statement
def pinned_memory_holds_what_came_when_its_event_has_passed() -> None:
    driver, _ = in_context()
    host, place, event = Pointer(), Pointer(), Pointer()
    same("pin", driver("cuMemHostAlloc", byref(host), Size(8), 0), 0)
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(8)), 0)
    same("event", driver("cuEventCreate", byref(event), 2), 0)
    same("never recorded", driver("cuEventSynchronize", event), 0)
    ctypes.memmove(host, b"12345678", 8)
    same("in", driver("cuMemcpyHtoDAsync_v2", place, host, Size(8), None), 0)
    same("record", driver("cuEventRecord", event, None), 0)
    same("wait", driver("cuEventSynchronize", event), 0)
    ctypes.memset(host, 0, 8)
    same("out", driver("cuMemcpyDtoHAsync_v2", host, place, Size(8), None), 0)
    same("record", driver("cuEventRecord", event, None), 0)
    same("wait", driver("cuEventSynchronize", event), 0)
    same("bytes", ctypes.string_at(host, 8), b"12345678")
    same("end", driver("cuEventDestroy_v2", event), 0)
    same("ends", [driver("cuMemFree_v2", place), driver("cuMemFreeHost", host)], [0, 0])
