"""Another library that lends and borrows by DLPack: ctypes with the structures of dlpack.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import device_arrays

if TYPE_CHECKING:
    from pathlib import Path

    from .fakes import Fakes
    from .scenario import Scenario

OTHER = """
import ctypes, gc
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint32
from ctypes import c_uint64, c_void_p, py_object
from gpuprobe import from_dlpack

class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("device", c_int32 * 2), ("ndim", c_int32), ("code", c_uint8),
                ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]
Deleter = ctypes.CFUNCTYPE(None, c_void_p)
class Legacy(Structure):
    _fields_ = [("tensor", Tensor), ("context", c_void_p), ("deleter", Deleter)]
class Versioned(Structure):
    _fields_ = [("version", c_uint32 * 2), ("context", c_void_p), ("deleter", Deleter),
                ("flags", c_uint64), ("tensor", Tensor)]
def api(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))
name_of = api("PyCapsule_GetName", c_char_p, py_object)
rename = api("PyCapsule_SetName", ctypes.c_int, py_object, c_char_p)
pointer_of = api("PyCapsule_GetPointer", c_void_p, py_object, c_char_p)
new_capsule = api("PyCapsule_New", py_object, c_void_p, c_char_p, c_void_p)
def content(capsule):
    kind = Versioned if name_of(capsule) == b"dltensor_versioned" else Legacy
    return kind.from_address(pointer_of(capsule, name_of(capsule)))
def told(tensor):
    extents = [list(each[:tensor.ndim]) for each in (tensor.shape, tensor.strides)]
    return [list(tensor.device), tensor.code, tensor.bits, tensor.lanes, *extents]

class Other:
    '''An array of another library, which counts what comes back.'''
    def __init__(self, kind=Versioned, code=(2, 32, 1), place=(2, 0), version=(1, 7), flags=0,
                 strides=True, offset=0, told=None, rows=2, step=12):
        self.there, self.asked, self.returned = to_device(counted), [], 0
        self.extents = (c_int64 * 3)(rows, 3, 4), (c_int64 * 3)(step, 4, 1)
        self.deleter = Deleter(self.count)
        self.content = kind(deleter=self.deleter)
        self.content.tensor = Tensor(
            self.there.address - offset, (c_int32 * 2)(*place), 3, *code,
            self.extents[0], self.extents[1] if strides else None, offset)
        if kind is Versioned:
            self.content.version[:], self.content.flags = version, flags
        self.place = told or place
    def count(self, pointer):
        assert pointer == ctypes.addressof(self.content)
        self.returned += 1
    def __dlpack_device__(self): return self.place
    def __dlpack__(self, *, stream=None, max_version=None):
        self.asked.append([stream, max_version])
        self.name = b"dltensor_versioned" if max_version else b"dltensor"
        self.capsule = new_capsule(ctypes.addressof(self.content), self.name, None)
        return self.capsule
class Older(Other):
    def __dlpack__(self, *, stream=None): return super().__dlpack__(stream=stream)
"""

STREAMS = """
import gc
from support.contract import *
driver = cuda()
warm = to_device(counted)
context, current, one, two = Pointer(), Pointer(), Pointer(), Pointer()
driver("cuDevicePrimaryCtxRetain", byref(context), 0)
driver("cuCtxPushCurrent_v2", context)
for each in (one, two):
    driver("cuStreamCreate", byref(each), NON_BLOCKING)
def fill(array, value, stream):
    assert driver("cuMemsetD8Async", Pointer(array.address), value, Size(array.nbytes), stream) == 0
def end():
    gc.collect()
    memory.trim()
    for each in (one, two):
        driver("cuStreamDestroy_v2", each)
    driver("cuCtxPopCurrent_v2", byref(current))
    driver("cuDevicePrimaryCtxRelease_v2", 0)
"""


def result(scenario: Scenario, fakes: Fakes, folder: Path, code: str) -> object:
    """What the code shows beside that library; nothing may be alive when the process has ended."""
    return device_arrays.result(scenario, fakes, folder, OTHER + code)
