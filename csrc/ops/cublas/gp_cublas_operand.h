/* An input of a product of columns, and how cuBLASLt can read it where it lies. */
#ifndef GP_CUBLAS_OPERAND_H
#define GP_CUBLAS_OPERAND_H

#include "base/gp_dtype.h"
#include "base/gp_status.h"

typedef struct gp_cublas_operand {
    int64_t rows;
    int64_t columns;
    int64_t row_stride; /* elements; that of a side of one element means nothing */
    int64_t column_stride;
} gp_cublas_operand;

typedef enum gp_cublas_way {
    GP_CUBLAS_EITHER,
    GP_CUBLAS_PLAIN,
    GP_CUBLAS_TRANSPOSED
} gp_cublas_way;

/* How the operand is read: as what is stored by columns, `ld` elements apart, or as its transpose.
 */
typedef struct gp_cublas_place {
    int64_t ld;
    uint32_t operation; /* GP_CUBLAS_OP_… */
} gp_cublas_place;

/* From strides in bytes. GP_UNSUPPORTED where they are no whole number of elements. */
gp_status gp_cublas_operand_of(int64_t rows, int64_t columns, int64_t row_stride,
                               int64_t column_stride, gp_dtype dtype, gp_cublas_operand *operand);

/* GP_UNSUPPORTED, with the reason: it cannot be read in this way, or in no way. */
gp_status gp_cublas_place_operand(const gp_cublas_operand *operand, gp_cublas_way way,
                                  gp_cublas_place *place);

#endif
