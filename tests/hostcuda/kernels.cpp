#include "kernels.cu"

#include "registry.h"
#include "spans.h"

/* All that have one structure as their argument are named alike. */
#define MATMUL(type)                                                                           \
    {                                                                                          \
        "gp_matmul_" #type, hostcuda_unpack<gp_matmul_##type>::run, spans_of_matmul<gp_##type> \
    }
#define CONV2D(type)                                                                           \
    {                                                                                          \
        "gp_conv2d_" #type, hostcuda_unpack<gp_conv2d_##type>::run, spans_of_conv2d<gp_##type> \
    }

const hostcuda_kernel hostcuda_kernels[] = {
    {"gp_add_f32", hostcuda_unpack<gp_add_f32>::run, spans_of_add},
    {"gp_fill_f32", hostcuda_unpack<gp_fill_f32>::run, spans_of_fill},
    {"gp_hash_u64", hostcuda_unpack<gp_hash_u64>::run, spans_of_hash},
    MATMUL(f64),
    MATMUL(f32),
    MATMUL(f16),
    MATMUL(bf16),
    MATMUL(f8),
    MATMUL(i32),
    MATMUL(i8),
    CONV2D(f64),
    CONV2D(f32),
    CONV2D(f16),
    CONV2D(bf16),
};
const std::size_t hostcuda_kernel_count = sizeof hostcuda_kernels / sizeof hostcuda_kernels[0];
