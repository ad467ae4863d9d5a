#include "arena_fixture.h"

/* Any two addresses: nobody follows them. */
#define STREAM_A ((gp_cu_stream)(void *)&script)
#define STREAM_B ((gp_cu_stream)(void *)&memory)

static const gp_growth_wish GROW = {0, 0};

static gp_arena_stats
stats_of(fixture *f)
{
    gp_arena_stats stats;
    gp_arena_stats_read(&f->arena, &stats);
    return stats;
}

TEST(arena_takes_nothing_before_somebody_asks)
{
    fixture f;
    begin(&f, GROW);
    ASSERT_INT(0, memory.held);
    ASSERT_INT(1024 * MIB, stats_of(&f).limit);
    ASSERT_TEXT("vmm", stats_of(&f).backing);
    end(&f);
}

TEST(arena_serves_many_requests_from_one_step)
{
    fixture f;
    begin(&f, GROW);
    for (size_t i = 0; i < 100; i++) {
        (void)take(&f, 1000, STREAM_A);
    }
    gp_arena_stats stats = stats_of(&f);
    ASSERT_INT(32 * MIB, memory.held);
    ASSERT_INT(32 * MIB, stats.reserved);
    ASSERT_INT(1, stats.growths);
    ASSERT_INT(100, stats.blocks);
    ASSERT_INT(100, stats.allocations);
    ASSERT_INT((int64_t)(100 * 2 * GP_BLOCK_UNIT), stats.in_use);
    ASSERT_INT(32 * MIB - stats.in_use, stats.largest_free);
    end(&f);
}

TEST(arena_of_virtual_memory_is_one_range_that_grows_at_its_end)
{
    fixture f;
    begin(&f, GROW);
    gp_block *first = take(&f, 20 * MIB, NULL);
    gp_block *second = take(&f, 30 * MIB, NULL);
    ASSERT_INT(first->address + 20 * MIB, second->address);
    ASSERT_INT(64 * MIB, memory.held);
    for (size_t i = 0; i < 2; i++) {
        ASSERT(memory.pieces[i].is_open && !memory.pieces[i].has_handle);
    }
    end(&f);
}

TEST(arena_gives_each_owner_an_address_even_of_nothing)
{
    fixture f;
    begin(&f, GROW);
    ASSERT(take(&f, 0, NULL)->address != take(&f, 0, NULL)->address);
    end(&f);
}

TEST(arena_takes_its_fraction_at_once)
{
    fixture f;
    memory.others = 24 * MIB;
    begin(&f, (gp_growth_wish){0.5, 0});
    ASSERT_INT(500 * MIB, memory.held);
    (void)take(&f, 500 * MIB, NULL);
    ASSERT_INT(500 * MIB, memory.held);
    end(&f);
}

TEST(arena_tells_its_limit_from_a_full_device)
{
    fixture f;
    gp_block *block = NULL;
    begin(&f, (gp_growth_wish){0, 100 * MIB});
    gp_block *used = take(&f, 90 * MIB, NULL);
    ASSERT_FAILED(GP_LIMIT, 0, gp_arena_alloc(&f.arena, 20 * MIB, NULL, &block, &f.shortage));
    ASSERT(block == NULL);
    ASSERT_INT(1, stats_of(&f).allocations);
    ASSERT_INT(1, stats_of(&f).shortages);
    ASSERT_INT(20 * MIB, f.shortage.asked);
    ASSERT_INT(100 * MIB, f.shortage.limit);
    ASSERT_INT(90 * MIB, f.shortage.in_use);
    ASSERT_INT(90 * MIB, f.shortage.reserved);
    ASSERT_INT(0, f.shortage.largest_free);
    ASSERT_OK(f.shortage.device_read);
    ASSERT_INT(1024 * MIB, f.shortage.device_total);
    ASSERT_INT(934 * MIB, f.shortage.device_free);
    ASSERT_INT(1, stats_of(&f).shortages);
    (void)take(&f, 10 * MIB, NULL); /* the limit itself is allowed */
    gp_arena_free(&f.arena, used);
    (void)take(&f, 90 * MIB, NULL);
    end(&f);
}

TEST(arena_tells_a_full_device_with_what_it_has_left)
{
    fixture f;
    gp_block *block = NULL;
    memory.others = 1000 * MIB;
    begin(&f, GROW);
    ASSERT_FAILED(GP_CUDA, GP_CU_OUT_OF_MEMORY,
                  gp_arena_alloc(&f.arena, 25 * MIB, NULL, &block, &f.shortage));
    ASSERT_INT(24 * MIB, f.shortage.device_free);
    ASSERT_TEXT("cuMemCreate", f.shortage.why.call);
    ASSERT_INT(0, memory.held);
    size_t retries = stats_of(&f).retries;
    (void)take(&f, 24 * MIB, NULL); /* by a smaller step, since 32 MiB are refused */
    ASSERT_INT(retries + 1, stats_of(&f).retries);
    end(&f);
}

TEST(arena_refuses_a_size_that_no_number_holds)
{
    fixture f;
    gp_block *block = NULL;
    begin(&f, GROW);
    for (size_t i = 0; i < 2; i++) {
        ASSERT_FAILED(GP_LIMIT, 0, gp_arena_alloc(&f.arena, SIZE_MAX, NULL, &block, &f.shortage));
        ASSERT_FAILED(
            GP_LIMIT, 0,
            gp_arena_alloc(&f.arena, SIZE_MAX - GP_BLOCK_UNIT, NULL, &block, &f.shortage));
        ASSERT_INT(i * 32 * MIB, memory.most_asked);
        gp_arena_free(&f.arena, take(&f, 1, NULL)); /* then there is free memory, too */
    }
    end(&f);
}

TEST(arena_gives_a_stream_its_own_memory_back_without_asking_the_driver)
{
    fixture f;
    begin(&f, GROW);
    gp_block *first = take(&f, MIB, STREAM_A);
    uint64_t address = first->address;
    size_t calls = script.calls;
    for (size_t i = 0; i < 10; i++) {
        gp_arena_free(&f.arena, first);
        first = take(&f, MIB, STREAM_A);
        ASSERT_INT(address, first->address);
    }
    ASSERT_INT(calls, script.calls);
    end(&f);
}

TEST(arena_gives_memory_to_another_stream_when_an_event_has_passed)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 64 * MIB});
    gp_block *first = take(&f, 32 * MIB, STREAM_A);
    uint64_t address = first->address;
    gp_arena_free(&f.arena, first);
    gp_block *second = take(&f, 32 * MIB, STREAM_B); /* not ready: grows instead */
    ASSERT(second->address != address);
    ASSERT_INT(1, memory.records);
    memory.is_ready = true;
    ASSERT_INT(address, take(&f, 32 * MIB, STREAM_B)->address);
    ASSERT_INT(1, memory.records); /* one event for all that A has freed */
    ASSERT_INT(0, memory.waits);
    end(&f);
}

TEST(arena_gives_away_only_what_was_freed_before_the_event)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 96 * MIB});
    gp_block *early = take(&f, 30 * MIB, STREAM_A);
    (void)take(&f, 2 * MIB, STREAM_A); /* or the two would be one, as young as the younger */
    gp_block *late = take(&f, 32 * MIB, STREAM_A);
    uint64_t early_address = early->address;
    uint64_t late_address = late->address;
    gp_arena_free(&f.arena, early);
    (void)take(&f, 32 * MIB, STREAM_B); /* not ready: records the event, and grows */
    gp_arena_free(&f.arena, late);
    memory.is_ready = true;
    ASSERT_INT(early_address, take(&f, 30 * MIB, STREAM_B)->address);
    ASSERT_INT(1, memory.records);
    ASSERT_INT(late_address, take(&f, 32 * MIB, STREAM_B)->address);
    ASSERT_INT(2, memory.records);
    end(&f);
}

TEST(arena_waits_for_another_stream_before_it_says_no)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 32 * MIB});
    gp_arena_free(&f.arena, take(&f, 32 * MIB, STREAM_A));
    (void)take(&f, 32 * MIB, STREAM_B);
    ASSERT_INT(1, memory.waits);
    end(&f);
}

TEST(arena_waits_for_every_stream_that_shares_a_block)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 32 * MIB});
    gp_block *block = take(&f, 32 * MIB, STREAM_A);
    ASSERT_OK(gp_arena_share(&f.arena, block, STREAM_B));
    gp_arena_free(&f.arena, block);
    (void)take(&f, 32 * MIB, STREAM_A);
    ASSERT_INT(2, memory.waits);
    end(&f);
}

TEST(arena_forgets_a_stream_that_ends)
{
    fixture f;
    begin(&f, (gp_growth_wish){0, 32 * MIB});
    (void)take(&f, 2 * MIB, STREAM_B);
    gp_block *used = take(&f, 14 * MIB, STREAM_A);
    gp_arena_free(&f.arena, take(&f, 16 * MIB, STREAM_A));
    ASSERT_OK(gp_arena_forget(&f.arena, STREAM_A));
    ASSERT_OK(gp_arena_forget(&f.arena, STREAM_A)); /* not known any more */
    ASSERT_INT(1, memory.waits);
    gp_arena_free(&f.arena, used);
    (void)take(&f, 30 * MIB, STREAM_B);
    ASSERT_INT(1, memory.waits);
    end(&f);
}

TEST(arena_trims_whole_segments_from_its_end)
{
    fixture f;
    size_t freed = 1;
    begin(&f, GROW);
    gp_block *first = take(&f, 32 * MIB, NULL);
    gp_block *second = take(&f, 32 * MIB, NULL);
    gp_block *third = take(&f, 32 * MIB, NULL);
    gp_arena_free(&f.arena, first);
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(0, freed);
    gp_arena_free(&f.arena, third);
    ASSERT_OK(gp_arena_trim(&f.arena, 96 * MIB, &freed));
    ASSERT_INT(0, freed);
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(32 * MIB, freed);
    ASSERT_INT(64 * MIB, memory.held);
    gp_arena_free(&f.arena, second);
    ASSERT_OK(gp_arena_trim(&f.arena, 33 * MIB, &freed));
    ASSERT_INT(0, freed); /* a segment more would be below what is to be kept */
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(64 * MIB, freed);
    ASSERT_INT(3, stats_of(&f).shrinks);
    (void)take(&f, MIB, NULL); /* and grows again in the same addresses */
    end(&f);
}

TEST(arena_peaks_begin_anew)
{
    fixture f;
    size_t freed = 0;
    begin(&f, GROW);
    gp_arena_free(&f.arena, take(&f, 40 * MIB, NULL));
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(40 * MIB, stats_of(&f).in_use_peak);
    ASSERT_INT(40 * MIB, stats_of(&f).reserved_peak);
    gp_arena_reset_peak(&f.arena);
    ASSERT_INT(0, stats_of(&f).in_use_peak);
    ASSERT_INT(0, stats_of(&f).reserved_peak);
    (void)take(&f, 8 * MIB, NULL);
    gp_arena_reset_peak(&f.arena); /* at what is in use */
    ASSERT_INT(8 * MIB, stats_of(&f).in_use_peak);
    ASSERT_INT(32 * MIB, stats_of(&f).reserved_peak);
    end(&f);
}

/* -- where the device has no virtual memory management ------------------------------------------
 */

TEST(arena_of_chunks_never_joins_two_of_them)
{
    fixture f;
    gp_block *block = NULL;
    memory.is_virtual = false;
    begin(&f, (gp_growth_wish){0, 64 * MIB});
    ASSERT_TEXT("chunks", stats_of(&f).backing);
    ASSERT_INT(0, memory.reservations);
    gp_block *first = take(&f, 32 * MIB, NULL);
    gp_block *second = take(&f, 20 * MIB, NULL);
    gp_arena_free(&f.arena, first);
    ASSERT_FAILED(GP_LIMIT, 0, gp_arena_alloc(&f.arena, 40 * MIB, NULL, &block, &f.shortage));
    gp_arena_free(&f.arena, second);
    (void)take(&f, 40 * MIB, NULL); /* gives both back for one that is large enough */
    ASSERT_INT(40 * MIB, memory.held);
    end(&f);
}

TEST(arena_of_chunks_trims_any_free_one)
{
    fixture f;
    size_t freed = 0;
    memory.is_virtual = false;
    begin(&f, GROW);
    gp_block *first = take(&f, 32 * MIB, NULL);
    (void)take(&f, 32 * MIB, NULL);
    gp_arena_free(&f.arena, first);
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(32 * MIB, freed);
    end(&f);
}

TEST(arena_of_an_older_driver_uses_chunks)
{
    fixture f;
    gp_shortage shortage;
    f.cu = scripted_memory_table();
    f.cu.cuMemAddressReserve = NULL;
    ASSERT_OK(gp_arena_open(&f.cu, 0, GROW, &f.arena, &shortage));
    ASSERT_TEXT("chunks", stats_of(&f).backing);
    end(&f);
}

TEST(arena_asks_for_the_page_and_does_not_assume_it)
{
    fixture f;
    memory.page = 64 * MIB;
    begin(&f, GROW);
    (void)take(&f, MIB, NULL);
    ASSERT_INT(64 * MIB, memory.held);
    end(&f);
}
