/* A problem with what cuBLASLt needs to solve it again and again: its descriptors, and the
 * algorithm that its heuristic chose once. */
#ifndef GP_CUBLAS_PLAN_H
#define GP_CUBLAS_PLAN_H

#include "api/gp_cublaslt.h"
#include "gp_cublas_problem.h"

/* Which of its ways cuBLAS takes, by its own numbers; -1: it does not tell. */
typedef struct gp_cublas_told {
    int32_t algorithm; /* -1 also: none, as there was nothing to add up */
    int32_t split_k;   /* parts of each sum that are made side by side */
} gp_cublas_told;

typedef struct gp_cublas_plan {
    gp_cublas_problem problem;
    gp_cublaslt_operation operation; /* NULL: no plan */
    gp_cublaslt_layout layouts[GP_CUBLAS_MATRICES];
    gp_cublaslt_algorithm algorithm;
    size_t workspace_size; /* that this algorithm needs */
    gp_cublas_told told;
} gp_cublas_plan;

/* Asks the heuristic; the context is current. GP_UNSUPPORTED: it has no algorithm. A failure leaves
 * nothing behind. */
gp_status gp_cublas_plan_make(const gp_cublaslt *lt, gp_cublaslt_handle handle,
                              const gp_cublas_problem *problem, gp_cublas_plan *plan);

/* Queues one solution on the stream; the context is current. `workspace` has workspace_size bytes.
 */
gp_status
gp_cublas_plan_run(const gp_cublaslt *lt, gp_cublaslt_handle handle, const gp_cublas_plan *plan,
                   void *const data[GP_CUBLAS_MATRICES], void *workspace, gp_cu_stream stream);

/* Does nothing without a plan. Every descriptor is given back, whatever fails. */
gp_status gp_cublas_plan_free(const gp_cublaslt *lt, gp_cublas_plan *plan);

#endif
