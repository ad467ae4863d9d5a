#include "gp_matrix.h"

#include <math.h>
#include <string.h>

gp_matrix
gp_matrix_of(const void *data, gp_dtype dtype, size_t rows, size_t columns, ptrdiff_t row_stride,
             ptrdiff_t column_stride)
{
    return (gp_matrix){.data = data,
                       .dtype = dtype,
                       .rows = rows,
                       .columns = columns,
                       .row_stride = row_stride,
                       .column_stride = column_stride};
}

gp_matrix
gp_matrix_transposed(gp_matrix matrix)
{
    gp_matrix transposed = gp_matrix_of(matrix.data, matrix.dtype, matrix.columns, matrix.rows,
                                        matrix.column_stride, matrix.row_stride);
    transposed.outer_rows = matrix.outer_columns;
    transposed.outer_columns = matrix.outer_rows;
    return transposed;
}

/* Bytes from the first line of a direction to another one. */
static ptrdiff_t
offset_of(size_t line, ptrdiff_t stride, const gp_outer_axes *outer)
{
    if (outer->ndim == 0) { return (ptrdiff_t)line * stride; }
    ptrdiff_t offset = (ptrdiff_t)(line % outer->inner) * stride;
    line /= outer->inner;
    for (int i = outer->ndim - 1; i >= 0; i--) {
        offset += (ptrdiff_t)(line % outer->shape[i]) * outer->strides[i];
        line /= outer->shape[i];
    }
    return offset;
}

static const unsigned char *
place(const gp_matrix *matrix, size_t row, size_t column)
{
    return (const unsigned char *)matrix->data +
           offset_of(row, matrix->row_stride, &matrix->outer_rows) +
           offset_of(column, matrix->column_stride, &matrix->outer_columns);
}

double
gp_matrix_at(const gp_matrix *matrix, size_t row, size_t column)
{
    return gp_dtype_load(matrix->dtype, place(matrix, row, column));
}

uint64_t
gp_matrix_bits_at(const gp_matrix *matrix, size_t row, size_t column)
{
    return gp_dtype_bits(matrix->dtype, place(matrix, row, column));
}

const void *
gp_matrix_compact_row(const gp_matrix *matrix, size_t row)
{
    bool has_gaps = matrix->column_stride != (ptrdiff_t)gp_dtype_size(matrix->dtype);
    return has_gaps || matrix->outer_columns.ndim != 0 ? NULL : place(matrix, row, 0);
}

/* By memcpy, as NumPy's arrays need not be aligned. */
static void
widen_floats(const unsigned char *at, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        float value;
        memcpy(&value, at + i * sizeof(value), sizeof(value));
        out[i] = (double)value;
    }
}

/* Elements at even distances. */
static void
widen(const unsigned char *at, gp_dtype dtype, ptrdiff_t stride, size_t n, double *out)
{
    bool is_compact = stride == (ptrdiff_t)gp_dtype_size(dtype);
    if (is_compact && dtype == GP_FLOAT32) { widen_floats(at, n, out); }
    else if (is_compact && dtype == GP_FLOAT64) {
        memcpy(out, at, n * sizeof(*out));
    }
    else {
        for (size_t i = 0; i < n; i++) {
            out[i] = gp_dtype_load(dtype, at + (ptrdiff_t)i * stride);
        }
    }
}

void
gp_matrix_part(const gp_matrix *matrix, size_t row, size_t column, size_t n, double *out)
{
    size_t run = matrix->outer_columns.ndim == 0 ? matrix->columns : matrix->outer_columns.inner;
    for (size_t done = 0, count = 0; done < n; done += count) {
        size_t left = run - (column + done) % run;
        count = n - done < left ? n - done : left;
        widen(place(matrix, row, column + done), matrix->dtype, matrix->column_stride, count,
              out + done);
    }
}

void
gp_matrix_row(const gp_matrix *matrix, size_t row, double *out)
{
    gp_matrix_part(matrix, row, 0, matrix->columns, out);
}

/* A survey in lanes that do not wait for each other, of sums and maxima only, so that a compiler
 * makes it wide; fewer lanes than these gcc unrolls into single numbers. */
enum { LANES = 32 };

typedef struct lanes {
    double magnitude[LANES];
    double off[LANES]; /* how far the numbers are from whole ones; NaN by one that is not finite */
} lanes;

/* Adding and taking away 2^52 rounds to a whole number, to the same one up to 2^52. */
static void
look_at(double value, int lane, lanes *seen)
{
    double magnitude = fabs(value);
    double greatest = seen->magnitude[lane];
    seen->magnitude[lane] = magnitude > greatest ? magnitude : greatest;
    seen->off[lane] += fabs(magnitude + 0x1p52 - 0x1p52 - magnitude);
}

static bool
are_whole(const double *numbers, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        if (!isfinite(numbers[j]) || floor(numbers[j]) != numbers[j]) { return false; }
    }
    return true;
}

gp_survey
gp_survey_of(const double *numbers, size_t n)
{
    lanes seen = {{0.0}, {0.0}};
    gp_survey survey = {true, 0.0};
    size_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            look_at(numbers[j + (size_t)lane], lane, &seen);
        }
    }
    for (; j < n; j++) {
        look_at(numbers[j], 0, &seen);
    }
    for (int lane = 0; lane < LANES; lane++) {
        survey.is_whole = survey.is_whole && seen.off[lane] == 0.0;
        survey.magnitude = fmax(survey.magnitude, seen.magnitude[lane]);
    }
    /* Greater ones are all whole, and may have been rounded to another one. */
    if (!survey.is_whole && survey.magnitude > 0x1p52) { survey.is_whole = are_whole(numbers, n); }
    return survey;
}

size_t
gp_matrix_find_not_finite(const gp_matrix *matrix, size_t row, double *room)
{
    size_t column = 0;
    gp_matrix_row(matrix, row, room);
    while (column < matrix->columns && isfinite(room[column])) {
        column++;
    }
    return column;
}
