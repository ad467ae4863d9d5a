/* How an arena begins and ends. */
#include "gp_arena_find.h"
#include "gp_arena_tell.h"
#include "gp_capture.h"

/* What the wish comes to on this device, and the memory that it wants at once. */
static gp_status
begin(gp_arena *arena, gp_growth_wish wish, gp_shortage *shortage)
{
    const gp_cuda *cu = arena->context.cu;
    size_t free_bytes = 0;
    size_t total = 0;
    gp_status st = GP_CUDA_CALL(cu, cuMemGetInfo_v2, (&free_bytes, &total));
    if (gp_failed(st)) { return st; }
    st = gp_backing_open(cu, arena->context.device, total, &arena->backing);
    if (gp_failed(st)) { return st; }
    arena->growth = gp_growth_plan(wish, free_bytes, total, arena->backing.page);
    if (arena->growth.initial == 0) { return st; }
    st = gp_arena_add(arena, arena->growth.initial);
    if (gp_arena_is_shortage(st)) { gp_arena_tell(arena, arena->growth.initial, st, shortage); }
    return st;
}

static gp_status
begin_in_context(gp_arena *arena, gp_growth_wish wish, gp_shortage *shortage)
{
    gp_cu_capture_mode before;
    gp_status st = gp_capture_enter(&arena->context, &before);
    if (gp_failed(st)) { return st; }
    st = begin(arena, wish, shortage);
    return gp_first_error(st, gp_capture_leave(&arena->context, before));
}

gp_status
gp_arena_open(const gp_cuda *cu, gp_cu_device device, gp_growth_wish wish, gp_arena *arena,
              gp_shortage *shortage)
{
    *arena = (gp_arena){.backing = {.cu = cu}, .fences = {.cu = cu}};
    *shortage = (gp_shortage){.why = gp_ok(), .device_read = gp_ok()};
    gp_status st = gp_context_retain(cu, device, &arena->context);
    if (gp_failed(st)) { return st; }
    arena->mutex = gp_mutex_new();
    arena->staging = (gp_staging){.context = &arena->context, .mutex = arena->mutex};
    st = arena->mutex == NULL ? gp_fail(GP_NO_MEMORY, 0, "gp_arena_open")
                              : begin_in_context(arena, wish, shortage);
    /* Best effort: the failure that brought us here is the one to tell. */
    if (gp_failed(st)) { (void)gp_arena_close(arena); }
    gp_arena_count(arena);
    return st;
}

/* A driver that has ended has taken everything back already. */
static gp_status
unless_ended(gp_status st)
{
    return st.kind == GP_CUDA && st.code == GP_CU_DEINITIALIZED ? gp_ok() : st;
}

/* Also of an arena that did not open whole. */
gp_status
gp_arena_close(gp_arena *arena)
{
    const gp_cuda *cu = arena->context.cu;
    gp_status entered = gp_context_enter(&arena->context);
    gp_status st = entered;
    if (!gp_failed(entered)) { st = GP_CUDA_CALL(cu, cuCtxSynchronize, ()); }
    st = gp_first_error(st, gp_staging_close(&arena->staging));
    st = gp_first_error(st, gp_fences_close(&arena->fences));
    st = gp_first_error(st, gp_backing_close(&arena->backing));
    if (!gp_failed(entered)) { st = gp_first_error(st, gp_context_leave(&arena->context)); }
    st = gp_first_error(st, gp_context_release(&arena->context));
    gp_blocks_free(&arena->blocks);
    gp_mutex_free(arena->mutex);
    arena->mutex = NULL;
    return unless_ended(st);
}
