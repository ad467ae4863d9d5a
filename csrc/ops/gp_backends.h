/* What computes on one device: our own kernels, cuBLAS and cuDNN. They are loaded at the first use,
 * and stay.
 *
 * Any thread may call. Where a call needs the device's context it makes it current itself, and
 * leaves the caller's as it was. */
#ifndef GP_BACKENDS_H
#define GP_BACKENDS_H

#include "device/gp_arena.h"
#include "device/gp_module.h"
#include "ops/cublas/gp_matmul_cublas.h"
#include "ops/cudnn/gp_conv2d_cudnn.h"
#include "platform/gp_mutex.h"

#include <stdbool.h>

typedef struct gp_backends {
    gp_arena *arena; /* the owner's; open until after gp_backends_close */
    gp_mutex *mutex; /* over what is loaded late */
    gp_module module;
    gp_cublaslt cublaslt;
    gp_status cublas_failure; /* of its last opening */
    gp_cublas cublas;         /* lt is NULL: not open */
    gp_cudnn cudnn;
    gp_cudnn_failure cudnn_failure; /* of its last opening */
    gp_cudnn_device cudnn_device;   /* dnn is NULL: not open */
} gp_backends;

/* Loads nothing yet. `backends` must not move afterwards. */
gp_status gp_backends_open(gp_arena *arena, gp_backends *backends);

/* Waits for the device and unloads what was loaded, or leaves it to the context where that cannot
 * be made current; does nothing if it was not opened. A driver that has ended before is no failure.
 * Nobody else may be using it. */
gp_status gp_backends_close(gp_backends *backends);

/* The kernels; the context is current. GP_NO_IMAGE: this build has none for this device. */
gp_status gp_backends_module(gp_backends *backends, const gp_module **module);

/* Whether what an opening of cuBLAS or cuDNN came to stands for all later calls: success, or a
 * failure that is the library's own. Any other may have been for want of memory: the next call
 * tries again. */
bool gp_backends_is_final(gp_status opened);

/* cuBLAS, opened as gp_cublaslt_load says. Where there is no library, the loader's words, or "",
 * are in cublaslt.library.error and stay there. `place` is needed until the outcome is final, and
 * may be NULL from then on. */
gp_status
gp_backends_cublas(gp_backends *backends, const gp_toolkit_place *place, gp_cublas **cublas);

/* cuDNN, likewise; the context is current. `told` tells a failure in words. */
gp_status gp_backends_cudnn(gp_backends *backends, const gp_toolkit_place *place,
                            gp_cudnn_device **device, gp_cudnn_told *told);

/* One piece of work that is queued on a stream; the context is current. */
typedef gp_status (*gp_work)(gp_backends *backends, const void *what, gp_cu_stream stream);

typedef struct gp_work_times {
    bool is_timed;   /* asked for: then the host waits for the device */
    double submit_s; /* the host, until the work was queued */
    double kernel_s; /* the device; known only if it was asked for */
} gp_work_times;

/* Queues it, after what the stream was given before, or captures it with that. GP_CAPTURE: it was
 * to be timed, and is not done while it is captured. */
gp_status gp_backends_run(gp_backends *backends, gp_work work, const void *what,
                          gp_cu_stream stream, gp_work_times *times);

#endif
