#include "gp_matrix.h"

#include <math.h>
#include <string.h>

gp_matrix
gp_matrix_transposed(gp_matrix matrix)
{
    return (gp_matrix){matrix.data, matrix.dtype,         matrix.columns,
                       matrix.rows, matrix.column_stride, matrix.row_stride};
}

static const unsigned char *
place(const gp_matrix *matrix, size_t row, size_t column)
{
    return (const unsigned char *)matrix->data + (ptrdiff_t)row * matrix->row_stride +
           (ptrdiff_t)column * matrix->column_stride;
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

/* Where the elements of a row stand side by side, as they mostly do, a compiler can convert several
 * at a time, if they are at a place of their own: NumPy's arrays need not be aligned. */
enum { BLOCK = 512 };

static bool
is_compact(const gp_matrix *matrix)
{
    return matrix->column_stride == (ptrdiff_t)gp_dtype_size(matrix->dtype);
}

static size_t
block_at(size_t start, size_t n)
{
    return n - start < BLOCK ? n - start : BLOCK;
}

static void
widen_floats(const unsigned char *at, size_t n, double *out)
{
    float block[BLOCK];
    for (size_t start = 0; start < n; start += BLOCK) {
        size_t count = block_at(start, n);
        memcpy(block, at + start * sizeof(float), count * sizeof(float));
        for (size_t i = 0; i < count; i++) {
            out[start + i] = (double)block[i];
        }
    }
}

void
gp_matrix_row(const gp_matrix *matrix, size_t row, double *out)
{
    const unsigned char *at = place(matrix, row, 0);
    if (is_compact(matrix) && matrix->dtype == GP_FLOAT32) {
        widen_floats(at, matrix->columns, out);
    }
    else if (is_compact(matrix) && matrix->dtype == GP_FLOAT64) {
        memcpy(out, at, matrix->columns * sizeof(*out));
    }
    else {
        for (size_t i = 0; i < matrix->columns; i++, at += matrix->column_stride) {
            out[i] = gp_dtype_load(matrix->dtype, at);
        }
    }
}

/* A survey in lanes that do not wait for each other, of sums and maxima only, so that a compiler
 * makes it wide. */
enum { LANES = 4 };

typedef struct lanes {
    double magnitude[LANES];
    double poison[LANES]; /* 0 times each number: NaN as soon as one is not finite */
    double off[LANES];    /* how far the numbers are from whole ones */
} lanes;

/* Adding and taking away 2^52 rounds to a whole number. */
static void
look_at(double value, int lane, lanes *seen)
{
    double magnitude = fabs(value);
    double greatest = seen->magnitude[lane];
    seen->magnitude[lane] = magnitude > greatest ? magnitude : greatest;
    seen->poison[lane] += 0.0 * value;
    seen->off[lane] += fabs(magnitude + 0x1p52 - 0x1p52 - magnitude);
}

gp_survey
gp_survey_of(const double *numbers, size_t n)
{
    lanes seen = {{0.0}, {0.0}, {0.0}};
    gp_survey survey = {true, true, 0.0};
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
        survey.is_finite = survey.is_finite && !isnan(seen.poison[lane]);
        survey.is_whole = survey.is_whole && seen.off[lane] == 0.0;
        survey.magnitude = fmax(survey.magnitude, seen.magnitude[lane]);
    }
    return survey;
}

bool
gp_matrix_find_not_finite(const gp_matrix *matrix, double *row, size_t *bad_row, size_t *bad_column)
{
    for (size_t i = 0; i < matrix->rows; i++) {
        gp_matrix_row(matrix, i, row);
        for (size_t j = 0; j < matrix->columns; j++) {
            if (isfinite(row[j])) { continue; }
            *bad_row = i;
            *bad_column = j;
            return true;
        }
    }
    return false;
}
