#include "gp_virtual_memory.h"

static gp_cu_location
location_of(gp_cu_device device)
{
    return (gp_cu_location){GP_CU_LOCATION_DEVICE, device};
}

static gp_cu_memory_kind
kind_of(gp_cu_device device)
{
    return (gp_cu_memory_kind){.type = GP_CU_MEMORY_PINNED, .location = location_of(device)};
}

/* The attribute is a third way to say no. */
bool
gp_virtual_memory_is_refused(gp_status st)
{
    return st.kind == GP_SYMBOL_MISSING || (st.kind == GP_CUDA && st.code == GP_CU_NOT_SUPPORTED);
}

gp_status
gp_virtual_memory_find(const gp_cuda *cu, gp_cu_device device, bool *is_there, size_t *page)
{
    int has_it = 0;
    gp_cu_memory_kind kind = kind_of(device);
    *is_there = false;
    if (cu->cuMemAddressReserve == NULL) { return gp_ok(); }
    gp_status st =
        GP_CUDA_CALL(cu, cuDeviceGetAttribute, (&has_it, GP_CU_VIRTUAL_MEMORY_MANAGEMENT, device));
    if (gp_failed(st) || has_it == 0) { return st; }
    st = GP_CUDA_CALL(cu, cuMemGetAllocationGranularity, (page, &kind, GP_CU_GRANULARITY_MINIMUM));
    if (gp_virtual_memory_is_refused(st)) { return gp_ok(); }
    *is_there = !gp_failed(st);
    return st;
}

gp_status
gp_virtual_memory_map(const gp_cuda *cu, gp_cu_device device, gp_cu_deviceptr address, size_t size)
{
    gp_cu_memory memory = 0;
    gp_cu_memory_kind kind = kind_of(device);
    gp_cu_access access = {location_of(device), GP_CU_ACCESS_READ_WRITE};
    gp_status st = GP_CUDA_CALL(cu, cuMemCreate, (&memory, size, &kind, 0));
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(cu, cuMemMap, (address, size, 0, memory, 0));
    bool is_mapped = !gp_failed(st);
    /* The mapping keeps the memory: the handle is needed no longer. */
    st = gp_first_error(st, GP_CUDA_CALL(cu, cuMemRelease, (memory)));
    if (!gp_failed(st)) { st = GP_CUDA_CALL(cu, cuMemSetAccess, (address, size, &access, 1)); }
    /* Best effort: a failing clean-up must not hide the error that brought us here. */
    if (gp_failed(st) && is_mapped) { (void)GP_CUDA_CALL(cu, cuMemUnmap, (address, size)); }
    return st;
}
