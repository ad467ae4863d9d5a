/* Shapes at the borders of what a number holds: nothing overflows, which the sanitizers watch, and
 * what is said to fit has a result of at least one place, if it is not to stay nothing. */
#include "harness.h"
#include "ops/gp_conv2d_shape.h"

static const int64_t two_31 = INT64_C(1) << 31;
static const int64_t two_62 = INT64_C(1) << 62;

static const int64_t borders[] = {INT64_MIN,
                                  -1,
                                  0,
                                  1,
                                  2,
                                  INT64_C(1) << 31,
                                  (INT64_C(1) << 31) + 1,
                                  INT64_C(1) << 62,
                                  (INT64_C(1) << 62) + 1,
                                  INT64_MAX};
enum { BORDERS = sizeof(borders) / sizeof(borders[0]) };

/* One image of one channel; its strides do not matter to the shape. */
static gp_tensor
tensor_of(int64_t height, int64_t width)
{
    return (gp_tensor){.dtype = GP_INT8, .ndim = 4, .shape = {1, 1, height, width}};
}

static gp_conv2d_options
plain(gp_padding padding)
{
    return (gp_conv2d_options){
        .padding = padding, .stride = {1, 1}, .dilation = {1, 1}, .groups = 1};
}

static gp_conv2d_misfit
misfit_of(gp_tensor x, gp_tensor w, gp_conv2d_options options, gp_conv2d_shape *shape)
{
    gp_tensor y = {.dtype = GP_INT8};
    gp_conv2d_misfit misfit = gp_conv2d_shape_of(&x, &w, &options, shape, &y);
    if (misfit == GP_CONV2D_FITS) {
        int64_t count = 0;
        ASSERT_OK(gp_tensor_count(&y, &count));
        int64_t least = options.padding == GP_PADDING_SAME && shape->in[0] == 0 ? 0 : 1;
        ASSERT(shape->out[0] >= least && shape->out[1] >= 1);
        ASSERT(shape->pad_before[0] >= 0 && shape->pad_after[0] >= 0);
    }
    return misfit;
}

/* The height alone: by its extents, the filter's and all options. */
static void
check(int64_t in, int64_t filter, int64_t padding, int64_t stride, int64_t dilation)
{
    static const gp_padding ways[] = {GP_PADDING_GIVEN, GP_PADDING_VALID, GP_PADDING_SAME};
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        gp_conv2d_options options = plain(ways[i]);
        gp_conv2d_shape shape;
        options.pad_before[0] = padding;
        options.pad_after[0] = padding;
        options.stride[0] = stride;
        options.dilation[0] = dilation;
        (void)misfit_of(tensor_of(in, 1), tensor_of(filter, 1), options, &shape);
    }
}

TEST(conv2d_shape_overflows_at_no_border)
{
    for (int in = 0; in < BORDERS; in++) {
        for (int filter = 0; filter < BORDERS; filter++) {
            for (int padding = 0; padding < BORDERS; padding++) {
                for (int stride = 0; stride < BORDERS; stride++) {
                    check(borders[in], borders[filter], borders[padding], borders[stride], 1);
                    check(borders[in], borders[filter], borders[padding], 1, borders[stride]);
                    check(borders[in], borders[filter], 0, borders[padding], borders[stride]);
                }
            }
        }
    }
}

TEST(conv2d_shape_of_the_greatest_numbers_is_right)
{
    gp_conv2d_shape shape;
    gp_conv2d_options options = plain(GP_PADDING_GIVEN);
    options.pad_before[0] = two_31;
    options.pad_after[0] = two_31;
    ASSERT_INT(GP_CONV2D_FITS, misfit_of(tensor_of(two_62, 1), tensor_of(1, 1), options, &shape));
    ASSERT_INT(two_62 + 2 * two_31, shape.out[0]);
    options = plain(GP_PADDING_SAME);
    options.dilation[0] = two_31;
    ASSERT_INT(GP_CONV2D_FITS,
               misfit_of(tensor_of(two_62, 1), tensor_of(two_31, 1), options, &shape));
    ASSERT_INT(two_62, shape.out[0]);
    ASSERT_INT((two_31 - 1) * two_31, shape.pad_before[0] + shape.pad_after[0]);
}

TEST(conv2d_shape_says_which_numbers_are_none)
{
    gp_conv2d_shape shape;
    gp_conv2d_options options = plain(GP_PADDING_VALID);
    const gp_tensor one = tensor_of(1, 1);
    ASSERT_INT(GP_CONV2D_EXTENT, misfit_of(tensor_of(-1, 1), one, options, &shape));
    ASSERT_INT(GP_CONV2D_EXTENT, misfit_of(tensor_of(1, two_62 + 1), one, options, &shape));
    ASSERT_INT(GP_CONV2D_EXTENT, misfit_of(one, tensor_of(0, 1), options, &shape));
    ASSERT_INT(GP_CONV2D_EXTENT, misfit_of(one, tensor_of(1, two_31 + 1), options, &shape));
    ASSERT_INT(GP_CONV2D_TOO_SMALL, misfit_of(one, tensor_of(1, two_31), options, &shape));
    ASSERT_INT(GP_CONV2D_TOO_SMALL, misfit_of(tensor_of(0, 1), one, options, &shape));
    options.groups = two_31 + 1;
    ASSERT_INT(GP_CONV2D_OPTION, misfit_of(one, one, options, &shape));
}

/* As TensorFlow has it: ceil(0 / stride) places, with no zeros around them. */
TEST(conv2d_shape_of_nothing_that_stays_the_same_is_nothing)
{
    for (int64_t filter = 1; filter < 5; filter++) {
        for (int64_t stride = 1; stride < 5; stride++) {
            gp_conv2d_shape shape;
            gp_conv2d_options options = plain(GP_PADDING_SAME);
            options.stride[0] = stride;
            ASSERT_INT(GP_CONV2D_FITS,
                       misfit_of(tensor_of(0, 3), tensor_of(filter, 2), options, &shape));
            ASSERT_INT(0, shape.out[0]);
            ASSERT_INT(3, shape.out[1]);
            ASSERT_INT(0, shape.pad_before[0] + shape.pad_after[0]);
        }
    }
}
