/* What an arena says of itself: part of gp_arena. The caller holds the arena's lock. */
#ifndef GP_ARENA_TELL_H
#define GP_ARENA_TELL_H

#include "device/gp_arena.h"

/* Brings the statistics up to what blocks and backing are now. */
void gp_arena_count(gp_arena *arena);

/* Fills `shortage` for a request of so many bytes that was not served; `why` says why. */
void gp_arena_tell(gp_arena *arena, size_t asked, gp_status why, gp_shortage *shortage);

#endif
