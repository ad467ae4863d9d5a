#include "gp_matmul_native.h"

#include "gp_native.h"
#include "kernels/gp_work.h"

#include <string.h>

_Static_assert((int)GP_WORK_AXES == (int)GP_MAX_NDIM,
               "the kernels take as many axes as tensors have");

/* The two float8 types have one kernel, which tells them apart. */
static const gp_kernel kernels[GP_DTYPE_COUNT] = {
    [GP_FLOAT64] = GP_KERNEL_MATMUL_F64,      [GP_FLOAT32] = GP_KERNEL_MATMUL_F32,
    [GP_FLOAT16] = GP_KERNEL_MATMUL_F16,      [GP_BFLOAT16] = GP_KERNEL_MATMUL_BF16,
    [GP_FLOAT8_E4M3FN] = GP_KERNEL_MATMUL_F8, [GP_FLOAT8_E5M2] = GP_KERNEL_MATMUL_F8,
    [GP_INT32] = GP_KERNEL_MATMUL_I32,        [GP_INT8] = GP_KERNEL_MATMUL_I8,
};

static bool
is_float8(gp_dtype dtype)
{
    return dtype == GP_FLOAT8_E4M3FN || dtype == GP_FLOAT8_E5M2;
}

static bool
has_output(gp_dtype input, gp_dtype output)
{
    switch (input) {
    case GP_FLOAT64:
    case GP_FLOAT32: return output == input;
    case GP_FLOAT16:
    case GP_BFLOAT16: return output == input || output == GP_FLOAT32;
    case GP_FLOAT8_E4M3FN:
    case GP_FLOAT8_E5M2:
        return output == GP_FLOAT32 || output == GP_BFLOAT16 || output == GP_FLOAT16;
    default: return output == GP_INT32;
    }
}

bool
gp_matmul_native_has(gp_dtype input, gp_dtype output, const gp_arithmetic *arithmetic)
{
    return gp_native_computes(input, arithmetic) && has_output(input, output);
}

static gp_matmul_work
work_of(const gp_matmul_shape *shape, const gp_tensor *a, const gp_tensor *b, const gp_tensor *c)
{
    gp_matmul_work work = {.a = a->data,
                           .b = b->data,
                           .c = c->data,
                           .m = shape->m,
                           .n = shape->n,
                           .k = shape->k,
                           .batch = shape->batch,
                           .store = gp_native_store(c->dtype),
                           .a_format = a->dtype == GP_FLOAT8_E5M2 ? GP_E5M2 : GP_E4M3,
                           .b_format = b->dtype == GP_FLOAT8_E5M2 ? GP_E5M2 : GP_E4M3,
                           .batch_ndim = shape->batch_ndim};
    memcpy(work.a_strides, shape->a_strides, sizeof(work.a_strides));
    memcpy(work.b_strides, shape->b_strides, sizeof(work.b_strides));
    memcpy(work.batch_shape, shape->batch_shape, sizeof(work.batch_shape));
    memcpy(work.a_batch_strides, shape->a_batch_strides, sizeof(work.a_batch_strides));
    memcpy(work.b_batch_strides, shape->b_batch_strides, sizeof(work.b_batch_strides));
    return work;
}

gp_status
gp_matmul_native(const gp_module *module, const gp_matmul_shape *shape, const gp_tensor *a,
                 const gp_tensor *b, const gp_tensor *c, const gp_arithmetic *arithmetic,
                 gp_cu_stream stream)
{
    bool is_one_type = a->dtype == b->dtype || (is_float8(a->dtype) && is_float8(b->dtype));
    if (!is_one_type || !gp_matmul_native_has(a->dtype, c->dtype, arithmetic)) {
        return gp_fail(GP_UNSUPPORTED, 0, GP_NATIVE_NO_KERNEL);
    }
    if (!gp_native_is_aligned(a) || !gp_native_is_aligned(b)) {
        return gp_fail(GP_UNSUPPORTED, 0, GP_NATIVE_NOT_ALIGNED);
    }
    int64_t tiles = shape->batch * gp_tiles_over(shape->m) * gp_tiles_over(shape->n);
    if (tiles == 0) { return gp_ok(); }
    gp_matmul_work work = work_of(shape, a, b, c);
    return gp_native_launch(module, kernels[a->dtype], tiles, &work, stream);
}
