/* The words of a proof: what is said to be a product, and what a look at it found. */
#ifndef GP_MATMUL_PROOF_H
#define GP_MATMUL_PROOF_H

#include "base/gp_watch.h"
#include "ops/gp_arithmetic.h"
#include "ops/gp_matrix.h"

enum { GP_WRONG_ELEMENTS = 16 };

/* A (m x k) times B (k x n) is said to be C (m x n), computed by this arithmetic. */
typedef struct gp_product {
    gp_matrix a;
    gp_matrix b;
    gp_matrix c;
    const gp_arithmetic *arithmetic;
    const gp_watch *watch; /* over its proof; NULL: it goes on to its end */
    size_t zero_steps;     /* so many products of every sum are 0, as one of the factors is */
} gp_product;

/* The steps of a sum that can lose anything: adding 0 is exact. */
static inline size_t
gp_product_steps(const gp_product *product)
{
    return product->a.columns - product->zero_steps;
}

typedef enum gp_proof_basis {
    /* Whole numbers, small enough that every order of summation gives the same bits. A wrong row
     * passes one time in 2^61. */
    GP_BASIS_EXACT,
    /* Floats: each element, in a large product of more than two rows some elements, and a sum of
     * each panel of columns by random weights, differs by no more than this arithmetic allows. */
    GP_BASIS_BOUND,
    /* A holds NaN or infinity, or B, or C: nothing that a proof could rest on. */
    GP_BASIS_NONE
} gp_proof_basis;

typedef enum gp_wrong_pattern {
    GP_PATTERN_NONE,
    GP_PATTERN_ELEMENT,
    GP_PATTERN_ROWS,    /* a row, or rows, of which most columns are wrong */
    GP_PATTERN_COLUMNS, /* likewise */
    GP_PATTERN_TILE,    /* a block of neighbouring rows and columns */
    GP_PATTERN_SCATTERED,
    GP_PATTERN_EVERYWHERE
} gp_wrong_pattern;

typedef struct gp_wrong_element {
    size_t row;
    size_t column;
    double expected; /* exact, before it is rounded to the type of C */
    double got;
    uint64_t expected_bits; /* as the type of C would hold it */
    uint64_t got_bits;
} gp_wrong_element;

/* The wrong lines of one direction. */
typedef struct gp_wrong_lines {
    size_t count;
    size_t first;
    size_t last;
} gp_wrong_lines;

typedef struct gp_matmul_proof {
    bool is_right;
    gp_proof_basis basis;
    char not_finite; /* 'a', 'b' or 'c' where the basis is NONE, else '\0' */
    size_t bad_row;  /* of that matrix: where its first NaN or infinity stands */
    size_t bad_column;
    double fraction; /* the greatest residual as a part of what is allowed; 0 where exact */
    gp_wrong_pattern pattern;
    gp_wrong_lines rows;
    gp_wrong_lines columns;
    bool is_zero;             /* everything wrong that was looked at is 0 */
    bool is_tf32;             /* the errors are too great for float32, and as TF32 makes them */
    bool is_one_bit;          /* one element, one bit of it */
    bool has_swapped_rows;    /* rows.first holds what belongs into rows.last, and the reverse */
    bool has_swapped_columns; /* likewise */
    size_t element_count;
    gp_wrong_element elements[GP_WRONG_ELEMENTS];
} gp_matmul_proof;

#endif
