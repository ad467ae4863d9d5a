"""The part of the contract that copies rest on: whose memory an address is."""

from __future__ import annotations

import ctypes
from ctypes import byref, create_string_buffer

from .contract import in_context, same, statement
from .vendor import Pointer, Size

ORDINAL = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL


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
