/* A product in cuBLASLt's own terms.
 *
 * It counts matrices by columns, we by rows. So the product c = a b by rows is asked for as the
 * product c^T = b^T a^T by columns, which is the same memory: its first matrix is our b, its second
 * our a, and nothing is copied. */
#ifndef GP_CUBLAS_PROBLEM_H
#define GP_CUBLAS_PROBLEM_H

#include "gp_cublas_batch.h"
#include "gp_cublas_rules.h"

/* All that an algorithm is chosen by. It has no padding: it is compared by its bytes. */
typedef struct gp_cublas_problem {
    int64_t rows;    /* of the result: our n */
    int64_t columns; /* our m */
    int64_t inner;
    int64_t batch;
    uint64_t workspace;               /* bytes that the algorithm may use */
    int64_t ld[GP_CUBLAS_MATRICES];   /* elements from one stored column to the next */
    int64_t step[GP_CUBLAS_MATRICES]; /* elements from one matrix of the batch to the next */
    gp_cublas_type type[GP_CUBLAS_MATRICES];
    uint32_t alignment[GP_CUBLAS_MATRICES]; /* bytes, a power of two, of every address */
    uint32_t operation[GP_RESULT];          /* of the first and the second matrix */
    gp_cublas_compute compute;
    gp_cublas_type scale;
} gp_cublas_problem;

/* A problem, and the batch that it is a part of: it is solved gp_cublas_batch_calls times. */
typedef struct gp_cublas_product {
    gp_cublas_problem problem;
    gp_cublas_batch batch;
    unsigned char *data[GP_CUBLAS_MATRICES];
} gp_cublas_product;

/* States the product of arrays that have elements. `problem.workspace` is left 0. GP_UNSUPPORTED:
 * cuBLASLt does not compute it, or not with its matrices as they lie. */
gp_status gp_cublas_product_of(const gp_matmul_shape *shape, const gp_tensor *a, const gp_tensor *b,
                               const gp_tensor *c, const gp_arithmetic *arithmetic, int capability,
                               gp_cublas_product *product);

#endif
