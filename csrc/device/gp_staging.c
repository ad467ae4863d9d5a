#include "gp_staging.h"

#include "device/gp_capture.h"
#include "device/gp_copy.h"
#include "device/gp_pointer.h"

#include <string.h>

/* In the context. What could be made of it stays for the next time. */
static bool
prepare(const gp_cuda *cu, gp_staging_piece *piece)
{
    void *memory = NULL;
    gp_cu_event passed = NULL;
    if (piece->memory == NULL) {
        gp_status st = GP_CUDA_CALL(cu, cuMemHostAlloc, (&memory, GP_STAGING_PIECE, 0));
        if (!gp_failed(st)) { piece->memory = memory; }
    }
    if (piece->passed == NULL) {
        gp_status st = GP_CUDA_CALL(cu, cuEventCreate, (&passed, GP_CU_EVENT_DISABLE_TIMING));
        if (!gp_failed(st)) { piece->passed = passed; }
    }
    return piece->memory != NULL && piece->passed != NULL;
}

static bool
claim(gp_staging *staging)
{
    gp_mutex_lock(staging->mutex);
    bool is_mine = !staging->is_taken;
    staging->is_taken = true;
    gp_mutex_unlock(staging->mutex);
    return is_mine;
}

static void
give_up(gp_staging *staging)
{
    gp_mutex_lock(staging->mutex);
    staging->is_taken = false;
    gp_mutex_unlock(staging->mutex);
}

static bool
is_direct(const gp_staging *staging, const void *host, size_t size)
{
    return size <= GP_STAGING_PIECE || gp_pointer_is_pinned(staging->context->cu, host);
}

/* In the context. True: the pieces are the caller's until `finish`. */
static bool
begin(gp_staging *staging)
{
    if (!claim(staging)) { return false; }
    const gp_cuda *cu = staging->context->cu;
    if (prepare(cu, &staging->pieces[0]) && prepare(cu, &staging->pieces[1])) { return true; }
    give_up(staging);
    return false;
}

/* Where the wait fails a piece may still be on its way, and nobody uses them again. */
static gp_status
finish(gp_staging *staging, gp_status st, gp_cu_stream stream)
{
    gp_status waited = GP_CUDA_CALL(staging->context->cu, cuStreamSynchronize, (stream));
    if (!gp_failed(waited)) { give_up(staging); }
    return gp_first_error(st, waited);
}

static size_t
part_of(size_t size, size_t done)
{
    return size - done < GP_STAGING_PIECE ? size - done : GP_STAGING_PIECE;
}

static gp_status
send(gp_staging *staging, gp_cu_deviceptr to, const unsigned char *from, size_t size,
     gp_cu_stream stream)
{
    const gp_cuda *cu = staging->context->cu;
    int turn = 0;
    for (size_t done = 0; done < size; done += part_of(size, done)) {
        size_t part = part_of(size, done);
        void *memory = staging->pieces[turn].memory;
        gp_cu_event passed = staging->pieces[turn].passed;
        gp_status st = GP_CUDA_CALL(cu, cuEventSynchronize, (passed)); /* at first it has passed */
        if (gp_failed(st)) { return st; }
        memcpy(memory, from + done, part);
        st = GP_CUDA_CALL(cu, cuMemcpyHtoDAsync_v2, (to + done, memory, part, stream));
        if (gp_failed(st)) { return st; }
        st = GP_CUDA_CALL(cu, cuEventRecord, (passed, stream));
        if (gp_failed(st)) { return st; }
        turn = 1 - turn;
    }
    return gp_ok();
}

/* Queues the copy of what begins at `done`, if anything does. */
static gp_status
fetch(gp_staging *staging, int turn, gp_cu_deviceptr from, size_t size, size_t done,
      gp_cu_stream stream)
{
    const gp_cuda *cu = staging->context->cu;
    if (done >= size) { return gp_ok(); }
    gp_status st =
        GP_CUDA_CALL(cu, cuMemcpyDtoHAsync_v2,
                     (staging->pieces[turn].memory, from + done, part_of(size, done), stream));
    if (gp_failed(st)) { return st; }
    return GP_CUDA_CALL(cu, cuEventRecord, (staging->pieces[turn].passed, stream));
}

static gp_status
receive(gp_staging *staging, unsigned char *to, gp_cu_deviceptr from, size_t size,
        gp_cu_stream stream)
{
    const gp_cuda *cu = staging->context->cu;
    int turn = 0;
    gp_status st = fetch(staging, turn, from, size, 0, stream);
    for (size_t done = 0; done < size && !gp_failed(st); done += part_of(size, done)) {
        size_t part = part_of(size, done);
        st = fetch(staging, 1 - turn, from, size, done + part, stream);
        if (gp_failed(st)) { return st; }
        st = GP_CUDA_CALL(cu, cuEventSynchronize, (staging->pieces[turn].passed));
        if (gp_failed(st)) { return st; }
        memcpy(to + done, staging->pieces[turn].memory, part);
        turn = 1 - turn;
    }
    return st;
}

gp_status
gp_staging_to_device(gp_staging *staging, gp_cu_deviceptr to, const void *from, size_t size,
                     gp_cu_stream stream)
{
    if (is_direct(staging, from, size)) {
        return gp_copy_to_device(staging->context, to, from, size, stream);
    }
    gp_cu_capture_mode before;
    gp_status st = gp_capture_enter(staging->context, &before);
    if (gp_failed(st)) { return st; }
    st = GP_CAPTURE_CHECK(staging->context->cu, stream, cuStreamSynchronize);
    bool is_staged = !gp_failed(st) && begin(staging);
    if (is_staged) { st = finish(staging, send(staging, to, from, size, stream), stream); }
    st = gp_first_error(st, gp_capture_leave(staging->context, before));
    if (is_staged || gp_failed(st)) { return st; }
    return gp_copy_to_device(staging->context, to, from, size, stream);
}

gp_status
gp_staging_to_host(gp_staging *staging, void *to, gp_cu_deviceptr from, size_t size,
                   gp_cu_stream stream)
{
    if (is_direct(staging, to, size)) {
        return gp_copy_to_host(staging->context, to, from, size, stream);
    }
    gp_cu_capture_mode before;
    gp_status st = gp_capture_enter(staging->context, &before);
    if (gp_failed(st)) { return st; }
    st = GP_CAPTURE_CHECK(staging->context->cu, stream, cuStreamSynchronize);
    bool is_staged = !gp_failed(st) && begin(staging);
    if (is_staged) { st = finish(staging, receive(staging, to, from, size, stream), stream); }
    st = gp_first_error(st, gp_capture_leave(staging->context, before));
    if (is_staged || gp_failed(st)) { return st; }
    return gp_copy_to_host(staging->context, to, from, size, stream);
}

gp_status
gp_staging_close(gp_staging *staging)
{
    gp_status st = gp_ok();
    for (int i = 0; i < 2; i++) {
        void *memory = staging->pieces[i].memory;
        gp_cu_event passed = staging->pieces[i].passed;
        const gp_cuda *cu = staging->context->cu;
        if (passed != NULL) {
            st = gp_first_error(st, GP_CUDA_CALL(cu, cuEventDestroy_v2, (passed)));
        }
        if (memory != NULL) { st = gp_first_error(st, GP_CUDA_CALL(cu, cuMemFreeHost, (memory))); }
        staging->pieces[i].memory = NULL;
        staging->pieces[i].passed = NULL;
    }
    return st;
}
