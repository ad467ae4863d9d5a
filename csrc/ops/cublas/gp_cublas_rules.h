/* What cuBLASLt computes: which types, on which GPUs, and what it wants of their memory. */
#ifndef GP_CUBLAS_RULES_H
#define GP_CUBLAS_RULES_H

#include "abi/gp_abi_cublaslt.h"
#include "base/gp_status.h"
#include "ops/gp_arithmetic.h"

#include <stdbool.h>

typedef struct gp_cublas_rule {
    gp_cublas_compute compute;
    gp_cublas_type scale; /* of the factors alpha and beta */
    int64_t multiple;     /* of it are, in elements, the columns as stored and the way from one to
                             the next, and in bytes the addresses; 1: no such rule */
    bool is_by_inner; /* both inputs are stored with k fastest (cuBLAS: "TN"), else as they are */
} gp_cublas_rule;

/* The rule for the product of `a` and `b` stored as `c`; `capability` is 90 for 9.0.
 * GP_UNSUPPORTED: there is none. */
gp_status gp_cublas_rule_of(const gp_arithmetic *arithmetic, gp_dtype a, gp_dtype b, gp_dtype c,
                            int capability, gp_cublas_rule *rule);

gp_cublas_type gp_cublas_type_of(gp_dtype dtype);

#endif
