#include "gp_matmul_cublas.h"

#include "device/gp_capture.h"
#include "device/gp_devices.h"

#include <string.h>

#define MIB ((size_t)1 << 20)

static gp_status
read_capability(const gp_context *context, int *capability)
{
    int major = 0;
    int minor = 0;
    gp_status st = gp_device_capability(context->cu, context->device, &major, &minor);
    *capability = major * 10 + minor;
    return st;
}

static gp_status
create_handle(gp_cublas *cublas)
{
    const gp_context *context = &cublas->arena->context;
    gp_cublaslt_handle handle = NULL;
    gp_status st = gp_context_enter(context);
    if (gp_failed(st)) { return st; }
    st = GP_CUBLASLT_CALL(cublas->lt, cublasLtCreate, (&handle));
    if (!gp_failed(st)) { cublas->handle = handle; }
    return gp_first_error(st, gp_context_leave(context));
}

static gp_status
destroy_handle(gp_cublas *cublas)
{
    if (cublas->handle == NULL) { return gp_ok(); }
    const gp_context *context = &cublas->arena->context;
    gp_status st = gp_context_enter(context);
    if (st.kind == GP_CUDA && st.code == GP_CU_DEINITIALIZED) { return gp_ok(); }
    bool is_current = !gp_failed(st);
    st = gp_first_error(st, GP_CUBLASLT_CALL(cublas->lt, cublasLtDestroy, (cublas->handle)));
    return is_current ? gp_first_error(st, gp_context_leave(context)) : st;
}

gp_status
gp_cublas_close(gp_cublas *cublas)
{
    gp_status st = gp_cublas_plans_close(cublas->lt, &cublas->plans);
    st = gp_first_error(st, destroy_handle(cublas));
    gp_mutex_free(cublas->mutex);
    *cublas = (gp_cublas){.lt = NULL};
    return st;
}

static gp_status
start(gp_cublas *cublas)
{
    gp_status st = read_capability(&cublas->arena->context, &cublas->capability);
    if (gp_failed(st)) { return st; }
    st = gp_cublas_plans_open(&cublas->plans);
    if (gp_failed(st)) { return st; }
    cublas->mutex = gp_mutex_new();
    if (cublas->mutex == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_cublas_open"); }
    return create_handle(cublas);
}

gp_status
gp_cublas_open(const gp_cublaslt *lt, gp_arena *arena, const gp_settings *settings,
               gp_cublas *cublas)
{
    *cublas = (gp_cublas){.lt = lt, .arena = arena, .overrides = gp_cublas_overrides_of(settings)};
    gp_status st = start(cublas);
    /* Best effort: the first failure is the one that counts. */
    if (gp_failed(st)) { (void)gp_cublas_close(cublas); }
    return st;
}

/* What the kernels of cuBLAS are made for: 32 MiB on Hopper and later, 4 MiB before. */
static size_t
usual_workspace(const gp_cublas *cublas)
{
    return (cublas->capability >= 90 ? 32 : 4) * MIB;
}

static gp_status
run_all(const gp_cublas *cublas, const gp_cublas_plan *plan, const gp_cublas_product *product,
        void *workspace, gp_cu_stream stream)
{
    int64_t calls = gp_cublas_batch_calls(&product->batch);
    gp_status st = gp_ok();
    for (int64_t i = 0; i < calls && !gp_failed(st); i++) {
        int64_t offsets[GP_CUBLAS_MATRICES];
        void *data[GP_CUBLAS_MATRICES];
        gp_cublas_batch_offsets(&product->batch, i, offsets);
        for (int matrix = 0; matrix < GP_CUBLAS_MATRICES; matrix++) {
            data[matrix] = product->data[matrix] + offsets[matrix];
        }
        st = gp_cublas_plan_run(cublas->lt, cublas->handle, plan, data, workspace, stream);
    }
    return st;
}

/* NULL where there is no block. */
static void *
address_of(const gp_block *block)
{
    void *address = NULL;
    uintptr_t number = block == NULL ? 0 : (uintptr_t)block->address;
    memcpy(&address, &number, sizeof(address));
    return address;
}

/* With a workspace of the limit that the problem states. */
static gp_status
multiply_within(gp_cublas *cublas, const gp_cublas_product *product, gp_cu_stream stream,
                gp_cublas_told *told)
{
    const gp_cublas_plan *plan = NULL;
    gp_block *block = NULL;
    gp_shortage shortage;
    gp_status st =
        gp_cublas_plans_find(cublas->lt, cublas->handle, &product->problem, &cublas->plans, &plan);
    if (gp_failed(st)) { return st; }
    if (plan->workspace_size > 0) {
        st = gp_arena_alloc(cublas->arena, plan->workspace_size, stream, &block, &shortage);
        if (gp_failed(st)) { return st; }
    }
    *told = plan->told;
    st = run_all(cublas, plan, product, address_of(block), stream);
    if (block != NULL) { gp_arena_free(cublas->arena, block); }
    return st;
}

/* Where memory is short an algorithm without a workspace is slower, and right; so it is in a CUDA
 * graph, when which is run somebody else has the workspace. */
static gp_status
multiply(gp_cublas *cublas, gp_cublas_product *product, gp_cu_stream stream, gp_cublas_told *told)
{
    bool is_captured = gp_capture_of(cublas->arena->context.cu, stream) != GP_CAPTURE_NONE;
    product->problem.workspace = is_captured ? 0 : usual_workspace(cublas);
    gp_status st = multiply_within(cublas, product, stream, told);
    if (!gp_arena_is_shortage(st)) { return st; }
    product->problem.workspace = 0;
    return multiply_within(cublas, product, stream, told);
}

/* A sum of no products is 0, in every type. */
static gp_status
clear(const gp_cublas *cublas, const gp_tensor *c, gp_cu_stream stream)
{
    int64_t count = 0;
    gp_status st = gp_tensor_count(c, &count);
    if (gp_failed(st)) { return st; }
    return GP_CUDA_CALL(
        cublas->arena->context.cu, cuMemsetD8Async,
        ((gp_cu_deviceptr)(uintptr_t)c->data, 0, (size_t)count * gp_dtype_size(c->dtype), stream));
}

gp_status
gp_matmul_cublas(gp_cublas *cublas, const gp_matmul_shape *shape, const gp_tensor *a,
                 const gp_tensor *b, const gp_tensor *c, const gp_arithmetic *arithmetic,
                 gp_cu_stream stream, gp_cublas_told *told)
{
    gp_cublas_product product;
    *told = (gp_cublas_told){.algorithm = -1};
    if (shape->m == 0 || shape->n == 0 || shape->batch == 0) { return gp_ok(); }
    if (shape->k == 0) { return clear(cublas, c, stream); }
    gp_status st = gp_cublas_overrides_allow(cublas->overrides, arithmetic);
    if (gp_failed(st)) { return st; }
    st = gp_cublas_product_of(shape, a, b, c, arithmetic, cublas->capability, &product);
    if (gp_failed(st)) { return st; }
    gp_mutex_lock(cublas->mutex);
    st = multiply(cublas, &product, stream, told);
    gp_mutex_unlock(cublas->mutex);
    return st;
}
