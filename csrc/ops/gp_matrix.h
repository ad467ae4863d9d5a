/* A matrix in the caller's memory, as NumPy describes one: any strides, negative and zero too. Its
 * rows may run along several axes of an array, and so may its columns: what a convolution reads of
 * an image is such a matrix, and no copy of it is made. */
#ifndef GP_MATRIX_H
#define GP_MATRIX_H

#include "base/gp_tensor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GP_MAX_OUTER = 3 };

/* The axes that one direction runs along besides its fastest one, the slowest first. */
typedef struct gp_outer_axes {
    int ndim;     /* 0 in an ordinary matrix, which needs nothing else of this */
    size_t inner; /* lines along the fastest axis */
    size_t shape[GP_MAX_OUTER];
    ptrdiff_t strides[GP_MAX_OUTER]; /* bytes */
} gp_outer_axes;

typedef struct gp_matrix {
    const void *data;
    gp_dtype dtype;
    size_t rows;
    size_t columns;
    ptrdiff_t row_stride;    /* bytes from one row to the next, along the fastest axis */
    ptrdiff_t column_stride; /* bytes from one element of a row to the next, likewise */
    gp_outer_axes outer_rows;
    gp_outer_axes outer_columns;
} gp_matrix;

/* What has to be known of numbers before they are judged. */
typedef struct gp_survey {
    bool is_whole;    /* all are finite, and whole numbers */
    double magnitude; /* the greatest; without meaning where is_whole is false */
} gp_survey;

/* An ordinary matrix. */
gp_matrix gp_matrix_of(const void *data, gp_dtype dtype, size_t rows, size_t columns,
                       ptrdiff_t row_stride, ptrdiff_t column_stride);

/* The matrix whose rows run along the first `split` axes of an array, and whose columns run along
 * all others. False: one of the two has more than GP_MAX_OUTER + 1 axes that cannot be taken
 * together. */
bool gp_matrix_of_tensor(const gp_tensor *tensor, int split, gp_matrix *matrix);

gp_matrix gp_matrix_transposed(gp_matrix matrix);

double gp_matrix_at(const gp_matrix *matrix, size_t row, size_t column);
uint64_t gp_matrix_bits_at(const gp_matrix *matrix, size_t row, size_t column);

/* Where the elements of one row lie, if one directly after the other; else NULL. */
const void *gp_matrix_compact_row(const gp_matrix *matrix, size_t row);

/* Writes `n` elements of one row, from `column` on. */
void gp_matrix_part(const gp_matrix *matrix, size_t row, size_t column, size_t n, double *out);

/* Writes the elements of one row, `columns` of them. */
void gp_matrix_row(const gp_matrix *matrix, size_t row, double *out);

gp_survey gp_survey_of(const double *numbers, size_t n);

/* The first element of one row that is NaN or infinite; `columns` where all are finite. `room` is
 * for as many numbers. */
size_t gp_matrix_find_not_finite(const gp_matrix *matrix, size_t row, double *room);

#endif
