/* Addresses of virtual memory management: reserved, mapped to memory, and opened. What is not open
 * is closed to the host, too, so that a kernel that strays ends by a real signal. */
#include "order.h"
#include "physical.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { RUBBISH_BYTES = 1 << 20 };

typedef struct reservation {
    struct reservation *next;
    char *base;
    size_t bytes;
} reservation;

typedef struct mapping {
    struct mapping *next;
    fake_physical *memory;
    char *base;
    size_t bytes;
    bool is_open; /* cuMemSetAccess was called */
} mapping;

static reservation *reservations; /* all under `lock` */
static mapping *mappings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_size_t fake_live_reservations, fake_live_mappings;

/* That of the first device, where a call names none. */
static bool
is_whole(CUdeviceptr pointer, size_t bytes)
{
    const size_t page = fake_granularity(fake_device_at(0));
    return bytes > 0 && pointer % page == 0 && bytes % page == 0;
}

static char *
host_address(CUdeviceptr pointer)
{
    return (char *)(uintptr_t)pointer;
}

CUresult CUDAAPI
cuMemAddressReserve(CUdeviceptr *pointer, size_t bytes, size_t alignment, CUdeviceptr hint,
                    unsigned long long flags)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (!fake_has_vmm(fake_device_at(0))) { return CUDA_ERROR_NOT_SUPPORTED; }
    if (pointer == NULL || !is_whole(0, bytes) || flags != 0) { return CUDA_ERROR_INVALID_VALUE; }
    if (alignment != 0 || hint != 0) { fake_die("cuMemAddressReserve: only 0 is modelled"); }
    const size_t page = fake_granularity(fake_device_at(0));
    reservation *made = malloc(sizeof *made);
    /* One page more than is asked for, so that the beginning can be put on a page. */
    char *raw =
        mmap(NULL, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == NULL || raw == MAP_FAILED) { fake_die("no %zu bytes of addresses", bytes); }
    char *base = raw + (page - (uintptr_t)raw % page) % page;
    if (base > raw) { munmap(raw, (size_t)(base - raw)); }
    if (raw + page > base) { munmap(base + bytes, (size_t)(raw + page - base)); }
    pthread_mutex_lock(&lock);
    *made = (reservation){reservations, base, bytes};
    reservations = made;
    pthread_mutex_unlock(&lock);
    fake_live_reservations++;
    *pointer = (CUdeviceptr)(uintptr_t)base;
    return CUDA_SUCCESS;
}

/* Whether any byte of the range is mapped. Under the lock. */
static bool
is_mapped(const char *base, size_t bytes)
{
    for (const mapping *m = mappings; m != NULL; m = m->next) {
        if (m->base < base + bytes && base < m->base + m->bytes) { return true; }
    }
    return false;
}

CUresult CUDAAPI
cuMemAddressFree(CUdeviceptr pointer, size_t bytes)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const char *base = host_address(pointer);
    pthread_mutex_lock(&lock);
    reservation **link = &reservations;
    while (*link != NULL && ((*link)->base != base || (*link)->bytes != bytes)) {
        link = &(*link)->next;
    }
    reservation *found = *link;
    if (found != NULL && is_mapped(base, bytes)) {
        fake_die("cuMemAddressFree: memory is mapped there");
    }
    if (found != NULL) { *link = found->next; }
    pthread_mutex_unlock(&lock);
    if (found == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    munmap(found->base, bytes);
    free(found);
    fake_live_reservations--;
    return CUDA_SUCCESS;
}

/* Under the lock. */
static bool
is_reserved(const char *base, size_t bytes)
{
    for (const reservation *r = reservations; r != NULL; r = r->next) {
        if (base >= r->base && base + bytes <= r->base + r->bytes) { return true; }
    }
    return false;
}

CUresult CUDAAPI
cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
         unsigned long long flags)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (!is_whole(pointer, bytes) || offset != 0 || flags != 0) { return CUDA_ERROR_INVALID_VALUE; }
    char *base = host_address(pointer);
    mapping *made = malloc(sizeof *made);
    if (made == NULL) { fake_die("no memory for a mapping"); }
    pthread_mutex_lock(&lock);
    const bool is_room = is_reserved(base, bytes) && !is_mapped(base, bytes);
    fake_physical *memory = is_room ? fake_physical_map(handle, bytes) : NULL;
    const bool fits = memory != NULL;
    if (fits) {
        *made = (mapping){mappings, memory, base, bytes, false};
        mappings = made;
        fake_live_mappings++;
    }
    pthread_mutex_unlock(&lock);
    if (!fits) { free(made); }
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Whether whole mappings make up the range. Under the lock. */
static bool
covers(const char *base, size_t bytes)
{
    size_t covered = 0;
    for (const mapping *m = mappings; m != NULL; m = m->next) {
        if (m->base >= base && m->base + m->bytes <= base + bytes) { covered += m->bytes; }
    }
    return covered == bytes;
}

static void
open_mapping(mapping *made)
{
    if (made->is_open) { return; }
    if (mprotect(made->base, made->bytes, PROT_READ | PROT_WRITE) != 0) {
        fake_die("the host does not open %zu bytes", made->bytes);
    }
    /* Not all of it: the host may have less than the device that it plays. */
    memset(made->base, 0xA5, made->bytes < RUBBISH_BYTES ? made->bytes : RUBBISH_BYTES);
    made->is_open = true;
}

CUresult CUDAAPI
cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (access == NULL || count != 1 || !is_whole(pointer, bytes)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
        fake_die("cuMemSetAccess: only reading and writing is modelled");
    }
    if (access->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        fake_device_at(access->location.id) == NULL) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    const char *base = host_address(pointer);
    pthread_mutex_lock(&lock);
    const bool is_mapped_whole = covers(base, bytes);
    for (mapping *m = mappings; is_mapped_whole && m != NULL; m = m->next) {
        if (m->base >= base && m->base < base + bytes) { open_mapping(m); }
    }
    pthread_mutex_unlock(&lock);
    return is_mapped_whole ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Back to addresses without memory; what was in it is lost. */
static void
end_mapping(mapping *ended)
{
    fake_order_end("cuMemUnmap", ended->base, ended->bytes);
    if (mmap(ended->base, ended->bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
        fake_die("the host does not close %zu bytes", ended->bytes);
    }
    fake_physical_unmap(ended->memory);
    free(ended);
    fake_live_mappings--;
}

CUresult CUDAAPI
cuMemUnmap(CUdeviceptr pointer, size_t bytes)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const char *base = host_address(pointer);
    if (!is_whole(pointer, bytes)) { return CUDA_ERROR_INVALID_VALUE; }
    pthread_mutex_lock(&lock);
    const bool is_mapped_whole = covers(base, bytes);
    mapping **link = &mappings;
    while (is_mapped_whole && *link != NULL) {
        mapping *m = *link;
        if (m->base >= base && m->base < base + bytes) {
            *link = m->next;
            end_mapping(m);
        }
        else {
            link = &m->next;
        }
    }
    pthread_mutex_unlock(&lock);
    return is_mapped_whole ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

char *
fake_mapped_range(CUdeviceptr pointer, size_t bytes)
{
    char *begin = host_address(pointer);
    char *at = begin;
    pthread_mutex_lock(&lock);
    const mapping *m = mappings;
    while (m != NULL && at < begin + bytes) { /* begins anew after each step: any order will do */
        const bool holds = m->is_open && at >= m->base && at < m->base + m->bytes;
        if (holds) { at = m->base + m->bytes; }
        m = holds ? mappings : m->next;
    }
    pthread_mutex_unlock(&lock);
    return bytes > 0 && at >= begin + bytes ? begin : NULL;
}

const fake_device *
fake_mapped_device(CUdeviceptr pointer)
{
    const char *at = host_address(pointer);
    const fake_device *found = NULL;
    pthread_mutex_lock(&lock);
    for (const mapping *m = mappings; m != NULL && found == NULL; m = m->next) {
        const bool holds = at >= m->base && at < m->base + m->bytes;
        if (holds) { found = fake_physical_device(m->memory); }
    }
    pthread_mutex_unlock(&lock);
    return found;
}
