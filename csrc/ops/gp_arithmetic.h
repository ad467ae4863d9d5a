/* What a kind of arithmetic promises of a sum of products, as bounds that a result is judged by. */
#ifndef GP_ARITHMETIC_H
#define GP_ARITHMETIC_H

#include "base/gp_dtype.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gp_arithmetic {
    const char *name;
    int input_digits;       /* significant bits that are left of the inputs; 0: all */
    int accumulator_digits; /* whole numbers up to 2^this are summed exactly, in any order */
    int step_exponent;      /* one step of the sum errs by at most 2^this of sum(|a||b|) */
    int tiny_exponent;      /* what underflows is smaller than 2^this */
} gp_arithmetic;

/* "float64", "float32", "tf32", "float16", "bfloat16" (both summed in float32), "float8" (summed as
 * Hopper does, with 14 bits), "int32"; NULL for another name. */
const gp_arithmetic *gp_arithmetic_find(const char *name);

/* The arithmetic that a product of these types has where nothing else is said. */
const gp_arithmetic *gp_arithmetic_of(gp_dtype input);

/* |result - exact| <= this * sum(|a||b|) for sums of `k` products, before the result is stored.
 * Infinite where k is so large that the bound says nothing. |a| and |b| are gp_magnitude_of. */
double gp_arithmetic_limit(const gp_arithmetic *arithmetic, size_t k);

/* Inputs that lose bits lose below this, the least normal number, no less than at it, as what is
 * left of them has steps of one size there: TF32 those of 2^-136 below 2^-126. 0 for all others. */
double gp_arithmetic_least(const gp_arithmetic *arithmetic);

/* The magnitude by which an input counts in sum(|a||b|). */
static inline double
gp_magnitude_of(double value, double least)
{
    double magnitude = fabs(value);
    return magnitude < least && magnitude != 0.0 ? least : magnitude;
}

/* Whether a sum of `k` products of whole numbers of these magnitudes is exact, and is a value of
 * the type in which it is stored. */
bool gp_arithmetic_is_exact(const gp_arithmetic *arithmetic, size_t k, double magnitude_a,
                            double magnitude_b, gp_dtype output);

#endif
