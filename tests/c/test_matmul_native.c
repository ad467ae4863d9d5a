#include "ops/native/gp_matmul_native.h"

#include "harness.h"
#include "kernels/gp_work.h"
#include "scripted_cuda.h"

#include <string.h>

#define STREAM     ((gp_cu_stream)(void *)&script.stream)
#define ADDRESS(n) ((void *)((uintptr_t)(n) << 32))

static gp_tensor
tensor_of(void *data, gp_dtype dtype, int ndim, const int64_t *shape)
{
    gp_tensor tensor = {.data = data, .dtype = dtype, .ndim = ndim};
    memcpy(tensor.shape, shape, (size_t)ndim * sizeof(*shape));
    gp_tensor_set_compact(&tensor);
    return tensor;
}

/* Launches on the scripted driver; what the kernel was told is in `work`. */
static gp_status
multiply(gp_tensor a, gp_tensor b, gp_dtype output, const char *compute, gp_matmul_work *work)
{
    gp_cuda cu = scripted_cuda_table();
    gp_module module = scripted_module(&cu);
    gp_matmul_shape shape;
    gp_tensor c = {.data = ADDRESS(3), .dtype = output};
    script.work = work;
    script.work_bytes = sizeof(*work);
    ASSERT_INT(GP_MATMUL_FITS, gp_matmul_shape_of(&a, &b, &shape, &c));
    return gp_matmul_native(&module, &shape, &a, &b, &c, gp_arithmetic_find(compute), STREAM);
}

TEST(matmul_native_hands_over_strides_and_batches_as_they_are)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_FLOAT16, 4, (int64_t[]){2, 1, 33, 5});
    gp_tensor b = tensor_of(ADDRESS(2), GP_FLOAT16, 3, (int64_t[]){7, 5, 16});
    b.strides[2] = -20;
    ASSERT_OK(multiply(a, b, GP_FLOAT32, "float16", &work));
    ASSERT_TEXT("gp_matmul_f16", script.kernel);
    ASSERT(script.stream == STREAM);
    ASSERT_INT(2 * 7 * 3, script.blocks);
    ASSERT(work.a == ADDRESS(1) && work.b == ADDRESS(2) && work.c == ADDRESS(3));
    ASSERT_INT(33, work.m);
    ASSERT_INT(16, work.n);
    ASSERT_INT(5, work.k);
    ASSERT_INT(14, work.batch);
    ASSERT_INT(GP_STORE_F32, work.store);
    ASSERT_INT(10, work.a_strides[0]);
    ASSERT_INT(-20, work.b_strides[1]);
    ASSERT_INT(2, work.batch_ndim);
    ASSERT_INT(7, work.batch_shape[1]);
    ASSERT_INT(0, work.a_batch_strides[1]);
    ASSERT_INT(5 * 16 * 2, work.b_batch_strides[1]);
}

/* The launch itself is the one call. */
TEST(matmul_native_asks_the_driver_for_nothing_but_the_launch)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_FLOAT32, 2, (int64_t[]){3, 3});
    for (size_t n = 1; n <= 3; n++) {
        ASSERT_OK(multiply(a, a, GP_FLOAT32, "float32", &work));
        ASSERT_INT(n, script.calls);
    }
}

TEST(matmul_native_tells_the_float8_types_apart)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_FLOAT8_E5M2, 2, (int64_t[]){1, 1});
    gp_tensor b = tensor_of(ADDRESS(2), GP_FLOAT8_E4M3FN, 2, (int64_t[]){1, 1});
    ASSERT_OK(multiply(a, b, GP_BFLOAT16, "float8", &work));
    ASSERT_TEXT("gp_matmul_f8", script.kernel);
    ASSERT_INT(GP_E5M2, work.a_format);
    ASSERT_INT(GP_E4M3, work.b_format);
    ASSERT_INT(GP_STORE_BF16, work.store);
}

TEST(matmul_native_launches_nothing_for_an_empty_result)
{
    gp_matmul_work work;
    gp_tensor none = tensor_of(ADDRESS(1), GP_INT8, 2, (int64_t[]){0, 5});
    gp_tensor some = tensor_of(ADDRESS(2), GP_INT8, 2, (int64_t[]){5, 3});
    ASSERT_OK(multiply(none, some, GP_INT32, "int32", &work));
    ASSERT_INT(0, script.launches);
}

/* Sums of nothing are zeros, which somebody has to write. */
TEST(matmul_native_launches_for_sums_of_nothing)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_INT8, 2, (int64_t[]){3, 0});
    gp_tensor b = tensor_of(ADDRESS(2), GP_INT8, 2, (int64_t[]){0, 3});
    ASSERT_OK(multiply(a, b, GP_INT32, "int32", &work));
    ASSERT_TEXT("gp_matmul_i8", script.kernel);
    ASSERT_INT(1, script.blocks);
}

/* Nobody goes to an element that is not there. */
TEST(matmul_native_takes_any_address_and_strides_of_an_empty_array)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_FLOAT32, 2, (int64_t[]){3, 0});
    gp_tensor b = tensor_of(ADDRESS(2), GP_FLOAT32, 2, (int64_t[]){0, 3});
    a.strides[0] = 13;
    b.data = (unsigned char *)b.data + 2;
    ASSERT_OK(multiply(a, b, GP_FLOAT32, "float32", &work));
    ASSERT_INT(1, script.launches);
    ASSERT_INT(0, work.a_strides[0]);
}

/* 2^40 rows: more than a grid may have blocks. */
TEST(matmul_native_keeps_to_the_limit_of_a_grid)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_FLOAT64, 2, (int64_t[]){INT64_C(1) << 40, 2});
    gp_tensor b = tensor_of(ADDRESS(2), GP_FLOAT64, 1, (int64_t[]){2});
    ASSERT_OK(multiply(a, b, GP_FLOAT64, "float64", &work));
    ASSERT(script.blocks > 0 && script.blocks <= INT32_MAX);
    ASSERT_INT(INT64_C(1) << 40, work.m);
    ASSERT_INT(1, work.n);
}

TEST(matmul_native_has_all_arithmetics_but_tf32)
{
    static const gp_dtype outputs[GP_DTYPE_COUNT] = {
        [GP_FLOAT64] = GP_FLOAT64,       [GP_FLOAT32] = GP_FLOAT32,
        [GP_FLOAT16] = GP_FLOAT16,       [GP_BFLOAT16] = GP_BFLOAT16,
        [GP_FLOAT8_E4M3FN] = GP_FLOAT32, [GP_FLOAT8_E5M2] = GP_FLOAT32,
        [GP_INT32] = GP_INT32,           [GP_INT8] = GP_INT32};
    for (int i = 0; i < GP_DTYPE_COUNT; i++) {
        ASSERT(gp_matmul_native_has((gp_dtype)i, outputs[i], gp_arithmetic_of((gp_dtype)i)));
    }
    ASSERT(!gp_matmul_native_has(GP_FLOAT32, GP_FLOAT32, gp_arithmetic_find("tf32")));
    ASSERT(!gp_matmul_native_has(GP_FLOAT32, GP_FLOAT16, gp_arithmetic_find("float32")));
    ASSERT(!gp_matmul_native_has(GP_FLOAT16, GP_BFLOAT16, gp_arithmetic_find("float16")));
    ASSERT(!gp_matmul_native_has(GP_INT8, GP_INT8, gp_arithmetic_find("int32")));
    ASSERT(!gp_matmul_native_has(GP_INT8, GP_FLOAT32, gp_arithmetic_find("int32")));
}

static void
assert_unsupported(gp_tensor a, gp_tensor b, gp_dtype output, const char *compute,
                   const char *reason)
{
    gp_matmul_work work;
    gp_status st = multiply(a, b, output, compute, &work);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS(reason, st.call);
    ASSERT_INT(0, script.calls);
}

TEST(matmul_native_says_why_it_does_not_compute)
{
    gp_tensor wide = tensor_of(ADDRESS(1), GP_FLOAT32, 2, (int64_t[]){3, 3});
    gp_tensor narrow = tensor_of(ADDRESS(2), GP_FLOAT16, 2, (int64_t[]){3, 3});
    gp_tensor odd = wide;
    gp_tensor askew = wide;
    odd.data = (unsigned char *)odd.data + 2;
    askew.strides[0] = 13;
    assert_unsupported(wide, wide, GP_FLOAT32, "tf32", "combination");
    assert_unsupported(wide, narrow, GP_FLOAT32, "float32", "combination");
    assert_unsupported(odd, wide, GP_FLOAT32, "float32", "multiple of its size");
    assert_unsupported(wide, askew, GP_FLOAT32, "float32", "multiple of its size");
}

/* A stride that is never gone along may be anything. */
TEST(matmul_native_takes_any_stride_of_an_axis_of_one)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_FLOAT32, 2, (int64_t[]){1, 3});
    gp_tensor b = tensor_of(ADDRESS(2), GP_FLOAT32, 2, (int64_t[]){3, 1});
    a.strides[0] = 1;
    b.strides[1] = 3;
    ASSERT_OK(multiply(a, b, GP_FLOAT32, "float32", &work));
}

TEST(matmul_native_names_the_kernel_that_could_not_be_launched)
{
    gp_matmul_work work;
    gp_tensor a = tensor_of(ADDRESS(1), GP_FLOAT32, 2, (int64_t[]){3, 3});
    script.fail_at = 1;
    gp_status st = multiply(a, a, GP_FLOAT32, "float32", &work);
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, st);
    ASSERT_TEXT("cuLaunchKernel(gp_matmul_f32)", st.call);
}
