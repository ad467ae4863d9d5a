/* Plans, workspaces, and what is held when something fails. */

#include "alloc_hook.h"
#include "cublas_bench.h"
#include "harness.h"

static cublas_bench bench;

static bench_product
square(int64_t side)
{
    const bench_array array = ARRAY(GP_FLOAT32, 2, {side, side});
    return (bench_product){"float32", array, array, GP_FLOAT32};
}

TEST(cublas_plan_is_made_once_for_a_kind_of_product)
{
    const bench_product first = square(3);
    const bench_product second = square(4);
    ASSERT_OK(bench_open(&bench, 0));
    for (int i = 0; i < 5; i++) {
        bench_check(&bench, &first);
        bench_check(&bench, &second);
    }
    ASSERT_INT(2, cublas_script.asked);
    ASSERT_INT(8, bench.cublas.plans.hits);
    ASSERT_INT(10, bench.cublas.plans.moment);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
}

/* Four descriptors a plan. */
TEST(cublas_plans_are_bounded_and_the_latest_stay)
{
    ASSERT_OK(bench_open(&bench, 0));
    for (int64_t m = 1; m <= 1000; m++) {
        const bench_product product = {"float32", ARRAY(GP_FLOAT32, 2, {m, 2}),
                                       ARRAY(GP_FLOAT32, 2, {2, 1}), GP_FLOAT32};
        ASSERT_OK(bench_multiply(&bench, &product));
        ASSERT_OK(bench_multiply(&bench, &product));
    }
    ASSERT_INT(1000, cublas_script.asked);
    ASSERT(cublas_script.descriptors > 4 * GP_CUBLAS_PLAN_SETS);
    ASSERT(cublas_script.descriptors <= 4 * GP_CUBLAS_PLAN_SETS * GP_CUBLAS_PLAN_WAYS);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
    scripted_memory_assert_released();
}

TEST(cublas_workspace_is_of_the_arena_and_is_given_back)
{
    const bench_product product = square(5);
    gp_arena_stats stats;
    cublas_script.workspace_size = 3 * MIB;
    ASSERT_OK(bench_open(&bench, 0));
    bench_check(&bench, &product);
    ASSERT(cublas_script.workspace != 0 && cublas_script.workspace % 256 == 0);
    bench_check(&bench, &product);
    gp_arena_stats_read(&bench.arena, &stats);
    ASSERT_INT(0, stats.in_use);
    ASSERT_INT(3 * MIB, stats.in_use_peak);
    ASSERT_INT(1, stats.growths);
    ASSERT_OK(bench_close(&bench));
}

static gp_cu_result
is_capturing(gp_cu_stream stream, gp_cu_capture *status)
{
    ASSERT(stream == BENCH_STREAM || stream == NULL);
    *status = GP_CU_CAPTURE_ACTIVE;
    return GP_CU_SUCCESS;
}

/* It would be somebody else's when the graph is run. */
TEST(cublas_takes_no_workspace_for_a_graph)
{
    const bench_product product = square(5);
    cublas_script.workspace_size = 3 * MIB;
    ASSERT_OK(bench_open(&bench, 0));
    bench.cu.cuStreamIsCapturing = is_capturing;
    bench_check(&bench, &product);
    ASSERT(cublas_script.workspace == 0);
    bench.cu.cuStreamIsCapturing = NULL;
    bench_check(&bench, &product);
    ASSERT(cublas_script.workspace != 0);
    ASSERT_OK(bench_close(&bench));
}

static void
check_workspace(int capability, size_t asked, size_t given)
{
    const bench_product product = square(5);
    gp_arena_stats stats;
    bench_capability = capability;
    cublas_script.workspace_size = asked;
    ASSERT_OK(bench_open(&bench, 0));
    bench_check(&bench, &product);
    gp_arena_stats_read(&bench.arena, &stats);
    ASSERT_INT(given, stats.in_use_peak);
    ASSERT_OK(bench_close(&bench));
}

TEST(cublas_workspace_is_larger_from_hopper_on)
{
    check_workspace(90, 32 * MIB, 32 * MIB);
    check_workspace(90, 33 * MIB, 0);
    check_workspace(80, 4 * MIB, 4 * MIB);
    check_workspace(80, 5 * MIB, 0);
}

TEST(cublas_goes_on_without_a_workspace_where_memory_is_short)
{
    const bench_product product = square(5);
    cublas_script.workspace_size = 16 * MIB;
    ASSERT_OK(bench_open(&bench, 8 * MIB));
    bench_check(&bench, &product);
    ASSERT_INT(0, cublas_script.workspace);
    ASSERT_INT(2, cublas_script.asked);
    ASSERT_OK(bench_close(&bench));
}

TEST(cublas_without_an_algorithm_says_so_and_asks_once)
{
    const bench_product first = square(5);
    const bench_product second = square(6);
    ASSERT_OK(bench_open(&bench, 0));
    cublas_script.state = GP_CUBLAS_NOT_SUPPORTED;
    gp_status st = bench_multiply(&bench, &first);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS("no algorithm", st.call);
    cublas_script.found = 0;
    cublas_script.state = GP_CUBLAS_SUCCESS;
    ASSERT_FAILED(GP_UNSUPPORTED, 0, bench_multiply(&bench, &second));
    ASSERT_FAILED(GP_UNSUPPORTED, 0, bench_multiply(&bench, &first));
    ASSERT_INT(2, cublas_script.asked);
    ASSERT_INT(0, cublas_script.descriptors);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
}

TEST(cublas_asks_again_after_a_failure)
{
    const bench_product product = square(5);
    ASSERT_OK(bench_open(&bench, 0));
    cublas_script.state = 14;
    gp_status st = bench_multiply(&bench, &product);
    ASSERT_FAILED(GP_CUBLAS, 14, st);
    ASSERT_TEXT("cublasLtMatmulAlgoGetHeuristic", st.call);
    cublas_script.state = GP_CUBLAS_SUCCESS;
    bench_check(&bench, &product);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
}

TEST(cublas_that_was_not_opened_or_was_closed_is_closed_in_peace)
{
    gp_cublas cublas = {.lt = NULL};
    ASSERT_OK(gp_cublas_close(&cublas));
    ASSERT_OK(bench_open(&bench, 0));
    ASSERT_OK(gp_cublas_close(&bench.cublas));
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
}

static gp_cu_result
is_gone(gp_cu_context context)
{
    (void)context;
    return GP_CU_DEINITIALIZED;
}

TEST(cublas_ends_in_peace_after_the_driver)
{
    const bench_product product = square(4);
    ASSERT_OK(bench_open(&bench, 0));
    bench_check(&bench, &product);
    bench.cu.cuCtxPushCurrent_v2 = is_gone;
    ASSERT_OK(bench_close(&bench));
    ASSERT_INT(0, cublas_script.descriptors);
    ASSERT_INT(0, alloc_live());
}

/* A batch of several calls, with a workspace, and a sum of no terms. */
static gp_status
live(void)
{
    const bench_product crossed = {"float16", ARRAY(GP_FLOAT16, 4, {2, 1, 3, 4}),
                                   ARRAY(GP_FLOAT16, 3, {3, 4, 2}), GP_FLOAT16};
    const bench_product empty = {"float16", ARRAY(GP_FLOAT16, 2, {3, 0}),
                                 ARRAY(GP_FLOAT16, 2, {0, 2}), GP_FLOAT16};
    cublas_script.workspace_size = 1 * MIB;
    gp_status st = bench_open(&bench, 0);
    if (gp_failed(st)) { return st; }
    st = bench_multiply(&bench, &crossed);
    if (!gp_failed(st)) { st = bench_multiply(&bench, &empty); }
    return gp_first_error(st, bench_close(&bench));
}

static void
assert_released(void)
{
    scripted_cublaslt_assert_released();
    scripted_memory_assert_released();
}

TEST(cublas_leaks_nothing_whichever_of_its_calls_fails)
{
    ASSERT_OK(live());
    size_t calls = cublas_script.calls;
    ASSERT(calls > 20);
    for (size_t n = 1; n <= calls; n++) {
        cublas_script.calls = 0;
        cublas_script.fail_at = n;
        ASSERT_FAILED(GP_CUBLAS, SCRIPTED_CUBLAS_CODE, live());
        assert_released();
    }
}

TEST(cublas_leaks_nothing_whichever_driver_call_fails)
{
    ASSERT_OK(live());
    size_t calls = script.calls;
    ASSERT(calls > 10);
    for (size_t n = 1; n <= calls; n++) {
        script.calls = 0;
        script.fail_at = n;
        ASSERT_FAILED(GP_CUDA, SCRIPTED_CODE, live());
        assert_released();
    }
}

TEST(cublas_leaks_nothing_whichever_allocation_fails)
{
    for (size_t n = 1;; n++) {
        alloc_fail_at(n);
        gp_status st = live();
        if (!alloc_has_failed()) { break; }
        ASSERT_FAILED(GP_NO_MEMORY, 0, st);
        assert_released();
    }
    alloc_fail_at(0);
    ASSERT_OK(live());
}

static void
check_override(gp_variable variable, const char *value, const char *arithmetic, bool is_refused)
{
    static const char *const names[GP_VAR_COUNT] = {
        [GP_VAR_TF32_OVERRIDE] = "NVIDIA_TF32_OVERRIDE",
        [GP_VAR_EMULATE_SINGLE] = "CUBLAS_EMULATE_SINGLE_PRECISION",
        [GP_VAR_EMULATE_DOUBLE] = "CUBLAS_EMULATE_DOUBLE_PRECISION",
    };
    bench_product product = square(4);
    product.arithmetic = arithmetic;
    bench_settings.values[variable] = value;
    ASSERT_OK(bench_open(&bench, 0));
    gp_status st = bench_multiply(&bench, &product);
    ASSERT_FAILED(is_refused ? GP_UNSUPPORTED : GP_OK, 0, st);
    if (is_refused) { ASSERT_CONTAINS(names[variable], st.call); }
    ASSERT_OK(bench_close(&bench));
    bench_settings.values[variable] = NULL;
}

/* A variable must not make of float32 what nobody has asked for, nor of TF32. */
TEST(cublas_refuses_an_arithmetic_that_a_variable_changes)
{
    check_override(GP_VAR_TF32_OVERRIDE, "1", "float32", true);
    check_override(GP_VAR_TF32_OVERRIDE, "1", "tf32", false);
    check_override(GP_VAR_TF32_OVERRIDE, "0", "float32", false);
    check_override(GP_VAR_TF32_OVERRIDE, "0", "tf32", true);
    check_override(GP_VAR_TF32_OVERRIDE, NULL, "float32", false);
    check_override(GP_VAR_TF32_OVERRIDE, NULL, "tf32", false);
    check_override(GP_VAR_EMULATE_SINGLE, "1", "float32", true);
    check_override(GP_VAR_EMULATE_SINGLE, "0", "float32", false);
    check_override(GP_VAR_EMULATE_DOUBLE, "1", "float32", false);
}
