#include "gp_prove_elements.h"

#include "base/gp_alloc.h"
#include "gp_prove_rounds.h"
#include "kernels/gp_formulas.h"

#include <math.h>
#include <string.h>

#define GREATEST_STEPS 0x1p24

/* Of rows at most that cost no more to be computed again than a row of B costs to be added up by
 * panels, which is read once for both. */
enum { FEW_ROWS = 2 };

/* Elements whose sums are made side by side, so that none waits for its own last step. The part of
 * B that is read once for all of them stays in the first cache meanwhile. Of few rows the part is
 * wide, where memory is read along the rows of B. */
enum { ROWS_AT_ONCE = 8, NARROW = 32, WIDE = 512, PART = 2048 };

/* Of a large product. What is wrong in a twentieth of all elements is missed one time in 26. */
enum { SAMPLES = 64 };

static size_t
least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

bool
gp_is_small_product(const gp_product *product)
{
    return product->c.rows <= FEW_ROWS ||
           (double)product->c.rows * (double)product->c.columns * (double)product->a.columns <=
               GREATEST_STEPS;
}

/* Products of either sign come to about sum(|a||b|) / sqrt(k). Where what is rounded or underflows
 * may be as large, most of the elements may as well be 0: without a greater one a bound has nothing
 * to go by. */
static void
compare_with_zero(const gp_product *product, double exact, double magnitudes,
                  gp_row_judgement *rows)
{
    double k = (double)gp_product_steps(product);
    if (rows->has_large || magnitudes == 0.0) { return; }
    if (fabs(exact) > gp_allowed_error(product, magnitudes, 0.0, 1)) { rows->has_large = true; }
    else if (gp_sum_error(product, magnitudes, 1) * sqrt(k) >= magnitudes) {
        rows->has_small = true;
    }
}

/* By its exact sum and its sum(|a||b|). What is allowed may overflow: then it is not right. */
static void
judge_element(const gp_product *product, size_t row, size_t column, double exact, double magnitudes,
              gp_row_judgement *rows)
{
    double got = gp_matrix_at(&product->c, row, column);
    double allowed = gp_allowed_error(product, magnitudes, fabs(got), 1);
    double fraction = fabs(got - exact) / allowed;
    compare_with_zero(product, exact, magnitudes, rows);
    rows->overflows = rows->overflows || !isfinite(allowed);
    if (isnan(fraction) || !isfinite(allowed)) { fraction = HUGE_VAL; }
    rows->fraction = fmax(rows->fraction, fraction);
    if (fraction <= 1.0) { return; }
    rows->wrong[row] = true;
    rows->has_wrong = true;
    rows->row = row;
    rows->column = column;
}

/* Some neighbouring elements of C: their exact sums and their sum(|a||b|), row by row. */
typedef struct block {
    size_t row;
    size_t column;
    size_t rows;
    size_t columns;
    double exact[FEW_ROWS * WIDE];
    double magnitudes[FEW_ROWS * WIDE];
} block;

static bool
has_compact_rows(const gp_matrix *matrix)
{
    return matrix->column_stride == (ptrdiff_t)gp_dtype_size(matrix->dtype);
}

/* Rows `p` to p + n of B, as far as they belong to the block: along that axis on which B's elements
 * lie side by side. */
static void
read_b(const gp_matrix *b, const block *here, size_t p, size_t n, double *out)
{
    double line[PART / NARROW];
    if (has_compact_rows(b)) {
        for (size_t i = 0; i < n; i++) {
            gp_matrix_part(b, p + i, here->column, here->columns, out + i * here->columns);
        }
        return;
    }
    gp_matrix columns = gp_matrix_transposed(*b);
    for (size_t j = 0; j < here->columns; j++) {
        gp_matrix_part(&columns, here->column + j, p, n, line);
        for (size_t i = 0; i < n; i++) {
            out[i * here->columns + j] = line[i];
        }
    }
}

/* Adds the products of one element of A to the sums of its row. */
static void
add_products(double a, const double *b, size_t n, double least, double *exact, double *magnitudes)
{
    double magnitude = gp_magnitude_of(a, least);
    for (size_t j = 0; j < n; j++) {
        exact[j] += a * b[j];
        magnitudes[j] += magnitude * gp_magnitude_of(b[j], least);
    }
}

static void
sum_block(const gp_product *product, size_t at_once, block *here)
{
    double least = gp_arithmetic_least(product->arithmetic);
    double a[PART / NARROW];
    double b[PART];
    size_t k = product->a.columns;
    memset(here->exact, 0, sizeof(here->exact));
    memset(here->magnitudes, 0, sizeof(here->magnitudes));
    for (size_t p = 0, n = 0; p < k && !gp_is_over(product->watch); p += n) {
        n = least_of(PART / at_once, k - p);
        read_b(&product->b, here, p, n, b);
        for (size_t i = 0; i < here->rows; i++) {
            size_t own = i * here->columns;
            gp_matrix_part(&product->a, here->row + i, p, n, a);
            for (size_t q = 0; q < n; q++) {
                add_products(a[q], b + q * here->columns, here->columns, least, here->exact + own,
                             here->magnitudes + own);
            }
        }
    }
}

static void
judge_block(const gp_product *product, const block *here, gp_row_judgement *rows)
{
    for (size_t i = 0; i < here->rows; i++) {
        for (size_t j = 0; j < here->columns; j++) {
            size_t own = i * here->columns + j;
            judge_element(product, here->row + i, here->column + j, here->exact[own],
                          here->magnitudes[own], rows);
        }
    }
}

/* All rows, and the columns from `begin` to before `end`. */
static void
judge_columns(const gp_product *product, size_t begin, size_t end, gp_row_judgement *rows)
{
    size_t m = product->c.rows;
    size_t at_once = m <= FEW_ROWS && has_compact_rows(&product->b) ? WIDE : NARROW;
    block here;
    for (here.row = 0; here.row < m; here.row += here.rows) {
        here.rows = least_of(ROWS_AT_ONCE, m - here.row);
        for (here.column = begin; here.column < end; here.column += here.columns) {
            here.columns = least_of(at_once, end - here.column);
            if (gp_is_over(product->watch)) { return; }
            sum_block(product, at_once, &here);
            judge_block(product, &here, rows);
        }
    }
}

/* Few rows may have any number of columns, which all workers judge. */
typedef struct few_rows {
    gp_product product; /* without its watch, which the caller's thread alone may ask */
    gp_row_judgement found[GP_MAX_WORKERS];
    bool wrong[GP_MAX_WORKERS][FEW_ROWS];
} few_rows;

static void
judge_part(void *context, size_t worker, size_t begin, size_t end)
{
    few_rows *job = context;
    judge_columns(&job->product, begin, end, &job->found[worker]);
}

/* What another worker has found. */
static void
add_judgement(const gp_row_judgement *found, size_t m, gp_row_judgement *rows)
{
    for (size_t i = 0; i < m; i++) {
        rows->wrong[i] = rows->wrong[i] || found->wrong[i];
    }
    rows->fraction = fmax(rows->fraction, found->fraction);
    rows->overflows = rows->overflows || found->overflows;
    rows->has_large = rows->has_large || found->has_large;
    rows->has_small = rows->has_small || found->has_small;
    if (!found->has_wrong) { return; }
    rows->has_wrong = true;
    rows->row = found->row;
    rows->column = found->column;
}

static void
judge_few_rows(const gp_product *product, gp_row_judgement *rows)
{
    size_t m = product->c.rows;
    size_t workers = gp_parallel_workers();
    few_rows job = {.product = *product};
    job.product.watch = NULL;
    for (size_t i = 0; i < workers; i++) {
        job.found[i].wrong = job.wrong[i];
    }
    gp_prove_in_rounds(product, product->c.columns, m * product->a.columns, workers, judge_part,
                       &job);
    for (size_t i = 0; i < workers; i++) {
        add_judgement(&job.found[i], m, rows);
    }
}

gp_status
gp_judge_elements(const gp_product *product, gp_row_judgement *rows)
{
    size_t m = product->c.rows;
    *rows = (gp_row_judgement){.wrong = gp_alloc(m + 1, sizeof(*rows->wrong))};
    if (rows->wrong == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul"); }
    if (m <= FEW_ROWS) { judge_few_rows(product, rows); }
    else {
        judge_columns(product, 0, product->c.columns, rows);
    }
    return gp_ok();
}

/* One element. Both lines are gathered by parts before anything is computed of them: so the
 * processor waits for many elements at once, each of which lies far from the others. */
static void
judge_alone(const gp_product *product, size_t row, size_t column, gp_row_judgement *rows)
{
    enum { GATHERED = 256 };
    double a[GATHERED];
    double b[GATHERED];
    double least = gp_arithmetic_least(product->arithmetic);
    double exact = 0.0;
    double magnitudes = 0.0;
    gp_matrix columns = gp_matrix_transposed(product->b);
    size_t k = product->a.columns;
    for (size_t p = 0, n = 0; p < k; p += n) {
        n = least_of(GATHERED, k - p);
        gp_matrix_part(&product->a, row, p, n, a);
        gp_matrix_part(&columns, column, p, n, b);
        for (size_t i = 0; i < n; i++) {
            exact += a[i] * b[i];
            magnitudes += gp_magnitude_of(a[i], least) * gp_magnitude_of(b[i], least);
        }
    }
    judge_element(product, row, column, exact, magnitudes, rows);
}

void
gp_judge_sample(const gp_product *product, uint64_t seed, gp_row_judgement *rows)
{
    for (uint64_t i = 0; i < SAMPLES && !gp_is_over(product->watch); i++) {
        size_t column = (size_t)(gp_random_u64(seed, 2 * i) % product->c.columns);
        size_t row = (size_t)(gp_random_u64(seed, 2 * i + 1) % product->c.rows);
        judge_alone(product, row, column, rows);
    }
}
