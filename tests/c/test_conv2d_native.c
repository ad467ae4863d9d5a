#include "ops/native/gp_conv2d_native.h"

#include "harness.h"
#include "kernels/gp_work.h"
#include "scripted_cuda.h"

#define STREAM     ((gp_cu_stream)(void *)&script.stream)
#define ADDRESS(n) ((void *)((uintptr_t)(n) << 32))

static gp_tensor
tensor_of(void *data, gp_dtype dtype, int64_t d0, int64_t d1, int64_t d2, int64_t d3)
{
    gp_tensor tensor = {.data = data, .dtype = dtype, .ndim = 4, .shape = {d0, d1, d2, d3}};
    gp_tensor_set_compact(&tensor);
    return tensor;
}

static gp_tensor
bias_of(gp_dtype dtype, int64_t k)
{
    gp_tensor bias = {.data = ADDRESS(4), .dtype = dtype, .ndim = 1, .shape = {k}};
    gp_tensor_set_compact(&bias);
    return bias;
}

static gp_conv2d_options
options_of(gp_layout layout, int64_t groups)
{
    return (gp_conv2d_options){.layout = layout,
                               .padding = GP_PADDING_GIVEN,
                               .pad_before = {1, 2},
                               .pad_after = {3, 0},
                               .stride = {2, 1},
                               .dilation = {1, 3},
                               .groups = groups};
}

/* Launches on the scripted driver; what the kernel was told is in `work`. */
static gp_status
convolve(gp_tensor x, gp_tensor w, const gp_tensor *bias, gp_conv2d_options options,
         gp_dtype output, const char *compute, gp_conv2d_work *work)
{
    gp_cuda cu = scripted_cuda_table();
    gp_module module = scripted_module(&cu);
    gp_conv2d_shape shape;
    gp_tensor y = {.data = ADDRESS(3), .dtype = output};
    script.work = work;
    script.work_bytes = sizeof(*work);
    ASSERT_INT(GP_CONV2D_FITS, gp_conv2d_shape_of(&x, &w, &options, &shape, &y));
    return gp_conv2d_native(&module, &shape, &x, &w, bias, &y, gp_arithmetic_find(compute), STREAM);
}

TEST(conv2d_native_hands_over_the_whole_shape)
{
    gp_conv2d_work work;
    gp_tensor x = tensor_of(ADDRESS(1), GP_BFLOAT16, 5, 6, 20, 30);
    gp_tensor w = tensor_of(ADDRESS(2), GP_BFLOAT16, 4, 3, 3, 2);
    gp_tensor bias = bias_of(GP_BFLOAT16, 4);
    bias.strides[0] = 0;
    ASSERT_OK(convolve(x, w, &bias, options_of(GP_NCHW, 2), GP_FLOAT32, "bfloat16", &work));
    ASSERT_TEXT("gp_conv2d_bf16", script.kernel);
    ASSERT(script.stream == STREAM);
    ASSERT_INT((5 * 4 * 11 * 29 + 255) / 256, script.blocks);
    ASSERT(work.x == ADDRESS(1) && work.w == ADDRESS(2) && work.y == ADDRESS(3));
    ASSERT(work.bias == ADDRESS(4));
    ASSERT_INT(0, work.bias_stride);
    ASSERT_INT(5, work.n);
    ASSERT_INT(4, work.k);
    ASSERT_INT(3, work.channels);
    ASSERT_INT(2, work.filters);
    ASSERT_INT(20, work.in[0]);
    ASSERT_INT(2, work.filter[1]);
    ASSERT_INT(11, work.out[0]);
    ASSERT_INT(29, work.out[1]);
    ASSERT_INT(1, work.pad[0]);
    ASSERT_INT(2, work.pad[1]);
    ASSERT_INT(2, work.stride[0]);
    ASSERT_INT(3, work.dilation[1]);
    ASSERT_INT(20 * 30 * 2, work.x_strides[1]);
    ASSERT_INT(3 * 2 * 2, work.w_strides[1]);
    ASSERT_INT(GP_STORE_F32, work.store);
    ASSERT(!work.channels_last);
}

TEST(conv2d_native_writes_in_the_order_of_the_layout)
{
    gp_conv2d_work work;
    gp_tensor x = tensor_of(ADDRESS(1), GP_FLOAT32, 1, 20, 30, 2);
    gp_tensor w = tensor_of(ADDRESS(2), GP_FLOAT32, 4, 3, 2, 2);
    ASSERT_OK(convolve(x, w, NULL, options_of(GP_NHWC, 1), GP_FLOAT32, "float32", &work));
    ASSERT(work.channels_last);
    ASSERT(work.bias == NULL);
    ASSERT_INT(30 * 2 * 4, work.x_strides[2]);
}

TEST(conv2d_native_launches_nothing_for_an_empty_result)
{
    gp_conv2d_work work;
    gp_tensor x = tensor_of(ADDRESS(1), GP_FLOAT64, 0, 2, 20, 30);
    gp_tensor w = tensor_of(ADDRESS(2), GP_FLOAT64, 4, 2, 3, 2);
    ASSERT_OK(convolve(x, w, NULL, options_of(GP_NCHW, 1), GP_FLOAT64, "float64", &work));
    ASSERT_INT(0, script.launches);
}

/* Sums over no channels: the bias alone, which somebody has to write. */
TEST(conv2d_native_launches_for_sums_of_nothing)
{
    gp_conv2d_work work;
    gp_tensor x = tensor_of(ADDRESS(1), GP_FLOAT64, 1, 0, 20, 30);
    gp_tensor w = tensor_of(ADDRESS(2), GP_FLOAT64, 4, 0, 3, 2);
    gp_tensor bias = bias_of(GP_FLOAT64, 4);
    ASSERT_OK(convolve(x, w, &bias, options_of(GP_NCHW, 1), GP_FLOAT64, "float64", &work));
    ASSERT_TEXT("gp_conv2d_f64", script.kernel);
    ASSERT_INT(0, work.channels);
}

TEST(conv2d_native_has_the_floats_but_tf32)
{
    ASSERT(gp_conv2d_native_has(GP_FLOAT64, GP_FLOAT64, gp_arithmetic_find("float64")));
    ASSERT(gp_conv2d_native_has(GP_FLOAT32, GP_FLOAT32, gp_arithmetic_find("float32")));
    ASSERT(gp_conv2d_native_has(GP_FLOAT16, GP_FLOAT32, gp_arithmetic_find("float16")));
    ASSERT(gp_conv2d_native_has(GP_BFLOAT16, GP_BFLOAT16, gp_arithmetic_find("bfloat16")));
    ASSERT(!gp_conv2d_native_has(GP_FLOAT32, GP_FLOAT32, gp_arithmetic_find("tf32")));
    ASSERT(!gp_conv2d_native_has(GP_FLOAT32, GP_FLOAT16, gp_arithmetic_find("float32")));
    ASSERT(!gp_conv2d_native_has(GP_INT8, GP_INT32, gp_arithmetic_find("int32")));
    ASSERT(!gp_conv2d_native_has(GP_FLOAT8_E5M2, GP_FLOAT32, gp_arithmetic_find("float8")));
}

TEST(conv2d_native_says_why_it_does_not_compute)
{
    gp_conv2d_work work;
    gp_conv2d_options options = options_of(GP_NCHW, 1);
    gp_tensor x = tensor_of(ADDRESS(1), GP_FLOAT32, 1, 2, 20, 30);
    gp_tensor w = tensor_of(ADDRESS(2), GP_FLOAT32, 4, 2, 3, 2);
    gp_tensor bias = bias_of(GP_FLOAT16, 4);
    gp_tensor odd = x;
    odd.data = (unsigned char *)odd.data + 1;
    gp_status st = convolve(x, w, NULL, options, GP_FLOAT32, "tf32", &work);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS("combination", st.call);
    st = convolve(x, w, &bias, options, GP_FLOAT32, "float32", &work);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS("combination", st.call);
    st = convolve(odd, w, NULL, options, GP_FLOAT32, "float32", &work);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS("multiple of its size", st.call);
    ASSERT_INT(0, script.calls);
}

TEST(conv2d_native_names_the_kernel_that_could_not_be_launched)
{
    gp_conv2d_work work;
    gp_conv2d_options options = options_of(GP_NCHW, 1);
    gp_tensor x = tensor_of(ADDRESS(1), GP_FLOAT32, 1, 2, 20, 30);
    gp_tensor w = tensor_of(ADDRESS(2), GP_FLOAT32, 4, 2, 3, 2);
    script.fail_at = 1;
    gp_status st = convolve(x, w, NULL, options, GP_FLOAT32, "float32", &work);
    ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, st);
    ASSERT_TEXT("cuLaunchKernel(gp_conv2d_f32)", st.call);
}
