#include "gp_prove_sample.h"

#include "gp_prove_locate.h"
#include "kernels/gp_formulas.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 64, PART = 256 };

/* Of the samples have to differ before a product that is within its bound is called wrong: one sum,
 * or the same one everywhere, may err by chance, or by its order, as TF32 does. */
enum { FEWEST_DIFFERENT = 16 };

/* How inputs may lose the 13 bits that TF32 does not have. */
typedef enum rounding { NEAREST_EVEN, NEAREST_AWAY, TOWARDS_ZERO, ROUNDINGS } rounding;

/* A result of float32 is many times nearer to the exact product than to that of rounded inputs; one
 * of TF32 the other way round. By this factor of the squares, so that chance does not decide. */
#define FAR_NEARER 16.0

/* An element that is right to four units of float32 tells nothing of TF32, which errs by thousands:
 * the exact one may lie so near to that of rounded inputs that it is rounded to it. */
#define AS_GOOD_AS_RIGHT 0x1p-21

/* One figure for each way in which a product may have been computed. */
typedef struct candidates {
    double exact;
    double tf32[ROUNDINGS];
} candidates;

static double
as_tf32(double value, rounding way)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof(bits));
    if (way == NEAREST_EVEN) { bits += 0x0FFFu + ((bits >> 13) & 1u); }
    if (way == NEAREST_AWAY) { bits += 0x1000u; }
    bits &= ~0x1FFFu;
    memcpy(&narrow, &bits, sizeof(narrow));
    return (double)narrow;
}

static double
square(double value)
{
    return value * value;
}

static void
add_terms(const double *a, const double *b, size_t n, candidates *sum)
{
    for (size_t i = 0; i < n; i++) {
        sum->exact += a[i] * b[i];
        for (rounding way = NEAREST_EVEN; way < ROUNDINGS; way++) {
            sum->tf32[way] += as_tf32(a[i], way) * as_tf32(b[i], way);
        }
    }
}

/* A column of B is gathered before anything is computed of it: so the processor waits for many of
 * its elements at once, each of which lies far from the others. */
static candidates
element_of(const gp_product *product, size_t row, size_t column)
{
    double a[PART];
    double b[PART];
    gp_matrix columns = gp_matrix_transposed(product->b);
    size_t k = product->a.columns;
    candidates sum = {0.0, {0.0}};
    for (size_t p = 0, n = 0; p < k; p += n) {
        n = k - p < PART ? k - p : PART;
        gp_matrix_part(&product->a, row, p, n, a);
        gp_matrix_part(&columns, column, p, n, b);
        add_terms(a, b, n, &sum);
    }
    return sum;
}

/* Adds the squares of what one element of C differs by; false: it tells nothing. */
static bool
add_sample(const gp_product *product, size_t row, size_t column, candidates *sum, double *exact)
{
    candidates should = element_of(product, row, column);
    double got = gp_matrix_at(&product->c, row, column);
    *exact = should.exact;
    if (fabs(got - should.exact) <= AS_GOOD_AS_RIGHT * fabs(should.exact)) { return false; }
    sum->exact += square(got - should.exact);
    for (rounding way = NEAREST_EVEN; way < ROUNDINGS; way++) {
        sum->tf32[way] += square(got - should.tf32[way]);
    }
    return true;
}

static size_t
count_different(const double *values, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t earlier = 0;
        while (earlier < i && values[earlier] != values[i]) {
            earlier++;
        }
        count += earlier == i ? 1 : 0;
    }
    return count;
}

static bool
is_tf32(const candidates *sum)
{
    for (rounding way = NEAREST_EVEN; way < ROUNDINGS; way++) {
        if (FAR_NEARER * sum->tf32[way] < sum->exact) { return true; }
    }
    return false;
}

/* A type with fewer bits than float32 rounds more of a right product off than TF32 of its inputs.
 */
static bool
may_show_tf32(const gp_product *product)
{
    const gp_matrix *c = &product->c;
    return product->arithmetic == gp_arithmetic_find("float32") && product->a.dtype == GP_FLOAT32 &&
           product->b.dtype == GP_FLOAT32 &&
           gp_dtype_digits(c->dtype) >= gp_dtype_digits(GP_FLOAT32) && c->rows > 0 &&
           c->columns > 0;
}

/* With some of the sampled elements as evidence. */
static void
note_tf32(const gp_product *product, const size_t *rows, const size_t *columns,
          gp_matmul_proof *proof)
{
    const gp_matrix *c = &product->c;
    proof->is_right = false;
    proof->is_tf32 = true;
    proof->pattern = GP_PATTERN_EVERYWHERE;
    proof->rows = (gp_wrong_lines){c->rows, 0, c->rows - 1};
    proof->columns = (gp_wrong_lines){c->columns, 0, c->columns - 1};
    proof->element_count = 0;
    for (size_t i = 0; i < GP_WRONG_ELEMENTS && !gp_is_over(product->watch); i++) {
        gp_note_element(product, rows[i], columns[i], proof);
    }
}

void
gp_look_for_tf32(const gp_product *product, uint64_t seed, gp_matmul_proof *proof)
{
    if (proof->basis != GP_BASIS_BOUND || !may_show_tf32(product)) { return; }
    candidates sum = {0.0, {0.0}};
    double exact[SAMPLES] = {0.0};
    size_t telling = 0;
    size_t rows[SAMPLES];
    size_t columns[SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++) {
        rows[i] = (size_t)(gp_random_u64(seed, 2 * i) % product->c.rows);
        columns[i] = (size_t)(gp_random_u64(seed, 2 * i + 1) % product->c.columns);
    }
    for (size_t i = 0; i < SAMPLES && !gp_is_over(product->watch); i++) {
        telling += add_sample(product, rows[i], columns[i], &sum, &exact[telling]) ? 1 : 0;
    }
    bool is_enough = !proof->is_right || count_different(exact, telling) >= FEWEST_DIFFERENT;
    if (gp_is_over(product->watch) || !is_enough || !is_tf32(&sum)) { return; }
    note_tf32(product, rows, columns, proof);
}
