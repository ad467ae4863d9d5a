#include "ops/prove/gp_prove_matmul.h"

#include "alloc_hook.h"
#include "harness.h"
#include "kernels/gp_formulas.h"
#include "ops/prove/gp_prove_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { M = 70, K = 90, N = 300 };

/* A product of float32 with its own result, computed in the order of the text books. */
typedef struct fixture {
    float a[M * K];
    float b[K * N];
    float c[M * N];
    gp_product product;
} fixture;

static fixture fx;

static gp_matrix
view(const void *data, gp_dtype dtype, size_t rows, size_t columns)
{
    ptrdiff_t size = (ptrdiff_t)gp_dtype_size(dtype);
    return gp_matrix_of(data, dtype, rows, columns, size * (ptrdiff_t)columns, size);
}

static void
multiply(void)
{
    for (size_t i = 0; i < M; i++) {
        for (size_t j = 0; j < N; j++) {
            float sum = 0.0F;
            for (size_t p = 0; p < K; p++) {
                sum += fx.a[i * K + p] * fx.b[p * N + j];
            }
            fx.c[i * N + j] = sum;
        }
    }
}

/* Whole numbers in -range .. range - 1, or the same divided by 1000, which no float holds. */
static void
fill(int range, bool is_whole)
{
    for (size_t i = 0; i < M * K; i++) {
        fx.a[i] = (float)((int)(gp_random_u64(1, i) % (uint64_t)(2 * range)) - range);
        if (!is_whole) { fx.a[i] /= 1000.0F; }
    }
    for (size_t i = 0; i < K * N; i++) {
        fx.b[i] = (float)((int)(gp_random_u64(2, i) % (uint64_t)(2 * range)) - range);
        if (!is_whole) { fx.b[i] /= 1000.0F; }
    }
    multiply();
    fx.product = (gp_product){.a = view(fx.a, GP_FLOAT32, M, K),
                              .b = view(fx.b, GP_FLOAT32, K, N),
                              .c = view(fx.c, GP_FLOAT32, M, N),
                              .arithmetic = gp_arithmetic_find("float32")};
}

static gp_matmul_proof
prove(void)
{
    gp_matmul_proof proof;
    ASSERT_OK(gp_prove_matmul(&fx.product, 7, &proof));
    return proof;
}

TEST(prove_matmul_takes_a_right_product_of_whole_numbers_as_exact)
{
    fill(128, true);
    gp_matmul_proof proof = prove();
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_EXACT, proof.basis);
    ASSERT(proof.fraction == 0.0);
}

TEST(prove_matmul_takes_a_right_product_of_floats_within_its_bound)
{
    fill(1000, false);
    gp_matmul_proof proof = prove();
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_BOUND, proof.basis);
    ASSERT(proof.fraction > 0.0 && proof.fraction < 0.5);
}

/* K terms below 1: an element may err by K * 2^-24 * K, and a panel of 128 by 128 times that. */
TEST(prove_matmul_judges_each_element_of_a_small_product)
{
    fill(1000, false);
    fx.c[40 * N + 50] += (float)K * (float)K * 0x1p-22F;
    gp_matmul_proof proof = prove();
    ASSERT(!proof.is_right);
    ASSERT_INT(GP_PATTERN_ELEMENT, proof.pattern);
    ASSERT_INT(40, proof.elements[0].row);
    ASSERT_INT(50, proof.elements[0].column);
}

/* K * 600 * 600 > 2^24: the order of summation may show, so exactness must not be claimed. */
TEST(prove_matmul_claims_exactness_only_where_every_partial_sum_fits)
{
    fill(600, true);
    ASSERT_INT(GP_BASIS_BOUND, prove().basis);
}

TEST(prove_matmul_finds_one_flipped_bit)
{
    fill(128, true);
    uint32_t bits;
    memcpy(&bits, &fx.c[33 * N + 200], sizeof(bits));
    uint32_t flipped = bits ^ (1u << 12);
    memcpy(&fx.c[33 * N + 200], &flipped, sizeof(bits));
    gp_matmul_proof proof = prove();
    ASSERT(!proof.is_right && proof.is_one_bit);
    ASSERT_INT(GP_PATTERN_ELEMENT, proof.pattern);
    ASSERT_INT(1, proof.element_count);
    ASSERT_INT(33, proof.elements[0].row);
    ASSERT_INT(200, proof.elements[0].column);
    ASSERT_INT(bits, proof.elements[0].expected_bits);
    ASSERT_INT(flipped, proof.elements[0].got_bits);
}

TEST(prove_matmul_finds_two_swapped_rows)
{
    fill(128, true);
    float row[N];
    memcpy(row, &fx.c[5 * N], sizeof(row));
    memmove(&fx.c[5 * N], &fx.c[60 * N], sizeof(row));
    memcpy(&fx.c[60 * N], row, sizeof(row));
    gp_matmul_proof proof = prove();
    ASSERT(!proof.is_right && proof.has_swapped_rows && !proof.has_swapped_columns);
    ASSERT_INT(GP_PATTERN_ROWS, proof.pattern);
    ASSERT_INT(2, proof.rows.count);
    ASSERT_INT(5, proof.rows.first);
    ASSERT_INT(60, proof.rows.last);
}

static void
zero_tile(void)
{
    for (size_t i = 16; i < 32; i++) {
        for (size_t j = 128; j < 144; j++) {
            fx.c[i * N + j] = 0.0F;
        }
    }
}

static void
assert_zero_tile(gp_matmul_proof proof)
{
    ASSERT(!proof.is_right && proof.is_zero);
    ASSERT_INT(GP_PATTERN_TILE, proof.pattern);
    ASSERT_INT(16, proof.rows.first);
    ASSERT_INT(31, proof.rows.last);
    ASSERT_INT(128, proof.columns.first);
    ASSERT_INT(143, proof.columns.last);
    ASSERT_INT(GP_WRONG_ELEMENTS, proof.element_count);
}

TEST(prove_matmul_finds_a_zeroed_tile)
{
    fill(128, true);
    zero_tile();
    assert_zero_tile(prove());
}

TEST(prove_matmul_finds_a_zeroed_tile_of_floats)
{
    fill(1000, false);
    zero_tile();
    assert_zero_tile(prove());
}

TEST(prove_matmul_finds_a_wrong_column)
{
    fill(128, true);
    for (size_t i = 0; i < M; i++) {
        fx.c[i * N + 299] += 1.0F;
    }
    gp_matmul_proof proof = prove();
    ASSERT_INT(GP_PATTERN_COLUMNS, proof.pattern);
    ASSERT_INT(1, proof.columns.count);
    ASSERT_INT(299, proof.columns.first);
    ASSERT_INT(M, proof.rows.count);
}

TEST(prove_matmul_lets_nan_and_infinity_never_pass)
{
    fill(128, true);
    fx.c[3 * N + 4] = NAN;
    gp_matmul_proof proof = prove();
    ASSERT(!proof.is_right);
    ASSERT_INT('c', proof.not_finite);
    ASSERT_INT(3, proof.bad_row);
    ASSERT_INT(4, proof.bad_column);
    fill(1000, false);
    fx.b[N] = HUGE_VALF;
    proof = prove();
    ASSERT(!proof.is_right);
    ASSERT_INT('b', proof.not_finite);
    ASSERT_INT(1, proof.bad_row);
}

static float
as_tf32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    bits = (bits + 0x0FFFu + ((bits >> 13) & 1u)) & ~0x1FFFu;
    memcpy(&value, &bits, sizeof(bits));
    return value;
}

/* As a library does that was allowed TF32: inputs rounded to 11 bits, sums in float32. */
static void
multiply_in_tf32(void)
{
    static float a[M * K];
    static float b[K * N];
    memcpy(a, fx.a, sizeof(a));
    memcpy(b, fx.b, sizeof(b));
    for (size_t i = 0; i < M * K; i++) {
        fx.a[i] = as_tf32(fx.a[i]);
    }
    for (size_t i = 0; i < K * N; i++) {
        fx.b[i] = as_tf32(fx.b[i]);
    }
    multiply();
    memcpy(fx.a, a, sizeof(a));
    memcpy(fx.b, b, sizeof(b));
}

TEST(prove_matmul_names_tf32_in_the_place_of_float32)
{
    fill(1000, false);
    multiply_in_tf32();
    gp_matmul_proof proof = prove();
    ASSERT(!proof.is_right && proof.is_tf32);
    fx.product.arithmetic = gp_arithmetic_find("tf32");
    proof = prove();
    ASSERT(proof.is_right);
    ASSERT(proof.fraction > 0.0);
}

/* The same numbers, read through strides: transposed, and backwards. */
TEST(prove_matmul_reads_any_strides)
{
    fill(128, true);
    gp_product transposed = {
        .a = gp_matrix_transposed(fx.product.b),
        .b = gp_matrix_transposed(fx.product.a),
        .c = gp_matrix_transposed(fx.product.c),
        .arithmetic = fx.product.arithmetic,
    };
    gp_matmul_proof proof;
    ASSERT_OK(gp_prove_matmul(&transposed, 7, &proof));
    ASSERT(proof.is_right);
    fx.product.a.data = &fx.a[(M - 1) * K];
    fx.product.a.row_stride = -fx.product.a.row_stride;
    ASSERT(!prove().is_right);
    fx.product.c.data = &fx.c[(M - 1) * N];
    fx.product.c.row_stride = -fx.product.c.row_stride;
    ASSERT(prove().is_right);
}

/* All patches of 3 x 2 in an image: its rows run along two axes, its columns along two others. */
TEST(prove_matmul_reads_patches_of_an_image_in_place)
{
    enum { H = 9, W = 8, P = H - 2, Q = W - 1, FILTERS = 5 };
    static float image[H * W];
    static float filters[6 * FILTERS];
    static float out[P * Q * FILTERS];
    ptrdiff_t size = sizeof(float);
    fill(128, true);
    memcpy(image, fx.a, sizeof(image));
    memcpy(filters, fx.b, sizeof(filters));
    for (size_t i = 0; i < P * Q * FILTERS; i++) {
        size_t corner = i / FILTERS / Q * W + i / FILTERS % Q;
        for (size_t p = 0; p < 6; p++) {
            out[i] += image[corner + p / 2 * W + p % 2] * filters[p * FILTERS + i % FILTERS];
        }
    }
    gp_tensor patches = {image, GP_FLOAT32, 4, {P, Q, 3, 2}, {W * size, size, W * size, size}};
    gp_product *product = &fx.product;
    ASSERT(gp_matrix_of_tensor(&patches, 2, &product->a));
    product->b = view(filters, GP_FLOAT32, 6, FILTERS);
    product->c = view(out, GP_FLOAT32, P * Q, FILTERS);
    ASSERT(prove().is_right);
    out[20 * FILTERS + 3] += 1.0F;
    gp_matmul_proof proof = prove();
    ASSERT_INT(20, proof.rows.first);
    ASSERT_INT(3, proof.columns.first);
    ASSERT_INT(GP_PATTERN_ELEMENT, proof.pattern);
}

TEST(matrix_takes_axes_together_that_go_on_in_memory)
{
    gp_matrix matrix;
    gp_tensor plain = {fx.a, GP_FLOAT32, 5, {2, 1, 3, 4, 5}, {240, 7, 80, 20, 4}};
    gp_tensor odd = {fx.a, GP_FLOAT32, 6, {2, 2, 2, 2, 2, 1}, {160, 72, 32, 12, 4, 4}};
    ASSERT(gp_matrix_of_tensor(&plain, 3, &matrix));
    ASSERT_INT(6, matrix.rows);
    ASSERT_INT(80, matrix.row_stride);
    ASSERT_INT(20, matrix.columns);
    ASSERT_INT(0, matrix.outer_rows.ndim + matrix.outer_columns.ndim);
    ASSERT(!gp_matrix_of_tensor(&odd, 5, &matrix));
    ASSERT(gp_matrix_of_tensor(&odd, 4, &matrix));
    ASSERT_INT(3, matrix.outer_rows.ndim);
    odd.shape[1] = 0;
    ASSERT(gp_matrix_of_tensor(&odd, 5, &matrix));
    ASSERT_INT(0, matrix.rows);
}

TEST(prove_matmul_takes_empty_products)
{
    fill(128, true);
    fx.product.a.columns = 0;
    fx.product.b.rows = 0;
    memset(fx.c, 0, sizeof(fx.c));
    ASSERT(prove().is_right);
    fx.c[1] = 1.0F;
    ASSERT(!prove().is_right);
    fx.product.a.rows = 0;
    fx.product.c.rows = 0;
    ASSERT(prove().is_right);
}

TEST(prove_matmul_refuses_shapes_that_do_not_fit)
{
    gp_matmul_proof proof;
    fill(128, true);
    fx.product.b.rows--;
    ASSERT_FAILED(GP_BAD_ARGUMENT, 0, gp_prove_matmul(&fx.product, 7, &proof));
}

/* What a large product of floats is judged by: sums of panels of columns. */
TEST(panels_find_the_wrong_row_of_a_large_product)
{
    gp_row_judgement rows;
    fill(1000, false);
    ASSERT_OK(gp_judge_rows_bound(&fx.product, 7, &rows));
    ASSERT(rows.fraction > 0.0 && rows.fraction < 1.0);
    gp_row_judgement_free(&rows);
    fx.c[40 * N + 299] += 1.0F;
    fx.c[50 * N] = NAN;
    ASSERT_OK(gp_judge_rows_bound(&fx.product, 7, &rows));
    for (size_t i = 0; i < M; i++) {
        ASSERT_INT(i == 40 || i == 50, rows.wrong[i]);
    }
    gp_row_judgement_free(&rows);
    ASSERT_INT(0, alloc_live());
}

TEST(panels_without_memory_fail_and_keep_nothing)
{
    gp_row_judgement rows;
    size_t failures = 0;
    fill(1000, false);
    for (;; failures++) {
        alloc_fail_at(failures + 1);
        gp_status st = gp_judge_rows_bound(&fx.product, 7, &rows);
        gp_row_judgement_free(&rows);
        ASSERT_INT(0, alloc_live());
        if (!gp_failed(st)) { break; }
        ASSERT_FAILED(GP_NO_MEMORY, 0, st);
    }
    alloc_fail_at(0);
    ASSERT(failures > 2);
}

static void
assert_clean_without_memory(size_t least_failures)
{
    gp_matmul_proof proof;
    size_t failures = 0;
    fx.c[0] += 1.0F;
    for (;; failures++) {
        alloc_fail_at(failures + 1);
        gp_status st = gp_prove_matmul(&fx.product, 7, &proof);
        if (!gp_failed(st)) { break; }
        ASSERT_FAILED(GP_NO_MEMORY, 0, st);
        ASSERT_INT(0, alloc_live());
    }
    alloc_fail_at(0);
    ASSERT(failures > least_failures);
    ASSERT_INT(0, alloc_live());
}

TEST(prove_matmul_without_memory_fails_and_keeps_nothing)
{
    fill(128, true);
    assert_clean_without_memory(10);
    fill(1000, false);
    assert_clean_without_memory(10);
}
