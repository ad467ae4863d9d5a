/* Sums so long that a bound is as wide as the products: nothing may pass that zeros would pass,
 * too. */
#include "alloc_hook.h"
#include "harness.h"
#include "kernels/gp_formulas.h"
#include "ops/prove/gp_prove_elements.h"
#include "ops/prove/gp_prove_matmul.h"

#include <math.h>
#include <string.h>

/* float8 is summed with 14 bits, so that it takes few products to make a wide bound. */
enum { LONGEST = 3000, MOST_ROWS = 64, MOST_COLUMNS = 1024 };

static unsigned char a[MOST_ROWS * LONGEST];
static unsigned char b[LONGEST * MOST_COLUMNS];
static float c[MOST_ROWS * MOST_COLUMNS];

static gp_matrix
view(const void *data, gp_dtype dtype, size_t rows, size_t columns)
{
    ptrdiff_t size = (ptrdiff_t)gp_dtype_size(dtype);
    return gp_matrix_of(data, dtype, rows, columns, size * (ptrdiff_t)columns, size);
}

/* Fractions between `least` and 1. */
static void
fill(unsigned char *out, size_t n, uint64_t seed, double least)
{
    for (size_t i = 0; i < n; i++) {
        double fraction = (double)(gp_random_u64(seed, i) >> 11) * 0x1p-53;
        gp_dtype_store(GP_FLOAT8_E4M3FN, least + (1.0 - least) * fraction, &out[i]);
    }
}

/* A product of fractions between `least` and 1 with its own result. */
static gp_product
make_product(size_t m, size_t k, size_t n, double least)
{
    gp_product product = {.a = view(a, GP_FLOAT8_E4M3FN, m, k),
                          .b = view(b, GP_FLOAT8_E4M3FN, k, n),
                          .c = view(c, GP_FLOAT32, m, n),
                          .arithmetic = gp_arithmetic_find("float8")};
    double row[MOST_COLUMNS];
    fill(a, m * k, 1, least);
    fill(b, k * n, 2, least);
    for (size_t i = 0; i < m; i++) {
        double sums[MOST_COLUMNS] = {0.0};
        for (size_t p = 0; p < k; p++) {
            double left = gp_matrix_at(&product.a, i, p);
            gp_matrix_row(&product.b, p, row);
            for (size_t j = 0; j < n; j++) {
                sums[j] += left * row[j];
            }
        }
        for (size_t j = 0; j < n; j++) {
            c[i * n + j] = (float)sums[j];
        }
    }
    return product;
}

static void
scale(size_t n, float factor)
{
    for (size_t i = 0; i < n; i++) {
        c[i] *= factor;
    }
}

TEST(prove_matmul_promises_nothing_of_sums_in_whose_place_zeros_would_pass)
{
    gp_matmul_proof proof;
    gp_product product = make_product(8, LONGEST, 8, -1.0);
    for (int i = 0; i < 2; i++) { /* right, then zeros */
        ASSERT_FAILED(GP_BAD_ARGUMENT, 0, gp_prove_matmul(&product, 7, &proof));
        ASSERT(!proof.is_right);
        scale((size_t)8 * 8, 0.0F);
    }
}

/* What no bound is too wide for is wrong, and not left open. */
TEST(prove_matmul_finds_great_errors_in_sums_of_any_length)
{
    gp_matmul_proof proof;
    gp_product product = make_product(8, LONGEST, 8, -1.0);
    c[5 * 8 + 3] = 3000.0F;
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(!proof.is_right);
    ASSERT_INT(GP_PATTERN_ELEMENT, proof.pattern);
}

/* Rows that are compared at other places than the wrong ones are within so wide a bound of any. */
TEST(prove_matmul_names_no_swap_that_the_bound_cannot_tell)
{
    enum { COLUMNS = 64 };
    gp_matmul_proof proof;
    gp_product product = make_product(8, LONGEST, COLUMNS, -1.0);
    c[2 * COLUMNS + 1] = 3000.0F;
    c[5 * COLUMNS + 1] = 3000.0F;
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(!proof.is_right && !proof.has_swapped_rows);
}

/* The same length, and products that do not cancel. */
TEST(prove_matmul_judges_long_sums_that_are_large)
{
    gp_matmul_proof proof;
    gp_product product = make_product(8, LONGEST, 8, 0.0);
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(proof.is_right);
    scale((size_t)8 * 8, 0.0F);
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(!proof.is_right && proof.is_zero);
}

/* Where there is nothing to add up but zeros no error is allowed. */
TEST(prove_matmul_judges_long_sums_of_zeros)
{
    gp_matmul_proof proof;
    gp_product product = make_product(8, LONGEST, 8, -1.0);
    memset(b, 0, sizeof(b));
    scale((size_t)8 * 8, 0.0F);
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_BOUND, proof.basis);
}

/* What panels of 128 elements may err by together is more than they come to; an element may not. */
TEST(prove_matmul_finds_a_large_product_that_is_wrong_everywhere)
{
    enum { SHORT = 300 };
    static const float factors[] = {-1.0F, 0.0F};
    gp_matmul_proof proof;
    gp_product product = make_product(MOST_ROWS, SHORT, MOST_COLUMNS, -1.0);
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_BOUND, proof.basis);
    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        scale(sizeof(c) / sizeof(c[0]), factors[i]);
        ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
        ASSERT(!proof.is_right && proof.fraction > 1.0);
    }
    ASSERT(proof.is_zero);
}

/* Rows and columns that are found need not cross in a wrong element: it is shown all the same, and
 * none is made up. */
TEST(prove_matmul_shows_a_wrong_element_of_a_large_product)
{
    gp_product product = make_product(MOST_ROWS, 300, MOST_COLUMNS, -1.0);
    for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i += 19) {
        c[i] = -c[i];
    }
    for (uint64_t seed = 0; seed < 12; seed++) {
        gp_matmul_proof proof;
        ASSERT_OK(gp_prove_matmul(&product, seed, &proof));
        if (proof.is_right) { continue; }
        ASSERT(proof.element_count > 0);
        ASSERT_INT(GP_PATTERN_SCATTERED, proof.pattern);
        for (size_t i = 0; i < proof.element_count; i++) {
            ASSERT(proof.elements[i].got * proof.elements[i].expected < 0.0);
        }
    }
}

/* 1 + 2^-10 - 2^-23: tensor cores that are not given TF32 cut off what it does not hold. */
TEST(prove_matmul_takes_tf32_whose_inputs_were_cut_off)
{
    static const float fine = 0x1.003ffep0F;
    gp_matmul_proof proof;
    float result = 1.0F;
    gp_product product = {.a = view(&fine, GP_FLOAT32, 1, 1),
                          .b = view(&fine, GP_FLOAT32, 1, 1),
                          .c = view(&result, GP_FLOAT32, 1, 1),
                          .arithmetic = gp_arithmetic_find("tf32")};
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(proof.is_right && proof.fraction > 0.9);
    result = 1.0F - 0x1p-12F;
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(!proof.is_right);
}
