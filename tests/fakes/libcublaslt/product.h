/* A product of matrices as cublasLtMatmul documents it, computed on the host: what the fake library
 * and the scripted one of the C tests have in common. Knows nothing of anybody's header. */
#ifndef FAKE_PRODUCT_H
#define FAKE_PRODUCT_H

#include "base/gp_dtype.h"

/* As it is stored. */
typedef struct product_matrix {
    void *data;
    gp_dtype dtype;
    uint64_t rows;
    uint64_t columns;
    int64_t ld;      /* elements from one column to the next, or from one row to the next */
    int64_t step;    /* elements from one matrix of the batch to the next */
    bool is_by_rows; /* else by columns */
} product_matrix;

/* The types that are summed in, and TF32: float32 with inputs of 11 significant bits. */
typedef enum { PRODUCT_FLOAT64, PRODUCT_FLOAT32, PRODUCT_TF32, PRODUCT_INT32 } product_sum;

typedef struct product {
    product_sum sum;
    product_matrix first;
    product_matrix second;
    product_matrix result;
    bool is_first_transposed;
    bool is_second_transposed;
    int32_t batch;
} product;

/* Whether the shapes fit, and no stored line overlaps the next one. */
bool product_fits(const product *asked);

/* Bytes from the first element of the whole batch to behind the last one. */
size_t product_extent(const product_matrix *matrix, int32_t batch);

/* result = op(first) op(second), each sum from its last term to its first and with one rounding a
 * step: no library promises an order, so a test that counts on one is found out. False: no memory.
 */
bool product_compute(const product *asked);

#endif
