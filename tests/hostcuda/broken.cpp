/* Kernels that test the shim itself, most of them with mistakes that a GPU often forgives. */
#include "gp_kernels.h"
#include "registry.h"

#include <cstdint>

/* Adds up to a wrong sum: nothing keeps a thread from reading what is not written yet. */
static void
sum_without_barrier(unsigned long long *sum, const std::uint32_t *words)
{
    __shared__ std::uint64_t partial[GP_KERNEL_BLOCK];
    partial[threadIdx.x] = words[threadIdx.x];
    for (unsigned half = GP_KERNEL_BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) { partial[threadIdx.x] += partial[threadIdx.x + half]; }
    }
    if (threadIdx.x == 0) { *sum = partial[0]; }
}

/* Uses what an earlier block, or nobody, left in shared memory. */
static void
read_unwritten(std::uint64_t *out)
{
    __shared__ std::uint64_t left_over[GP_KERNEL_BLOCK];
    out[threadIdx.x] = left_over[threadIdx.x];
    left_over[threadIdx.x] = 0;
}

/* Half of the threads leave before the barrier. */
static void
return_before_barrier(std::uint64_t *out)
{
    if (threadIdx.x >= GP_KERNEL_BLOCK / 2) { return; }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}

/* Correct: every thread of every block adds 1 to the element of its own. */
static void
count_threads(unsigned long long *out)
{
    const unsigned row = threadIdx.z * blockDim.y + threadIdx.y;
    atomicAdd(&out[row * blockDim.x + threadIdx.x], 1ull);
}

const hostcuda_kernel hostcuda_kernels[] = {
    {"count_threads", hostcuda_unpack<count_threads>::run},
    {"sum_without_barrier", hostcuda_unpack<sum_without_barrier>::run},
    {"read_unwritten", hostcuda_unpack<read_unwritten>::run},
    {"return_before_barrier", hostcuda_unpack<return_before_barrier>::run},
};
const std::size_t hostcuda_kernel_count = sizeof hostcuda_kernels / sizeof hostcuda_kernels[0];
