/* The device memory behind an arena, in segments. Where the device and its driver have virtual
 * memory management, the segments lie end to end in one reserved range of addresses; else each is
 * an allocation of its own, which the driver cannot join with another. What a driver says that it
 * has, it may refuse when it is used: at the first segment the way may still change. */
#ifndef GP_BACKING_H
#define GP_BACKING_H

#include "api/gp_cuda.h"

#include <stdbool.h>

typedef struct gp_segment {
    gp_cu_deviceptr address;
    size_t size;
} gp_segment;

typedef struct gp_backing {
    const gp_cuda *cu;
    gp_cu_device device;
    bool is_virtual;      /* settled by the first segment */
    size_t page;          /* sizes of segments are multiples of it */
    gp_cu_deviceptr base; /* the reserved range; 0: none */
    size_t span;          /* bytes of it */
    gp_segment *segments; /* owned */
    size_t count;
    size_t capacity;
    size_t held; /* bytes of all segments */
} gp_backing;

/* Every function needs the device's context to be current. */

/* Chooses the way and takes no memory yet. `most` is what the arena may ever hold. After a failure
 * there is nothing to close. */
gp_status gp_backing_open(const gp_cuda *cu, gp_cu_device device, size_t most, gp_backing *backing);

/* One more segment, the last one; `size` in whole pages. A failure leaves everything as it was:
 * GP_CUDA 2 (out of memory) where the device has no more. */
gp_status gp_backing_grow(gp_backing *backing, size_t size);

/* Gives a segment back to the device, of virtual memory the last one only. No stream may be working
 * on it. It is gone after a failure, too. */
gp_status gp_backing_shrink(gp_backing *backing, size_t index);

/* Gives everything back. No stream may be working on any of it. */
gp_status gp_backing_close(gp_backing *backing);

/* "vmm", "chunks" */
const char *gp_backing_name(const gp_backing *backing);

#endif
