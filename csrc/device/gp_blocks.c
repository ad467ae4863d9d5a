#include "gp_blocks.h"

#include "base/gp_alloc.h"

/* Puts `block` behind `before`, or first where that is NULL. */
static void
link_after(gp_blocks *blocks, gp_block *before, gp_block *block)
{
    block->before = before;
    block->after = before == NULL ? blocks->first : before->after;
    if (before == NULL) { blocks->first = block; }
    else {
        before->after = block;
    }
    if (block->after == NULL) { blocks->last = block; }
    else {
        block->after->before = block;
    }
}

static void
unlink_block(gp_blocks *blocks, gp_block *block)
{
    if (block->before == NULL) { blocks->first = block->after; }
    else {
        block->before->after = block->after;
    }
    if (block->after == NULL) { blocks->last = block->before; }
    else {
        block->after->before = block->before;
    }
    gp_free(block);
}

static bool
ends_range(const gp_block *block)
{
    return block->after == NULL || block->after->starts_range;
}

static bool
is_idle(const gp_block *block)
{
    return !block->is_used && block->lanes == 0;
}

/* Whether the block and the one behind it are to be one. */
static bool
can_merge(const gp_block *block)
{
    if (block->is_used || ends_range(block)) { return false; }
    return !block->after->is_used && block->after->lanes == block->lanes;
}

/* Makes one block of two free neighbours; `block` stays. */
static void
merge(gp_blocks *blocks, gp_block *block)
{
    gp_block *gone = block->after;
    gp_bins_remove(&blocks->bins, block);
    gp_bins_remove(&blocks->bins, gone);
    block->size += gone->size;
    if (gone->freed_at > block->freed_at) { block->freed_at = gone->freed_at; }
    unlink_block(blocks, gone);
    gp_bins_insert(&blocks->bins, block);
}

gp_status
gp_blocks_add(gp_blocks *blocks, uint64_t address, size_t size, bool extends)
{
    gp_block *last = blocks->last;
    gp_block *block = gp_alloc(1, sizeof(*block));
    if (block == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_blocks_add"); }
    *block = (gp_block){.address = address, .size = size};
    block->starts_range = !extends || last == NULL;
    link_after(blocks, last, block);
    gp_bins_insert(&blocks->bins, block);
    if (last != NULL && can_merge(last)) { merge(blocks, last); }
    return gp_ok();
}

/* Cuts a free block that is in no bin; what is over becomes `rest`, which goes into one. */
static void
split(gp_blocks *blocks, gp_block *block, size_t size, gp_block *rest)
{
    *rest = (gp_block){
        .address = block->address + size,
        .size = block->size - size,
        .lanes = block->lanes,
        .freed_at = block->freed_at,
    };
    block->size = size;
    link_after(blocks, block, rest);
    gp_bins_insert(&blocks->bins, rest);
}

gp_status
gp_blocks_take(gp_blocks *blocks, size_t size, unsigned int lane, gp_block **block)
{
    *block = NULL;
    gp_block *found = gp_bins_find(&blocks->bins, size, lane);
    if (found == NULL) { return gp_ok(); }
    gp_block *rest = NULL;
    if (found->size > size) {
        rest = gp_alloc(1, sizeof(*rest));
        if (rest == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_blocks_take"); }
    }
    gp_bins_remove(&blocks->bins, found);
    if (rest != NULL) { split(blocks, found, size, rest); }
    found->is_used = true;
    found->lanes = GP_LANE(lane);
    blocks->in_use += size;
    blocks->used_count++;
    *block = found;
    return gp_ok();
}

void
gp_blocks_give(gp_blocks *blocks, gp_block *block, uint64_t moment)
{
    blocks->in_use -= block->size;
    blocks->used_count--;
    block->is_used = false;
    block->freed_at = moment;
    gp_bins_insert(&blocks->bins, block);
    if (can_merge(block)) { merge(blocks, block); }
    gp_block *before = block->before;
    if (before != NULL && can_merge(before)) { merge(blocks, before); }
}

static void
merge_all(gp_blocks *blocks)
{
    for (gp_block *block = blocks->first; block != NULL; block = block->after) {
        while (can_merge(block)) {
            merge(blocks, block);
        }
    }
}

void
gp_blocks_pass(gp_blocks *blocks, unsigned int lane, uint64_t moment)
{
    for (gp_block *block = blocks->first; block != NULL; block = block->after) {
        if (!block->is_used && block->freed_at <= moment) { block->lanes &= ~GP_LANE(lane); }
    }
    merge_all(blocks);
}

void
gp_blocks_forget(gp_blocks *blocks, unsigned int lane)
{
    for (gp_block *block = blocks->first; block != NULL; block = block->after) {
        block->lanes &= ~GP_LANE(lane);
    }
    merge_all(blocks);
}

/* The idle block at the end of a range that has all of these bytes at its own end. */
static gp_block *
find_end(const gp_blocks *blocks, uint64_t address, size_t size)
{
    for (gp_block *block = blocks->last; block != NULL; block = block->before) {
        if (address >= block->address && address - block->address < block->size) {
            bool is_whole = address - block->address + size == block->size;
            return is_whole && is_idle(block) && ends_range(block) ? block : NULL;
        }
    }
    return NULL;
}

bool
gp_blocks_remove(gp_blocks *blocks, uint64_t address, size_t size)
{
    gp_block *block = find_end(blocks, address, size);
    if (block == NULL) { return false; }
    gp_bins_remove(&blocks->bins, block);
    if (block->size == size) { unlink_block(blocks, block); }
    else {
        block->size -= size;
        gp_bins_insert(&blocks->bins, block);
    }
    return true;
}

gp_lanes
gp_blocks_waiting(const gp_blocks *blocks)
{
    gp_lanes lanes = 0;
    for (const gp_block *block = blocks->first; block != NULL; block = block->after) {
        if (!block->is_used) { lanes |= block->lanes; }
    }
    return lanes;
}

gp_lanes
gp_blocks_using(const gp_blocks *blocks)
{
    gp_lanes lanes = 0;
    for (const gp_block *block = blocks->first; block != NULL; block = block->after) {
        if (block->is_used) { lanes |= block->lanes; }
    }
    return lanes;
}

gp_lanes
gp_blocks_lanes(const gp_blocks *blocks)
{
    return gp_blocks_waiting(blocks) | gp_blocks_using(blocks);
}

size_t
gp_blocks_largest(const gp_blocks *blocks)
{
    size_t largest = 0;
    for (const gp_block *block = blocks->first; block != NULL; block = block->after) {
        if (!block->is_used && block->size > largest) { largest = block->size; }
    }
    return largest;
}

size_t
gp_blocks_tail(const gp_blocks *blocks)
{
    return blocks->last != NULL && is_idle(blocks->last) ? blocks->last->size : 0;
}

void
gp_blocks_free(gp_blocks *blocks)
{
    for (gp_block *block = blocks->first; block != NULL;) {
        gp_block *after = block->after;
        gp_free(block);
        block = after;
    }
    *blocks = GP_BLOCKS_EMPTY;
}
