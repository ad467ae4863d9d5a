#include "gp_prove_matmul.h"

#include "base/gp_alloc.h"
#include "gp_prove_locate.h"
#include "gp_prove_sample.h"

static bool
shapes_fit(const gp_product *product)
{
    return product->a.rows == product->c.rows && product->b.columns == product->c.columns &&
           product->a.columns == product->b.rows;
}

typedef struct surveys {
    gp_matrix_survey a;
    gp_matrix_survey b;
    gp_matrix_survey c;
} surveys;

static gp_status
look_at_all(const gp_product *product, surveys *seen)
{
    size_t k = product->a.columns;
    size_t n = product->b.columns;
    double *row = gp_alloc((k > n ? k : n) + 1, sizeof(*row));
    if (row == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul"); }
    seen->a = gp_matrix_look(&product->a, row);
    seen->b = gp_matrix_look(&product->b, row);
    seen->c = gp_matrix_look(&product->c, row);
    gp_free(row);
    return gp_ok();
}

/* Whether one of the three holds NaN or infinity; the inputs are named first. */
static bool
find_not_finite(const surveys *seen, gp_matmul_proof *proof)
{
    const gp_matrix_survey *all[] = {&seen->a, &seen->b, &seen->c};
    for (size_t i = 0; i < 3; i++) {
        if (all[i]->is_finite) { continue; }
        proof->not_finite = "abc"[i];
        proof->bad_row = all[i]->bad_row;
        proof->bad_column = all[i]->bad_column;
        return true;
    }
    return false;
}

static gp_status
judge(const gp_product *product, gp_proof_basis basis, uint64_t seed, gp_row_judgement *rows)
{
    return basis == GP_BASIS_EXACT ? gp_judge_rows_exact(product, seed, rows)
                                   : gp_judge_rows_bound(product, seed, rows);
}

static bool
has_wrong(const gp_row_judgement *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rows->wrong[i]) { return true; }
    }
    return false;
}

static gp_status
judge_and_locate(const gp_product *product, uint64_t seed, gp_matmul_proof *proof)
{
    gp_row_judgement rows;
    gp_row_judgement columns = {.wrong = NULL};
    gp_product transposed = gp_product_transposed(product);
    gp_status st = judge(product, proof->basis, seed, &rows);
    if (gp_failed(st)) { goto done; }
    proof->fraction = rows.fraction;
    proof->is_right = !has_wrong(&rows, product->c.rows);
    if (proof->is_right) { goto done; }
    st = judge(&transposed, proof->basis, seed + 1, &columns);
    if (gp_failed(st)) { goto done; }
    gp_locate(product, &rows, &columns, proof);
done:
    gp_row_judgement_free(&rows);
    gp_row_judgement_free(&columns);
    return st;
}

gp_status
gp_prove_matmul(const gp_product *product, uint64_t seed, gp_matmul_proof *proof)
{
    surveys seen = {.a = {.is_finite = false}};
    *proof = (gp_matmul_proof){.basis = GP_BASIS_NONE};
    if (!shapes_fit(product)) { return gp_fail(GP_BAD_ARGUMENT, 0, "gp_prove_matmul"); }
    gp_status st = look_at_all(product, &seen);
    if (gp_failed(st)) { return st; }
    if (find_not_finite(&seen, proof)) { return gp_ok(); }
    bool is_exact = seen.a.is_whole && seen.b.is_whole &&
                    gp_arithmetic_is_exact(product->arithmetic, product->a.columns,
                                           seen.a.magnitude, seen.b.magnitude, product->c.dtype);
    bool is_integer = !gp_dtype_is_float(product->c.dtype);
    double limit = gp_arithmetic_limit(product->arithmetic, product->a.columns);
    if (!is_exact && (is_integer || limit >= 1.0)) {
        return gp_fail(GP_BAD_ARGUMENT, 0, "gp_prove_matmul");
    }
    proof->basis = is_exact ? GP_BASIS_EXACT : GP_BASIS_BOUND;
    st = judge_and_locate(product, seed, proof);
    if (!gp_failed(st)) { gp_look_for_tf32(product, seed + 2, proof); }
    return st;
}
