/* What numpy.matmul makes of two shapes, as a batch of matrix products. */
#ifndef GP_MATMUL_SHAPE_H
#define GP_MATMUL_SHAPE_H

#include "base/gp_tensor.h"
#include "gp_matrix.h"

/* `batch` products of (m x k) and (k x n). The batch axes are those of the result; an input that is
 * broadcast along an axis has the stride 0 there. */
typedef struct gp_matmul_shape {
    int64_t m;
    int64_t n;
    int64_t k;
    int64_t batch;
    int batch_ndim;
    int64_t batch_shape[GP_MAX_NDIM];
    int64_t a_batch_strides[GP_MAX_NDIM];
    int64_t b_batch_strides[GP_MAX_NDIM];
    int64_t a_strides[2]; /* rows, columns; bytes */
    int64_t b_strides[2];
    bool a_is_vector; /* a 1-D `a` is one row, and that axis is missing in the result */
    bool b_is_vector; /* a 1-D `b` is one column, likewise */
} gp_matmul_shape;

typedef enum gp_matmul_misfit {
    GP_MATMUL_FITS,
    GP_MATMUL_SCALAR,   /* a 0-D array has no rows to multiply with */
    GP_MATMUL_INNER,    /* the columns of a are not as many as the rows of b */
    GP_MATMUL_BATCH,    /* the batch axes cannot be broadcast */
    GP_MATMUL_TOO_LARGE /* the result has more bytes or axes than can be counted */
} gp_matmul_misfit;

/* Fills `shape`, and in `c` ndim, shape and compact strides of the result for its dtype. */
gp_matmul_misfit
gp_matmul_shape_of(const gp_tensor *a, const gp_tensor *b, gp_matmul_shape *shape, gp_tensor *c);

/* The three matrices of product number `index` of the batch; `c` is compact. */
void gp_matmul_matrices(const gp_matmul_shape *shape, const gp_tensor *a, const gp_tensor *b,
                        const gp_tensor *c, int64_t index, gp_matrix matrices[3]);

#endif
