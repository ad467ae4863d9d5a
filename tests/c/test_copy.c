#include "device/gp_copy.h"
#include "harness.h"
#include "scripted_cuda.h"

#include <string.h>

static gp_cu_result
copy_in(gp_cu_deviceptr target, const void *source, size_t bytes, gp_cu_stream stream)
{
    ASSERT_INT(1, script.current);
    ASSERT(target == 7 && source != NULL && bytes == 3 && stream == (gp_cu_stream)(uintptr_t)5);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
copy_out(void *target, gp_cu_deviceptr source, size_t bytes, gp_cu_stream stream)
{
    ASSERT_INT(1, script.current);
    ASSERT(source == 7 && stream == (gp_cu_stream)(uintptr_t)5);
    RETURN_IF_FAILING();
    memset(target, 9, bytes);
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_for(gp_cu_stream stream)
{
    ASSERT_INT(1, script.current);
    ASSERT(stream == (gp_cu_stream)(uintptr_t)5);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cuda
copying_table(void)
{
    gp_cuda cu = scripted_cuda_table();
    cu.cuMemcpyHtoDAsync_v2 = copy_in;
    cu.cuMemcpyDtoHAsync_v2 = copy_out;
    cu.cuStreamSynchronize = wait_for;
    return cu;
}

/* Enter, copy, wait, leave: the n-th of them fails, counted after the retain. */
static gp_status
copy_both_ways(size_t fail_at, bool is_in, unsigned char *bytes)
{
    const gp_cuda cu = copying_table();
    const gp_cu_stream stream = (gp_cu_stream)(uintptr_t)5;
    gp_context context;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    script.calls = 0;
    script.fail_at = fail_at;
    gp_status st = is_in ? gp_copy_to_device(&context, 7, bytes, 3, stream)
                         : gp_copy_to_host(&context, bytes, 7, 3, stream);
    script.fail_at = 0;
    ASSERT_INT(0, script.current);
    ASSERT_OK(gp_context_release(&context));
    scripted_cuda_assert_released();
    return st;
}

TEST(copy_is_waited_for_in_the_context_of_the_device)
{
    unsigned char bytes[3] = {0};
    ASSERT_OK(copy_both_ways(0, true, bytes));
    ASSERT_INT(4, (int)script.calls - 1); /* the release is one more */
    ASSERT_OK(copy_both_ways(0, false, bytes));
    ASSERT_INT(9, bytes[0]);
    ASSERT_INT(9, bytes[2]);
}

TEST(copy_tells_the_call_that_failed_and_leaves_the_context)
{
    unsigned char bytes[3] = {0};
    for (size_t i = 1; i <= 4; i++) {
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, copy_both_ways(i, true, bytes));
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, copy_both_ways(i, false, bytes));
    }
}

TEST(copy_is_refused_by_name_where_the_driver_lacks_it)
{
    const gp_cuda cu = scripted_cuda_table();
    unsigned char byte = 0;
    gp_context context;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    ASSERT_FAILED(GP_SYMBOL_MISSING, 0, gp_copy_to_host(&context, &byte, 7, 1, NULL));
    ASSERT_OK(gp_context_release(&context));
    scripted_cuda_assert_released();
}

static int events;

static gp_cu_result
create_event(gp_cu_event *event, unsigned int flags)
{
    ASSERT_INT(GP_CU_EVENT_DISABLE_TIMING, (int)flags);
    RETURN_IF_FAILING();
    *event = (gp_cu_event)(void *)&events;
    events++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
destroy_event(gp_cu_event event)
{
    ASSERT(event == (gp_cu_event)(void *)&events);
    events--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
record_event(gp_cu_event event, gp_cu_stream stream)
{
    ASSERT(event != NULL && stream == (gp_cu_stream)(uintptr_t)5);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_event(gp_cu_stream stream, gp_cu_event event, unsigned int flags)
{
    ASSERT(event != NULL && stream == (gp_cu_stream)(uintptr_t)6 && flags == 0);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

/* Enter, create, record, wait, destroy, leave. */
static gp_status
follow(size_t fail_at)
{
    gp_cuda cu = scripted_cuda_table();
    gp_context context;
    cu.cuEventCreate = create_event;
    cu.cuEventDestroy_v2 = destroy_event;
    cu.cuEventRecord = record_event;
    cu.cuStreamWaitEvent = wait_event;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    script.calls = 0;
    script.fail_at = fail_at;
    gp_status st =
        gp_stream_follow(&context, (gp_cu_stream)(uintptr_t)6, (gp_cu_stream)(uintptr_t)5);
    script.fail_at = 0;
    ASSERT_INT(0, events);
    ASSERT_OK(gp_context_release(&context));
    scripted_cuda_assert_released();
    return st;
}

TEST(stream_follows_another_and_leaves_no_event)
{
    ASSERT_OK(follow(0));
    ASSERT_INT(6, (int)script.calls - 1); /* the release is one more */
    for (size_t i = 1; i <= 6; i++) {
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, follow(i));
    }
}
