/* What computes one problem: one plan, or two where no engine adds the bias as well. */
#ifndef GP_CUDNN_PLANS_H
#define GP_CUDNN_PLANS_H

#include "gp_cudnn_choice.h"
#include "gp_cudnn_problem.h"

typedef struct gp_cudnn_plans {
    gp_cudnn_bag parts; /* owned: everything the plans are made of */
    gp_cudnn_plan conv;
    gp_cudnn_plan bias; /* ready is NULL: conv adds it, or there is none */
} gp_cudnn_plans;

/* On failure there is nothing to free. GP_UNSUPPORTED: no engine will do; the reason is told. */
gp_cudnn_failure
gp_cudnn_plans_make(const gp_cudnn *dnn, gp_cudnn_handle handle, const gp_cudnn_problem *problem,
                    int64_t most_workspace, gp_cudnn_plans *plans);

void gp_cudnn_plans_free(gp_cudnn_plans *plans);

#endif
