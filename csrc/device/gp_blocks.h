/* Which bytes of an arena are taken. Pure: host memory alone, no driver, no clock and no lock.
 *
 * The arena's memory is one or more ranges of addresses, each parted into blocks without gaps. Two
 * free neighbours with the same lanes are one block. */
#ifndef GP_BLOCKS_H
#define GP_BLOCKS_H

#include "base/gp_status.h"
#include "device/gp_block_bins.h"

typedef struct gp_blocks {
    gp_block *first; /* owned, with all that follow */
    gp_block *last;
    gp_block_bins bins; /* the free ones */
    size_t in_use;      /* bytes of the used blocks */
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
