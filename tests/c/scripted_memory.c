#include "scripted_memory.h"

#include "alloc_hook.h"
#include "harness.h"

#define BASE   ((gp_cu_deviceptr)1 << 40)
#define CHUNKS ((gp_cu_deviceptr)1 << 44)

enum { INVALID_HANDLE = 400 };

scripted_memory memory = {.is_virtual = true, .page = 2 * MIB, .total = 1024 * MIB};

static size_t reserved; /* bytes of the one reservation */
static gp_cu_deviceptr next_chunk = CHUNKS;

static gp_cu_result
get_attribute(int *value, gp_cu_attribute attribute, gp_cu_device device)
{
    (void)device;
    RETURN_IF_FAILING();
    ASSERT_INT(GP_CU_VIRTUAL_MEMORY_MANAGEMENT, attribute);
    *value = memory.is_virtual;
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_info(size_t *free_bytes, size_t *total_bytes)
{
    ASSERT(script.current > 0);
    RETURN_IF_FAILING();
    *free_bytes = memory.total - memory.others - memory.held;
    *total_bytes = memory.total;
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_granularity(size_t *bytes, const gp_cu_memory_kind *kind, unsigned int option)
{
    ASSERT(kind->type == GP_CU_MEMORY_PINNED && option == GP_CU_GRANULARITY_MINIMUM);
    RETURN_IF_FAILING();
    *bytes = memory.page;
    return GP_CU_SUCCESS;
}

static gp_cu_result
reserve(gp_cu_deviceptr *pointer, size_t bytes, size_t alignment, gp_cu_deviceptr hint,
        unsigned long long flags)
{
    ASSERT(bytes > 0 && bytes % memory.page == 0 && alignment == 0 && hint == 0 && flags == 0);
    RETURN_IF_FAILING();
    *pointer = BASE;
    reserved = bytes;
    memory.reservations++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
free_addresses(gp_cu_deviceptr pointer, size_t bytes)
{
    ASSERT(pointer == BASE && bytes == reserved);
    ASSERT_INT(0, memory.held);
    memory.reservations--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

/* A row for new memory of the device; NULL: it has no more. */
static scripted_piece *
take(size_t bytes)
{
    if (bytes > memory.most_asked) { memory.most_asked = bytes; }
    if (bytes > memory.total - memory.others - memory.held) { return NULL; }
    size_t i = 0;
    while (memory.pieces[i].size > 0) {
        i++;
        ASSERT(i < SCRIPTED_MOST_PIECES);
    }
    memory.held += bytes;
    memory.pieces[i] = (scripted_piece){0, bytes, false, false};
    return &memory.pieces[i];
}

static scripted_piece *
find(gp_cu_deviceptr address)
{
    size_t i = 0;
    while (memory.pieces[i].size == 0 || memory.pieces[i].address != address) {
        i++;
        ASSERT(i < SCRIPTED_MOST_PIECES); /* else there is nothing at that address */
    }
    return &memory.pieces[i];
}

static void
drop(scripted_piece *piece)
{
    if (piece->has_handle || piece->address != 0) { return; }
    memory.held -= piece->size;
    piece->size = 0;
}

static gp_cu_result
create(gp_cu_memory *handle, size_t bytes, const gp_cu_memory_kind *kind, unsigned long long flags)
{
    ASSERT(bytes > 0 && bytes % memory.page == 0 && flags == 0);
    ASSERT(kind->type == GP_CU_MEMORY_PINNED && kind->location.type == GP_CU_LOCATION_DEVICE);
    RETURN_IF_FAILING();
    scripted_piece *made = take(bytes);
    if (made == NULL) { return GP_CU_OUT_OF_MEMORY; }
    made->has_handle = true;
    *handle = (gp_cu_memory)(made - memory.pieces) + 1;
    return GP_CU_SUCCESS;
}

static gp_cu_result
release(gp_cu_memory handle)
{
    scripted_piece *piece = &memory.pieces[handle - 1];
    ASSERT(piece->has_handle);
    piece->has_handle = false;
    drop(piece);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
map(gp_cu_deviceptr pointer, size_t bytes, size_t offset, gp_cu_memory handle,
    unsigned long long flags)
{
    scripted_piece *piece = &memory.pieces[handle - 1];
    ASSERT(piece->has_handle && piece->size == bytes && offset == 0 && flags == 0);
    ASSERT(pointer >= BASE && pointer + bytes <= BASE + reserved && pointer % memory.page == 0);
    for (size_t i = 0; i < SCRIPTED_MOST_PIECES; i++) {
        const scripted_piece *other = &memory.pieces[i];
        bool is_apart =
            pointer + bytes <= other->address || other->address + other->size <= pointer;
        ASSERT(other->size == 0 || other->address == 0 || is_apart);
    }
    RETURN_IF_FAILING();
    piece->address = pointer;
    return GP_CU_SUCCESS;
}

static gp_cu_result
set_access(gp_cu_deviceptr pointer, size_t bytes, const gp_cu_access *access, size_t count)
{
    ASSERT(count == 1 && access->flags == GP_CU_ACCESS_READ_WRITE);
    scripted_piece *piece = find(pointer);
    ASSERT(piece->size == bytes);
    RETURN_IF_FAILING();
    piece->is_open = true;
    return GP_CU_SUCCESS;
}

static gp_cu_result
unmap(gp_cu_deviceptr pointer, size_t bytes)
{
    scripted_piece *piece = find(pointer);
    ASSERT(piece->size == bytes);
    piece->address = 0;
    drop(piece);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
allocate(gp_cu_deviceptr *pointer, size_t bytes)
{
    ASSERT(bytes > 0);
    ASSERT(script.current > 0);
    RETURN_IF_FAILING();
    scripted_piece *made = take(bytes);
    if (made == NULL) { return GP_CU_OUT_OF_MEMORY; }
    made->address = next_chunk; /* end to end, as if to tempt: they must not be joined */
    next_chunk += bytes;
    *pointer = made->address;
    return GP_CU_SUCCESS;
}

static gp_cu_result
free_memory(gp_cu_deviceptr pointer)
{
    scripted_piece *piece = find(pointer);
    piece->address = 0;
    drop(piece);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
create_event(gp_cu_event *event, unsigned int flags)
{
    ASSERT(script.current > 0 && flags == GP_CU_EVENT_DISABLE_TIMING);
    *event = (gp_cu_event)SCRIPTED_GARBAGE;
    RETURN_IF_FAILING();
    *event = (gp_cu_event)(void *)&memory;
    memory.events++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
destroy_event(gp_cu_event event)
{
    ASSERT(event == (gp_cu_event)(void *)&memory);
    memory.events--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
record_event(gp_cu_event event, gp_cu_stream stream)
{
    ASSERT(event != NULL && script.current > 0);
    RETURN_IF_FAILING();
    if (stream != NULL && stream == memory.lost) { return INVALID_HANDLE; }
    memory.records++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
query_event(gp_cu_event event)
{
    ASSERT(event != NULL);
    RETURN_IF_FAILING();
    return memory.is_ready ? GP_CU_SUCCESS : GP_CU_NOT_READY;
}

static gp_cu_result
wait_for_event(gp_cu_event event)
{
    ASSERT(event != NULL);
    RETURN_IF_FAILING();
    memory.waits++;
    return memory.wait_failure;
}

static gp_cu_result
wait_for_context(void)
{
    ASSERT(script.current > 0);
    script.is_busy = false;
    RETURN_IF_FAILING();
    memory.context_waits++;
    return GP_CU_SUCCESS;
}

gp_cuda
scripted_memory_table(void)
{
    gp_cuda cu = scripted_cuda_table();
    cu.cuDeviceGetAttribute = get_attribute;
    cu.cuMemGetInfo_v2 = get_info;
    cu.cuMemGetAllocationGranularity = get_granularity;
    cu.cuMemAddressReserve = reserve;
    cu.cuMemAddressFree = free_addresses;
    cu.cuMemCreate = create;
    cu.cuMemRelease = release;
    cu.cuMemMap = map;
    cu.cuMemSetAccess = set_access;
    cu.cuMemUnmap = unmap;
    cu.cuMemAlloc_v2 = allocate;
    cu.cuMemFree_v2 = free_memory;
    cu.cuEventCreate = create_event;
    cu.cuEventDestroy_v2 = destroy_event;
    cu.cuEventRecord = record_event;
    cu.cuEventQuery = query_event;
    cu.cuEventSynchronize = wait_for_event;
    cu.cuCtxSynchronize = wait_for_context;
    return cu;
}

void
scripted_memory_assert_released(void)
{
    scripted_cuda_assert_released();
    ASSERT_INT(0, memory.held);
    ASSERT_INT(0, memory.reservations);
    ASSERT_INT(0, memory.events);
    ASSERT_INT(0, alloc_live());
}
