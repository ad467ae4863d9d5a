#include "gp_device.h"

/* out[i] = a[i] + b[i]. Moves 12 bytes per element for one addition, so bandwidth is the bound. */
GP_KERNEL
gp_add_f32(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b,
           uint64_t n)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        out[i] = a[i] + b[i];
    }
}
