/* The narrow floats, which neither C nor PTX 6.0 has, as formulas of integers: the same text for
 * the device, the host shim and the tests. What they give is what base/gp_dtype.c gives for each
 * value of each type.
 *
 *   float16        1 sign bit, 5 of the exponent (bias 15), 10 of the fraction
 *   bfloat16       1, 8 (bias 127), 7: the upper half of a float32
 *   float8_e5m2    1, 5 (bias 15), 2: the upper half of a float16
 *   float8_e4m3fn  1, 4 (bias 7), 3: no infinity, and NaN has all bits set but the sign */
#ifndef GP_NARROW_H
#define GP_NARROW_H

#include "gp_formulas.h"

#include <string.h>

GP_FORMULA uint32_t
gp_bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

GP_FORMULA float
gp_f32_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Every float16 is a float32. The exponents differ by 127 - 15; a subnormal is a multiple of 2^-24,
 * which float32 holds as a normal number. */
GP_FORMULA float
gp_f32_of_f16(uint16_t half)
{
    uint32_t sign = (half & 0x8000u) << 16;
    uint32_t magnitude = half & 0x7FFFu;
    if (magnitude < 0x0400u) {
        return gp_f32_of_bits(sign | gp_bits_of_f32((float)magnitude * 0x1p-24F));
    }
    uint32_t exponent = magnitude < 0x7C00u ? 127u - 15u : 255u - 31u;
    return gp_f32_of_bits(sign | ((magnitude << 13) + (exponent << 23)));
}

GP_FORMULA float
gp_f32_of_bf16(uint16_t half)
{
    return gp_f32_of_bits((uint32_t)half << 16);
}

GP_FORMULA float
gp_f32_of_e5m2(uint8_t byte)
{
    return gp_f32_of_f16((uint16_t)(byte << 8));
}

GP_FORMULA float
gp_f32_of_e4m3(uint8_t byte)
{
    uint32_t sign = (byte & 0x80u) << 24;
    uint32_t magnitude = byte & 0x7Fu;
    if (magnitude == 0x7Fu) { return gp_f32_of_bits(sign | 0x7FC00000u); }
    if (magnitude < 0x08u) {
        return gp_f32_of_bits(sign | gp_bits_of_f32((float)magnitude * 0x1p-9F));
    }
    return gp_f32_of_bits(sign | ((magnitude << 20) + ((127u - 7u) << 23)));
}

/* bits / 2^shift to the nearest whole number, ties to even, for a shift from 1 to 31 and bits below
 * 2^31. A carry out of the fraction is the next exponent, as it should be. */
GP_FORMULA uint32_t
gp_shift_to_even(uint32_t bits, uint32_t shift)
{
    uint32_t below_half = (1u << (shift - 1)) - 1;
    return (bits + below_half + ((bits >> shift) & 1u)) >> shift;
}

/* From 65520 on, which lies half-way between the greatest float16 and 2^16, all is infinite. */
GP_FORMULA uint16_t
gp_f16_of_f32(float value)
{
    uint32_t bits = gp_bits_of_f32(value);
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) { return (uint16_t)(sign | 0x7E00u); }
    if (magnitude >= 0x47800000u) { return (uint16_t)(sign | 0x7C00u); }
    if (magnitude >= 0x38800000u) {
        return (uint16_t)(sign | gp_shift_to_even(magnitude - ((127u - 15u) << 23), 13));
    }
    /* Below 2^-14 the result counts multiples of 2^-24; at 2^-26 and below there are none. */
    if (magnitude <= 0x32800000u) { return (uint16_t)sign; }
    uint32_t significand = (magnitude & 0x007FFFFFu) | 0x00800000u;
    return (uint16_t)(sign | gp_shift_to_even(significand, 126u - (magnitude >> 23)));
}

GP_FORMULA uint16_t
gp_bf16_of_f32(float value)
{
    uint32_t bits = gp_bits_of_f32(value);
    uint32_t sign = (bits >> 16) & 0x8000u;
    uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) { return (uint16_t)(sign | 0x7FC0u); }
    return (uint16_t)(sign | gp_shift_to_even(magnitude, 16));
}

#endif
