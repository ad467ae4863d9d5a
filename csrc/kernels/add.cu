#include "gp_kernels.h"

/* out[i] = a[i] + b[i]. Moves 12 bytes per element for one addition, so bandwidth is the bound. */
extern "C" __global__ void __launch_bounds__(GP_KERNEL_BLOCK)
gp_add_f32(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b,
           uint64_t n)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        out[i] = a[i] + b[i];
    }
}
