#include "gp_backends.h"

#include "device/gp_capture.h"
#include "device/gp_devices.h"
#include "device/gp_stopwatch.h"
#include "platform/gp_clock.h"

#include <stdio.h>
#include <string.h>

gp_status
gp_backends_open(gp_arena *arena, gp_backends *backends)
{
    *backends = (gp_backends){.arena = arena, .mutex = gp_mutex_new()};
    return backends->mutex == NULL ? gp_fail(GP_NO_MEMORY, 0, "gp_backends_open") : gp_ok();
}

static bool
has_ended(gp_status st)
{
    return st.kind == GP_CUDA && st.code == GP_CU_DEINITIALIZED;
}

static bool
is_in_use(const gp_backends *backends)
{
    return backends->module.handle != NULL || backends->cudnn_device.dnn != NULL ||
           backends->cublas.lt != NULL;
}

/* Kernels that still run need their code, and what cuBLAS and cuDNN hold: waiting comes first. */
static gp_status
wait_and_unload(gp_backends *backends)
{
    const gp_context *context = &backends->arena->context;
    if (!is_in_use(backends)) { return gp_ok(); }
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(context->cu, cuCtxSynchronize, ());
    st = gp_first_error(st, gp_cudnn_close(&backends->cudnn_device));
    if (backends->module.handle != NULL) {
        st = gp_first_error(st, gp_module_unload(&backends->module));
    }
    return gp_first_error(st, gp_context_leave(context));
}

gp_status
gp_backends_close(gp_backends *backends)
{
    if (backends->mutex == NULL) { return gp_ok(); }
    gp_status st = wait_and_unload(backends);
    st = gp_first_error(st, gp_cublas_close(&backends->cublas));
    gp_cublaslt_free(&backends->cublaslt);
    gp_cudnn_free(&backends->cudnn);
    gp_mutex_free(backends->mutex);
    backends->mutex = NULL;
    return has_ended(st) ? gp_ok() : st;
}

static gp_status
load(gp_backends *backends)
{
    const gp_context *context = &backends->arena->context;
    const gp_cuda *cu = context->cu;
    int major = 0;
    int minor = 0;
    int driver_cuda = 0;
    gp_status st = gp_device_capability(cu, context->device, &major, &minor);
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(cu, cuDriverGetVersion, (&driver_cuda));
    if (gp_failed(st)) { return st; }
    return gp_module_load(cu, (gp_module_target){major * 10 + minor, driver_cuda},
                          &backends->module);
}

gp_status
gp_backends_module(gp_backends *backends, const gp_module **module)
{
    gp_mutex_lock(backends->mutex);
    gp_status st = backends->module.handle == NULL ? load(backends) : gp_ok();
    gp_mutex_unlock(backends->mutex);
    *module = &backends->module;
    return st;
}

/* Both libraries have codes for a handle that finds no memory, and hide it behind others, too:
 * CUDA.jl tries cudnnCreate again after NOT_INITIALIZED and INTERNAL_ERROR (its pull request 244).
 */
bool
gp_backends_is_final(gp_status opened)
{
    switch (opened.kind) {
    case GP_OK:
    case GP_LIBRARY_MISSING:
    case GP_SYMBOL_MISSING: return true;
    case GP_CUBLAS:
        return opened.code != GP_CUBLAS_NOT_INITIALIZED && opened.code != GP_CUBLAS_ALLOC_FAILED &&
               opened.code != GP_CUBLAS_INTERNAL_ERROR;
    case GP_CUDNN:
        return opened.code != GP_CUDNN_NOT_INITIALIZED && opened.code != GP_CUDNN_INTERNAL_ERROR &&
               opened.code != GP_CUDNN_HOST_ALLOCATION_FAILED &&
               opened.code != GP_CUDNN_DEVICE_ALLOCATION_FAILED;
    default: return false;
    }
}

/* Opening costs some milliseconds even where there is no library: what is final stands for all. */
static bool
is_due(bool is_open, gp_status failure)
{
    return !is_open && (!gp_failed(failure) || !gp_backends_is_final(failure));
}

static gp_status
open_cublas(gp_backends *backends, const gp_toolkit_place *place)
{
    if (place == NULL) { return gp_fail(GP_BAD_ARGUMENT, 0, "gp_backends_cublas"); }
    gp_cublaslt_free(&backends->cublaslt); /* what an opening before left */
    gp_status st = gp_cublaslt_load(&backends->cublaslt, backends->arena->context.cu, place);
    if (gp_failed(st)) { return st; }
    return gp_cublas_open(&backends->cublaslt, backends->arena, place->settings, &backends->cublas);
}

gp_status
gp_backends_cublas(gp_backends *backends, const gp_toolkit_place *place, gp_cublas **cublas)
{
    gp_mutex_lock(backends->mutex);
    if (is_due(backends->cublas.lt != NULL, backends->cublas_failure)) {
        backends->cublas_failure = open_cublas(backends, place);
    }
    gp_status st = backends->cublas_failure;
    gp_mutex_unlock(backends->mutex);
    *cublas = &backends->cublas;
    return st;
}

static gp_status
load_cudnn(gp_backends *backends, const gp_toolkit_place *place)
{
    if (place == NULL) { return gp_fail(GP_BAD_ARGUMENT, 0, "gp_backends_cudnn"); }
    gp_cudnn_free(&backends->cudnn); /* what an opening before left */
    return gp_cudnn_load(&backends->cudnn, place, (gp_trace){NULL});
}

static void
open_cudnn(gp_backends *backends, const gp_toolkit_place *place, gp_cudnn_told *told)
{
    gp_cudnn_failure *failure = &backends->cudnn_failure;
    failure->status = load_cudnn(backends, place);
    if (!gp_failed(failure->status)) {
        failure->status =
            gp_cudnn_open(&backends->cudnn, backends->arena, &backends->cudnn_device, told);
        memcpy(failure->text, told->text, sizeof(failure->text));
        return;
    }
    (void)snprintf(failure->text, sizeof(failure->text), "%s",
                   gp_text_get(&backends->cudnn.library.error));
}

gp_status
gp_backends_cudnn(gp_backends *backends, const gp_toolkit_place *place, gp_cudnn_device **device,
                  gp_cudnn_told *told)
{
    gp_mutex_lock(backends->mutex);
    const gp_cudnn_failure *failure = &backends->cudnn_failure;
    if (is_due(backends->cudnn_device.dnn != NULL, failure->status)) {
        open_cudnn(backends, place, told);
    }
    gp_status st = failure->status;
    memcpy(told->text, failure->text, sizeof(told->text));
    gp_mutex_unlock(backends->mutex);
    *device = &backends->cudnn_device;
    return st;
}

static gp_status
run_timed(gp_backends *backends, gp_work work, const void *what, gp_cu_stream stream,
          gp_work_times *times)
{
    const gp_cuda *cu = backends->arena->context.cu;
    gp_stopwatch watch;
    gp_status st = GP_CAPTURE_CHECK(cu, stream, cuEventSynchronize);
    if (gp_failed(st)) { return st; }
    st = gp_stopwatch_start(cu, stream, &watch);
    if (gp_failed(st)) { return st; }
    uint64_t start = gp_clock_ns();
    st = work(backends, what, stream);
    times->submit_s = (double)(gp_clock_ns() - start) / 1e9;
    if (!gp_failed(st)) { st = gp_stopwatch_read(&watch, &times->kernel_s); }
    return gp_first_error(st, gp_stopwatch_end(&watch));
}

gp_status
gp_backends_run(gp_backends *backends, gp_work work, const void *what, gp_cu_stream stream,
                gp_work_times *times)
{
    gp_cu_capture_mode before;
    gp_status st = gp_capture_enter(&backends->arena->context, &before);
    if (gp_failed(st)) { return st; }
    st = times->is_timed ? run_timed(backends, work, what, stream, times)
                         : work(backends, what, stream);
    return gp_first_error(st, gp_capture_leave(&backends->arena->context, before));
}
