/* The engines, which of them a heuristic ranks, and which takes a graph. The numbers and notes are
 * like those of a real one; that a note is to be taken seriously shows in the results. */
#include "fake_cudnn.h"

#include <stddef.h>
#include <string.h>

enum { MIB = 1 << 20 };

/* In the order of the ranking. */
static const fake_engine usual[] = {
    {.number = 57,
     .habit = FAKE_AS_TF32,
     .notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE},
     .note_count = 1,
     .adds_bias = true,
     .needs_alignment = true,
     .takes_narrow = true},
    {.number = 25,
     .habit = FAKE_ROUGHLY,
     .notes = {CUDNN_NUMERICAL_NOTE_WINOGRAD, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4},
     .note_count = 2,
     .workspace = MIB,
     .adds_bias = true,
     .takes_narrow = true},
    {.number = 4,
     .habit = FAKE_ROUGHLY,
     .notes = {CUDNN_NUMERICAL_NOTE_FFT},
     .note_count = 1,
     .workspace = 4 * MIB,
     .takes_double = true,
     .takes_narrow = true},
    {.number = 18,
     .habit = FAKE_CHANGING,
     .notes = {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC},
     .note_count = 1,
     .takes_double = true,
     .takes_narrow = true},
    {.number = 11,
     .habit = FAKE_AS_HALF,
     .notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS},
     .note_count = 2,
     .adds_bias = true,
     .takes_narrow = true},
    {.number = 1,
     .notes = {CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP},
     .note_count = 1,
     .workspace = (int64_t)4096 * MIB,
     .takes_double = true,
     .takes_narrow = true},
    {.number = 2,
     .workspace = 8 * MIB,
     .needs_alignment = true,
     .takes_double = true,
     .takes_narrow = true},
};

static const fake_engine fallback[] = {
    {.number = 0, .takes_double = true, .takes_narrow = true},
};

/* For a bias alone. */
static const fake_engine adders[] = {
    {.number = 3, .adds_bias = true, .takes_double = true, .takes_narrow = true},
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

const fake_engine *
fake_engine_of(int64_t number)
{
    for (size_t i = 0; i < COUNT(usual); i++) {
        if (usual[i].number == number) { return &usual[i]; }
    }
    if (number == fallback[0].number) { return fallback; }
    return number == adders[0].number ? adders : NULL;
}

static fake_descriptor *
operation_of(const fake_descriptor *graph, cudnnBackendDescriptorType_t kind)
{
    const int64_t count = fake_count(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS);
    for (int64_t i = 0; i < count; i++) {
        fake_descriptor *d = fake_part(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, (size_t)i);
        if (d->kind == kind) { return d; }
    }
    return NULL;
}

fake_descriptor *
fake_forward_of(const fake_descriptor *graph)
{
    return operation_of(graph, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
}

fake_descriptor *
fake_addition_of(const fake_descriptor *graph)
{
    return operation_of(graph, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
}

/* The mode's engines for the graph: for a bias alone there are none but in the fallback. */
static const fake_engine *
rank(const fake_descriptor *graph, cudnnBackendHeurMode_t mode, size_t *count)
{
    const bool is_fallback = mode == CUDNN_HEUR_MODE_FALLBACK;
    if (fake_forward_of(graph) == NULL) {
        *count = is_fallback ? COUNT(adders) : 0;
        return adders;
    }
    *count = is_fallback ? COUNT(fallback) : COUNT(usual);
    return is_fallback ? fallback : usual;
}

/* All are announced; without a device none comes. */
static int64_t
give_results(const fake_descriptor *heuristic, int64_t capacity, fake_descriptor **configs)
{
    size_t count = 0;
    fake_descriptor *graph = fake_part(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, 0);
    const int mode = fake_enum(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_HEUR_MODE_INSTANT);
    const fake_engine *ranked = rank(graph, (cudnnBackendHeurMode_t)mode, &count);
    if (capacity == 0) { return (int64_t)count; }
    if (!fake_device_has_context()) { return 0; }
    int64_t given = 0;
    for (; given < capacity && given < (int64_t)count; given++) {
        fake_descriptor *config = configs[given];
        if (config->kind != CUDNN_BACKEND_ENGINECFG_DESCRIPTOR || config->is_final) {
            fake_die("results go into new configurations");
        }
        config->engine = &ranked[given];
        config->graph = graph;
        config->is_final = true;
        fake_use(graph);
    }
    return given;
}

static void
give_engine(const fake_descriptor *config, fake_descriptor *engine)
{
    if (engine->kind != CUDNN_BACKEND_ENGINE_DESCRIPTOR || engine->is_final) {
        fake_die("an engine goes into a new descriptor");
    }
    engine->engine = config->engine;
    engine->is_final = true;
}

bool
fake_derive(fake_descriptor *d, cudnnBackendAttributeName_t name, int64_t capacity, int64_t *count,
            void *values)
{
    *count = 1;
    if (d->kind == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR && name == CUDNN_ATTR_ENGINEHEUR_RESULTS) {
        *count = give_results(d, capacity, values);
        return true;
    }
    if (d->kind == CUDNN_BACKEND_ENGINECFG_DESCRIPTOR && name == CUDNN_ATTR_ENGINECFG_ENGINE) {
        give_engine(d, *(fake_descriptor **)values);
        return true;
    }
    if (d->kind == CUDNN_BACKEND_ENGINE_DESCRIPTOR && name == CUDNN_ATTR_ENGINE_NUMERICAL_NOTE) {
        *count = d->engine->note_count;
        const int64_t room = capacity < *count ? capacity : *count;
        if (room > 0) { memcpy(values, d->engine->notes, (size_t)room * sizeof(int)); }
        return true;
    }
    if (d->kind == CUDNN_BACKEND_ENGINE_DESCRIPTOR && name == CUDNN_ATTR_ENGINE_GLOBAL_INDEX) {
        *(int64_t *)values = d->engine->number;
        return true;
    }
    if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) {
        *(int64_t *)values =
            fake_part(d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 0)->engine->workspace;
        return true;
    }
    return false;
}

static bool
is_aligned(const fake_tensor *tensor)
{
    return tensor->alignment % 16 == 0 && tensor->extents[1] % 4 == 0;
}

/* Where the graph's result goes, and where its inputs come from. */
static cudnnStatus_t
check_tensors(const fake_engine *engine, const fake_tensor *x, const fake_tensor *y)
{
    const bool is_double = x->dtype == CUDNN_DATA_DOUBLE;
    const bool is_narrow = fake_size_of(x->dtype) == 2;
    if ((is_double && !engine->takes_double) || (is_narrow && !engine->takes_narrow)) {
        return fake_refuse(CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE, "the engine's types");
    }
    if (engine->needs_alignment && !(is_aligned(x) && is_aligned(y))) {
        return fake_refuse(CUDNN_STATUS_NOT_SUPPORTED_LAYOUT, "the engine's alignment");
    }
    for (int i = 0; i < 4; i++) {
        if (x->extents[i] == 0 || y->extents[i] == 0 || x->strides[i] == 0 || y->strides[i] == 0) {
            return fake_refuse(CUDNN_STATUS_NOT_SUPPORTED_SHAPE, "nothing, or the same again");
        }
    }
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
fake_engine_check(const fake_engine *engine, const fake_descriptor *graph)
{
    const fake_descriptor *forward = fake_forward_of(graph);
    const fake_descriptor *add = fake_addition_of(graph);
    const bool is_adder = engine == adders;
    if (!fake_device_has_context()) { return fake_refuse(CUDNN_STATUS_NOT_SUPPORTED, "no device"); }
    if ((forward == NULL) != is_adder || (add != NULL && !engine->adds_bias)) {
        return fake_refuse(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, "the engine's graphs");
    }
    const fake_descriptor *first =
        is_adder ? fake_part(add, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, 0)
                 : fake_part(forward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, 0);
    const fake_descriptor *last =
        add != NULL ? fake_part(add, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, 0)
                    : fake_part(forward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, 0);
    const fake_tensor x = fake_read_tensor(first);
    const fake_tensor y = fake_read_tensor(last);
    return check_tensors(engine, &x, &y);
}
