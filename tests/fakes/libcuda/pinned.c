#include "pinned.h"
#include "capture.h"

#include "order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct pinned {
    struct pinned *next;
    char *base;
    size_t bytes;
    CUdevice device;
} pinned;

typedef struct transfer {
    struct transfer *next;
    char *host;
    char *image; /* what left, or what is to arrive */
    size_t bytes;
    bool arrives;
    fake_clock moment;
} transfer;

static pinned *all;         /* both under `lock` */
static transfer *transfers; /* in the order in which they were given */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_size_t fake_live_pinned;

CUresult CUDAAPI
cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const CUresult allowed = fake_capture_allows();
    if (allowed != CUDA_SUCCESS) { return allowed; }
    if (memory == NULL || bytes == 0) { return CUDA_ERROR_INVALID_VALUE; }
    if (flags != 0) { fake_die("cuMemHostAlloc: only flags 0 are modelled"); }
    pinned *made = malloc(sizeof *made);
    char *base = malloc(bytes);
    if (made == NULL || base == NULL) { fake_die("the host has no %zu bytes to pin", bytes); }
    memset(base, 0xA5, bytes);
    pthread_mutex_lock(&lock);
    *made = (pinned){all, base, bytes, fake_current()->device};
    all = made;
    pthread_mutex_unlock(&lock);
    fake_live_pinned++;
    *memory = base;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemFreeHost(void *memory)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    pthread_mutex_lock(&lock);
    pinned **link = &all;
    while (*link != NULL && (*link)->base != memory) {
        link = &(*link)->next;
    }
    pinned *found = *link;
    if (found != NULL) { *link = found->next; }
    pthread_mutex_unlock(&lock);
    if (found == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    fake_order_end(__func__, found->base, found->bytes);
    free(found->base);
    free(found);
    fake_live_pinned--;
    return CUDA_SUCCESS;
}

bool
fake_pinned_by(const void *host, CUdevice *device)
{
    const char *at = host;
    bool is_pinned = false;
    pthread_mutex_lock(&lock);
    for (const pinned *p = all; p != NULL && !is_pinned; p = p->next) {
        is_pinned = at >= p->base && at < p->base + p->bytes;
        if (is_pinned) { *device = p->device; }
    }
    pthread_mutex_unlock(&lock);
    return is_pinned;
}

bool
fake_is_pinned(const void *host)
{
    CUdevice device = 0;
    return fake_pinned_by(host, &device);
}

static void
add_transfer(size_t lane, char *host, size_t bytes, bool arrives)
{
    transfer *made = malloc(sizeof *made);
    char *image = malloc(bytes);
    if (made == NULL || image == NULL) { fake_die("no memory to remember a copy"); }
    memcpy(image, host, bytes);
    if (arrives) { memset(host, 0xDB, bytes); } /* nothing to rely on yet */
    fake_order_use(lane, host, bytes, arrives);
    const fake_clock moment = fake_order_now(lane);
    *made = (transfer){NULL, host, image, bytes, arrives, moment};
    pthread_mutex_lock(&lock);
    transfer **end = &transfers;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = made;
    pthread_mutex_unlock(&lock);
}

void
fake_pinned_leaves(size_t lane, const void *host, size_t bytes)
{
    add_transfer(lane, (char *)(uintptr_t)host, bytes, false);
}

void
fake_pinned_arrives(size_t lane, void *host, size_t bytes)
{
    add_transfer(lane, host, bytes, true);
}

static void
settle(const transfer *done)
{
    if (done->arrives) { memcpy(done->host, done->image, done->bytes); }
    else if (memcmp(done->host, done->image, done->bytes) != 0) {
        fake_die("pinned memory at %p was written before the copy from it was done",
                 (void *)done->host);
    }
}

void
fake_pinned_settle(void)
{
    pthread_mutex_lock(&lock);
    transfer **link = &transfers;
    while (*link != NULL) {
        transfer *each = *link;
        if (!fake_order_is_done(&each->moment)) {
            link = &each->next;
            continue;
        }
        settle(each);
        *link = each->next;
        free(each->image);
        free(each);
    }
    pthread_mutex_unlock(&lock);
}
