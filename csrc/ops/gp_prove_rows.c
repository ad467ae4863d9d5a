#include "gp_prove_rows.h"

#include "base/gp_alloc.h"
#include "gp_field61.h"
#include "kernels/gp_formulas.h"

#include <math.h>

/* Columns are judged in panels, so that one wrong element is not lost in the rounding of thousands
 * of right ones; more panels would cost more than a twentieth of the product itself. */
enum { PANELS = 8, PANEL_COLUMNS = 128 };

gp_product
gp_product_transposed(const gp_product *product)
{
    return (gp_product){gp_matrix_transposed(product->b), gp_matrix_transposed(product->a),
                        gp_matrix_transposed(product->c), product->arithmetic};
}

void
gp_row_judgement_free(gp_row_judgement *rows)
{
    gp_free(rows->wrong);
    gp_free(rows->expected);
    gp_free(rows->got);
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

/* -- exact --------------------------------------------------------------------------------- */

typedef struct exact_room {
    uint64_t *x; /* n random residues */
    uint64_t *y; /* B x, k residues */
    int64_t *whole;
    double *row;
} exact_room;

static bool
exact_room_make(const gp_product *product, exact_room *room)
{
    size_t k = product->a.columns;
    size_t n = product->b.columns;
    size_t longest = at_least_one(k > n ? k : n);
    room->x = gp_alloc(at_least_one(n), sizeof(*room->x));
    room->y = gp_alloc(at_least_one(k), sizeof(*room->y));
    room->whole = gp_alloc(longest, sizeof(*room->whole));
    room->row = gp_alloc(longest, sizeof(*room->row));
    return room->x != NULL && room->y != NULL && room->whole != NULL && room->row != NULL;
}

static void
exact_room_free(exact_room *room)
{
    gp_free(room->x);
    gp_free(room->y);
    gp_free(room->whole);
    gp_free(room->row);
}

/* A row of C need not be whole: then it is wrong, and has no residue. */
static bool
read_result(const gp_matrix *c, size_t row, exact_room *room)
{
    gp_matrix_row(c, row, room->row);
    bool is_whole = true;
    for (size_t j = 0; j < c->columns; j++) {
        bool fits = fabs(room->row[j]) <= (double)GP_FIELD61_MAX_TERM;
        room->whole[j] = fits ? (int64_t)room->row[j] : 0;
        is_whole = is_whole && fits && (double)room->whole[j] == room->row[j];
    }
    return is_whole;
}

static void
judge_exact(const gp_product *product, uint64_t seed, exact_room *room, gp_row_judgement *rows)
{
    const gp_matrix *b = &product->b;
    gp_field61_random(room->x, b->columns, seed);
    for (size_t p = 0; p < b->rows; p++) {
        gp_matrix_row_whole(b, p, room->whole);
        room->y[p] = gp_field61_dot(room->whole, room->x, b->columns);
    }
    for (size_t i = 0; i < product->c.rows; i++) {
        gp_matrix_row_whole(&product->a, i, room->whole);
        rows->expected[i] = gp_field61_dot(room->whole, room->y, product->a.columns);
        bool is_whole = read_result(&product->c, i, room);
        rows->got[i] = gp_field61_dot(room->whole, room->x, product->c.columns);
        rows->wrong[i] = !is_whole || rows->got[i] != rows->expected[i];
    }
}

gp_status
gp_judge_rows_exact(const gp_product *product, uint64_t seed, gp_row_judgement *rows)
{
    size_t m = at_least_one(product->c.rows);
    exact_room room = {NULL, NULL, NULL, NULL};
    *rows = (gp_row_judgement){
        .wrong = gp_alloc(m, sizeof(*rows->wrong)),
        .expected = gp_alloc(m, sizeof(*rows->expected)),
        .got = gp_alloc(m, sizeof(*rows->got)),
    };
    bool has_room = exact_room_make(product, &room) && rows->wrong != NULL &&
                    rows->expected != NULL && rows->got != NULL;
    if (has_room) { judge_exact(product, seed, &room, rows); }
    exact_room_free(&room);
    return has_room ? gp_ok() : no_memory();
}

/* -- within a bound ------------------------------------------------------------------------ */

/* One number for each panel. */
typedef struct panel_sums {
    double at[PANELS];
} panel_sums;

typedef struct bound_room {
    panel_sums *u; /* for each row of B: the sum of its elements by panel, with random signs */
    panel_sums *v; /* and of their magnitudes */
    double *row;
} bound_room;

static bool
bound_room_make(const gp_product *product, bound_room *room)
{
    size_t k = product->a.columns;
    size_t n = product->b.columns;
    room->u = gp_alloc(at_least_one(k), sizeof(*room->u));
    room->v = gp_alloc(at_least_one(k), sizeof(*room->v));
    room->row = gp_alloc(at_least_one(k > n ? k : n), sizeof(*room->row));
    return room->u != NULL && room->v != NULL && room->row != NULL;
}

static void
bound_room_free(bound_room *room)
{
    gp_free(room->u);
    gp_free(room->v);
    gp_free(room->row);
}

static size_t
panel_width(size_t n)
{
    size_t width = (n + PANELS - 1) / PANELS;
    return width < PANEL_COLUMNS ? PANEL_COLUMNS : width;
}

/* Adds up a row by panel. The signs come 64 at a time out of one random word. */
static void
sum_panels(const double *row, size_t n, uint64_t seed, panel_sums *sums, panel_sums *magnitudes)
{
    size_t width = panel_width(n);
    uint64_t signs = 0;
    *sums = *magnitudes = (panel_sums){{0.0}};
    for (size_t panel = 0, j = 0; j < n; panel++) {
        size_t end = n - j < width ? n : j + width;
        double sum = 0.0;
        double magnitude = 0.0;
        for (; j < end; j++) {
            signs = j % 64 == 0 ? gp_random_u64(seed, j / 64) : signs >> 1;
            sum += (signs & 1) != 0 ? row[j] : -row[j];
            magnitude += fabs(row[j]);
        }
        sums->at[panel] = sum;
        magnitudes->at[panel] = magnitude;
    }
}

/* Our own sums are rounded, too, to double: 2^-53 for each step of the longest way through them.
 * They are added to what is allowed, so that a right product of float64 passes. */
double
gp_allowed_error(const gp_product *product, double magnitudes, double results, size_t count)
{
    const gp_arithmetic *arithmetic = product->arithmetic;
    size_t k = product->a.columns;
    gp_dtype output = product->c.dtype;
    double own = (double)(k + 2 * count) * 0x1p-53;
    double stored = 0.0;
    if (gp_dtype_digits(output) < arithmetic->accumulator_digits) {
        double unit = ldexp(1.0, -gp_dtype_digits(output));
        stored = results * unit / (1.0 - unit);
    }
    double underflow = (double)count * ((double)(k + 1) * ldexp(1.0, arithmetic->tiny_exponent) +
                                        gp_dtype_tiny(output));
    return (gp_arithmetic_limit(arithmetic, k) + own) * magnitudes + stored + underflow;
}

/* The residual of a row as a part of what is allowed, over its worst panel. */
static double
row_fraction(const gp_product *product, size_t i, uint64_t seed, bound_room *room)
{
    size_t n = product->b.columns;
    panel_sums exact = {{0.0}};
    panel_sums magnitudes = {{0.0}};
    gp_matrix_row(&product->a, i, room->row);
    for (size_t p = 0; p < product->a.columns; p++) {
        double value = room->row[p];
        double magnitude = fabs(value);
        for (size_t panel = 0; panel < PANELS; panel++) {
            exact.at[panel] += value * room->u[p].at[panel];
            magnitudes.at[panel] += magnitude * room->v[p].at[panel];
        }
    }
    panel_sums got;
    panel_sums results;
    gp_matrix_row(&product->c, i, room->row);
    sum_panels(room->row, n, seed, &got, &results);
    double worst = 0.0;
    for (size_t panel = 0; panel < PANELS; panel++) {
        double allowed =
            gp_allowed_error(product, magnitudes.at[panel], results.at[panel], panel_width(n));
        double fraction = fabs(got.at[panel] - exact.at[panel]) / allowed;
        /* An overflow in our own sums, which is no number, must not pass either. */
        if (!(fraction <= worst)) { worst = isnan(fraction) ? HUGE_VAL : fraction; }
    }
    return worst;
}

static void
judge_bound(const gp_product *product, uint64_t seed, bound_room *room, gp_row_judgement *rows)
{
    const gp_matrix *b = &product->b;
    for (size_t p = 0; p < b->rows; p++) {
        gp_matrix_row(b, p, room->row);
        sum_panels(room->row, b->columns, seed, &room->u[p], &room->v[p]);
    }
    for (size_t i = 0; i < product->c.rows; i++) {
        double fraction = row_fraction(product, i, seed, room);
        rows->wrong[i] = fraction > 1.0;
        if (fraction > rows->fraction) { rows->fraction = fraction; }
    }
}

gp_status
gp_judge_rows_bound(const gp_product *product, uint64_t seed, gp_row_judgement *rows)
{
    bound_room room = {NULL, NULL, NULL};
    *rows = (gp_row_judgement){
        .wrong = gp_alloc(at_least_one(product->c.rows), sizeof(*rows->wrong)),
    };
    bool has_room = bound_room_make(product, &room) && rows->wrong != NULL;
    if (has_room) { judge_bound(product, seed, &room, rows); }
    bound_room_free(&room);
    return has_room ? gp_ok() : no_memory();
}
