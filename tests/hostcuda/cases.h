/* Random arrays for the comparison of the kernels with the plain-C references. */
#ifndef CASES_H
#define CASES_H

#include "base/gp_tensor.h"

#include <stdbool.h>
#include <stdint.h>

/* Which numbers an array holds. */
typedef enum contents {
    WHOLE,   /* so small that every sum is exact: results have to agree bit for bit */
    FLOATS,  /* results may differ by what the arithmetic allows */
    SPECIALS /* 0, 1, -1, infinities and NaN: bit for bit too, but for the bits of NaN */
} contents;

/* A number below `n`, which is not 0. One sequence for the process, begun by random_begin. */
void random_begin(uint64_t seed);
uint64_t random_below(uint64_t n);

/* One of `count` numbers. */
int64_t random_of(const int64_t *numbers, size_t count);

/* An array of this type and shape, whose axes lie in memory in any order, forwards and backwards,
 * with gaps or all at one place, in a piece of memory of exactly its size. */
gp_tensor new_array(gp_dtype dtype, int ndim, const int64_t *shape, contents what);

/* The magnitudes of an array's numbers, in an array of the same strides. */
gp_tensor new_magnitudes(const gp_tensor *of);

/* The same without gaps, for a result; filled with a pattern. `tensor` has type and shape. */
void new_result(gp_tensor *tensor);

/* Frees all arrays. */
void free_arrays(void);

/* Prints what `tensor` is. */
void print_array(const char *name, const gp_tensor *tensor);

#endif
