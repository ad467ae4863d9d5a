#include "gp_cublas_plan.h"

#define SET_OPERATION(lt, plan, attribute, value)        \
    GP_CUBLASLT_CALL(lt, cublasLtMatmulDescSetAttribute, \
                     ((plan)->operation, attribute, &(value), sizeof(value)))
#define SET_LAYOUT(lt, layout, attribute, value)           \
    GP_CUBLASLT_CALL(lt, cublasLtMatrixLayoutSetAttribute, \
                     (layout, attribute, &(value), sizeof(value)))
#define SET_PREFERENCE(lt, preference, attribute, value)       \
    GP_CUBLASLT_CALL(lt, cublasLtMatmulPreferenceSetAttribute, \
                     (preference, attribute, &(value), sizeof(value)))

/* What a call that fails has written is no descriptor: it is kept only after a success. */

static gp_status
make_operation(const gp_cublaslt *lt, gp_cublas_plan *plan)
{
    const gp_cublas_problem *problem = &plan->problem;
    const int32_t first = (int32_t)problem->operation[GP_FIRST];
    const int32_t second = (int32_t)problem->operation[GP_SECOND];
    gp_cublaslt_operation made = NULL;
    gp_status st =
        GP_CUBLASLT_CALL(lt, cublasLtMatmulDescCreate, (&made, problem->compute, problem->scale));
    if (gp_failed(st)) { return st; }
    plan->operation = made;
    st = SET_OPERATION(lt, plan, GP_CUBLASLT_OPERATION_TRANSA, first);
    if (gp_failed(st)) { return st; }
    return SET_OPERATION(lt, plan, GP_CUBLASLT_OPERATION_TRANSB, second);
}

/* `rows` and `columns` as stored. */
static gp_status
make_layout(const gp_cublaslt *lt, gp_cublas_plan *plan, int which, int64_t rows, int64_t columns)
{
    const gp_cublas_problem *problem = &plan->problem;
    const int32_t batch = (int32_t)problem->batch;
    gp_cublaslt_layout made = NULL;
    gp_status st = GP_CUBLASLT_CALL(
        lt, cublasLtMatrixLayoutCreate,
        (&made, problem->type[which], (uint64_t)rows, (uint64_t)columns, problem->ld[which]));
    if (gp_failed(st)) { return st; }
    plan->layouts[which] = made;
    if (batch == 1) { return st; }
    st = SET_LAYOUT(lt, made, GP_CUBLASLT_LAYOUT_BATCH_COUNT, batch);
    if (gp_failed(st)) { return st; }
    return SET_LAYOUT(lt, made, GP_CUBLASLT_LAYOUT_BATCH_OFFSET, problem->step[which]);
}

static gp_status
make_input(const gp_cublaslt *lt, gp_cublas_plan *plan, int which, int64_t rows, int64_t columns)
{
    bool is_plain = plan->problem.operation[which] == GP_CUBLAS_OP_N;
    return make_layout(lt, plan, which, is_plain ? rows : columns, is_plain ? columns : rows);
}

static gp_status
make_descriptors(const gp_cublaslt *lt, gp_cublas_plan *plan)
{
    const gp_cublas_problem *problem = &plan->problem;
    gp_status st = make_operation(lt, plan);
    if (gp_failed(st)) { return st; }
    st = make_input(lt, plan, GP_FIRST, problem->rows, problem->inner);
    if (gp_failed(st)) { return st; }
    st = make_input(lt, plan, GP_SECOND, problem->inner, problem->columns);
    if (gp_failed(st)) { return st; }
    return make_layout(lt, plan, GP_RESULT, problem->rows, problem->columns);
}

/* Without these the library would take no workspace, suppose addresses that are multiples of 256,
 * and might add up parts of a sum in the narrow type of the result. */
static gp_status
set_preference(const gp_cublaslt *lt, const gp_cublas_problem *problem,
               gp_cublaslt_preference preference)
{
    const uint32_t reduction = GP_CUBLASLT_REDUCTION_COMPUTE_TYPE;
    const struct {
        unsigned int attribute;
        uint32_t bytes;
    } alignments[] = {
        {GP_CUBLASLT_PREFERENCE_ALIGNMENT_A, problem->alignment[GP_FIRST]},
        {GP_CUBLASLT_PREFERENCE_ALIGNMENT_B, problem->alignment[GP_SECOND]},
        {GP_CUBLASLT_PREFERENCE_ALIGNMENT_C, problem->alignment[GP_RESULT]},
        {GP_CUBLASLT_PREFERENCE_ALIGNMENT_D, problem->alignment[GP_RESULT]},
    };
    gp_status st =
        SET_PREFERENCE(lt, preference, GP_CUBLASLT_PREFERENCE_WORKSPACE, problem->workspace);
    if (gp_failed(st)) { return st; }
    st = SET_PREFERENCE(lt, preference, GP_CUBLASLT_PREFERENCE_REDUCTION, reduction);
    for (size_t i = 0; !gp_failed(st) && i < sizeof(alignments) / sizeof(alignments[0]); i++) {
        st = SET_PREFERENCE(lt, preference, alignments[i].attribute, alignments[i].bytes);
    }
    return st;
}

/* What the library says of the algorithm. Best effort: the product needs none of it. */
static int32_t
number_of(const gp_cublaslt *lt, const gp_cublas_plan *plan, unsigned int attribute)
{
    int32_t number = -1;
    size_t written = 0;
    gp_status st =
        GP_CUBLASLT_CALL(lt, cublasLtMatmulAlgoConfigGetAttribute,
                         (&plan->algorithm, attribute, &number, sizeof(number), &written));
    return gp_failed(st) ? -1 : number;
}

static gp_status
ask(const gp_cublaslt *lt, gp_cublaslt_handle handle, gp_cublaslt_preference preference,
    gp_cublas_plan *plan)
{
    const gp_cublaslt_layout *layouts = plan->layouts;
    gp_cublaslt_choice choice = {.state = GP_CUBLAS_NOT_SUPPORTED};
    int got = 0;
    gp_status st =
        GP_CUBLASLT_CALL(lt, cublasLtMatmulAlgoGetHeuristic,
                         (handle, plan->operation, layouts[GP_FIRST], layouts[GP_SECOND],
                          layouts[GP_RESULT], layouts[GP_RESULT], preference, 1, &choice, &got));
    if (!gp_failed(st) && got > 0 && choice.state != GP_CUBLAS_SUCCESS) {
        st = gp_fail(GP_CUBLAS, (int)choice.state, "cublasLtMatmulAlgoGetHeuristic");
    }
    if ((!gp_failed(st) && got == 0) ||
        (st.kind == GP_CUBLAS && st.code == GP_CUBLAS_NOT_SUPPORTED)) {
        return gp_fail(GP_UNSUPPORTED, 0, "cuBLAS has no algorithm for this product on this GPU");
    }
    if (gp_failed(st)) { return st; }
    plan->algorithm = choice.algorithm;
    plan->workspace_size = choice.workspace_size;
    plan->told.algorithm = number_of(lt, plan, GP_CUBLASLT_ALGORITHM_ID);
    plan->told.split_k = number_of(lt, plan, GP_CUBLASLT_ALGORITHM_SPLIT_K);
    return gp_ok();
}

static gp_status
choose_algorithm(const gp_cublaslt *lt, gp_cublaslt_handle handle, gp_cublas_plan *plan)
{
    gp_cublaslt_preference preference = NULL;
    gp_status st = GP_CUBLASLT_CALL(lt, cublasLtMatmulPreferenceCreate, (&preference));
    if (gp_failed(st)) { return st; }
    st = set_preference(lt, &plan->problem, preference);
    if (!gp_failed(st)) { st = ask(lt, handle, preference, plan); }
    return gp_first_error(st, GP_CUBLASLT_CALL(lt, cublasLtMatmulPreferenceDestroy, (preference)));
}

gp_status
gp_cublas_plan_make(const gp_cublaslt *lt, gp_cublaslt_handle handle,
                    const gp_cublas_problem *problem, gp_cublas_plan *plan)
{
    *plan = (gp_cublas_plan){.problem = *problem};
    gp_status st = make_descriptors(lt, plan);
    if (!gp_failed(st)) { st = choose_algorithm(lt, handle, plan); }
    /* Best effort: the first failure is the one that counts. */
    if (gp_failed(st)) { (void)gp_cublas_plan_free(lt, plan); }
    return st;
}

gp_status
gp_cublas_plan_free(const gp_cublaslt *lt, gp_cublas_plan *plan)
{
    gp_status st = gp_ok();
    for (int i = GP_RESULT; i >= GP_FIRST; i--) {
        if (plan->layouts[i] == NULL) { continue; }
        st = gp_first_error(st,
                            GP_CUBLASLT_CALL(lt, cublasLtMatrixLayoutDestroy, (plan->layouts[i])));
    }
    if (plan->operation != NULL) {
        st = gp_first_error(st, GP_CUBLASLT_CALL(lt, cublasLtMatmulDescDestroy, (plan->operation)));
    }
    *plan = (gp_cublas_plan){.operation = NULL};
    return st;
}

/* The factors 1 and 0 in the type that the problem scales by. */
typedef struct factors {
    const void *one;
    const void *zero;
} factors;

static factors
factors_of(gp_cublas_type scale)
{
    static const double wide[] = {1.0, 0.0};
    static const float usual[] = {1.0F, 0.0F};
    static const int32_t whole[] = {1, 0};
    switch (scale) {
    case GP_CUBLAS_R_64F: return (factors){&wide[0], &wide[1]};
    case GP_CUBLAS_R_32I: return (factors){&whole[0], &whole[1]};
    default: return (factors){&usual[0], &usual[1]};
    }
}

gp_status
gp_cublas_plan_run(const gp_cublaslt *lt, gp_cublaslt_handle handle, const gp_cublas_plan *plan,
                   void *const data[GP_CUBLAS_MATRICES], void *workspace, gp_cu_stream stream)
{
    factors scale = factors_of(plan->problem.scale);
    const gp_cublaslt_layout *layouts = plan->layouts;
    return GP_CUBLASLT_CALL(lt, cublasLtMatmul,
                            (handle, plan->operation, scale.one, data[GP_FIRST], layouts[GP_FIRST],
                             data[GP_SECOND], layouts[GP_SECOND], scale.zero, data[GP_RESULT],
                             layouts[GP_RESULT], data[GP_RESULT], layouts[GP_RESULT],
                             &plan->algorithm, workspace, plan->workspace_size, stream));
}
