#include "ops/prove/gp_field61.h"

#include "harness.h"

TEST(field61_multiplies_as_long_multiplication_does)
{
    uint64_t top = GP_FIELD61 - 1;
    ASSERT_INT(1, gp_field61_mul_add(top, top, 0)); /* (-1)(-1) */
    ASSERT_INT(0, gp_field61_mul_add(top, 1, 1));
    ASSERT_INT(1, gp_field61_mul_add(UINT64_C(1) << 60, 2, 0)); /* 2^61 = 1 */
    /* 123456789012345678 * 987654321098765432 + 5, by Python. */
    ASSERT_INT(UINT64_C(1974130249480659625),
               gp_field61_mul_add(UINT64_C(123456789012345678), UINT64_C(987654321098765432), 5));
}

TEST(field61_takes_the_greatest_terms_of_either_sign)
{
    enum { N = 10000 };
    static double values[N];
    static uint64_t weights[N];
    for (size_t i = 0; i < N; i++) {
        values[i] = i % 2 == 0 ? GP_FIELD61_MAX_TERM : -GP_FIELD61_MAX_TERM;
        weights[i] = GP_FIELD61 - 1;
    }
    ASSERT_INT(0, gp_field61_dot(values, weights, N));
    values[0] = 0;
    /* What is left is one term, 2^53 * (-1) * (-1). */
    ASSERT_INT(INT64_C(1) << 53, gp_field61_dot(values, weights, N));
}

TEST(field61_dot_is_the_sum_of_its_terms)
{
    enum { N = 5000 };
    static double values[N];
    static uint64_t weights[N];
    gp_field61_random(weights, N, 1);
    uint64_t sum = 0;
    for (size_t i = 0; i < N; i++) {
        values[i] = (double)(weights[i] >> 8) - 0x1p52;
        sum = gp_field61_mul_add(gp_field61_from((int64_t)values[i]), weights[i], sum);
    }
    ASSERT_INT(sum, gp_field61_dot(values, weights, N));
    ASSERT_INT(0, gp_field61_dot(values, weights, 0));
}
