/* Primary contexts and each thread's stack of current ones. */
#include "capture.h"
#include "order.h"

enum { STACK_DEPTH = 16 };

static _Thread_local struct CUctx_st *stack[STACK_DEPTH];
static _Thread_local size_t depth;

struct CUctx_st *
fake_current(void)
{
    return depth == 0 ? NULL : stack[depth - 1];
}

int
fake_device_in_use(void)
{
    return depth == 0 ? -1 : fake_current()->device;
}

size_t
fake_live_contexts(void)
{
    size_t live = 0;
    for (size_t i = 0; i < fake_device_count(); i++) {
        live += fake_device_at((CUdevice)i)->primary.retained > 0;
    }
    return live;
}

static bool
is_held_by_a_process(const fake_gpu *gpu)
{
    const fake_scenario *machine = fake_machine();
    for (size_t i = 0; i < machine->process_count; i++) {
        if (&machine->gpus[machine->processes[i].gpu] == gpu) { return true; }
    }
    return false;
}

CUresult CUDAAPI
cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    fake_device *device = fake_device_at(ordinal);
    if (context == NULL || device == NULL) {
        return context == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_DEVICE;
    }
    if (device->gpu->compute_mode == CU_COMPUTEMODE_PROHIBITED) { return CUDA_ERROR_UNKNOWN; }
    if (device->gpu->compute_mode == CU_COMPUTEMODE_EXCLUSIVE_PROCESS &&
        is_held_by_a_process(device->gpu)) {
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    }
    device->primary.retained++;
    *context = &device->primary;
    return CUDA_SUCCESS;
}

CUresult
fake_release_primary(CUdevice ordinal)
{
    fake_device *device = fake_device_at(ordinal);
    if (device == NULL) { return CUDA_ERROR_INVALID_DEVICE; }
    if (device->primary.retained == 0) { return CUDA_ERROR_INVALID_CONTEXT; }
    device->primary.retained--;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDevicePrimaryCtxRelease_v2(CUdevice ordinal)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    return fake_release_primary(ordinal);
}

CUresult CUDAAPI
cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned int *flags, int *active)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    const fake_device *device = fake_device_at(ordinal);
    if (device == NULL || flags == NULL || active == NULL) {
        return device == NULL ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    }
    *flags = 0;
    *active = device->primary.retained > 0;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxPushCurrent_v2(CUcontext context)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (context == NULL || context->retained == 0) { return CUDA_ERROR_INVALID_CONTEXT; }
    if (depth == STACK_DEPTH) {
        fake_die("%d contexts pushed on one thread: is a pop missing?", STACK_DEPTH);
    }
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxPopCurrent_v2(CUcontext *context)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (depth == 0) { return CUDA_ERROR_INVALID_CONTEXT; }
    depth--;
    if (context != NULL) { *context = stack[depth]; }
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxGetCurrent(CUcontext *context)
{
    FAKE_CALL(FAKE_AFTER_INIT);
    if (context == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    *context = fake_current();
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxGetDevice(CUdevice *device)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    if (device == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    *device = fake_current()->device;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxSynchronize(void)
{
    FAKE_CALL(FAKE_IN_CONTEXT);
    const CUresult allowed = fake_capture_allows_wait(NULL);
    if (allowed != CUDA_SUCCESS) { return allowed; }
    fake_order_wait_device(fake_current()->device);
    return CUDA_SUCCESS;
}
