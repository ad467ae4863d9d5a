#include "gp_arithmetic.h"

#include <string.h>

/* SIMT and float64 units round each step, so a step errs by half a unit: 2^-24 and 2^-53. Tensor
 * cores align the products to the greatest one and cut off what does not fit: a whole unit, 2^-23.
 * Hopper's and Ada's float8 products are summed with 14 bits (DeepSeek-V3, section 3.3). */
static const gp_arithmetic kinds[] = {
    {"float64", 0, 53, -53, -1022}, {"float32", 0, 24, -24, -126},  {"tf32", 11, 24, -23, -126},
    {"float16", 0, 24, -23, -126},  {"bfloat16", 0, 24, -23, -126}, {"float8", 0, 14, -13, -126},
    {"int32", 0, 31, -53, -1022},
};

const gp_arithmetic *
gp_arithmetic_find(const char *name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(name, kinds[i].name) == 0) { return &kinds[i]; }
    }
    return NULL;
}

const gp_arithmetic *
gp_arithmetic_of(gp_dtype input)
{
    switch (input) {
    case GP_FLOAT8_E4M3FN:
    case GP_FLOAT8_E5M2: return gp_arithmetic_find("float8");
    case GP_INT8:
    case GP_INT32: return gp_arithmetic_find("int32");
    default: return gp_arithmetic_find(gp_dtype_name(input));
    }
}

/* Higham's gamma_k = k u / (1 - k u), and for inputs that lose bits twice a whole unit of theirs:
 * libraries round to nearest, but tensor cores that are given more bits cut them off. What is cut
 * off is smaller, so that the sum of both terms is enough. */
double
gp_arithmetic_limit(const gp_arithmetic *arithmetic, size_t k)
{
    double sum = (double)k * ldexp(1.0, arithmetic->step_exponent);
    if (sum >= 1.0) { return HUGE_VAL; }
    double rounded_inputs =
        arithmetic->input_digits == 0 ? 0.0 : 2.0 * ldexp(1.0, 1 - arithmetic->input_digits);
    return sum / (1.0 - sum) + rounded_inputs;
}

double
gp_arithmetic_least(const gp_arithmetic *arithmetic)
{
    return arithmetic->input_digits == 0 ? 0.0 : ldexp(1.0, arithmetic->tiny_exponent);
}

bool
gp_arithmetic_is_exact(const gp_arithmetic *arithmetic, size_t k, double magnitude_a,
                       double magnitude_b, gp_dtype output)
{
    double greatest = (double)k * magnitude_a * magnitude_b;
    double input = fmax(magnitude_a, magnitude_b);
    if (arithmetic->input_digits != 0 && input > ldexp(1.0, arithmetic->input_digits)) {
        return false;
    }
    /* Below 2^53 `greatest` is itself exact; what is rounded to 2^53 may be more. */
    if (greatest >= 0x1p53) { return false; }
    /* The inputs too: the other side may be all zeros. */
    return input <= ldexp(1.0, arithmetic->accumulator_digits) &&
           greatest <= ldexp(1.0, arithmetic->accumulator_digits) &&
           greatest <= ldexp(1.0, gp_dtype_digits(output)) && greatest <= gp_dtype_max(output);
}
