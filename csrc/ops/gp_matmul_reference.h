/* The plain-C product: slow, obvious, and what every other way of computing it is compared with. */
#ifndef GP_MATMUL_REFERENCE_H
#define GP_MATMUL_REFERENCE_H

#include "gp_arithmetic.h"
#include "gp_matmul_shape.h"

/* Rows of the result that are made together: reading a row of b, and rounding it, costs more than
 * multiplying by it. */
enum { GP_ROWS_AT_ONCE = 8 };

/* c[i, j] = sum over p of a[i, p] * b[p, j], in the order of p, as gp_accumulator.h sums. `out`
 * holds a->rows rows of b->columns elements of the type `dtype`, without gaps. GP_NO_MEMORY: no
 * room for O(k + n) numbers. */
gp_status gp_matmul_reference(const gp_matrix *a, const gp_matrix *b,
                              const gp_arithmetic *arithmetic, gp_dtype dtype, void *out);

#endif
