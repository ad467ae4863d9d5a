/* What wrong elements look like: they are compared with exact values, which are computed again. */
#ifndef GP_PROVE_CAUSE_H
#define GP_PROVE_CAUSE_H

#include "gp_matmul_proof.h"

typedef struct gp_exact_element {
    double value;
    double magnitudes; /* sum(|a||b|), as gp_magnitude_of counts */
} gp_exact_element;

gp_exact_element gp_recompute(const gp_product *product, size_t row, size_t column);

/* What `got` may differ by from the exact element in whose place it stands; 0 where exact. */
double gp_element_allowance(const gp_product *product, gp_proof_basis basis, gp_exact_element exact,
                            double got);

/* Whether a wrong element is right but for one bit. */
bool gp_is_one_bit_off(const gp_product *product, gp_proof_basis basis, size_t row, size_t column);

/* Whether there are two wrong rows, each of which holds what belongs into the other. For columns
 * it is asked of the transposed product. */
bool gp_are_swapped(const gp_product *product, gp_proof_basis basis, gp_wrong_lines rows);

#endif
