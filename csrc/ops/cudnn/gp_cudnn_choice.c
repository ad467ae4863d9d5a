#include "gp_cudnn_choice.h"

/* More kinds of notes than cuDNN has (ten, in 9.28). */
enum { MOST_NOTES = 32 };

typedef struct search {
    gp_cudnn_bag *bag;
    const gp_cudnn_wish *wish;
    gp_cudnn_failure failure; /* the first that was more than "not supported" */
    bool was_refused;         /* an engine, for its arithmetic */
    bool was_too_large;       /* an engine's workspace */
} search;

static bool
is_unsupported(gp_status status)
{
    return status.kind == GP_CUDNN && GP_CUDNN_GROUP(status.code) == GP_CUDNN_NOT_SUPPORTED;
}

/* Goes back to where the bag held `count`; what failed since is remembered if it is worth it. */
static void
give_up(search *s, size_t count)
{
    gp_status st = s->bag->failure.status;
    if (gp_failed(st) && !is_unsupported(st) && !gp_failed(s->failure.status)) {
        s->failure = s->bag->failure;
    }
    gp_cudnn_rewind(s->bag, count);
}

static bool
is_refused(const unsigned int *notes, int64_t count, int64_t refused)
{
    for (int64_t i = 0; i < count; i++) {
        if (i == MOST_NOTES || notes[i] > GP_CUDNN_NOTE_STRICT_NAN_PROP ||
            (refused & GP_CUDNN_NOTE_BIT(notes[i])) != 0) {
            return true;
        }
    }
    return false;
}

/* Reads what the engine of a configuration says of itself; false where it may not be taken. */
static bool
may_take(search *s, gp_cudnn_descriptor config, int64_t *number)
{
    unsigned int notes[MOST_NOTES] = {0};
    gp_cudnn_descriptor engine = gp_cudnn_make(s->bag, GP_CUDNN_ENGINE);
    (void)gp_cudnn_get(s->bag, config, GP_CUDNN_ENGINECFG_ENGINE, GP_CUDNN_TYPE_BACKEND_DESCRIPTOR,
                       1, &engine);
    int64_t count = gp_cudnn_get(s->bag, engine, GP_CUDNN_ENGINE_NUMERICAL_NOTE,
                                 GP_CUDNN_TYPE_NUMERICAL_NOTE, MOST_NOTES, notes);
    (void)gp_cudnn_get(s->bag, engine, GP_CUDNN_ENGINE_GLOBAL_INDEX, GP_CUDNN_TYPE_INT64, 1,
                       number);
    if (gp_cudnn_has_failed(s->bag)) { return false; }
    bool is_bad = is_refused(notes, count, s->wish->refused_notes);
    s->was_refused = s->was_refused || is_bad;
    return !is_bad;
}

/* Finalizing compiles kernels where the engine needs it, which can take seconds. */
static bool
make_plan(search *s, gp_cudnn_descriptor config, gp_cudnn_plan *plan)
{
    gp_cudnn_descriptor made = gp_cudnn_make(s->bag, GP_CUDNN_EXECUTION_PLAN);
    gp_cudnn_set_handle(s->bag, made, GP_CUDNN_EXECUTION_PLAN_HANDLE, s->wish->handle);
    gp_cudnn_set_descriptor(s->bag, made, GP_CUDNN_EXECUTION_PLAN_ENGINE_CONFIG, config);
    gp_cudnn_finalize(s->bag, made);
    (void)gp_cudnn_get(s->bag, made, GP_CUDNN_EXECUTION_PLAN_WORKSPACE_SIZE, GP_CUDNN_TYPE_INT64, 1,
                       &plan->workspace);
    if (gp_cudnn_has_failed(s->bag)) { return false; }
    bool is_small = plan->workspace <= s->wish->most_workspace;
    s->was_too_large = s->was_too_large || !is_small;
    plan->ready = made;
    return is_small;
}

static bool
try_config(search *s, gp_cudnn_descriptor config, gp_cudnn_plan *plan)
{
    size_t before = s->bag->count;
    *plan = (gp_cudnn_plan){.ready = NULL};
    if (may_take(s, config, &plan->engine) && make_plan(s, config, plan)) { return true; }
    give_up(s, before);
    return false;
}

/* Lets cuDNN rank its configurations: *count of them, the best first, are the bag's from its
 * present end on. Fewer may come than were announced. */
static void
rank(search *s, gp_cudnn_descriptor graph, gp_cudnn_heuristic mode, size_t *first, size_t *count)
{
    gp_cudnn_bag *bag = s->bag;
    gp_cudnn_descriptor heuristic = gp_cudnn_make(bag, GP_CUDNN_ENGINEHEUR);
    gp_cudnn_set_descriptor(bag, heuristic, GP_CUDNN_ENGINEHEUR_OPERATION_GRAPH, graph);
    gp_cudnn_set_enum(bag, heuristic, GP_CUDNN_ENGINEHEUR_MODE, GP_CUDNN_TYPE_HEUR_MODE, mode);
    gp_cudnn_finalize(bag, heuristic);
    int64_t announced = gp_cudnn_get(bag, heuristic, GP_CUDNN_ENGINEHEUR_RESULTS,
                                     GP_CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, NULL);
    *first = bag->count;
    *count = 0;
    for (int64_t i = 0; i < announced; i++) {
        (void)gp_cudnn_make(bag, GP_CUDNN_ENGINECFG);
    }
    if (announced <= 0) { return; }
    int64_t came = gp_cudnn_get(bag, heuristic, GP_CUDNN_ENGINEHEUR_RESULTS,
                                GP_CUDNN_TYPE_BACKEND_DESCRIPTOR, announced, &bag->held[*first]);
    *count = (size_t)(came < announced ? came : announced);
}

static bool
choose_by(search *s, gp_cudnn_descriptor graph, gp_cudnn_heuristic mode, gp_cudnn_plan *plan)
{
    size_t before = s->bag->count;
    size_t first = 0;
    size_t count = 0;
    rank(s, graph, mode, &first, &count);
    for (size_t i = 0; i < count; i++) {
        if (try_config(s, s->bag->held[first + i], plan)) { return true; }
    }
    give_up(s, before);
    return false;
}

static gp_cudnn_failure
no_engine(const search *s)
{
    const char *reason = "cuDNN has no engine for this convolution on this device";
    if (s->was_refused) {
        reason = "cuDNN's engines for this convolution on this device break the arithmetic's "
                 "promise (TF32, FFT, Winograd, rounded inputs, sums in changing order)";
    }
    if (s->was_too_large) { reason = "cuDNN's engines need more workspace than is allowed"; }
    if (gp_failed(s->failure.status)) { return s->failure; }
    return (gp_cudnn_failure){.status = gp_fail(GP_UNSUPPORTED, 0, reason)};
}

void
gp_cudnn_choose(gp_cudnn_bag *bag, gp_cudnn_descriptor graph, const gp_cudnn_wish *wish,
                gp_cudnn_plan *plan)
{
    search s = {.bag = bag, .wish = wish};
    if (gp_cudnn_has_failed(bag)) {
        if (is_unsupported(bag->failure.status)) { bag->failure = no_engine(&s); }
        return;
    }
    if (choose_by(&s, graph, GP_CUDNN_HEUR_A, plan)) { return; }
    if (choose_by(&s, graph, GP_CUDNN_HEUR_FALLBACK, plan)) { return; }
    bag->failure = no_engine(&s);
}
