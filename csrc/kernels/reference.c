#include "gp_formulas.h"
#include "gp_kernels.h"

#include <string.h>

void
gp_reference_fill_f32(float *out, uint64_t n, uint64_t seed)
{
    for (uint64_t i = 0; i < n; i++) {
        out[i] = gp_fill_f32_value(seed, i);
    }
}

void
gp_reference_add_f32(float *out, const float *a, const float *b, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        out[i] = a[i] + b[i];
    }
}

uint64_t
gp_reference_hash_u64(const void *words, uint64_t n)
{
    const unsigned char *bytes = words;
    uint64_t hash = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t word;
        /* The words may be floats; copying reads their bits without breaking the aliasing rule. */
        memcpy(&word, bytes + i * sizeof word, sizeof word);
        hash += gp_hash_u64_term(i, word);
    }
    return hash;
}
