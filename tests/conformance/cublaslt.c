/* Our declarations of cuBLASLt's ABI against the real cublasLt.h (cuBLAS 13), as cuda.c does it. */
#define __CUDA_FP16_H__ /* cublasLt.h needs nothing of these two in C, and they need one more */
#define __CUDA_BF16_H__ /* package of NVIDIA's */
#include <cublasLt.h>

#include "abi/gp_abi_cublaslt.h"
#include "conformance.h"

SAME_TYPE(gp_cublas_status, cublasStatus_t);
SAME_TYPE(gp_cublas_compute, cublasComputeType_t);
SAME_TYPE(gp_cublas_type, cudaDataType_t);
SAME_TYPE(gp_cublaslt_handle, cublasLtHandle_t);
SAME_TYPE(gp_cu_stream, cudaStream_t);
SAME_TYPE(unsigned int, cublasLtMatmulDescAttributes_t);
SAME_TYPE(unsigned int, cublasLtMatrixLayoutAttribute_t);
SAME_TYPE(unsigned int, cublasLtMatmulPreferenceAttributes_t);

_Static_assert(sizeof(gp_cublaslt_algorithm) == sizeof(cublasLtMatmulAlgo_t), "algorithm");
SAME_MEMBER(gp_cublaslt_algorithm, data, cublasLtMatmulAlgo_t, data);

_Static_assert(sizeof(gp_cublaslt_choice) == sizeof(cublasLtMatmulHeuristicResult_t), "choice");
SAME_MEMBER(gp_cublaslt_choice, algorithm, cublasLtMatmulHeuristicResult_t, algo);
SAME_MEMBER(gp_cublaslt_choice, workspace_size, cublasLtMatmulHeuristicResult_t, workspaceSize);
SAME_MEMBER(gp_cublaslt_choice, state, cublasLtMatmulHeuristicResult_t, state);
SAME_MEMBER(gp_cublaslt_choice, waves, cublasLtMatmulHeuristicResult_t, wavesCount);

SAME_VALUE(GP_CUBLAS_SUCCESS, CUBLAS_STATUS_SUCCESS);
SAME_VALUE(GP_CUBLAS_NOT_INITIALIZED, CUBLAS_STATUS_NOT_INITIALIZED);
SAME_VALUE(GP_CUBLAS_ALLOC_FAILED, CUBLAS_STATUS_ALLOC_FAILED);
SAME_VALUE(GP_CUBLAS_INTERNAL_ERROR, CUBLAS_STATUS_INTERNAL_ERROR);
SAME_VALUE(GP_CUBLAS_NOT_SUPPORTED, CUBLAS_STATUS_NOT_SUPPORTED);
SAME_VALUE(GP_CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F);
SAME_VALUE(GP_CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F);
SAME_VALUE(GP_CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32I);
SAME_VALUE(GP_CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_COMPUTE_32F_FAST_TF32);
SAME_VALUE(GP_CUBLAS_R_32F, CUDA_R_32F);
SAME_VALUE(GP_CUBLAS_R_64F, CUDA_R_64F);
SAME_VALUE(GP_CUBLAS_R_16F, CUDA_R_16F);
SAME_VALUE(GP_CUBLAS_R_8I, CUDA_R_8I);
SAME_VALUE(GP_CUBLAS_R_32I, CUDA_R_32I);
SAME_VALUE(GP_CUBLAS_R_16BF, CUDA_R_16BF);
SAME_VALUE(GP_CUBLAS_R_8F_E4M3, CUDA_R_8F_E4M3);
SAME_VALUE(GP_CUBLAS_R_8F_E5M2, CUDA_R_8F_E5M2);
SAME_VALUE(GP_CUBLAS_OP_N, CUBLAS_OP_N);
SAME_VALUE(GP_CUBLAS_OP_T, CUBLAS_OP_T);
SAME_VALUE(GP_CUBLASLT_OPERATION_TRANSA, CUBLASLT_MATMUL_DESC_TRANSA);
SAME_VALUE(GP_CUBLASLT_OPERATION_TRANSB, CUBLASLT_MATMUL_DESC_TRANSB);
SAME_VALUE(GP_CUBLASLT_LAYOUT_BATCH_COUNT, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
SAME_VALUE(GP_CUBLASLT_LAYOUT_BATCH_OFFSET, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
SAME_VALUE(GP_CUBLASLT_ALGORITHM_ID, CUBLASLT_ALGO_CONFIG_ID);
SAME_VALUE(GP_CUBLASLT_ALGORITHM_SPLIT_K, CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
SAME_VALUE(GP_CUBLASLT_PREFERENCE_WORKSPACE, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
SAME_VALUE(GP_CUBLASLT_PREFERENCE_REDUCTION, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
SAME_VALUE(GP_CUBLASLT_PREFERENCE_ALIGNMENT_A, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
SAME_VALUE(GP_CUBLASLT_PREFERENCE_ALIGNMENT_B, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
SAME_VALUE(GP_CUBLASLT_PREFERENCE_ALIGNMENT_C, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
SAME_VALUE(GP_CUBLASLT_PREFERENCE_ALIGNMENT_D, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
SAME_VALUE(GP_CUBLASLT_REDUCTION_COMPUTE_TYPE, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);

#define GP_ERROR(name, code) SAME_VALUE(code, name);
#include "base/cublas_errors.def"
#undef GP_ERROR

#define GP_CUBLASLT_SYMBOL(need, name, parameters) DECLARED(name);
#include "api/cublaslt_symbols.def"
#undef GP_CUBLASLT_SYMBOL

/* The structures were compared above, and those without a name of the vendor's are pointed to
 * alone; from here on ours are theirs. */
#define gp_cublaslt_operation                      cublasLtMatmulDesc_t
#define gp_cublaslt_layout                         cublasLtMatrixLayout_t
#define gp_cublaslt_preference                     cublasLtMatmulPreference_t
#define gp_cublaslt_algorithm                      cublasLtMatmulAlgo_t
#define gp_cublaslt_choice                         cublasLtMatmulHeuristicResult_t
#define GP_CUBLASLT_SYMBOL(need, name, parameters) gp_cublas_status name parameters;
#include "api/cublaslt_symbols.def"
#undef GP_CUBLASLT_SYMBOL

int
main(void)
{
    int functions = 0;
#define GP_CUBLASLT_SYMBOL(need, name, parameters) functions++;
#include "api/cublaslt_symbols.def"
#undef GP_CUBLASLT_SYMBOL
    printf("%d functions agree with cublasLt.h %d\n", functions, CUBLAS_VER_MAJOR);
    return 0;
}
