#include "gp_arena_find.h"

#include "gp_capture.h"

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
gp_arena_add(gp_arena *arena, size_t size)
{
    gp_status st = gp_backing_grow(&arena->backing, size);
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
gp_arena_grow(gp_arena *arena, size_t size)
{
    size_t page = arena->backing.page;
    size_t want = lacking(arena, size);
    size_t step = gp_growth_step(arena->growth, arena->backing.held, want, page);
    if (step == 0) { return gp_fail(GP_LIMIT, 0, "gp_arena_grow"); }
    gp_status st = gp_arena_add(arena, step);
    while (is_out_of_memory(st) && step > want) {
        step = gp_growth_smaller(step, want, page);
        arena->stats.retries++;
        st = gp_arena_add(arena, step);
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

/* The host waits for the whole context, and with it for every stream that freed anything. */
static gp_status
wait_for_all(gp_arena *arena, gp_lanes waiting)
{
    gp_status st = gp_fences_check(&arena->fences, gp_blocks_using(&arena->blocks));
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(arena->context.cu, cuCtxSynchronize, ());
    if (gp_failed(st)) { return st; }
    for (unsigned int lane = 0; lane < GP_MOST_LANES; lane++) {
        if ((waiting & GP_LANE(lane)) == 0) { continue; }
        gp_blocks_pass(&arena->blocks, lane, arena->moment);
    }
    return st;
}

gp_status
gp_arena_settle(gp_arena *arena)
{
    gp_lanes waiting = gp_blocks_waiting(&arena->blocks);
    gp_lanes left = waiting & GP_LANE(GP_CROWD_LANE);
    gp_status captured = gp_ok();
    for (unsigned int lane = 0; lane < GP_CROWD_LANE; lane++) {
        if ((waiting & GP_LANE(lane)) == 0) { continue; }
        gp_status st = gp_fences_wait(&arena->fences, lane, arena->moment);
        if (gp_is_sticky(st)) { return st; }
        if (st.kind == GP_CAPTURE) { captured = st; }
        else if (gp_failed(st)) {
            left |= GP_LANE(lane);
        }
        else {
            gp_blocks_pass(&arena->blocks, lane, arena->moment);
        }
    }
    return left == 0 || gp_failed(captured) ? captured : wait_for_all(arena, left);
}

/* Whether all that the stream had been given when its fence was set is done. A fence that cannot be
 * set or asked has not passed: the stream may be gone, and what others need does not hang on it. */
static gp_status
ask_stream(gp_arena *arena, unsigned int lane, bool *has_passed)
{
    *has_passed = false;
    gp_status st = gp_fences_set(&arena->fences, lane, arena->moment);
    if (!gp_failed(st)) { st = gp_fences_ask(&arena->fences, lane, has_passed); }
    return gp_is_sticky(st) ? st : gp_ok();
}

gp_status
gp_arena_ask(gp_arena *arena)
{
    gp_lanes waiting = gp_blocks_waiting(&arena->blocks);
    for (unsigned int lane = 0; lane < GP_CROWD_LANE; lane++) {
        bool has_passed = false;
        if ((waiting & GP_LANE(lane)) == 0) { continue; }
        gp_status st = ask_stream(arena, lane, &has_passed);
        if (gp_failed(st)) { return st; }
        if (has_passed) { gp_blocks_pass(&arena->blocks, lane, arena->fences.lanes[lane].moment); }
    }
    return gp_ok();
}

/* The remedies, from the cheapest to the dearest. */

static gp_status
ask_streams(gp_arena *arena, size_t size)
{
    (void)size;
    return gp_arena_ask(arena);
}

/* Separate segments that are free but too small make room for one that is large enough. The end of
 * virtual memory is no obstacle: it is counted already. */
static gp_status
exchange_segments(gp_arena *arena, size_t size)
{
    if (arena->backing.is_virtual) { return gp_ok(); }
    gp_status st = gp_arena_give_back(arena, 0);
    return gp_failed(st) ? st : gp_arena_grow(arena, size);
}

static gp_status
wait_for_streams(gp_arena *arena, size_t size)
{
    (void)size;
    return gp_arena_settle(arena);
}

typedef gp_status (*remedy)(gp_arena *arena, size_t size);

/* A shortage ends the search only where no remedy is left, and what a capture keeps is short as
 * well; any other failure does at once. */
static gp_status
find_with_remedies(gp_arena *arena, size_t size, unsigned int lane, gp_block **block)
{
    static const remedy remedies[] = {
        ask_streams,      gp_arena_grow, exchange_segments,
        wait_for_streams, gp_arena_grow, exchange_segments,
    };
    gp_status lacking_what = gp_fail(GP_LIMIT, 0, "gp_arena_find");
    for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
        gp_status st = remedies[i](arena, size);
        if (gp_arena_is_shortage(st)) { lacking_what = st; }
        else if (gp_failed(st) && st.kind != GP_CAPTURE) {
            return st;
        }
        st = gp_blocks_take(&arena->blocks, size, lane, block);
        if (gp_failed(st) || *block != NULL) { return st; }
    }
    return lacking_what;
}

gp_status
gp_arena_find(gp_arena *arena, size_t size, unsigned int lane, gp_block **block)
{
    gp_status st = gp_blocks_take(&arena->blocks, size, lane, block);
    if (gp_failed(st) || *block != NULL) { return st; }
    gp_cu_capture_mode before;
    st = gp_capture_enter(&arena->context, &before);
    if (gp_failed(st)) { return st; }
    st = find_with_remedies(arena, size, lane, block);
    st = gp_first_error(st, gp_capture_leave(&arena->context, before));
    if (gp_failed(st) && *block != NULL) {
        gp_blocks_give(&arena->blocks, *block, arena->moment);
        *block = NULL;
    }
    return st;
}
