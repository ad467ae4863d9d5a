/* A device with cuBLAS on it, played by scripted_memory and scripted_cublaslt, and arrays in its
 * memory, which is the host's. */
#ifndef CUBLAS_BENCH_H
#define CUBLAS_BENCH_H

#include "ops/cublas/gp_matmul_cublas.h"
#include "scripted_cublaslt.h"
#include "scripted_memory.h"

#define BENCH_STREAM ((gp_cu_stream)(void *)&cublas_script)

typedef struct cublas_bench {
    gp_cuda cu;
    gp_cublaslt lt;
    gp_arena arena;
    gp_cublas cublas;
    gp_cublas_told told; /* of the last product */
} cublas_bench;

/* 90 at first. */
extern int bench_capability;
/* None at first. */
extern gp_settings bench_settings;

/* Opens all, with a limit on the arena's memory or 0; the first failure, which leaves nothing. */
gp_status bench_open(cublas_bench *bench, size_t limit);
gp_status bench_close(cublas_bench *bench);

/* An array of small whole numbers; strides in elements, NULL: compact. */
typedef struct bench_array {
    gp_dtype dtype;
    int ndim;
    int64_t shape[4];
    const int64_t *strides;
    int64_t offset; /* bytes from an address that is a multiple of 256 */
} bench_array;

/* ARRAY(GP_FLOAT32, 2, {5, 7}), and one that lies in another way: its strides and its offset stand
 * before its shape. */
#define ARRAY(type, n, ...)               \
    {                                     \
        (type), (n), __VA_ARGS__, NULL, 0 \
    }
#define LAID(type, n, steps, place, ...)           \
    {                                              \
        (type), (n), __VA_ARGS__, (steps), (place) \
    }

typedef struct bench_product {
    const char *arithmetic;
    bench_array a;
    bench_array b;
    gp_dtype c;
} bench_product;

/* Computes it, in memory that the next product uses again. */
gp_status bench_multiply(cublas_bench *bench, const bench_product *product);

/* The same, and fails the test unless every bit is that of the plain reference. */
void bench_check(cublas_bench *bench, const bench_product *product);

#endif
