#include "gp_cublas_operand.h"

#include "abi/gp_abi_cublaslt.h"

#include <stdbool.h>

gp_status
gp_cublas_operand_of(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride,
                     gp_dtype dtype, gp_cublas_operand *operand)
{
    int64_t size = (int64_t)gp_dtype_size(dtype);
    *operand = (gp_cublas_operand){rows, columns, row_stride / size, column_stride / size};
    if ((rows > 1 && row_stride % size != 0) || (columns > 1 && column_stride % size != 0)) {
        return gp_fail(GP_UNSUPPORTED, 0, "cuBLAS takes no strides of parts of elements");
    }
    return gp_ok();
}

/* Whether `fast` is the way along a stored column, and `slow` from one to the next. */
static bool
lies_by(int64_t fast, int64_t fast_stride, int64_t slow, int64_t slow_stride, int64_t *ld)
{
    if (fast > 1 && fast_stride != 1) { return false; }
    *ld = slow > 1 ? slow_stride : fast;
    return *ld >= fast;
}

static bool
is_plain(const gp_cublas_operand *operand, gp_cublas_place *place)
{
    place->operation = GP_CUBLAS_OP_N;
    return lies_by(operand->rows, operand->row_stride, operand->columns, operand->column_stride,
                   &place->ld);
}

static bool
is_transposed(const gp_cublas_operand *operand, gp_cublas_place *place)
{
    place->operation = GP_CUBLAS_OP_T;
    return lies_by(operand->columns, operand->column_stride, operand->rows, operand->row_stride,
                   &place->ld);
}

/* What keeps a matrix from lying in either way. */
static gp_status
refuse(const gp_cublas_operand *operand)
{
    int64_t by_rows = operand->rows > 1 ? operand->row_stride : 1;
    int64_t by_columns = operand->columns > 1 ? operand->column_stride : 1;
    if (by_rows < 0 || by_columns < 0) {
        return gp_fail(GP_UNSUPPORTED, 0, "cuBLAS takes no negative strides");
    }
    if (by_rows > 1 && by_columns > 1) {
        return gp_fail(GP_UNSUPPORTED, 0,
                       "cuBLAS takes no matrix with gaps both along its rows and its columns");
    }
    return gp_fail(GP_UNSUPPORTED, 0, "cuBLAS takes no matrix whose rows or columns overlap");
}

gp_status
gp_cublas_place_operand(const gp_cublas_operand *operand, gp_cublas_way way, gp_cublas_place *place)
{
    bool is_placed = false;
    if (way != GP_CUBLAS_EITHER) {
        is_placed =
            way == GP_CUBLAS_PLAIN ? is_plain(operand, place) : is_transposed(operand, place);
        return is_placed ? gp_ok()
                         : gp_fail(GP_UNSUPPORTED, 0,
                                   "cuBLAS multiplies these types only with a by rows and b by "
                                   "columns, without gaps");
    }
    /* A single row or column lies in both ways: longer columns are read faster. */
    if (operand->columns > operand->rows) {
        is_placed = is_transposed(operand, place) || is_plain(operand, place);
    }
    else {
        is_placed = is_plain(operand, place) || is_transposed(operand, place);
    }
    return is_placed ? gp_ok() : refuse(operand);
}
