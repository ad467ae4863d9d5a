#include "kernels.cu"

#include "registry.h"

const hostcuda_kernel hostcuda_kernels[] = {
    {"gp_add_f32", hostcuda_unpack<gp_add_f32>::run},
    {"gp_fill_f32", hostcuda_unpack<gp_fill_f32>::run},
    {"gp_hash_u64", hostcuda_unpack<gp_hash_u64>::run},
};
const std::size_t hostcuda_kernel_count = sizeof hostcuda_kernels / sizeof hostcuda_kernels[0];
