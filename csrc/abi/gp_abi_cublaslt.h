/* Our own declarations of the part of cuBLASLt's ABI that we call: see gp_abi_cuda.h.
 *
 * Its descriptors are structures that grow from version to version: we hold pointers to what the
 * library makes, and never one of our own. The pointers' types have names of ours, as the vendor's
 * structures have none. */
#ifndef GP_ABI_CUBLASLT_H
#define GP_ABI_CUBLASLT_H

#include "abi/gp_abi_cuda.h"

#include <stddef.h>
#include <stdint.h>

typedef unsigned int gp_cublas_status; /* cublasStatus_t */
typedef struct cublasLtContext *gp_cublaslt_handle;
typedef struct gp_cublaslt_operation_st *gp_cublaslt_operation;   /* cublasLtMatmulDesc_t */
typedef struct gp_cublaslt_layout_st *gp_cublaslt_layout;         /* cublasLtMatrixLayout_t */
typedef struct gp_cublaslt_preference_st *gp_cublaslt_preference; /* cublasLtMatmulPreference_t */

/* cublasLtMatmulAlgo_t: may be copied. */
typedef struct gp_cublaslt_algorithm {
    uint64_t data[8];
} gp_cublaslt_algorithm;

/* cublasLtMatmulHeuristicResult_t */
typedef struct gp_cublaslt_choice {
    gp_cublaslt_algorithm algorithm;
    size_t workspace_size;
    gp_cublas_status state; /* the rest holds only where this is a success */
    float waves;
    int reserved[4];
} gp_cublaslt_choice;

enum {
    GP_CUBLAS_SUCCESS = 0,
    GP_CUBLAS_NOT_INITIALIZED = 1,
    GP_CUBLAS_ALLOC_FAILED = 3,
    GP_CUBLAS_INTERNAL_ERROR = 14,
    GP_CUBLAS_NOT_SUPPORTED = 15
};

/* cublasComputeType_t */
typedef unsigned int gp_cublas_compute;
enum {
    GP_CUBLAS_COMPUTE_32F = 68,
    GP_CUBLAS_COMPUTE_64F = 70,
    GP_CUBLAS_COMPUTE_32I = 72,
    GP_CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};

/* cudaDataType */
typedef unsigned int gp_cublas_type;
enum {
    GP_CUBLAS_R_32F = 0,
    GP_CUBLAS_R_64F = 1,
    GP_CUBLAS_R_16F = 2,
    GP_CUBLAS_R_8I = 3,
    GP_CUBLAS_R_32I = 10,
    GP_CUBLAS_R_16BF = 14,
    GP_CUBLAS_R_8F_E4M3 = 28,
    GP_CUBLAS_R_8F_E5M2 = 29
};

/* cublasOperation_t; the attributes that hold one are int32_t. */
enum { GP_CUBLAS_OP_N = 0, GP_CUBLAS_OP_T = 1 };

/* cublasLtMatmulDescAttributes_t */
enum { GP_CUBLASLT_OPERATION_TRANSA = 3, GP_CUBLASLT_OPERATION_TRANSB = 4 };

/* cublasLtMatrixLayoutAttribute_t: an int32_t, and an int64_t in elements. */
enum { GP_CUBLASLT_LAYOUT_BATCH_COUNT = 5, GP_CUBLASLT_LAYOUT_BATCH_OFFSET = 6 };

/* cublasLtMatmulPreferenceAttributes_t: a uint64_t, and uint32_t. */
enum {
    GP_CUBLASLT_PREFERENCE_WORKSPACE = 1,
    GP_CUBLASLT_PREFERENCE_REDUCTION = 3,
    GP_CUBLASLT_PREFERENCE_ALIGNMENT_A = 5,
    GP_CUBLASLT_PREFERENCE_ALIGNMENT_B = 6,
    GP_CUBLASLT_PREFERENCE_ALIGNMENT_C = 7,
    GP_CUBLASLT_PREFERENCE_ALIGNMENT_D = 8
};

/* cublasLtMatmulAlgoConfigAttributes_t: int32_t's; which algorithm it is, and into how many parts a
 * sum is cut. */
enum { GP_CUBLASLT_ALGORITHM_ID = 0, GP_CUBLASLT_ALGORITHM_SPLIT_K = 2 };

/* cublasLtReductionScheme_t: parts of a sum are added up in the type that is computed in. */
enum { GP_CUBLASLT_REDUCTION_COMPUTE_TYPE = 2 };

#endif
