#include "gp_copy.h"

/* The first failure of two. */
static gp_status
first_of(gp_status first, gp_status second)
{
    return gp_failed(first) ? first : second;
}

gp_status
gp_copy_to_device(const gp_context *context, gp_cu_deviceptr to, const void *from, size_t size,
                  gp_cu_stream stream)
{
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(context->cu, cuMemcpyHtoDAsync_v2, (to, from, size, stream));
    if (!gp_failed(st)) { st = GP_CUDA_CALL(context->cu, cuStreamSynchronize, (stream)); }
    return first_of(st, gp_context_leave(context));
}

gp_status
gp_copy_to_host(const gp_context *context, void *to, gp_cu_deviceptr from, size_t size,
                gp_cu_stream stream)
{
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(context->cu, cuMemcpyDtoHAsync_v2, (to, from, size, stream));
    if (!gp_failed(st)) { st = GP_CUDA_CALL(context->cu, cuStreamSynchronize, (stream)); }
    return first_of(st, gp_context_leave(context));
}

/* An event may be destroyed once the stream was told to wait: the driver keeps what it needs. */
static gp_status
follow(const gp_cuda *cu, gp_cu_stream later, gp_cu_stream earlier)
{
    gp_cu_event event = NULL;
    gp_status st = GP_CUDA_CALL(cu, cuEventCreate, (&event, GP_CU_EVENT_DISABLE_TIMING));
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(cu, cuEventRecord, (event, earlier));
    if (!gp_failed(st)) { st = GP_CUDA_CALL(cu, cuStreamWaitEvent, (later, event, 0)); }
    return first_of(st, GP_CUDA_CALL(cu, cuEventDestroy_v2, (event)));
}

gp_status
gp_stream_follow(const gp_context *context, gp_cu_stream later, gp_cu_stream earlier)
{
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = follow(context->cu, later, earlier);
    return first_of(st, gp_context_leave(context));
}
