#include "gp_native.h"

#include "kernels/gp_kernels.h"
#include "kernels/gp_work.h"

/* Far more than any device runs at once, far less than the limit of 2^31 - 1: the blocks of a
 * larger result make several pieces each. */
enum { MOST_BLOCKS = 1 << 20 };

bool
gp_native_is_aligned(const gp_tensor *tensor)
{
    int64_t size = (int64_t)gp_dtype_size(tensor->dtype);
    if (gp_tensor_is_empty(tensor)) { return true; } /* with any address and strides */
    bool is_aligned = (uintptr_t)tensor->data % (uintptr_t)size == 0;
    for (int i = 0; i < tensor->ndim; i++) {
        is_aligned = is_aligned && (tensor->shape[i] < 2 || tensor->strides[i] % size == 0);
    }
    return is_aligned;
}

bool
gp_native_computes(gp_dtype input, const gp_arithmetic *arithmetic)
{
    return arithmetic == gp_arithmetic_of(input);
}

int64_t
gp_native_store(gp_dtype output)
{
    switch (output) {
    case GP_FLOAT16: return GP_STORE_F16;
    case GP_BFLOAT16: return GP_STORE_BF16;
    default: return GP_STORE_F32;
    }
}

gp_status
gp_native_launch(const gp_module *module, gp_kernel kernel, int64_t blocks, void *work,
                 gp_cu_stream stream)
{
    static const char *const calls[] = {
#define GP_KERNEL(constant, name) "cuLaunchKernel(" #name ")",
#include "kernels/gp_kernels.def"
#undef GP_KERNEL
    };
    unsigned int grid = (unsigned int)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
    void *parameters[] = {work};
    gp_status st = GP_CUDA_CALL(module->cu, cuLaunchKernel,
                                (module->functions[kernel], grid, 1, 1, GP_KERNEL_BLOCK, 1, 1, 0,
                                 stream, parameters, NULL));
    return gp_failed(st) ? gp_fail(st.kind, st.code, calls[kernel]) : st;
}
