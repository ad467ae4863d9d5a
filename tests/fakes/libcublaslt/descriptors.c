/* The three kinds of descriptors. An attribute is set and read as a whole, in its own size; what it
 * is set to is not judged before a product is asked for. */
#include "fake_cublaslt.h"

#include <stdlib.h>
#include <string.h>

typedef struct fake_field {
    int attribute;
    size_t offset;
    size_t size; /* 0: behind the last one */
} fake_field;

#define FIELD(attribute, record, member)                                      \
    {                                                                         \
        attribute, offsetof(record, member), sizeof(((record *)NULL)->member) \
    }

static const fake_field operation_fields[] = {
    FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, fake_operation, compute),
    FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, fake_operation, scale),
    FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, fake_operation, pointer_mode),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSA, fake_operation, transposed[0]),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSB, fake_operation, transposed[1]),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSC, fake_operation, transposed[2]),
    FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, fake_operation, fill),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, fake_operation, epilogue),
    {0},
};

static const fake_field layout_fields[] = {
    FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, fake_layout, type),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, fake_layout, order),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, fake_layout, rows),
    FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, fake_layout, columns),
    FIELD(CUBLASLT_MATRIX_LAYOUT_LD, fake_layout, ld),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, fake_layout, batch),
    FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, fake_layout, step),
    {0},
};

static const fake_field preference_fields[] = {
    FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, fake_preference, search),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, fake_preference, workspace),
    FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, fake_preference, reductions),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, fake_preference, alignments[0]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, fake_preference, alignments[1]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, fake_preference, alignments[2]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, fake_preference, alignments[3]),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, fake_preference, waves),
    FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, fake_preference, implementations),
    {0},
};

atomic_size_t fake_live_descriptors;

/* NULL: no such attribute, or none that is played. */
static const fake_field *
find(const fake_field *fields, int attribute)
{
    while (fields->size != 0 && fields->attribute != attribute) {
        fields++;
    }
    return fields->size == 0 ? NULL : fields;
}

static cublasStatus_t
set(const fake_field *fields, void *record, int attribute, const void *value, size_t size)
{
    const fake_field *field = find(fields, attribute);
    if (record == NULL || field == NULL || value == NULL || size != field->size) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    memcpy((char *)record + field->offset, value, size);
    return CUBLAS_STATUS_SUCCESS;
}

/* A size of 0 asks how much there is. */
static cublasStatus_t
get(const fake_field *fields, const void *record, int attribute, void *value, size_t size,
    size_t *written)
{
    const fake_field *field = find(fields, attribute);
    if (record == NULL || field == NULL || (size == 0 ? written == NULL : value == NULL) ||
        (size != 0 && size != field->size)) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (size != 0) { memcpy(value, (const char *)record + field->offset, size); }
    if (written != NULL) { *written = field->size; }
    return CUBLAS_STATUS_SUCCESS;
}

static void *
keep(const void *record, size_t size)
{
    void *kept = malloc(size);
    if (kept == NULL) { fake_die("no memory for a descriptor"); }
    memcpy(kept, record, size);
    fake_live_descriptors++;
    return kept;
}

static cublasStatus_t
forget(void *record)
{
    if (record != NULL) { fake_live_descriptors--; }
    free(record);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- what is computed ---- */

const fake_operation *
fake_operation_of(cublasLtMatmulDesc_t descriptor)
{
    return (const fake_operation *)(const void *)descriptor;
}

cublasStatus_t
cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *descriptor, cublasComputeType_t compute,
                         cudaDataType_t scale)
{
    FAKE_CALL();
    if (descriptor == NULL) { return CUBLAS_STATUS_INVALID_VALUE; }
    const fake_operation made = {.compute = (int32_t)compute,
                                 .scale = (int32_t)scale,
                                 .fill = CUBLAS_FILL_MODE_FULL,
                                 .epilogue = CUBLASLT_EPILOGUE_DEFAULT};
    *descriptor = keep(&made, sizeof made);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descriptor)
{
    FAKE_CALL();
    return forget(descriptor);
}

cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descriptor,
                               cublasLtMatmulDescAttributes_t attribute, const void *value,
                               size_t size)
{
    FAKE_CALL();
    return set(operation_fields, descriptor, (int)attribute, value, size);
}

cublasStatus_t
cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t descriptor,
                               cublasLtMatmulDescAttributes_t attribute, void *value, size_t size,
                               size_t *written)
{
    FAKE_CALL();
    return get(operation_fields, descriptor, (int)attribute, value, size, written);
}

/* ---- where a matrix lies ---- */

const fake_layout *
fake_layout_of(cublasLtMatrixLayout_t descriptor)
{
    return (const fake_layout *)(const void *)descriptor;
}

cublasStatus_t
cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *descriptor, cudaDataType type, uint64_t rows,
                           uint64_t columns, int64_t ld)
{
    FAKE_CALL();
    if (descriptor == NULL) { return CUBLAS_STATUS_INVALID_VALUE; }
    const fake_layout made = {(uint32_t)type, CUBLASLT_ORDER_COL, rows, columns, ld, 1, 0};
    *descriptor = keep(&made, sizeof made);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t descriptor)
{
    FAKE_CALL();
    return forget(descriptor);
}

cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t descriptor,
                                 cublasLtMatrixLayoutAttribute_t attribute, const void *value,
                                 size_t size)
{
    FAKE_CALL();
    return set(layout_fields, descriptor, (int)attribute, value, size);
}

cublasStatus_t
cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t descriptor,
                                 cublasLtMatrixLayoutAttribute_t attribute, void *value,
                                 size_t size, size_t *written)
{
    FAKE_CALL();
    return get(layout_fields, descriptor, (int)attribute, value, size, written);
}

/* ---- what is looked for ---- */

const fake_preference *
fake_preference_of(cublasLtMatmulPreference_t descriptor)
{
    return (const fake_preference *)(const void *)descriptor;
}

cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *descriptor)
{
    FAKE_CALL();
    if (descriptor == NULL) { return CUBLAS_STATUS_INVALID_VALUE; }
    const fake_preference made = {.search = CUBLASLT_SEARCH_BEST_FIT,
                                  .reductions = CUBLASLT_REDUCTION_SCHEME_MASK,
                                  .alignments = {256, 256, 256, 256},
                                  .implementations = UINT64_MAX};
    *descriptor = keep(&made, sizeof made);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t descriptor)
{
    FAKE_CALL();
    return forget(descriptor);
}

cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t descriptor,
                                     cublasLtMatmulPreferenceAttributes_t attribute,
                                     const void *value, size_t size)
{
    FAKE_CALL();
    return set(preference_fields, descriptor, (int)attribute, value, size);
}

cublasStatus_t
cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t descriptor,
                                     cublasLtMatmulPreferenceAttributes_t attribute, void *value,
                                     size_t size, size_t *written)
{
    FAKE_CALL();
    return get(preference_fields, descriptor, (int)attribute, value, size, written);
}
