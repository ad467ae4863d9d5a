#include "harness.h"
#include "platform/gp_parallel.h"

/* One part for each worker, written by it alone. */
typedef struct parts {
    size_t begin[GP_MAX_WORKERS];
    size_t end[GP_MAX_WORKERS];
    size_t calls[GP_MAX_WORKERS];
} parts;

static void
note(void *context, size_t worker, size_t begin, size_t end)
{
    parts *seen = context;
    seen->begin[worker] = begin;
    seen->end[worker] = end;
    seen->calls[worker]++;
}

/* The parts follow each other without a gap, by the numbers of their workers. */
static void
assert_even(size_t count, size_t workers)
{
    parts seen = {{0}, {0}, {0}};
    size_t used = count < workers ? count : workers;
    size_t next = 0;
    gp_parallel(count, workers, note, &seen);
    for (size_t i = 0; i < GP_MAX_WORKERS; i++) {
        ASSERT_INT(i < used, seen.calls[i]);
        if (i >= used) { continue; }
        size_t size = seen.end[i] - seen.begin[i];
        ASSERT_INT(next, seen.begin[i]);
        ASSERT(size == count / used || size == count / used + 1);
        next = seen.end[i];
    }
    ASSERT_INT(count, next);
}

TEST(parallel_parts_are_even_and_make_up_the_whole)
{
    static const size_t counts[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 1000, 4097, SIZE_MAX};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (size_t workers = 1; workers <= GP_MAX_WORKERS; workers++) {
            assert_even(counts[i], workers);
        }
    }
}

TEST(parallel_takes_no_more_workers_than_there_may_be)
{
    parts seen = {{0}, {0}, {0}};
    gp_parallel(100, 2 * (size_t)GP_MAX_WORKERS, note, &seen);
    ASSERT_INT(100, seen.end[GP_MAX_WORKERS - 1]);
    ASSERT(gp_parallel_workers() >= 1 && gp_parallel_workers() <= GP_MAX_WORKERS);
}
