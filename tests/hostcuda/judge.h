/* Compares what a kernel gave with what the plain-C reference gives. */
#ifndef JUDGE_H
#define JUDGE_H

#include "cases.h"
#include "ops/gp_arithmetic.h"

/* What an element has to be. */
typedef struct expectation {
    double reference; /* as the plain-C reference stores it */
    double exact;     /* the sum in float64 */
    double size;      /* the sum of the magnitudes of the products */
    size_t steps;     /* how many they are */
} expectation;

/* Whether `got`, of the type `dtype`, is right: the very number of the reference where its numbers
 * are whole or special, else no farther from the exact sum than this arithmetic allows. */
bool is_right(double got, gp_dtype dtype, const gp_arithmetic *arithmetic, contents what,
              const expectation *expected);

#endif
