#include "gp_prove_sample.h"

#include "gp_prove_locate.h"
#include "kernels/gp_formulas.h"

#include <math.h>

enum { SAMPLES = 64 };

/* Rounding both inputs to 11 bits changes each product by about 1.2 * 2^-12 of it, at random, so a
 * sum by that times sqrt(sum (a b)^2). Half an order of magnitude is left on either side. */
#define TF32_LEAST    0x1p-14
#define TF32_GREATEST 0x1p-10
/* A step of float32 errs by at most 2^-24 of the partial sum; at random about a third of that. */
#define FLOAT32_STEP 0x1p-24
/* How many times the error of float32 is no longer float32. */
#define FAR_BEYOND 8.0

/* Means of squares over the sample. */
typedef struct sizes {
    double errors;   /* of what was found */
    double products; /* sum (a b)^2 */
    double partials; /* sum of the squared partial sums, in the order of the text books */
} sizes;

static void
add_sample(const gp_product *product, size_t row, size_t column, sizes *sum)
{
    double exact = 0.0;
    for (size_t p = 0; p < product->a.columns; p++) {
        double term = gp_matrix_at(&product->a, row, p) * gp_matrix_at(&product->b, p, column);
        exact += term;
        sum->products += term * term;
        sum->partials += exact * exact;
    }
    double error = gp_matrix_at(&product->c, row, column) - exact;
    sum->errors += error * error;
}

static bool
is_tf32(sizes sum)
{
    double error = sqrt(sum.errors);
    double unit = sqrt(sum.products);
    return error > FAR_BEYOND * FLOAT32_STEP * sqrt(sum.partials) && error >= TF32_LEAST * unit &&
           error <= TF32_GREATEST * unit;
}

void
gp_look_for_tf32(const gp_product *product, uint64_t seed, gp_matmul_proof *proof)
{
    const gp_matrix *c = &product->c;
    if (product->arithmetic != gp_arithmetic_find("float32") || proof->basis != GP_BASIS_BOUND ||
        c->rows == 0 || c->columns == 0) {
        return;
    }
    sizes sum = {0.0, 0.0, 0.0};
    size_t rows[SAMPLES];
    size_t columns[SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++) {
        rows[i] = (size_t)(gp_random_u64(seed, 2 * i) % c->rows);
        columns[i] = (size_t)(gp_random_u64(seed, 2 * i + 1) % c->columns);
        add_sample(product, rows[i], columns[i], &sum);
    }
    if (!is_tf32(sum)) { return; }
    proof->is_right = false;
    proof->is_tf32 = true;
    proof->pattern = GP_PATTERN_EVERYWHERE;
    proof->rows = (gp_wrong_lines){c->rows, 0, c->rows - 1};
    proof->columns = (gp_wrong_lines){c->columns, 0, c->columns - 1};
    proof->element_count = 0;
    for (size_t i = 0; i < GP_WRONG_ELEMENTS; i++) {
        gp_note_element(product, rows[i], columns[i], proof);
    }
}
