/* What an arena does for a caller that must not wait. */
#include "device/gp_arena.h"
#include "harness.h"
#include "scripted_memory.h"

/* Any two addresses: nobody follows them. */
#define STREAM_A ((gp_cu_stream)(void *)&script)
#define STREAM_B ((gp_cu_stream)(void *)&memory)

/* Opens an arena and takes its first block. */
static gp_block *
begin(gp_cuda *cu, gp_arena *arena)
{
    gp_shortage shortage;
    gp_block *first = NULL;
    *cu = scripted_memory_table();
    ASSERT_OK(gp_arena_open(cu, 0, (gp_growth_wish){0, 0}, arena, &shortage));
    ASSERT_OK(gp_arena_alloc(arena, 1000, STREAM_A, &first, &shortage));
    return first;
}

static gp_arena_stats
end(gp_arena *arena)
{
    gp_arena_stats stats;
    gp_arena_stats_read(arena, &stats);
    ASSERT_OK(gp_arena_close(arena));
    scripted_memory_assert_released();
    return stats;
}

TEST(arena_gives_at_once_what_needs_no_driver)
{
    gp_cuda cu;
    gp_arena arena;
    gp_block *first = begin(&cu, &arena);
    size_t calls = script.calls;
    gp_block *second = gp_arena_alloc_at_once(&arena, 1000, STREAM_A);
    ASSERT(second != NULL && second->address != first->address);
    ASSERT(gp_arena_free_at_once(&arena, first));
    ASSERT_INT(calls, script.calls);
    size_t size = second->size;
    gp_arena_stats stats = end(&arena);
    ASSERT_INT(2, stats.allocations);
    ASSERT_INT(1, stats.frees);
    ASSERT_INT((int64_t)size, stats.in_use);
}

TEST(arena_leaves_what_may_need_the_driver_to_those_who_wait)
{
    gp_cuda cu;
    gp_arena arena;
    (void)begin(&cu, &arena);
    size_t calls = script.calls;
    ASSERT(gp_arena_alloc_at_once(&arena, 1000, STREAM_B) ==
           NULL); /* it does not know the stream */
    ASSERT(gp_arena_alloc_at_once(&arena, 64 * MIB, STREAM_A) == NULL); /* more than it holds */
    ASSERT(gp_arena_alloc_at_once(&arena, SIZE_MAX, STREAM_A) == NULL);
    ASSERT_INT(calls, script.calls);
    ASSERT_INT(1, end(&arena).allocations);
}

TEST(arena_does_nothing_at_once_while_somebody_else_is_in_it)
{
    gp_cuda cu;
    gp_arena arena;
    gp_block *block = begin(&cu, &arena);
    gp_mutex_lock(arena.mutex);
    ASSERT(gp_arena_alloc_at_once(&arena, 1000, STREAM_A) == NULL);
    ASSERT(!gp_arena_free_at_once(&arena, block));
    gp_mutex_unlock(arena.mutex);
    ASSERT_INT(1, end(&arena).blocks);
}
