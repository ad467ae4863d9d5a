#include "gp_prove_elements.h"

#include "base/gp_alloc.h"
#include "kernels/gp_formulas.h"

#include <math.h>

#define GREATEST_STEPS 0x1p24

/* Rows of A that are read together: a column of B is read anew for each such block of rows, and to
 * make narrow floats numbers costs more than to multiply them. */
enum { ROWS_AT_ONCE = 8 };

/* Between two looks at the watch. */
#define STEPS_AT_ONCE ((size_t)1 << 18)

/* Of a large product. What is wrong in a twentieth of all elements is missed one time in 26. */
enum { SAMPLES = 64 };

bool
gp_is_small_product(const gp_product *product)
{
    return (double)product->c.rows * (double)product->c.columns * (double)product->a.columns <=
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

/* The error of one element as a part of what is allowed; infinite where that overflows. */
static double
element_fraction(const gp_product *product, const double *a, const double *b, double got,
                 gp_row_judgement *rows)
{
    double least = gp_arithmetic_least(product->arithmetic);
    double exact = 0.0;
    double magnitudes = 0.0;
    for (size_t p = 0; p < product->a.columns; p++) {
        exact += a[p] * b[p];
        magnitudes += gp_magnitude_of(a[p], least) * gp_magnitude_of(b[p], least);
    }
    compare_with_zero(product, exact, magnitudes, rows);
    double allowed = gp_allowed_error(product, magnitudes, fabs(got), 1);
    double fraction = fabs(got - exact) / allowed;
    rows->overflows = rows->overflows || !isfinite(allowed);
    return isnan(fraction) || !isfinite(allowed) ? HUGE_VAL : fraction;
}

/* Some rows of A and one column of B, as numbers. */
typedef struct factors {
    double *rows;
    double *column;
    size_t first;
    size_t count;
} factors;

static void
judge_column(const gp_product *product, const factors *read, size_t j, gp_row_judgement *rows)
{
    size_t k = product->a.columns;
    for (size_t i = 0; i < read->count; i++) {
        size_t row = read->first + i;
        double got = gp_matrix_at(&product->c, row, j);
        double fraction = element_fraction(product, read->rows + i * k, read->column, got, rows);
        rows->fraction = fmax(rows->fraction, fraction);
        if (fraction <= 1.0) { continue; }
        rows->wrong[row] = true;
        rows->has_wrong = true;
        rows->row = row;
        rows->column = j;
    }
}

/* All columns of the rows from `first` on. */
static void
judge_rows(const gp_product *product, factors *read, gp_row_judgement *rows)
{
    size_t k = product->a.columns;
    size_t at_once = STEPS_AT_ONCE / (read->count * k + 1) + 1;
    gp_matrix columns = gp_matrix_transposed(product->b);
    for (size_t i = 0; i < read->count; i++) {
        gp_matrix_row(&product->a, read->first + i, read->rows + i * k);
    }
    for (size_t j = 0; j < product->c.columns; j++) {
        if (j % at_once == 0 && gp_is_over(product->watch)) { return; }
        gp_matrix_row(&columns, j, read->column);
        judge_column(product, read, j, rows);
    }
}

/* False: there is no memory. */
static bool
factors_make(size_t k, factors *read)
{
    *read = (factors){.rows = gp_alloc(k + 1, ROWS_AT_ONCE * sizeof(*read->rows)),
                      .column = gp_alloc(k + 1, sizeof(*read->column))};
    return read->rows != NULL && read->column != NULL;
}

static gp_status
factors_end(factors *read, bool has_room)
{
    gp_free(read->column);
    gp_free(read->rows);
    return has_room ? gp_ok() : gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul");
}

gp_status
gp_judge_elements(const gp_product *product, gp_row_judgement *rows)
{
    size_t m = product->c.rows;
    factors read;
    *rows = (gp_row_judgement){.wrong = gp_alloc(m + 1, sizeof(*rows->wrong))};
    bool has_room = factors_make(product->a.columns, &read) && rows->wrong != NULL;
    for (; has_room && read.first < m && !gp_is_over(product->watch); read.first += read.count) {
        read.count = m - read.first < ROWS_AT_ONCE ? m - read.first : ROWS_AT_ONCE;
        judge_rows(product, &read, rows);
    }
    return factors_end(&read, has_room);
}

gp_status
gp_judge_sample(const gp_product *product, uint64_t seed, gp_row_judgement *rows)
{
    gp_matrix columns = gp_matrix_transposed(product->b);
    factors read;
    bool has_room = factors_make(product->a.columns, &read);
    read.count = 1;
    for (uint64_t i = 0; has_room && i < SAMPLES && !gp_is_over(product->watch); i++) {
        size_t column = (size_t)(gp_random_u64(seed, 2 * i) % product->c.columns);
        read.first = (size_t)(gp_random_u64(seed, 2 * i + 1) % product->c.rows);
        gp_matrix_row(&product->a, read.first, read.rows);
        gp_matrix_row(&columns, column, read.column);
        judge_column(product, &read, column, rows);
    }
    return factors_end(&read, has_room);
}
