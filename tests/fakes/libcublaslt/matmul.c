/* The heuristic, and the product itself. */
#include "fake_cublaslt.h"

#include "../common/spoil.h"

#include <string.h>

/* What is in the vendor's closed structure: the fake notices an algorithm that is used for another
 * product than the one that it was chosen for, or at addresses that it does not take. */
typedef struct fake_algorithm {
    uint64_t rows;
    uint64_t columns;
    uint64_t inner;
    uint64_t workspace;
    uint32_t alignments[4];
    int32_t compute;
    uint32_t type;
} fake_algorithm;

_Static_assert(sizeof(fake_algorithm) <= sizeof(cublasLtMatmulAlgo_t), "an algorithm has room");

/* That an algorithm takes where it is allowed as much: assumed. */
enum { WORKSPACE = 1 << 20 };

/* The number of the first of its algorithms, one for each type: invented. */
enum { ALGORITHM_ID = 40 };

static fake_algorithm
algorithm_of(const fake_operation *operation, const product *asked)
{
    const product_matrix *first = &asked->first;
    return (fake_algorithm){
        .rows = asked->result.rows,
        .columns = asked->result.columns,
        .inner = asked->is_first_transposed ? first->rows : first->columns,
        .compute = operation->compute,
        .type = (uint32_t)first->dtype,
    };
}

cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation_descriptor,
                               cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                               cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                               cublasLtMatmulPreference_t preference_descriptor, int asked_count,
                               cublasLtMatmulHeuristicResult_t results[], int *got)
{
    FAKE_CALL();
    const fake_operation *operation = fake_operation_of(operation_descriptor);
    const fake_preference *preference = fake_preference_of(preference_descriptor);
    product asked;
    if (handle == NULL) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    if (operation == NULL || a == NULL || b == NULL || c == NULL || d == NULL ||
        preference == NULL || asked_count < 1 || results == NULL || got == NULL) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    *got = 0;
    const fake_layout *layouts[] = {fake_layout_of(a), fake_layout_of(b), fake_layout_of(d)};
    const cublasStatus_t verdict =
        fake_product_of(operation, layouts[0], layouts[1], layouts[2], &asked);
    if (verdict != CUBLAS_STATUS_SUCCESS) { return verdict; }
    if (!fake_has_kernel(operation, layouts[0], layouts[1], layouts[2], preference->alignments)) {
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    fake_algorithm chosen = algorithm_of(operation, &asked);
    chosen.workspace = preference->workspace >= WORKSPACE ? WORKSPACE : 0;
    memcpy(chosen.alignments, preference->alignments, sizeof chosen.alignments);
    results[0] = (cublasLtMatmulHeuristicResult_t){
        .workspaceSize = chosen.workspace, .state = CUBLAS_STATUS_SUCCESS, .wavesCount = 1.0F};
    memcpy(&results[0].algo, &chosen, sizeof chosen);
    *got = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                     cublasLtMatmulAlgoConfigAttributes_t attribute, void *value,
                                     size_t size, size_t *written)
{
    FAKE_CALL();
    fake_algorithm chosen;
    if (algo == NULL || value == NULL || written == NULL || size != sizeof(int32_t)) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    memcpy(&chosen, algo, sizeof chosen);
    int32_t number = 1; /* the parts of a sum */
    if (attribute == CUBLASLT_ALGO_CONFIG_ID) { number = ALGORITHM_ID + (int32_t)chosen.type; }
    else if (attribute != CUBLASLT_ALGO_CONFIG_SPLITK_NUM) {
        fake_die("cublasLtMatmulAlgoConfigGetAttribute: attribute %d is not modelled",
                 (int)attribute);
    }
    memcpy(value, &number, sizeof number);
    *written = sizeof number;
    return CUBLAS_STATUS_SUCCESS;
}

static void
check_algorithm(const fake_operation *operation, const product *asked, const void *const data[4],
                const fake_algorithm *algorithm)
{
    fake_algorithm expected = algorithm_of(operation, asked);
    expected.workspace = algorithm->workspace;
    memcpy(expected.alignments, algorithm->alignments, sizeof expected.alignments);
    if (memcmp(&expected, algorithm, sizeof expected) != 0) {
        fake_die("cublasLtMatmul: the algorithm was chosen for another product");
    }
    for (size_t i = 0; i < 4; i++) {
        if ((uintptr_t)data[i] % algorithm->alignments[i] != 0) {
            fake_die("cublasLtMatmul: %p is no multiple of %u, as the algorithm was promised",
                     data[i], algorithm->alignments[i]);
        }
    }
}

/* The matrices on the host; false: one does not lie in device memory. */
static bool
reach(product *asked, void *stream, const void *a, const void *b, void *d)
{
    const size_t sizes[] = {product_extent(&asked->first, asked->batch),
                            product_extent(&asked->second, asked->batch),
                            product_extent(&asked->result, asked->batch)};
    fake_device_begin(stream);
    asked->first.data = fake_device_touch(stream, a, sizes[0], false);
    asked->second.data = fake_device_touch(stream, b, sizes[1], false);
    asked->result.data = fake_device_touch(stream, d, sizes[2], true);
    return asked->first.data != NULL && asked->second.data != NULL && asked->result.data != NULL;
}

static double
factor(int32_t scale, const void *place)
{
    double wide = 0.0;
    float single = 0.0F;
    int32_t whole = 0;
    switch (scale) {
    case CUDA_R_64F: memcpy(&wide, place, sizeof wide); return wide;
    case CUDA_R_32I: memcpy(&whole, place, sizeof whole); return whole;
    default: memcpy(&single, place, sizeof single); return (double)single;
    }
}

static void
multiply(product *asked, int fault)
{
    if (fault == FAKE_TF32 && asked->sum == PRODUCT_FLOAT32) { asked->sum = PRODUCT_TF32; }
    if (!product_compute(asked)) { fake_die("no memory for a product"); }
    /* What is a column here is a row for whoever asked. */
    const product_matrix *result = &asked->result;
    const spoiled first = {result->data, result->dtype, result->columns, result->rows,
                           (size_t)result->ld * gp_dtype_size(result->dtype)};
    fake_spoil(fault, &first);
}

cublasStatus_t
cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation_descriptor,
               const void *alpha, const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
               cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
               cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
               const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspace_size,
               cudaStream_t stream)
{
    const int fault = fake_cublaslt_enter(__func__);
    const fake_operation *operation = fake_operation_of(operation_descriptor);
    fake_algorithm algorithm;
    product asked;
    if (fault > 0) { return (cublasStatus_t)fault; }
    if (handle == NULL) { return CUBLAS_STATUS_NOT_INITIALIZED; }
    if (operation == NULL || a_layout == NULL || b_layout == NULL || c_layout == NULL ||
        d_layout == NULL || alpha == NULL || beta == NULL || a == NULL || b == NULL || d == NULL) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const cublasStatus_t verdict =
        fake_product_of(operation, fake_layout_of(a_layout), fake_layout_of(b_layout),
                        fake_layout_of(d_layout), &asked);
    if (verdict != CUBLAS_STATUS_SUCCESS) { return verdict; }
    if (algo == NULL || factor(operation->scale, alpha) != 1.0 ||
        factor(operation->scale, beta) != 0.0) {
        fake_die("cublasLtMatmul: no algorithm, and factors but 1 and 0, are not modelled");
    }
    memcpy(&algorithm, algo, sizeof algorithm);
    check_algorithm(operation, &asked, (const void *const[]){a, b, c, d}, &algorithm);
    if (workspace_size < algorithm.workspace) { return CUBLAS_STATUS_INVALID_VALUE; }
    if (!reach(&asked, stream, a, b, d) ||
        (algorithm.workspace > 0 &&
         fake_device_touch(stream, workspace, algorithm.workspace, true) == NULL)) {
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    multiply(&asked, fault);
    return CUBLAS_STATUS_SUCCESS;
}
