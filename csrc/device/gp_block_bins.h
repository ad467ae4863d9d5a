/* The free blocks of an arena, by size: part of gp_blocks. */
#ifndef GP_BLOCK_BINS_H
#define GP_BLOCK_BINS_H

#include "device/gp_blocks.h"

void gp_bins_insert(gp_blocks *blocks, gp_block *block);

void gp_bins_remove(gp_blocks *blocks, gp_block *block);

/* The smallest block of at least `size` bytes that a stream in `lane` may have: that waits for no
 * other one. Of equal ones the one at the lowest address. NULL: none. */
gp_block *gp_bins_find(const gp_blocks *blocks, size_t size, unsigned int lane);

#endif
