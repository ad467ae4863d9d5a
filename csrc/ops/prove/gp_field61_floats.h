/* Sums of products in the field of 2^61 - 1 for the usual case: float32 that hold small whole
 * numbers. Halves of residues times such numbers are added up by hundreds before they are reduced,
 * and several at a time, by plain integer instructions that every processor has. */
#ifndef GP_FIELD61_FLOATS_H
#define GP_FIELD61_FLOATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Residues that many rows are multiplied by. Released by gp_weights_free, also after a failure. */
typedef struct gp_weights {
    uint64_t *residues; /* written by the caller */
    uint32_t *low;      /* the rest by gp_weights_split: their lower 31 bits, */
    uint32_t *high;     /* their upper 30 bits, */
    uint64_t sum;       /* and the residue of their sum */
} gp_weights;

/* Room for `n` residues; false: there is no memory for them. */
bool gp_weights_make(size_t n, gp_weights *weights);
void gp_weights_split(size_t n, gp_weights *weights);
void gp_weights_free(gp_weights *weights);

/* The residue of sum(numbers[i] * weights[i]) of `n` float32, which need not be aligned; raises
 * `*magnitude` to the greatest of them. False, with nothing written: one of them is not a whole
 * number of at most 2^24 in magnitude. */
bool gp_field61_dot_floats(const void *numbers, size_t n, const gp_weights *weights,
                           uint64_t *residue, double *magnitude);

#endif
