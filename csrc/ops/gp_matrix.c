#include "gp_matrix.h"

#include <float.h>
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

/* The wide types are read by loops of their own, because most time of a proof is spent there. */
void
gp_matrix_row(const gp_matrix *matrix, size_t row, double *out)
{
    const unsigned char *at = place(matrix, row, 0);
    size_t n = matrix->columns;
    if (matrix->dtype == GP_FLOAT32) {
        for (size_t i = 0; i < n; i++, at += matrix->column_stride) {
            float value;
            memcpy(&value, at, sizeof(value));
            out[i] = (double)value;
        }
    }
    else if (matrix->dtype == GP_FLOAT64) {
        for (size_t i = 0; i < n; i++, at += matrix->column_stride) {
            memcpy(&out[i], at, sizeof(out[i]));
        }
    }
    else {
        for (size_t i = 0; i < n; i++, at += matrix->column_stride) {
            out[i] = gp_dtype_load(matrix->dtype, at);
        }
    }
}

void
gp_matrix_row_whole(const gp_matrix *matrix, size_t row, int64_t *out)
{
    const unsigned char *at = place(matrix, row, 0);
    size_t n = matrix->columns;
    if (matrix->dtype == GP_FLOAT32) {
        for (size_t i = 0; i < n; i++, at += matrix->column_stride) {
            float value;
            memcpy(&value, at, sizeof(value));
            out[i] = (int64_t)value;
        }
    }
    else {
        for (size_t i = 0; i < n; i++, at += matrix->column_stride) {
            out[i] = (int64_t)gp_dtype_load(matrix->dtype, at);
        }
    }
}

gp_matrix_survey
gp_matrix_look(const gp_matrix *matrix, double *row)
{
    gp_matrix_survey survey = {.is_finite = true, .is_whole = true, .magnitude = 0.0};
    for (size_t i = 0; i < matrix->rows; i++) {
        gp_matrix_row(matrix, i, row);
        for (size_t j = 0; j < matrix->columns; j++) {
            double magnitude = fabs(row[j]);
            if (!(magnitude <= DBL_MAX)) {
                if (survey.is_finite) {
                    survey.bad_row = i;
                    survey.bad_column = j;
                }
                survey.is_finite = false;
                continue;
            }
            if (magnitude > survey.magnitude) { survey.magnitude = magnitude; }
            survey.is_whole =
                survey.is_whole && (magnitude >= 0x1p53 || magnitude == (double)(int64_t)magnitude);
        }
    }
    return survey;
}
