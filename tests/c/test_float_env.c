/* What is computed and what is proved depend on no rounding mode of the process, and on no flush of
 * subnormal numbers. */
#include "harness.h"
#include "ops/gp_conv2d_reference.h"
#include "ops/gp_matmul_reference.h"
#include "ops/prove/gp_prove_matmul.h"

#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>

/* Of x86-64, as -ffast-math and torch.set_flush_denormal(True) set them; other processors are left
 * with the rounding mode alone. */
#if defined(__SSE2__) && defined(__x86_64__)
#include <xmmintrin.h>

static unsigned int
set_flush(bool on)
{
    _mm_setcsr(on ? _mm_getcsr() | 0x8040U : _mm_getcsr() & ~0x8040U);
    return _mm_getcsr() & 0x8040U;
}
#else
static unsigned int
set_flush(bool on)
{
    (void)on;
    return 0;
}
#endif

/* No compiler may compute with them beforehand. */
static volatile float subnormal = 0x1p-140F;
static volatile float large = 0x1p100F;

static gp_matrix
one(const float *number)
{
    return gp_matrix_of(number, GP_FLOAT32, 1, 1, sizeof(*number), sizeof(*number));
}

static gp_matmul_proof
prove(float a, float b, float c)
{
    gp_matmul_proof proof;
    const gp_product product = {
        .a = one(&a), .b = one(&b), .c = one(&c), .arithmetic = gp_arithmetic_find("float32")};
    ASSERT_OK(gp_prove_matmul(&product, 7, &proof));
    return proof;
}

static void
with_another_environment(void (*check)(void))
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; i++) {
        ASSERT_INT(0, fesetround(modes[i]));
        unsigned int flush = set_flush(true);
        check();
        int mode_after = fegetround();
        unsigned int flush_after = set_flush(true);
        (void)set_flush(false);
        (void)fesetround(FE_TONEAREST);
        ASSERT_INT(modes[i], mode_after);
        ASSERT(flush == flush_after);
    }
}

static void
check_proofs(void)
{
    ASSERT(prove(subnormal, large, 0x1p-40F).is_right);
    ASSERT(!prove(subnormal, large, 0.0F).is_right);
    ASSERT(!prove(0.0F, 1.0F, subnormal).is_right);
}

TEST(prove_matmul_knows_subnormal_numbers_where_the_process_flushes_them)
{
    check_proofs();
    with_another_environment(check_proofs);
}

/* 1 + 2^-24 is half-way, and 1 is even; 2^-140 is a number. */
static void
check_references(void)
{
    const float ones[] = {1.0F, 0x1p-24F, 1.0F, 1.0F};
    const float small = subnormal;
    const float factor = large;
    float sum = 0.0F;
    float scaled = 0.0F;
    gp_matrix row = gp_matrix_of(ones, GP_FLOAT32, 1, 2, 2 * sizeof(*ones), sizeof(*ones));
    gp_matrix column = gp_matrix_of(ones + 2, GP_FLOAT32, 2, 1, sizeof(*ones), sizeof(*ones));
    gp_matrix a = one(&small);
    gp_matrix b = one(&factor);
    const gp_arithmetic *arithmetic = gp_arithmetic_find("float32");
    ASSERT_OK(gp_matmul_reference(&row, &column, arithmetic, GP_FLOAT32, &sum, NULL));
    ASSERT_OK(gp_matmul_reference(&a, &b, arithmetic, GP_FLOAT32, &scaled, NULL));
    ASSERT(sum == 1.0F);
    ASSERT(scaled == 0x1p-40F);
}

static void
check_convolution(void)
{
    float x[] = {1.0F, 0x1p-24F};
    float w[] = {1.0F, 1.0F};
    float y[] = {0.0F};
    gp_tensor tensors[3] = {
        {.data = x, .dtype = GP_FLOAT32, .ndim = 4, .shape = {1, 1, 1, 2}},
        {.data = w, .dtype = GP_FLOAT32, .ndim = 4, .shape = {1, 1, 1, 2}},
        {.data = y, .dtype = GP_FLOAT32, .ndim = 4, .shape = {1, 1, 1, 1}},
    };
    gp_conv2d_shape shape = {.n = 1, .c = 1, .k = 1, .groups = 1};
    for (int i = 0; i < 3; i++) {
        gp_tensor_set_compact(&tensors[i]);
        for (int axis = 0; axis < 4; axis++) {
            int64_t *strides[] = {shape.x_strides, shape.w_strides, shape.y_strides};
            strides[i][axis] = tensors[i].strides[axis];
        }
    }
    shape.in[0] = shape.filter[0] = shape.out[0] = shape.out[1] = 1;
    shape.in[1] = shape.filter[1] = 2;
    shape.stride[0] = shape.stride[1] = shape.dilation[0] = shape.dilation[1] = 1;
    gp_conv2d_reference(&shape, gp_arithmetic_find("float32"), &tensors[0], &tensors[1], NULL,
                        &tensors[2]);
    ASSERT(y[0] == 1.0F);
}

TEST(references_round_to_nearest_whatever_the_process_does)
{
    with_another_environment(check_references);
    with_another_environment(check_convolution);
}
