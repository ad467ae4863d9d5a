/* Wrong elements of a product of whole numbers, of every type: each bit of them flipped, and values
 * that are the right one modulo the prime of the proof. */
#include "harness.h"
#include "ops/prove/gp_field61.h"
#include "ops/prove/gp_prove_matmul.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* More columns than are surveyed side by side, so that an element stands in a lane or after them;
 * with a gap of one element after each row, or without. */
enum { COLUMNS = 40, GREATEST_ROW = (COLUMNS + 1) * 8 };

static const double numbers[] = {-4, 4, 1, -1, 2, 3, -7, 8, 0};

enum { ROWS = sizeof(numbers) / sizeof(numbers[0]) };

/* Rows of one number each: that of A, as B is all ones. */
typedef struct fixture {
    unsigned char a[ROWS * 8];
    unsigned char b[COLUMNS * 8];
    unsigned char c[ROWS * GREATEST_ROW];
    gp_product product;
} fixture;

static fixture fx;

static void
fill(gp_dtype dtype, size_t gap)
{
    size_t size = gp_dtype_size(dtype);
    size_t row = (COLUMNS + gap) * size;
    ptrdiff_t step = (ptrdiff_t)size;
    for (size_t j = 0; j < COLUMNS; j++) {
        gp_dtype_store(dtype, 1.0, fx.b + j * size);
    }
    for (size_t i = 0; i < ROWS; i++) {
        gp_dtype_store(dtype, numbers[i], fx.a + i * size);
        for (size_t j = 0; j < COLUMNS; j++) {
            gp_dtype_store(dtype, numbers[i], fx.c + i * row + j * size);
        }
    }
    fx.product = (gp_product){
        .a = gp_matrix_of(fx.a, dtype, ROWS, 1, step, step),
        .b = gp_matrix_of(fx.b, dtype, 1, COLUMNS, (ptrdiff_t)row, step),
        .c = gp_matrix_of(fx.c, dtype, ROWS, COLUMNS, (ptrdiff_t)row, step),
        .arithmetic = gp_arithmetic_of(dtype),
    };
}

static bool
is_right(uint64_t seed)
{
    gp_matmul_proof proof;
    ASSERT_OK(gp_prove_matmul(&fx.product, seed, &proof));
    ASSERT(proof.basis == GP_BASIS_EXACT || proof.not_finite == 'c');
    return proof.is_right;
}

static unsigned char *
element(size_t row, size_t column)
{
    return fx.c + (ptrdiff_t)row * fx.product.c.row_stride +
           (ptrdiff_t)column * fx.product.c.column_stride;
}

/* 0 and -0 are equal; no other flip goes unseen. */
static void
assert_no_flip_passes(size_t row, size_t column)
{
    unsigned char *at = element(row, column);
    for (size_t bit = 0; bit < 8 * gp_dtype_size(fx.product.c.dtype); bit++) {
        at[bit / 8] ^= (unsigned char)(1U << (bit % 8));
        bool is_equal = gp_dtype_load(fx.product.c.dtype, at) == numbers[row];
        ASSERT_INT(is_equal, is_right(bit));
        at[bit / 8] ^= (unsigned char)(1U << (bit % 8));
    }
}

TEST(prove_matmul_lets_no_flipped_bit_pass_in_any_type)
{
    for (gp_dtype dtype = 0; dtype < GP_DTYPE_COUNT; dtype++) {
        for (size_t gap = 0; gap < 2; gap++) {
            fill(dtype, gap);
            ASSERT(is_right(1));
            for (size_t row = 0; row < ROWS; row++) {
                assert_no_flip_passes(row, 1);
                assert_no_flip_passes(row, COLUMNS - 1);
            }
        }
    }
}

/* Numbers far beyond every exact product. */
TEST(prove_matmul_lets_nothing_pass_that_is_right_modulo_its_prime)
{
    static const gp_dtype floats[] = {GP_FLOAT64, GP_FLOAT32, GP_BFLOAT16};
    for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); i++) {
        double greatest = gp_dtype_max(floats[i]);
        const double wrong[] = {0x1p61, 0x1p62, 0x1p63,  0x1p64,   0x1p122, 1e30,
                                0x1p53, 0x1p54, 0x3p120, greatest, 0x1p60,  0x7p61};
        fill(floats[i], 1);
        for (size_t row = 0; row < ROWS; row++) {
            for (size_t j = 0; j < sizeof(wrong) / sizeof(wrong[0]); j++) {
                gp_dtype_store(floats[i], j % 2 == 0 ? wrong[j] : -wrong[j], element(row, 3));
                ASSERT(!is_right(j));
                gp_dtype_store(floats[i], j % 2 == 0 ? -wrong[j] : wrong[j], element(row, 3));
                ASSERT(!is_right(j));
            }
            gp_dtype_store(floats[i], numbers[row], element(row, 3));
        }
    }
}

static gp_matmul_proof
prove_one(double a, double b, double c)
{
    gp_matmul_proof proof;
    ptrdiff_t size = sizeof(double);
    gp_product one = {
        .a = gp_matrix_of(&a, GP_FLOAT64, 1, 1, size, size),
        .b = gp_matrix_of(&b, GP_FLOAT64, 1, 1, size, size),
        .c = gp_matrix_of(&c, GP_FLOAT64, 1, 1, size, size),
        .arithmetic = gp_arithmetic_find("float64"),
    };
    ASSERT_OK(gp_prove_matmul(&one, 7, &proof));
    return proof;
}

/* Odd numbers between 2^52 and 2^53 are whole. */
TEST(prove_matmul_takes_the_greatest_whole_numbers_as_exact)
{
    gp_matmul_proof proof = prove_one(0x1p26 + 1, 0x1p26 + 1, 0x1p52 + 0x1p27 + 1);
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_EXACT, proof.basis);
    proof = prove_one(1, 0x1p53 - 1, 0x1p53 - 1);
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_EXACT, proof.basis);
    ASSERT(!prove_one(1, 0x1p53 - 1, 0x1p53 - 2).is_right);
}

/* 3 * 3002399751580331 = 2^53 + 1, which double rounds to 2^53. */
TEST(prove_matmul_calls_no_rounded_product_of_float64_exact)
{
    gp_matmul_proof proof = prove_one(3, 3002399751580331, 0x1p53);
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_BOUND, proof.basis);
}

/* Whole numbers that no integer of C holds, as inputs: sums modulo the prime are not for them. */
TEST(prove_matmul_judges_huge_whole_numbers_within_a_bound)
{
    static const double huge[] = {0x1p53 + 2, 0x1p62, 0x1p63, 0x1p64, 1e300, DBL_MAX};
    for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
        ASSERT_INT(GP_BASIS_BOUND, prove_one(huge[i], 1, huge[i]).basis);
        ASSERT(prove_one(huge[i], 1, huge[i]).is_right);
        ASSERT(prove_one(1, -huge[i], -huge[i]).is_right);
        ASSERT(!prove_one(huge[i], 1, 0).is_right);
        ASSERT(!prove_one(0, 0, huge[i]).is_right);
    }
}

/* Sums of them modulo the prime would not fit into 128 bits. */
TEST(prove_matmul_takes_many_huge_whole_numbers)
{
    enum { N = 10000 };
    static double a[N];
    double one = 1.0;
    double sum = N * 0x1p62;
    ptrdiff_t size = sizeof(double);
    for (size_t i = 0; i < N; i++) {
        a[i] = 0x1p62;
    }
    gp_matmul_proof proof;
    gp_product product = {
        .a = gp_matrix_of(a, GP_FLOAT64, 1, N, N * size, size),
        .b = gp_matrix_of(&one, GP_FLOAT64, N, 1, 0, 0),
        .c = gp_matrix_of(&sum, GP_FLOAT64, 1, 1, size, size),
        .arithmetic = gp_arithmetic_find("float64"),
    };
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_BOUND, proof.basis);
}
