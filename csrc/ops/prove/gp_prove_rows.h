/* Which rows of C are not those of A B. Columns are the rows of the transposed product. */
#ifndef GP_PROVE_ROWS_H
#define GP_PROVE_ROWS_H

#include "base/gp_status.h"
#include "gp_matmul_proof.h"

/* What is known of the rows. Released by gp_row_judgement_free, also after a failure. */
typedef struct gp_row_judgement {
    bool *wrong;     /* one for each row of C */
    double fraction; /* the greatest residual as a part of what is allowed; 0 where exact */
    bool overflows;  /* what is allowed does, in some of the wrong rows: they may be right */
    bool has_large;  /* an element in whose place 0 would be wrong */
    bool has_small;  /* one in whose place it would not be, as rounding may be as large */
    bool has_wrong;  /* one that was found wrong by itself: that of `row` and `column` */
    size_t row;
    size_t column;
} gp_row_judgement;

/* Judges whole numbers whose product is exact (gp_arithmetic_is_exact). For all others `*applies`
 * becomes false, mostly at their first row, and nothing is judged. */
gp_status gp_judge_rows_exact(const gp_product *product, uint64_t seed, gp_row_judgement *rows,
                              bool *applies);

/* Judges any numbers. NaN and infinity are always wrong, and so are rows in which sum(|a||b|) is no
 * finite double: nothing is too far from right by that measure. */
gp_status gp_judge_rows_bound(const gp_product *product, uint64_t seed, gp_row_judgement *rows);

void gp_row_judgement_free(gp_row_judgement *rows);

gp_product gp_product_transposed(const gp_product *product);

/* What `count` sums, added up, may differ by from the exact ones: `magnitudes` is the sum of their
 * sum(|a||b|). */
double gp_sum_error(const gp_product *product, double magnitudes, size_t count);

/* The same of elements of a right C, in which the sums are stored: `results` is the sum of their
 * own magnitudes. */
double gp_allowed_error(const gp_product *product, double magnitudes, double results, size_t count);

#endif
