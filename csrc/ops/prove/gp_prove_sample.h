/* Was it TF32 that computed what is said to be float32? No worst-case bound can tell: for long sums
 * it allows more than TF32 ever errs by. Which of the two products a sample is nearer to tells it,
 * in whatever order the sums were made. */
#ifndef GP_PROVE_SAMPLE_H
#define GP_PROVE_SAMPLE_H

#include "gp_matmul_proof.h"

/* Looks at 64 elements that `seed` chooses. Where they are those of inputs rounded to 11 bits, and
 * far from those of float32, the proof becomes "not right, TF32, everywhere", with the elements as
 * evidence. Only for float32, judged within a bound, and stored as float32 or wider; what is within
 * its bound only where at least 16 different elements are seen that are not right to four units. */
void gp_look_for_tf32(const gp_product *product, uint64_t seed, gp_matmul_proof *proof);

#endif
