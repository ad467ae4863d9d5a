#include "device/gp_staging.h"

#include "alloc_hook.h"
#include "harness.h"
#include "scripted_cuda.h"

#include <stdlib.h>
#include <string.h>

#define PIECE  GP_STAGING_PIECE
#define STREAM ((gp_cu_stream)(uintptr_t)5)

enum { MOST_COPIES = 1024 };

/* A device that copies as late as it may: what is queued is done when the host waits for it. */
typedef struct late_copy {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
} late_copy;

static struct {
    unsigned char memory[3 * PIECE + 1];
    late_copy queue[MOST_COPIES];
    int queued; /* in all */
    int done;
    int pinned;
    int events;
    int direct; /* copies that did not touch what is pinned */
    bool has_no_pinned;
    bool is_caller_pinned;
    bool is_lost; /* waiting for the stream fails */
} device;

static void *pieces[2];

static gp_cu_result
pin(void **memory, size_t bytes, unsigned int flags)
{
    ASSERT(script.current == 1 && bytes == PIECE && flags == 0);
    RETURN_IF_FAILING();
    if (device.has_no_pinned) { return GP_CU_OUT_OF_MEMORY; }
    *memory = malloc(bytes);
    ASSERT(*memory != NULL && device.pinned < 2);
    pieces[device.pinned++] = *memory;
    return GP_CU_SUCCESS;
}

static gp_cu_result
unpin(void *memory)
{
    ASSERT(script.current == 1 && memory != NULL);
    free(memory);
    device.pinned--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
get_pointer_attribute(void *value, gp_cu_pointer_attribute attribute, gp_cu_deviceptr pointer)
{
    ASSERT(attribute == GP_CU_POINTER_KIND && pointer != 0);
    RETURN_IF_FAILING();
    if (!device.is_caller_pinned) { return 1; }
    *(unsigned int *)value = GP_CU_ON_HOST;
    return GP_CU_SUCCESS;
}

static gp_cu_result
queue(unsigned char *to, const unsigned char *from, size_t bytes, const void *host)
{
    ASSERT(script.current == 1 && device.queued < MOST_COPIES);
    RETURN_IF_FAILING();
    if (host != pieces[0] && host != pieces[1]) { device.direct++; }
    device.queue[device.queued++] = (late_copy){to, from, bytes};
    return GP_CU_SUCCESS;
}

static gp_cu_result
copy_in(gp_cu_deviceptr to, const void *from, size_t bytes, gp_cu_stream stream)
{
    ASSERT(stream == STREAM);
    return queue(device.memory + to, from, bytes, from);
}

static gp_cu_result
copy_out(void *to, gp_cu_deviceptr from, size_t bytes, gp_cu_stream stream)
{
    ASSERT(stream == STREAM);
    return queue(to, device.memory + from, bytes, to);
}

/* Does the first `count` copies of all that were queued. */
static void
work(int count)
{
    for (; device.done < count; device.done++) {
        const late_copy *copy = &device.queue[device.done];
        memcpy(copy->to, copy->from, copy->bytes);
    }
}

static gp_cu_result
create_event(gp_cu_event *event, unsigned int flags)
{
    ASSERT(script.current == 1 && flags == GP_CU_EVENT_DISABLE_TIMING);
    RETURN_IF_FAILING();
    int *reached = calloc(1, sizeof(*reached)); /* so many copies come before the event */
    ASSERT(reached != NULL);
    *event = (gp_cu_event)(void *)reached;
    device.events++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
destroy_event(gp_cu_event event)
{
    free(event);
    device.events--;
    RETURN_IF_FAILING();
    return GP_CU_SUCCESS;
}

static gp_cu_result
record_event(gp_cu_event event, gp_cu_stream stream)
{
    ASSERT(stream == STREAM);
    RETURN_IF_FAILING();
    *(int *)(void *)event = device.queued;
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_for_event(gp_cu_event event)
{
    RETURN_IF_FAILING();
    work(*(int *)(void *)event);
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_for_stream(gp_cu_stream stream)
{
    ASSERT(stream == STREAM);
    RETURN_IF_FAILING();
    if (device.is_lost) { return SCRIPTED_CODE; }
    work(device.queued);
    return GP_CU_SUCCESS;
}

static gp_cuda cu;
static gp_context context;

static gp_staging
new_staging(void)
{
    cu = scripted_cuda_table();
    cu.cuMemHostAlloc = pin;
    cu.cuMemFreeHost = unpin;
    cu.cuPointerGetAttribute = get_pointer_attribute;
    cu.cuMemcpyHtoDAsync_v2 = copy_in;
    cu.cuMemcpyDtoHAsync_v2 = copy_out;
    cu.cuEventCreate = create_event;
    cu.cuEventDestroy_v2 = destroy_event;
    cu.cuEventRecord = record_event;
    cu.cuEventSynchronize = wait_for_event;
    cu.cuStreamSynchronize = wait_for_stream;
    ASSERT_OK(gp_context_retain(&cu, 0, &context));
    return (gp_staging){.context = &context, .mutex = gp_mutex_new()};
}

static void
end_staging(gp_staging *staging)
{
    ASSERT_INT(0, script.current);
    script.current = 1; /* as in gp_arena_close */
    ASSERT_OK(gp_staging_close(staging));
    script.current = 0;
    gp_mutex_free(staging->mutex);
    ASSERT_OK(gp_context_release(&context));
    ASSERT_INT(0, device.pinned);
    ASSERT_INT(0, device.events);
    ASSERT_INT(0, alloc_live());
    scripted_cuda_assert_released();
}

static gp_status
copy(gp_staging *staging, bool is_in, unsigned char *host, size_t size)
{
    device.direct = 0;
    return is_in ? gp_staging_to_device(staging, 1, host, size, STREAM)
                 : gp_staging_to_host(staging, host, 1, size, STREAM);
}

static unsigned char sent[3 * PIECE];
static unsigned char got[3 * PIECE];

static void
fill_sent(size_t size)
{
    for (size_t i = 0; i < size; i++) {
        sent[i] = (unsigned char)(i * 31 + i / PIECE + size);
    }
}

static void
check_both_ways(gp_staging *staging, size_t size)
{
    fill_sent(size);
    memset(got, 0, sizeof(got));
    ASSERT_OK(copy(staging, true, sent, size));
    ASSERT(memcmp(device.memory + 1, sent, size) == 0);
    ASSERT_OK(copy(staging, false, got, size));
    ASSERT(memcmp(got, sent, size) == 0);
}

TEST(staging_brings_every_byte_both_ways)
{
    const size_t sizes[] = {1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 5, 3 * PIECE};
    const int direct[] = {1, 1, 0, 0, 0, 0};
    gp_staging staging = new_staging();
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        check_both_ways(&staging, sizes[i]);
        ASSERT_INT(direct[i], device.direct);
    }
    ASSERT_INT(2, device.pinned);
    end_staging(&staging);
}

TEST(staging_leaves_pinned_memory_to_the_device)
{
    gp_staging staging = new_staging();
    device.is_caller_pinned = true;
    check_both_ways(&staging, 2 * PIECE);
    ASSERT_INT(1, device.direct);
    ASSERT_INT(0, device.pinned);
    end_staging(&staging);
}

TEST(staging_waits_for_no_other_thread_and_needs_no_pinned_memory)
{
    gp_staging staging = new_staging();
    staging.is_taken = true;
    check_both_ways(&staging, 2 * PIECE);
    ASSERT_INT(1, device.direct);
    staging.is_taken = false;
    device.has_no_pinned = true;
    check_both_ways(&staging, 2 * PIECE);
    ASSERT_INT(1, device.direct);
    device.has_no_pinned = false;
    check_both_ways(&staging, 2 * PIECE);
    ASSERT_INT(0, device.direct);
    end_staging(&staging);
}

TEST(staging_is_never_used_again_where_nobody_knows_whether_it_is_free)
{
    gp_staging staging = new_staging();
    device.is_lost = true;
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, copy(&staging, true, sent, 2 * PIECE));
    ASSERT_INT(0, device.direct);
    device.is_lost = false;
    check_both_ways(&staging, 2 * PIECE);
    ASSERT_INT(1, device.direct);
    end_staging(&staging);
}

/* Some failures only mean that the memory is copied as it is. */
TEST(staging_tells_the_call_that_failed_and_keeps_nothing)
{
    const size_t size = 2 * PIECE + 1;
    for (int is_in = 0; is_in < 2; is_in++) {
        size_t calls = 0;
        for (size_t fail_at = 1; fail_at <= calls + 1; fail_at++) {
            gp_staging staging = new_staging();
            fill_sent(size);
            memcpy(is_in ? got : device.memory + 1, sent, size);
            memset(is_in ? device.memory + 1 : got, 0, size);
            script.calls = 0;
            script.fail_at = fail_at;
            gp_status st = copy(&staging, is_in, got, size);
            script.fail_at = 0;
            if (gp_failed(st)) { ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, st); }
            else {
                ASSERT(memcmp(is_in ? device.memory + 1 : got, sent, size) == 0);
            }
            if (script.calls > calls) { calls = script.calls; }
            check_both_ways(&staging, 2 * PIECE);
            end_staging(&staging);
        }
        ASSERT(calls > 16);
    }
}
