/* Numbers so small that they underflow, and results without elements. */
#include "alloc_hook.h"
#include "harness.h"
#include "kernels/gp_formulas.h"
#include "ops/prove/gp_prove_matmul.h"

#include <math.h>
#include <string.h>

/* Panels of columns are judged where there are `MANY` rows, else element by element. */
enum { K = 256, FEW = 2, MANY = 300, LONG = 8000 };

static float a[MANY * K];
static float b[LONG * MANY];
static float c[MANY * MANY];

static gp_matrix
view(const void *data, gp_dtype dtype, size_t rows, size_t columns)
{
    ptrdiff_t size = (ptrdiff_t)gp_dtype_size(dtype);
    return gp_matrix_of(data, dtype, rows, columns, size * (ptrdiff_t)columns, size);
}

static gp_product
product_of(const char *arithmetic, size_t m, size_t k, size_t n)
{
    return (gp_product){.a = view(a, GP_FLOAT32, m, k),
                        .b = view(b, GP_FLOAT32, k, n),
                        .c = view(c, GP_FLOAT32, m, n),
                        .arithmetic = gp_arithmetic_find(arithmetic)};
}

static void
fill(float *out, size_t n, float value)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = value;
    }
}

static gp_matmul_proof
prove(const gp_product *product)
{
    gp_matmul_proof proof;
    ASSERT_OK(gp_prove_matmul(product, 7, &proof));
    ASSERT_INT(0, alloc_live());
    return proof;
}

/* From -size to size, and what float64 makes of the only row of a and all columns of b. */
static gp_product
random_product(float size)
{
    for (size_t i = 0; i < LONG; i++) {
        a[i] = size * (2.0F * (float)(gp_random_u64(1, i) >> 40) * 0x1p-24F - 1.0F);
    }
    for (size_t i = 0; i < LONG * FEW; i++) {
        b[i] = size * (2.0F * (float)(gp_random_u64(2, i) >> 40) * 0x1p-24F - 1.0F);
    }
    for (size_t j = 0; j < FEW; j++) {
        double sum = 0.0;
        for (size_t p = 0; p < LONG; p++) {
            sum += (double)a[p] * (double)b[p * FEW + j];
        }
        c[j] = (float)sum;
    }
    return product_of("float32", 1, LONG, FEW);
}

/* Products of 2^-124, the least normal number being 2^-126: 8000 of them may lose as much as most
 * of their sums come to. */
TEST(prove_matmul_promises_nothing_of_sums_of_which_all_may_underflow)
{
    gp_matmul_proof proof;
    gp_product product = random_product(0x1p-61F);
    for (int i = 0; i < 2; i++) {
        ASSERT_FAILED(GP_BAD_ARGUMENT, 0, gp_prove_matmul(&product, 7, &proof));
        ASSERT(!proof.is_right);
        memset(c, 0, sizeof(c));
    }
    product = random_product(0x1p-50F);
    ASSERT(prove(&product).is_right);
    memset(c, 0, sizeof(c));
    ASSERT(!prove(&product).is_right);
}

/* 1e-10 lies far below 2^-25, half of the least float16. */
TEST(prove_matmul_takes_for_a_result_below_all_of_its_type_only_the_nearest)
{
    static const float results[] = {0.0F, -0.0F, 0x1p-24F, -0x1p-24F};
    uint16_t stored = 0;
    gp_product product = product_of("float32", 1, 1, 1);
    product.c = view(&stored, GP_FLOAT16, 1, 1);
    a[0] = b[0] = 1e-5F;
    for (int i = 0; i < 4; i++) {
        gp_dtype_store(GP_FLOAT16, (double)results[i], &stored);
        ASSERT(prove(&product).is_right == (results[i] == 0.0F));
    }
}

/* 2^-133 + 2^-137 lies half-way between two numbers of TF32, which below 2^-126 has steps of 2^-136
 * as at it. To take it for 0 is no rounding. */
static void
assert_tf32_rounds_below_its_normal_numbers(size_t m)
{
    static const float inputs[] = {0x1p-133F, 0x1p-133F + 0x1p-136F, 0.0F};
    gp_product product = product_of("tf32", m, K, m);
    fill(a, m * K, 0x1p-133F + 0x1p-137F);
    fill(b, K * m, 0x1p100F);
    for (int i = 0; i < 3; i++) {
        fill(c, m * m, inputs[i] * 0x1p100F * (float)K);
        gp_matmul_proof proof = prove(&product);
        ASSERT_INT(GP_BASIS_BOUND, proof.basis);
        ASSERT(proof.is_right == (inputs[i] != 0.0F));
        ASSERT(!proof.is_right || proof.fraction > 0.2);
    }
}

TEST(prove_matmul_takes_small_inputs_as_tf32_rounds_them)
{
    assert_tf32_rounds_below_its_normal_numbers(FEW);
    assert_tf32_rounds_below_its_normal_numbers(MANY);
}

TEST(prove_matmul_calls_a_result_without_elements_right_whatever_the_inputs_hold)
{
    static const size_t shapes[][3] = {{0, 2, 2}, {2, 2, 0}, {0, 2, 0}, {0, 0, 0}};
    fill(a, 4, NAN);
    fill(b, 4, INFINITY);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        gp_product product = product_of("float32", shapes[i][0], shapes[i][1], shapes[i][2]);
        gp_matmul_proof proof = prove(&product);
        ASSERT(proof.is_right);
        ASSERT_INT(GP_BASIS_EXACT, proof.basis);
    }
    c[0] = NAN; /* of a sum of nothing, which is 0 */
    gp_product product = product_of("float32", 1, 0, 1);
    ASSERT(!prove(&product).is_right);
    c[0] = 0.0F;
    ASSERT(prove(&product).is_right);
}

/* Half of the rows of b are zeros, and the caller knows it. */
TEST(prove_matmul_leaves_steps_that_add_nothing_out_of_what_it_allows)
{
    enum { STEPS = 8 };
    gp_product product = product_of("float32", 1, 2 * STEPS, 1);
    fill(a, 2 * STEPS, 1.5F);
    fill(b, STEPS, 1.1F);
    fill(b + STEPS, STEPS, 0.0F);
    double exact = STEPS * 1.5 * (double)1.1F;
    c[0] = (float)(exact * (1.0 + 1.5 * STEPS * 0x1p-24));
    ASSERT(prove(&product).is_right);
    product.zero_steps = STEPS;
    ASSERT(!prove(&product).is_right);
    c[0] = (float)(exact * (1.0 + 0.8 * STEPS * 0x1p-24));
    ASSERT(prove(&product).is_right);
    fill(a, 2 * STEPS, 1448.0F); /* 8 * 1448^2 <= 2^24 */
    fill(b, STEPS, 1448.0F);
    c[0] = STEPS * 1448.0F * 1448.0F;
    ASSERT_INT(GP_BASIS_EXACT, prove(&product).basis);
    product.zero_steps = 0;
    ASSERT_INT(GP_BASIS_BOUND, prove(&product).basis);
}
