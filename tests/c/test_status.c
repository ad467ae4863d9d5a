#include "base/gp_status.h"
#include "harness.h"

TEST(status_keeps_the_first_error)
{
    gp_status first = gp_fail(GP_CUDA, 2, "cuMemAlloc_v2");
    gp_status later = gp_fail(GP_CUDA, 700, "cuMemFree_v2");
    ASSERT_FAILED(GP_CUDA, 2, gp_first_error(first, later));
    ASSERT_FAILED(GP_CUDA, 700, gp_first_error(gp_ok(), later));
    ASSERT_FAILED(GP_CUDA, 2, gp_first_error(first, gp_ok()));
    ASSERT_OK(gp_first_error(gp_ok(), gp_ok()));
}

TEST(status_names_the_codes_of_each_library_apart)
{
    char name[GP_STATUS_NAME_SIZE];
    ASSERT(gp_status_name(gp_fail(GP_CUDA, 3, "cuInit"), name));
    ASSERT_TEXT("CUDA_ERROR_NOT_INITIALIZED", name);
    ASSERT(gp_status_name(gp_fail(GP_NVML, 3, "nvmlDeviceGetMigMode"), name));
    ASSERT_TEXT("NVML_ERROR_NOT_SUPPORTED", name);
    ASSERT(gp_status_name(gp_fail(GP_CUBLAS, 15, "cublasLtMatmul"), name));
    ASSERT_TEXT("CUBLAS_STATUS_NOT_SUPPORTED", name);
    ASSERT(gp_status_name(gp_fail(GP_CUDNN, 3000, "cudnnBackendFinalize"), name));
    ASSERT_TEXT("CUDNN_STATUS_NOT_SUPPORTED", name);
}

TEST(status_tells_codes_after_which_cuda_is_lost)
{
    ASSERT(gp_is_sticky(gp_fail(GP_CUDA, 700, "cuEventQuery")));
    ASSERT(gp_is_sticky(gp_fail(GP_CUDA, 214, "cuEventQuery")));
    ASSERT(!gp_is_sticky(gp_fail(GP_CUDA, 400, "cuEventRecord")));
    ASSERT(!gp_is_sticky(gp_fail(GP_CUDA, 12345, "cuEventRecord")));
    ASSERT(!gp_is_sticky(gp_fail(GP_CUBLAS, 700, "cublasLtMatmul")));
    ASSERT(!gp_is_sticky(gp_ok()));
}

TEST(status_has_a_name_for_an_unknown_code)
{
    char name[GP_STATUS_NAME_SIZE];
    ASSERT(gp_cuda_error_name(12345) == NULL);
    ASSERT(gp_status_name(gp_fail(GP_CUDA, 12345, "cuInit"), name));
    ASSERT_TEXT("CUDA error 12345", name);
    ASSERT(gp_status_name(gp_fail(GP_NVML, -7, "nvmlInit_v2"), name));
    ASSERT_TEXT("NVML error -7", name);
    ASSERT(gp_status_name(gp_fail(GP_CUBLAS, 99, "cublasLtCreate"), name));
    ASSERT_TEXT("cuBLAS error 99", name);
    ASSERT(gp_status_name(gp_fail(GP_CUDNN, 99, "cudnnCreate"), name));
    ASSERT_TEXT("cuDNN error 99", name);
}

TEST(status_of_our_own_has_no_vendor_name)
{
    char name[GP_STATUS_NAME_SIZE];
    ASSERT(!gp_status_name(gp_fail(GP_NO_MEMORY, 0, "gp_alloc"), name));
    ASSERT_TEXT("", name);
}
