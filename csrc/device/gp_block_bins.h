/* Free blocks by size: in bin i are those of 2^i units and more. It owns none of them. */
#ifndef GP_BLOCK_BINS_H
#define GP_BLOCK_BINS_H

#include "device/gp_block.h"

enum { GP_BLOCK_BINS = 64 };

typedef struct gp_block_bins {
    gp_block *first[GP_BLOCK_BINS];
} gp_block_bins;

void gp_bins_insert(gp_block_bins *bins, gp_block *block);

void gp_bins_remove(gp_block_bins *bins, gp_block *block);

/* The smallest block of at least `size` bytes that a stream in `lane` may have: that waits for no
 * other one. Of equal ones the one at the lowest address. NULL: none. */
gp_block *gp_bins_find(const gp_block_bins *bins, size_t size, unsigned int lane);

#endif
