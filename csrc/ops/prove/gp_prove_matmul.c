#include "gp_prove_matmul.h"

#include "base/gp_alloc.h"
#include "gp_prove_elements.h"
#include "gp_prove_locate.h"
#include "gp_prove_sample.h"
#include "platform/gp_float_env.h"

static bool
shapes_fit(const gp_product *product)
{
    return product->a.rows == product->c.rows && product->b.columns == product->c.columns &&
           product->a.columns == product->b.rows;
}

/* Nothing of the inputs is in it: there is no element that could be wrong. */
static bool
is_empty(const gp_matrix *matrix)
{
    return matrix->rows == 0 || matrix->columns == 0;
}

static bool
has_wrong(const gp_row_judgement *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rows->wrong[i]) { return true; }
    }
    return false;
}

/* The first element of a matrix, by rows; false: there is none, or the watch is over. */
static bool
find_not_finite(const gp_product *product, const gp_matrix *matrix, double *room,
                gp_matmul_proof *proof)
{
    for (size_t i = 0; i < matrix->rows && !gp_is_over(product->watch); i++) {
        size_t column = gp_matrix_find_not_finite(matrix, i, room);
        if (column == matrix->columns) { continue; }
        proof->bad_row = i;
        proof->bad_column = column;
        return true;
    }
    return false;
}

/* Where one of the three holds NaN or infinity the proof says where, the inputs first. */
static gp_status
look_for_not_finite(const gp_product *product, gp_matmul_proof *proof)
{
    const gp_matrix *all[] = {&product->a, &product->b, &product->c};
    size_t k = product->a.columns;
    size_t n = product->b.columns;
    double *row = gp_alloc((k > n ? k : n) + 1, sizeof(*row));
    if (row == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul"); }
    for (size_t i = 0; i < 3 && proof->not_finite == '\0'; i++) {
        if (find_not_finite(product, all[i], row, proof)) {
            proof->basis = GP_BASIS_NONE;
            proof->not_finite = "abc"[i];
        }
    }
    gp_free(row);
    return gp_ok();
}

static gp_status
judge_floats(const gp_product *product, uint64_t seed, gp_row_judgement *rows)
{
    if (gp_is_small_product(product)) { return gp_judge_elements(product, rows); }
    gp_status st = gp_judge_rows_bound(product, seed, rows);
    if (!gp_failed(st)) { gp_judge_sample(product, seed, rows); }
    return st;
}

/* The wrong columns are the wrong rows of the transposed product. Fails where all is finite and a
 * row is wrong only because what it is allowed is not. */
static gp_status
locate(const gp_product *product, uint64_t seed, const gp_row_judgement *rows,
       gp_matmul_proof *proof)
{
    bool applies = true;
    gp_row_judgement columns = {.wrong = NULL};
    gp_product transposed = gp_product_transposed(product);
    gp_status st = look_for_not_finite(product, proof);
    if (gp_failed(st) || proof->basis == GP_BASIS_NONE) { return st; }
    if (rows->overflows) { return gp_fail(GP_BAD_ARGUMENT, 0, "gp_prove_matmul"); }
    st = proof->basis == GP_BASIS_EXACT ? gp_judge_rows_exact(&transposed, seed, &columns, &applies)
                                        : judge_floats(&transposed, seed, &columns);
    if (!gp_failed(st)) { gp_locate(product, rows, &columns, proof); }
    gp_row_judgement_free(&columns);
    return st;
}

/* Exactly where that can be, else within the bound of the arithmetic, if it has one. */
static gp_status
judge_rows(const gp_product *product, uint64_t seed, gp_row_judgement *rows, gp_matmul_proof *proof)
{
    bool applies = false;
    gp_status st = gp_judge_rows_exact(product, seed, rows, &applies);
    proof->basis = applies ? GP_BASIS_EXACT : GP_BASIS_BOUND;
    if (gp_failed(st) || applies) { return st; }
    gp_row_judgement_free(rows);
    double limit = gp_arithmetic_limit(product->arithmetic, gp_product_steps(product));
    if (!gp_dtype_is_float(product->c.dtype) || limit >= 1.0) {
        return gp_fail(GP_BAD_ARGUMENT, 0, "gp_prove_matmul");
    }
    return judge_floats(product, seed, rows);
}

static gp_status
judge(const gp_product *product, uint64_t seed, gp_matmul_proof *proof)
{
    gp_row_judgement rows = {.wrong = NULL};
    gp_status st = judge_rows(product, seed, &rows, proof);
    if (gp_failed(st)) { goto done; }
    proof->fraction = rows.fraction;
    proof->is_right = !has_wrong(&rows, product->c.rows);
    if (!proof->is_right) { st = locate(product, seed + 1, &rows, proof); }
    if (gp_failed(st)) { goto done; }
    gp_look_for_tf32(product, seed + 2, proof);
    if (proof->is_right && rows.has_small && !rows.has_large) {
        proof->is_right = false;
        st = gp_fail(GP_BAD_ARGUMENT, 0, "gp_prove_matmul");
    }
done:
    gp_row_judgement_free(&rows);
    return st;
}

gp_status
gp_prove_matmul(const gp_product *product, uint64_t seed, gp_matmul_proof *proof)
{
    gp_float_env callers;
    *proof = (gp_matmul_proof){.basis = GP_BASIS_NONE};
    if (!shapes_fit(product)) { return gp_fail(GP_BAD_ARGUMENT, 0, "gp_prove_matmul"); }
    if (is_empty(&product->c)) {
        proof->is_right = true;
        proof->basis = GP_BASIS_EXACT;
        return gp_ok();
    }
    gp_float_env_begin(&callers);
    gp_status st = judge(product, seed, proof);
    gp_float_env_end(&callers);
    return st;
}
