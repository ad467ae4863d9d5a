#include "cublas_bench.h"

#include "harness.h"
#include "ops/gp_matmul_reference.h"

#include <string.h>

enum { ROOM = 1 << 14, MIDDLE = ROOM / 2 };

int bench_capability = 90;
gp_settings bench_settings;

static _Alignas(256) unsigned char pools[4][ROOM]; /* a, b, c, and the c that is expected */

static gp_cu_result
get_attribute(int *value, gp_cu_attribute attribute, gp_cu_device device)
{
    if (attribute == GP_CU_VIRTUAL_MEMORY_MANAGEMENT) {
        return scripted_memory_table().cuDeviceGetAttribute(value, attribute, device);
    }
    RETURN_IF_FAILING();
    *value =
        attribute == GP_CU_COMPUTE_CAPABILITY_MAJOR ? bench_capability / 10 : bench_capability % 10;
    return GP_CU_SUCCESS;
}

static gp_cu_result
fill(gp_cu_deviceptr target, unsigned char value, size_t bytes, gp_cu_stream stream)
{
    ASSERT(script.current > 0);
    ASSERT(stream == BENCH_STREAM);
    RETURN_IF_FAILING();
    memset((void *)(uintptr_t)target, value, bytes);
    return GP_CU_SUCCESS;
}

gp_status
bench_open(cublas_bench *bench, size_t limit)
{
    gp_shortage shortage;
    gp_growth_wish wish = {0.0, limit};
    bench->cu = scripted_memory_table();
    bench->cu.cuDeviceGetAttribute = get_attribute;
    bench->cu.cuMemsetD8Async = fill;
    bench->lt = scripted_cublaslt_table();
    gp_status st = gp_arena_open(&bench->cu, 0, wish, &bench->arena, &shortage);
    if (gp_failed(st)) { return st; }
    st = gp_cublas_open(&bench->lt, &bench->arena, &bench_settings, &bench->cublas);
    return gp_failed(st) ? gp_first_error(st, gp_arena_close(&bench->arena)) : st;
}

gp_status
bench_close(cublas_bench *bench)
{
    gp_status st = gp_cublas_close(&bench->cublas);
    return gp_first_error(st, gp_arena_close(&bench->arena));
}

/* Numbers from -3 to 3; the array begins in the middle, so that strides may be negative. */
static gp_tensor
fill_array(const bench_array *array, unsigned char *pool)
{
    size_t size = gp_dtype_size(array->dtype);
    unsigned char *start = pool + MIDDLE + array->offset;
    size_t first = (size_t)(start - pool) % size;
    gp_tensor tensor = {.data = start, .dtype = array->dtype, .ndim = array->ndim};
    for (size_t i = 0; first + (i + 1) * size <= ROOM; i++) {
        gp_dtype_store(array->dtype, (double)((i * 37 + i / 7) % 7) - 3.0, pool + first + i * size);
    }
    for (int i = 0; i < array->ndim; i++) {
        tensor.shape[i] = array->shape[i];
    }
    gp_tensor_set_compact(&tensor);
    for (int i = 0; array->strides != NULL && i < array->ndim; i++) {
        tensor.strides[i] = array->strides[i] * (int64_t)size;
    }
    return tensor;
}

/* The arrays of a product, and how they go together. */
typedef struct prepared {
    gp_tensor a;
    gp_tensor b;
    gp_tensor c;
    gp_matmul_shape shape;
    const gp_arithmetic *arithmetic;
} prepared;

static prepared
prepare(const bench_product *product)
{
    prepared made = {
        .a = fill_array(&product->a, pools[0]),
        .b = fill_array(&product->b, pools[1]),
        .c = {.data = pools[2], .dtype = product->c},
        .arithmetic = gp_arithmetic_find(product->arithmetic),
    };
    ASSERT_INT(GP_MATMUL_FITS, gp_matmul_shape_of(&made.a, &made.b, &made.shape, &made.c));
    memset(pools[2], 0xA5, ROOM);
    return made;
}

/* By the plain reference, into the last pool. */
static void
compute_expected(const prepared *made)
{
    size_t size = gp_dtype_size(made->c.dtype);
    unsigned char *out = pools[3];
    for (int64_t i = 0; i < made->shape.batch; i++) {
        gp_matrix matrices[3];
        gp_matmul_matrices(&made->shape, &made->a, &made->b, &made->c, i, matrices);
        ASSERT_OK(gp_matmul_reference(&matrices[0], &matrices[1], made->arithmetic, made->c.dtype,
                                      out, NULL));
        out += matrices[2].rows * matrices[2].columns * size;
    }
}

static gp_status
multiply(cublas_bench *bench, const prepared *made)
{
    gp_status st = gp_context_enter(&bench->arena.context);
    if (gp_failed(st)) { return st; }
    st = gp_matmul_cublas(&bench->cublas, &made->shape, &made->a, &made->b, &made->c,
                          made->arithmetic, BENCH_STREAM, &bench->told);
    return gp_first_error(st, gp_context_leave(&bench->arena.context));
}

gp_status
bench_multiply(cublas_bench *bench, const bench_product *product)
{
    prepared made = prepare(product);
    return multiply(bench, &made);
}

void
bench_check(cublas_bench *bench, const bench_product *product)
{
    prepared made = prepare(product);
    int64_t count = 0;
    ASSERT_OK(multiply(bench, &made));
    compute_expected(&made);
    ASSERT_OK(gp_tensor_count(&made.c, &count));
    size_t size = gp_dtype_size(made.c.dtype);
    for (size_t i = 0; i < (size_t)count; i++) {
        ASSERT_INT(gp_dtype_bits(made.c.dtype, pools[3] + i * size),
                   gp_dtype_bits(made.c.dtype, pools[2] + i * size));
    }
}
