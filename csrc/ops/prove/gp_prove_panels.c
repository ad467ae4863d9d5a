/* Rows of floats, judged within a bound. Columns are added up by panels, so that one wrong element
 * is not lost in the rounding of thousands of right ones; more panels would cost more than a
 * twentieth of the product itself.
 *
 * Each column has a random weight of its own, from 1/2 to 1 and of either sign: whatever else is
 * wrong in a panel, an error of many times what is allowed to it cancels for few weights alone.
 * With signs alone two elements, or two whole columns, that have changed places would pass every
 * other time. */
#include "base/gp_alloc.h"
#include "gp_prove_rounds.h"
#include "gp_prove_rows.h"
#include "kernels/gp_formulas.h"

#include <math.h>
#include <string.h>

enum { PANELS = 8, PANEL_COLUMNS = 128 };

/* Sums that are made side by side, as each has to wait for its own last step. */
enum { PANELS_AT_ONCE = 4 };

/* Rows of A are judged several at a time, by so many rows of B that their panels stay in the first
 * cache meanwhile. */
enum { ROWS_AT_ONCE = 8, PART = 128 };

/* A fraction so far below another one is below it, however both were rounded. */
#define CLEARLY_LESS 0.99

/* Weighted sums of a row, by panels: of its numbers, and of their magnitudes. */
typedef struct panels {
    double numbers[PANELS];
    double magnitudes[PANELS];
} panels;

typedef struct panel_job {
    const gp_product *product;
    double least; /* magnitude of an input that is not 0 */
    gp_row_judgement *rows;
    double *weights;   /* one for each column */
    double *b_numbers; /* for each panel the sums of all rows of B, one after the other */
    double *b_magnitudes;
    double *b_least; /* the least of the magnitudes of each row of B */
    double worst[GP_MAX_WORKERS];
    bool overflows[GP_MAX_WORKERS];
} panel_job;

/* From 1/2 to 1, with the sign of one bit that the magnitude leaves over. */
static double
weight_of(uint64_t random)
{
    double magnitude = 0.5 + (double)(random >> 12) * 0x1p-53;
    return (random & 1) != 0 ? magnitude : -magnitude;
}

static bool
panel_job_make(panel_job *job, uint64_t seed)
{
    size_t k = job->product->a.columns;
    size_t n = job->product->b.columns;
    job->weights = gp_alloc(n + 1, sizeof(*job->weights));
    job->b_numbers = gp_alloc(k + 1, PANELS * sizeof(*job->b_numbers));
    job->b_magnitudes = gp_alloc(k + 1, PANELS * sizeof(*job->b_magnitudes));
    job->b_least = gp_alloc(k + 1, sizeof(*job->b_least));
    if (job->weights == NULL || job->b_numbers == NULL || job->b_magnitudes == NULL ||
        job->b_least == NULL) {
        return false;
    }
    for (size_t j = 0; j < n; j++) {
        job->weights[j] = weight_of(gp_random_u64(seed, j));
    }
    return true;
}

static void
panel_job_free(panel_job *job)
{
    gp_free(job->weights);
    gp_free(job->b_numbers);
    gp_free(job->b_magnitudes);
    gp_free(job->b_least);
}

static size_t
panel_width(size_t n)
{
    size_t width = (n + PANELS - 1) / PANELS;
    return width < PANEL_COLUMNS ? PANEL_COLUMNS : width;
}

/* Panels that have any columns; the others are all zero. */
static size_t
panel_count(size_t n)
{
    return (n + panel_width(n) - 1) / panel_width(n);
}

/* One panel of a row of B or C. */
static void
sum_panel(const panel_job *job, const gp_matrix *matrix, size_t row, size_t panel, panels *found)
{
    double part[PART];
    double numbers = 0.0;
    double magnitudes = 0.0;
    size_t width = panel_width(matrix->columns);
    size_t begin = panel * width;
    size_t end = matrix->columns - begin < width ? matrix->columns : begin + width;
    for (size_t j = begin, n = 0; j < end; j += n) {
        n = end - j < PART ? end - j : PART;
        gp_matrix_part(matrix, row, j, n, part);
        for (size_t i = 0; i < n; i++) {
            double weighted = job->weights[j + i] * part[i];
            numbers += weighted;
            magnitudes += fabs(job->weights[j + i]) * gp_magnitude_of(part[i], job->least);
        }
    }
    found->numbers[panel] = numbers;
    found->magnitudes[panel] = magnitudes;
}

static panels
sum_row(const panel_job *job, const gp_matrix *matrix, size_t row)
{
    panels found = {{0.0}, {0.0}};
    size_t count = panel_count(matrix->columns);
    for (size_t panel = 0; panel < count; panel++) {
        sum_panel(job, matrix, row, panel, &found);
    }
    return found;
}

typedef struct row_error {
    double fraction; /* the residual as a part of what is allowed, in the worst panel */
    bool overflows;  /* what is allowed to a panel does */
} row_error;

static row_error
error_of(const gp_product *product, const panels *exact, const panels *got)
{
    size_t width = panel_width(product->c.columns);
    row_error error = {0.0, false};
    for (size_t panel = 0; panel < PANELS; panel++) {
        double allowed =
            gp_allowed_error(product, exact->magnitudes[panel], got->magnitudes[panel], width);
        double fraction = fabs(got->numbers[panel] - exact->numbers[panel]) / allowed;
        error.overflows = error.overflows || !isfinite(allowed);
        /* NaN and infinity in C, and an overflow in our own sums, must not pass. */
        if (isnan(fraction) || !isfinite(allowed)) { fraction = HUGE_VAL; }
        error.fraction = fmax(error.fraction, fraction);
    }
    return error;
}

static double
least_magnitudes(const panels *found, size_t count)
{
    double least = found->magnitudes[0];
    for (size_t panel = 1; panel < count; panel++) {
        least = fmin(least, found->magnitudes[panel]);
    }
    return least;
}

static void
sum_b(void *context, size_t worker, size_t begin, size_t end)
{
    const panel_job *job = context;
    const gp_matrix *b = &job->product->b;
    (void)worker;
    for (size_t p = begin; p < end; p++) {
        panels found = sum_row(job, b, p);
        for (size_t panel = 0; panel < PANELS; panel++) {
            job->b_numbers[panel * b->rows + p] = found.numbers[panel];
            job->b_magnitudes[panel * b->rows + p] = found.magnitudes[panel];
        }
        job->b_least[p] = least_magnitudes(&found, panel_count(b->columns));
    }
}

/* Adds the products of a part of a row of A with what the panels of B add up to: `n` sums of each
 * panel, `stride` after those of the panel before. */
static void
add_products(const double *part, size_t n, const double *b_sums, size_t stride, double *totals)
{
    for (size_t panel = 0; panel < PANELS; panel += PANELS_AT_ONCE) {
        const double *sums = b_sums + panel * stride;
        double found[PANELS_AT_ONCE] = {0.0};
        for (size_t i = 0; i < n; i++) {
            for (size_t next = 0; next < PANELS_AT_ONCE; next++) {
                found[next] += part[i] * sums[next * stride + i];
            }
        }
        for (size_t next = 0; next < PANELS_AT_ONCE; next++) {
            totals[panel + next] += found[next];
        }
    }
}

/* Adds to each panel's magnitudes what they are at least. */
static void
add_least(const panel_job *job, const double *part, size_t n, const double *b_least, panels *exact)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += gp_magnitude_of(part[i], job->least) * b_least[i];
    }
    for (size_t panel = 0; panel < PANELS; panel++) {
        exact->magnitudes[panel] += sum;
    }
}

/* What the panels of `count` rows from `first` on must be, ROWS_AT_ONCE at most; of the magnitudes
 * only what they are at least, as that is half of the work less. */
static void
multiply_rows(const panel_job *job, size_t first, size_t count, panels *exact)
{
    const gp_matrix *a = &job->product->a;
    size_t k = a->columns;
    double part[PART];
    for (size_t i = 0; i < count; i++) {
        exact[i] = (panels){{0.0}, {0.0}};
    }
    for (size_t p = 0, n = 0; p < k; p += n) {
        n = k - p < PART ? k - p : PART;
        for (size_t i = 0; i < count; i++) {
            gp_matrix_part(a, first + i, p, n, part);
            add_products(part, n, job->b_numbers + p, k, exact[i].numbers);
            add_least(job, part, n, job->b_least + p, &exact[i]);
        }
    }
}

/* The magnitudes themselves of a row. */
static void
weigh(const panel_job *job, size_t row, panels *exact)
{
    const gp_matrix *a = &job->product->a;
    size_t k = a->columns;
    double part[PART];
    memset(exact->magnitudes, 0, sizeof(exact->magnitudes));
    for (size_t p = 0, n = 0; p < k; p += n) {
        n = k - p < PART ? k - p : PART;
        gp_matrix_part(a, row, p, n, part);
        for (size_t i = 0; i < n; i++) {
            part[i] = gp_magnitude_of(part[i], job->least);
        }
        add_products(part, n, job->b_magnitudes + p, k, exact->magnitudes);
    }
}

/* Whether a row is wrong; raises the worker's worst fraction. By the least magnitudes its own comes
 * out too great or right: what is right even so, and better than the worst one seen, needs no more.
 * That is nearly every row, but none where B is nearly empty. */
static bool
is_wrong(panel_job *job, size_t worker, size_t row, panels *exact)
{
    double *worst = &job->worst[worker];
    panels got = sum_row(job, &job->product->c, row);
    row_error error = error_of(job->product, exact, &got);
    if (error.fraction < CLEARLY_LESS * fmin(*worst, 1.0)) { return false; }
    weigh(job, row, exact);
    error = error_of(job->product, exact, &got);
    *worst = fmax(*worst, error.fraction);
    job->overflows[worker] = job->overflows[worker] || error.overflows;
    return error.fraction > 1.0;
}

static void
judge(void *context, size_t worker, size_t begin, size_t end)
{
    panel_job *job = context;
    panels exact[ROWS_AT_ONCE];
    for (size_t first = begin; first < end; first += ROWS_AT_ONCE) {
        size_t count = end - first < ROWS_AT_ONCE ? end - first : ROWS_AT_ONCE;
        multiply_rows(job, first, count, exact);
        for (size_t i = 0; i < count; i++) {
            job->rows->wrong[first + i] = is_wrong(job, worker, first + i, &exact[i]);
        }
    }
}

gp_status
gp_judge_rows_bound(const gp_product *product, uint64_t seed, gp_row_judgement *rows)
{
    size_t k = product->a.columns;
    size_t n = product->b.columns;
    size_t workers = gp_parallel_workers();
    panel_job job = {
        .product = product, .least = gp_arithmetic_least(product->arithmetic), .rows = rows};
    *rows = (gp_row_judgement){
        .wrong = gp_alloc(product->c.rows + 1, sizeof(*rows->wrong)),
    };
    bool has_room = panel_job_make(&job, seed) && rows->wrong != NULL;
    if (has_room) {
        gp_prove_in_rounds(product, product->b.rows, n, workers, sum_b, &job);
        gp_prove_in_rounds(product, product->c.rows, n + PANELS * k, workers, judge, &job);
    }
    for (size_t i = 0; i < workers; i++) {
        rows->fraction = fmax(rows->fraction, job.worst[i]);
        rows->overflows = rows->overflows || job.overflows[i];
    }
    panel_job_free(&job);
    return has_room ? gp_ok() : gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul");
}
