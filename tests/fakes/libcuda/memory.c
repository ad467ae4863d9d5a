/* Device memory is host memory, filled with rubbish, and every range is checked against what was
 * allocated: a copy that runs over an end is refused here, as far as a driver would notice it. */
#include "capture.h"
#include "order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct allocation {
    struct allocation *next;
    struct CUctx_st *context;
    char *base;
    size_t bytes;
} allocation;

static allocation *allocations; /* under `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_size_t fake_live_allocations, fake_bad_frees;

size_t
fake_free_bytes(const fake_device *device)
{
    const uint64_t room = device->mig ? device->mig->memory_bytes
                                      : device->gpu->memory_bytes - device->gpu->used_bytes;
    return room - device->primary.allocated;
}

bool
fake_hold_bytes(fake_device *device, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const bool fits = bytes <= fake_free_bytes(device);
    if (fits) { device->primary.allocated += bytes; }
    pthread_mutex_unlock(&lock);
    return fits;
}

void
fake_drop_bytes(fake_device *device, size_t bytes)
{
    pthread_mutex_lock(&lock);
    device->primary.allocated -= bytes;
    pthread_mutex_unlock(&lock);
}

CUresult CUDAAPI
cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const fake_device *device = fake_device_at(fake_current()->device);
    pthread_mutex_lock(&lock);
    *free_bytes = fake_free_bytes(device);
    pthread_mutex_unlock(&lock);
    *total_bytes = device->mig ? device->mig->memory_bytes : device->gpu->memory_bytes;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const CUresult allowed = fake_capture_allows();
    if (allowed != CUDA_SUCCESS) { return allowed; }
    if (pointer == NULL || bytes == 0) { return CUDA_ERROR_INVALID_VALUE; }
    if (!fake_hold_bytes(fake_device_at(fake_current()->device), bytes)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    allocation *made = malloc(sizeof *made);
    char *base = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (made == NULL || base == NULL) {
        fake_die("the host has no %zu bytes to play device memory with", bytes);
    }
    memset(base, 0xA5, bytes);
    pthread_mutex_lock(&lock);
    *made = (allocation){allocations, fake_current(), base, bytes};
    allocations = made;
    pthread_mutex_unlock(&lock);
    fake_live_allocations++;
    *pointer = (CUdeviceptr)(uintptr_t)base;
    return CUDA_SUCCESS;
}

/* Takes the allocation that begins at `pointer` out of the list; NULL: there is none. */
static allocation *
unlink_allocation(CUdeviceptr pointer)
{
    allocation **link = &allocations;
    while (*link != NULL && (CUdeviceptr)(uintptr_t)(*link)->base != pointer) {
        link = &(*link)->next;
    }
    allocation *found = *link;
    if (found != NULL) { *link = found->next; }
    return found;
}

CUresult CUDAAPI
cuMemFree_v2(CUdeviceptr pointer)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    pthread_mutex_lock(&lock);
    allocation *found = unlink_allocation(pointer);
    pthread_mutex_unlock(&lock);
    if (found == NULL) {
        fake_bad_frees++;
        return CUDA_ERROR_INVALID_VALUE;
    }
    /* The driver waits by itself for what may still use the memory. */
    fake_order_wait_device(found->context->device);
    fake_order_end(__func__, found->base, found->bytes);
    fake_drop_bytes(fake_device_at(found->context->device), found->bytes);
    free(found->base);
    free(found);
    fake_live_allocations--;
    return CUDA_SUCCESS;
}

char *
fake_range(CUdeviceptr pointer, size_t bytes)
{
    char *found = NULL;
    pthread_mutex_lock(&lock);
    for (const allocation *a = allocations; a != NULL && found == NULL; a = a->next) {
        const CUdeviceptr base = (CUdeviceptr)(uintptr_t)a->base;
        if (pointer >= base && pointer - base <= a->bytes && bytes <= a->bytes - (pointer - base)) {
            found = a->base + (pointer - base);
        }
    }
    pthread_mutex_unlock(&lock);
    return found != NULL ? found : fake_mapped_range(pointer, bytes);
}

const fake_device *
fake_device_of(CUdeviceptr pointer)
{
    const fake_device *found = NULL;
    pthread_mutex_lock(&lock);
    for (const allocation *a = allocations; a != NULL && found == NULL; a = a->next) {
        const CUdeviceptr base = (CUdeviceptr)(uintptr_t)a->base;
        const bool holds = pointer >= base && pointer - base < a->bytes;
        if (holds) { found = fake_device_at(a->context->device); }
    }
    pthread_mutex_unlock(&lock);
    return found != NULL ? found : fake_mapped_device(pointer);
}
