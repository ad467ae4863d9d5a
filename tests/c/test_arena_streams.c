/* Many streams in one arena, more than it can tell apart, and streams that are gone. */
#include "arena_fixture.h"

enum { MANY = 3 * GP_MOST_LANES };

/* Any addresses: nobody follows them. */
static char handles[MANY];

#define STREAM(i) ((gp_cu_stream)(void *)&handles[i])

/* Gives each lane to a stream that keeps a block: those that come later have none of their own. */
static void
take_all_lanes(fixture *f)
{
    for (size_t i = 0; i < GP_CROWD_LANE; i++) {
        (void)take(f, GP_BLOCK_UNIT, STREAM(i));
    }
}

TEST(arena_gives_the_lane_of_an_idle_stream_to_another)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 0});
    memory.is_ready = true;
    for (size_t i = 0; i < MANY; i++) {
        unsigned int lane = 0;
        gp_arena_free(&f.arena, take(&f, GP_BLOCK_UNIT, STREAM(i)));
        ASSERT(gp_fences_find(&f.arena.fences, STREAM(i), &lane));
    }
    ASSERT_INT(0, memory.waits + memory.context_waits);
    end(&f);
}

TEST(arena_serves_more_streams_than_it_has_lanes_one_after_the_other)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 0});
    for (size_t i = 0; i < MANY; i++) {
        gp_arena_free(&f.arena, take(&f, MIB, STREAM(i)));
        ASSERT_OK(gp_arena_forget(&f.arena, STREAM(i)));
    }
    ASSERT_INT(MANY, memory.waits);
    ASSERT_INT(32 * MIB, memory.held);
    end(&f);
}

TEST(arena_serves_more_streams_than_it_has_lanes_at_once)
{
    fixture f;
    gp_block *blocks[MANY];
    size_t freed = 0;
    begin(&f, (gp_growth_wish){0, 0});
    for (size_t i = 0; i < MANY; i++) {
        blocks[i] = take(&f, MIB, STREAM(i));
    }
    for (size_t i = 0; i < MANY; i++) {
        gp_arena_free(&f.arena, blocks[i]);
    }
    ASSERT_OK(gp_arena_forget(&f.arena, STREAM(MANY - 1)));
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(0, memory.held);
    ASSERT_INT(GP_CROWD_LANE, memory.waits);
    ASSERT_INT(1, memory.context_waits);
    end(&f);
}

TEST(arena_waits_for_the_context_before_streams_without_a_lane_get_memory_again)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 32 * MIB});
    take_all_lanes(&f);
    memory.is_ready = true; /* whatever an event says, it is none of the crowd's */
    for (int i = 0; i < 3; i++) {
        gp_arena_free(&f.arena, take(&f, 20 * MIB, STREAM(GP_CROWD_LANE + i / 2)));
        ASSERT_INT(i, memory.context_waits);
    }
    end(&f);
}

TEST(arena_shares_a_block_with_any_number_of_streams)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 32 * MIB});
    gp_block *block = take(&f, 32 * MIB, STREAM(0));
    for (size_t i = 0; i < MANY; i++) {
        ASSERT_OK(gp_arena_share(&f.arena, block, STREAM(i)));
    }
    gp_arena_free(&f.arena, block);
    (void)take(&f, 32 * MIB, STREAM(0));
    ASSERT_INT(GP_CROWD_LANE, memory.waits);
    ASSERT_INT(1, memory.context_waits);
    end(&f);
}

/* -- a stream that is gone, though work of it may be on the device ------------------------------
 */

TEST(arena_grows_whatever_has_become_of_a_stream)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 0});
    memory.lost = STREAM(1);
    gp_block *block = take(&f, 32 * MIB, STREAM(0));
    ASSERT_OK(gp_arena_share(&f.arena, block, memory.lost));
    gp_arena_free(&f.arena, block);
    (void)take(&f, 60 * MIB, STREAM(0));
    ASSERT_INT(0, memory.waits + memory.context_waits);
    end(&f);
}

TEST(arena_waits_for_the_context_in_the_place_of_a_stream_that_is_gone)
{
    fixture f;
    size_t freed = 0;
    begin(&f, (gp_growth_wish){0, 32 * MIB});
    memory.lost = STREAM(1);
    gp_block *block = take(&f, 32 * MIB, STREAM(0));
    ASSERT_OK(gp_arena_share(&f.arena, block, memory.lost));
    gp_arena_free(&f.arena, block);
    gp_arena_free(&f.arena, take(&f, 32 * MIB, STREAM(2)));
    ASSERT_INT(1, memory.waits);
    ASSERT_INT(1, memory.context_waits);
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(32 * MIB, freed);
    ASSERT_INT(1, memory.context_waits);
    end(&f);
}

/* -- what is told -------------------------------------------------------------------------------
 */

TEST(arena_tells_no_shortage_where_a_later_remedy_helped)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 64 * MIB});
    gp_arena_free(&f.arena, take(&f, 40 * MIB, STREAM(0)));
    (void)take(&f, 40 * MIB, STREAM(1)); /* the limit is reached first, then it waits */
    ASSERT_INT(1, memory.waits);
    end(&f);
}

TEST(arena_tells_no_shortage_where_the_driver_failed)
{
    fixture f;
    gp_block *block = NULL;
    begin(&f, (gp_growth_wish){0, 64 * MIB});
    gp_arena_free(&f.arena, take(&f, 40 * MIB, STREAM(0)));
    memory.wait_failure = SCRIPTED_CODE;
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE,
                  gp_arena_alloc(&f.arena, 40 * MIB, STREAM(1), &block, &f.shortage));
    ASSERT_OK(f.shortage.why);
    ASSERT_INT(0, f.arena.stats.shortages);
    end(&f);
}
