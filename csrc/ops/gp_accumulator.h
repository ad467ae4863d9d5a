/* How the plain-C references sum products: one step at a time, in the precision that an arithmetic
 * names. */
#ifndef GP_ACCUMULATOR_H
#define GP_ACCUMULATOR_H

#include "gp_arithmetic.h"

#include <stdint.h>

typedef enum gp_accumulator { GP_SUM_DOUBLE, GP_SUM_FLOAT, GP_SUM_INT32 } gp_accumulator;

/* float64 is summed in double, int32 modulo 2^32 as the hardware does it, all others in float. */
gp_accumulator gp_accumulator_of(const gp_arithmetic *arithmetic);

/* An input as the arithmetic takes it: to nearest, ties to even, where it rounds its inputs. */
double gp_round_input(const gp_arithmetic *arithmetic, double value);

/* sum + a * b. The product of two floats is exact in double, so that it is rounded once, in float,
 * as a multiplication of floats is. */
static inline double
gp_accumulate(gp_accumulator kind, double sum, double a, double b)
{
    switch (kind) {
    case GP_SUM_DOUBLE: return sum + a * b;
    case GP_SUM_FLOAT: return (double)((float)sum + (float)(a * b));
    default: break;
    }
    uint32_t product = (uint32_t)(int32_t)a * (uint32_t)(int32_t)b;
    return (double)(int32_t)((uint32_t)(int32_t)sum + product);
}

#endif
