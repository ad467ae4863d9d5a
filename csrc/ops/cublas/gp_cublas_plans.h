/* Plans that were made, kept for the next product of the same kind: a bounded number of them, and
 * those that were not used for longest make room. */
#ifndef GP_CUBLAS_PLANS_H
#define GP_CUBLAS_PLANS_H

#include "gp_cublas_plan.h"

/* A problem has its place in one set, and a set keeps so many. */
enum { GP_CUBLAS_PLAN_SETS = 64, GP_CUBLAS_PLAN_WAYS = 4 };

typedef struct gp_cublas_plan_slot {
    gp_cublas_plan plan;
    gp_status verdict; /* GP_OK, or GP_UNSUPPORTED: then the plan is its problem alone */
    uint64_t used_at;  /* 0: empty */
} gp_cublas_plan_slot;

typedef struct gp_cublas_plans {
    gp_cublas_plan_slot *slots; /* owned */
    uint64_t moment;            /* counts the look-ups */
    uint64_t hits;
} gp_cublas_plans;

/* GP_NO_MEMORY: no room for them. */
gp_status gp_cublas_plans_open(gp_cublas_plans *plans);

/* Frees all plans, whatever fails. */
gp_status gp_cublas_plans_close(const gp_cublaslt *lt, gp_cublas_plans *plans);

/* The plan for a problem, made where there is none yet; the context is current. It is borrowed, and
 * good until the next look-up. That there is no algorithm is kept as well. */
gp_status gp_cublas_plans_find(const gp_cublaslt *lt, gp_cublaslt_handle handle,
                               const gp_cublas_problem *problem, gp_cublas_plans *plans,
                               const gp_cublas_plan **plan);

#endif
