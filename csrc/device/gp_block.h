/* A piece of an arena's memory, in use or free.
 *
 * A free one may still be worked on by the streams that used it: `lanes` has a bit for each. A
 * stream works in order, so it may have such a block again at once if no other stream is in
 * `lanes`; everybody may when `lanes` is 0. What a stream of the crowd freed no other one of the
 * crowd may have at once. */
#ifndef GP_BLOCK_H
#define GP_BLOCK_H

#include "device/gp_lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sizes and addresses are multiples of it. cuBLASLt's kernels want 256 at least. */
#define GP_BLOCK_UNIT ((size_t)512)

typedef struct gp_block {
    uint64_t address;
    size_t size;
    struct gp_block *before; /* in the order of ranges and addresses */
    struct gp_block *after;
    struct gp_block *previous; /* in the list of free blocks of about this size */
    struct gp_block *next;
    gp_lanes lanes;    /* streams whose work on it is not known to be done */
    uint64_t freed_at; /* the moment of the latest free of any of its bytes */
    bool is_used;
    bool starts_range; /* `before` is no neighbour in memory */
} gp_block;

#endif
