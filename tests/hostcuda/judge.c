#include "judge.h"

#include <math.h>

bool
is_right(double got, gp_dtype dtype, const gp_arithmetic *arithmetic, contents what,
         const expectation *expected)
{
    if (what != FLOATS || !gp_dtype_is_float(dtype)) {
        return isnan(expected->reference) ? isnan(got) : got == expected->reference;
    }
    /* The exact sum is one of float64, and errs by what that allows. */
    double of_sum = (gp_arithmetic_limit(arithmetic, expected->steps) +
                     gp_arithmetic_limit(gp_arithmetic_find("float64"), expected->steps)) *
                    expected->size;
    double of_storing =
        ldexp(fabs(expected->exact) + of_sum, -gp_dtype_digits(dtype)) + gp_dtype_tiny(dtype) / 2;
    return fabs(got - expected->exact) <= of_sum + of_storing;
}
