#include "gp_prove_locate.h"

#include "gp_prove_cause.h"

#include <math.h>

/* Lines that are looked at in each direction, spread over the wrong ones: so 1024 elements at most
 * are recomputed, whatever the size of the product. */
enum { SAMPLED_LINES = 32 };

typedef struct line_sample {
    size_t at[SAMPLED_LINES];
    size_t count;
} line_sample;

static gp_wrong_lines
wrong_lines(const gp_row_judgement *judged, size_t n)
{
    gp_wrong_lines lines = {0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        if (!judged->wrong[i]) { continue; }
        if (lines.count == 0) { lines.first = i; }
        lines.last = i;
        lines.count++;
    }
    return lines;
}

/* Of the wrong lines the first, the last, and others at even distances. */
static line_sample
sample_lines(const gp_row_judgement *judged, size_t n, gp_wrong_lines lines)
{
    line_sample sample = {{0}, 0};
    size_t wanted = lines.count < SAMPLED_LINES ? lines.count : SAMPLED_LINES;
    size_t seen = 0;
    for (size_t i = 0; i < n && sample.count < wanted; i++) {
        if (!judged->wrong[i]) { continue; }
        size_t next = wanted == 1 ? 0 : sample.count * (lines.count - 1) / (wanted - 1);
        if (seen == next) { sample.at[sample.count++] = i; }
        seen++;
    }
    return sample;
}

/* What is said of all wrong elements as long as none contradicts. */
typedef struct verdicts {
    size_t wrong;
    bool all_zero;
    bool all_tf32;
} verdicts;

static bool
fits_tf32(const gp_product *product, gp_exact_element exact, double got)
{
    gp_product as_tf32 = *product;
    as_tf32.arithmetic = gp_arithmetic_find("tf32");
    double allowed = gp_allowed_error(&as_tf32, exact.magnitudes, fabs(got), 1);
    return fabs(got - exact.value) <= allowed;
}

static void
add_element(const gp_matrix *c, gp_wrong_element element, gp_matmul_proof *proof)
{
    unsigned char stored[8] = {0};
    if (proof->element_count == GP_WRONG_ELEMENTS) { return; }
    gp_dtype_store(c->dtype, element.expected, stored);
    element.expected_bits = gp_dtype_bits(c->dtype, stored);
    element.got_bits = gp_matrix_bits_at(c, element.row, element.column);
    proof->elements[proof->element_count++] = element;
}

void
gp_note_element(const gp_product *product, size_t row, size_t column, gp_matmul_proof *proof)
{
    double exact = gp_recompute(product, row, column).value;
    double got = gp_matrix_at(&product->c, row, column);
    add_element(&product->c, (gp_wrong_element){row, column, exact, got, 0, 0}, proof);
}

static void
judge_element(const gp_product *product, size_t row, size_t column, gp_matmul_proof *proof,
              verdicts *all)
{
    gp_exact_element exact = gp_recompute(product, row, column);
    double got = gp_matrix_at(&product->c, row, column);
    double allowed = gp_element_allowance(product, proof->basis, exact, got);
    if (fabs(got - exact.value) <= allowed) { return; }
    all->wrong++;
    all->all_zero = all->all_zero && got == 0.0;
    all->all_tf32 = all->all_tf32 && fits_tf32(product, exact, got);
    add_element(&product->c, (gp_wrong_element){row, column, exact.value, got, 0, 0}, proof);
}

/* Of floats a line goes unseen now and then, whose errors cancel by the weights of chance. */
static bool
is_block(gp_wrong_lines lines)
{
    size_t span = lines.last - lines.first + 1;
    return lines.count + span / 8 >= span;
}

/* `dense`: most of the sampled crossings are wrong. A single wrong row has most columns wrong. */
static gp_wrong_pattern
pattern_of(gp_wrong_lines rows, gp_wrong_lines columns, const gp_matrix *c, bool dense)
{
    if (!dense) { return GP_PATTERN_SCATTERED; }
    if (rows.count == 1 && columns.count == 1) { return GP_PATTERN_ELEMENT; }
    bool most_rows = 2 * rows.count > c->rows;
    bool most_columns = 2 * columns.count > c->columns;
    if (most_rows && most_columns && c->rows > 1 && c->columns > 1) {
        return GP_PATTERN_EVERYWHERE;
    }
    if (rows.count == 1 || most_columns) { return GP_PATTERN_ROWS; }
    if (columns.count == 1 || most_rows) { return GP_PATTERN_COLUMNS; }
    return is_block(rows) && is_block(columns) ? GP_PATTERN_TILE : GP_PATTERN_SCATTERED;
}

static void
name_cause(const gp_product *product, const verdicts *all, gp_matmul_proof *proof)
{
    const gp_product transposed = gp_product_transposed(product);
    gp_proof_basis basis = proof->basis;
    proof->is_zero = all->wrong > 0 && all->all_zero;
    proof->is_tf32 = all->wrong > 0 && all->all_tf32 && !proof->is_zero &&
                     product->arithmetic == gp_arithmetic_find("float32") &&
                     basis == GP_BASIS_EXACT && proof->pattern == GP_PATTERN_EVERYWHERE;
    proof->is_one_bit = proof->pattern == GP_PATTERN_ELEMENT &&
                        gp_is_one_bit_off(product, basis, proof->rows.first, proof->columns.first);
    proof->has_swapped_rows = gp_are_swapped(product, basis, proof->rows);
    proof->has_swapped_columns = gp_are_swapped(&transposed, basis, proof->columns);
}

void
gp_locate(const gp_product *product, const gp_row_judgement *rows, const gp_row_judgement *columns,
          gp_matmul_proof *proof)
{
    const gp_matrix *c = &product->c;
    proof->rows = wrong_lines(rows, c->rows);
    proof->columns = wrong_lines(columns, c->columns);
    line_sample by_row = sample_lines(rows, c->rows, proof->rows);
    line_sample by_column = sample_lines(columns, c->columns, proof->columns);
    verdicts all = {0, true, true};
    for (size_t i = 0; i < by_row.count; i++) {
        for (size_t j = 0; j < by_column.count && !gp_is_over(product->watch); j++) {
            judge_element(product, by_row.at[i], by_column.at[j], proof, &all);
        }
    }
    bool dense = 2 * all.wrong > by_row.count * by_column.count;
    /* Where the lines that were found do not cross in a wrong element there is one all the same. */
    if (all.wrong == 0 && rows->has_wrong) {
        judge_element(product, rows->row, rows->column, proof, &all);
    }
    proof->pattern = pattern_of(proof->rows, proof->columns, c, dense);
    name_cause(product, &all, proof);
}
