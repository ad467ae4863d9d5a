#include "gp_cublas_plans.h"

#include "base/gp_alloc.h"

#include <string.h>

enum { SLOTS = GP_CUBLAS_PLAN_SETS * GP_CUBLAS_PLAN_WAYS };

gp_status
gp_cublas_plans_open(gp_cublas_plans *plans)
{
    *plans = (gp_cublas_plans){.slots = gp_alloc(SLOTS, sizeof(*plans->slots))};
    return plans->slots == NULL ? gp_fail(GP_NO_MEMORY, 0, "gp_cublas_plans_open") : gp_ok();
}

gp_status
gp_cublas_plans_close(const gp_cublaslt *lt, gp_cublas_plans *plans)
{
    gp_status st = gp_ok();
    for (size_t i = 0; plans->slots != NULL && i < SLOTS; i++) {
        st = gp_first_error(st, gp_cublas_plan_free(lt, &plans->slots[i].plan));
    }
    gp_free(plans->slots);
    *plans = (gp_cublas_plans){.slots = NULL};
    return st;
}

/* FNV-1a, eight bytes at a time, with the high bits mixed in at the end. */
static size_t
set_of(const gp_cublas_problem *problem)
{
    uint64_t words[sizeof(*problem) / sizeof(uint64_t)];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    memcpy(words, problem, sizeof(words));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
    }
    return (size_t)((hash ^ (hash >> 32)) % GP_CUBLAS_PLAN_SETS);
}

gp_status
gp_cublas_plans_find(const gp_cublaslt *lt, gp_cublaslt_handle handle,
                     const gp_cublas_problem *problem, gp_cublas_plans *plans,
                     const gp_cublas_plan **plan)
{
    gp_cublas_plan_slot *set = &plans->slots[set_of(problem) * GP_CUBLAS_PLAN_WAYS];
    gp_cublas_plan_slot *oldest = set;
    plans->moment++;
    for (gp_cublas_plan_slot *slot = set; slot < set + GP_CUBLAS_PLAN_WAYS; slot++) {
        if (slot->used_at != 0 && memcmp(&slot->plan.problem, problem, sizeof(*problem)) == 0) {
            slot->used_at = plans->moment;
            plans->hits++;
            *plan = &slot->plan;
            return slot->verdict;
        }
        if (slot->used_at < oldest->used_at) { oldest = slot; }
    }
    gp_cublas_plan made;
    gp_status st = gp_cublas_plan_make(lt, handle, problem, &made);
    if (gp_failed(st) && st.kind != GP_UNSUPPORTED) { return st; }
    /* Best effort: a descriptor that the library does not take back hinders no product. */
    (void)gp_cublas_plan_free(lt, &oldest->plan);
    made.problem = *problem;
    *oldest = (gp_cublas_plan_slot){made, st, plans->moment};
    *plan = &oldest->plan;
    return st;
}
