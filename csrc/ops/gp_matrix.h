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

/* What has to be known of numbers before they are judged. */
typedef struct gp_survey {
    bool is_finite;
    bool is_whole;    /* all are whole numbers below 2^52 in magnitude */
    double magnitude; /* the greatest; without meaning where is_finite is false */
} gp_survey;

gp_matrix gp_matrix_transposed(gp_matrix matrix);

double gp_matrix_at(const gp_matrix *matrix, size_t row, size_t column);
uint64_t gp_matrix_bits_at(const gp_matrix *matrix, size_t row, size_t column);

/* Writes the elements of one row, `columns` of them. */
void gp_matrix_row(const gp_matrix *matrix, size_t row, double *out);

gp_survey gp_survey_of(const double *numbers, size_t n);

/* The first element, by rows, that is NaN or infinite; false where all are finite. `row` is room
 * for `columns` numbers. */
bool gp_matrix_find_not_finite(const gp_matrix *matrix, double *row, size_t *bad_row,
                               size_t *bad_column);

#endif
