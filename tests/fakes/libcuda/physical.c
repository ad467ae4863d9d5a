/* Device memory without an address: cuMemCreate makes it, a handle and a mapping keep it. */
#include "physical.h"
#include "capture.h"

#include <pthread.h>
#include <stdlib.h>

enum { DEFAULT_GRANULARITY = 2 << 20 };

/* CUmemGenericAllocationHandle is its address. Lives until it is released and not mapped. */
struct fake_physical {
    struct fake_physical *next;
    fake_device *device;
    size_t bytes;
    bool is_released;
    bool is_mapped;
};

static fake_physical *memories; /* under `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_size_t fake_live_handles;

size_t
fake_granularity(const fake_device *device)
{
    const uint64_t given = device->gpu->granularity;
    return given == FAKE_NONE ? DEFAULT_GRANULARITY : given;
}

static CUresult
check_prop(const CUmemAllocationProp *prop)
{
    if (prop == NULL || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const fake_device *device = fake_device_at(prop->location.id);
    if (device == NULL) { return CUDA_ERROR_INVALID_DEVICE; }
    return fake_has_vmm(device) ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult CUDAAPI
cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                              CUmemAllocationGranularity_flags option)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const CUresult verdict = check_prop(prop);
    if (verdict != CUDA_SUCCESS) { return verdict; }
    if (granularity == NULL || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *granularity = fake_granularity(fake_device_at(prop->location.id));
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
            unsigned long long flags)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const CUresult allowed = fake_capture_allows();
    if (allowed != CUDA_SUCCESS) { return allowed; }
    const CUresult verdict = check_prop(prop);
    if (verdict != CUDA_SUCCESS) { return verdict; }
    fake_device *device = fake_device_at(prop->location.id);
    if (handle == NULL || flags != 0 || bytes == 0 || bytes % fake_granularity(device) != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!fake_hold_bytes(device, bytes)) { return CUDA_ERROR_OUT_OF_MEMORY; }
    fake_physical *made = malloc(sizeof *made);
    if (made == NULL) { fake_die("no memory for a handle"); }
    pthread_mutex_lock(&lock);
    *made = (fake_physical){memories, device, bytes, false, false};
    memories = made;
    pthread_mutex_unlock(&lock);
    fake_live_handles++;
    *handle = (CUmemGenericAllocationHandle)(uintptr_t)made;
    return CUDA_SUCCESS;
}

/* The memory behind a handle that was not released, or NULL. Under the lock. */
static fake_physical *
find_memory(CUmemGenericAllocationHandle handle)
{
    for (fake_physical *p = memories; p != NULL; p = p->next) {
        if ((uintptr_t)p == handle) { return p->is_released ? NULL : p; }
    }
    return NULL;
}

/* Under the lock. */
static void
end_if_unused(fake_physical *memory)
{
    if (!memory->is_released || memory->is_mapped) { return; }
    fake_physical **link = &memories;
    while (*link != memory) {
        link = &(*link)->next;
    }
    *link = memory->next;
    fake_drop_bytes(memory->device, memory->bytes);
    free(memory);
}

CUresult CUDAAPI
cuMemRelease(CUmemGenericAllocationHandle handle)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    pthread_mutex_lock(&lock);
    fake_physical *found = find_memory(handle);
    if (found != NULL) {
        found->is_released = true;
        end_if_unused(found);
        fake_live_handles--;
    }
    pthread_mutex_unlock(&lock);
    return found != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

fake_physical *
fake_physical_map(CUmemGenericAllocationHandle handle, size_t bytes)
{
    pthread_mutex_lock(&lock);
    fake_physical *found = find_memory(handle);
    if (found != NULL && found->is_mapped) { fake_die("cuMemMap: twice is not modelled yet"); }
    if (found != NULL && bytes > found->bytes) { found = NULL; }
    if (found != NULL) { found->is_mapped = true; }
    pthread_mutex_unlock(&lock);
    return found;
}

const fake_device *
fake_physical_device(const fake_physical *memory)
{
    return memory->device;
}

void
fake_physical_unmap(fake_physical *memory)
{
    pthread_mutex_lock(&lock);
    memory->is_mapped = false;
    end_if_unused(memory);
    pthread_mutex_unlock(&lock);
}
