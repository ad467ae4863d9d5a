#include "gp_arena.h"

#include "gp_arena_find.h"
#include "gp_arena_tell.h"
#include "gp_capture.h"

/* Which lanes are in use is asked only where a new stream comes. */
static bool
find_lane(gp_arena *arena, gp_cu_stream stream, unsigned int *lane)
{
    return gp_fences_find(&arena->fences, stream, lane) ||
           gp_fences_join(&arena->fences, stream, gp_blocks_lanes(&arena->blocks), lane);
}

/* The lane of a stream: one of its own, if need be that of a stream that has done with all that it
 * freed, or the crowd's. */
static gp_status
join_stream(gp_arena *arena, gp_cu_stream stream, unsigned int *lane)
{
    if (find_lane(arena, stream, lane)) { return gp_ok(); }
    gp_cu_capture_mode before;
    gp_status st = gp_capture_enter(&arena->context, &before);
    if (gp_failed(st)) { return st; }
    st = gp_arena_ask(arena);
    st = gp_first_error(st, gp_capture_leave(&arena->context, before));
    if (!gp_failed(st) && !find_lane(arena, stream, lane)) { *lane = GP_CROWD_LANE; }
    return st;
}

/* What a block of so many bytes takes; 0: more than a number holds. */
static size_t
block_size(size_t size)
{
    return gp_round_up(size == 0 ? 1 : size, GP_BLOCK_UNIT);
}

bool
gp_arena_is_shortage(gp_status st)
{
    return st.kind == GP_LIMIT || (st.kind == GP_CUDA && st.code == GP_CU_OUT_OF_MEMORY);
}

/* Under the lock. `size` is as asked for. */
static gp_status
allocate(gp_arena *arena, size_t size, gp_cu_stream stream, gp_block **block)
{
    unsigned int lane = 0;
    size_t rounded = block_size(size);
    if (rounded == 0) { return gp_fail(GP_LIMIT, 0, "gp_arena_alloc"); }
    gp_status st = join_stream(arena, stream, &lane);
    if (!gp_failed(st)) { st = gp_arena_find(arena, rounded, lane, block); }
    if (!gp_failed(st)) { arena->stats.allocations++; }
    return st;
}

gp_status
gp_arena_alloc(gp_arena *arena, size_t size, gp_cu_stream stream, gp_block **block,
               gp_shortage *shortage)
{
    *block = NULL;
    *shortage = (gp_shortage){.why = gp_ok(), .device_read = gp_ok()};
    gp_mutex_lock(arena->mutex);
    gp_status st = allocate(arena, size, stream, block);
    if (gp_arena_is_shortage(st)) { gp_arena_tell(arena, size, st, shortage); }
    gp_arena_count(arena);
    gp_mutex_unlock(arena->mutex);
    return st;
}

gp_block *
gp_arena_alloc_at_once(gp_arena *arena, size_t size, gp_cu_stream stream)
{
    gp_block *block = NULL;
    unsigned int lane = 0;
    size_t rounded = block_size(size);
    if (rounded == 0 || !gp_mutex_try_lock(arena->mutex)) { return NULL; }
    if (gp_fences_find(&arena->fences, stream, &lane) &&
        !gp_failed(gp_blocks_take(&arena->blocks, rounded, lane, &block)) && block != NULL) {
        arena->stats.allocations++;
        gp_arena_count(arena);
    }
    gp_mutex_unlock(arena->mutex);
    return block;
}

/* Under the lock. */
static void
take_back(gp_arena *arena, gp_block *block)
{
    arena->moment++;
    gp_blocks_give(&arena->blocks, block, arena->moment);
    arena->stats.frees++;
    gp_arena_count(arena);
}

void
gp_arena_free(gp_arena *arena, gp_block *block)
{
    gp_mutex_lock(arena->mutex);
    take_back(arena, block);
    gp_mutex_unlock(arena->mutex);
}

bool
gp_arena_free_at_once(gp_arena *arena, gp_block *block)
{
    if (!gp_mutex_try_lock(arena->mutex)) { return false; }
    take_back(arena, block);
    gp_mutex_unlock(arena->mutex);
    return true;
}

gp_status
gp_arena_share(gp_arena *arena, gp_block *block, gp_cu_stream stream)
{
    unsigned int lane = 0;
    gp_mutex_lock(arena->mutex);
    gp_status st = join_stream(arena, stream, &lane);
    if (!gp_failed(st)) { block->lanes |= GP_LANE(lane); }
    gp_mutex_unlock(arena->mutex);
    return st;
}

/* Under the lock: the host waits for the stream, and nothing waits for it from then on. */
static gp_status
wait_and_leave(gp_arena *arena, unsigned int lane)
{
    gp_cu_capture_mode before;
    gp_status st = gp_capture_enter(&arena->context, &before);
    if (gp_failed(st)) { return st; }
    st = gp_fences_wait(&arena->fences, lane, arena->moment);
    st = gp_first_error(st, gp_capture_leave(&arena->context, before));
    if (gp_failed(st)) { return st; }
    gp_blocks_forget(&arena->blocks, lane);
    gp_fences_leave(&arena->fences, lane);
    return st;
}

gp_status
gp_arena_forget(gp_arena *arena, gp_cu_stream stream)
{
    unsigned int lane = 0;
    gp_mutex_lock(arena->mutex);
    bool is_known = gp_fences_find(&arena->fences, stream, &lane);
    gp_status st = is_known ? wait_and_leave(arena, lane) : gp_ok();
    gp_mutex_unlock(arena->mutex);
    return st;
}

gp_status
gp_arena_synchronize(gp_arena *arena)
{
    gp_status st = gp_context_enter(&arena->context);
    if (gp_failed(st)) { return st; }
    gp_mutex_lock(arena->mutex);
    st = gp_fences_check(&arena->fences, gp_blocks_using(&arena->blocks));
    gp_mutex_unlock(arena->mutex);
    if (!gp_failed(st)) { st = GP_CUDA_CALL(arena->context.cu, cuCtxSynchronize, ()); }
    return gp_first_error(st, gp_context_leave(&arena->context));
}

gp_status
gp_arena_trim(gp_arena *arena, size_t keep, size_t *freed)
{
    gp_mutex_lock(arena->mutex);
    size_t held = arena->backing.held;
    gp_cu_capture_mode before;
    gp_status st = gp_capture_enter(&arena->context, &before);
    if (!gp_failed(st)) {
        st = gp_arena_settle(arena);
        if (!gp_failed(st) || st.kind == GP_CAPTURE) { st = gp_arena_give_back(arena, keep); }
        st = gp_first_error(st, gp_capture_leave(&arena->context, before));
    }
    *freed = held - arena->backing.held;
    gp_arena_count(arena);
    gp_mutex_unlock(arena->mutex);
    return st;
}

void
gp_arena_stats_read(gp_arena *arena, gp_arena_stats *stats)
{
    gp_mutex_lock(arena->mutex);
    *stats = arena->stats;
    stats->backing = gp_backing_name(&arena->backing);
    stats->limit = arena->growth.limit;
    stats->largest_free = gp_blocks_largest(&arena->blocks);
    gp_mutex_unlock(arena->mutex);
}

void
gp_arena_reset_peak(gp_arena *arena)
{
    gp_mutex_lock(arena->mutex);
    arena->stats.in_use_peak = arena->stats.in_use;
    arena->stats.reserved_peak = arena->stats.reserved;
    gp_mutex_unlock(arena->mutex);
}
