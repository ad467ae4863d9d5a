/* Rows of floats, judged within a bound. Columns are added up by panels, with random signs, so that
 * one wrong element is not lost in the rounding of thousands of right ones; more panels would cost
 * more than a twentieth of the product itself. */
#include "base/gp_alloc.h"
#include "gp_prove_rows.h"
#include "kernels/gp_formulas.h"
#include "platform/gp_parallel.h"

#include <math.h>

enum { PANELS = 8, PANEL_COLUMNS = 128 };

/* Sums that are made side by side, as each has to wait for its own last step. */
enum { PANELS_AT_ONCE = 4 };

/* Rows of A are judged several at a time, by so many rows of B that their panels stay in the first
 * cache meanwhile. */
enum { ROWS_AT_ONCE = 8, PRODUCTS_AT_ONCE = 128 };

/* Weighted sums of a row: of its numbers, and of their magnitudes. */
typedef struct sums {
    double numbers;
    double magnitudes;
} sums;

/* What a row adds up to, by panels. */
typedef struct panels {
    sums at[PANELS];
} panels;

typedef struct panel_job {
    const gp_product *product;
    gp_row_judgement *rows;
    double *signs;     /* 1 or -1 for each column */
    double *b_numbers; /* for each panel the sums of all rows of B, one after the other */
    double *b_magnitudes;
    size_t longest;
    double *room; /* ROWS_AT_ONCE times `longest` for each worker */
    double worst[GP_MAX_WORKERS];
} panel_job;

static bool
panel_job_make(panel_job *job, uint64_t seed, size_t workers)
{
    size_t k = job->product->a.columns;
    size_t n = job->product->b.columns;
    job->longest = (k > n ? k : n) + 1;
    job->signs = gp_alloc(n + 1, sizeof(*job->signs));
    job->b_numbers = gp_alloc(k + 1, PANELS * sizeof(*job->b_numbers));
    job->b_magnitudes = gp_alloc(k + 1, PANELS * sizeof(*job->b_magnitudes));
    job->room = gp_alloc(job->longest, workers * ROWS_AT_ONCE * sizeof(*job->room));
    if (job->signs == NULL || job->b_numbers == NULL || job->b_magnitudes == NULL ||
        job->room == NULL) {
        return false;
    }
    for (size_t j = 0; j < n; j++) {
        uint64_t bit = gp_random_u64(seed, j / 64) >> (j % 64) & 1;
        job->signs[j] = bit != 0 ? 1.0 : -1.0;
    }
    return true;
}

static void
panel_job_free(panel_job *job)
{
    gp_free(job->signs);
    gp_free(job->b_numbers);
    gp_free(job->b_magnitudes);
    gp_free(job->room);
}

static size_t
panel_width(size_t n)
{
    size_t width = (n + PANELS - 1) / PANELS;
    return width < PANEL_COLUMNS ? PANEL_COLUMNS : width;
}

/* A row of B or C, with random signs. */
static panels
sum_row(const panel_job *job, const double *row)
{
    size_t n = job->product->c.columns;
    size_t width = panel_width(n);
    panels found = {{{0.0, 0.0}}};
    for (size_t panel = 0, j = 0; j < n; panel++) {
        size_t end = n - j < width ? n : j + width;
        double numbers = 0.0;
        double magnitudes = 0.0;
        for (; j < end; j++) {
            numbers += job->signs[j] * row[j];
            magnitudes += fabs(row[j]);
        }
        found.at[panel] = (sums){numbers, magnitudes};
    }
    return found;
}

/* The residual of a row as a part of what is allowed, over its worst panel. */
static double
fraction_of(const gp_product *product, const panels *exact, const panels *got)
{
    size_t width = panel_width(product->c.columns);
    double worst = 0.0;
    for (size_t panel = 0; panel < PANELS; panel++) {
        const sums *should = &exact->at[panel];
        const sums *is = &got->at[panel];
        double allowed = gp_allowed_error(product, should->magnitudes, is->magnitudes, width);
        double fraction = fabs(is->numbers - should->numbers) / allowed;
        /* NaN and infinity in C, and an overflow in our own sums, must not pass. */
        if (!(fraction <= worst)) { worst = isnan(fraction) ? HUGE_VAL : fraction; }
    }
    return worst;
}

static void
sum_b(void *context, size_t worker, size_t begin, size_t end)
{
    const panel_job *job = context;
    const gp_matrix *b = &job->product->b;
    double *row = job->room + worker * ROWS_AT_ONCE * job->longest;
    for (size_t p = begin; p < end; p++) {
        gp_matrix_row(b, p, row);
        panels found = sum_row(job, row);
        for (size_t panel = 0; panel < PANELS; panel++) {
            job->b_numbers[panel * b->rows + p] = found.at[panel].numbers;
            job->b_magnitudes[panel * b->rows + p] = found.at[panel].magnitudes;
        }
    }
}

/* What the panels of a row of C must be, as far as `n` products from `p` on make them up. */
static void
add_products(const panel_job *job, const double *row, size_t p, size_t n, panels *exact)
{
    size_t k = job->product->b.rows;
    for (size_t panel = 0; panel < PANELS; panel += PANELS_AT_ONCE) {
        const double *numbers = job->b_numbers + panel * k;
        const double *magnitudes = job->b_magnitudes + panel * k;
        sums found[PANELS_AT_ONCE] = {{0.0, 0.0}};
        for (size_t i = p; i < p + n; i++) {
            for (size_t next = 0; next < PANELS_AT_ONCE; next++) {
                found[next].numbers += row[i] * numbers[next * k + i];
                found[next].magnitudes += fabs(row[i]) * magnitudes[next * k + i];
            }
        }
        for (size_t next = 0; next < PANELS_AT_ONCE; next++) {
            exact->at[panel + next].numbers += found[next].numbers;
            exact->at[panel + next].magnitudes += found[next].magnitudes;
        }
    }
}

/* `count` rows from `first` on, ROWS_AT_ONCE at most; `room` is for so many. */
static void
multiply_rows(const panel_job *job, size_t first, size_t count, double *room, panels *exact)
{
    const gp_matrix *a = &job->product->a;
    for (size_t i = 0; i < count; i++) {
        gp_matrix_row(a, first + i, room + i * job->longest);
        exact[i] = (panels){{{0.0, 0.0}}};
    }
    for (size_t p = 0; p < a->columns; p += PRODUCTS_AT_ONCE) {
        size_t n = a->columns - p < PRODUCTS_AT_ONCE ? a->columns - p : PRODUCTS_AT_ONCE;
        for (size_t i = 0; i < count; i++) {
            add_products(job, room + i * job->longest, p, n, &exact[i]);
        }
    }
}

static void
judge(void *context, size_t worker, size_t begin, size_t end)
{
    panel_job *job = context;
    const gp_matrix *c = &job->product->c;
    double *room = job->room + worker * ROWS_AT_ONCE * job->longest;
    panels exact[ROWS_AT_ONCE];
    for (size_t first = begin; first < end; first += ROWS_AT_ONCE) {
        size_t count = end - first < ROWS_AT_ONCE ? end - first : ROWS_AT_ONCE;
        multiply_rows(job, first, count, room, exact);
        for (size_t i = 0; i < count; i++) {
            gp_matrix_row(c, first + i, room);
            panels got = sum_row(job, room);
            double fraction = fraction_of(job->product, &exact[i], &got);
            job->rows->wrong[first + i] = fraction > 1.0;
            job->worst[worker] = fmax(job->worst[worker], fraction);
        }
    }
}

gp_status
gp_judge_rows_bound(const gp_product *product, uint64_t seed, gp_row_judgement *rows)
{
    size_t workers = gp_parallel_workers();
    panel_job job = {.product = product, .rows = rows};
    *rows = (gp_row_judgement){
        .wrong = gp_alloc(product->c.rows + 1, sizeof(*rows->wrong)),
    };
    bool has_room = panel_job_make(&job, seed, workers) && rows->wrong != NULL;
    if (has_room) {
        gp_parallel(product->b.rows, workers, sum_b, &job);
        gp_parallel(product->c.rows, workers, judge, &job);
    }
    for (size_t i = 0; i < workers; i++) {
        rows->fraction = fmax(rows->fraction, job.worst[i]);
    }
    panel_job_free(&job);
    return has_room ? gp_ok() : gp_fail(GP_NO_MEMORY, 0, "gp_prove_matmul");
}
