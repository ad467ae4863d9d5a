#include "gp_context.h"

gp_status
gp_context_retain(const gp_cuda *cu, gp_cu_device device, gp_context *context)
{
    *context = (gp_context){cu, device, NULL};
    gp_cu_context handle = NULL;
    gp_status st = GP_CUDA_CALL(cu, cuDevicePrimaryCtxRetain, (&handle, device));
    if (!gp_failed(st)) { context->handle = handle; }
    return st;
}

gp_status
gp_context_enter(const gp_context *context)
{
    return GP_CUDA_CALL(context->cu, cuCtxPushCurrent_v2, (context->handle));
}

gp_status
gp_context_leave(const gp_context *context)
{
    gp_cu_context left = NULL;
    return GP_CUDA_CALL(context->cu, cuCtxPopCurrent_v2, (&left));
}

gp_status
gp_context_memory(const gp_context *context, size_t *free_bytes, size_t *total)
{
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(context->cu, cuMemGetInfo_v2, (free_bytes, total));
    return gp_first_error(st, gp_context_leave(context));
}

gp_status
gp_context_release(gp_context *context)
{
    if (context->handle == NULL) { return gp_ok(); }
    context->handle = NULL;
    gp_status st = GP_CUDA_CALL(context->cu, cuDevicePrimaryCtxRelease_v2, (context->device));
    if (st.kind != GP_SYMBOL_MISSING) { return st; }
    return GP_CUDA_CALL(context->cu, cuDevicePrimaryCtxRelease, (context->device));
}
