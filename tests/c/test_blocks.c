#include "alloc_hook.h"
#include "device/gp_blocks.h"
#include "harness.h"

#include <string.h>

#define UNIT GP_BLOCK_UNIT

enum { LANE_A, LANE_B, LANE_C, LANES };

static gp_block *
take(gp_blocks *blocks, size_t units, unsigned int lane)
{
    gp_block *block = NULL;
    ASSERT_OK(gp_blocks_take(blocks, units * UNIT, lane, &block));
    return block;
}

static void
add(gp_blocks *blocks, uint64_t address_units, size_t units, bool extends)
{
    ASSERT_OK(gp_blocks_add(blocks, address_units * UNIT, units * UNIT, extends));
}

static size_t
count_blocks(const gp_blocks *blocks)
{
    size_t count = 0;
    for (const gp_block *block = blocks->first; block != NULL; block = block->after) {
        count++;
    }
    return count;
}

static void
end(gp_blocks *blocks)
{
    gp_blocks_free(blocks);
    ASSERT_INT(0, alloc_live());
}

TEST(blocks_come_from_the_smallest_hole_that_fits)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 100, false);
    gp_block *large = take(&blocks, 30, LANE_A);
    gp_block *wall = take(&blocks, 1, LANE_A);
    gp_block *small = take(&blocks, 10, LANE_A);
    ASSERT(take(&blocks, 59, LANE_A) != NULL);
    gp_blocks_give(&blocks, large, 1);
    gp_blocks_give(&blocks, small, 2);
    ASSERT_INT(31 * UNIT, take(&blocks, 9, LANE_A)->address);
    ASSERT_INT(0, take(&blocks, 11, LANE_A)->address);
    ASSERT_INT(30 * UNIT, wall->address);
    end(&blocks);
}

TEST(blocks_that_were_freed_are_one_again)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 8, false);
    gp_block *parts[4];
    for (size_t i = 0; i < 4; i++) {
        parts[i] = take(&blocks, 2, LANE_A);
    }
    ASSERT(take(&blocks, 1, LANE_A) == NULL);
    const size_t order[] = {1, 3, 2, 0};
    for (size_t i = 0; i < 4; i++) {
        gp_blocks_give(&blocks, parts[order[i]], i);
    }
    ASSERT_INT(1, count_blocks(&blocks));
    ASSERT_INT(0, blocks.in_use);
    ASSERT_INT(8 * UNIT, gp_blocks_largest(&blocks));
    end(&blocks);
}

TEST(blocks_of_separate_ranges_are_never_joined)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 4, false);
    add(&blocks, 4, 4, false);
    ASSERT_INT(4 * UNIT, gp_blocks_largest(&blocks));
    ASSERT(take(&blocks, 5, LANE_A) == NULL);
    gp_block *first = take(&blocks, 4, LANE_A);
    gp_block *second = take(&blocks, 4, LANE_A);
    gp_blocks_give(&blocks, second, 1);
    gp_blocks_give(&blocks, first, 2);
    ASSERT(take(&blocks, 5, LANE_A) == NULL);
    end(&blocks);
}

TEST(blocks_grow_at_the_end_into_the_free_one_there)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 4, true);
    gp_block *used = take(&blocks, 3, LANE_A);
    ASSERT_INT(UNIT, gp_blocks_tail(&blocks));
    add(&blocks, 4, 4, true);
    ASSERT_INT(5 * UNIT, gp_blocks_tail(&blocks));
    gp_blocks_give(&blocks, used, 1);
    ASSERT_INT(5 * UNIT, gp_blocks_tail(&blocks)); /* a stream still works on the rest */
    ASSERT(take(&blocks, 8, LANE_A) == NULL);
    gp_blocks_pass(&blocks, LANE_A, 1);
    ASSERT_INT(8 * UNIT, gp_blocks_tail(&blocks));
    end(&blocks);
}

TEST(blocks_go_to_their_own_stream_at_once_and_to_others_when_it_has_done)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 4, false);
    gp_blocks_give(&blocks, take(&blocks, 4, LANE_A), 1);
    ASSERT(take(&blocks, 4, LANE_B) == NULL);
    ASSERT_INT(GP_LANE(LANE_A), gp_blocks_waiting(&blocks));
    gp_blocks_give(&blocks, take(&blocks, 4, LANE_A), 2);
    gp_blocks_pass(&blocks, LANE_A, 1); /* the event is older than the second free */
    ASSERT(take(&blocks, 4, LANE_B) == NULL);
    gp_blocks_pass(&blocks, LANE_A, 2);
    ASSERT_INT(0, gp_blocks_waiting(&blocks));
    ASSERT(take(&blocks, 4, LANE_B) != NULL);
    end(&blocks);
}

TEST(blocks_used_by_two_streams_wait_for_both)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 4, false);
    gp_block *shared = take(&blocks, 4, LANE_A);
    shared->lanes |= GP_LANE(LANE_B);
    gp_blocks_give(&blocks, shared, 1);
    ASSERT(take(&blocks, 4, LANE_A) == NULL);
    gp_blocks_pass(&blocks, LANE_B, 1);
    ASSERT(take(&blocks, 4, LANE_B) == NULL);
    ASSERT(take(&blocks, 4, LANE_A) != NULL);
    end(&blocks);
}

TEST(blocks_that_the_crowd_freed_go_to_nobody_at_once)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 4, false);
    gp_blocks_give(&blocks, take(&blocks, 4, GP_CROWD_LANE), 1);
    ASSERT(take(&blocks, 4, GP_CROWD_LANE) == NULL);
    ASSERT(take(&blocks, 4, LANE_A) == NULL);
    gp_blocks_pass(&blocks, GP_CROWD_LANE, 1);
    ASSERT(take(&blocks, 4, GP_CROWD_LANE) != NULL);
    end(&blocks);
}

TEST(blocks_in_use_are_not_passed_but_forgotten)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 4, false);
    gp_block *used = take(&blocks, 4, LANE_A);
    gp_blocks_pass(&blocks, LANE_A, 99);
    ASSERT_INT(GP_LANE(LANE_A), gp_blocks_lanes(&blocks));
    ASSERT_INT(GP_LANE(LANE_A), gp_blocks_using(&blocks));
    ASSERT_INT(0, gp_blocks_waiting(&blocks));
    gp_blocks_forget(&blocks, LANE_A);
    ASSERT_INT(0, gp_blocks_lanes(&blocks));
    gp_blocks_give(&blocks, used, 1);
    ASSERT(take(&blocks, 4, LANE_B) != NULL);
    end(&blocks);
}

TEST(blocks_are_removed_only_where_they_are_free_and_last)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    add(&blocks, 0, 4, true);
    add(&blocks, 4, 4, true);
    gp_block *used = take(&blocks, 2, LANE_A);
    ASSERT(!gp_blocks_remove(&blocks, 0, 4 * UNIT)); /* not at the end, and used */
    ASSERT(gp_blocks_remove(&blocks, 4 * UNIT, 4 * UNIT));
    ASSERT(!gp_blocks_remove(&blocks, 0, 4 * UNIT)); /* used */
    gp_blocks_give(&blocks, used, 1);
    ASSERT(!gp_blocks_remove(&blocks, 0, 4 * UNIT)); /* a stream works on it */
    gp_blocks_pass(&blocks, LANE_A, 1);
    ASSERT(gp_blocks_remove(&blocks, 0, 4 * UNIT));
    ASSERT(blocks.first == NULL && blocks.last == NULL);
    add(&blocks, 0, 4, true);
    ASSERT(take(&blocks, 4, LANE_B) != NULL);
    end(&blocks);
}

TEST(blocks_stay_as_they_are_where_the_host_has_no_memory)
{
    gp_blocks blocks = GP_BLOCKS_EMPTY;
    gp_block *block = NULL;
    alloc_fail_at(1);
    ASSERT_FAILED(GP_NO_MEMORY, 0, gp_blocks_add(&blocks, 0, 4 * UNIT, false));
    ASSERT(blocks.first == NULL);
    add(&blocks, 0, 4, false);
    alloc_fail_at(1);
    ASSERT_FAILED(GP_NO_MEMORY, 0, gp_blocks_take(&blocks, UNIT, LANE_A, &block));
    ASSERT(block == NULL);
    ASSERT_INT(0, blocks.in_use);
    ASSERT_INT(4 * UNIT, take(&blocks, 4, LANE_A)->size); /* needs no header */
    end(&blocks);
}

/* -- whatever is done in whatever order ------------------------------------------------------- */

enum { MOST_UNITS = 512, MOST_USED = 64, STEPS = 4000 };

/* What the blocks have to agree with: who owns each unit, 0 for nobody. */
typedef struct model {
    gp_blocks blocks;
    gp_block *used[MOST_USED];
    unsigned char owner[MOST_UNITS];
    size_t units; /* that were added: one range, units 0 .. units - 1 */
    uint64_t moment;
    uint64_t passed[LANES];               /* the latest moment that each lane has passed */
    uint64_t freed_at[MOST_UNITS][LANES]; /* 0: not worked on by that lane since it was added */
    uint64_t random;
} model;

static size_t
draw(model *m, size_t below)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (size_t)(m->random % below);
}

static void
check_list(const model *m)
{
    size_t used = 0;
    uint64_t address = 0;
    const gp_block *before = NULL;
    for (const gp_block *block = m->blocks.first; block != NULL; block = block->after) {
        ASSERT(block->before == before);
        ASSERT_INT(address, block->address);
        ASSERT(block->size > 0 && block->size % UNIT == 0);
        bool is_mergeable =
            before != NULL && !before->is_used && !block->is_used && before->lanes == block->lanes;
        ASSERT(!is_mergeable);
        if (block->is_used) { used += block->size; }
        address += block->size;
        before = block;
    }
    ASSERT(m->blocks.last == before);
    ASSERT_INT(m->units * UNIT, address);
    ASSERT_INT(used, m->blocks.in_use);
}

/* Each free block is in the bins, and nothing else is. */
static void
check_bins(const model *m)
{
    size_t binned = 0;
    size_t is_free = 0;
    for (size_t i = 0; i < GP_BLOCK_BINS; i++) {
        for (const gp_block *block = m->blocks.bins.first[i]; block != NULL; block = block->next) {
            ASSERT(!block->is_used);
            ASSERT(block->size >= UNIT << i && (block->size >> i) < 2 * UNIT);
            binned++;
        }
    }
    for (const gp_block *block = m->blocks.first; block != NULL; block = block->after) {
        is_free += !block->is_used;
    }
    ASSERT_INT(is_free, binned);
}

static void
step_take(model *m)
{
    size_t slot = draw(m, MOST_USED);
    unsigned int lane = (unsigned int)draw(m, LANES);
    if (m->used[slot] != NULL) { return; }
    gp_block *block = take(&m->blocks, 1 + draw(m, 24), lane);
    if (block == NULL) { return; }
    for (size_t unit = block->address / UNIT; unit < (block->address + block->size) / UNIT;
         unit++) {
        ASSERT_INT(0, m->owner[unit]);
        m->owner[unit] = (unsigned char)(slot + 1);
        for (unsigned int other = 0; other < LANES; other++) {
            ASSERT(other == lane || m->freed_at[unit][other] <= m->passed[other]);
        }
    }
    m->used[slot] = block;
}

static void
step_give(model *m)
{
    size_t slot = draw(m, MOST_USED);
    gp_block *block = m->used[slot];
    if (block == NULL) { return; }
    if (draw(m, 4) == 0) { block->lanes |= GP_LANE(draw(m, LANES)); }
    m->moment++;
    for (size_t unit = block->address / UNIT; unit < (block->address + block->size) / UNIT;
         unit++) {
        ASSERT_INT(slot + 1, m->owner[unit]);
        m->owner[unit] = 0;
        for (unsigned int lane = 0; lane < LANES; lane++) {
            if ((block->lanes & GP_LANE(lane)) != 0) { m->freed_at[unit][lane] = m->moment; }
        }
    }
    gp_blocks_give(&m->blocks, block, m->moment);
    m->used[slot] = NULL;
}

static void
step_pass(model *m)
{
    unsigned int lane = (unsigned int)draw(m, LANES);
    uint64_t moment = m->passed[lane] + draw(m, (size_t)(m->moment - m->passed[lane]) + 1);
    m->passed[lane] = moment;
    gp_blocks_pass(&m->blocks, lane, moment);
}

static void
step_size(model *m)
{
    size_t units = 1 + draw(m, 40);
    if (draw(m, 2) == 0) {
        if (units > m->units) { return; }
        size_t address = (m->units - units) * UNIT;
        if (!gp_blocks_remove(&m->blocks, address, units * UNIT)) { return; }
        for (size_t unit = m->units - units; unit < m->units; unit++) {
            ASSERT_INT(0, m->owner[unit]);
            memset(m->freed_at[unit], 0, sizeof(m->freed_at[unit]));
        }
        m->units -= units;
    }
    else if (units <= MOST_UNITS - m->units) {
        add(&m->blocks, m->units, units, true);
        m->units += units;
    }
}

TEST(blocks_never_overlap_and_always_add_up_in_random_sequences)
{
    static void (*const steps[])(model *) = {step_take, step_take, step_give,
                                             step_give, step_pass, step_size};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        static model m;
        memset(&m, 0, sizeof(m));
        m.random = seed * UINT64_C(0x9E3779B97F4A7C15);
        for (size_t i = 0; i < STEPS; i++) {
            steps[draw(&m, sizeof(steps) / sizeof(steps[0]))](&m);
            check_list(&m);
            check_bins(&m);
        }
        end(&m.blocks);
    }
}

TEST(blocks_are_whole_again_when_all_is_freed_and_passed)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        static model m;
        memset(&m, 0, sizeof(m));
        m.random = seed * UINT64_C(0xD1B54A32D192ED03);
        m.units = MOST_UNITS;
        add(&m.blocks, 0, MOST_UNITS, true);
        for (size_t i = 0; i < STEPS; i++) {
            (draw(&m, 2) == 0 ? step_take : step_give)(&m);
        }
        for (size_t i = 0; i < 100 * MOST_USED; i++) {
            step_give(&m);
        }
        for (unsigned int lane = 0; lane < LANES; lane++) {
            gp_blocks_pass(&m.blocks, lane, m.moment);
        }
        ASSERT_INT(1, count_blocks(&m.blocks));
        ASSERT_INT(MOST_UNITS * UNIT, gp_blocks_tail(&m.blocks));
        end(&m.blocks);
    }
}
