/* Drivers that say that they have virtual memory management, and refuse it where it is used. */
#include "arena_fixture.h"

static const gp_growth_wish GROW = {0, 0};

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
        begin_with(&f, GROW);
        ASSERT_TEXT("chunks", backing_of(&f));
        (void)take(&f, MIB, NULL);
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
        (void)take(&f, 40 * MIB, NULL);
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
    begin_with(&f, GROW);
    (void)take(&f, 32 * MIB, NULL);
    f.cu.cuMemCreate = refuse_memory;
    refusal = GP_CU_NOT_SUPPORTED;
    ASSERT_FAILED(GP_CUDA, GP_CU_NOT_SUPPORTED,
                  gp_arena_alloc(&f.arena, MIB, NULL, &block, &f.shortage));
    ASSERT_TEXT("vmm", backing_of(&f));
    end(&f);
}
