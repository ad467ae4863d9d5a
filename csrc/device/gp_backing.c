#include "gp_backing.h"

#include "base/gp_alloc.h"
#include "gp_growth.h"
#include "gp_virtual_memory.h"

/* What drivers give out at a time where nobody can ask them. */
#define CHUNK_PAGE ((size_t)2 << 20)

static gp_status
reserve_addresses(gp_backing *backing, size_t span)
{
    gp_cu_deviceptr base = 0;
    gp_status st = GP_CUDA_CALL(backing->cu, cuMemAddressReserve, (&base, span, 0, 0, 0));
    if (gp_failed(st)) { return st; }
    backing->base = base;
    backing->span = span;
    return st;
}

static gp_status
free_addresses(gp_backing *backing)
{
    gp_cu_deviceptr base = backing->base;
    if (base == 0) { return gp_ok(); }
    backing->base = 0;
    return GP_CUDA_CALL(backing->cu, cuMemAddressFree, (base, backing->span));
}

/* Out of memory, too: a process may have fewer addresses than a device has memory. */
static bool
is_without_addresses(gp_status st)
{
    return gp_virtual_memory_is_refused(st) ||
           (st.kind == GP_CUDA && st.code == GP_CU_OUT_OF_MEMORY);
}

gp_status
gp_backing_open(const gp_cuda *cu, gp_cu_device device, size_t most, gp_backing *backing)
{
    *backing = (gp_backing){.cu = cu, .device = device, .page = CHUNK_PAGE};
    size_t page = CHUNK_PAGE;
    gp_status st = gp_virtual_memory_find(cu, device, &backing->is_virtual, &page);
    if (gp_failed(st) || !backing->is_virtual) { return st; }
    backing->page = page;
    size_t span = gp_round_up(most, page);
    st = reserve_addresses(backing, span);
    if (!is_without_addresses(st)) { return st; }
    backing->is_virtual = false;
    return gp_ok();
}

/* Room for one more row, so that a segment that was made is never lost. */
static gp_status
reserve_row(gp_backing *backing)
{
    if (backing->count < backing->capacity) { return gp_ok(); }
    size_t capacity = backing->capacity == 0 ? 16 : 2 * backing->capacity;
    gp_segment *rows = gp_realloc(backing->segments, capacity * sizeof(*rows));
    if (rows == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_backing_grow"); }
    backing->segments = rows;
    backing->capacity = capacity;
    return gp_ok();
}

static gp_status
map_segment(const gp_backing *backing, size_t size, gp_cu_deviceptr *address)
{
    if (size > backing->span - backing->held) {
        return gp_fail(GP_BAD_ARGUMENT, 0, "gp_backing_grow");
    }
    *address = backing->base + backing->held;
    return gp_virtual_memory_map(backing->cu, backing->device, *address, size);
}

/* A driver that says that it has virtual memory may refuse it where it is used: it is left then, as
 * long as nothing lies in it. */
static gp_status
make_segment(gp_backing *backing, size_t size, gp_cu_deviceptr *address)
{
    if (backing->is_virtual) {
        gp_status st = map_segment(backing, size, address);
        if (backing->count > 0 || !gp_virtual_memory_is_refused(st)) { return st; }
        backing->is_virtual = false;
        st = free_addresses(backing);
        if (gp_failed(st)) { return st; }
    }
    return GP_CUDA_CALL(backing->cu, cuMemAlloc_v2, (address, size));
}

gp_status
gp_backing_grow(gp_backing *backing, size_t size)
{
    gp_cu_deviceptr address = 0;
    gp_status st = reserve_row(backing);
    if (gp_failed(st)) { return st; }
    st = make_segment(backing, size, &address);
    if (gp_failed(st)) { return st; }
    backing->segments[backing->count++] = (gp_segment){address, size};
    backing->held += size;
    return st;
}

gp_status
gp_backing_shrink(gp_backing *backing, size_t index)
{
    gp_segment gone = backing->segments[index];
    backing->held -= gone.size;
    backing->count--;
    for (size_t i = index; i < backing->count; i++) {
        backing->segments[i] = backing->segments[i + 1];
    }
    return backing->is_virtual ? GP_CUDA_CALL(backing->cu, cuMemUnmap, (gone.address, gone.size))
                               : GP_CUDA_CALL(backing->cu, cuMemFree_v2, (gone.address));
}

gp_status
gp_backing_close(gp_backing *backing)
{
    gp_status st = gp_ok();
    while (backing->count > 0) {
        st = gp_first_error(st, gp_backing_shrink(backing, backing->count - 1));
    }
    st = gp_first_error(st, free_addresses(backing));
    gp_free(backing->segments);
    *backing = (gp_backing){.cu = backing->cu};
    return st;
}

const char *
gp_backing_name(const gp_backing *backing)
{
    return backing->is_virtual ? "vmm" : "chunks";
}
