#include "gp_conv2d_native.h"

#include "gp_native.h"
#include "kernels/gp_kernels.h"
#include "kernels/gp_work.h"

#include <string.h>

/* GP_KERNEL_COUNT: there is none. */
static gp_kernel
kernel_of(gp_dtype input)
{
    switch (input) {
    case GP_FLOAT64: return GP_KERNEL_CONV2D_F64;
    case GP_FLOAT32: return GP_KERNEL_CONV2D_F32;
    case GP_FLOAT16: return GP_KERNEL_CONV2D_F16;
    case GP_BFLOAT16: return GP_KERNEL_CONV2D_BF16;
    default: return GP_KERNEL_COUNT;
    }
}

bool
gp_conv2d_native_has(gp_dtype input, gp_dtype output, const gp_arithmetic *arithmetic)
{
    bool is_narrow = input == GP_FLOAT16 || input == GP_BFLOAT16;
    return kernel_of(input) != GP_KERNEL_COUNT && gp_native_computes(input, arithmetic) &&
           (output == input || (is_narrow && output == GP_FLOAT32));
}

static gp_conv2d_work
work_of(const gp_conv2d_shape *shape, const gp_tensor *x, const gp_tensor *w, const gp_tensor *bias,
        const gp_tensor *y)
{
    int64_t size = (int64_t)gp_dtype_size(y->dtype);
    gp_conv2d_work work = {.x = x->data,
                           .w = w->data,
                           .bias = bias == NULL ? NULL : bias->data,
                           .y = y->data,
                           .n = shape->n,
                           .k = shape->k,
                           .channels = shape->c / shape->groups,
                           .filters = shape->k / shape->groups,
                           .bias_stride = bias == NULL ? 0 : bias->strides[0],
                           .channels_last = shape->y_strides[1] == size,
                           .store = gp_native_store(y->dtype)};
    memcpy(work.in, shape->in, sizeof(work.in));
    memcpy(work.filter, shape->filter, sizeof(work.filter));
    memcpy(work.out, shape->out, sizeof(work.out));
    memcpy(work.pad, shape->pad_before, sizeof(work.pad));
    memcpy(work.stride, shape->stride, sizeof(work.stride));
    memcpy(work.dilation, shape->dilation, sizeof(work.dilation));
    memcpy(work.x_strides, shape->x_strides, sizeof(work.x_strides));
    memcpy(work.w_strides, shape->w_strides, sizeof(work.w_strides));
    return work;
}

gp_status
gp_conv2d_native(const gp_module *module, const gp_conv2d_shape *shape, const gp_tensor *x,
                 const gp_tensor *w, const gp_tensor *bias, const gp_tensor *y,
                 const gp_arithmetic *arithmetic, gp_cu_stream stream)
{
    bool is_one_type = x->dtype == w->dtype && (bias == NULL || bias->dtype == x->dtype);
    if (!is_one_type || !gp_conv2d_native_has(x->dtype, y->dtype, arithmetic)) {
        return gp_fail(GP_UNSUPPORTED, 0, GP_NATIVE_NO_KERNEL);
    }
    if (!gp_native_is_aligned(x) || !gp_native_is_aligned(w) ||
        (bias != NULL && !gp_native_is_aligned(bias))) {
        return gp_fail(GP_UNSUPPORTED, 0, GP_NATIVE_NOT_ALIGNED);
    }
    int64_t count = shape->n * shape->k * shape->out[0] * shape->out[1];
    if (count == 0) { return gp_ok(); }
    gp_conv2d_work work = work_of(shape, x, w, bias, y);
    int64_t blocks = count / GP_KERNEL_BLOCK + (count % GP_KERNEL_BLOCK != 0);
    return gp_native_launch(module, kernel_of(x->dtype), blocks, &work, stream);
}
