#include "gp_field61_floats.h"

#include "base/gp_alloc.h"
#include "gp_field61.h"

#include <math.h>
#include <string.h>

enum { LOW_BITS = 31 };

/* Added to each number, so that none is negative: unsigned words are multiplied faster. */
enum { SHIFT = 1 << 24 };

/* A term is at most 2^25 * (2^31 - 1), so the sum of so many is below 2^64. */
enum { TERMS = 256 };

bool
gp_weights_make(size_t n, gp_weights *weights)
{
    *weights = (gp_weights){
        .residues = gp_alloc(n + 1, sizeof(*weights->residues)),
        .low = gp_alloc(n + 1, sizeof(*weights->low)),
        .high = gp_alloc(n + 1, sizeof(*weights->high)),
    };
    return weights->residues != NULL && weights->low != NULL && weights->high != NULL;
}

void
gp_weights_split(size_t n, gp_weights *weights)
{
    weights->sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t residue = weights->residues[i];
        weights->low[i] = (uint32_t)(residue & INT32_MAX);
        weights->high[i] = (uint32_t)(residue >> LOW_BITS);
        weights->sum = gp_field61_mul_add(residue, 1, weights->sum);
    }
}

void
gp_weights_free(gp_weights *weights)
{
    gp_free(weights->residues);
    gp_free(weights->low);
    gp_free(weights->high);
    *weights = (gp_weights){.residues = NULL};
}

/* Magnitudes are ordered as their bits are, with NaN above all, and whole numbers are compared
 * several at a time without a word about NaN. */
static float
greatest_magnitude(const unsigned char *numbers, size_t n)
{
    int32_t greatest = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t bits;
        memcpy(&bits, numbers + i * sizeof(bits), sizeof(bits));
        bits &= INT32_MAX;
        greatest = bits > greatest ? bits : greatest;
    }
    float magnitude;
    memcpy(&magnitude, &greatest, sizeof(magnitude));
    return magnitude;
}

/* Sums of the numbers, shifted, times either half of the weights. */
typedef struct halves {
    uint64_t low;
    uint64_t high;
    bool are_whole; /* all of the numbers; else the sums have no meaning */
} halves;

/* At most TERMS numbers of at most SHIFT in magnitude. */
static halves
sum_halves(const unsigned char *numbers, const uint32_t *low, const uint32_t *high, size_t n)
{
    halves sum = {0, 0, true};
    uint32_t broken = 0;
    for (size_t i = 0; i < n; i++) {
        float number;
        memcpy(&number, numbers + i * sizeof(number), sizeof(number));
        int32_t whole = (int32_t)number;
        uint32_t shifted = (uint32_t)(whole + SHIFT);
        broken |= (uint32_t)((float)whole != number);
        sum.low += (uint64_t)shifted * low[i];
        sum.high += (uint64_t)shifted * high[i];
    }
    sum.are_whole = broken == 0;
    return sum;
}

bool
gp_field61_dot_floats(const void *numbers, size_t n, const gp_weights *weights, uint64_t *residue,
                      double *magnitude)
{
    uint64_t total = 0;
    float greatest = 0.0F;
    for (size_t i = 0, count = 0; i < n; i += count) {
        const unsigned char *part = (const unsigned char *)numbers + i * sizeof(float);
        count = n - i < TERMS ? n - i : TERMS;
        float here = greatest_magnitude(part, count);
        if (!(here <= (float)SHIFT)) { return false; }
        halves sum = sum_halves(part, weights->low + i, weights->high + i, count);
        if (!sum.are_whole) { return false; }
        greatest = here > greatest ? here : greatest;
        total = gp_field61_mul_add(gp_field61_reduce(sum.high), UINT64_C(1) << LOW_BITS, total);
        total = gp_field61_mul_add(gp_field61_reduce(sum.low), 1, total);
    }
    *residue = gp_field61_mul_add(GP_FIELD61 - SHIFT, weights->sum, total);
    *magnitude = fmax(*magnitude, (double)greatest);
    return true;
}
