/* Streams that somebody captures into a graph: whatever the core does, it makes no call by which
 * the driver gives a capture up. */
#include "arena_fixture.h"
#include "device/gp_capture.h"
#include "device/gp_copy.h"

static char handles[4];

#define CAPTURED                                                                    \
    ((gp_cu_stream)(void *)&handles[1]) /* by a global capture of a blocking stream \
                                         */
#define OTHER ((gp_cu_stream)(void *)&handles[2])

/* The driver of a capture. Events are told apart by nothing: whoever records on the captured stream
 * has one that may not be asked. */
static struct {
    bool is_active;
    bool is_apart; /* CAPTURED is no blocking stream: the default one tells nothing of it */
    gp_cu_stream gone;
    bool is_relaxed; /* this thread */
    int broken;      /* by so many calls */
    int waits;       /* of a stream for another */
    int copies;
} capture;

static void
forbid(bool is_forbidden)
{
    if (capture.is_active && is_forbidden) { capture.broken++; }
}

static gp_cu_result
is_capturing(gp_cu_stream stream, gp_cu_capture *status)
{
    ASSERT(script.current > 0);
    ASSERT(stream == NULL || stream != capture.gone);
    bool is_told = capture.is_active && !capture.is_apart;
    if (is_told && stream == NULL) { return GP_CU_CAPTURE_IMPLICIT; }
    bool is_here = capture.is_active && stream == CAPTURED;
    *status = is_here ? GP_CU_CAPTURE_ACTIVE : GP_CU_CAPTURE_NONE;
    return GP_CU_SUCCESS;
}

static gp_cu_result
exchange_mode(gp_cu_capture_mode *mode)
{
    bool was_relaxed = capture.is_relaxed;
    capture.is_relaxed = *mode == GP_CU_CAPTURE_RELAXED;
    *mode = was_relaxed ? GP_CU_CAPTURE_RELAXED : GP_CU_CAPTURE_GLOBAL;
    return GP_CU_SUCCESS;
}

static gp_cu_result
record(gp_cu_event event, gp_cu_stream stream)
{
    ASSERT(event != NULL);
    if (stream == NULL) { forbid(true); }
    memory.records++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
query(gp_cu_event event)
{
    ASSERT(event != NULL);
    forbid(!capture.is_relaxed);
    return memory.is_ready ? GP_CU_SUCCESS : GP_CU_NOT_READY;
}

static gp_cu_result
wait_for_event(gp_cu_event event)
{
    ASSERT(event != NULL);
    forbid(!capture.is_relaxed);
    memory.waits++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_for_context(void)
{
    forbid(true);
    memory.context_waits++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
wait_for_stream(gp_cu_stream stream)
{
    forbid(stream == CAPTURED || stream == NULL);
    return GP_CU_SUCCESS;
}

static gp_cu_result
let_wait(gp_cu_stream stream, gp_cu_event event, unsigned int flags)
{
    ASSERT(event != NULL && flags == 0);
    forbid(stream == NULL);
    capture.waits++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
copy_in(gp_cu_deviceptr to, const void *from, size_t bytes, gp_cu_stream stream)
{
    ASSERT(to != 0 && from != NULL && bytes > 0);
    forbid(stream == CAPTURED || stream == NULL);
    capture.copies++;
    return GP_CU_SUCCESS;
}

static gp_cu_result
copy_out(void *to, gp_cu_deviceptr from, size_t bytes, gp_cu_stream stream)
{
    return copy_in(from, to, bytes, stream);
}

static gp_cu_result
copy_rows(const gp_cu_copy_3d *copy, gp_cu_stream stream)
{
    ASSERT(copy->width > 0);
    forbid(stream == CAPTURED || stream == NULL);
    capture.copies++;
    return GP_CU_SUCCESS;
}

static gp_cu_result (*create_memory)(gp_cu_memory *, size_t, const gp_cu_memory_kind *,
                                     unsigned long long);

static gp_cu_result
create(gp_cu_memory *handle, size_t bytes, const gp_cu_memory_kind *kind, unsigned long long flags)
{
    forbid(!capture.is_relaxed);
    return create_memory(handle, bytes, kind, flags);
}

static void
begin_capturing(fixture *f)
{
    f->cu = scripted_memory_table();
    create_memory = f->cu.cuMemCreate;
    f->cu.cuMemCreate = create;
    f->cu.cuStreamIsCapturing = is_capturing;
    f->cu.cuThreadExchangeStreamCaptureMode = exchange_mode;
    f->cu.cuEventRecord = record;
    f->cu.cuEventQuery = query;
    f->cu.cuEventSynchronize = wait_for_event;
    f->cu.cuCtxSynchronize = wait_for_context;
    f->cu.cuStreamSynchronize = wait_for_stream;
    f->cu.cuStreamWaitEvent = let_wait;
    f->cu.cuMemcpyHtoDAsync_v2 = copy_in;
    f->cu.cuMemcpyDtoHAsync_v2 = copy_out;
    f->cu.cuMemcpy3DAsync_v2 = copy_rows;
    begin_with(f, (gp_growth_wish){0, 64 * MIB});
    capture.is_active = true;
}

static void
end_capturing(fixture *f)
{
    ASSERT(!capture.is_relaxed); /* the thread's mode is as it was */
    ASSERT_INT(0, capture.broken);
    capture.is_active = false;
    end(f);
}

TEST(capture_is_asked_of_no_event_and_waits_for_none)
{
    fixture f;
    begin_capturing(&f);
    gp_arena_free(&f.arena, take(&f, MIB, CAPTURED));
    gp_block *block = take(&f, 32 * MIB, OTHER); /* asks the streams, then grows */
    ASSERT_INT(0, memory.records);
    gp_arena_free(&f.arena, block);
    (void)take(&f, 16 * MIB, CAPTURED); /* waits for the other */
    end_capturing(&f);
}

TEST(capture_keeps_what_its_stream_freed_until_it_has_ended)
{
    fixture f;
    gp_block *none = NULL;
    begin_capturing(&f);
    memory.is_ready = true;
    gp_arena_free(&f.arena, take(&f, 64 * MIB, CAPTURED));
    ASSERT_FAILED(GP_LIMIT, 0, gp_arena_alloc(&f.arena, 64 * MIB, OTHER, &none, &f.shortage));
    gp_arena_free(&f.arena, take(&f, 64 * MIB, CAPTURED)); /* its own has it again */
    ASSERT_INT(0, capture.broken);
    capture.is_active = false;
    (void)take(&f, 64 * MIB, OTHER);
    end_capturing(&f);
}

TEST(capture_does_not_keep_what_was_freed_before_it)
{
    fixture f;
    begin_capturing(&f);
    capture.is_active = false;
    gp_arena_free(&f.arena, take(&f, MIB, CAPTURED));
    gp_arena_free(&f.arena, take(&f, 48 * MIB, OTHER)); /* the first one is recorded */
    capture.is_active = true;
    memory.is_ready = true;
    gp_block *block = take(&f, 64 * MIB, OTHER);
    ASSERT_INT(64 * MIB, block->size);
    end_capturing(&f);
}

TEST(capture_lets_free_memory_of_others_be_given_back)
{
    fixture f;
    size_t freed = 0;
    begin_capturing(&f);
    gp_arena_free(&f.arena, take(&f, MIB, CAPTURED)); /* which nobody can wait for */
    gp_arena_free(&f.arena, take(&f, 32 * MIB, OTHER));
    ASSERT_OK(gp_arena_trim(&f.arena, 0, &freed));
    ASSERT_INT(32 * MIB, freed);
    end_capturing(&f);
}

TEST(capture_is_told_to_who_forgets_its_stream)
{
    fixture f;
    begin_capturing(&f);
    (void)take(&f, MIB, CAPTURED);
    gp_status st = gp_arena_forget(&f.arena, CAPTURED);
    ASSERT_FAILED(GP_CAPTURE, 0, st);
    ASSERT_TEXT("cuEventSynchronize", st.call);
    end_capturing(&f);
}

/* More streams than lanes: what the last ones freed would need the whole context to be waited for.
 */
TEST(capture_is_not_broken_by_the_crowd)
{
    static char many[2 * GP_MOST_LANES];
    fixture f;
    gp_block *blocks[2 * GP_MOST_LANES];
    gp_block *none = NULL;
    begin_capturing(&f);
    for (size_t i = 0; i < 2 * GP_MOST_LANES; i++) {
        blocks[i] = take(&f, GP_BLOCK_UNIT, (gp_cu_stream)(void *)&many[i]);
    }
    for (size_t i = 0; i < 2 * GP_MOST_LANES; i++) {
        gp_arena_free(&f.arena, blocks[i]);
    }
    ASSERT_FAILED(GP_LIMIT, 0, gp_arena_alloc(&f.arena, 64 * MIB, CAPTURED, &none, &f.shortage));
    ASSERT_INT(0, memory.context_waits);
    end_capturing(&f);
}

/* The arena knows the stream by a block in use alone. */
TEST(capture_of_a_stream_that_is_no_blocking_one_is_not_broken_by_the_crowd)
{
    static char many[2 * GP_MOST_LANES];
    fixture f;
    gp_block *blocks[2 * GP_MOST_LANES];
    gp_block *none = NULL;
    begin_capturing(&f);
    capture.is_apart = true;
    (void)take(&f, MIB, CAPTURED);
    for (size_t i = 0; i < 2 * GP_MOST_LANES; i++) {
        blocks[i] = take(&f, GP_BLOCK_UNIT, (gp_cu_stream)(void *)&many[i]);
    }
    for (size_t i = 0; i < 2 * GP_MOST_LANES; i++) {
        gp_arena_free(&f.arena, blocks[i]);
    }
    ASSERT_FAILED(GP_LIMIT, 0, gp_arena_alloc(&f.arena, 64 * MIB, OTHER, &none, &f.shortage));
    ASSERT_INT(0, memory.context_waits);
    end_capturing(&f);
}

TEST(capture_refuses_a_wait_for_all)
{
    fixture f;
    begin_capturing(&f);
    gp_status st = gp_arena_synchronize(&f.arena);
    ASSERT_FAILED(GP_CAPTURE, 0, st);
    ASSERT_TEXT("cuCtxSynchronize", st.call);
    capture.is_apart = true;
    gp_block *block = take(&f, MIB, CAPTURED);
    ASSERT_FAILED(GP_CAPTURE, 0, gp_arena_synchronize(&f.arena));
    ASSERT_INT(0, script.current);
    capture.is_active = false;
    ASSERT_OK(gp_arena_synchronize(&f.arena));
    gp_arena_free(&f.arena, block);
    capture.gone = CAPTURED; /* it had to live until then */
    ASSERT_OK(gp_arena_synchronize(&f.arena));
    ASSERT_INT(2, memory.context_waits);
    capture.gone = NULL;
    end_capturing(&f);
}

TEST(capture_refuses_copies_that_are_waited_for)
{
    static const gp_rows rows = {1, 2, 1, 4, 2};
    static const gp_cu_stream streams[] = {CAPTURED, NULL};
    fixture f;
    unsigned char bytes[4] = {0};
    begin_capturing(&f);
    const gp_context *context = &f.arena.context;
    for (size_t i = 0; i < 2; i++) {
        gp_cu_stream stream = streams[i];
        gp_status st = gp_copy_to_device(context, 7, bytes, 4, stream);
        ASSERT_FAILED(GP_CAPTURE, 0, st);
        ASSERT_TEXT("cuStreamSynchronize", st.call);
        ASSERT_FAILED(GP_CAPTURE, 0, gp_copy_to_host(context, bytes, 7, 4, stream));
        ASSERT_FAILED(GP_CAPTURE, 0, gp_copy_rows_to_host(context, bytes, 7, rows, stream));
        const gp_copy_end here = {context, 7, stream};
        const gp_copy_end there = {context, 8, OTHER};
        ASSERT_FAILED(GP_CAPTURE, 0, gp_copy_to_peer(here, there, 4));
        ASSERT_FAILED(GP_CAPTURE, 0, gp_copy_to_peer(there, here, 4));
    }
    ASSERT_INT(0, capture.copies);
    ASSERT_OK(gp_copy_to_device(context, 7, bytes, 4, OTHER));
    end_capturing(&f);
}

TEST(capture_refuses_staged_copies)
{
    static unsigned char bytes[GP_STAGING_PIECE + 1];
    fixture f;
    begin_capturing(&f);
    gp_staging *staging = &f.arena.staging;
    for (int i = 0; i < 2; i++) { /* both pieces are there from a copy before */
        staging->pieces[i].memory = bytes;
        staging->pieces[i].passed = (gp_cu_event)(void *)bytes;
    }
    ASSERT_FAILED(GP_CAPTURE, 0, gp_staging_to_device(staging, 7, bytes, sizeof(bytes), CAPTURED));
    ASSERT_FAILED(GP_CAPTURE, 0, gp_staging_to_host(staging, bytes, 7, sizeof(bytes), CAPTURED));
    ASSERT(!staging->is_taken);
    for (int i = 0; i < 2; i++) {
        staging->pieces[i] = (gp_staging_piece){NULL, NULL};
    }
    end_capturing(&f);
}

TEST(capture_waits_for_nothing_that_is_not_captured)
{
    fixture f;
    begin_capturing(&f);
    const gp_context *context = &f.arena.context;
    gp_status st = gp_stream_follow(context, CAPTURED, OTHER);
    ASSERT_FAILED(GP_CAPTURE, 0, st);
    ASSERT_TEXT("cuStreamWaitEvent", st.call);
    ASSERT_FAILED(GP_CAPTURE, 0, gp_stream_follow(context, NULL, CAPTURED));
    ASSERT_FAILED(GP_CAPTURE, 0, gp_stream_follow(context, OTHER, NULL));
    ASSERT_FAILED(GP_CAPTURE, 0, gp_stream_give_back(context, NULL, CAPTURED));
    ASSERT_INT(0, memory.records + capture.waits);
    ASSERT_OK(gp_stream_follow(context, OTHER, CAPTURED)); /* it becomes a part of the graph */
    ASSERT_INT(1, capture.waits);
    end_capturing(&f);
}

TEST(capture_is_nothing_to_a_driver_of_before_it)
{
    gp_cuda cu = scripted_memory_table();
    ASSERT_INT(GP_CAPTURE_NONE, gp_capture_of(&cu, CAPTURED));
    ASSERT_OK(gp_capture_check(&cu, CAPTURED, "any call"));
    ASSERT_OK(gp_capture_check_order(&cu, CAPTURED, OTHER, "any call"));
}
