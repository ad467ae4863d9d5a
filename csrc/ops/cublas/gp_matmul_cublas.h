/* Products of matrices in device memory by cuBLASLt.
 *
 * One gp_cublas for each device: it holds the library's handle, and for each kind of product the
 * algorithm that was chosen at the first one. Any thread may use it. A product is queued on a
 * stream, and nothing waits for it. Its workspace is a block of the arena that the next work on the
 * stream may have at once; what is captured into a CUDA graph does without. */
#ifndef GP_MATMUL_CUBLAS_H
#define GP_MATMUL_CUBLAS_H

#include "device/gp_arena.h"
#include "gp_cublas_overrides.h"
#include "gp_cublas_plans.h"

typedef struct gp_cublas {
    const gp_cublaslt *lt;
    gp_arena *arena; /* the device, and the workspace */
    gp_cublaslt_handle handle;
    gp_cublas_overrides overrides;
    int capability;
    gp_mutex *mutex; /* over the plans */
    gp_cublas_plans plans;
} gp_cublas;

/* Starts the library, which gp_cublaslt_load has loaded, on the arena's device; makes the context
 * current by itself. Takes a while, and device memory. A failure leaves nothing behind. */
gp_status gp_cublas_open(const gp_cublaslt *lt, gp_arena *arena, const gp_settings *settings,
                         gp_cublas *cublas);

/* To be called before the arena is closed. A driver that has ended before is no failure. Does
 * nothing where it was not opened, or the second time. Nobody else may be using it. */
gp_status gp_cublas_close(gp_cublas *cublas);

/* c = a b as `shape` describes it. The device's context is current, the addresses are the device's,
 * and `c` is compact and overlaps neither input. GP_UNSUPPORTED: cuBLAS does not compute this, or
 * not with these strides; nothing was queued, and the status' `call` is the reason in words. After
 * another failure `c` is unspecified. `told` says what was queued. */
gp_status gp_matmul_cublas(gp_cublas *cublas, const gp_matmul_shape *shape, const gp_tensor *a,
                           const gp_tensor *b, const gp_tensor *c, const gp_arithmetic *arithmetic,
                           gp_cu_stream stream, gp_cublas_told *told);

#endif
