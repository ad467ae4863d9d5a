#include "gp_capture.h"

gp_capture
gp_capture_of(const gp_cuda *cu, gp_cu_stream stream)
{
    gp_cu_capture capture = GP_CU_CAPTURE_NONE;
    gp_status st = GP_CUDA_CALL(cu, cuStreamIsCapturing, (stream, &capture));
    if (st.kind == GP_CUDA && st.code == GP_CU_CAPTURE_IMPLICIT) { return GP_CAPTURE_BESIDE; }
    bool is_here = !gp_failed(st) && capture != GP_CU_CAPTURE_NONE;
    return is_here ? GP_CAPTURE_HERE : GP_CAPTURE_NONE;
}

gp_status
gp_capture_check(const gp_cuda *cu, gp_cu_stream stream, const char *call)
{
    return gp_capture_of(cu, stream) == GP_CAPTURE_NONE ? gp_ok() : gp_fail(GP_CAPTURE, 0, call);
}

gp_status
gp_capture_check_order(const gp_cuda *cu, gp_cu_stream later, gp_cu_stream earlier,
                       const char *call)
{
    gp_capture of_later = gp_capture_of(cu, later);
    gp_capture of_earlier = gp_capture_of(cu, earlier);
    bool is_usable = of_later != GP_CAPTURE_BESIDE && of_earlier != GP_CAPTURE_BESIDE;
    bool may_wait = of_later == GP_CAPTURE_NONE || of_earlier == GP_CAPTURE_HERE;
    return is_usable && may_wait ? gp_ok() : gp_fail(GP_CAPTURE, 0, call);
}

gp_status
gp_capture_enter(const gp_context *context, gp_cu_capture_mode *before)
{
    gp_cu_capture_mode mode = GP_CU_CAPTURE_RELAXED;
    *before = GP_CU_CAPTURE_RELAXED;
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    /* Best effort: where it fails there are no captures, or what follows is told as it fails. */
    gp_status swapped = GP_CUDA_CALL(context->cu, cuThreadExchangeStreamCaptureMode, (&mode));
    if (!gp_failed(swapped)) { *before = mode; }
    return st;
}

gp_status
gp_capture_leave(const gp_context *context, gp_cu_capture_mode before)
{
    gp_cu_capture_mode mode = before;
    gp_status st = gp_ok();
    if (before != GP_CU_CAPTURE_RELAXED) {
        st = GP_CUDA_CALL(context->cu, cuThreadExchangeStreamCaptureMode, (&mode));
    }
    return gp_first_error(st, gp_context_leave(context));
}
