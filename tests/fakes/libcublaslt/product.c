#include "product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
rows_of(const product_matrix *matrix, bool is_transposed)
{
    return is_transposed ? matrix->columns : matrix->rows;
}

static uint64_t
columns_of(const product_matrix *matrix, bool is_transposed)
{
    return rows_of(matrix, !is_transposed);
}

static bool
has_room(const product_matrix *matrix)
{
    const uint64_t line = matrix->is_by_rows ? matrix->columns : matrix->rows;
    return matrix->ld > 0 && (uint64_t)matrix->ld >= line;
}

bool
product_fits(const product *asked)
{
    const product_matrix *first = &asked->first, *second = &asked->second;
    const product_matrix *result = &asked->result;
    return has_room(first) && has_room(second) && has_room(result) && asked->batch > 0 &&
           rows_of(first, asked->is_first_transposed) == result->rows &&
           columns_of(second, asked->is_second_transposed) == result->columns &&
           columns_of(first, asked->is_first_transposed) ==
               rows_of(second, asked->is_second_transposed);
}

static int64_t
place_of(const product_matrix *matrix, uint64_t row, uint64_t column)
{
    return matrix->is_by_rows ? (int64_t)row * matrix->ld + (int64_t)column
                              : (int64_t)column * matrix->ld + (int64_t)row;
}

size_t
product_extent(const product_matrix *matrix, int32_t batch)
{
    if (matrix->rows == 0 || matrix->columns == 0) { return 0; }
    const int64_t last = place_of(matrix, matrix->rows - 1, matrix->columns - 1);
    return (size_t)(last + (batch - 1) * matrix->step + 1) * gp_dtype_size(matrix->dtype);
}

static char *
element_at(const product_matrix *matrix, int32_t index, uint64_t row, uint64_t column)
{
    const int64_t place = index * matrix->step + place_of(matrix, row, column);
    return (char *)matrix->data + place * (int64_t)gp_dtype_size(matrix->dtype);
}

/* To nearest, ties away from 0, as the tensor cores' own conversion does it. */
static double
to_tf32(double value)
{
    float single = (float)value;
    uint32_t bits = 0;
    if (!isfinite(single)) { return value; }
    memcpy(&bits, &single, sizeof bits);
    bits = (bits + 0x1000u) & ~0x1FFFu;
    memcpy(&single, &bits, sizeof single);
    return (double)single;
}

/* The matrix op(m) number `index` of the batch, each line of the sums without a gap: `lines` of
 * `terms` numbers. */
static double *
unpack(const product_matrix *matrix, int32_t index, bool lines_are_rows, uint64_t lines,
       uint64_t terms, product_sum sum)
{
    double *numbers = calloc(lines * terms + 1, sizeof *numbers);
    for (uint64_t i = 0; numbers != NULL && i < lines * terms; i++) {
        const uint64_t line = i / terms, term = i % terms;
        const char *element = lines_are_rows ? element_at(matrix, index, line, term)
                                             : element_at(matrix, index, term, line);
        const double value = gp_dtype_load(matrix->dtype, element);
        numbers[i] = sum == PRODUCT_TF32 ? to_tf32(value) : value;
    }
    return numbers;
}

static double
sum_of(product_sum kind, const double *first, const double *second, uint64_t terms)
{
    double wide = 0.0;
    float single = 0.0F;
    uint32_t whole = 0;
    for (uint64_t i = terms; i > 0; i--) {
        const double x = first[i - 1], y = second[i - 1];
        switch (kind) {
        case PRODUCT_FLOAT64: wide = fma(x, y, wide); break;
        case PRODUCT_INT32: whole += (uint32_t)((int32_t)x * (int32_t)y); break;
        default: single = fmaf((float)x, (float)y, single); break;
        }
    }
    if (kind == PRODUCT_FLOAT64) { return wide; }
    return kind == PRODUCT_INT32 ? (double)(int32_t)whole : (double)single;
}

static bool
compute_one(const product *asked, int32_t index)
{
    const product_matrix *result = &asked->result;
    const uint64_t terms = columns_of(&asked->first, asked->is_first_transposed);
    double *first =
        unpack(&asked->first, index, !asked->is_first_transposed, result->rows, terms, asked->sum);
    double *second = unpack(&asked->second, index, asked->is_second_transposed, result->columns,
                            terms, asked->sum);
    const bool has_memory = first != NULL && second != NULL;
    for (uint64_t i = 0; has_memory && i < result->rows; i++) {
        for (uint64_t j = 0; j < result->columns; j++) {
            const double sum = sum_of(asked->sum, first + i * terms, second + j * terms, terms);
            gp_dtype_store(result->dtype, sum, element_at(result, index, i, j));
        }
    }
    free(first);
    free(second);
    return has_memory;
}

bool
product_compute(const product *asked)
{
    bool is_done = true;
    for (int32_t i = 0; is_done && i < asked->batch; i++) {
        is_done = compute_one(asked, i);
    }
    return is_done;
}
