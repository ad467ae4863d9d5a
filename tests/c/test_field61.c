#include "ops/prove/gp_field61.h"

#include "alloc_hook.h"
#include "harness.h"
#include "kernels/gp_formulas.h"
#include "ops/prove/gp_field61_floats.h"

#include <math.h>
#include <string.h>

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

/* More numbers than are added up at once, and no multiple of what is computed side by side. */
enum { FLOATS = 1000 };

static float floats[FLOATS];
static double doubles[FLOATS];

/* Whole numbers within +-magnitude, both of which occur. */
static void
fill_floats(int32_t magnitude)
{
    for (size_t i = 0; i < FLOATS; i++) {
        uint64_t random = gp_random_u64(3, i) % (2 * (uint64_t)magnitude + 1);
        floats[i] = (float)((int32_t)random - magnitude);
    }
    floats[1] = (float)magnitude;
    floats[2] = -(float)magnitude;
    floats[3] = -0.0F;
    for (size_t i = 0; i < FLOATS; i++) {
        doubles[i] = (double)floats[i];
    }
}

/* The first `n` floats give what the same numbers give by the other way. */
static void
assert_same_dot(const gp_weights *weights, size_t n, double greatest)
{
    unsigned char unaligned[sizeof(floats) + 1];
    uint64_t residue = 0;
    double magnitude = 0.0;
    memcpy(unaligned + 1, floats, sizeof(floats));
    ASSERT(gp_field61_dot_floats(unaligned + 1, n, weights, &residue, &magnitude));
    ASSERT_INT(gp_field61_dot(doubles, weights->residues, n), residue);
    ASSERT(magnitude == greatest);
}

TEST(field61_dot_of_floats_is_that_of_the_same_numbers)
{
    static const int32_t magnitudes[] = {1, 8, 1000, 1 << 24};
    gp_weights weights;
    for (size_t i = 0; i < 4; i++) {
        for (size_t n = 3; n <= FLOATS; n += n < 300 ? 1 : 100) {
            ASSERT(gp_weights_make(n, &weights));
            gp_field61_random(weights.residues, n, i);
            gp_weights_split(n, &weights);
            fill_floats(magnitudes[i]);
            assert_same_dot(&weights, n, (double)magnitudes[i]);
            gp_weights_free(&weights);
        }
    }
    ASSERT_INT(0, alloc_live());
}

/* No sum may wrap: the greatest numbers of one sign with the greatest weights. */
TEST(field61_dot_of_floats_takes_the_greatest_terms)
{
    gp_weights weights;
    ASSERT(gp_weights_make(FLOATS, &weights));
    for (size_t i = 0; i < FLOATS; i++) {
        weights.residues[i] = GP_FIELD61 - 1 - i % 2;
        floats[i] = 0x1p24F;
        doubles[i] = 0x1p24;
    }
    gp_weights_split(FLOATS, &weights);
    assert_same_dot(&weights, FLOATS, 0x1p24);
    gp_weights_free(&weights);
}

TEST(field61_dot_of_floats_refuses_what_is_not_a_small_whole_number)
{
    static const float refused[] = {0.5F,     0x1p-149F, 0x1p24F + 2.0F, -0x1p25F, 0x1p31F,
                                    0x1p127F, NAN,       -NAN,           INFINITY, -INFINITY};
    gp_weights weights;
    ASSERT(gp_weights_make(FLOATS, &weights));
    gp_field61_random(weights.residues, FLOATS, 1);
    gp_weights_split(FLOATS, &weights);
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        uint64_t residue = 5;
        double magnitude = 7.0;
        fill_floats(8);
        floats[i == 0 ? 0 : FLOATS - i] = refused[i];
        ASSERT(!gp_field61_dot_floats(floats, FLOATS, &weights, &residue, &magnitude));
        ASSERT_INT(5, residue);
        ASSERT(magnitude == 7.0);
    }
    gp_weights_free(&weights);
}

TEST(field61_dot_of_no_floats_is_zero)
{
    gp_weights weights;
    uint64_t residue = 5;
    double magnitude = 7.0;
    ASSERT(gp_weights_make(0, &weights));
    gp_weights_split(0, &weights);
    ASSERT(gp_field61_dot_floats(NULL, 0, &weights, &residue, &magnitude));
    ASSERT_INT(0, residue);
    ASSERT(magnitude == 7.0);
    gp_weights_free(&weights);
}
