#include "gp_cublas_rules.h"

#include <stdint.h>
#include <string.h>

#define BIT(dtype) (1u << (dtype))
#define FLOAT8     (BIT(GP_FLOAT8_E4M3FN) | BIT(GP_FLOAT8_E5M2))

typedef struct type_row {
    const char *arithmetic;
    unsigned int inputs; /* sets of types */
    unsigned int outputs;
    int capability; /* of the first GPU that has it in hardware */
    gp_cublas_rule rule;
} type_row;

/* cuBLAS' documentation of cublasLtMatmul, its table of types. Sums of narrow floats are taken in
 * float32. tf32 is 32F_FAST_TF32 and never a silent choice: 32F is float32 to the last bit. */
static const type_row rows[] = {
    {"float64",
     BIT(GP_FLOAT64),
     BIT(GP_FLOAT64),
     0,
     {GP_CUBLAS_COMPUTE_64F, GP_CUBLAS_R_64F, 1, false}},
    {"float32",
     BIT(GP_FLOAT32),
     BIT(GP_FLOAT32),
     0,
     {GP_CUBLAS_COMPUTE_32F, GP_CUBLAS_R_32F, 1, false}},
    {"tf32",
     BIT(GP_FLOAT32),
     BIT(GP_FLOAT32),
     80,
     {GP_CUBLAS_COMPUTE_32F_FAST_TF32, GP_CUBLAS_R_32F, 1, false}},
    {"float16",
     BIT(GP_FLOAT16),
     BIT(GP_FLOAT16) | BIT(GP_FLOAT32),
     53,
     {GP_CUBLAS_COMPUTE_32F, GP_CUBLAS_R_32F, 1, false}},
    {"bfloat16",
     BIT(GP_BFLOAT16),
     BIT(GP_BFLOAT16) | BIT(GP_FLOAT32),
     80,
     {GP_CUBLAS_COMPUTE_32F, GP_CUBLAS_R_32F, 1, false}},
    {"float8",
     FLOAT8,
     BIT(GP_FLOAT32) | BIT(GP_BFLOAT16) | BIT(GP_FLOAT16),
     89,
     {GP_CUBLAS_COMPUTE_32F, GP_CUBLAS_R_32F, 16, true}},
    {"int32", BIT(GP_INT8), BIT(GP_INT32), 75, {GP_CUBLAS_COMPUTE_32I, GP_CUBLAS_R_32I, 4, true}},
};

static const type_row *
find_row(const gp_arithmetic *arithmetic)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].arithmetic, arithmetic->name) == 0) { return &rows[i]; }
    }
    return NULL;
}

/* Blackwell's data-center GPUs (10.x) read float8 in any order; those before and after do not. */
static bool
reads_any_order(unsigned int inputs, int capability)
{
    return inputs == FLOAT8 && capability >= 100 && capability < 120;
}

gp_status
gp_cublas_rule_of(const gp_arithmetic *arithmetic, gp_dtype a, gp_dtype b, gp_dtype c,
                  int capability, gp_cublas_rule *rule)
{
    const type_row *found = find_row(arithmetic);
    if (found == NULL || (BIT(a) & found->inputs) == 0 || (BIT(b) & found->inputs) == 0) {
        return gp_fail(GP_UNSUPPORTED, 0,
                       "cuBLAS does not multiply these types in this arithmetic");
    }
    if (a == GP_FLOAT8_E5M2 && b == GP_FLOAT8_E5M2) {
        return gp_fail(GP_UNSUPPORTED, 0, "cuBLAS does not multiply float8_e5m2 by float8_e5m2");
    }
    if ((BIT(c) & found->outputs) == 0) {
        return gp_fail(GP_UNSUPPORTED, 0, "cuBLAS does not store such a product in this type");
    }
    if (capability < found->capability) {
        return gp_fail(GP_UNSUPPORTED, 0, "this GPU is older than the arithmetic");
    }
    *rule = found->rule;
    if (reads_any_order(found->inputs, capability)) { rule->is_by_inner = false; }
    return gp_ok();
}

gp_cublas_type
gp_cublas_type_of(gp_dtype dtype)
{
    static const gp_cublas_type types[GP_DTYPE_COUNT] = {
        [GP_FLOAT64] = GP_CUBLAS_R_64F,
        [GP_FLOAT32] = GP_CUBLAS_R_32F,
        [GP_FLOAT16] = GP_CUBLAS_R_16F,
        [GP_BFLOAT16] = GP_CUBLAS_R_16BF,
        [GP_FLOAT8_E4M3FN] = GP_CUBLAS_R_8F_E4M3,
        [GP_FLOAT8_E5M2] = GP_CUBLAS_R_8F_E5M2,
        [GP_INT32] = GP_CUBLAS_R_32I,
        [GP_INT8] = GP_CUBLAS_R_8I,
    };
    return types[dtype];
}
