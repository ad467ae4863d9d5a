/* The element types of arrays, under the names that NumPy and ml_dtypes give them. */
#ifndef GP_DTYPE_H
#define GP_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gp_dtype {
    GP_FLOAT64,
    GP_FLOAT32,
    GP_FLOAT16,
    GP_BFLOAT16,
    GP_FLOAT8_E4M3FN,
    GP_FLOAT8_E5M2,
    GP_INT32,
    GP_INT8,
    GP_DTYPE_COUNT
} gp_dtype;

/* "float32", "bfloat16", "float8_e4m3fn" … */
const char *gp_dtype_name(gp_dtype dtype);

/* Returns false and leaves *dtype alone for a name that is none of ours. */
bool gp_dtype_from_name(const char *name, gp_dtype *dtype);

/* Bytes of one element. */
size_t gp_dtype_size(gp_dtype dtype);

bool gp_dtype_is_float(gp_dtype dtype);

/* Bits of the significand, the hidden one included: 24 for float32. All whole numbers up to
 * 2^digits in magnitude are values of the type. For integers: the bits besides the sign. */
int gp_dtype_digits(gp_dtype dtype);

/* The greatest finite value, and the smallest positive one (denormals count). */
double gp_dtype_max(gp_dtype dtype);
double gp_dtype_tiny(gp_dtype dtype);

/* One element as a double, which holds every value of every type exactly. */
double gp_dtype_load(gp_dtype dtype, const void *element);

/* Stores `value` rounded to nearest, ties to even, as IEEE 754 converts. A value out of range
 * becomes infinity, in float8_e4m3fn, which has none, NaN; integers take the nearest they have,
 * and 0 for NaN. */
void gp_dtype_store(gp_dtype dtype, double value, void *element);

/* The bits of one element, for messages: 0x3f800000. */
uint64_t gp_dtype_bits(gp_dtype dtype, const void *element);

#endif
