/* An arena on the scripted driver's memory. */
#ifndef ARENA_FIXTURE_H
#define ARENA_FIXTURE_H

#include "device/gp_arena.h"
#include "harness.h"
#include "scripted_memory.h"

typedef struct fixture {
    gp_cuda cu;
    gp_arena arena;
    gp_shortage shortage;
} fixture;

/* With the functions that the test has put into `cu`. */
static inline void
begin_with(fixture *f, gp_growth_wish wish)
{
    ASSERT_OK(gp_arena_open(&f->cu, 0, wish, &f->arena, &f->shortage));
    ASSERT_INT(0, script.current);
}

static inline void
begin(fixture *f, gp_growth_wish wish)
{
    f->cu = scripted_memory_table();
    begin_with(f, wish);
}

static inline void
end(fixture *f)
{
    ASSERT_OK(gp_arena_close(&f->arena));
    scripted_memory_assert_released();
}

static inline gp_block *
take(fixture *f, size_t size, gp_cu_stream stream)
{
    gp_block *block = NULL;
    ASSERT_OK(gp_arena_alloc(&f->arena, size, stream, &block, &f->shortage));
    ASSERT(block != NULL && block->size >= size);
    ASSERT_OK(f->shortage.why);
    ASSERT_INT(0, script.current);
    return block;
}

#endif
