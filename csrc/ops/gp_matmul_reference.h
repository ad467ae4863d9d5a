/* The plain-C product: slow, obvious, and what every other way of computing it is compared with. */
#ifndef GP_MATMUL_REFERENCE_H
#define GP_MATMUL_REFERENCE_H

#include "base/gp_watch.h"
#include "gp_arithmetic.h"
#include "gp_matmul_shape.h"

/* c[i, j] = sum over p of a[i, p] * b[p, j], in the order of p, as gp_accumulator.h sums. `out`
 * holds a->rows rows of b->columns elements of the type `dtype`, without gaps. GP_NO_MEMORY: no
 * room for O(k + n) numbers. Once the watch is over it returns soon, and `out` is not whole; NULL:
 * it goes on to its end. */
gp_status
gp_matmul_reference(const gp_matrix *a, const gp_matrix *b, const gp_arithmetic *arithmetic,
                    gp_dtype dtype, void *out, const gp_watch *watch);

#endif
