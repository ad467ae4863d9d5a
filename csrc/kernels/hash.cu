#include "gp_device.h"
#include "gp_formulas.h"

/* *hash += sum of gp_hash_u64_term(i, words[i]) modulo 2^64. Addition modulo 2^64 is associative
 * and commutative, so every order of threads and blocks gives the same bits. Reads 4 bytes per
 * element; one atomic addition per block. The launcher must use blocks of GP_KERNEL_BLOCK. */
GP_KERNEL
gp_hash_u64(unsigned long long *__restrict__ hash, const uint32_t *__restrict__ words, uint64_t n)
{
    __shared__ uint64_t partial[GP_KERNEL_BLOCK];
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    uint64_t sum = 0;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        sum += gp_hash_u64_term(i, words[i]);
    }
    partial[threadIdx.x] = sum;
    for (unsigned half = GP_KERNEL_BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) { partial[threadIdx.x] += partial[threadIdx.x + half]; }
    }
    if (threadIdx.x == 0) { atomicAdd(hash, (unsigned long long)partial[0]); }
}
