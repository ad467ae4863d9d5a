#include "gp_prove_cause.h"

#include "gp_prove_rows.h"

#include <math.h>

/* Places in a row at which it is compared with another. */
enum { COMPARED = 32 };

/* An error of so many times what is allowed is a single bit by chance one time in thirty at most;
 * a smaller one, which is in the last bits, more often. */
#define BEYOND_CHANCE 64.0

gp_exact_element
gp_recompute(const gp_product *product, size_t row, size_t column)
{
    double least = gp_arithmetic_least(product->arithmetic);
    gp_exact_element element = {0.0, 0.0};
    for (size_t p = 0; p < product->a.columns; p++) {
        double a = gp_matrix_at(&product->a, row, p);
        double b = gp_matrix_at(&product->b, p, column);
        element.value += a * b;
        element.magnitudes += gp_magnitude_of(a, least) * gp_magnitude_of(b, least);
    }
    return element;
}

double
gp_element_allowance(const gp_product *product, gp_proof_basis basis, gp_exact_element exact,
                     double got)
{
    if (basis == GP_BASIS_EXACT) { return 0.0; }
    return gp_allowed_error(product, exact.magnitudes, fabs(got), 1);
}

static bool
is_within(const gp_product *product, gp_proof_basis basis, gp_exact_element exact, double got)
{
    return fabs(got - exact.value) <= gp_element_allowance(product, basis, exact, got);
}

bool
gp_is_one_bit_off(const gp_product *product, gp_proof_basis basis, size_t row, size_t column)
{
    gp_dtype dtype = product->c.dtype;
    gp_exact_element exact = gp_recompute(product, row, column);
    double got = gp_matrix_at(&product->c, row, column);
    double allowed = gp_element_allowance(product, basis, exact, exact.value);
    if (fabs(got - exact.value) <= BEYOND_CHANCE * allowed) { return false; }
    for (size_t bit = 0; bit < 8 * gp_dtype_size(dtype); bit++) {
        unsigned char stored[8] = {0};
        gp_dtype_store(dtype, got, stored);
        stored[bit / 8] ^= (unsigned char)(1U << (bit % 8));
        if (is_within(product, basis, exact, gp_dtype_load(dtype, stored))) { return true; }
    }
    return false;
}

/* Whether a row of C is some row of the product, at places spread over all of it. */
static bool
is_other_row(const gp_product *product, gp_proof_basis basis, size_t row, size_t other)
{
    size_t columns = product->c.columns;
    size_t places = columns < COMPARED ? columns : COMPARED;
    for (size_t i = 0; i < places && !gp_is_over(product->watch); i++) {
        size_t column = places == 1 ? 0 : i * (columns - 1) / (places - 1);
        gp_exact_element exact = gp_recompute(product, other, column);
        if (!is_within(product, basis, exact, gp_matrix_at(&product->c, row, column))) {
            return false;
        }
    }
    return true;
}

bool
gp_are_swapped(const gp_product *product, gp_proof_basis basis, gp_wrong_lines rows)
{
    /* By a wide bound any two rows could be each other, and each of them itself. */
    return rows.count == 2 && is_other_row(product, basis, rows.first, rows.last) &&
           is_other_row(product, basis, rows.last, rows.first) &&
           !is_other_row(product, basis, rows.first, rows.first);
}
