#include "gp_arena_find.h"

static gp_status
add_segment(gp_arena *arena)
{
    gp_backing *backing = &arena->backing;
    gp_segment made = backing->segments[backing->count - 1];
    gp_status st = gp_blocks_add(&arena->blocks, made.address, made.size, backing->is_virtual);
    if (gp_failed(st)) {
        /* Best effort: the failure that brought us here is the one to tell. */
        (void)gp_backing_shrink(backing, backing->count - 1);
        return st;
    }
    arena->stats.growths++;
    arena->stats.growth_bytes += made.size;
    return st;
}

static bool
is_out_of_memory(gp_status st)
{
    return st.kind == GP_CUDA && st.code == GP_CU_OUT_OF_MEMORY;
}

gp_status
gp_arena_add(gp_arena *arena, size_t size, gp_shortage *shortage)
{
    gp_status st = gp_backing_grow(&arena->backing, size);
    shortage->why = is_out_of_memory(st) ? st : gp_ok();
    if (is_out_of_memory(st)) { return gp_ok(); }
    return gp_failed(st) ? st : add_segment(arena);
}

/* What has to be added for a block of `size` bytes, in whole pages; 0: more than can be said. */
static size_t
lacking(const gp_arena *arena, size_t size)
{
    size_t tail = arena->backing.is_virtual ? gp_blocks_tail(&arena->blocks) : 0;
    return gp_round_up(tail < size ? size - tail : size, arena->backing.page);
}

gp_status
gp_arena_grow(gp_arena *arena, size_t size, gp_shortage *shortage)
{
    size_t page = arena->backing.page;
    size_t want = lacking(arena, size);
    size_t step = gp_growth_step(arena->growth, arena->backing.held, want, page);
    if (step == 0) {
        shortage->why = gp_fail(GP_LIMIT, 0, "gp_arena_grow");
        return gp_ok();
    }
    gp_status st = gp_arena_add(arena, step, shortage);
    while (gp_failed(shortage->why) && !gp_failed(st) && step > want) {
        step = gp_growth_smaller(step, want, page);
        arena->stats.retries++;
        st = gp_arena_add(arena, step, shortage);
    }
    return st;
}

gp_status
gp_arena_give_back(gp_arena *arena, size_t keep)
{
    gp_backing *backing = &arena->backing;
    for (size_t i = backing->count; i-- > 0 && backing->held > keep;) {
        gp_segment segment = backing->segments[i];
        if (segment.size > backing->held - keep) { continue; }
        if (!gp_blocks_remove(&arena->blocks, segment.address, segment.size)) { continue; }
        arena->stats.shrinks++;
        gp_status st = gp_backing_shrink(backing, i);
        if (gp_failed(st)) { return st; }
    }
    return gp_ok();
}

gp_status
gp_arena_settle(gp_arena *arena)
{
    gp_lanes waiting = gp_blocks_waiting(&arena->blocks);
    for (unsigned int lane = 0; lane < GP_MOST_LANES; lane++) {
        if ((waiting & GP_LANE(lane)) == 0) { continue; }
        gp_status st = gp_fences_wait(&arena->fences, lane, arena->moment);
        if (gp_failed(st)) { return st; }
        gp_blocks_pass(&arena->blocks, lane, arena->moment);
    }
    return gp_ok();
}

/* The remedies, from the cheapest to the dearest. */

static gp_status
ask_streams(gp_arena *arena, size_t size, gp_shortage *shortage)
{
    (void)size;
    (void)shortage;
    gp_lanes waiting = gp_blocks_waiting(&arena->blocks);
    for (unsigned int lane = 0; lane < GP_MOST_LANES; lane++) {
        bool has_passed = false;
        if ((waiting & GP_LANE(lane)) == 0) { continue; }
        gp_status st = gp_fences_set(&arena->fences, lane, arena->moment);
        if (gp_failed(st)) { return st; }
        st = gp_fences_ask(&arena->fences, lane, &has_passed);
        if (gp_failed(st)) { return st; }
        if (has_passed) { gp_blocks_pass(&arena->blocks, lane, arena->fences.lanes[lane].moment); }
    }
    return gp_ok();
}

/* Separate segments that are free but too small make room for one that is large enough. The end of
 * virtual memory is no obstacle: it is counted already. */
static gp_status
exchange_segments(gp_arena *arena, size_t size, gp_shortage *shortage)
{
    if (arena->backing.is_virtual) { return gp_ok(); }
    gp_status st = gp_arena_give_back(arena, 0);
    return gp_failed(st) ? st : gp_arena_grow(arena, size, shortage);
}

static gp_status
wait_for_streams(gp_arena *arena, size_t size, gp_shortage *shortage)
{
    (void)size;
    (void)shortage;
    return gp_arena_settle(arena);
}

typedef gp_status (*remedy)(gp_arena *arena, size_t size, gp_shortage *shortage);

static gp_status
find_with_remedies(gp_arena *arena, size_t size, unsigned int lane, gp_block **block,
                   gp_shortage *shortage)
{
    static const remedy remedies[] = {
        ask_streams,      gp_arena_grow, exchange_segments,
        wait_for_streams, gp_arena_grow, exchange_segments,
    };
    gp_status st = gp_ok();
    for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
        st = remedies[i](arena, size, shortage);
        if (!gp_failed(st)) { st = gp_blocks_take(&arena->blocks, size, lane, block); }
        if (gp_failed(st) || *block != NULL) { break; }
    }
    return st;
}

gp_status
gp_arena_find(gp_arena *arena, size_t size, unsigned int lane, gp_block **block,
              gp_shortage *shortage)
{
    gp_status st = gp_blocks_take(&arena->blocks, size, lane, block);
    if (gp_failed(st) || *block != NULL) { return st; }
    st = gp_context_enter(&arena->context);
    if (gp_failed(st)) { return st; }
    st = find_with_remedies(arena, size, lane, block, shortage);
    return gp_first_error(st, gp_context_leave(&arena->context));
}
