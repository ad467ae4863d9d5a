/* For the thread sanitizer: many threads, one arena. */
#include "device/gp_arena.h"
#include "harness.h"
#include "platform/gp_parallel.h"
#include "scripted_memory.h"

enum { WORKERS = 4, ROUNDS = 400, KEPT = 8 };

typedef struct shared {
    gp_arena arena;
    char streams[WORKERS];
    bool is_right[WORKERS];
} shared;

static bool
overlap(const gp_block *a, const gp_block *b)
{
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

/* Keeps a few blocks, which must not overlap; another thread's cannot be looked at from here. */
static void
work(void *context, size_t worker, size_t begin, size_t end)
{
    shared *own = context;
    gp_cu_stream stream = (gp_cu_stream)(void *)&own->streams[worker];
    gp_block *kept[KEPT] = {NULL};
    gp_shortage shortage;
    gp_arena_stats stats;
    size_t freed = 0;
    bool is_right = true;
    for (size_t i = begin; i < end; i++) {
        gp_block **place = &kept[i % KEPT];
        size_t size = (i * 7919) % (3 * MIB);
        if (*place != NULL && !gp_arena_free_at_once(&own->arena, *place)) {
            gp_arena_free(&own->arena, *place);
        }
        *place = gp_arena_alloc_at_once(&own->arena, size, stream);
        if (*place == NULL) {
            gp_status st = gp_arena_alloc(&own->arena, size, stream, place, &shortage);
            is_right = is_right && !gp_failed(st);
        }
        for (size_t k = 0; k < KEPT; k++) {
            bool is_other = kept[k] != NULL && &kept[k] != place;
            if (is_other && *place != NULL) { is_right = is_right && !overlap(kept[k], *place); }
        }
        gp_arena_stats_read(&own->arena, &stats);
        is_right = is_right && stats.in_use <= stats.reserved;
        if (i % 50 == 0) {
            is_right = is_right && !gp_failed(gp_arena_trim(&own->arena, 0, &freed));
        }
    }
    for (size_t k = 0; k < KEPT; k++) {
        if (kept[k] != NULL) { gp_arena_free(&own->arena, kept[k]); }
    }
    own->is_right[worker] = is_right;
}

TEST(arena_serves_several_threads)
{
    static shared s;
    gp_cuda cu = scripted_memory_table();
    gp_shortage shortage;
    gp_arena_stats stats;
    ASSERT_OK(gp_arena_open(&cu, 0, (gp_growth_wish){0, 0}, &s.arena, &shortage));
    gp_parallel((size_t)WORKERS * ROUNDS, WORKERS, work, &s);
    for (size_t i = 0; i < WORKERS; i++) {
        ASSERT(s.is_right[i]);
    }
    gp_arena_stats_read(&s.arena, &stats);
    ASSERT_INT(0, stats.in_use);
    ASSERT_INT(WORKERS * ROUNDS, stats.allocations);
    ASSERT_INT(WORKERS * ROUNDS, stats.frees);
    ASSERT_OK(gp_arena_close(&s.arena));
    scripted_memory_assert_released();
}
