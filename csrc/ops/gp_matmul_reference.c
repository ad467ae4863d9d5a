#include "gp_matmul_reference.h"

#include "base/gp_alloc.h"
#include "gp_accumulator.h"

#include <string.h>

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

gp_status
gp_matmul_reference(const gp_matrix *a, const gp_matrix *b, const gp_arithmetic *arithmetic,
                    gp_dtype dtype, void *out)
{
    size_t n = b->columns;
    gp_accumulator kind = gp_accumulator_of(arithmetic);
    double *room = gp_alloc(a->columns + 2 * n + 1, sizeof(*room));
    if (room == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_matmul_reference"); }
    double *a_row = room;
    double *b_row = room + a->columns;
    double *sums = b_row + n;
    unsigned char *element = out;
    for (size_t i = 0; i < a->rows; i++) {
        read_row(a, i, arithmetic, a_row);
        memset(sums, 0, n * sizeof(*sums));
        for (size_t p = 0; p < a->columns; p++) {
            read_row(b, p, arithmetic, b_row);
            add_products(kind, a_row[p], b_row, n, sums);
        }
        for (size_t j = 0; j < n; j++, element += gp_dtype_size(dtype)) {
            gp_dtype_store(dtype, sums[j], element);
        }
    }
    gp_free(room);
    return gp_ok();
}
