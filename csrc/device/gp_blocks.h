/* Which bytes of an arena are taken. Pure: host memory alone, no driver, no clock and no lock.
 *
 * The arena's memory is one or more ranges of addresses, each parted into blocks without gaps. A
 * block is in use or free. A free one may still be worked on by the streams that used it: `lanes`
 * has a bit for each. A stream works in order, so it may have such a block again at once if no
 * other stream is in `lanes`; everybody may when `lanes` is 0. Two free neighbours with the same
 * lanes are one block.
 *
 * The last lane is the crowd's: of all streams that have none of their own. They are in no order,
 * so that none of them may have at once what another freed. */
#ifndef GP_BLOCKS_H
#define GP_BLOCKS_H

#include "base/gp_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sizes and addresses are multiples of it. cuBLASLt's kernels want 256 at least. */
#define GP_BLOCK_UNIT ((size_t)512)

enum { GP_MOST_LANES = 64, GP_CROWD_LANE = GP_MOST_LANES - 1, GP_BLOCK_BINS = 64 };

typedef uint64_t gp_lanes;

#define GP_LANE(lane) ((gp_lanes)1 << (lane))

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

typedef struct gp_blocks {
    gp_block *first; /* owned, with all that follow */
    gp_block *last;
    gp_block *bins[GP_BLOCK_BINS]; /* free blocks: bin i holds 2^i units and more */
    size_t in_use;                 /* bytes of the used blocks */
    size_t used_count;
} gp_blocks;

#define GP_BLOCKS_EMPTY ((gp_blocks){.first = NULL})

/* Adds memory that nobody works on; `extends`: right behind the last block, as its neighbour. On
 * failure, which is GP_NO_MEMORY alone, nothing has changed. */
gp_status gp_blocks_add(gp_blocks *blocks, uint64_t address, size_t size, bool extends);

/* Takes the smallest block of at least `size` bytes that a stream in `lane` may have, and cuts it
 * to size. *block is NULL where there is none. On failure (GP_NO_MEMORY) nothing has changed. */
gp_status gp_blocks_take(gp_blocks *blocks, size_t size, unsigned int lane, gp_block **block);

/* Frees a used block. `moment` is not less than at any earlier call. `block` may be gone then. */
void gp_blocks_give(gp_blocks *blocks, gp_block *block, uint64_t moment);

/* The stream of `lane` has done all work on what was freed up to that moment. */
void gp_blocks_pass(gp_blocks *blocks, unsigned int lane, uint64_t moment);

/* The stream of `lane` has done all its work, and will do no more on blocks in use either. */
void gp_blocks_forget(gp_blocks *blocks, unsigned int lane);

/* Takes the bytes out of the arena: true if they are free, unused by any stream and at the end of
 * their range; else nothing has changed. */
bool gp_blocks_remove(gp_blocks *blocks, uint64_t address, size_t size);

/* The streams that free blocks still wait for, those that blocks in use belong to, and both. */
gp_lanes gp_blocks_waiting(const gp_blocks *blocks);
gp_lanes gp_blocks_using(const gp_blocks *blocks);
gp_lanes gp_blocks_lanes(const gp_blocks *blocks);

/* The largest free block, whether or not a stream still works on it. */
size_t gp_blocks_largest(const gp_blocks *blocks);

/* Bytes at the end of the last range that everybody may have. */
size_t gp_blocks_tail(const gp_blocks *blocks);

/* Forgets all blocks. */
void gp_blocks_free(gp_blocks *blocks);

#endif
