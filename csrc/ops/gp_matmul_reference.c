#include "gp_matmul_reference.h"

#include "base/gp_alloc.h"
#include "gp_accumulator.h"
#include "platform/gp_float_env.h"

#include <string.h>

/* Rows of the result that are made together: reading a row of b, and rounding it, costs more than
 * multiplying by it. */
enum { ROWS_AT_ONCE = 8 };

/* Of one row, between two looks at the watch. */
#define STEPS_AT_ONCE ((size_t)1 << 14)

/* A row as the arithmetic takes it. */
static void
read_row(const gp_matrix *matrix, size_t row, const gp_arithmetic *arithmetic, double *out)
{
    gp_matrix_row(matrix, row, out);
    if (arithmetic->input_digits == 0) { return; }
    for (size_t j = 0; j < matrix->columns; j++) {
        out[j] = gp_round_input(arithmetic, out[j]);
    }
}

/* All sums of one row of the result advance together, so that b is read by rows. */
static void
add_products(gp_accumulator kind, double a, const double *b, size_t n, double *sums)
{
    for (size_t j = 0; j < n; j++) {
        sums[j] = gp_accumulate(kind, sums[j], a, b[j]);
    }
}

/* Room for some rows of a, as many of sums, and one of b. */
typedef struct scratch {
    double *a;
    double *sums;
    double *b;
} scratch;

/* The sums of `count` rows from `first` on. */
static void
sum_rows(const gp_matrix *a, const gp_matrix *b, const gp_arithmetic *arithmetic, size_t first,
         size_t count, scratch room, const gp_watch *watch)
{
    gp_accumulator kind = gp_accumulator_of(arithmetic);
    size_t k = a->columns;
    size_t n = b->columns;
    for (size_t i = 0; i < count; i++) {
        read_row(a, first + i, arithmetic, room.a + i * k);
    }
    memset(room.sums, 0, count * n * sizeof(*room.sums));
    size_t at_once = STEPS_AT_ONCE / (n + 1) + 1;
    for (size_t p = 0; p < k; p++) {
        if (p % at_once == 0 && gp_is_over(watch)) { return; }
        read_row(b, p, arithmetic, room.b);
        for (size_t i = 0; i < count; i++) {
            add_products(kind, room.a[i * k + p], room.b, n, room.sums + i * n);
        }
    }
}

gp_status
gp_matmul_reference(const gp_matrix *a, const gp_matrix *b, const gp_arithmetic *arithmetic,
                    gp_dtype dtype, void *out, const gp_watch *watch)
{
    size_t k = a->columns;
    size_t n = b->columns;
    size_t at_once = a->rows < ROWS_AT_ONCE ? a->rows : ROWS_AT_ONCE;
    unsigned char *element = out;
    double *all = gp_alloc(k + n + 1, (at_once + 1) * sizeof(*all));
    if (all == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_matmul_reference"); }
    scratch room = {all, all + at_once * k, all + at_once * (k + n)};
    gp_float_env callers;
    gp_float_env_begin(&callers);
    for (size_t i = 0; i < a->rows && !gp_is_over(watch); i += at_once) {
        size_t count = a->rows - i < at_once ? a->rows - i : at_once;
        sum_rows(a, b, arithmetic, i, count, room, watch);
        for (size_t j = 0; j < count * n; j++, element += gp_dtype_size(dtype)) {
            gp_dtype_store(dtype, room.sums[j], element);
        }
    }
    gp_float_env_end(&callers);
    gp_free(all);
    return gp_ok();
}
