/* Results with the faults of broken hardware in them. */
#ifndef FAKE_SPOIL_H
#define FAKE_SPOIL_H

#include "base/gp_dtype.h"

/* A matrix by rows. */
typedef struct spoiled {
    void *data;
    gp_dtype dtype;
    size_t rows;
    size_t columns;
    size_t row_bytes; /* from one row to the next */
} spoiled;

/* Does to the matrix what the fault says (fault.h); nothing where it is 0 or not of that kind. */
void fake_spoil(int fault, const spoiled *matrix);

#endif
