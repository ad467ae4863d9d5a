#include "scripted_cublaslt.h"

#include "../fakes/libcublaslt/product.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_OPERATION GP_CUBLASLT_OPERATION_TRANSA
#define FIRST_ALIGNMENT GP_CUBLASLT_PREFERENCE_ALIGNMENT_A

struct gp_cublaslt_operation_st {
    gp_cublas_compute compute;
    gp_cublas_type scale;
    int32_t operations[2];
};

struct gp_cublaslt_layout_st {
    gp_cublas_type type;
    uint64_t rows;
    uint64_t columns;
    int64_t ld;
    int32_t batch;
    int64_t step;
};

struct gp_cublaslt_preference_st {
    uint64_t workspace;
    uint32_t alignments[4]; /* a, b, c, d */
};

scripted_cublaslt cublas_script = {.found = 1, .told = 2};

#define RETURN_IF_CUBLAS_FAILS()                                                         \
    do {                                                                                 \
        if (++cublas_script.calls == cublas_script.fail_at) return SCRIPTED_CUBLAS_CODE; \
    } while (0)

/* What a call that fails leaves where it was to write: no library says that it is nothing. */
static void *
rubbish(void)
{
    return (unsigned char *)&cublas_script + 1;
}

static gp_cublas_status
create(gp_cublaslt_handle *handle)
{
    *handle = rubbish();
    RETURN_IF_CUBLAS_FAILS();
    *handle = (gp_cublaslt_handle)(void *)&cublas_script;
    cublas_script.handles++;
    return GP_CUBLAS_SUCCESS;
}

/* What is given back counts as gone even where the call reports an error. */
static gp_cublas_status
destroy(gp_cublaslt_handle handle)
{
    ASSERT((void *)handle == (void *)&cublas_script);
    cublas_script.handles--;
    RETURN_IF_CUBLAS_FAILS();
    return GP_CUBLAS_SUCCESS;
}

static void *
made(size_t size)
{
    void *descriptor = calloc(1, size);
    ASSERT(descriptor != NULL);
    cublas_script.descriptors++;
    return descriptor;
}

static gp_cublas_status
unmade(void *descriptor)
{
    ASSERT(descriptor != NULL);
    free(descriptor);
    cublas_script.descriptors--;
    RETURN_IF_CUBLAS_FAILS();
    return GP_CUBLAS_SUCCESS;
}

static gp_cublas_status
create_operation(gp_cublaslt_operation *operation, gp_cublas_compute compute, gp_cublas_type scale)
{
    *operation = rubbish();
    RETURN_IF_CUBLAS_FAILS();
    *operation = made(sizeof(**operation));
    (*operation)->compute = compute;
    (*operation)->scale = scale;
    return GP_CUBLAS_SUCCESS;
}

static gp_cublas_status
destroy_operation(gp_cublaslt_operation operation)
{
    return unmade(operation);
}

static gp_cublas_status
set_operation(gp_cublaslt_operation operation, unsigned int attribute, const void *value,
              size_t size)
{
    ASSERT(attribute == GP_CUBLASLT_OPERATION_TRANSA || attribute == GP_CUBLASLT_OPERATION_TRANSB);
    ASSERT_INT(sizeof(int32_t), size);
    RETURN_IF_CUBLAS_FAILS();
    memcpy(&operation->operations[attribute - FIRST_OPERATION], value, size);
    return GP_CUBLAS_SUCCESS;
}

static gp_cublas_status
create_layout(gp_cublaslt_layout *layout, gp_cublas_type type, uint64_t rows, uint64_t columns,
              int64_t ld)
{
    *layout = rubbish();
    RETURN_IF_CUBLAS_FAILS();
    *layout = made(sizeof(**layout));
    **layout = (struct gp_cublaslt_layout_st){type, rows, columns, ld, 1, 0};
    return GP_CUBLAS_SUCCESS;
}

static gp_cublas_status
destroy_layout(gp_cublaslt_layout layout)
{
    return unmade(layout);
}

static gp_cublas_status
set_layout(gp_cublaslt_layout layout, unsigned int attribute, const void *value, size_t size)
{
    bool is_count = attribute == GP_CUBLASLT_LAYOUT_BATCH_COUNT;
    ASSERT(is_count || attribute == GP_CUBLASLT_LAYOUT_BATCH_OFFSET);
    ASSERT_INT(is_count ? sizeof(layout->batch) : sizeof(layout->step), size);
    RETURN_IF_CUBLAS_FAILS();
    memcpy(is_count ? (void *)&layout->batch : (void *)&layout->step, value, size);
    return GP_CUBLAS_SUCCESS;
}

static gp_cublas_status
create_preference(gp_cublaslt_preference *preference)
{
    *preference = rubbish();
    RETURN_IF_CUBLAS_FAILS();
    *preference = made(sizeof(**preference));
    return GP_CUBLAS_SUCCESS;
}

static gp_cublas_status
destroy_preference(gp_cublaslt_preference preference)
{
    return unmade(preference);
}

static void
keep_alignment(uint32_t bytes)
{
    ASSERT(bytes > 0 && bytes <= 256 && (bytes & (bytes - 1)) == 0);
    if (cublas_script.alignment == 0 || bytes < cublas_script.alignment) {
        cublas_script.alignment = bytes;
    }
}

static gp_cublas_status
set_preference(gp_cublaslt_preference preference, unsigned int attribute, const void *value,
               size_t size)
{
    uint32_t number = 0;
    RETURN_IF_CUBLAS_FAILS();
    if (attribute == GP_CUBLASLT_PREFERENCE_WORKSPACE) {
        ASSERT_INT(sizeof(preference->workspace), size);
        memcpy(&preference->workspace, value, size);
        return GP_CUBLAS_SUCCESS;
    }
    ASSERT_INT(sizeof(number), size);
    memcpy(&number, value, size);
    if (attribute == GP_CUBLASLT_PREFERENCE_REDUCTION) {
        ASSERT_INT(GP_CUBLASLT_REDUCTION_COMPUTE_TYPE, number);
        return GP_CUBLAS_SUCCESS;
    }
    ASSERT(attribute >= FIRST_ALIGNMENT && attribute <= GP_CUBLASLT_PREFERENCE_ALIGNMENT_D);
    preference->alignments[attribute - FIRST_ALIGNMENT] = number;
    keep_alignment(number);
    return GP_CUBLAS_SUCCESS;
}

static gp_cublas_status
choose(gp_cublaslt_handle handle, gp_cublaslt_operation operation, gp_cublaslt_layout a,
       gp_cublaslt_layout b, gp_cublaslt_layout c, gp_cublaslt_layout d,
       gp_cublaslt_preference preference, int asked, gp_cublaslt_choice *choices, int *got)
{
    ASSERT(handle != NULL && operation != NULL && a != NULL && b != NULL && c == d && asked == 1);
    RETURN_IF_CUBLAS_FAILS();
    bool is_allowed = cublas_script.workspace_size <= preference->workspace;
    cublas_script.asked++;
    for (int i = 0; i < 4; i++) {
        choices[0].algorithm.data[i] = preference->alignments[i];
    }
    choices[0].state = cublas_script.state;
    choices[0].workspace_size = is_allowed ? cublas_script.workspace_size : 0;
    *got = cublas_script.found;
    return GP_CUBLAS_SUCCESS;
}

/* Nobody has to know, so that this is none of the calls that fail. */
static gp_cublas_status
get_number(const gp_cublaslt_algorithm *algorithm, unsigned int attribute, void *value, size_t size,
           size_t *written)
{
    ASSERT(algorithm != NULL && algorithm->data[0] > 0 && size == sizeof(int32_t));
    bool is_id = attribute == GP_CUBLASLT_ALGORITHM_ID;
    ASSERT(is_id || attribute == GP_CUBLASLT_ALGORITHM_SPLIT_K);
    if (cublas_script.told < (is_id ? 1 : 2)) { return SCRIPTED_CUBLAS_CODE; }
    int32_t number = is_id ? SCRIPTED_ALGORITHM : SCRIPTED_SPLIT_K;
    memcpy(value, &number, sizeof(number));
    *written = sizeof(number);
    return GP_CUBLAS_SUCCESS;
}

static gp_dtype
dtype_of(gp_cublas_type type)
{
    switch (type) {
    case GP_CUBLAS_R_64F: return GP_FLOAT64;
    case GP_CUBLAS_R_16F: return GP_FLOAT16;
    case GP_CUBLAS_R_16BF: return GP_BFLOAT16;
    case GP_CUBLAS_R_8F_E4M3: return GP_FLOAT8_E4M3FN;
    case GP_CUBLAS_R_8F_E5M2: return GP_FLOAT8_E5M2;
    case GP_CUBLAS_R_8I: return GP_INT8;
    case GP_CUBLAS_R_32I: return GP_INT32;
    default: ASSERT_INT(GP_CUBLAS_R_32F, type); return GP_FLOAT32;
    }
}

static product_sum
sum_of(gp_cublas_compute compute)
{
    switch (compute) {
    case GP_CUBLAS_COMPUTE_64F: return PRODUCT_FLOAT64;
    case GP_CUBLAS_COMPUTE_32I: return PRODUCT_INT32;
    case GP_CUBLAS_COMPUTE_32F_FAST_TF32: return PRODUCT_TF32;
    default: ASSERT_INT(GP_CUBLAS_COMPUTE_32F, compute); return PRODUCT_FLOAT32;
    }
}

static product_matrix
matrix_of(const void *data, gp_cublaslt_layout layout)
{
    return (product_matrix){(void *)(uintptr_t)data,
                            dtype_of(layout->type),
                            layout->rows,
                            layout->columns,
                            layout->ld,
                            layout->step,
                            false};
}

static double
factor(const void *place, gp_cublas_type scale)
{
    return gp_dtype_load(dtype_of(scale), place);
}

static gp_cublas_status
multiply(gp_cublaslt_handle handle, gp_cublaslt_operation operation, const void *alpha,
         const void *a, gp_cublaslt_layout a_layout, const void *b, gp_cublaslt_layout b_layout,
         const void *beta, const void *c, gp_cublaslt_layout c_layout, void *d,
         gp_cublaslt_layout d_layout, const gp_cublaslt_algorithm *algorithm, void *workspace,
         size_t workspace_size, gp_cu_stream stream)
{
    ASSERT(handle != NULL && algorithm != NULL && c == d && c_layout == d_layout);
    ASSERT(stream == (gp_cu_stream)(void *)&cublas_script);
    ASSERT((workspace == NULL) == (workspace_size == 0));
    const void *addresses[] = {a, b, c, d};
    for (int i = 0; i < 4; i++) { /* as the algorithm was promised */
        ASSERT_INT(0, (uintptr_t)addresses[i] % algorithm->data[i]);
    }
    ASSERT(a_layout->batch == b_layout->batch && a_layout->batch == d_layout->batch);
    ASSERT(factor(alpha, operation->scale) == 1.0 && factor(beta, operation->scale) == 0.0);
    RETURN_IF_CUBLAS_FAILS();
    const product asked = {
        .sum = sum_of(operation->compute),
        .first = matrix_of(a, a_layout),
        .second = matrix_of(b, b_layout),
        .result = matrix_of(d, d_layout),
        .is_first_transposed = operation->operations[0] == GP_CUBLAS_OP_T,
        .is_second_transposed = operation->operations[1] == GP_CUBLAS_OP_T,
        .batch = d_layout->batch,
    };
    ASSERT(product_fits(&asked));
    ASSERT(product_compute(&asked));
    cublas_script.products++;
    cublas_script.workspace = (uintptr_t)workspace;
    return GP_CUBLAS_SUCCESS;
}

gp_cublaslt
scripted_cublaslt_table(void)
{
    return (gp_cublaslt){
        .library = {.name = "scripted"},
        .cublasLtCreate = create,
        .cublasLtDestroy = destroy,
        .cublasLtMatmulDescCreate = create_operation,
        .cublasLtMatmulDescDestroy = destroy_operation,
        .cublasLtMatmulDescSetAttribute = set_operation,
        .cublasLtMatrixLayoutCreate = create_layout,
        .cublasLtMatrixLayoutDestroy = destroy_layout,
        .cublasLtMatrixLayoutSetAttribute = set_layout,
        .cublasLtMatmulPreferenceCreate = create_preference,
        .cublasLtMatmulPreferenceDestroy = destroy_preference,
        .cublasLtMatmulPreferenceSetAttribute = set_preference,
        .cublasLtMatmulAlgoGetHeuristic = choose,
        .cublasLtMatmulAlgoConfigGetAttribute = get_number,
        .cublasLtMatmul = multiply,
    };
}

void
scripted_cublaslt_assert_released(void)
{
    ASSERT_INT(0, cublas_script.handles);
    ASSERT_INT(0, cublas_script.descriptors);
}
