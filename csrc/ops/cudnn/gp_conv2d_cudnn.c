#include "gp_conv2d_cudnn.h"

#include "device/gp_capture.h"
#include "gp_cudnn_graph.h"

#include <string.h>

static void
tell_nothing(gp_cudnn_told *told)
{
    told->engine = -1;
    told->bias_engine = -1;
    told->workspace = 0;
    told->text[0] = '\0'; /* each call comes here: no more of it is cleared */
    told->shortage.why = gp_ok();
}

/* Keeps cuDNN's words for the caller. */
static gp_status
tell(gp_cudnn_failure failure, gp_cudnn_told *told)
{
    memcpy(told->text, failure.text, sizeof(told->text));
    return failure.status;
}

gp_status
gp_cudnn_open(const gp_cudnn *dnn, gp_arena *arena, gp_cudnn_device *device, gp_cudnn_told *told)
{
    gp_mutex *mutex = gp_mutex_new();
    *device = (gp_cudnn_device){.dnn = NULL};
    tell_nothing(told);
    if (mutex == NULL) { return gp_fail(GP_NO_MEMORY, 0, "gp_cudnn_open"); }
    *device = (gp_cudnn_device){.dnn = dnn, .arena = arena, .mutex = mutex};
    gp_status st = GP_CUDNN_CALL(dnn, cudnnCreate, (&device->handle));
    if (!gp_failed(st)) { return st; }
    st = tell(gp_cudnn_failure_of(dnn, st), told);
    device->handle = NULL; /* whatever was written there */
    (void)gp_cudnn_close(device);
    return st;
}

gp_status
gp_cudnn_close(gp_cudnn_device *device)
{
    gp_status st = gp_ok();
    gp_cudnn_cache_free(&device->cache);
    if (device->handle != NULL) { st = GP_CUDNN_CALL(device->dnn, cudnnDestroy, (device->handle)); }
    gp_mutex_free(device->mutex);
    *device = (gp_cudnn_device){.dnn = NULL};
    return st;
}

/* The arrays of one call; NULL: there is no bias. */
typedef struct cudnn_arrays {
    const gp_tensor *at[GP_CUDNN_PLACES];
} cudnn_arrays;

/* The memory of a graph's tensors, by their unique ids. */
typedef struct graph_memory {
    int64_t uids[GP_CUDNN_PLACES];
    void *addresses[GP_CUDNN_PLACES];
    int64_t count;
} graph_memory;

static void
put(graph_memory *memory, int64_t uid, const gp_tensor *tensor)
{
    memory->uids[memory->count] = uid;
    memory->addresses[memory->count++] = tensor->data;
}

/* A pack cannot be changed once it is finalized: each call needs a new one. */
static gp_status
queue(const gp_cudnn_device *device, const gp_cudnn_plan *plan, const graph_memory *memory,
      uint64_t workspace, gp_cudnn_told *told)
{
    gp_cudnn_bag bag;
    gp_cudnn_bag_begin(&bag, device->dnn);
    gp_cudnn_descriptor pack = gp_cudnn_make(&bag, GP_CUDNN_VARIANT_PACK);
    gp_cudnn_set(&bag, pack, GP_CUDNN_VARIANT_PACK_UNIQUE_IDS, GP_CUDNN_TYPE_INT64, memory->count,
                 memory->uids);
    gp_cudnn_set(&bag, pack, GP_CUDNN_VARIANT_PACK_DATA_POINTERS, GP_CUDNN_TYPE_VOID_PTR,
                 memory->count, memory->addresses);
    if (workspace != 0) {
        gp_cudnn_set(&bag, pack, GP_CUDNN_VARIANT_PACK_WORKSPACE, GP_CUDNN_TYPE_VOID_PTR, 1,
                     &workspace);
    }
    gp_cudnn_finalize(&bag, pack);
    gp_cudnn_execute(&bag, device->handle, plan->ready, pack);
    gp_status st = bag.failure.status;
    if (gp_failed(st)) { (void)tell(bag.failure, told); }
    gp_cudnn_bag_free(&bag);
    return st;
}

/* The workspace is given back at once: who gets it next on this stream comes later. */
static gp_status
run(gp_cudnn_device *device, const gp_cudnn_plan *plan, const graph_memory *memory,
    gp_cu_stream stream, gp_cudnn_told *told)
{
    gp_block *block = NULL;
    if (plan->workspace > 0) {
        gp_status st =
            gp_arena_alloc(device->arena, (size_t)plan->workspace, stream, &block, &told->shortage);
        if (gp_failed(st)) { return st; }
    }
    gp_status st = queue(device, plan, memory, block == NULL ? 0 : block->address, told);
    if (block != NULL) { gp_arena_free(device->arena, block); }
    return st;
}

static gp_status
run_plans(gp_cudnn_device *device, const gp_cudnn_plans *plans, const cudnn_arrays *arrays,
          gp_cu_stream stream, gp_cudnn_told *told)
{
    bool is_twice = plans->bias.ready != NULL;
    graph_memory conv = {.count = 0};
    graph_memory add = {.count = 0};
    for (int place = 0; place < GP_CUDNN_PLACES; place++) {
        const gp_tensor *array = arrays->at[place];
        bool is_later = is_twice && place == GP_CUDNN_BIAS;
        if (array != NULL) { put(is_later ? &add : &conv, GP_CUDNN_UID(place), array); }
    }
    told->engine = plans->conv.engine;
    told->workspace = plans->conv.workspace;
    gp_status st = run(device, &plans->conv, &conv, stream, told);
    if (gp_failed(st) || !is_twice) { return st; }
    put(&add, GP_CUDNN_UID_SUM, arrays->at[GP_CUDNN_Y]);
    put(&add, GP_CUDNN_UID(GP_CUDNN_Y), arrays->at[GP_CUDNN_Y]);
    told->bias_engine = plans->bias.engine;
    return run(device, &plans->bias, &add, stream, told);
}

/* What a CUDA graph uses has to be there each time that it is run, and a workspace is given back.
 */
static gp_status
check_graph(const gp_cudnn_device *device, const gp_cudnn_plans *plans, gp_cu_stream stream)
{
    bool has_workspace = plans->conv.workspace > 0 || plans->bias.workspace > 0;
    if (!has_workspace || gp_capture_of(device->arena->context.cu, stream) == GP_CAPTURE_NONE) {
        return gp_ok();
    }
    return gp_fail(GP_UNSUPPORTED, 0,
                   "cuDNN's engine needs memory that a CUDA graph would not keep");
}

/* Under the mutex. */
static gp_status
convolve(gp_cudnn_device *device, const gp_cudnn_problem *problem, const cudnn_arrays *arrays,
         gp_cu_stream stream, gp_cudnn_told *told)
{
    const gp_cudnn_entry *entry = NULL;
    gp_status st = GP_CUDNN_CALL(device->dnn, cudnnSetStream, (device->handle, stream));
    if (gp_failed(st)) { return tell(gp_cudnn_failure_of(device->dnn, st), told); }
    st = gp_cudnn_cache_find(&device->cache, device->dnn, device->handle, problem,
                             GP_CUDNN_MOST_WORKSPACE, &entry, told->text);
    if (gp_failed(st) || entry == NULL) { return st; }
    st = check_graph(device, &entry->plans, stream);
    if (gp_failed(st)) { return st; }
    return run_plans(device, &entry->plans, arrays, stream, told);
}

gp_status
gp_conv2d_cudnn(gp_cudnn_device *device, const gp_conv2d_shape *shape, const gp_tensor *x,
                const gp_tensor *w, const gp_tensor *bias, const gp_tensor *y,
                const gp_arithmetic *arithmetic, gp_cu_stream stream, gp_cudnn_told *told)
{
    const cudnn_arrays arrays = {
        .at = {[GP_CUDNN_X] = x, [GP_CUDNN_W] = w, [GP_CUDNN_BIAS] = bias, [GP_CUDNN_Y] = y}};
    gp_cudnn_problem problem;
    tell_nothing(told);
    if (gp_tensor_is_empty(y)) { return gp_ok(); }
    if (gp_tensor_is_empty(x) || gp_tensor_is_empty(w)) {
        return gp_fail(GP_UNSUPPORTED, 0, "cuDNN has no sums of nothing: x or w is empty");
    }
    gp_status st = gp_cudnn_problem_of(shape, x, w, bias, y, arithmetic, &problem);
    if (gp_failed(st)) { return st; }
    gp_mutex_lock(device->mutex);
    st = convolve(device, &problem, &arrays, stream, told);
    gp_mutex_unlock(device->mutex);
    return st;
}
