#include "gp_prove_elements.h"

#include "base/gp_alloc.h"

#include <math.h>

/* About 30 ms of work. */
#define GREATEST_STEPS 0x1p24

bool
gp_is_small_product(const gp_product *product)
{
    return (double)product->c.rows * (double)product->c.columns * (double)product->a.columns <=
           GREATEST_STEPS;
}

/* The error of one element as a part of what is allowed; infinite where that `overflows`. */
static double
element_fraction(const gp_product *product, const double *a, const double *b, double got,
                 bool *overflows)
{
    double exact = 0.0;
    double magnitudes = 0.0;
    for (size_t p = 0; p < product->a.columns; p++) {
        exact += a[p] * b[p];
        magnitudes += fabs(a[p] * b[p]);
    }
    double allowed = gp_allowed_error(product, magnitudes, fabs(got), 1);
    double fraction = fabs(got - exact) / allowed;
    *overflows = *overflows || !isfinite(allowed);
    return isnan(fraction) || !isfinite(allowed) ? HUGE_VAL : fraction;
}

gp_status
gp_judge_elements(const gp_product *product, gp_row_judgement *rows)
{
    size_t k = product->a.columns;
    gp_matrix b = gp_matrix_transposed(product->b);
    double *row = gp_alloc(k + 1, sizeof(*row));
    double *column = gp_alloc(k + 1, sizeof(*column));
    *rows = (gp_row_judgement){.wrong = gp_alloc(product->c.rows + 1, sizeof(*rows->wrong))};
    bool has_room = row != NULL && column != NULL && rows->wrong != NULL;
    for (size_t j = 0; has_room && j < product->c.columns; j++) {
        gp_matrix_row(&b, j, column);
        for (size_t i = 0; i < product->c.rows; i++) {
            gp_matrix_row(&product->a, i, row);
            double got = gp_matrix_at(&product->c, i, j);
            double fraction = element_fraction(product, row, column, got, &rows->overflows);
            rows->wrong[i] = rows->wrong[i] || fraction > 1.0;
            rows->fraction = fmax(rows->fraction, fraction);
        }
    }
    gp_free(column);
    gp_free(row);
    return has_room ? gp_ok() : gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul");
}
