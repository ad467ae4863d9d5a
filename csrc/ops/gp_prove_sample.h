/* Was it TF32 that computed what is said to be float32? No worst-case bound can tell: for long sums
 * it allows more than TF32 ever errs by. The size of the errors of a sample tells it. */
#ifndef GP_PROVE_SAMPLE_H
#define GP_PROVE_SAMPLE_H

#include "gp_prove_matmul.h"

/* Looks at 64 elements that `seed` chooses. Where their errors are as great as TF32 makes them, and
 * many times what float32 would, the proof becomes "not right, TF32, everywhere", with the elements
 * as evidence. Only for float32, judged within a bound. */
void gp_look_for_tf32(const gp_product *product, uint64_t seed, gp_matmul_proof *proof);

#endif
