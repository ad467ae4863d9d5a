#include "device/gp_copy.h"
#include "harness.h"
#include "scripted_cuda.h"

#include <string.h>

#define STREAM(number) ((gp_cu_stream)(uintptr_t)(number))

static gp_cu_copy_3d asked; /* what cuMemcpy3DAsync was given last */
static int copies_of_one;
static int events;
static int waits; /* of the host, for a stream */

static gp_cu_result
copy_3d(const gp_cu_copy_3d *copy, gp_cu_stream stream)
{
    ASSERT_INT(1, script.current);
    ASSERT(stream == STREAM(5));
    RETURN_IF_FAILING();
    asked = *copy;
    return GP_CU_SUCCESS;
}

static gp_cu_result
copy_piece(gp_cu_deviceptr to, gp_cu_deviceptr from, size_t bytes, gp_cu_stream stream)
{
    ASSERT_INT(1, script.current);
    ASSERT(to == 7 && from == 9 && bytes == 8 && stream == STREAM(5));
    RETURN_IF_FAILING();
    copies_of_one++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
copy_peer(gp_cu_deviceptr to, gp_cu_context to_context, gp_cu_deviceptr from,
          gp_cu_context from_context, size_t bytes, gp_cu_stream stream)
{
    ASSERT_INT(1, script.current);
    ASSERT(to == 7 && from == 9 && bytes == 8 && stream == STREAM(5));
    ASSERT(to_context != NULL && from_context != NULL);
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_for(gp_cu_stream stream)
{
    ASSERT_INT(1, script.current);
    ASSERT(stream == STREAM(5) || stream == STREAM(6));
    RETURN_IF_FAILING();
    waits++;
    return GP_CU_SUCCESS;
}

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
    ASSERT(event != NULL);
    events--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_stream recorded;
static int follows;

static gp_cu_result
record_event(gp_cu_event event, gp_cu_stream stream)
{
    ASSERT(event != NULL);
    RETURN_IF_FAILING();
    recorded = stream;
    return GP_CU_SUCCESS;
}

/* Of 5 and 6 one waits for the other, first 5, then 6. */
static gp_cu_result
wait_event(gp_cu_stream stream, gp_cu_event event, unsigned int flags)
{
    ASSERT(event != NULL && flags == 0);
    RETURN_IF_FAILING();
    ASSERT(stream == (follows == 0 ? STREAM(5) : STREAM(6)));
    ASSERT(recorded == (follows == 0 ? STREAM(6) : STREAM(5)));
    follows++;
    return GP_CU_SUCCESS;
}

typedef enum { TO_HOST, WITHIN, BETWEEN_STREAMS, TO_PEER } direction;

static gp_status
copy_to(direction where, const gp_context *context, gp_rows rows)
{
    char host[64];
    gp_copy_end to = {context, 7, where == TO_PEER ? STREAM(6) : STREAM(5)};
    gp_copy_end from = {context, 9, where == BETWEEN_STREAMS ? STREAM(6) : STREAM(5)};
    if (where == TO_HOST) { return gp_copy_rows_to_host(context, host, 9, rows, STREAM(5)); }
    return where == TO_PEER ? gp_copy_to_peer(to, from, 8) : gp_copy_rows(to, from, rows);
}

/* The n-th call fails, counted after the retain. */
static gp_status
copy(size_t fail_at, direction where, gp_rows rows)
{
    gp_cuda cu = scripted_cuda_table();
    gp_context context;
    cu.cuEventCreate = create_event;
    cu.cuEventDestroy_v2 = destroy_event;
    cu.cuEventRecord = record_event;
    cu.cuStreamWaitEvent = wait_event;
    cu.cuMemcpy3DAsync_v2 = copy_3d;
    cu.cuMemcpyDtoDAsync_v2 = copy_piece;
    cu.cuMemcpyPeerAsync = copy_peer;
    cu.cuStreamSynchronize = wait_for;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    follows = 0;
    waits = 0;
    script.calls = 0;
    script.fail_at = fail_at;
    gp_status st = copy_to(where, &context, rows);
    script.fail_at = 0;
    ASSERT_INT(0, script.current);
    ASSERT_INT(0, events);
    ASSERT_OK(gp_context_release(&context));
    scripted_cuda_assert_released();
    return st;
}

TEST(rows_are_copied_to_where_they_lie_end_to_end)
{
    const gp_rows rows = {2, 3, 8, 32, 5};
    ASSERT_OK(copy(0, TO_HOST, rows));
    ASSERT(asked.from_kind == GP_CU_ON_DEVICE && asked.to_kind == GP_CU_ON_HOST);
    ASSERT(asked.from_device == 9 && asked.to_host != NULL && asked.to_device == 0);
    ASSERT(asked.width == 8 && asked.height == 3 && asked.depth == 2);
    ASSERT(asked.from_pitch == 32 && asked.to_pitch == 8);
    ASSERT(asked.from_height == 5 && asked.to_height == 3);
    ASSERT_OK(copy(0, WITHIN, rows));
    ASSERT(asked.from_kind == GP_CU_ON_DEVICE && asked.to_kind == GP_CU_ON_DEVICE);
    ASSERT(asked.from_device == 9 && asked.to_device == 7 && asked.to_host == NULL);
    ASSERT(asked.from_pitch == 32 && asked.to_pitch == 8);
    ASSERT_INT(0, copies_of_one);
}

TEST(rows_of_one_are_one_piece)
{
    ASSERT_OK(copy(0, WITHIN, (gp_rows){1, 1, 8, 8, 1}));
    ASSERT_INT(1, copies_of_one);
}

/* To the host: enter, copy, wait, leave. Within: enter, copy, leave. Between streams: the same, and
 * before and behind it enter, create, record, wait, destroy, leave. To a peer: enter, wait and
 * leave there, then as to the host. */
TEST(rows_tell_the_call_that_failed_and_leave_the_context)
{
    const size_t calls[] = {[TO_HOST] = 4, [WITHIN] = 3, [BETWEEN_STREAMS] = 15, [TO_PEER] = 7};
    for (direction where = TO_HOST; where <= TO_PEER; where++) {
        ASSERT_OK(copy(0, where, (gp_rows){1, 3, 8, 32, 3}));
        ASSERT_INT(calls[where], script.calls - 1); /* the release is one more */
        for (size_t i = 1; i <= calls[where]; i++) {
            ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, copy(i, where, (gp_rows){1, 3, 8, 32, 3}));
        }
    }
}

TEST(rows_are_the_owners_again_whatever_fails_behind_the_copy)
{
    const gp_rows rows = {1, 3, 8, 32, 3};
    ASSERT_OK(copy(0, BETWEEN_STREAMS, rows));
    ASSERT_INT(0, waits);
    for (size_t i = 10; i <= 15; i++) {
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, copy(i, BETWEEN_STREAMS, rows));
        ASSERT_INT(1, waits);
    }
}
