#include "gp_cudnn_plans.h"

#include "gp_cudnn_graph.h"

static void
plan_graph(gp_cudnn_bag *bag, const gp_cudnn_problem *problem, const gp_cudnn_wish *wish,
           gp_cudnn_graph graph, gp_cudnn_plan *plan)
{
    gp_cudnn_descriptor made = gp_cudnn_graph_make(bag, wish->handle, problem, graph);
    gp_cudnn_choose(bag, made, wish, plan);
}

/* Adding to what is stored would round float16 and bfloat16 twice, which their arithmetic does not
 * allow; float32 and float64 are stored as they are summed. */
static bool
is_stored_as_summed(const gp_cudnn_problem *problem)
{
    return problem->operands[GP_CUDNN_Y].dtype == problem->sum_dtype;
}

/* In one graph if an engine takes it: there is one for tensor cores as a rule, for others seldom.
 */
static void
plan_with_bias(gp_cudnn_plans *plans, const gp_cudnn_problem *problem, const gp_cudnn_wish *wish)
{
    plan_graph(&plans->parts, problem, wish, GP_CUDNN_GRAPH_CONV_BIAS, &plans->conv);
    gp_status st = plans->parts.failure.status;
    if (st.kind != GP_UNSUPPORTED || !is_stored_as_summed(problem)) { return; }
    gp_cudnn_rewind(&plans->parts, 0);
    plan_graph(&plans->parts, problem, wish, GP_CUDNN_GRAPH_CONV, &plans->conv);
    plan_graph(&plans->parts, problem, wish, GP_CUDNN_GRAPH_BIAS, &plans->bias);
}

gp_cudnn_failure
gp_cudnn_plans_make(const gp_cudnn *dnn, gp_cudnn_handle handle, const gp_cudnn_problem *problem,
                    int64_t most_workspace, gp_cudnn_plans *plans)
{
    const gp_cudnn_wish wish = {handle, problem->refused_notes, most_workspace};
    gp_cudnn_bag_begin(&plans->parts, dnn);
    plans->bias = (gp_cudnn_plan){.ready = NULL};
    if (problem->has_bias) { plan_with_bias(plans, problem, &wish); }
    else {
        plan_graph(&plans->parts, problem, &wish, GP_CUDNN_GRAPH_CONV, &plans->conv);
    }
    gp_cudnn_failure failure = plans->parts.failure;
    if (gp_failed(failure.status)) { gp_cudnn_plans_free(plans); }
    return failure;
}

void
gp_cudnn_plans_free(gp_cudnn_plans *plans)
{
    gp_cudnn_bag_free(&plans->parts);
}
