#include "device/gp_context.h"
#include "harness.h"
#include "scripted_cuda.h"

TEST(context_is_current_between_enter_and_leave_only)
{
    gp_cuda cu = scripted_cuda_table();
    gp_context context;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    ASSERT_INT(0, script.current);
    ASSERT_OK(gp_context_enter(&context));
    ASSERT_INT(1, script.current);
    ASSERT_OK(gp_context_leave(&context));
    ASSERT_OK(gp_context_release(&context));
    scripted_cuda_assert_released();
}

TEST(context_is_released_once)
{
    gp_cuda cu = scripted_cuda_table();
    gp_context context;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    ASSERT_OK(gp_context_release(&context));
    ASSERT_OK(gp_context_release(&context));
    ASSERT_INT(0, script.retained);
}

TEST(context_that_was_not_retained_is_not_released)
{
    gp_cuda cu = scripted_cuda_table();
    gp_context context;
    script.fail_at = 1;
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, gp_context_retain(&cu, 0, &context));
    ASSERT_OK(gp_context_release(&context));
    ASSERT_INT(0, script.retained);
}

TEST(context_is_released_by_the_older_function_on_an_older_driver)
{
    gp_cuda cu = scripted_cuda_table();
    gp_context context;
    cu.cuDevicePrimaryCtxRelease_v2 = NULL;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    ASSERT_OK(gp_context_release(&context));
    ASSERT_INT(0, script.retained);
}

static gp_cu_result
tell_memory(size_t *free_bytes, size_t *total)
{
    ASSERT_INT(1, script.current);
    RETURN_IF_FAILING();
    *free_bytes = 3;
    *total = 7;
    return GP_CU_SUCCESS;
}

TEST(context_tells_the_devices_memory_and_is_left_again)
{
    gp_cuda cu = scripted_cuda_table();
    gp_context context;
    size_t free_bytes = 0;
    size_t total = 0;
    cu.cuMemGetInfo_v2 = tell_memory;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    ASSERT_OK(gp_context_memory(&context, &free_bytes, &total));
    ASSERT(free_bytes == 3 && total == 7);
    for (size_t i = 1; i <= 3; i++) {
        script.calls = 0;
        script.fail_at = i;
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, gp_context_memory(&context, &free_bytes, &total));
        ASSERT_INT(0, script.current);
    }
    script.fail_at = 0;
    ASSERT_OK(gp_context_release(&context));
    scripted_cuda_assert_released();
}
