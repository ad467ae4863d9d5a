#include "scripted_cudnn.h"

#include "harness.h"
#include "scripted_descriptors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

scripted_cudnn dnn_script = {.usual = {{.number = 1}}, .usual_count = 1};

static bool
fails(void)
{
    return ++dnn_script.calls == dnn_script.fail_at;
}

static void
get_last_error(char *text, size_t size)
{
    (void)snprintf(text, size, "%s", "the script says no");
}

static gp_cudnn_result
create(gp_cudnn_handle *handle)
{
    if (fails()) { return SCRIPTED_CUDNN_CODE; }
    *handle = (gp_cudnn_handle)(void *)&dnn_script;
    dnn_script.handles++;
    return GP_CUDNN_SUCCESS;
}

static gp_cudnn_result
destroy(gp_cudnn_handle handle)
{
    ASSERT(handle == (gp_cudnn_handle)(void *)&dnn_script);
    dnn_script.handles--;
    return fails() ? SCRIPTED_CUDNN_CODE : GP_CUDNN_SUCCESS;
}

static gp_cudnn_result
set_stream(gp_cudnn_handle handle, gp_cu_stream stream)
{
    ASSERT(handle == (gp_cudnn_handle)(void *)&dnn_script);
    if (fails()) { return SCRIPTED_CUDNN_CODE; }
    dnn_script.stream = stream;
    return GP_CUDNN_SUCCESS;
}

static gp_cudnn_result
create_descriptor(gp_cudnn_kind kind, gp_cudnn_descriptor *made)
{
    if (fails()) { return SCRIPTED_CUDNN_CODE; }
    descriptor *d = calloc(1, sizeof(*d));
    ASSERT(d != NULL);
    d->kind = kind;
    dnn_script.held++;
    dnn_script.made++;
    *made = d;
    return GP_CUDNN_SUCCESS;
}

/* Gone even where the call reports an error: it must not be ended twice. */
static gp_cudnn_result
destroy_descriptor(gp_cudnn_descriptor d)
{
    ASSERT(d != NULL);
    free(d);
    dnn_script.held--;
    return fails() ? SCRIPTED_CUDNN_CODE : GP_CUDNN_SUCCESS;
}

static size_t
size_of(gp_cudnn_type type)
{
    switch (type) {
    case GP_CUDNN_TYPE_BOOLEAN: return sizeof(bool);
    case GP_CUDNN_TYPE_HANDLE:
    case GP_CUDNN_TYPE_VOID_PTR:
    case GP_CUDNN_TYPE_BACKEND_DESCRIPTOR: return sizeof(void *);
    case GP_CUDNN_TYPE_INT64: return sizeof(int64_t);
    default: return sizeof(unsigned int);
    }
}

static gp_cudnn_result
set_attribute(gp_cudnn_descriptor to, gp_cudnn_attribute name, gp_cudnn_type type, int64_t count,
              const void *values)
{
    descriptor *d = to;
    ASSERT(d != NULL && !d->is_final && d->count < MOST_ATTRIBUTES);
    ASSERT(values != NULL && count > 0 && count <= MOST_VALUES);
    if (fails()) { return SCRIPTED_CUDNN_CODE; }
    attribute *added = &d->attributes[d->count++];
    *added = (attribute){.name = name, .type = type, .count = count};
    memcpy(added->values, values, (size_t)count * size_of(type));
    return GP_CUDNN_SUCCESS;
}

static gp_cudnn_result
finalize(gp_cudnn_descriptor of)
{
    descriptor *d = of;
    ASSERT(d != NULL && !d->is_final);
    if (fails()) { return SCRIPTED_CUDNN_CODE; }
    if (d->kind == GP_CUDNN_OPERATIONGRAPH && dnn_script.refused_operations > 0 &&
        count_of(d, GP_CUDNN_OPERATIONGRAPH_OPS) >= dnn_script.refused_operations) {
        return 3001;
    }
    if (d->kind == GP_CUDNN_EXECUTION_PLAN) {
        const descriptor *config = part_of(d, GP_CUDNN_EXECUTION_PLAN_ENGINE_CONFIG, 0);
        bool is_fused = count_of(config->graph, GP_CUDNN_OPERATIONGRAPH_OPS) == 2;
        ASSERT(value_of(d, GP_CUDNN_EXECUTION_PLAN_HANDLE) != NULL);
        if (config->engine->takes_no_fusion && is_fused) { return 3001; }
        if (config->engine->refusal != 0) { return config->engine->refusal; }
    }
    d->is_final = true;
    return GP_CUDNN_SUCCESS;
}

/* The configurations of the engines that the mode ranks. */
static void
give_results(const descriptor *heuristic, int64_t capacity, int64_t *count, void *values)
{
    bool is_usual = enum_of(heuristic, GP_CUDNN_ENGINEHEUR_MODE) == GP_CUDNN_HEUR_A;
    const scripted_engine *engines = is_usual ? dnn_script.usual : dnn_script.fallback;
    size_t ranked = is_usual ? dnn_script.usual_count : dnn_script.fallback_count;
    descriptor **configs = values;
    *count = (int64_t)ranked;
    if (capacity == 0) { return; }
    *count -= is_usual ? (int64_t)dnn_script.lost : 0;
    for (int64_t i = 0; i < *count && i < capacity; i++) {
        ASSERT_INT(GP_CUDNN_ENGINECFG, configs[i]->kind);
        configs[i]->engine = &engines[i];
        configs[i]->graph = part_of(heuristic, GP_CUDNN_ENGINEHEUR_OPERATION_GRAPH, 0);
        configs[i]->is_final = true;
    }
}

static void
give_notes(const scripted_engine *engine, int64_t capacity, int64_t *count, void *values)
{
    ASSERT(capacity >= SCRIPTED_MOST_NOTES);
    *count = engine->note_count;
    memcpy(values, engine->notes, sizeof(engine->notes));
}

static gp_cudnn_result
get_attribute(gp_cudnn_descriptor from, gp_cudnn_attribute name, gp_cudnn_type type,
              int64_t capacity, int64_t *count, void *values)
{
    const descriptor *d = from;
    (void)type;
    ASSERT(d != NULL && d->is_final);
    if (fails()) { return SCRIPTED_CUDNN_CODE; }
    *count = 1;
    switch (name) {
    case GP_CUDNN_ENGINEHEUR_RESULTS: give_results(d, capacity, count, values); break;
    case GP_CUDNN_ENGINECFG_ENGINE:
        (*(descriptor **)values)->engine = d->engine;
        (*(descriptor **)values)->is_final = true;
        break;
    case GP_CUDNN_ENGINE_NUMERICAL_NOTE: give_notes(d->engine, capacity, count, values); break;
    case GP_CUDNN_ENGINE_GLOBAL_INDEX: *(int64_t *)values = d->engine->number; break;
    case GP_CUDNN_EXECUTION_PLAN_WORKSPACE_SIZE:
        *(int64_t *)values =
            part_of(d, GP_CUDNN_EXECUTION_PLAN_ENGINE_CONFIG, 0)->engine->workspace;
        break;
    default: ASSERT(false);
    }
    return GP_CUDNN_SUCCESS;
}

static gp_cudnn_result
execute(gp_cudnn_handle handle, gp_cudnn_descriptor plan, gp_cudnn_descriptor with)
{
    const descriptor *config = part_of(plan, GP_CUDNN_EXECUTION_PLAN_ENGINE_CONFIG, 0);
    const descriptor *pack = with;
    ASSERT(handle == (gp_cudnn_handle)(void *)&dnn_script && pack->is_final);
    if (fails()) { return SCRIPTED_CUDNN_CODE; }
    const void *workspace = value_of(pack, GP_CUDNN_VARIANT_PACK_WORKSPACE);
    ASSERT((workspace != NULL) == (config->engine->workspace > 0));
    dnn_script.workspace = NULL;
    if (workspace != NULL) {
        memcpy(&dnn_script.workspace, workspace, sizeof(dnn_script.workspace));
    }
    scripted_compute(config->graph, pack);
    dnn_script.executed++;
    return GP_CUDNN_SUCCESS;
}

gp_cudnn
scripted_cudnn_table(void)
{
    return (gp_cudnn){
        .library = {.name = "scripted"},
        .cudnnGetLastErrorString = get_last_error,
        .cudnnCreate = create,
        .cudnnDestroy = destroy,
        .cudnnSetStream = set_stream,
        .cudnnBackendCreateDescriptor = create_descriptor,
        .cudnnBackendDestroyDescriptor = destroy_descriptor,
        .cudnnBackendSetAttribute = set_attribute,
        .cudnnBackendGetAttribute = get_attribute,
        .cudnnBackendFinalize = finalize,
        .cudnnBackendExecute = execute,
    };
}

void
scripted_cudnn_assert_released(void)
{
    ASSERT_INT(0, dnn_script.held);
    ASSERT_INT(0, dnn_script.handles);
}
