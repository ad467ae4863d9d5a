/* For the thread sanitizer: many threads, one cuBLAS. */
#include "cublas_bench.h"
#include "harness.h"
#include "platform/gp_parallel.h"

enum { WORKERS = 4, ROUNDS = 300, MOST_ROWS = 40 };

static cublas_bench bench;

/* Column vectors of ones, of more lengths than one set of plans has room for. */
static gp_status
add_up(size_t rows, float *a, float *c)
{
    float one = 1.0F;
    gp_cublas_told told;
    gp_matmul_shape shape;
    gp_tensor left = {.data = a, .dtype = GP_FLOAT32, .ndim = 2, .shape = {(int64_t)rows, 1}};
    gp_tensor right = {.data = &one, .dtype = GP_FLOAT32, .ndim = 2, .shape = {1, 1}};
    gp_tensor result = {.data = c, .dtype = GP_FLOAT32};
    gp_tensor_set_compact(&left);
    gp_tensor_set_compact(&right);
    (void)gp_matmul_shape_of(&left, &right, &shape, &result);
    return gp_matmul_cublas(&bench.cublas, &shape, &left, &right, &result,
                            gp_arithmetic_find("float32"), BENCH_STREAM, &told);
}

static void
work(void *context, size_t worker, size_t begin, size_t end)
{
    bool *is_right = (bool *)context + worker;
    float a[MOST_ROWS];
    *is_right = true;
    for (size_t i = begin; i < end; i++) {
        float c[MOST_ROWS] = {0.0F};
        size_t rows = i % MOST_ROWS + 1;
        for (size_t k = 0; k < rows; k++) {
            a[k] = (float)(worker + k);
        }
        *is_right = *is_right && !gp_failed(add_up(rows, a, c));
        for (size_t k = 0; k < rows; k++) {
            *is_right = *is_right && c[k] == a[k];
        }
    }
}

TEST(cublas_serves_several_threads)
{
    bool is_right[WORKERS] = {false};
    cublas_script.workspace_size = 1 * MIB;
    ASSERT_OK(bench_open(&bench, 0));
    gp_parallel((size_t)WORKERS * ROUNDS, WORKERS, work, is_right);
    for (size_t i = 0; i < WORKERS; i++) {
        ASSERT(is_right[i]);
    }
    ASSERT_INT(WORKERS * ROUNDS, cublas_script.products);
    ASSERT_INT(WORKERS * ROUNDS, bench.cublas.plans.hits + cublas_script.asked);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
    scripted_memory_assert_released();
}
