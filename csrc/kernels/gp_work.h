/* What the kernels of matmul and conv2d are told: one structure, handed over by value. All members
 * have 8 bytes, so that every compiler lays it out alike. Strides are in bytes, negative and 0 too;
 * each element lies at a multiple of its size. The result has no gaps and overlaps no input. */
#ifndef GP_WORK_H
#define GP_WORK_H

#include "gp_formulas.h"

/* A block of GP_KERNEL_BLOCK threads makes a square of the result; each thread one element. */
enum { GP_TILE = 16 };

enum { GP_WORK_AXES = 32 };

/* What a sum in float32 is stored as. The other sums have but one type: float64 and int32. */
enum { GP_STORE_F32, GP_STORE_F16, GP_STORE_BF16 };

/* Which of the two float8 types an input has. */
enum { GP_E4M3, GP_E5M2 };

/* c = a b for each product of a batch, whose last axis is the fastest. */
typedef struct gp_matmul_work {
    const void *a; /* m x k */
    const void *b; /* k x n */
    void *c;       /* batch x m x n */
    int64_t m;
    int64_t n;
    int64_t k;
    int64_t batch;
    int64_t store;
    int64_t a_format; /* of float8 only */
    int64_t b_format;
    int64_t a_strides[2];
    int64_t b_strides[2];
    int64_t batch_ndim;
    int64_t batch_shape[GP_WORK_AXES];
    int64_t a_batch_strides[GP_WORK_AXES];
    int64_t b_batch_strides[GP_WORK_AXES];
} gp_matmul_work;

/* Index 0 is the height, 1 the width; four strides are those of n c h w and of k c r s. */
typedef struct gp_conv2d_work {
    const void *x;
    const void *w;
    const void *bias; /* k elements; NULL: none */
    void *y;
    int64_t n;
    int64_t k;
    int64_t channels; /* of one group */
    int64_t filters;  /* of one group */
    int64_t in[2];
    int64_t filter[2];
    int64_t out[2];
    int64_t pad[2]; /* zeros before the first row and column */
    int64_t stride[2];
    int64_t dilation[2];
    int64_t x_strides[4];
    int64_t w_strides[4];
    int64_t bias_stride;
    int64_t channels_last; /* y is n p q k, else n k p q */
    int64_t store;
} gp_conv2d_work;

/* The tiles that cover an extent. */
GP_FORMULA int64_t
gp_tiles_over(int64_t extent)
{
    return extent / GP_TILE + (extent % GP_TILE != 0);
}

#endif
