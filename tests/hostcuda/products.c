/* usage: hostcuda_products SEED COUNT
 *
 * Multiplies random arrays by the product's launcher and the kernels on the host, and compares each
 * element with the plain-C reference. Prints "right", or the first case that is wrong. */
#include "judge.h"
#include "ops/gp_matmul_reference.h"
#include "ops/native/gp_matmul_native.h"
#include "shim_driver.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct product {
    gp_tensor a;
    gp_tensor b;
    gp_tensor c;
    gp_tensor expected;
    gp_matmul_shape shape;
    const gp_arithmetic *arithmetic;
    contents what;
} product;

static int64_t
random_extent(void)
{
    static const int64_t extents[] = {0, 1, 1, 2, 3, 7, 15, 16, 17, 31, 33, 41};
    return random_of(extents, sizeof extents / sizeof extents[0]);
}

static void
choose_types(product *of)
{
    static const gp_dtype floats[] = {GP_FLOAT32, GP_FLOAT16, GP_BFLOAT16};
    gp_dtype type = (gp_dtype)random_below(GP_DTYPE_COUNT);
    bool is_float8 = type == GP_FLOAT8_E4M3FN || type == GP_FLOAT8_E5M2;
    of->arithmetic = gp_arithmetic_of(type);
    of->a.dtype = type;
    of->b.dtype = type;
    if (is_float8 && random_below(2) == 0) { of->b.dtype = GP_FLOAT8_E5M2; }
    do {
        of->c.dtype = gp_dtype_is_float(type) ? floats[random_below(3)] : GP_INT32;
        if (type == GP_FLOAT64) { of->c.dtype = GP_FLOAT64; }
    } while (!gp_matmul_native_has(type, of->c.dtype, of->arithmetic));
    of->what = (contents)random_below(3);
}

/* Vectors, matrices, and stacks of them of which either may be broadcast. */
static void
choose_shapes(int64_t a[4], int *a_ndim, int64_t b[4], int *b_ndim)
{
    int64_t m = random_extent();
    int64_t n = random_extent();
    int64_t k = random_extent();
    int64_t stack[2] = {(int64_t)random_below(4), (int64_t)(1 + random_below(3))};
    *a_ndim = (int)(1 + random_below(4));
    *b_ndim = (int)(1 + random_below(4));
    int64_t a_full[4] = {stack[0], random_below(3) == 0 ? 1 : stack[1], m, k};
    int64_t b_full[4] = {random_below(3) == 0 ? 1 : stack[0], stack[1], k, n};
    for (int i = 0; i < *a_ndim; i++) {
        a[i] = a_full[4 - *a_ndim + i];
    }
    for (int i = 0; i < *b_ndim; i++) {
        b[i] = *b_ndim == 1 ? k : b_full[4 - *b_ndim + i];
    }
}

static void
make_product(product *of)
{
    int64_t a[4];
    int64_t b[4];
    int a_ndim = 0;
    int b_ndim = 0;
    choose_types(of);
    choose_shapes(a, &a_ndim, b, &b_ndim);
    of->a = new_array(of->a.dtype, a_ndim, a, of->what);
    of->b = new_array(of->b.dtype, b_ndim, b, of->what);
    if (gp_matmul_shape_of(&of->a, &of->b, &of->shape, &of->c) != GP_MATMUL_FITS) {
        fputs("a case that does not fit\n", stderr);
        exit(1);
    }
    of->expected = of->c;
    new_result(&of->c);
    new_result(&of->expected);
}

static expectation
expect(const product *of, const gp_matrix at[3], size_t i, size_t j, double reference)
{
    expectation expected = {.reference = reference, .steps = (size_t)of->shape.k};
    for (size_t p = 0; p < expected.steps; p++) {
        double step = gp_matrix_at(&at[0], i, p) * gp_matrix_at(&at[1], p, j);
        expected.exact += step;
        expected.size += fabs(step);
    }
    return expected;
}

/* Whether the matrix number `index` is right. */
static bool
is_matrix_right(const product *of, int64_t index)
{
    gp_matrix at[3];
    gp_matrix reference[3];
    gp_matmul_matrices(&of->shape, &of->a, &of->b, &of->c, index, at);
    gp_matmul_matrices(&of->shape, &of->a, &of->b, &of->expected, index, reference);
    gp_status st = gp_matmul_reference(&at[0], &at[1], of->arithmetic, of->c.dtype,
                                       (void *)(uintptr_t)reference[2].data, NULL);
    if (gp_failed(st)) { return false; }
    for (size_t i = 0; i < at[2].rows; i++) {
        for (size_t j = 0; j < at[2].columns; j++) {
            double got = gp_matrix_at(&at[2], i, j);
            expectation expected = expect(of, at, i, j, gp_matrix_at(&reference[2], i, j));
            if (!is_right(got, of->c.dtype, of->arithmetic, of->what, &expected)) {
                fprintf(stderr, "matrix %" PRId64 " [%zu, %zu] is %.17g, expected %.17g\n", index,
                        i, j, got, of->what == FLOATS ? expected.exact : expected.reference);
                return false;
            }
        }
    }
    return true;
}

static bool
is_product_right(const product *of)
{
    gp_status st =
        gp_matmul_native(shim_module(), &of->shape, &of->a, &of->b, &of->c, of->arithmetic, NULL);
    if (gp_failed(st)) {
        fprintf(stderr, "%s: %d\n", st.call, st.code);
        return false;
    }
    bool is_right = true;
    for (int64_t i = 0; is_right && i < of->shape.batch; i++) {
        is_right = is_matrix_right(of, i);
    }
    return is_right;
}

int
main(int argc, char **argv)
{
    if (argc != 3) { return 2; }
    uint64_t first = strtoull(argv[1], NULL, 10);
    uint64_t count = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) {
        product of = {.what = WHOLE};
        random_begin(seed);
        shim_limit_blocks((unsigned int)(1 + random_below(9)));
        make_product(&of);
        if (!is_product_right(&of)) {
            fprintf(stderr, "seed %" PRIu64 ", %s, contents %d\n", seed, of.arithmetic->name,
                    (int)of.what);
            print_array("a", &of.a);
            print_array("b", &of.b);
            print_array("c", &of.c);
            return 1;
        }
        free_arrays();
    }
    puts("right");
    return 0;
}
