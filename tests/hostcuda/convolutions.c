/* usage: hostcuda_convolutions SEED COUNT
 *
 * Convolves random arrays by the product's launcher and the kernels on the host, and compares each
 * element with the plain-C reference. Prints "right", or the first case that is wrong. */
#include "judge.h"
#include "ops/gp_conv2d_reference.h"
#include "ops/native/gp_conv2d_native.h"
#include "shim_driver.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct convolution {
    gp_tensor x;
    gp_tensor w;
    gp_tensor bias_array;
    const gp_tensor *bias; /* NULL: none */
    gp_tensor y;
    gp_tensor expected;
    gp_tensor exact; /* the same in float64 */
    gp_tensor size;  /* and of magnitudes */
    gp_conv2d_options options;
    gp_conv2d_shape shape;
    const gp_arithmetic *arithmetic;
    contents what;
} convolution;

/* From `least` on, `count` numbers. */
static int64_t
random_from(int64_t least, uint64_t count)
{
    return least + (int64_t)random_below(count);
}

static void
choose_types(convolution *of)
{
    static const gp_dtype types[] = {GP_FLOAT64, GP_FLOAT32, GP_FLOAT16, GP_BFLOAT16};
    gp_dtype type = types[random_below(4)];
    bool is_narrow = type == GP_FLOAT16 || type == GP_BFLOAT16;
    of->arithmetic = gp_arithmetic_of(type);
    of->x.dtype = type;
    of->y.dtype = is_narrow && random_below(2) == 0 ? GP_FLOAT32 : type;
    of->what = (contents)random_below(3);
}

static void
choose_options(gp_conv2d_options *options)
{
    options->layout = (gp_layout)random_below(2);
    options->padding = (gp_padding)random_below(3);
    options->groups = random_from(1, 3);
    for (int i = 0; i < 2; i++) {
        options->pad_before[i] = random_from(0, 4);
        options->pad_after[i] = random_from(0, 4);
        options->stride[i] = random_from(1, 3);
        options->dilation[i] = random_from(1, 3);
    }
}

/* The four extents n c h w, or k c r s, as the layout has them. */
static gp_tensor
new_image(const convolution *of, int64_t n, int64_t c, int64_t h, int64_t v)
{
    bool is_nchw = of->options.layout == GP_NCHW;
    int64_t shape[4] = {n, is_nchw ? c : h, is_nchw ? h : v, is_nchw ? v : c};
    return new_array(of->x.dtype, 4, shape, of->what);
}

/* False: the filter is larger than the image. */
static bool
make_convolution(convolution *of)
{
    choose_types(of);
    choose_options(&of->options);
    int64_t channels = random_from(0, 5);
    int64_t filters = of->options.groups * random_from(0, 4);
    of->x = new_image(of, random_from(0, 4), of->options.groups * channels, random_from(1, 12),
                      random_from(1, 20));
    of->w = new_image(of, filters, channels, random_from(1, 4), random_from(1, 3));
    of->bias_array = new_array(of->x.dtype, 1, &filters, of->what);
    of->bias = random_below(2) == 0 ? &of->bias_array : NULL;
    if (gp_conv2d_shape_of(&of->x, &of->w, &of->options, &of->shape, &of->y) != GP_CONV2D_FITS) {
        return false;
    }
    of->expected = of->y;
    new_result(&of->y);
    new_result(&of->expected);
    return true;
}

/* The bounds of each element: the same sums in float64, of the numbers and of their magnitudes. */
static void
compute_bounds(convolution *of)
{
    const gp_arithmetic *wide = gp_arithmetic_find("float64");
    gp_tensor x = new_magnitudes(&of->x);
    gp_tensor w = new_magnitudes(&of->w);
    gp_tensor bias = new_magnitudes(&of->bias_array);
    gp_conv2d_shape of_wide;
    of->exact.dtype = GP_FLOAT64;
    (void)gp_conv2d_shape_of(&of->x, &of->w, &of->options, &of_wide, &of->exact);
    of->size = of->exact;
    new_result(&of->exact);
    new_result(&of->size);
    gp_conv2d_reference(&of_wide, wide, &of->x, &of->w, of->bias, &of->exact);
    gp_conv2d_reference(&of_wide, wide, &x, &w, of->bias == NULL ? NULL : &bias, &of->size);
}

static double
element(const gp_tensor *tensor, size_t i)
{
    size_t size = gp_dtype_size(tensor->dtype);
    return gp_dtype_load(tensor->dtype, (const unsigned char *)tensor->data + i * size);
}

static bool
is_convolution_right(convolution *of)
{
    gp_status st = gp_conv2d_native(shim_module(), &of->shape, &of->x, &of->w, of->bias, &of->y,
                                    of->arithmetic, NULL);
    if (gp_failed(st)) {
        fprintf(stderr, "%s: %d\n", st.call, st.code);
        return false;
    }
    gp_conv2d_reference(&of->shape, of->arithmetic, &of->x, &of->w, of->bias, &of->expected);
    compute_bounds(of);
    int64_t count = 0;
    (void)gp_tensor_count(&of->y, &count);
    size_t steps =
        (size_t)(of->shape.c / of->shape.groups * of->shape.filter[0] * of->shape.filter[1]) +
        1; /* the bias */
    for (size_t i = 0; i < (size_t)count; i++) {
        expectation expected = {element(&of->expected, i), element(&of->exact, i),
                                element(&of->size, i), steps};
        double got = element(&of->y, i);
        if (!is_right(got, of->y.dtype, of->arithmetic, of->what, &expected)) {
            fprintf(stderr, "element %zu is %.17g, expected %.17g\n", i, got,
                    of->what == FLOATS ? expected.exact : expected.reference);
            return false;
        }
    }
    return true;
}

static void
print_convolution(const convolution *of, uint64_t seed)
{
    fprintf(stderr, "seed %" PRIu64 ", %s, contents %d, %s\n", seed, of->arithmetic->name,
            (int)of->what, of->options.layout == GP_NCHW ? "NCHW" : "NHWC");
    for (int i = 0; i < 2; i++) {
        fprintf(stderr,
                "  axis %d: padding %" PRId64 ", stride %" PRId64 ", dilation %" PRId64 "\n", i,
                of->shape.pad_before[i], of->shape.stride[i], of->shape.dilation[i]);
    }
    fprintf(stderr, "  groups: %" PRId64 "\n", of->shape.groups);
    print_array("x", &of->x);
    print_array("w", &of->w);
    if (of->bias != NULL) { print_array("bias", of->bias); }
    print_array("y", &of->y);
}

int
main(int argc, char **argv)
{
    if (argc != 3) { return 2; }
    uint64_t first = strtoull(argv[1], NULL, 10);
    uint64_t count = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) {
        convolution of = {.what = WHOLE};
        random_begin(seed);
        shim_limit_blocks((unsigned int)(1 + random_below(4)));
        if (make_convolution(&of) && !is_convolution_right(&of)) {
            print_convolution(&of, seed);
            return 1;
        }
        free_arrays();
    }
    puts("right");
    return 0;
}
