#include "gp_dtype.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum family { IEEE_FLOAT, FINITE_FLOAT, INTEGER } family;

typedef struct format {
    const char *name;
    size_t size;
    family family;
    int digits;   /* bits of the significand with the hidden one; of an integer without the sign */
    int exponent; /* the greatest exponent: values are below 2^(exponent + 1) */
} format;

static const format formats[GP_DTYPE_COUNT] = {
    [GP_FLOAT64] = {"float64", 8, IEEE_FLOAT, 53, 1023},
    [GP_FLOAT32] = {"float32", 4, IEEE_FLOAT, 24, 127},
    [GP_FLOAT16] = {"float16", 2, IEEE_FLOAT, 11, 15},
    [GP_BFLOAT16] = {"bfloat16", 2, IEEE_FLOAT, 8, 127},
    [GP_FLOAT8_E4M3FN] = {"float8_e4m3fn", 1, FINITE_FLOAT, 4, 8},
    [GP_FLOAT8_E5M2] = {"float8_e5m2", 1, IEEE_FLOAT, 3, 15},
    [GP_INT32] = {"int32", 4, INTEGER, 31, 30},
    [GP_INT8] = {"int8", 1, INTEGER, 7, 6},
};

const char *
gp_dtype_name(gp_dtype dtype)
{
    return formats[dtype].name;
}

bool
gp_dtype_from_name(const char *name, gp_dtype *dtype)
{
    for (int i = 0; i < GP_DTYPE_COUNT; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            *dtype = (gp_dtype)i;
            return true;
        }
    }
    return false;
}

size_t
gp_dtype_size(gp_dtype dtype)
{
    return formats[dtype].size;
}

bool
gp_dtype_is_float(gp_dtype dtype)
{
    return formats[dtype].family != INTEGER;
}

int
gp_dtype_digits(gp_dtype dtype)
{
    return formats[dtype].digits;
}

/* Of a finite-only float the all-ones significand at the top is NaN, so the greatest value is one
 * unit lower: 448 and not 480. */
double
gp_dtype_max(gp_dtype dtype)
{
    const format *f = &formats[dtype];
    int lost = f->family == FINITE_FLOAT ? 2 : 1;
    return ldexp(ldexp(1.0, f->digits) - lost, f->exponent - f->digits + 1);
}

/* IEEE 754: the bias is the greatest exponent, here less one where the top exponent holds numbers
 * too; denormals start at the exponent 1 - bias. */
static int
least_exponent(const format *f)
{
    return (f->family == FINITE_FLOAT ? 2 : 1) - f->exponent;
}

double
gp_dtype_tiny(gp_dtype dtype)
{
    const format *f = &formats[dtype];
    return f->family == INTEGER ? 1.0 : ldexp(1.0, least_exponent(f) - (f->digits - 1));
}

uint64_t
gp_dtype_bits(gp_dtype dtype, const void *element)
{
    uint64_t wide = 0;
    uint32_t word = 0;
    uint16_t half = 0;
    uint8_t byte = 0;
    switch (formats[dtype].size) {
    case 8: memcpy(&wide, element, sizeof(wide)); return wide;
    case 4: memcpy(&word, element, sizeof(word)); return word;
    case 2: memcpy(&half, element, sizeof(half)); return half;
    default: memcpy(&byte, element, sizeof(byte)); return byte;
    }
}

/* The narrow floats, which C has no type for, are taken apart: sign, exponent, significand. */
static double
load_narrow(const format *f, unsigned int bits)
{
    int fraction_bits = f->digits - 1;
    unsigned int sign = bits >> (8 * f->size - 1);
    unsigned int fraction = bits & ((1u << fraction_bits) - 1);
    unsigned int top = (1u << (8 * f->size - 1 - (size_t)fraction_bits)) - 1;
    unsigned int biased = (bits >> fraction_bits) & top;
    double value;
    if (biased == 0) { value = ldexp(fraction, least_exponent(f) - fraction_bits); }
    else if (biased == top && f->family == IEEE_FLOAT) {
        value = fraction == 0 ? HUGE_VAL : NAN;
    }
    else if (biased == top && fraction == (1u << fraction_bits) - 1) {
        value = NAN;
    }
    else {
        int exponent = (int)biased - 1 + least_exponent(f) - fraction_bits;
        value = ldexp(fraction + (1u << fraction_bits), exponent);
    }
    return sign ? -value : value;
}

/* The unit in the last place of `magnitude`, which is finite, in this format. */
static double
unit_of(const format *f, double magnitude)
{
    int exponent = 0;
    (void)frexp(magnitude, &exponent);
    exponent -= 1;
    if (magnitude == 0.0 || exponent < least_exponent(f)) { exponent = least_exponent(f); }
    return ldexp(1.0, exponent - (f->digits - 1));
}

static unsigned int
special_narrow(const format *f, bool is_nan)
{
    int fraction_bits = f->digits - 1;
    unsigned int infinity = (1u << (8 * f->size - 1)) - (1u << fraction_bits);
    if (f->family == FINITE_FLOAT) { return infinity | ((1u << fraction_bits) - 1); }
    return is_nan ? infinity | (1u << (fraction_bits - 1)) : infinity;
}

static unsigned int
store_narrow(gp_dtype dtype, double value)
{
    const format *f = &formats[dtype];
    unsigned int sign = signbit(value) ? 1u << (8 * f->size - 1) : 0;
    double magnitude = fabs(value);
    if (!isfinite(magnitude)) { return sign | special_narrow(f, isnan(value)); }
    double unit = unit_of(f, magnitude);
    /* Ties to even, whatever rounding mode the caller set: nearbyint would obey that. */
    double count = floor(magnitude / unit);
    double rest = magnitude / unit - count;
    if (rest > 0.5 || (rest == 0.5 && fmod(count, 2.0) == 1.0)) { count += 1.0; }
    double rounded = count * unit;
    if (rounded > gp_dtype_max(dtype)) { return sign | special_narrow(f, false); }
    /* Neighbours differ by one as integers, across the exponents too. */
    unit = unit_of(f, rounded);
    int exponent = 0;
    (void)frexp(unit, &exponent);
    unsigned int steps = (unsigned int)(exponent - 1 + f->digits - 1 - least_exponent(f));
    return sign | ((steps << (f->digits - 1)) + (unsigned int)(rounded / unit));
}

static double
clamp_whole(double value, double low, double high)
{
    if (isnan(value)) { return 0.0; }
    double whole = floor(value);
    double rest = value - whole;
    if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2.0) != 0.0)) { whole += 1.0; }
    return fmin(fmax(whole, low), high);
}

double
gp_dtype_load(gp_dtype dtype, const void *element)
{
    double f64 = 0.0;
    float f32 = 0.0F;
    int32_t i32 = 0;
    int8_t i8 = 0;
    switch (dtype) {
    case GP_FLOAT64: memcpy(&f64, element, sizeof(f64)); return f64;
    case GP_FLOAT32: memcpy(&f32, element, sizeof(f32)); return (double)f32;
    case GP_INT32: memcpy(&i32, element, sizeof(i32)); return (double)i32;
    case GP_INT8: memcpy(&i8, element, sizeof(i8)); return (double)i8;
    default: return load_narrow(&formats[dtype], (unsigned int)gp_dtype_bits(dtype, element));
    }
}

void
gp_dtype_store(gp_dtype dtype, double value, void *element)
{
    float f32 = (float)value;
    int32_t i32 = 0;
    int8_t i8 = 0;
    uint16_t half = 0;
    uint8_t byte = 0;
    switch (dtype) {
    case GP_FLOAT64: memcpy(element, &value, sizeof(value)); return;
    case GP_FLOAT32: memcpy(element, &f32, sizeof(f32)); return;
    case GP_INT32:
        i32 = (int32_t)clamp_whole(value, INT32_MIN, INT32_MAX);
        memcpy(element, &i32, sizeof(i32));
        return;
    case GP_INT8:
        i8 = (int8_t)clamp_whole(value, INT8_MIN, INT8_MAX);
        memcpy(element, &i8, sizeof(i8));
        return;
    default: break;
    }
    half = (uint16_t)store_narrow(dtype, value);
    byte = (uint8_t)half;
    memcpy(element, formats[dtype].size == 2 ? (const void *)&half : &byte, formats[dtype].size);
}
