/* How an arena finds a block: part of gp_arena. The caller holds the arena's lock. */
#ifndef GP_ARENA_FIND_H
#define GP_ARENA_FIND_H

#include "device/gp_arena.h"

/* A block of `size` bytes, a multiple of GP_BLOCK_UNIT, for a stream in `lane`: a free one, or
 * after one remedy after the other. */
gp_status gp_arena_find(gp_arena *arena, size_t size, unsigned int lane, gp_block **block);

/* Takes a segment of `size` bytes, whole pages, from the device. The context is current, here and
 * below. */
gp_status gp_arena_add(gp_arena *arena, size_t size);

/* Takes as much as a block of `size` bytes lacks, or more. */
gp_status gp_arena_grow(gp_arena *arena, size_t size);

/* Passes the free blocks on that their streams have done with. Waits for nobody, and fails only
 * where CUDA is lost to the process. */
gp_status gp_arena_ask(gp_arena *arena);

/* Waits until no free block is worked on. GP_CAPTURE where a capture is in the way: what its stream
 * freed stays as it is, and so does the crowd's; all else was waited for. */
gp_status gp_arena_settle(gp_arena *arena);

/* Gives whole free segments back, the last one first, while more than `keep` bytes are held. */
gp_status gp_arena_give_back(gp_arena *arena, size_t keep);

#endif
