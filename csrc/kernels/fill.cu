#include "gp_device.h"
#include "gp_formulas.h"

/* out[i] = gp_fill_f32_value(seed, i): element i depends on seed and i alone, so any order of the
 * threads gives the same data. Writes 4 bytes per element and reads none. */
GP_KERNEL
gp_fill_f32(float *__restrict__ out, uint64_t n, uint64_t seed)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        out[i] = gp_fill_f32_value(seed, i);
    }
}
