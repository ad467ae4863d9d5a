#include "gp_cublas_problem.h"

#include "gp_cublas_operand.h"

/* More than this cuBLASLt asks of no address. */
enum { MOST_ALIGNMENT = 256 };

/* Its kernels count sides and batches by int32_t. */
enum { MOST_SIDE = INT32_MAX };

_Static_assert(sizeof(gp_cublas_problem) == 11 * sizeof(int64_t) + 10 * sizeof(uint32_t),
               "a problem has no padding");

static gp_cublas_way
way_of_second(const gp_cublas_rule *rule)
{
    return rule->is_by_inner ? GP_CUBLAS_PLAIN : GP_CUBLAS_EITHER;
}

static gp_status
place_inputs(const gp_cublas_operand *first, const gp_cublas_operand *second,
             const gp_cublas_rule *rule, gp_cublas_problem *problem)
{
    gp_cublas_place places[GP_RESULT];
    gp_cublas_way way = rule->is_by_inner ? GP_CUBLAS_TRANSPOSED : GP_CUBLAS_EITHER;
    gp_status st = gp_cublas_place_operand(first, way, &places[GP_FIRST]);
    if (gp_failed(st)) { return st; }
    st = gp_cublas_place_operand(second, way_of_second(rule), &places[GP_SECOND]);
    if (gp_failed(st)) { return st; }
    for (int i = 0; i < GP_RESULT; i++) {
        problem->ld[i] = places[i].ld;
        problem->operation[i] = places[i].operation;
    }
    return gp_ok();
}

/* The greatest power of two that divides every address. */
static uint32_t
alignment_of(const gp_cublas_product *product, int which)
{
    uint64_t bits = (uintptr_t)product->data[which] | MOST_ALIGNMENT;
    for (int i = 0; i + 1 < product->batch.ndim; i++) {
        bits |= (uint64_t)product->batch.axes[i].strides[which];
    }
    return (uint32_t)(bits & (~bits + 1));
}

static gp_status
place_batch(gp_cublas_product *product, const size_t sizes[GP_CUBLAS_MATRICES])
{
    gp_cublas_problem *problem = &product->problem;
    const gp_cublas_batch *batch = &product->batch;
    problem->batch = batch->ndim == 0 ? 1 : batch->axes[batch->ndim - 1].extent;
    for (int i = 0; i < GP_CUBLAS_MATRICES; i++) {
        int64_t size = (int64_t)sizes[i];
        int64_t stride = batch->ndim == 0 ? 0 : batch->axes[batch->ndim - 1].strides[i];
        if (stride < 0 || stride % size != 0) {
            return gp_fail(GP_UNSUPPORTED, 0,
                           "cuBLAS takes no batch with strides that are negative or parts of "
                           "elements");
        }
        problem->step[i] = stride / size;
        problem->alignment[i] = alignment_of(product, i);
        if (problem->alignment[i] < sizes[i]) {
            return gp_fail(GP_UNSUPPORTED, 0,
                           "cuBLAS takes no address that is no multiple of its elements' size");
        }
    }
    return gp_ok();
}

/* A batch of a that goes on by rows, all with the same b, is one taller a, if that can be read:
 * matrices of a batch may overlap or have gaps, where the rows of one matrix may not. */
static void
stack_rows(gp_cublas_product *product, gp_cublas_operand *second, int64_t size, gp_cublas_way way)
{
    gp_cublas_operand taller = *second;
    gp_cublas_place place;
    if (product->batch.ndim != 1) { return; }
    const gp_cublas_axis *axis = &product->batch.axes[0];
    int64_t step = axis->strides[GP_SECOND] / size;
    if (axis->strides[GP_FIRST] != 0 || axis->strides[GP_SECOND] % size != 0) { return; }
    if (taller.columns == 1) { taller.column_stride = step; }
    if (step != taller.columns * taller.column_stride) { return; }
    taller.columns *= axis->extent;
    if (taller.columns > MOST_SIDE) { return; }
    if (gp_failed(gp_cublas_place_operand(&taller, way, &place))) { return; }
    *second = taller;
    product->batch.ndim = 0;
}

static gp_status
check_sides(const gp_cublas_problem *problem)
{
    if (problem->rows > MOST_SIDE || problem->columns > MOST_SIDE || problem->inner > MOST_SIDE ||
        problem->batch > MOST_SIDE) {
        return gp_fail(GP_UNSUPPORTED, 0, "cuBLAS takes no side and no batch of 2^31 or more");
    }
    return gp_ok();
}

/* What the rules for int8 and float8 ask beyond those for all types. */
static gp_status
check_multiples(const gp_cublas_problem *problem, int64_t multiple)
{
    bool is_first_plain = problem->operation[GP_FIRST] == GP_CUBLAS_OP_N;
    bool is_second_plain = problem->operation[GP_SECOND] == GP_CUBLAS_OP_N;
    const int64_t columns[GP_CUBLAS_MATRICES] = {
        [GP_FIRST] = is_first_plain ? problem->rows : problem->inner,
        [GP_SECOND] = is_second_plain ? problem->inner : problem->columns,
        [GP_RESULT] = problem->rows,
    };
    for (int i = 0; i < GP_CUBLAS_MATRICES; i++) {
        if (columns[i] % multiple != 0 || problem->ld[i] % multiple != 0 ||
            problem->step[i] % multiple != 0 || problem->alignment[i] < multiple) {
            return gp_fail(GP_UNSUPPORTED, 0,
                           "cuBLAS multiplies int8 and float8 only in multiples of 4 and of 16, "
                           "aligned to as many bytes");
        }
    }
    return gp_ok();
}

static gp_status
place_all(gp_cublas_product *product, const gp_cublas_operand *first,
          const gp_cublas_operand *second, const gp_cublas_rule *rule,
          const size_t sizes[GP_CUBLAS_MATRICES])
{
    gp_cublas_problem *problem = &product->problem;
    problem->compute = rule->compute;
    problem->scale = rule->scale;
    problem->rows = first->rows;
    problem->columns = second->columns;
    problem->inner = first->columns;
    problem->ld[GP_RESULT] = first->rows;
    gp_status st = place_inputs(first, second, rule, problem);
    if (gp_failed(st)) { return st; }
    st = place_batch(product, sizes);
    if (gp_failed(st)) { return st; }
    st = check_sides(problem);
    return gp_failed(st) ? st : check_multiples(problem, rule->multiple);
}

gp_status
gp_cublas_product_of(const gp_matmul_shape *shape, const gp_tensor *a, const gp_tensor *b,
                     const gp_tensor *c, const gp_arithmetic *arithmetic, int capability,
                     gp_cublas_product *product)
{
    gp_cublas_rule rule;
    gp_cublas_operand first;
    gp_cublas_operand second;
    gp_status st = gp_cublas_rule_of(arithmetic, a->dtype, b->dtype, c->dtype, capability, &rule);
    if (gp_failed(st)) { return st; }
    st = gp_cublas_operand_of(shape->n, shape->k, shape->b_strides[1], shape->b_strides[0],
                              b->dtype, &first);
    if (gp_failed(st)) { return st; }
    st = gp_cublas_operand_of(shape->k, shape->m, shape->a_strides[1], shape->a_strides[0],
                              a->dtype, &second);
    if (gp_failed(st)) { return st; }
    const gp_tensor *tensors[GP_CUBLAS_MATRICES] = {b, a, c};
    size_t sizes[GP_CUBLAS_MATRICES];
    product->problem = (gp_cublas_problem){.rows = 0};
    for (int i = 0; i < GP_CUBLAS_MATRICES; i++) {
        product->data[i] = tensors[i]->data;
        product->problem.type[i] = gp_cublas_type_of(tensors[i]->dtype);
        sizes[i] = gp_dtype_size(tensors[i]->dtype);
    }
    gp_cublas_batch_of(shape, (int64_t)sizes[GP_RESULT], &product->batch);
    stack_rows(product, &second, (int64_t)sizes[GP_SECOND], way_of_second(&rule));
    return place_all(product, &first, &second, &rule, sizes);
}
