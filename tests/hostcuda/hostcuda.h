/* Runs the CUDA kernels of csrc/kernels on the host: the same .cu text, compiled as C++.
 *
 * The threads of a block are fibers that change places at __syncthreads and nowhere else, so each
 * phase between two barriers runs thread after thread. HOSTCUDA_ORDER says in which order:
 * ascending (the default), descending, or random:SEED. Shared memory is poisoned before each
 * block. A kernel that lacks a barrier gives other results in other orders; on a GPU it might
 * seem to work for years.
 *
 * What this cannot show: races within a phase that only true concurrency has, and speed. */
#ifndef HOSTCUDA_H
#define HOSTCUDA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hostcuda_result {
    HOSTCUDA_RAN = 0,
    HOSTCUDA_NO_KERNEL = 1,
    HOSTCUDA_BAD_LAUNCH = 2, /* sizes that CUDA refuses, dynamic shared memory, no such order */
    HOSTCUDA_DIVERGED = 3    /* some threads ended while others wait at a barrier */
} hostcuda_result;

/* Runs the whole grid before it returns. `params` points to the arguments, as cuLaunchKernel has
 * it; device memory is host memory. Launches of several threads run one after the other. */
int hostcuda_launch(const char *kernel, const unsigned grid[3], const unsigned block[3],
                    size_t shared_bytes, void **params);

/* Runs the block `at` of a grid that may be larger than what can be run as a whole. */
int hostcuda_launch_block(const char *kernel, const unsigned grid[3], const unsigned block[3],
                          const unsigned at[3], void **params);

/* Memory that a launch uses, from its first byte to its last. */
typedef struct hostcuda_span {
    const void *begin;
    size_t bytes; /* 0: none */
    int writes;   /* else it is read only */
} hostcuda_span;

enum { HOSTCUDA_MOST_SPANS = 4 };

/* Fills in what a launch with these arguments uses; returns how many, 0 if that is not known. */
int hostcuda_spans(const char *kernel, void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS]);

/* 1 if there is such a kernel, else 0. */
int hostcuda_has_kernel(const char *kernel);

#ifdef __cplusplus
}
#endif

#endif
