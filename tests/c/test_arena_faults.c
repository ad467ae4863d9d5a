/* Whatever call fails, of the driver or for memory of the host: nothing leaks, and what is not
 * broken goes on. */
#include "alloc_hook.h"
#include "device/gp_arena.h"
#include "harness.h"
#include "scripted_memory.h"

#define STREAM_A ((gp_cu_stream)(void *)&script)
#define STREAM_B ((gp_cu_stream)(void *)&memory)

/* A little of everything; the first failure. Blocks that it does not free go with the arena. */
static gp_status
use(gp_arena *arena)
{
    gp_shortage shortage;
    gp_block *first = NULL;
    gp_block *second = NULL;
    gp_block *third = NULL;
    size_t freed = 0;
    gp_status st = gp_arena_alloc(arena, 32 * MIB, STREAM_A, &first, &shortage);
    if (gp_failed(st)) { return st; }
    gp_arena_free(arena, first);
    st = gp_arena_alloc(arena, 31 * MIB, STREAM_B, &second, &shortage);
    if (gp_failed(st)) { return st; }
    st = gp_arena_share(arena, second, STREAM_A);
    if (gp_failed(st)) { return st; }
    st = gp_arena_alloc(arena, 32 * MIB, STREAM_B, &third, &shortage); /* waits for A */
    if (gp_failed(st)) { return st; }
    gp_arena_free(arena, second);
    gp_arena_free(arena, third);
    st = gp_arena_forget(arena, STREAM_B);
    if (gp_failed(st)) { return st; }
    return gp_arena_trim(arena, 0, &freed);
}

static gp_status
live(const gp_cuda *cu)
{
    gp_arena arena;
    gp_shortage shortage;
    gp_status st = gp_arena_open(cu, 0, (gp_growth_wish){0.01, 64 * MIB}, &arena, &shortage);
    if (gp_failed(st)) { return st; }
    st = use(&arena);
    return gp_first_error(st, gp_arena_close(&arena));
}

static void
let_each_driver_call_fail(void)
{
    gp_cuda cu = scripted_memory_table();
    ASSERT_OK(live(&cu));
    size_t calls = script.calls;
    ASSERT(calls > 30);
    for (size_t n = 1; n <= calls; n++) {
        script.calls = 0;
        script.fail_at = n;
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, live(&cu));
        scripted_memory_assert_released();
    }
}

TEST(arena_leaks_nothing_whichever_driver_call_fails)
{
    let_each_driver_call_fail();
}

TEST(arena_of_chunks_leaks_nothing_whichever_driver_call_fails)
{
    memory.is_virtual = false;
    let_each_driver_call_fail();
}

static void
let_each_allocation_fail(void)
{
    gp_cuda cu = scripted_memory_table();
    for (size_t n = 1;; n++) {
        alloc_fail_at(n);
        gp_status st = live(&cu);
        if (!alloc_has_failed()) { break; }
        ASSERT_FAILED(GP_NO_MEMORY, 0, st);
        alloc_fail_at(0);
        scripted_memory_assert_released();
        ASSERT(n < 1000);
    }
}

TEST(arena_leaks_nothing_whichever_allocation_fails)
{
    let_each_allocation_fail();
}

TEST(arena_of_chunks_leaks_nothing_whichever_allocation_fails)
{
    memory.is_virtual = false;
    let_each_allocation_fail();
}

static gp_cu_result
is_gone(gp_cu_context context)
{
    (void)context;
    return GP_CU_DEINITIALIZED;
}

TEST(arena_ends_in_peace_after_the_driver)
{
    gp_cuda cu = scripted_memory_table();
    gp_arena arena;
    gp_shortage shortage;
    ASSERT_OK(gp_arena_open(&cu, 0, (gp_growth_wish){0, 0}, &arena, &shortage));
    cu.cuCtxPushCurrent_v2 = is_gone;
    ASSERT_OK(gp_arena_close(&arena));
    ASSERT_INT(0, alloc_live());
}

/* Another process takes memory between the question and the answer. */
static gp_cu_result
get_info_of_a_moment_ago(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = memory.total;
    *total_bytes = memory.total;
    return GP_CU_SUCCESS;
}

TEST(arena_that_cannot_take_its_fraction_does_not_begin)
{
    gp_cuda cu = scripted_memory_table();
    gp_arena arena;
    gp_shortage shortage;
    cu.cuMemGetInfo_v2 = get_info_of_a_moment_ago;
    memory.others = 600 * MIB;
    ASSERT_FAILED(GP_CUDA, GP_CU_OUT_OF_MEMORY,
                  gp_arena_open(&cu, 0, (gp_growth_wish){0.5, 0}, &arena, &shortage));
    ASSERT_INT(512 * MIB, shortage.asked);
    scripted_memory_assert_released();
}

TEST(arena_keeps_a_block_that_it_could_not_hand_out)
{
    gp_cuda cu = scripted_memory_table();
    gp_arena arena;
    gp_shortage shortage;
    gp_block *block = NULL;
    ASSERT_OK(gp_arena_open(&cu, 0, (gp_growth_wish){0, 0}, &arena, &shortage));
    script.fail_at = script.calls + 6; /* push, create, map, release, open; then the pop */
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, gp_arena_alloc(&arena, MIB, NULL, &block, &shortage));
    ASSERT(block == NULL);
    ASSERT_INT(0, arena.stats.in_use);
    ASSERT_OK(gp_arena_close(&arena));
    scripted_memory_assert_released();
}

TEST(arena_goes_on_after_a_failure_that_passes)
{
    gp_cuda cu = scripted_memory_table();
    gp_arena arena;
    gp_shortage shortage;
    gp_block *block = NULL;
    ASSERT_OK(gp_arena_open(&cu, 0, (gp_growth_wish){0, 0}, &arena, &shortage));
    script.fail_at = script.calls + 2; /* the push, then cuMemCreate */
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, gp_arena_alloc(&arena, MIB, NULL, &block, &shortage));
    ASSERT_OK(gp_arena_alloc(&arena, MIB, NULL, &block, &shortage));
    gp_arena_free(&arena, block);
    ASSERT_OK(gp_arena_close(&arena));
    scripted_memory_assert_released();
}
