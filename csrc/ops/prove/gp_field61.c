#include "gp_field61.h"

#include "kernels/gp_formulas.h"

/* The bits above 2^61 are added to those below, as 2^61 is 1 in the field. */
uint64_t
gp_field61_reduce(uint64_t value)
{
    value = (value & GP_FIELD61) + (value >> 61);
    return value >= GP_FIELD61 ? value - GP_FIELD61 : value;
}

uint64_t
gp_field61_from(int64_t value)
{
    return value < 0 ? GP_FIELD61 - (uint64_t)-value : (uint64_t)value;
}

/* The 122 bits of a product in two words, by 32-bit halves, as long multiplication goes. */
static uint64_t
mul(uint64_t a, uint64_t b)
{
    uint64_t a0 = a & UINT32_MAX;
    uint64_t a1 = a >> 32;
    uint64_t b0 = b & UINT32_MAX;
    uint64_t b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t middle = a1 * b0 + (low >> 32);
    uint64_t other = a0 * b1 + (middle & UINT32_MAX);
    uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
    low = (other << 32) | (low & UINT32_MAX);
    return gp_field61_reduce((low & GP_FIELD61) + ((high << 3) | (low >> 61)));
}

uint64_t
gp_field61_mul_add(uint64_t a, uint64_t b, uint64_t c)
{
    return gp_field61_reduce(mul(a, b) + c);
}

/* clang-cl has the type too, but divides it by a function that Microsoft's run time lacks. */
#if defined(__SIZEOF_INT128__) && !defined(_MSC_VER)

__extension__ typedef __int128 wide;

/* A term is below GP_FIELD61_MAX_TERM * 2^61 = 2^114, so the sum of so many is below 2^126. */
enum { TERMS = 1 << 12 };

uint64_t
gp_field61_dot(const double *values, const uint64_t *weights, size_t n)
{
    uint64_t total = 0;
    for (size_t start = 0; start < n; start += TERMS) {
        size_t end = n - start < TERMS ? n : start + TERMS;
        wide sum = 0;
        for (size_t i = start; i < end; i++) {
            sum += (wide)(int64_t)values[i] * (int64_t)weights[i];
        }
        total = gp_field61_reduce(total + gp_field61_from((int64_t)(sum % (int64_t)GP_FIELD61)));
    }
    return total;
}

#else

uint64_t
gp_field61_dot(const double *values, const uint64_t *weights, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++) {
        total = gp_field61_mul_add(gp_field61_from((int64_t)values[i]), weights[i], total);
    }
    return total;
}

#endif

/* 2^64 is 8 times the prime and 8: the first eight residues come up one time in 2^61 too often. */
void
gp_field61_random(uint64_t *out, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = gp_random_u64(seed, i) % GP_FIELD61;
    }
}
