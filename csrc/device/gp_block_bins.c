#include "gp_block_bins.h"

/* floor(log2(size / GP_BLOCK_UNIT)) */
static unsigned int
bin_of(size_t size)
{
    unsigned int bin = 0;
    for (size_t units = size / GP_BLOCK_UNIT; units > 1; units >>= 1) {
        bin++;
    }
    return bin;
}

void
gp_bins_insert(gp_block_bins *bins, gp_block *block)
{
    gp_block **head = &bins->first[bin_of(block->size)];
    block->previous = NULL;
    block->next = *head;
    if (*head != NULL) { (*head)->previous = block; }
    *head = block;
}

void
gp_bins_remove(gp_block_bins *bins, gp_block *block)
{
    if (block->next != NULL) { block->next->previous = block->previous; }
    if (block->previous != NULL) { block->previous->next = block->next; }
    else {
        bins->first[bin_of(block->size)] = block->next;
    }
    block->next = NULL;
    block->previous = NULL;
}

static bool
is_better(const gp_block *block, const gp_block *best)
{
    if (best == NULL || block->size != best->size) {
        return best == NULL || block->size < best->size;
    }
    return block->address < best->address;
}

gp_block *
gp_bins_find(const gp_block_bins *bins, size_t size, unsigned int lane)
{
    gp_block *best = NULL;
    gp_lanes own = lane == GP_CROWD_LANE ? 0 : GP_LANE(lane);
    /* Whatever a bin holds is smaller than what the next ones hold. */
    for (unsigned int bin = bin_of(size); bin < GP_BLOCK_BINS && best == NULL; bin++) {
        for (gp_block *block = bins->first[bin]; block != NULL; block = block->next) {
            bool may_have = block->size >= size && (block->lanes & ~own) == 0;
            if (may_have && is_better(block, best)) { best = block; }
        }
    }
    return best;
}
