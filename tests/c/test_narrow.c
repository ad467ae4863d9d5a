#include "harness.h"
#include "kernels/gp_narrow.h"

#include "base/gp_dtype.h"

#include <math.h>

/* The same number, and the same sign where it is zero; or both no number. */
static bool
is_same(double expected, float got)
{
    if (isnan(expected)) { return isnan(got); }
    return expected == (double)got && !signbit(expected) == !signbit(got);
}

TEST(narrow_every_float16_and_bfloat16_is_widened_as_the_reference_has_it)
{
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        uint16_t bits = (uint16_t)i;
        ASSERT(is_same(gp_dtype_load(GP_FLOAT16, &bits), gp_f32_of_f16(bits)));
        ASSERT(is_same(gp_dtype_load(GP_BFLOAT16, &bits), gp_f32_of_bf16(bits)));
    }
}

TEST(narrow_every_float8_is_widened_as_the_reference_has_it)
{
    for (uint32_t i = 0; i <= UINT8_MAX; i++) {
        uint8_t bits = (uint8_t)i;
        ASSERT(is_same(gp_dtype_load(GP_FLOAT8_E4M3FN, &bits), gp_f32_of_e4m3(bits)));
        ASSERT(is_same(gp_dtype_load(GP_FLOAT8_E5M2, &bits), gp_f32_of_e5m2(bits)));
    }
}

static void
assert_stored(gp_dtype dtype, float value, uint16_t got)
{
    uint16_t expected = 0;
    gp_dtype_store(dtype, (double)value, &expected);
    ASSERT_INT(expected, got);
}

/* A float32, its neighbours on both sides, and all that with the other sign. */
static void
assert_all_stored_around(float value)
{
    const float around[] = {value, nextafterf(value, HUGE_VALF), nextafterf(value, -HUGE_VALF)};
    for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++) {
        assert_stored(GP_FLOAT16, around[i], gp_f16_of_f32(around[i]));
        assert_stored(GP_FLOAT16, -around[i], gp_f16_of_f32(-around[i]));
        assert_stored(GP_BFLOAT16, around[i], gp_bf16_of_f32(around[i]));
        assert_stored(GP_BFLOAT16, -around[i], gp_bf16_of_f32(-around[i]));
    }
}

/* Every value of the type, infinity and NaN too, and the middle between it and the next one: where
 * a tie goes to the even one. Together these are all places where the rounding could go wrong. */
TEST(narrow_every_float16_is_rounded_to_as_the_reference_has_it)
{
    for (uint32_t i = 0; i <= 0x7FFF; i++) {
        float value = gp_f32_of_f16((uint16_t)i);
        float next = gp_f32_of_f16((uint16_t)(i + (i < 0x7FFF)));
        assert_all_stored_around(value);
        assert_all_stored_around(value + (next - value) / 2);
    }
    assert_all_stored_around(65520.0F); /* half-way to what the next number would be */
}

TEST(narrow_every_bfloat16_is_rounded_to_as_the_reference_has_it)
{
    for (uint32_t i = 0; i <= 0x7FFF; i++) {
        assert_all_stored_around(gp_f32_of_bf16((uint16_t)i));
        assert_all_stored_around(gp_f32_of_bits((i << 16) | 0x8000U));
    }
}
