#include "gp_prove_rows.h"

#include "base/gp_alloc.h"
#include "gp_field61.h"
#include "gp_field61_floats.h"
#include "gp_prove_rounds.h"
#include "kernels/gp_formulas.h"

#include <math.h>

gp_product
gp_product_transposed(const gp_product *product)
{
    return (gp_product){gp_matrix_transposed(product->b),
                        gp_matrix_transposed(product->a),
                        gp_matrix_transposed(product->c),
                        product->arithmetic,
                        product->watch,
                        product->zero_steps};
}

void
gp_row_judgement_free(gp_row_judgement *rows)
{
    gp_free(rows->wrong);
    *rows = (gp_row_judgement){.wrong = NULL};
}

static size_t
at_least_one(size_t n)
{
    return n == 0 ? 1 : n;
}

static gp_status
no_memory(void)
{
    return gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul");
}

typedef struct exact_job {
    const gp_product *product;
    gp_row_judgement *rows;
    gp_weights x; /* n random residues */
    gp_weights y; /* B x, k residues */
    size_t longest;
    double *row; /* `longest` for each worker */
    /* For each worker: the greatest magnitude in A and B, infinite once a row has no residue. */
    double magnitude_a[GP_MAX_WORKERS];
    double magnitude_b[GP_MAX_WORKERS];
} exact_job;

static bool
exact_job_make(exact_job *job, size_t workers)
{
    size_t k = job->product->a.columns;
    size_t n = job->product->b.columns;
    job->longest = at_least_one(k > n ? k : n);
    job->row = gp_alloc(job->longest, workers * sizeof(*job->row));
    bool has_x = gp_weights_make(n, &job->x);
    bool has_y = gp_weights_make(k, &job->y);
    return has_x && has_y && job->row != NULL;
}

static void
exact_job_free(exact_job *job)
{
    gp_weights_free(&job->x);
    gp_weights_free(&job->y);
    gp_free(job->row);
}

/* The residue of row . weights. Each row is surveyed while it is in the cache: going through memory
 * once more would cost as much again. Infinite `*magnitude`: there is no residue, as a number is
 * not whole, or beyond what residues tell apart. Neither can stand in an exact product, nor in what
 * one is made of. */
static uint64_t
any_residue(const gp_matrix *matrix, size_t i, const gp_weights *weights, double *row,
            double *magnitude)
{
    gp_matrix_row(matrix, i, row);
    gp_survey seen = gp_survey_of(row, matrix->columns);
    bool has_residue = seen.is_whole && seen.magnitude <= GP_FIELD61_MAX_TERM;
    *magnitude = has_residue ? fmax(*magnitude, seen.magnitude) : HUGE_VAL;
    return has_residue ? gp_field61_dot(row, weights->residues, matrix->columns) : 0;
}

/* The same, by the fast way where the row lets it. */
static uint64_t
row_residue(const gp_matrix *matrix, size_t i, const gp_weights *weights, double *row,
            double *magnitude)
{
    uint64_t residue = 0;
    const void *floats = matrix->dtype == GP_FLOAT32 ? gp_matrix_compact_row(matrix, i) : NULL;
    bool is_done = floats != NULL &&
                   gp_field61_dot_floats(floats, matrix->columns, weights, &residue, magnitude);
    return is_done ? residue : any_residue(matrix, i, weights, row, magnitude);
}

static void
multiply_b(void *context, size_t worker, size_t begin, size_t end)
{
    exact_job *job = context;
    double *row = job->row + worker * job->longest;
    double *magnitude = &job->magnitude_b[worker];
    for (size_t p = begin; p < end && isfinite(*magnitude); p++) {
        job->y.residues[p] = row_residue(&job->product->b, p, &job->x, row, magnitude);
    }
}

static void
judge_exact(void *context, size_t worker, size_t begin, size_t end)
{
    exact_job *job = context;
    gp_row_judgement *rows = job->rows;
    double *row = job->row + worker * job->longest;
    double *magnitude = &job->magnitude_a[worker];
    for (size_t i = begin; i < end && isfinite(*magnitude); i++) {
        double result = 0.0;
        uint64_t expected = row_residue(&job->product->a, i, &job->y, row, magnitude);
        uint64_t got = row_residue(&job->product->c, i, &job->x, row, &result);
        rows->wrong[i] = !isfinite(result) || got != expected;
    }
}

static double
greatest(const double *values, size_t n)
{
    double result = 0.0;
    for (size_t i = 0; i < n; i++) {
        result = fmax(result, values[i]);
    }
    return result;
}

static bool
run_exact(exact_job *job, size_t workers)
{
    const gp_product *product = job->product;
    size_t n = product->b.columns;
    gp_prove_in_rounds(product, product->b.rows, n, workers, multiply_b, job);
    double magnitude_b = greatest(job->magnitude_b, workers);
    if (!isfinite(magnitude_b)) { return false; }
    gp_weights_split(product->b.rows, &job->y);
    gp_prove_in_rounds(product, product->c.rows, n + product->a.columns, workers, judge_exact, job);
    return gp_arithmetic_is_exact(product->arithmetic, gp_product_steps(product),
                                  greatest(job->magnitude_a, workers), magnitude_b,
                                  product->c.dtype);
}

gp_status
gp_judge_rows_exact(const gp_product *product, uint64_t seed, gp_row_judgement *rows, bool *applies)
{
    size_t m = at_least_one(product->c.rows);
    size_t workers = gp_parallel_workers();
    exact_job job = {.product = product, .rows = rows};
    *rows = (gp_row_judgement){.wrong = gp_alloc(m, sizeof(*rows->wrong))};
    bool has_room = exact_job_make(&job, workers) && rows->wrong != NULL;
    if (has_room) {
        gp_field61_random(job.x.residues, product->b.columns, seed);
        gp_weights_split(product->b.columns, &job.x);
        *applies = run_exact(&job, workers);
    }
    exact_job_free(&job);
    return has_room ? gp_ok() : no_memory();
}

/* limit(k) * magnitudes, and what underflows in each of the k steps: at most the least normal
 * number, where that is flushed to 0. Our own sums are rounded, too, to double: 2^-53 for each step
 * of the longest way through them, and for the two weights on it. They are added to what is
 * allowed, so that a right product of float64 passes. */
double
gp_sum_error(const gp_product *product, double magnitudes, size_t count)
{
    const gp_arithmetic *arithmetic = product->arithmetic;
    size_t k = gp_product_steps(product);
    double own = (double)(product->a.columns + 2 * (count + 1)) * 0x1p-53;
    double underflow = (double)count * (double)(k + 1) * ldexp(1.0, arithmetic->tiny_exponent);
    return (gp_arithmetic_limit(arithmetic, k) + own) * magnitudes + underflow;
}

/* A type with fewer bits than the sums have rounds them to nearest: by u of a sum, which is u / (1
 * - u) of what it becomes, and below its normal numbers by half of its least step. */
double
gp_allowed_error(const gp_product *product, double magnitudes, double results, size_t count)
{
    gp_dtype output = product->c.dtype;
    double stored = 0.0;
    if (gp_dtype_digits(output) < product->arithmetic->accumulator_digits) {
        double unit = ldexp(1.0, -gp_dtype_digits(output));
        stored = results * unit / (1.0 - unit) + (double)count * 0.5 * gp_dtype_tiny(output);
    }
    return gp_sum_error(product, magnitudes, count) + stored;
}
