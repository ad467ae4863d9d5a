/* Which products there are kernels for: the table of types of cublasLtMatmul's documentation, and
 * what int8 and float8 need beyond it. */
#include "fake_cublaslt.h"

#include <dlfcn.h>
#include <string.h>

typedef struct kernel_row {
    cublasComputeType_t compute;
    cudaDataType_t scale, a, b, d;
    int capability;
    product_sum sum;
} kernel_row;

#define SINGLE CUBLAS_COMPUTE_32F, CUDA_R_32F
#define E4M3   CUDA_R_8F_E4M3
#define E5M2   CUDA_R_8F_E5M2

static const kernel_row rows[] = {
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 0, PRODUCT_FLOAT64},
    {SINGLE, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 0, PRODUCT_FLOAT32},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 80,
     PRODUCT_TF32},
    {SINGLE, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, 53, PRODUCT_FLOAT32},
    {SINGLE, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, 53, PRODUCT_FLOAT32},
    {SINGLE, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, 80, PRODUCT_FLOAT32},
    {SINGLE, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, 80, PRODUCT_FLOAT32},
    {CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, 75, PRODUCT_INT32},
    {SINGLE, E4M3, E4M3, CUDA_R_16BF, 89, PRODUCT_FLOAT32},
    {SINGLE, E4M3, E4M3, CUDA_R_16F, 89, PRODUCT_FLOAT32},
    {SINGLE, E4M3, E4M3, CUDA_R_32F, 89, PRODUCT_FLOAT32},
    {SINGLE, E4M3, E5M2, CUDA_R_16BF, 89, PRODUCT_FLOAT32},
    {SINGLE, E4M3, E5M2, CUDA_R_16F, 89, PRODUCT_FLOAT32},
    {SINGLE, E4M3, E5M2, CUDA_R_32F, 89, PRODUCT_FLOAT32},
    {SINGLE, E5M2, E4M3, CUDA_R_16BF, 89, PRODUCT_FLOAT32},
    {SINGLE, E5M2, E4M3, CUDA_R_16F, 89, PRODUCT_FLOAT32},
    {SINGLE, E5M2, E4M3, CUDA_R_32F, 89, PRODUCT_FLOAT32},
};

static const kernel_row *
find_row(const fake_operation *operation, const fake_layout *a, const fake_layout *b,
         const fake_layout *d)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const kernel_row *row = &rows[i];
        if ((int)row->compute == operation->compute && (int)row->scale == operation->scale &&
            row->a == a->type && row->b == b->type && row->d == d->type) {
            return row;
        }
    }
    return NULL;
}

static gp_dtype
dtype_of(uint32_t type)
{
    switch (type) {
    case CUDA_R_64F: return GP_FLOAT64;
    case CUDA_R_16F: return GP_FLOAT16;
    case CUDA_R_16BF: return GP_BFLOAT16;
    case CUDA_R_8F_E4M3: return GP_FLOAT8_E4M3FN;
    case CUDA_R_8F_E5M2: return GP_FLOAT8_E5M2;
    case CUDA_R_8I: return GP_INT8;
    case CUDA_R_32I: return GP_INT32;
    default: return GP_FLOAT32;
    }
}

static product_matrix
matrix_of(const fake_layout *layout)
{
    return (product_matrix){.dtype = dtype_of(layout->type),
                            .rows = layout->rows,
                            .columns = layout->columns,
                            .ld = layout->ld,
                            .step = layout->step,
                            .is_by_rows = layout->order == CUBLASLT_ORDER_ROW};
}

static bool
is_usual(const fake_layout *layout)
{
    return layout->order == CUBLASLT_ORDER_COL || layout->order == CUBLASLT_ORDER_ROW;
}

cublasStatus_t
fake_product_of(const fake_operation *operation, const fake_layout *a, const fake_layout *b,
                const fake_layout *d, product *made)
{
    const kernel_row *row = find_row(operation, a, b, d);
    if (a->batch != d->batch || b->batch != d->batch) { return CUBLAS_STATUS_INVALID_VALUE; }
    if (row == NULL || operation->transposed[2] != CUBLAS_OP_N ||
        operation->epilogue != CUBLASLT_EPILOGUE_DEFAULT ||
        operation->pointer_mode != CUBLASLT_POINTER_MODE_HOST ||
        operation->fill != CUBLAS_FILL_MODE_FULL || !is_usual(a) || !is_usual(b) || !is_usual(d)) {
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    *made = (product){.sum = row->sum,
                      .first = matrix_of(a),
                      .second = matrix_of(b),
                      .result = matrix_of(d),
                      .is_first_transposed = operation->transposed[0] != CUBLAS_OP_N,
                      .is_second_transposed = operation->transposed[1] != CUBLAS_OP_N,
                      .batch = d->batch};
    return product_fits(made) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

/* Of the device whose context is current; the library asks the driver as any program does. */
static int
capability(void)
{
    int (*get_device)(int *) = NULL;
    int (*get_attribute)(int *, unsigned int, int) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *address = dlsym(driver, "cuCtxGetDevice");
    int device = 0, major = 0, minor = 0;
    memcpy(&get_device, &address, sizeof get_device);
    address = dlsym(driver, "cuDeviceGetAttribute");
    memcpy(&get_attribute, &address, sizeof get_attribute);
    const bool is_told = get_device(&device) == 0 && get_attribute(&major, 75, device) == 0 &&
                         get_attribute(&minor, 76, device) == 0;
    return is_told ? major * 10 + minor : 0;
}

/* In elements, of the columns as stored and the way from one to the next; in bytes, of addresses.
 */
static uint64_t
multiple_of(const kernel_row *row)
{
    if (row->a == CUDA_R_8I) { return 4; }
    return row->a == E4M3 || row->a == E5M2 ? 16 : 1;
}

static bool
is_multiple(const fake_layout *layout, uint64_t multiple)
{
    return layout->order == CUBLASLT_ORDER_COL && layout->rows % multiple == 0 &&
           (uint64_t)layout->ld % multiple == 0 && (uint64_t)layout->step % multiple == 0;
}

bool
fake_has_kernel(const fake_operation *operation, const fake_layout *a, const fake_layout *b,
                const fake_layout *d, const uint32_t alignments[4])
{
    const kernel_row *row = find_row(operation, a, b, d);
    const int here = capability();
    if (row == NULL || here < row->capability) { return false; }
    const uint64_t multiple = multiple_of(row);
    if (multiple == 1) { return true; }
    const bool is_any_order = multiple == 16 && here >= 100 && here < 120;
    const bool is_by_inner =
        operation->transposed[0] == CUBLAS_OP_T && operation->transposed[1] == CUBLAS_OP_N;
    bool is_aligned = true;
    for (size_t i = 0; i < 4; i++) {
        is_aligned = is_aligned && alignments[i] >= multiple;
    }
    return (is_by_inner || is_any_order) && is_aligned && is_multiple(a, multiple) &&
           is_multiple(b, multiple) && is_multiple(d, multiple);
}
