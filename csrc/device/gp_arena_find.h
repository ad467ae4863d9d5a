/* How an arena finds a block: part of gp_arena. The caller holds the arena's lock. */
#ifndef GP_ARENA_FIND_H
#define GP_ARENA_FIND_H

#include "device/gp_arena.h"

/* A block of `size` bytes, a multiple of GP_BLOCK_UNIT, for the stream of `lane`: a free one, or
 * after one remedy after the other. *block is NULL where none helped; `shortage->why` says why. */
gp_status gp_arena_find(gp_arena *arena, size_t size, unsigned int lane, gp_block **block,
                        gp_shortage *shortage);

/* Takes a segment of `size` bytes, whole pages, from the device. That there is none is no failure
 * but a shortage. The context is current, here and below. */
gp_status gp_arena_add(gp_arena *arena, size_t size, gp_shortage *shortage);

/* Takes as much as a block of `size` bytes lacks, or more. */
gp_status gp_arena_grow(gp_arena *arena, size_t size, gp_shortage *shortage);

/* Waits until no free block is worked on. */
gp_status gp_arena_settle(gp_arena *arena);

/* Gives whole free segments back, the last one first, while more than `keep` bytes are held. */
gp_status gp_arena_give_back(gp_arena *arena, size_t keep);

#endif
