#include "base/gp_dtype.h"
#include "harness.h"

#include <math.h>
#include <string.h>

static void
assert_double(double expected, double actual)
{
    if (isnan(expected)) {
        ASSERT(isnan(actual));
        return;
    }
    ASSERT(expected == actual && signbit(expected) == signbit(actual));
}

static uint64_t
stored(gp_dtype dtype, double value)
{
    unsigned char element[8];
    gp_dtype_store(dtype, value, element);
    return gp_dtype_bits(dtype, element);
}

TEST(dtype_names_are_found_again)
{
    for (int i = 0; i < GP_DTYPE_COUNT; i++) {
        gp_dtype found = GP_DTYPE_COUNT;
        ASSERT(gp_dtype_from_name(gp_dtype_name((gp_dtype)i), &found));
        ASSERT_INT(i, found);
    }
    gp_dtype untouched = GP_INT8;
    ASSERT(!gp_dtype_from_name("float", &untouched));
    ASSERT_INT(GP_INT8, untouched);
}

/* From the tables of IEEE 754, OCP's 8-bit formats, and bfloat16. */
TEST(dtype_knows_the_ends_of_each_range)
{
    assert_double(65504.0, gp_dtype_max(GP_FLOAT16));
    assert_double(0x1.fep127, gp_dtype_max(GP_BFLOAT16));
    assert_double(448.0, gp_dtype_max(GP_FLOAT8_E4M3FN));
    assert_double(57344.0, gp_dtype_max(GP_FLOAT8_E5M2));
    assert_double(127.0, gp_dtype_max(GP_INT8));
    assert_double(0x1p-24, gp_dtype_tiny(GP_FLOAT16));
    assert_double(0x1p-9, gp_dtype_tiny(GP_FLOAT8_E4M3FN));
    assert_double(0x1p-16, gp_dtype_tiny(GP_FLOAT8_E5M2));
    assert_double(0x1p-149, gp_dtype_tiny(GP_FLOAT32));
}

TEST(dtype_stores_known_bits)
{
    ASSERT_INT(0x3C00, stored(GP_FLOAT16, 1.0));
    ASSERT_INT(0xC000, stored(GP_FLOAT16, -2.0));
    ASSERT_INT(0x7BFF, stored(GP_FLOAT16, 65504.0));
    ASSERT_INT(0x0001, stored(GP_FLOAT16, 0x1p-24));
    ASSERT_INT(0x8000, stored(GP_FLOAT16, -0.0));
    ASSERT_INT(0x3F80, stored(GP_BFLOAT16, 1.0));
    ASSERT_INT(0x38, stored(GP_FLOAT8_E4M3FN, 1.0));
    ASSERT_INT(0x7E, stored(GP_FLOAT8_E4M3FN, 448.0));
    ASSERT_INT(0x3C, stored(GP_FLOAT8_E5M2, 1.0));
    ASSERT_INT(0x3F800000, stored(GP_FLOAT32, 1.0));
}

TEST(dtype_rounds_ties_to_even_and_overflow_to_infinity)
{
    ASSERT_INT(0x3C00, stored(GP_FLOAT16, 1.0 + 0x1p-11));
    ASSERT_INT(0x3C02, stored(GP_FLOAT16, 1.0 + 3 * 0x1p-11));
    ASSERT_INT(0x3C01, stored(GP_FLOAT16, 1.0 + 0x1p-11 + 0x1p-40));
    ASSERT_INT(0x4000, stored(GP_FLOAT16, 2.0 - 0x1p-12));
    ASSERT_INT(0x0400, stored(GP_FLOAT16, 0x1p-14 - 0x1p-30));
    ASSERT_INT(0x7C00, stored(GP_FLOAT16, 65520.0));
    ASSERT_INT(0x7BFF, stored(GP_FLOAT16, 65519.0));
    ASSERT_INT(0x7F, stored(GP_FLOAT8_E4M3FN, 1e9));
    ASSERT_INT(0x7F80, stored(GP_BFLOAT16, HUGE_VAL));
    ASSERT_INT(2, stored(GP_INT32, 2.5));
    ASSERT_INT(0x80, stored(GP_INT8, -1000.0));
    ASSERT_INT(0, stored(GP_INT32, NAN));
}

/* Every value of a narrow type comes back from a double with the bits that it had. */
TEST(dtype_narrow_values_survive_a_round_trip)
{
    static const gp_dtype narrow[] = {GP_FLOAT16, GP_BFLOAT16, GP_FLOAT8_E4M3FN, GP_FLOAT8_E5M2,
                                      GP_INT8};
    for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
        size_t size = gp_dtype_size(narrow[i]);
        for (uint32_t bits = 0; bits < (1u << (8 * size)); bits++) {
            uint16_t half = (uint16_t)bits;
            uint8_t byte = (uint8_t)bits;
            double value = gp_dtype_load(narrow[i], size == 2 ? (void *)&half : &byte);
            if (!isnan(value)) { ASSERT_INT(bits, stored(narrow[i], value)); }
        }
    }
}
