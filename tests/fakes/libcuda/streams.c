/* Streams and events. What was recorded is not ready at the first question while the host does not
 * know its work to be done: a caller that asks once and takes no for yes is found out. */
#include "capture.h"
#include "order.h"

#include <stdlib.h>
#include <time.h>

struct CUstream_st {
    size_t lane;
    fake_capture capture;
};

struct CUevent_st {
    fake_clock clock; /* what was recorded; nothing at first, which is done */
    bool was_asked;
    bool is_captured; /* recorded on a stream under capture: neither asked nor waited for */
    bool is_timed;
    struct timespec recorded; /* all zero: never */
};

atomic_size_t fake_live_streams, fake_live_events;

static size_t
lane_of_this_thread(void)
{
    static _Thread_local size_t lanes[FAKE_MAX_SEEN]; /* 0: none yet; that lane is a device's */
    const CUdevice device = fake_current()->device;
    if (lanes[device] == 0) { lanes[device] = fake_order_lane(device, true); }
    return lanes[device];
}

size_t
fake_lane_of(CUstream stream)
{
    if (stream == CU_STREAM_PER_THREAD) { return lane_of_this_thread(); }
    const bool is_default = stream == NULL || stream == CU_STREAM_LEGACY;
    return is_default ? (size_t)fake_current()->device : stream->lane;
}

fake_capture *
fake_capture_of(CUstream stream)
{
    static _Thread_local fake_capture of_this_thread;
    if (stream == CU_STREAM_PER_THREAD) { return &of_this_thread; }
    const bool is_default = stream == NULL || stream == CU_STREAM_LEGACY;
    return is_default ? NULL : &stream->capture;
}

CUresult CUDAAPI
cuStreamCreate(CUstream *stream, unsigned int flags)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (stream == NULL || flags > CU_STREAM_NON_BLOCKING) { return CUDA_ERROR_INVALID_VALUE; }
    struct CUstream_st *made = malloc(sizeof *made);
    if (made == NULL) { fake_die("no memory for a stream"); }
    made->lane = fake_order_lane(fake_current()->device, flags != CU_STREAM_NON_BLOCKING);
    made->capture = (fake_capture){false, false};
    fake_live_streams++;
    *stream = made;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamDestroy_v2(CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (stream == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    free(stream);
    fake_live_streams--;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamSynchronize(CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const CUresult allowed = fake_capture_allows_wait(fake_capture_of(stream));
    if (allowed != CUDA_SUCCESS) { return allowed; }
    const fake_clock now = fake_order_now(fake_lane_of(stream));
    fake_order_tell_host(&now);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (event == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    if (flags != 0) { return CUDA_ERROR_INVALID_VALUE; }
    const CUresult allowed = fake_capture_join(fake_capture_of(stream), event->is_captured);
    if (allowed != CUDA_SUCCESS) { return allowed; }
    fake_order_tell_lane(fake_lane_of(stream), &event->clock);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuEventCreate(CUevent *event, unsigned int flags)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (event == NULL || flags > (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct CUevent_st *made = calloc(1, sizeof *made);
    if (made == NULL) { fake_die("no memory for an event"); }
    made->is_timed = (flags & CU_EVENT_DISABLE_TIMING) == 0;
    fake_live_events++;
    *event = made;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuEventDestroy_v2(CUevent event)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (event == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    free(event);
    fake_live_events--;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuEventRecord(CUevent event, CUstream stream)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (event == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    const CUresult allowed = fake_capture_record(fake_capture_of(stream), &event->is_captured);
    if (allowed != CUDA_SUCCESS) { return allowed; }
    event->clock = fake_order_now(fake_lane_of(stream));
    event->was_asked = false;
    (void)clock_gettime(CLOCK_MONOTONIC, &event->recorded);
    return CUDA_SUCCESS;
}

static bool
has_time(CUevent event)
{
    return event != NULL && event->is_timed &&
           (event->recorded.tv_sec != 0 || event->recorded.tv_nsec != 0);
}

/* All work is done when it is given, so the host's own clock tells how long it took. */
CUresult
fake_elapsed(float *milliseconds, CUevent begin, CUevent end)
{
    if (!has_time(begin) || !has_time(end)) { return CUDA_ERROR_INVALID_HANDLE; }
    if (!fake_order_is_done(&begin->clock) || !fake_order_is_done(&end->clock)) {
        return CUDA_ERROR_NOT_READY;
    }
    const double seconds = difftime(end->recorded.tv_sec, begin->recorded.tv_sec);
    const double more = (double)(end->recorded.tv_nsec - begin->recorded.tv_nsec);
    *milliseconds = (float)(1e3 * seconds + more / 1e6);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuEventQuery(CUevent event)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (event == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    const CUresult allowed = fake_capture_allows_event(event->is_captured);
    if (allowed != CUDA_SUCCESS) { return allowed; }
    if (!event->was_asked && !fake_order_is_done(&event->clock)) {
        event->was_asked = true;
        return CUDA_ERROR_NOT_READY;
    }
    fake_order_tell_host(&event->clock);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuEventSynchronize(CUevent event)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (event == NULL) { return CUDA_ERROR_INVALID_HANDLE; }
    const CUresult allowed = fake_capture_allows_event(event->is_captured);
    if (allowed != CUDA_SUCCESS) { return allowed; }
    fake_order_tell_host(&event->clock);
    return CUDA_SUCCESS;
}
