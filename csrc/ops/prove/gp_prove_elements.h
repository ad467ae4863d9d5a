/* Small products of floats: each element is computed again and judged by itself. What is allowed to
 * a panel of a hundred elements would hide an error in one of them. */
#ifndef GP_PROVE_ELEMENTS_H
#define GP_PROVE_ELEMENTS_H

#include "gp_prove_rows.h"

/* Whether computing it again costs less than anybody notices. */
bool gp_is_small_product(const gp_product *product);

/* As gp_judge_rows_bound, element by element. */
gp_status gp_judge_elements(const gp_product *product, gp_row_judgement *rows);

#endif
