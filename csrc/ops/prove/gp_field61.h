/* Arithmetic modulo the prime 2^61 - 1, in which integer products are proved: a sum of products
 * is right modulo this prime for a random vector, or wrong with all but one chance in 2^61. */
#ifndef GP_FIELD61_H
#define GP_FIELD61_H

#include <stddef.h>
#include <stdint.h>

#define GP_FIELD61 ((UINT64_C(1) << 61) - 1)

/* Magnitudes that the sums below take: up to here a double holds every whole number. Two different
 * numbers of such magnitudes differ by less than the prime, so their residues differ, too; beyond
 * it they need not: 2^61 and 1 have the same one. */
#define GP_FIELD61_MAX_TERM 0x1p53

/* The residue of a number. */
uint64_t gp_field61_reduce(uint64_t value);

/* The residue of a whole number of at most GP_FIELD61_MAX_TERM in magnitude. */
uint64_t gp_field61_from(int64_t value);

/* The residue of a * b + c; all three are residues. */
uint64_t gp_field61_mul_add(uint64_t a, uint64_t b, uint64_t c);

/* The residue of sum(values[i] * weights[i]): whole numbers of at most GP_FIELD61_MAX_TERM in
 * magnitude, times residues. */
uint64_t gp_field61_dot(const double *values, const uint64_t *weights, size_t n);

/* Fills `out` with residues that are spread evenly, and given by the seed alone. */
void gp_field61_random(uint64_t *out, size_t n, uint64_t seed);

#endif
