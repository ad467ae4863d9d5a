/* Drivers that say that they have virtual memory management, and refuse it where it is used. */
#include "device/gp_arena.h"
#include "harness.h"
#include "scripted_memory.h"

static const gp_growth_wish GROW = {0, 0};

typedef struct fixture {
    gp_cuda cu;
    gp_arena arena;
    gp_shortage shortage;
} fixture;

/* With the functions that the test has put into `cu`. */
static void
begin(fixture *f, gp_growth_wish wish)
{
    ASSERT_OK(gp_arena_open(&f->cu, 0, wish, &f->arena, &f->shortage));
}

static void
end(fixture *f)
{
    ASSERT_OK(gp_arena_close(&f->arena));
    scripted_memory_assert_released();
}

static void
take(fixture *f, size_t size)
{
    gp_block *block = NULL;
    ASSERT_OK(gp_arena_alloc(&f->arena, size, NULL, &block, &f->shortage));
    ASSERT(block != NULL && block->size >= size);
}

static const char *
backing_of(fixture *f)
{
    gp_arena_stats stats;
    gp_arena_stats_read(&f->arena, &stats);
    return stats.backing;
}

static gp_cu_result refusal;

static gp_cu_result
refuse_addresses(gp_cu_deviceptr *pointer, size_t bytes, size_t alignment, gp_cu_deviceptr hint,
                 unsigned long long flags)
{
    ASSERT(pointer != NULL && bytes > 0 && alignment == 0 && hint == 0 && flags == 0);
    return refusal;
}

static gp_cu_result
refuse_memory(gp_cu_memory *handle, size_t bytes, const gp_cu_memory_kind *kind,
              unsigned long long flags)
{
    ASSERT(handle != NULL && bytes > 0 && kind != NULL && flags == 0);
    return refusal;
}

static gp_cu_result
refuse_to_open(gp_cu_deviceptr pointer, size_t bytes, const gp_cu_access *access, size_t count)
{
    ASSERT(pointer != 0 && bytes > 0 && access != NULL && count == 1);
    return refusal;
}

TEST(arena_whose_driver_has_no_addresses_uses_chunks)
{
    const gp_cu_result codes[] = {GP_CU_NOT_SUPPORTED, GP_CU_OUT_OF_MEMORY};
    for (size_t i = 0; i < 2; i++) {
        fixture f;
        f.cu = scripted_memory_table();
        f.cu.cuMemAddressReserve = refuse_addresses;
        refusal = codes[i];
        begin(&f, GROW);
        ASSERT_TEXT("chunks", backing_of(&f));
        take(&f, MIB);
        end(&f);
    }
}

/* Whether it begins with a block or takes its fraction at once. */
TEST(arena_whose_driver_refuses_what_it_says_it_has_uses_chunks)
{
    for (int i = 0; i < 4; i++) {
        fixture f;
        f.cu = scripted_memory_table();
        if (i % 2 == 0) { f.cu.cuMemCreate = refuse_memory; }
        else {
            f.cu.cuMemSetAccess = refuse_to_open;
        }
        refusal = GP_CU_NOT_SUPPORTED;
        ASSERT_OK(
            gp_arena_open(&f.cu, 0, (gp_growth_wish){i < 2 ? 0 : 0.5, 0}, &f.arena, &f.shortage));
        take(&f, 40 * MIB);
        ASSERT_TEXT("chunks", backing_of(&f));
        ASSERT_INT(0, memory.reservations);
        end(&f);
    }
}

TEST(arena_of_virtual_memory_stays_one_while_anything_lies_in_it)
{
    fixture f;
    gp_block *block = NULL;
    f.cu = scripted_memory_table();
    begin(&f, GROW);
    take(&f, 32 * MIB);
    f.cu.cuMemCreate = refuse_memory;
    refusal = GP_CU_NOT_SUPPORTED;
    ASSERT_FAILED(GP_CUDA, GP_CU_NOT_SUPPORTED,
                  gp_arena_alloc(&f.arena, MIB, NULL, &block, &f.shortage));
    ASSERT_TEXT("vmm", backing_of(&f));
    end(&f);
}
