/* What is wrong with a product that is not right: where, by which pattern, and by how much. */
#ifndef GP_PROVE_LOCATE_H
#define GP_PROVE_LOCATE_H

#include "gp_prove_rows.h"

/* Fills the description of `proof` from the wrong rows and the wrong columns. Recomputes a bounded
 * number of elements where both cross. */
void gp_locate(const gp_product *product, const gp_row_judgement *rows,
               const gp_row_judgement *columns, gp_matmul_proof *proof);

/* Adds one element to those that `proof` shows, as long as there is room. */
void gp_note_element(const gp_product *product, size_t row, size_t column, gp_matmul_proof *proof);

#endif
