/* Is C the product of A and B? Answered without computing the product again: in O(n^2) by
 * Freivalds' check, after which only what is wrong is recomputed and described. */
#ifndef GP_PROVE_MATMUL_H
#define GP_PROVE_MATMUL_H

#include "base/gp_status.h"
#include "gp_matmul_proof.h"

/* Fills `proof`. `seed` chooses the random vectors. A C without elements is right, whatever A and B
 * hold. GP_BAD_ARGUMENT: the shapes do not fit, or the arithmetic cannot promise anything of so
 * long a sum, or of one of so small numbers, in whose place 0 would pass as well, or of one of so
 * great numbers that it may overflow. Needs memory for O(m + n + k) numbers. Once the product's
 * watch is over it returns soon, and neither the status nor `proof` has a meaning. */
gp_status gp_prove_matmul(const gp_product *product, uint64_t seed, gp_matmul_proof *proof);

#endif
