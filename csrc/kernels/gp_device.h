/* How a kernel is declared. The tests compile the same text as C++, with a shim in the place of
 * the words that only nvcc knows. */
#ifndef GP_DEVICE_H
#define GP_DEVICE_H

#include "gp_kernels.h"

#define GP_KERNEL extern "C" __global__ __launch_bounds__(GP_KERNEL_BLOCK) void

/* Before a loop whose body is large: copies of it would only make the images larger. */
#ifdef __CUDACC__
#define GP_ROLLED _Pragma("unroll 1")
#else
#define GP_ROLLED
#endif

#endif
