#include "gp_arena_tell.h"

static size_t
most(size_t a, size_t b)
{
    return a > b ? a : b;
}

void
gp_arena_count(gp_arena *arena)
{
    gp_arena_stats *stats = &arena->stats;
    stats->in_use = arena->blocks.in_use;
    stats->blocks = arena->blocks.used_count;
    stats->reserved = arena->backing.held;
    stats->in_use_peak = most(stats->in_use_peak, stats->in_use);
    stats->reserved_peak = most(stats->reserved_peak, stats->reserved);
}

void
gp_arena_tell(gp_arena *arena, size_t asked, gp_status why, gp_shortage *shortage)
{
    const gp_context *context = &arena->context;
    arena->stats.shortages++;
    shortage->why = why;
    shortage->asked = asked;
    shortage->limit = arena->growth.limit;
    shortage->in_use = arena->blocks.in_use;
    shortage->reserved = arena->backing.held;
    shortage->largest_free = gp_blocks_largest(&arena->blocks);
    shortage->device_read = gp_context_enter(context);
    if (gp_failed(shortage->device_read)) { return; }
    gp_status st = GP_CUDA_CALL(context->cu, cuMemGetInfo_v2,
                                (&shortage->device_free, &shortage->device_total));
    shortage->device_read = gp_first_error(st, gp_context_leave(context));
}
