/* A matrix in the caller's memory, as NumPy describes one: any strides, negative and zero too. */
#ifndef GP_MATRIX_H
#define GP_MATRIX_H

#include "base/gp_dtype.h"

#include <stddef.h>
#include <stdint.h>

typedef struct gp_matrix {
    const void *data;
    gp_dtype dtype;
    size_t rows;
    size_t columns;
    ptrdiff_t row_stride;    /* bytes from one row to the next */
    ptrdiff_t column_stride; /* bytes from one element of a row to the next */
} gp_matrix;

/* What has to be known of a matrix before its values are judged. */
typedef struct gp_matrix_survey {
    bool is_finite;
    size_t bad_row; /* the first element that is no finite number; set where is_finite is false */
    size_t bad_column;
    bool is_whole;    /* all elements are whole numbers */
    double magnitude; /* the greatest |element|, over the finite ones */
} gp_matrix_survey;

gp_matrix gp_matrix_transposed(gp_matrix matrix);

double gp_matrix_at(const gp_matrix *matrix, size_t row, size_t column);
uint64_t gp_matrix_bits_at(const gp_matrix *matrix, size_t row, size_t column);

/* Writes the elements of one row, `columns` of them. */
void gp_matrix_row(const gp_matrix *matrix, size_t row, double *out);

/* The same for a matrix of whole numbers below 2^63. */
void gp_matrix_row_whole(const gp_matrix *matrix, size_t row, int64_t *out);

/* Reads all of it once. `row` is room for `columns` elements. */
gp_matrix_survey gp_matrix_look(const gp_matrix *matrix, double *row);

#endif
