#include "gp_accumulator.h"

#include <math.h>

gp_accumulator
gp_accumulator_of(const gp_arithmetic *arithmetic)
{
    if (arithmetic == gp_arithmetic_find("float64")) { return GP_SUM_DOUBLE; }
    return arithmetic == gp_arithmetic_find("int32") ? GP_SUM_INT32 : GP_SUM_FLOAT;
}

double
gp_round_input(const gp_arithmetic *arithmetic, double value)
{
    int digits = arithmetic->input_digits;
    if (digits == 0 || !isfinite(value)) { return value; }
    int exponent = 0;
    (void)frexp(value, &exponent);
    /* Below the least normal number the steps are as at it. */
    if (exponent <= arithmetic->tiny_exponent) { exponent = arithmetic->tiny_exponent + 1; }
    double scaled = ldexp(value, digits - exponent);
    double whole = floor(scaled);
    double rest = scaled - whole;
    if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2.0) != 0.0)) { whole += 1.0; }
    return ldexp(whole, exponent - digits);
}
