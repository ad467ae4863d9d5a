/* Lines of a product, judged by all workers in rounds that are short enough for Ctrl-C. */
#ifndef GP_PROVE_ROUNDS_H
#define GP_PROVE_ROUNDS_H

#include "gp_matmul_proof.h"
#include "platform/gp_parallel.h"

/* As gp_parallel, in rounds of about 20 ms, between which the product's watch is asked: once it is
 * over the other lines are left out. `steps` is the work on one line. */
void gp_prove_in_rounds(const gp_product *product, size_t count, size_t steps, size_t workers,
                        gp_parallel_body body, void *context);

#endif
