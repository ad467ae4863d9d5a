/* A proof that is ended early. */
#include "alloc_hook.h"
#include "harness.h"
#include "ops/prove/gp_prove_elements.h"
#include "ops/prove/gp_prove_matmul.h"

#include <math.h>

enum { SIDE = 40 };

static float a[SIDE * SIDE];
static float b[SIDE * SIDE];
static float c[SIDE * SIDE];

typedef struct patience {
    size_t asked;
    size_t most; /* over from then on; 0: never */
} patience;

static bool
is_over(void *context)
{
    patience *own = context;
    own->asked++;
    return own->most != 0 && own->asked >= own->most;
}

static gp_matrix
view(const float *data)
{
    return gp_matrix_of(data, GP_FLOAT32, SIDE, SIDE, SIDE * sizeof(float), sizeof(float));
}

static void
fill(float value)
{
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        a[i] = value;
        b[i] = value;
        c[i] = (float)SIDE * value * value;
    }
}

static size_t
prove(size_t most, gp_matmul_proof *proof)
{
    patience own = {0, most};
    const gp_watch watch = {is_over, &own};
    const gp_product product = {.a = view(a),
                                .b = view(b),
                                .c = view(c),
                                .arithmetic = gp_arithmetic_find("float32"),
                                .watch = &watch};
    gp_status st = gp_prove_matmul(&product, 7, proof);
    ASSERT_INT(0, alloc_live());
    if (most == 0) { ASSERT_OK(st); }
    return own.asked;
}

/* At many places: each loop that is left asks once more at most. */
static void
assert_ends(void)
{
    gp_matmul_proof proof;
    size_t asked = prove(0, &proof);
    for (size_t most = 1; most <= asked; most += 1 + most / 8) {
        ASSERT(prove(most, &proof) <= most + 64);
    }
}

TEST(prove_watch_may_end_a_proof_wherever_it_asks)
{
    fill(2.0F);
    assert_ends();
    c[5] = 1.0F;
    c[SIDE * SIDE - 1] = 3.0F;
    assert_ends();
    fill(0.7F);
    assert_ends();
    c[7] += 1.0F;
    assert_ends();
    c[7] = NAN;
    assert_ends();
}

/* Wrong all over, so that many elements would be computed again. */
TEST(prove_watch_leaves_out_what_is_left)
{
    gp_matmul_proof proof;
    fill(0.7F);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        c[i] = 1.0F;
    }
    ASSERT(prove(0, &proof) > 500);
    ASSERT(!proof.is_right);
    ASSERT(prove(2, &proof) < 100);
}

TEST(prove_watch_that_says_nothing_changes_nothing)
{
    gp_matmul_proof proof;
    fill(2.0F);
    ASSERT(prove(0, &proof) > 1);
    ASSERT(proof.is_right);
    ASSERT_INT(GP_BASIS_EXACT, proof.basis);
}

/* Narrow floats are slow, and all of a small product is computed again. */
TEST(prove_watch_ends_a_small_product_between_its_elements)
{
    patience own = {0, 3};
    const gp_watch watch = {is_over, &own};
    const gp_product product = {.a = view(a),
                                .b = view(b),
                                .c = view(c),
                                .arithmetic = gp_arithmetic_find("float32"),
                                .watch = &watch};
    gp_row_judgement rows;
    fill(0.7F);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        c[i] = 1.0F;
    }
    ASSERT_OK(gp_judge_elements(&product, &rows));
    ASSERT(rows.wrong[0] && !rows.wrong[SIDE - 1]);
    gp_row_judgement_free(&rows);
    ASSERT_INT(0, alloc_live());
}
