/* The words of CUDA C++ that nvcc brings along, for a C++ compiler. Force-included before a .cu.
 * The index variables are plain globals: one fiber runs at a time, and each switch sets them. */
#ifndef HOSTCUDA_DEVICE_H
#define HOSTCUDA_DEVICE_H

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)

/* One section, so that the launcher can poison all shared memory at once. */
#define __shared__ static __attribute__((section("hostcuda_shared"), used))

struct hostcuda_index {
    unsigned x, y, z;
};

extern hostcuda_index threadIdx, blockIdx, blockDim, gridDim;

void __syncthreads();

/* Atomic by construction: fibers change places at barriers only. */
template <class T>
T
atomicAdd(T *address, T value)
{
    T old = *address;
    *address = static_cast<T>(old + value);
    return old;
}

#endif
