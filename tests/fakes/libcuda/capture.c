/* Stream capture: which calls break one. What is given to a stream under capture is done at once,
 * as everything here is, and the graph that comes of it is no graph: what matters is whether the
 * capture was still whole when it was ended. */
#include "capture.h"

#include "order.h"

static atomic_size_t active; /* captures that have begun and not ended; all are global ones */
static atomic_bool is_broken;
static _Thread_local CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

/* Returns the code. */
static CUresult
break_all(CUresult code)
{
    is_broken = true;
    return code;
}

CUresult
fake_capture_allows(void)
{
    if (active == 0 || mode == CU_STREAM_CAPTURE_MODE_RELAXED) { return CUDA_SUCCESS; }
    return break_all(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

CUresult
fake_capture_allows_wait(const fake_capture *capture)
{
    const bool is_whole_context = capture == NULL;
    if (active == 0 || (!is_whole_context && !capture->is_active)) { return CUDA_SUCCESS; }
    return break_all(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

CUresult
fake_capture_allows_event(bool is_captured)
{
    return is_captured ? break_all(CUDA_ERROR_CAPTURED_EVENT) : fake_capture_allows();
}

/* The default stream waits for all blocking ones, those under capture too. */
static CUresult
use_default(void)
{
    return active == 0 ? CUDA_SUCCESS : break_all(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
}

CUresult
fake_capture_record(const fake_capture *capture, bool *is_captured)
{
    *is_captured = capture != NULL && capture->is_active;
    return capture == NULL ? use_default() : CUDA_SUCCESS;
}

CUresult
fake_capture_join(fake_capture *later, bool of_captured)
{
    if (later == NULL) { return use_default(); }
    if (later->is_active && !of_captured) { return break_all(CUDA_ERROR_STREAM_CAPTURE_ISOLATION); }
    later->is_active = later->is_active || of_captured;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *given)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (given == NULL || *given > CU_STREAM_CAPTURE_MODE_RELAXED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUstreamCaptureMode before = mode;
    mode = *given;
    *given = before;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const fake_capture *capture = fake_capture_of(stream);
    if (status == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    /* Assumed: all captures are of blocking streams. */
    if (capture == NULL && active > 0) { return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT; }
    const bool is_active = capture != NULL && capture->is_active;
    *status = !is_active  ? CU_STREAM_CAPTURE_STATUS_NONE
              : is_broken ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                          : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode wanted)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    fake_capture *capture = fake_capture_of(stream);
    if (wanted != CU_STREAM_CAPTURE_MODE_GLOBAL) { fake_die("captures are global ones here"); }
    if (capture == NULL) { return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED; }
    if (capture->is_active) { return CUDA_ERROR_ILLEGAL_STATE; }
    *capture = (fake_capture){true, true};
    if (active++ == 0) { is_broken = false; }
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    fake_capture *capture = fake_capture_of(stream);
    if (graph == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    if (capture == NULL || !capture->is_origin) { return CUDA_ERROR_ILLEGAL_STATE; }
    *capture = (fake_capture){false, false};
    *graph = NULL;
    active--;
    return is_broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}
