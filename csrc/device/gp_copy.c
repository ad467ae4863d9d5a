#include "gp_copy.h"

#include "gp_capture.h"

/* Makes the context current for a copy that is waited for, which cannot be a part of a graph. */
static gp_status
begin(const gp_context *context, gp_cu_stream stream)
{
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = GP_CAPTURE_CHECK(context->cu, stream, cuStreamSynchronize);
    return gp_failed(st) ? gp_first_error(st, gp_context_leave(context)) : st;
}

/* Waits for the copy if it was queued, and leaves the context. */
static gp_status
end(const gp_context *context, gp_cu_stream stream, gp_status st)
{
    if (!gp_failed(st)) { st = GP_CUDA_CALL(context->cu, cuStreamSynchronize, (stream)); }
    return gp_first_error(st, gp_context_leave(context));
}

gp_status
gp_copy_to_device(const gp_context *context, gp_cu_deviceptr to, const void *from, size_t size,
                  gp_cu_stream stream)
{
    gp_status st = begin(context, stream);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(context->cu, cuMemcpyHtoDAsync_v2, (to, from, size, stream));
    return end(context, stream, st);
}

gp_status
gp_copy_to_host(const gp_context *context, void *to, gp_cu_deviceptr from, size_t size,
                gp_cu_stream stream)
{
    gp_status st = begin(context, stream);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(context->cu, cuMemcpyDtoHAsync_v2, (to, from, size, stream));
    return end(context, stream, st);
}

/* Out of the device; where to is not said yet. */
static gp_cu_copy_3d
end_to_end(gp_cu_deviceptr from, gp_rows rows)
{
    return (gp_cu_copy_3d){
        .from_kind = GP_CU_ON_DEVICE,
        .from_device = from,
        .from_pitch = rows.pitch,
        .from_height = rows.height,
        .to_pitch = rows.width,
        .to_height = rows.count,
        .width = rows.width,
        .height = rows.count,
        .depth = rows.planes,
    };
}

gp_status
gp_copy_rows_to_host(const gp_context *context, void *to, gp_cu_deviceptr from, gp_rows rows,
                     gp_cu_stream stream)
{
    gp_cu_copy_3d copy = end_to_end(from, rows);
    copy.to_kind = GP_CU_ON_HOST;
    copy.to_host = to;
    gp_status st = begin(context, stream);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(context->cu, cuMemcpy3DAsync_v2, (&copy, stream));
    return end(context, stream, st);
}

/* In the context. */
static gp_status
copy_rows(const gp_cuda *cu, gp_cu_deviceptr to, gp_cu_deviceptr from, gp_rows rows,
          gp_cu_stream stream)
{
    if (rows.planes == 1 && rows.count == 1) {
        return GP_CUDA_CALL(cu, cuMemcpyDtoDAsync_v2, (to, from, rows.width, stream));
    }
    gp_cu_copy_3d copy = end_to_end(from, rows);
    copy.to_kind = GP_CU_ON_DEVICE;
    copy.to_device = to;
    return GP_CUDA_CALL(cu, cuMemcpy3DAsync_v2, (&copy, stream));
}

static gp_status
wait_for(const gp_context *context, gp_cu_stream stream)
{
    gp_status st = begin(context, stream);
    return gp_failed(st) ? st : end(context, stream, st);
}

gp_status
gp_copy_to_peer(gp_copy_end to, gp_copy_end from, size_t size)
{
    const gp_cuda *cu = from.context->cu;
    gp_status st = wait_for(to.context, to.stream);
    if (gp_failed(st)) { return st; }
    st = begin(from.context, from.stream);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(
        cu, cuMemcpyPeerAsync,
        (to.address, to.context->handle, from.address, from.context->handle, size, from.stream));
    return end(from.context, from.stream, st);
}

/* An event may be destroyed once the stream was told to wait: the driver keeps what it needs. */
static gp_status
follow(const gp_cuda *cu, gp_cu_stream later, gp_cu_stream earlier)
{
    gp_cu_event event = NULL;
    gp_status st = GP_CAPTURE_CHECK_ORDER(cu, later, earlier, cuStreamWaitEvent);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(cu, cuEventCreate, (&event, GP_CU_EVENT_DISABLE_TIMING));
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(cu, cuEventRecord, (event, earlier));
    if (!gp_failed(st)) { st = GP_CUDA_CALL(cu, cuStreamWaitEvent, (later, event, 0)); }
    return gp_first_error(st, GP_CUDA_CALL(cu, cuEventDestroy_v2, (event)));
}

gp_status
gp_stream_follow(const gp_context *context, gp_cu_stream later, gp_cu_stream earlier)
{
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = follow(context->cu, later, earlier);
    return gp_first_error(st, gp_context_leave(context));
}

gp_status
gp_stream_give_back(const gp_context *context, gp_cu_stream owner, gp_cu_stream guest)
{
    gp_status st = gp_stream_follow(context, owner, guest);
    /* Best effort: the failure that brought us here is the one to tell. */
    if (gp_failed(st)) { (void)wait_for(context, guest); }
    return st;
}

static gp_status
copy_rows_in_context(gp_copy_end to, gp_copy_end from, gp_rows rows)
{
    gp_status st = gp_context_enter(to.context);
    if (gp_failed(st)) { return st; }
    st = copy_rows(to.context->cu, to.address, from.address, rows, to.stream);
    return gp_first_error(st, gp_context_leave(to.context));
}

gp_status
gp_copy_rows(gp_copy_end to, gp_copy_end from, gp_rows rows)
{
    if (to.stream == from.stream) { return copy_rows_in_context(to, from, rows); }
    gp_status st = gp_stream_follow(to.context, to.stream, from.stream);
    if (gp_failed(st)) { return st; }
    st = copy_rows_in_context(to, from, rows);
    return gp_first_error(st, gp_stream_give_back(to.context, from.stream, to.stream));
}
