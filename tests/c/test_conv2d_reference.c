#include "ops/gp_conv2d_reference.h"

#include "harness.h"

#include <string.h>

static gp_tensor
tensor_of(void *data, int64_t d0, int64_t d1, int64_t d2, int64_t d3)
{
    gp_tensor tensor = {.data = data, .dtype = GP_FLOAT32, .ndim = 4, .shape = {d0, d1, d2, d3}};
    gp_tensor_set_compact(&tensor);
    return tensor;
}

static gp_conv2d_options
plain(void)
{
    return (gp_conv2d_options){.layout = GP_NCHW,
                               .padding = GP_PADDING_VALID,
                               .stride = {1, 1},
                               .dilation = {1, 1},
                               .groups = 1};
}

/* The height and width of the result for a 7 x 8 image and a 3 x 2 filter. */
static void
assert_extent(gp_conv2d_options options, int64_t height, int64_t width)
{
    gp_conv2d_shape shape;
    gp_tensor x = tensor_of(NULL, 1, 1, 7, 8);
    gp_tensor w = tensor_of(NULL, 1, 1, 3, 2);
    gp_tensor y = {.dtype = GP_FLOAT32};
    ASSERT_INT(GP_CONV2D_FITS, gp_conv2d_shape_of(&x, &w, &options, &shape, &y));
    ASSERT_INT(height, y.shape[2]);
    ASSERT_INT(width, y.shape[3]);
}

TEST(conv2d_shape_counts_the_places_of_the_filter)
{
    gp_conv2d_options options = plain();
    assert_extent(options, 5, 7);
    options.stride[0] = 2;
    options.dilation[1] = 3;
    assert_extent(options, 3, 5);
    options.padding = GP_PADDING_SAME;
    assert_extent(options, 4, 8);
    options = plain();
    options.padding = GP_PADDING_GIVEN;
    options.pad_before[0] = 1;
    options.pad_after[1] = 4;
    assert_extent(options, 6, 11);
}

/* An odd number of zeros: one more behind. */
TEST(conv2d_same_padding_puts_the_odd_zero_behind)
{
    gp_conv2d_shape shape;
    gp_conv2d_options options = plain();
    options.padding = GP_PADDING_SAME;
    gp_tensor x = tensor_of(NULL, 1, 1, 7, 8);
    gp_tensor w = tensor_of(NULL, 1, 1, 3, 2);
    gp_tensor y = {.dtype = GP_FLOAT32};
    ASSERT_INT(GP_CONV2D_FITS, gp_conv2d_shape_of(&x, &w, &options, &shape, &y));
    ASSERT_INT(1, shape.pad_before[0]);
    ASSERT_INT(1, shape.pad_after[0]);
    ASSERT_INT(0, shape.pad_before[1]);
    ASSERT_INT(1, shape.pad_after[1]);
}

static gp_conv2d_misfit
misfit_of(gp_tensor x, gp_tensor w, gp_conv2d_options options)
{
    gp_conv2d_shape shape;
    gp_tensor y = {.dtype = GP_FLOAT32};
    return gp_conv2d_shape_of(&x, &w, &options, &shape, &y);
}

TEST(conv2d_shape_says_what_does_not_fit)
{
    gp_conv2d_options options = plain();
    gp_tensor x = tensor_of(NULL, 1, 4, 7, 8);
    gp_tensor flat = x;
    flat.ndim = 3;
    ASSERT_INT(GP_CONV2D_NDIM, misfit_of(flat, tensor_of(NULL, 2, 4, 3, 3), options));
    ASSERT_INT(GP_CONV2D_CHANNELS, misfit_of(x, tensor_of(NULL, 2, 3, 3, 3), options));
    ASSERT_INT(GP_CONV2D_TOO_SMALL, misfit_of(x, tensor_of(NULL, 2, 4, 8, 3), options));
    ASSERT_INT(GP_CONV2D_EXTENT, misfit_of(x, tensor_of(NULL, 2, 4, 0, 3), options));
    options.groups = 3;
    ASSERT_INT(GP_CONV2D_GROUPS, misfit_of(x, tensor_of(NULL, 3, 1, 3, 3), options));
    options.groups = 0;
    ASSERT_INT(GP_CONV2D_OPTION, misfit_of(x, tensor_of(NULL, 2, 4, 3, 3), options));
}

static void
convolve(gp_tensor x, gp_tensor w, const gp_tensor *bias, gp_conv2d_options options, float *out,
         size_t count, const float *expected)
{
    gp_conv2d_shape shape;
    gp_tensor y = {.data = out, .dtype = GP_FLOAT32};
    ASSERT_INT(GP_CONV2D_FITS, gp_conv2d_shape_of(&x, &w, &options, &shape, &y));
    gp_conv2d_reference(&shape, gp_arithmetic_find("float32"), &x, &w, bias, &y);
    for (size_t i = 0; i < count; i++) {
        ASSERT(out[i] == expected[i]);
    }
}

/* By hand: a 2 x 3 image, a 2 x 2 filter that is not turned round, zeros on the left, a bias. */
TEST(conv2d_reference_is_a_cross_correlation)
{
    float image[] = {1, 2, 3, 4, 5, 6};
    float filter[] = {1, 10, 100, 1000};
    float bias_data[] = {0.5F};
    float out[3];
    const float expected[] = {4010.5F, 5421.5F, 6532.5F};
    gp_tensor bias = {.data = bias_data, .dtype = GP_FLOAT32, .ndim = 1, .shape = {1}};
    gp_tensor_set_compact(&bias);
    gp_conv2d_options options = plain();
    options.padding = GP_PADDING_GIVEN;
    options.pad_before[1] = 1;
    convolve(tensor_of(image, 1, 1, 2, 3), tensor_of(filter, 1, 1, 2, 2), &bias, options, out, 3,
             expected);
}

/* Depthwise: each channel has a filter of its own. */
TEST(conv2d_reference_keeps_groups_apart)
{
    float image[] = {1, 2, 3, 4};
    float filter[] = {10, 100};
    float out[4];
    const float expected[] = {10, 20, 300, 400};
    gp_conv2d_options options = plain();
    options.groups = 2;
    convolve(tensor_of(image, 1, 2, 1, 2), tensor_of(filter, 2, 1, 1, 1), NULL, options, out, 4,
             expected);
}

/* The same numbers with the channels last. */
TEST(conv2d_reference_takes_the_channels_last)
{
    float image[] = {1, 3, 2, 4}; /* n h w c */
    float filter[] = {1, 10};     /* k r s c */
    float out[2];
    const float expected[] = {31, 42};
    gp_conv2d_options options = plain();
    options.layout = GP_NHWC;
    convolve(tensor_of(image, 1, 1, 2, 2), tensor_of(filter, 1, 1, 1, 2), NULL, options, out, 2,
             expected);
}
