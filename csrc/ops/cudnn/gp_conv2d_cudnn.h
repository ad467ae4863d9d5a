/* Convolutions of arrays in device memory through cuDNN 9. */
#ifndef GP_CONV2D_CUDNN_H
#define GP_CONV2D_CUDNN_H

#include "device/gp_arena.h"
#include "gp_cudnn_cache.h"
#include "platform/gp_mutex.h"

/* cuDNN on one device: its handle, and the plans that were made. */
typedef struct gp_cudnn_device {
    const gp_cudnn *dnn; /* borrowed */
    gp_arena *arena;     /* borrowed: the device's, where workspaces come from */
    gp_mutex *mutex;     /* over everything below: a handle serves one thread at a time */
    gp_cudnn_handle handle;
    gp_cudnn_cache cache;
} gp_cudnn_device;

/* An engine that needs more than this is passed over. */
#define GP_CUDNN_MOST_WORKSPACE (INT64_C(1) << 30)

/* What there is to tell of a call beside its status. */
typedef struct gp_cudnn_told {
    int64_t engine;                /* cuDNN's number of the engine that computed; -1: none */
    int64_t bias_engine;           /* of the engine that added the bias afterwards; -1: none */
    int64_t workspace;             /* bytes */
    char text[GP_CUDNN_TEXT_SIZE]; /* cuDNN's own words where it failed, else "" */
    gp_shortage shortage;          /* why there was no workspace; `why` is GP_OK where there was */
} gp_cudnn_told;

/* Begins with a library that gp_cudnn_load has opened, on the arena's device, whose context the
 * caller has made current; the first time in a process it takes long. A failure leaves nothing to
 * close. `device` must not move afterwards. */
gp_status
gp_cudnn_open(const gp_cudnn *dnn, gp_arena *arena, gp_cudnn_device *device, gp_cudnn_told *told);

/* Ends the plans and the handle, which waits for the device; the context is current. Nobody else
 * may be using it. */
gp_status gp_cudnn_close(gp_cudnn_device *device);

/* y = x * w, plus the bias where there is one (NULL: none), as gp_conv2d_reference.h says, in
 * device memory. Queued on the stream, nothing waits, but for engines that are compiled at the
 * first call of a problem. The caller has made the context current, and has had the shape checked
 * by gp_conv2d_shape_of; `y` does not overlap the inputs. Any thread may call.
 *
 * GP_UNSUPPORTED, with the reason: cuDNN cannot do it, or not with the arithmetic's promise, or not
 * without a workspace where the stream is captured into a CUDA graph.
 * GP_CUDNN: it failed. GP_LIMIT, or GP_CUDA 2: there was no memory for the workspace. */
gp_status
gp_conv2d_cudnn(gp_cudnn_device *device, const gp_conv2d_shape *shape, const gp_tensor *x,
                const gp_tensor *w, const gp_tensor *bias, const gp_tensor *y,
                const gp_arithmetic *arithmetic, gp_cu_stream stream, gp_cudnn_told *told);

#endif
