"""How a driver behaves: said once, checked of the fakes here and of the real one in tests/gpu.

Each function runs in a process of its own, since a driver starts once a process:
`python -m support.contracts NAME`. The numbers are CUresult and nvmlReturn_t; the statements are
those of cuda.h and nvml.h.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref, create_string_buffer
from typing import TYPE_CHECKING

from .vendor import Library, Pointer, Size, cuda, cuda_uuid, nvml

if TYPE_CHECKING:
    from collections.abc import Callable

NO_MODEL_HAS_THIS = 1 << 50  # bytes
NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING

Flags = ctypes.c_ulonglong

#: Every statement, by name.
CONTRACT: dict[str, Callable[[], None]] = {}


def statement(check: Callable[[], None]) -> Callable[[], None]:
    """Enters a function into the contract."""
    CONTRACT[check.__name__] = check
    return check


def same(what: str, got: object, expected: object) -> None:
    """Ends the process with both values where they differ."""
    if got != expected:
        sys.exit(f"{what}: got {got!r}, expected {expected!r}")


class Prop(ctypes.Structure):
    """CUmemAllocationProp: type, handle types, location (type, id)."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("handle_types", ctypes.c_int),
        ("location_type", ctypes.c_int),
        ("location_id", ctypes.c_int),
        ("win32", ctypes.c_void_p),
        ("flags", ctypes.c_ulonglong),
    )


class Access(ctypes.Structure):
    """CUmemAccessDesc: location (type, id), flags."""

    _fields_ = (
        ("location_type", ctypes.c_int),
        ("location_id", ctypes.c_int),
        ("flags", ctypes.c_int),
    )


def started() -> Library:
    """The driver after cuInit."""
    driver = cuda()
    same("cuInit(0)", driver("cuInit", 0), 0)
    return driver


def in_context() -> tuple[Library, Pointer]:
    """The driver with the primary context of device 0 on top of this thread's stack."""
    driver, context = started(), Pointer()
    same("retain", driver("cuDevicePrimaryCtxRetain", byref(context), 0), 0)
    same("push", driver("cuCtxPushCurrent_v2", context), 0)
    return driver, context


@statement
def before_cuinit_only_versions_and_texts_answer() -> None:
    driver, count, text = cuda(), ctypes.c_int(), ctypes.c_char_p()
    same("count", driver("cuDeviceGetCount", byref(count)), 3)
    same("device", driver("cuDeviceGet", byref(count), 0), 3)
    same("alloc", driver("cuMemAlloc_v2", byref(Pointer()), Size(4)), 3)
    same("retain", driver("cuDevicePrimaryCtxRetain", byref(Pointer()), 0), 3)
    same("version is positive", driver.number("cuDriverGetVersion") >= 9000, True)
    same("name", (driver("cuGetErrorName", 100, byref(text)), text.value),
         (0, b"CUDA_ERROR_NO_DEVICE"))  # fmt: skip


@statement
def flags_of_cuinit_must_be_zero() -> None:
    same("cuInit(1)", cuda()("cuInit", 1), 1)


@statement
def an_unknown_code_has_neither_name_nor_text() -> None:
    driver, text = cuda(), ctypes.c_char_p(b"untouched")
    for name in ("cuGetErrorName", "cuGetErrorString"):
        same(name, (driver(name, 98765, byref(text)), text.value), (1, None))


@statement
def ordinals_end_at_the_count() -> None:
    driver, device = started(), ctypes.c_int()
    count = driver.number("cuDeviceGetCount")
    same("count is positive", count >= 1, True)
    for ordinal in (-1, count):
        same(f"ordinal {ordinal}", driver("cuDeviceGet", byref(device), ordinal), 101)


@statement
def uuids_are_whole_and_different() -> None:
    driver = started()
    uuids = [cuda_uuid(driver, i) for i in range(driver.number("cuDeviceGetCount"))]
    same("different", len(set(uuids)), len(uuids))
    same("not zero", any(set(uuid) <= set("GPU-0") for uuid in uuids), False)


@statement
def pci_ids_agree_with_attributes() -> None:
    driver, text = started(), create_string_buffer(32)
    same("bus id", driver("cuDeviceGetPCIBusId", text, len(text), 0), 0)
    domain, bus, slot = text.value.decode().split(":")
    numbers = [driver.number("cuDeviceGetAttribute", each, 0) for each in (50, 33, 34)]
    same("numbers", numbers, [int(domain, 16), int(bus, 16), int(slot.partition(".")[0], 16)])
    same("back", driver.number("cuDeviceGetByPCIBusId", text), 0)


@statement
def without_a_context_memory_is_out_of_reach() -> None:
    driver, context = started(), Pointer(1)
    same("current", (driver("cuCtxGetCurrent", byref(context)), context.value), (0, None))
    same("alloc", driver("cuMemAlloc_v2", byref(Pointer()), Size(4)), 201)
    same("info", driver("cuMemGetInfo_v2", byref(Size()), byref(Size())), 201)
    same("synchronize", driver("cuCtxSynchronize"), 201)
    same("pop", driver("cuCtxPopCurrent_v2", byref(context)), 201)


@statement
def a_retained_context_is_not_current() -> None:
    driver, context, current = started(), Pointer(), Pointer(1)
    flags, active = ctypes.c_uint(), ctypes.c_int(1)
    driver("cuDevicePrimaryCtxGetState", 0, byref(flags), byref(active))
    same("active before", active.value, 0)
    same("retain", driver("cuDevicePrimaryCtxRetain", byref(context), 0), 0)
    same("current", (driver("cuCtxGetCurrent", byref(current)), current.value), (0, None))
    driver("cuDevicePrimaryCtxGetState", 0, byref(flags), byref(active))
    same("active after", active.value, 1)


@statement
def contexts_are_counted_and_stacked() -> None:
    driver, context = in_context()
    current = Pointer()
    same("current", (driver("cuCtxGetCurrent", byref(current)), current.value), (0, context.value))
    same("pop", (driver("cuCtxPopCurrent_v2", byref(current)), current.value), (0, context.value))
    codes = [driver("cuDevicePrimaryCtxRelease_v2", 0) for _ in range(2)]
    same("release, again", codes, [0, 201])


@statement
def memory_keeps_what_is_copied_in() -> None:
    driver, _ = in_context()
    place, sent, got = Pointer(), bytes(range(256)), create_string_buffer(256)
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(256)), 0)
    same("in", driver("cuMemcpyHtoD_v2", place, sent, Size(256)), 0)
    same("set", driver("cuMemsetD8_v2", place, 7, Size(2)), 0)
    same("out", driver("cuMemcpyDtoH_v2", got, place, Size(256)), 0)
    same("bytes", got.raw, b"\7\7" + sent[2:])
    same("free", driver("cuMemFree_v2", place), 0)


@statement
def nothing_and_too_much_are_refused() -> None:
    driver, _ = in_context()
    same("nothing", driver("cuMemAlloc_v2", byref(Pointer()), Size(0)), 1)
    same("too much", driver("cuMemAlloc_v2", byref(Pointer()), Size(NO_MODEL_HAS_THIS)), 2)


@statement
def memory_is_freed_once() -> None:
    driver, _ = in_context()
    place = Pointer()
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(16)), 0)
    same("free, again", [driver("cuMemFree_v2", place) for _ in range(2)], [0, 1])


@statement
def an_event_is_ready_when_the_work_before_it_is_done() -> None:
    driver, _ = in_context()
    stream, event, place = Pointer(), Pointer(), Pointer()
    same("stream", driver("cuStreamCreate", byref(stream), NON_BLOCKING), 0)
    same("event", driver("cuEventCreate", byref(event), 2), 0)
    same("nothing recorded", driver("cuEventQuery", event), 0)
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(4)), 0)
    same("work", driver("cuMemsetD8Async", place, 7, Size(4), stream), 0)
    same("record", driver("cuEventRecord", event, stream), 0)
    while (code := driver("cuEventQuery", event)) == 600:
        continue
    same("query", code, 0)
    same("wait of the host", driver("cuEventSynchronize", event), 0)
    same("wait of a stream", driver("cuStreamWaitEvent", None, event, 0), 0)
    ends = [("cuEventDestroy_v2", event), ("cuStreamDestroy_v2", stream), ("cuMemFree_v2", place)]
    same("ends", [driver(*end) for end in ends], [0, 0, 0])


@statement
def time_is_told_between_two_timed_events() -> None:
    driver, _ = in_context()
    events, told = tuple(Pointer() for _ in range(3)), ctypes.c_float(-1)
    for event, flags in zip(events, (0, 0, 2), strict=True):
        driver("cuEventCreate", byref(event), flags)
        driver("cuEventRecord", event, None)
    driver("cuEventSynchronize", events[1])
    same("untimed", driver("cuEventElapsedTime", byref(told), *events[1:]), 400)
    same("timed", driver("cuEventElapsedTime", byref(told), *events[:2]), 0)


@statement
def streams_work_in_the_order_of_their_events() -> None:
    driver, _ = in_context()
    first, second, event, place = Pointer(), Pointer(), Pointer(), Pointer()
    got = create_string_buffer(8)
    for stream in (first, second):
        same("stream", driver("cuStreamCreate", byref(stream), NON_BLOCKING), 0)
    same("event", driver("cuEventCreate", byref(event), 2), 0)
    same("alloc", driver("cuMemAlloc_v2", byref(place), Size(8)), 0)
    same("in", driver("cuMemcpyHtoDAsync_v2", place, b"12345678", Size(8), first), 0)
    same("record", driver("cuEventRecord", event, first), 0)
    same("wait", driver("cuStreamWaitEvent", second, event, 0), 0)
    same("set", driver("cuMemsetD8Async", place, ord("0"), Size(4), second), 0)
    same("out", driver("cuMemcpyDtoHAsync_v2", got, place, Size(8), second), 0)
    same("synchronize", driver("cuStreamSynchronize", second), 0)
    same("bytes", got.raw, b"00005678")
    same("free", driver("cuMemFree_v2", place), 0)


def virtual_memory() -> tuple[Library, Prop, int]:
    """The driver in a context, memory of device 0, and its granularity; ends where it has none."""
    driver, _ = in_context()
    if driver.number("cuDeviceGetAttribute", 102, 0) == 0:
        sys.exit(0)
    prop, page = Prop(1, 0, 1, 0, None, 0), Size()
    same("page", driver("cuMemGetAllocationGranularity", byref(page), byref(prop), 0), 0)
    return driver, prop, page.value


@statement
def memory_is_made_in_whole_pages() -> None:
    driver, prop, page = virtual_memory()
    memory = ctypes.c_ulonglong()
    same("a power of two", page > 0 and page & (page - 1) == 0, True)
    same("part", driver("cuMemCreate", byref(memory), Size(page + 1), byref(prop), Flags(0)), 1)
    same("nothing", driver("cuMemCreate", byref(memory), Size(0), byref(prop), Flags(0)), 1)
    too_much = Size(NO_MODEL_HAS_THIS)
    same("too much", driver("cuMemCreate", byref(memory), too_much, byref(prop), Flags(0)), 2)


def map_page(driver: Library, prop: Prop, page: int, place: int) -> None:
    """Puts a page of memory at a reserved place, and gives the handle back at once."""
    memory, access = ctypes.c_ulonglong(), Access(1, 0, 3)
    same("create", driver("cuMemCreate", byref(memory), Size(page), byref(prop), Flags(0)), 0)
    same("offset", driver("cuMemMap", Pointer(place), Size(page), Size(page), memory, Flags(0)), 1)
    same("map", driver("cuMemMap", Pointer(place), Size(page), Size(0), memory, Flags(0)), 0)
    same("release", driver("cuMemRelease", memory), 0)
    same("access", driver("cuMemSetAccess", Pointer(place), Size(page), byref(access), Size(1)), 0)


@statement
def mapped_pages_side_by_side_are_one_piece_of_memory() -> None:
    driver, prop, page = virtual_memory()
    base, sent, got = Pointer(), bytes(range(256)), create_string_buffer(256)
    reserve = (byref(base), Size(4 * page), Size(0), Pointer(), Flags(0))
    same("reserve", driver("cuMemAddressReserve", *reserve), 0)
    start = base.value or 0
    same("begins on a page", start % page, 0)
    for place in (start, start + page):
        map_page(driver, prop, page, place)
    across = Pointer(start + page - 128)
    same("in", driver("cuMemcpyHtoD_v2", across, sent, Size(256)), 0)
    same("out", driver("cuMemcpyDtoH_v2", got, across, Size(256)), 0)
    same("bytes", got.raw, sent)
    same("part", driver("cuMemUnmap", base, Size(page // 2)) != 0, True)
    for place in (start + page, start):
        same("unmap", driver("cuMemUnmap", Pointer(place), Size(page)), 0)
    same("free", driver("cuMemAddressFree", base, Size(4 * page)), 0)


@statement
def a_forked_child_of_a_started_process_has_no_driver() -> None:
    driver = started()
    child = os.fork()
    if child == 0:
        codes = driver("cuInit", 0), driver("cuDeviceGetCount", byref(ctypes.c_int()))
        os._exit(0 if codes == (3, 3) else 1)
    same("child", os.waitpid(child, 0)[1], 0)


@statement
def nvml_answers_after_its_init_alone() -> None:
    library, count = nvml(), ctypes.c_uint()
    same("before", library("nvmlDeviceGetCount_v2", byref(count)), 1)
    same("shutdown before", library("nvmlShutdown"), 1)
    same("inits", [library("nvmlInit_v2"), library("nvmlInit_v2")], [0, 0])
    same("shutdown", library("nvmlShutdown"), 0)
    same("still there", library("nvmlDeviceGetCount_v2", byref(count)), 0)
    same("shutdowns", [library("nvmlShutdown"), library("nvmlShutdown")], [0, 1])


def _first_nvml_device() -> tuple[Library, Pointer]:
    library, device = nvml(), Pointer()
    same("init", library("nvmlInit_v2"), 0)
    same("handle", library("nvmlDeviceGetHandleByIndex_v2", 0, byref(device)), 0)
    return library, device


@statement
def nvml_finds_a_device_by_its_whole_uuid_alone() -> None:
    library, device = _first_nvml_device()
    uuid, found = create_string_buffer(96), Pointer()
    same("uuid", library("nvmlDeviceGetUUID", device, uuid, len(uuid)), 0)
    same("whole", library("nvmlDeviceGetHandleByUUID", uuid, byref(found)), 0)
    same("same", found.value, device.value)
    short = uuid.value[:12]
    same("short", library("nvmlDeviceGetHandleByUUID", short, byref(found)) in {2, 6}, True)


@statement
def nvml_and_cuda_name_the_same_devices() -> None:
    library, _ = _first_nvml_device()
    driver, found = started(), Pointer()
    for ordinal in range(driver.number("cuDeviceGetCount")):
        uuid = cuda_uuid(driver, ordinal).encode()
        same(f"{uuid!r}", library("nvmlDeviceGetHandleByUUID", uuid, byref(found)), 0)


@statement
def nvml_ends_its_list_and_its_buffers() -> None:
    library, device = _first_nvml_device()
    beyond = library.number("nvmlDeviceGetCount_v2")
    same("index", library("nvmlDeviceGetHandleByIndex_v2", beyond, byref(Pointer())), 2)
    same("room", library("nvmlDeviceGetName", device, create_string_buffer(2), 2), 7)


@statement
def nvml_memory_adds_up() -> None:
    library, device = _first_nvml_device()
    memory = (ctypes.c_ulonglong * 3)()
    same("info", library("nvmlDeviceGetMemoryInfo", device, memory), 0)
    total, free, used = memory
    same("sum", free + used, total)


@statement
def nvml_refuses_a_structure_of_another_version() -> None:
    library, device = _first_nvml_device()
    same("version 0", library("nvmlDeviceGetMemoryInfo_v2", device, (ctypes.c_ulonglong * 5)()), 25)


@statement
def nvml_lists_processes_in_the_room_it_is_given() -> None:
    library, device = _first_nvml_device()
    count, room = ctypes.c_uint(0), create_string_buffer(32 * 256)
    code = library("nvmlDeviceGetComputeRunningProcesses_v2", device, byref(count), None)
    same("no room", code, 7 if count.value else 0)
    count.value = 256
    same("room", library("nvmlDeviceGetComputeRunningProcesses_v2", device, byref(count), room), 0)


@statement
def nvml_counts_retired_pages_without_room_for_their_addresses() -> None:
    library, device = _first_nvml_device()
    count, none = ctypes.c_uint(0), (ctypes.c_ulonglong * 1)()
    code = library("nvmlDeviceGetRetiredPages", device, 1, byref(count), none)
    same("pages", code in ({7} if count.value else {0, 3}), True)


@statement
def nvml_ends_the_links_of_a_device() -> None:
    library, device = _first_nvml_device()
    beyond = 64  # no device has as many
    code = library("nvmlDeviceGetNvLinkState", device, beyond, byref(ctypes.c_uint()))
    same("link 64", code in {2, 3}, True)


@statement
def nvml_has_mig_instances_only_where_the_mode_is_on() -> None:
    library, device = _first_nvml_device()
    mode, pending = ctypes.c_uint(0), ctypes.c_uint(0)
    code = library("nvmlDeviceGetMigMode", device, byref(mode), byref(pending))
    same("mode", code in {0, 3}, True)
    if code == 0 and mode.value == 0:
        found = library("nvmlDeviceGetMigDeviceHandleByIndex", device, 0, byref(Pointer()))
        same("instance 0", found == 0, False)
