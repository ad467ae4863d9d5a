#include "ops/gp_matmul_reference.h"

#include "alloc_hook.h"
#include "harness.h"

#include <string.h>

static gp_tensor
tensor_of(void *data, gp_dtype dtype, int ndim, const int64_t *shape)
{
    gp_tensor tensor = {.data = data, .dtype = dtype, .ndim = ndim};
    memcpy(tensor.shape, shape, (size_t)ndim * sizeof(*shape));
    gp_tensor_set_compact(&tensor);
    return tensor;
}

static gp_matmul_misfit
fit(int a_ndim, const int64_t *a_shape, int b_ndim, const int64_t *b_shape, gp_tensor *c)
{
    gp_matmul_shape shape;
    gp_tensor a = tensor_of(NULL, GP_FLOAT32, a_ndim, a_shape);
    gp_tensor b = tensor_of(NULL, GP_FLOAT32, b_ndim, b_shape);
    *c = (gp_tensor){.dtype = GP_FLOAT32};
    return gp_matmul_shape_of(&a, &b, &shape, c);
}

TEST(matmul_shape_broadcasts_as_numpy_does)
{
    gp_tensor c;
    ASSERT_INT(GP_MATMUL_FITS, fit(4, (int64_t[]){2, 1, 3, 4}, 3, (int64_t[]){5, 4, 6}, &c));
    ASSERT_INT(4, c.ndim);
    ASSERT_INT(2, c.shape[0]);
    ASSERT_INT(5, c.shape[1]);
    ASSERT_INT(3, c.shape[2]);
    ASSERT_INT(6, c.shape[3]);
    ASSERT_INT(3 * 6 * 4, c.strides[1]);
}

TEST(matmul_shape_drops_the_axis_of_a_vector)
{
    gp_tensor c;
    ASSERT_INT(GP_MATMUL_FITS, fit(1, (int64_t[]){4}, 1, (int64_t[]){4}, &c));
    ASSERT_INT(0, c.ndim);
    ASSERT_INT(GP_MATMUL_FITS, fit(1, (int64_t[]){4}, 3, (int64_t[]){7, 4, 5}, &c));
    ASSERT_INT(2, c.ndim);
    ASSERT_INT(7, c.shape[0]);
    ASSERT_INT(5, c.shape[1]);
    ASSERT_INT(GP_MATMUL_FITS, fit(2, (int64_t[]){3, 4}, 1, (int64_t[]){4}, &c));
    ASSERT_INT(1, c.ndim);
    ASSERT_INT(3, c.shape[0]);
}

TEST(matmul_shape_says_what_does_not_fit)
{
    gp_tensor c;
    const int64_t huge = INT64_C(1) << 40;
    ASSERT_INT(GP_MATMUL_SCALAR, fit(0, (int64_t[]){1}, 1, (int64_t[]){4}, &c));
    ASSERT_INT(GP_MATMUL_INNER, fit(2, (int64_t[]){3, 4}, 2, (int64_t[]){3, 4}, &c));
    ASSERT_INT(GP_MATMUL_BATCH, fit(3, (int64_t[]){2, 3, 4}, 3, (int64_t[]){3, 4, 5}, &c));
    ASSERT_INT(GP_MATMUL_TOO_LARGE, fit(2, (int64_t[]){huge, 1}, 2, (int64_t[]){1, huge}, &c));
}

/* Two products in a batch, the second input the same for both. */
TEST(matmul_reference_multiplies_each_matrix_of_a_batch)
{
    float a_data[] = {1, 2, 3, 4, 5, 6, 7, 8};
    float b_data[] = {1, 0, -1, 2};
    float c_data[8] = {0};
    const float expected[] = {-1, 4, -1, 8, -1, 12, -1, 16};
    gp_tensor a = tensor_of(a_data, GP_FLOAT32, 3, (int64_t[]){2, 2, 2});
    gp_tensor b = tensor_of(b_data, GP_FLOAT32, 2, (int64_t[]){2, 2});
    gp_tensor c = {.data = c_data, .dtype = GP_FLOAT32};
    gp_matmul_shape shape;
    ASSERT_INT(GP_MATMUL_FITS, gp_matmul_shape_of(&a, &b, &shape, &c));
    ASSERT_INT(2, shape.batch);
    for (int64_t i = 0; i < shape.batch; i++) {
        gp_matrix matrices[3];
        gp_matmul_matrices(&shape, &a, &b, &c, i, matrices);
        ASSERT_OK(gp_matmul_reference(&matrices[0], &matrices[1], gp_arithmetic_find("float32"),
                                      GP_FLOAT32, c_data + 4 * i, NULL));
    }
    for (size_t i = 0; i < 8; i++) {
        ASSERT(c_data[i] == expected[i]);
    }
}

static double
one_product(const char *compute, gp_dtype dtype, const double *a, const double *b, size_t k)
{
    double out = 0.0;
    gp_matrix left = gp_matrix_of(a, GP_FLOAT64, 1, k, (ptrdiff_t)(k * sizeof(*a)), sizeof(*a));
    gp_matrix right = gp_matrix_of(b, GP_FLOAT64, k, 1, sizeof(*b), sizeof(*b));
    unsigned char element[8] = {0};
    ASSERT_OK(
        gp_matmul_reference(&left, &right, gp_arithmetic_find(compute), dtype, element, NULL));
    out = gp_dtype_load(dtype, element);
    return out;
}

/* The sanitizers see what overflows: the strides of an array without elements may be any. */
TEST(matmul_reference_of_nothing_computes_with_no_stride)
{
    float product[3 * 2 * 2];
    gp_tensor a = tensor_of(product, GP_FLOAT32, 3, (int64_t[]){3, 2, 0});
    gp_tensor b = tensor_of(product, GP_FLOAT32, 3, (int64_t[]){3, 0, 2});
    gp_tensor c = {.data = product, .dtype = GP_FLOAT32};
    gp_matmul_shape shape;
    for (int i = 0; i < 3; i++) {
        a.strides[i] = INT64_MAX;
        b.strides[i] = INT64_MIN;
    }
    memset(product, 0xA5, sizeof(product));
    ASSERT_INT(GP_MATMUL_FITS, gp_matmul_shape_of(&a, &b, &shape, &c));
    for (int64_t i = 0; i < shape.batch; i++) {
        gp_matrix matrices[3];
        gp_matmul_matrices(&shape, &a, &b, &c, i, matrices);
        ASSERT_OK(gp_matmul_reference(&matrices[0], &matrices[1], gp_arithmetic_find("float32"),
                                      GP_FLOAT32, product + 4 * i, NULL));
    }
    for (int i = 0; i < 3 * 2 * 2; i++) {
        ASSERT(product[i] == 0.0F);
    }
}

TEST(matmul_reference_sums_in_the_arithmetic_that_is_asked_for)
{
    const double big_and_small[] = {0x1p24, 1.0, 1.0};
    const double ones[] = {1.0, 1.0, 1.0};
    const double fine[] = {1.0 + 0x1p-12};
    const double wide[] = {2147483647.0, 1.0};
    ASSERT(one_product("float64", GP_FLOAT64, big_and_small, ones, 3) == 0x1p24 + 2.0);
    ASSERT(one_product("float32", GP_FLOAT64, big_and_small, ones, 3) == 0x1p24);
    ASSERT(one_product("float32", GP_FLOAT64, fine, ones, 1) == 1.0 + 0x1p-12);
    ASSERT(one_product("tf32", GP_FLOAT64, fine, ones, 1) == 1.0);
    ASSERT(one_product("int32", GP_INT32, wide, ones, 2) == -2147483648.0);
    ASSERT(one_product("float32", GP_FLOAT16, big_and_small, ones, 3) > 1e300);
}

/* Multiples of 2^-136 are what it has there, as at 2^-126; ties go to the even one. */
TEST(matmul_reference_rounds_small_inputs_as_tf32_does)
{
    static const double inputs[] = {0x1.001p-127, 0x1.8p-136, 0x1.8p-137, 0x1p-137, 0x1.008p-126};
    static const double rounded[] = {0x1p-127, 0x1p-135, 0x1p-136, 0.0, 0x1.008p-126};
    const double large[] = {0x1p100};
    for (int i = 0; i < 5; i++) {
        ASSERT(one_product("tf32", GP_FLOAT64, &inputs[i], large, 1) == rounded[i] * 0x1p100);
    }
}

TEST(matmul_reference_without_memory_says_so)
{
    const double one = 1.0;
    double out = 0.0;
    gp_matrix matrix = gp_matrix_of(&one, GP_FLOAT64, 1, 1, sizeof(one), sizeof(one));
    alloc_fail_at(1);
    ASSERT_FAILED(GP_NO_MEMORY, 0,
                  gp_matmul_reference(&matrix, &matrix, gp_arithmetic_find("float64"), GP_FLOAT64,
                                      &out, NULL));
}

static bool
says_stop(void *context)
{
    ++*(int *)context;
    return true;
}

TEST(matmul_reference_that_is_stopped_computes_no_more)
{
    int asked = 0;
    double out = 7.0;
    const double one = 1.0;
    const gp_watch watch = {says_stop, &asked};
    gp_matrix matrix = gp_matrix_of(&one, GP_FLOAT64, 1, 1, sizeof(one), sizeof(one));
    ASSERT_OK(gp_matmul_reference(&matrix, &matrix, gp_arithmetic_find("float64"), GP_FLOAT64, &out,
                                  &watch));
    ASSERT_INT(1, asked);
    ASSERT(out == 7.0);
}
