/* Results and inputs of more than 2^32 elements, in addresses of which only the pages that are used
 * have memory. The last block of each grid runs, and makes the last elements. Prints "right",
 * "no room" where the system refuses such addresses, or what is wrong. */
#include "cases.h"
#include "ops/native/gp_conv2d_native.h"
#include "ops/native/gp_matmul_native.h"
#include "shim_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* 2^20 blocks, each of 2^10 tiles of 16 rows, or of 2^5 times 256 elements: see gp_native.c. */
#define ROWS     (INT64_C(1) << 34)
#define ELEMENTS (INT64_C(1) << 33)

/* Zeros, `bytes` of them. */
static void *
new_far(int64_t bytes)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) {
        puts("no room");
        exit(0);
    }
    return memory;
}

static void
require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "far: %s\n", what);
        exit(1);
    }
}

/* c = a b with a of ROWS rows and two columns, which lie ROWS apart. */
static void
multiply_far(void)
{
    int8_t *left = new_far(2 * ROWS);
    int8_t right[] = {3, 5};
    gp_tensor a = {left, GP_INT8, 2, {ROWS, 2}, {1, ROWS}};
    gp_tensor b = {right, GP_INT8, 2, {2, 1}, {1, 1}};
    gp_tensor c = {.dtype = GP_INT32};
    gp_matmul_shape shape;
    require(gp_matmul_shape_of(&a, &b, &shape, &c) == GP_MATMUL_FITS, "the product does not fit");
    int32_t *result = new_far(ROWS * (int64_t)sizeof(*result));
    c.data = result;
    left[ROWS - 1] = 7;
    left[2 * ROWS - 1] = 11;
    left[2 * ROWS - 16] = 1;
    gp_status st =
        gp_matmul_native(shim_module(), &shape, &a, &b, &c, gp_arithmetic_find("int32"), NULL);
    require(!gp_failed(st), "the product failed");
    require(result[ROWS - 1] == 7 * 3 + 11 * 5, "the last element of the product");
    require(result[ROWS - 16] == 5, "the first row of the last tile");
    require(result[ROWS - 2] == 0, "an element of the product beside others");
}

/* One image of one row: y[q] = 2 x[q] + 3 x[q + 1], with a zero behind. */
static void
convolve_far(void)
{
    float *image = new_far(ELEMENTS * (int64_t)sizeof(*image));
    float taps[] = {2, 3};
    gp_tensor x = {image, GP_FLOAT32, 4, {1, 1, 1, ELEMENTS}, {0}};
    gp_tensor w = {taps, GP_FLOAT32, 4, {1, 1, 1, 2}, {0}};
    gp_tensor y = {.dtype = GP_FLOAT32};
    gp_conv2d_options options = {
        .pad_after = {0, 1}, .stride = {1, 1}, .dilation = {1, 1}, .groups = 1};
    gp_conv2d_shape shape;
    gp_tensor_set_compact(&x);
    gp_tensor_set_compact(&w);
    require(gp_conv2d_shape_of(&x, &w, &options, &shape, &y) == GP_CONV2D_FITS,
            "the convolution does not fit");
    float *result = new_far(ELEMENTS * (int64_t)sizeof(*result));
    y.data = result;
    image[ELEMENTS - 1] = 10;
    gp_status st = gp_conv2d_native(shim_module(), &shape, &x, &w, NULL, &y,
                                    gp_arithmetic_find("float32"), NULL);
    require(!gp_failed(st), "the convolution failed");
    require(result[ELEMENTS - 1] == 20, "the last element of the convolution");
    require(result[ELEMENTS - 2] == 30, "the last but one element of the convolution");
    require(result[ELEMENTS - 3] == 0, "an element of the convolution beside others");
}

int
main(void)
{
    shim_run_last_block();
    multiply_far();
    convolve_far();
    puts("right");
    return 0;
}
