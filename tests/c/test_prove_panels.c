#include "alloc_hook.h"
#include "harness.h"
#include "kernels/gp_formulas.h"
#include "ops/prove/gp_prove_rows.h"

#include <math.h>

enum { M = 40, K = 300, N = 300, PANEL = 128, SEED = 7 };

static float a[M][K];
static float b[K][N];
static float c[M][N];

static gp_matrix
view(const float *data, size_t rows, size_t columns)
{
    return gp_matrix_of(data, GP_FLOAT32, rows, columns, (ptrdiff_t)(columns * sizeof(float)),
                        sizeof(float));
}

static float
random_float(uint64_t seed, size_t i)
{
    return (float)(gp_random_u64(seed, i) % 2000) / 1000.0F - 1.0F;
}

/* Columns of B from `full` on are zero, and so are those of C. */
static gp_product
make_product(size_t full)
{
    for (size_t i = 0; i < K * N; i++) {
        b[i / N][i % N] = i % N < full ? random_float(2, i) : 0.0F;
    }
    for (size_t i = 0; i < M; i++) {
        for (size_t p = 0; p < K; p++) {
            a[i][p] = random_float(1, i * K + p);
        }
        for (size_t j = 0; j < N; j++) {
            double sum = 0.0;
            for (size_t p = 0; p < K; p++) {
                sum += (double)a[i][p] * (double)b[p][j];
            }
            c[i][j] = (float)sum;
        }
    }
    return (gp_product){.a = view(&a[0][0], M, K),
                        .b = view(&b[0][0], K, N),
                        .c = view(&c[0][0], M, N),
                        .arithmetic = gp_arithmetic_find("float32")};
}

/* The judgement of one row, as if it were the whole product: nothing of it can be left out. */
static gp_row_judgement
judge_alone(gp_product product, size_t row)
{
    gp_row_judgement alone;
    product.a = view(a[row], 1, K);
    product.c = view(c[row], 1, N);
    ASSERT_OK(gp_judge_rows_bound(&product, SEED, &alone));
    return alone;
}

/* Returns how many rows are wrong. */
static size_t
assert_judged_as_each_row_alone(const gp_product *product)
{
    gp_row_judgement all;
    size_t wrong = 0;
    double worst = 0.0;
    ASSERT_OK(gp_judge_rows_bound(product, SEED, &all));
    for (size_t i = 0; i < M; i++) {
        gp_row_judgement alone = judge_alone(*product, i);
        ASSERT_INT(alone.wrong[0], all.wrong[i]);
        wrong += alone.wrong[0];
        worst = fmax(worst, alone.fraction);
        gp_row_judgement_free(&alone);
    }
    ASSERT(worst > 0.0 && worst == all.fraction);
    gp_row_judgement_free(&all);
    ASSERT_INT(0, alloc_live());
    return wrong;
}

TEST(panels_judge_many_rows_as_each_row_alone)
{
    gp_product product = make_product(N);
    ASSERT_INT(0, assert_judged_as_each_row_alone(&product));
}

/* From far below what is allowed to far above it: each row is the worst one so far. */
TEST(panels_judge_rows_of_growing_errors_as_each_row_alone)
{
    gp_product product = make_product(N);
    for (size_t i = 0; i < M; i++) {
        c[i][3 * i] += (float)ldexp(1.0, (int)i - M / 2);
    }
    size_t wrong = assert_judged_as_each_row_alone(&product);
    ASSERT(wrong > 5 && wrong < M - 5);
}

/* After a row that is far wrong one that is only just wrong must be found, too. */
TEST(panels_judge_rows_of_shrinking_errors_as_each_row_alone)
{
    gp_product product = make_product(N);
    for (size_t i = 0; i < M; i++) {
        c[i][3 * i] += (float)ldexp(1.0, M / 2 - (int)i);
    }
    size_t wrong = assert_judged_as_each_row_alone(&product);
    ASSERT(wrong > 5 && wrong < M - 5);
}

/* What is allowed to a panel of zeros is next to nothing; that must not be asked of the others. */
TEST(panels_of_zeros_do_not_make_the_other_panels_wrong)
{
    gp_product product = make_product(PANEL);
    ASSERT_INT(0, assert_judged_as_each_row_alone(&product));
    c[5][PANEL] = 1e-30F;
    ASSERT_INT(1, assert_judged_as_each_row_alone(&product));
}

TEST(panels_never_pass_what_is_not_finite)
{
    gp_product product = make_product(N);
    c[3][0] = NAN;
    c[4][299] = INFINITY;
    a[6][0] = INFINITY;
    a[7][0] = NAN;
    gp_row_judgement rows;
    ASSERT_OK(gp_judge_rows_bound(&product, SEED, &rows));
    for (size_t i = 0; i < M; i++) {
        ASSERT_INT(i == 3 || i == 4 || i == 6 || i == 7, rows.wrong[i]);
    }
    ASSERT(isinf(rows.fraction));
    gp_row_judgement_free(&rows);
}

enum { SEEDS = 100 };

static void
swap_columns(size_t row)
{
    float kept = c[row][5];
    c[row][5] = c[row][6];
    c[row][6] = kept;
}

/* For how many seeds no row at all is wrong. */
static int
count_passes(const gp_product *product)
{
    int passes = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        gp_row_judgement rows;
        bool is_seen = false;
        ASSERT_OK(gp_judge_rows_bound(product, seed, &rows));
        for (size_t i = 0; i < M; i++) {
            is_seen = is_seen || rows.wrong[i];
        }
        passes += !is_seen;
        gp_row_judgement_free(&rows);
    }
    return passes;
}

/* Their sum is as it was: with weights of one magnitude they would pass every other time. */
TEST(panels_see_elements_of_a_row_that_have_changed_places)
{
    gp_product product = make_product(N);
    swap_columns(3);
    int passes = count_passes(&product);
    ASSERT(passes <= SEEDS / 20);
}

TEST(panels_see_columns_that_have_changed_places)
{
    gp_product product = make_product(N);
    for (size_t i = 0; i < M; i++) {
        swap_columns(i);
    }
    int passes = count_passes(&product);
    ASSERT(passes <= SEEDS / 20);
}
