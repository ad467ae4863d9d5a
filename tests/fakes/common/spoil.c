#include "spoil.h"

#include "fault.h"

#include <math.h>
#include <string.h>

/* In elements, of a zeroed tile. */
enum { TILE = 16 };

static unsigned char *
at(const spoiled *matrix, size_t row, size_t column)
{
    return (unsigned char *)matrix->data + row * matrix->row_bytes +
           column * gp_dtype_size(matrix->dtype);
}

/* A bit of the significand that even a narrow type has. */
static void
flip(const spoiled *matrix)
{
    unsigned char *element = at(matrix, matrix->rows / 2, matrix->columns / 2);
    element[gp_dtype_size(matrix->dtype) - 1] ^= 2;
}

static void
swap_rows(const spoiled *matrix)
{
    const size_t size = matrix->columns * gp_dtype_size(matrix->dtype);
    unsigned char *first = at(matrix, 0, 0), *last = at(matrix, matrix->rows - 1, 0);
    for (size_t i = 0; i < size && first != last; i++) {
        const unsigned char kept = first[i];
        first[i] = last[i];
        last[i] = kept;
    }
}

static void
zero_tile(const spoiled *matrix)
{
    const size_t rows = matrix->rows < TILE ? matrix->rows : TILE;
    const size_t columns = matrix->columns < TILE ? matrix->columns : TILE;
    for (size_t i = 0; i < rows; i++) {
        memset(at(matrix, i, 0), 0, columns * gp_dtype_size(matrix->dtype));
    }
}

void
fake_spoil(int fault, const spoiled *matrix)
{
    if (matrix->rows == 0 || matrix->columns == 0) { return; }
    switch (fault) {
    case FAKE_FLIP: flip(matrix); break;
    case FAKE_SWAP: swap_rows(matrix); break;
    case FAKE_ZERO: zero_tile(matrix); break;
    case FAKE_NAN:
        gp_dtype_store(matrix->dtype, NAN, at(matrix, matrix->rows / 2, matrix->columns / 2));
        break;
    default: break;
    }
}
