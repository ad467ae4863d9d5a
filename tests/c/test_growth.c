#include "device/gp_growth.h"
#include "harness.h"

#include <stdint.h>

#define MIB  ((size_t)1 << 20)
#define PAGE (2 * MIB)

static const gp_growth UNLIMITED = {0, (size_t)1 << 40, GP_GROWTH_CHUNK};

TEST(growth_rounds_up_to_whole_pages)
{
    ASSERT_INT(0, gp_round_up(0, PAGE));
    ASSERT_INT(PAGE, gp_round_up(1, PAGE));
    ASSERT_INT(PAGE, gp_round_up(PAGE, PAGE));
    ASSERT_INT(2 * PAGE, gp_round_up(PAGE + 1, PAGE));
    ASSERT_INT(3000, gp_round_up(2001, 1000));
    ASSERT_INT(0, gp_round_up(SIZE_MAX - 1, PAGE));
}

TEST(growth_without_a_wish_takes_nothing_and_ends_at_the_device)
{
    gp_growth growth = gp_growth_plan((gp_growth_wish){0, 0}, 900 * MIB, 1001 * MIB, PAGE);
    ASSERT_INT(0, growth.initial);
    ASSERT_INT(1000 * MIB, growth.limit);
    gp_growth more = gp_growth_plan((gp_growth_wish){0, SIZE_MAX}, 900 * MIB, 1001 * MIB, PAGE);
    ASSERT_INT(1000 * MIB, more.limit);
}

TEST(growth_takes_its_fraction_of_the_free_memory_at_once)
{
    gp_growth growth = gp_growth_plan((gp_growth_wish){0.5, 0}, 801 * MIB, 1000 * MIB, PAGE);
    ASSERT_INT(400 * MIB, growth.initial);
    ASSERT_INT(1000 * MIB, growth.limit);
}

TEST(growth_leaves_headroom_and_keeps_the_limit_when_it_takes_all)
{
    gp_growth all = gp_growth_plan((gp_growth_wish){1, 0}, 800 * MIB, 1000 * MIB, PAGE);
    ASSERT_INT(800 * MIB - GP_GROWTH_HEADROOM, all.initial);
    gp_growth limited = gp_growth_plan((gp_growth_wish){1, 101 * MIB}, 800 * MIB, 1000 * MIB, PAGE);
    ASSERT_INT(100 * MIB, limited.initial);
    ASSERT_INT(100 * MIB, limited.limit);
    gp_growth full = gp_growth_plan((gp_growth_wish){1, 0}, 10 * MIB, 1000 * MIB, PAGE);
    ASSERT_INT(0, full.initial);
}

TEST(growth_steps_by_a_chunk_then_by_a_quarter_then_by_a_gibibyte)
{
    ASSERT_INT(32 * MIB, gp_growth_step(UNLIMITED, 0, PAGE, PAGE));
    ASSERT_INT(32 * MIB, gp_growth_step(UNLIMITED, 128 * MIB, PAGE, PAGE));
    ASSERT_INT(50 * MIB, gp_growth_step(UNLIMITED, 200 * MIB, PAGE, PAGE));
    ASSERT_INT(1024 * MIB, gp_growth_step(UNLIMITED, 8192 * MIB, PAGE, PAGE));
    ASSERT_INT(3000 * MIB, gp_growth_step(UNLIMITED, 8192 * MIB, 3000 * MIB, PAGE));
}

TEST(growth_ends_at_the_limit)
{
    gp_growth growth = {0, 40 * MIB, GP_GROWTH_CHUNK};
    ASSERT_INT(8 * MIB, gp_growth_step(growth, 32 * MIB, PAGE, PAGE));
    ASSERT_INT(8 * MIB, gp_growth_step(growth, 32 * MIB, 8 * MIB, PAGE));
    ASSERT_INT(0, gp_growth_step(growth, 32 * MIB, 10 * MIB, PAGE));
    ASSERT_INT(0, gp_growth_step(growth, 40 * MIB, PAGE, PAGE));
    ASSERT_INT(0, gp_growth_step(growth, 44 * MIB, PAGE, PAGE)); /* the limit came down */
    ASSERT_INT(0, gp_growth_step(growth, 0, 0, PAGE));           /* more than can be said */
}

TEST(growth_step_is_in_whole_pages_whatever_the_page)
{
    for (size_t page = 3000; page < 40 * MIB; page *= 3) {
        size_t step = gp_growth_step(UNLIMITED, 999 * page, page, page);
        ASSERT_INT(0, step % page);
        ASSERT(step >= page);
        while (step > page) {
            size_t next = gp_growth_smaller(step, page, page);
            ASSERT(next < step && next >= page);
            ASSERT_INT(0, next % page);
            step = next;
        }
    }
}
