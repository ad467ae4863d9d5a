#include "kernels.cu"

#include "registry.h"

const hostcuda_kernel hostcuda_kernels[] = {
    {"gp_add_f32", hostcuda_unpack<gp_add_f32>::run},
    {"gp_conv2d_bf16", hostcuda_unpack<gp_conv2d_bf16>::run},
    {"gp_conv2d_f16", hostcuda_unpack<gp_conv2d_f16>::run},
    {"gp_conv2d_f32", hostcuda_unpack<gp_conv2d_f32>::run},
    {"gp_conv2d_f64", hostcuda_unpack<gp_conv2d_f64>::run},
    {"gp_fill_f32", hostcuda_unpack<gp_fill_f32>::run},
    {"gp_hash_u64", hostcuda_unpack<gp_hash_u64>::run},
    {"gp_matmul_bf16", hostcuda_unpack<gp_matmul_bf16>::run},
    {"gp_matmul_f16", hostcuda_unpack<gp_matmul_f16>::run},
    {"gp_matmul_f32", hostcuda_unpack<gp_matmul_f32>::run},
    {"gp_matmul_f64", hostcuda_unpack<gp_matmul_f64>::run},
    {"gp_matmul_f8", hostcuda_unpack<gp_matmul_f8>::run},
    {"gp_matmul_i32", hostcuda_unpack<gp_matmul_i32>::run},
    {"gp_matmul_i8", hostcuda_unpack<gp_matmul_i8>::run},
};
const std::size_t hostcuda_kernel_count = sizeof hostcuda_kernels / sizeof hostcuda_kernels[0];
