/* The batch of a product as cuBLASLt takes one: along a single axis. */
#ifndef GP_CUBLAS_BATCH_H
#define GP_CUBLAS_BATCH_H

#include "ops/gp_matmul_shape.h"

/* cuBLASLt's three matrices: see gp_cublas_problem.h. */
enum { GP_FIRST, GP_SECOND, GP_RESULT, GP_CUBLAS_MATRICES };

typedef struct gp_cublas_axis {
    int64_t extent;
    int64_t strides[GP_CUBLAS_MATRICES]; /* bytes */
} gp_cublas_axis;

/* Axes along which all three matrices go on at an even pace are one axis; axes of one matrix are
 * none. The axis with most matrices is the last one. */
typedef struct gp_cublas_batch {
    int ndim;
    gp_cublas_axis axes[GP_MAX_NDIM];
} gp_cublas_batch;

/* `size`: bytes of an element of the result, which has no gaps. */
void gp_cublas_batch_of(const gp_matmul_shape *shape, int64_t size, gp_cublas_batch *batch);

/* Bytes from the start of each matrix to the one that stands at `index` along all axes but the
 * last, the last of them fastest. */
void gp_cublas_batch_offsets(const gp_cublas_batch *batch, int64_t index,
                             int64_t offsets[GP_CUBLAS_MATRICES]);

/* How many times that is: 1 where there is no batch, or one of a single axis. */
int64_t gp_cublas_batch_calls(const gp_cublas_batch *batch);

#endif
