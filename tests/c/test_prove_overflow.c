/* Products of float64 so great that what a bound allows is infinite: they are not called right, nor
 * wrong. */
#include "alloc_hook.h"
#include "harness.h"
#include "ops/prove/gp_prove_matmul.h"
#include "ops/prove/gp_prove_rows.h"

#include <math.h>

enum { N = 300 };

static gp_matrix
view(const double *data, size_t rows, size_t columns)
{
    ptrdiff_t size = sizeof(double);
    return gp_matrix_of(data, GP_FLOAT64, rows, columns, size * (ptrdiff_t)columns, size);
}

/* a, a times b, -b, said to be c. */
static gp_status
prove_pair(double a, double b, double c, gp_matmul_proof *proof)
{
    const double row[] = {a, a};
    const double column[] = {b, -b};
    gp_product product = {.a = view(row, 1, 2),
                          .b = view(column, 2, 1),
                          .c = view(&c, 1, 1),
                          .arithmetic = gp_arithmetic_find("float64")};
    gp_status st = gp_prove_matmul(&product, 7, proof);
    ASSERT_INT(0, alloc_live());
    return st;
}

TEST(prove_matmul_promises_nothing_of_an_element_whose_magnitudes_overflow)
{
    static const double results[] = {0, 1e290, 1e300, -1e308};
    gp_matmul_proof proof;
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        ASSERT_FAILED(GP_BAD_ARGUMENT, 0, prove_pair(1.5e154, 1e154, results[i], &proof));
        ASSERT(!proof.is_right);
    }
}

/* The other element is so great that something is known of it. */
TEST(prove_matmul_promises_nothing_of_an_overflow_beside_an_element_that_is_right)
{
    static const double a[] = {1.5e154, 1.5e154};
    static const double b[] = {1e154, 1, -1e154, 1};
    double c[] = {0, 3e154};
    gp_matmul_proof proof;
    gp_product product = {.a = view(a, 1, 2),
                          .b = view(b, 2, 2),
                          .c = view(c, 1, 2),
                          .arithmetic = gp_arithmetic_find("float64")};
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        c[0] = is_wrong ? 1e300 : 0;
        ASSERT_FAILED(GP_BAD_ARGUMENT, 0, gp_prove_matmul(&product, 7, &proof));
        ASSERT(!proof.is_right);
    }
}

TEST(prove_matmul_judges_an_element_whose_magnitudes_are_just_finite)
{
    gp_matmul_proof proof;
    ASSERT_OK(prove_pair(0.7e154, 1e154, 0, &proof));
    ASSERT(proof.is_right);
    ASSERT_OK(prove_pair(0.7e154, 1e154, 1e300, &proof));
    ASSERT(!proof.is_right);
    ASSERT_INT(GP_BASIS_BOUND, proof.basis);
    ASSERT_INT(GP_PATTERN_ELEMENT, proof.pattern);
}

/* What is not finite is told, whatever its sums come to. */
TEST(prove_matmul_tells_of_infinity_before_it_tells_of_an_overflow)
{
    gp_matmul_proof proof;
    ASSERT_OK(prove_pair(1.5e154, 1e154, INFINITY, &proof));
    ASSERT_INT('c', proof.not_finite);
    ASSERT_OK(prove_pair(1e200, 1e200, NAN, &proof));
    ASSERT_INT('c', proof.not_finite);
    ASSERT_OK(prove_pair(INFINITY, 1e200, 1e300, &proof));
    ASSERT_INT('a', proof.not_finite);
    ASSERT(!proof.is_right);
    ASSERT_INT(GP_BASIS_NONE, proof.basis);
}

/* Elements of magnitudes 3e306 are all finite; a panel of 128 of them is not. The other row has
 * small numbers. */
TEST(panels_whose_magnitudes_overflow_are_never_right)
{
    static const double a[2][3] = {{1.5e150, 1.5e150, 0.5}, {0, 0, 0.5}};
    static double b[3][N];
    static double c[2][N];
    gp_row_judgement rows;
    gp_product product = {.a = view(a[0], 2, 3),
                          .b = view(b[0], 3, N),
                          .c = view(c[0], 2, N),
                          .arithmetic = gp_arithmetic_find("float64")};
    for (size_t j = 0; j < N; j++) {
        b[0][j] = 1e156;
        b[1][j] = -1e156;
    }
    for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
        c[0][5] = is_wrong ? 1e300 : 0;
        ASSERT_OK(gp_judge_rows_bound(&product, 7, &rows));
        ASSERT(rows.overflows && rows.wrong[0] && !rows.wrong[1]);
        ASSERT(isinf(rows.fraction));
        gp_row_judgement_free(&rows);
    }
    product.a = view(a[1], 1, 3);
    product.c = view(c[1], 1, N);
    ASSERT_OK(gp_judge_rows_bound(&product, 7, &rows));
    ASSERT(!rows.overflows && !rows.wrong[0]);
    gp_row_judgement_free(&rows);
    ASSERT_INT(0, alloc_live());
}
