/* Products of floats: elements are computed again and judged by themselves, all of a small product,
 * or one of few rows, some of a large one. What is allowed to a panel of a hundred elements would
 * hide an error in one of them, and, where sums are long, that all of them are wrong. */
#ifndef GP_PROVE_ELEMENTS_H
#define GP_PROVE_ELEMENTS_H

#include "gp_prove_rows.h"

/* Whether computing it again costs less than anybody notices, or no more than panels would. */
bool gp_is_small_product(const gp_product *product);

/* As gp_judge_rows_bound, element by element. */
gp_status gp_judge_elements(const gp_product *product, gp_row_judgement *rows);

/* Adds to the judgement of a product that has elements what 64 of them tell, which `seed` chooses.
 */
void gp_judge_sample(const gp_product *product, uint64_t seed, gp_row_judgement *rows);

#endif
