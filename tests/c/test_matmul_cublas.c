/* Which products cuBLASLt is asked for, and how. The numbers are those of the plain reference, bit
 * for bit, as whole numbers must be in whatever order they are summed. */
#include "cublas_bench.h"
#include "harness.h"

#define STRIDES(...) ((const int64_t[]){__VA_ARGS__})
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define F32(...)      ARRAY(GP_FLOAT32, __VA_ARGS__)
#define F32_LAID(...) LAID(GP_FLOAT32, __VA_ARGS__)
#define I8(...)       ARRAY(GP_INT8, __VA_ARGS__)
#define I8_LAID(...)  LAID(GP_INT8, __VA_ARGS__)
#define F8(...)       ARRAY(GP_FLOAT8_E4M3FN, __VA_ARGS__)
#define F8_LAID(...)  LAID(GP_FLOAT8_E4M3FN, __VA_ARGS__)

static cublas_bench bench;

static void
check_all(const bench_product *products, size_t count)
{
    ASSERT_OK(bench_open(&bench, 0));
    for (size_t i = 0; i < count; i++) {
        bench_check(&bench, &products[i]);
    }
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
    scripted_memory_assert_released();
}

TEST(matmul_cublas_reads_matrices_where_they_lie)
{
    const bench_product products[] = {
        {"float32", F32(2, {5, 7}), F32(2, {7, 3}), GP_FLOAT32},
        {"float32", F32_LAID(2, STRIDES(1, 5), 0, {5, 7}), F32(2, {7, 3}), GP_FLOAT32},
        {"float32", F32(2, {5, 7}), F32_LAID(2, STRIDES(1, 7), 0, {7, 3}), GP_FLOAT32},
        {"float32", F32_LAID(2, STRIDES(1, 9), 0, {5, 7}), F32_LAID(2, STRIDES(1, 8), 0, {7, 3}),
         GP_FLOAT32},
        {"float32", F32_LAID(2, STRIDES(11, 1), 0, {5, 7}), F32_LAID(2, STRIDES(4, 1), 0, {7, 3}),
         GP_FLOAT32},
        {"float32", F32_LAID(2, NULL, 4, {5, 7}), F32_LAID(2, NULL, 12, {7, 3}), GP_FLOAT32},
    };
    check_all(products, COUNT(products));
}

TEST(matmul_cublas_takes_vectors_and_sides_of_one)
{
    const bench_product products[] = {
        {"float32", F32(1, {7}), F32(2, {7, 3}), GP_FLOAT32},
        {"float32", F32(2, {5, 7}), F32(1, {7}), GP_FLOAT32},
        {"float32", F32(1, {7}), F32(1, {7}), GP_FLOAT32},
        {"float32", F32_LAID(1, STRIDES(3), 0, {7}), F32_LAID(1, STRIDES(2), 0, {7}), GP_FLOAT32},
        {"float32", F32_LAID(2, STRIDES(1, -9), 0, {5, 1}), F32_LAID(2, STRIDES(0, 1), 0, {1, 3}),
         GP_FLOAT32},
        {"float32", F32_LAID(2, STRIDES(6, 0), 0, {5, 1}), F32(2, {1, 3}), GP_FLOAT32},
        {"float32", F32(2, {1, 1}), F32(2, {1, 1}), GP_FLOAT32},
        {"float32", F32_LAID(2, STRIDES(-1, 4), 0, {1, 7}), F32_LAID(2, STRIDES(2, -8), 0, {7, 1}),
         GP_FLOAT32},
    };
    check_all(products, COUNT(products));
}

TEST(matmul_cublas_of_no_elements_is_nothing_and_of_no_terms_is_zero)
{
    const bench_product products[] = {
        {"float32", F32(2, {0, 7}), F32(2, {7, 3}), GP_FLOAT32},
        {"float32", F32(2, {5, 7}), F32(2, {7, 0}), GP_FLOAT32},
        {"float32", F32(3, {0, 5, 7}), F32(2, {7, 3}), GP_FLOAT32},
        {"float32", F32(2, {5, 0}), F32(2, {0, 3}), GP_FLOAT32},
        {"float16", ARRAY(GP_FLOAT16, 3, {2, 5, 0}), ARRAY(GP_FLOAT16, 2, {0, 3}), GP_FLOAT16},
    };
    check_all(products, COUNT(products));
    ASSERT_INT(0, cublas_script.products);
}

TEST(matmul_cublas_tells_which_algorithm_it_took_and_none_where_it_took_none)
{
    static const bench_product products[] = {
        {"float32", F32(2, {5, 2}), F32(2, {2, 3}), GP_FLOAT32},
        {"float32", F32(2, {5, 0}), F32(2, {0, 3}), GP_FLOAT32},
        {"float32", F32(2, {0, 2}), F32(2, {2, 3}), GP_FLOAT32},
    };
    ASSERT_OK(bench_open(&bench, 0));
    ASSERT_OK(bench_multiply(&bench, &products[0]));
    ASSERT_INT(SCRIPTED_ALGORITHM, bench.told.algorithm);
    ASSERT_INT(SCRIPTED_SPLIT_K, bench.told.split_k);
    for (int i = 1; i < 3; i++) {
        ASSERT_OK(bench_multiply(&bench, &products[i]));
        ASSERT_INT(-1, bench.told.algorithm);
    }
    ASSERT_OK(bench_multiply(&bench, &products[0])); /* of a plan that was kept */
    ASSERT_INT(SCRIPTED_ALGORITHM, bench.told.algorithm);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
}

TEST(matmul_cublas_computes_where_the_library_does_not_tell_its_algorithm)
{
    static const bench_product product = {"float32", F32(2, {5, 2}), F32(2, {2, 3}), GP_FLOAT32};
    for (int told = 0; told < 2; told++) {
        cublas_script.told = told;
        ASSERT_OK(bench_open(&bench, 0));
        bench_check(&bench, &product);
        ASSERT_INT(told == 0 ? -1 : SCRIPTED_ALGORITHM, bench.told.algorithm);
        ASSERT_INT(-1, bench.told.split_k);
        ASSERT_OK(bench_close(&bench));
    }
    scripted_cublaslt_assert_released();
}

TEST(matmul_cublas_multiplies_each_type_it_has)
{
    const bench_product products[] = {
        {"float64", ARRAY(GP_FLOAT64, 2, {5, 7}), ARRAY(GP_FLOAT64, 2, {7, 3}), GP_FLOAT64},
        {"tf32", F32(2, {5, 7}), F32(2, {7, 3}), GP_FLOAT32},
        {"float16", ARRAY(GP_FLOAT16, 2, {5, 7}), ARRAY(GP_FLOAT16, 2, {7, 3}), GP_FLOAT16},
        {"float16", ARRAY(GP_FLOAT16, 2, {5, 7}), ARRAY(GP_FLOAT16, 2, {7, 3}), GP_FLOAT32},
        {"bfloat16", ARRAY(GP_BFLOAT16, 2, {5, 7}), ARRAY(GP_BFLOAT16, 2, {7, 3}), GP_BFLOAT16},
        {"bfloat16", ARRAY(GP_BFLOAT16, 2, {5, 7}), ARRAY(GP_BFLOAT16, 2, {7, 3}), GP_FLOAT32},
        {"int32", ARRAY(GP_INT8, 2, {5, 8}), LAID(GP_INT8, 2, STRIDES(1, 12), 0, {8, 4}), GP_INT32},
        {"float8", ARRAY(GP_FLOAT8_E4M3FN, 2, {5, 32}),
         LAID(GP_FLOAT8_E5M2, 2, STRIDES(1, 32), 0, {32, 16}), GP_BFLOAT16},
    };
    check_all(products, COUNT(products));
}

/* The batch is one call where both inputs go on at an even pace. */
static void
check_calls(const bench_product *product, size_t calls)
{
    size_t before = cublas_script.products;
    bench_check(&bench, product);
    ASSERT_INT(calls, cublas_script.products - before);
}

TEST(matmul_cublas_makes_one_call_of_a_batch_where_it_can)
{
    const bench_product even = {"float32", F32(4, {2, 3, 5, 7}), F32(4, {2, 3, 7, 4}), GP_FLOAT32};
    const bench_product stacked = {"float32", F32(3, {6, 5, 7}), F32(2, {7, 4}), GP_FLOAT32};
    const bench_product vectors = {"float32", F32(3, {6, 1, 7}), F32(2, {7, 4}), GP_FLOAT32};
    const bench_product shared_a = {"float32", F32(2, {5, 7}), F32(3, {6, 7, 4}), GP_FLOAT32};
    const bench_product windows = {"float32", F32_LAID(3, STRIDES(2, 7, 1), 0, {6, 1, 7}),
                                   F32(2, {7, 4}), GP_FLOAT32};
    const bench_product thinned = {"float32", F32_LAID(3, STRIDES(20, 20, 2), 0, {6, 1, 7}),
                                   F32(2, {7, 4}), GP_FLOAT32};
    const bench_product next_to_each_other = {
        "float32", F32_LAID(3, STRIDES(1, 7, 1), 0, {6, 1, 7}), F32(2, {7, 4}), GP_FLOAT32};
    const bench_product crossed = {"float32", F32(4, {2, 1, 5, 7}), F32(3, {3, 7, 4}), GP_FLOAT32};
    const bench_product turned = {"float32", F32_LAID(4, STRIDES(35, 105, 7, 1), 0, {3, 2, 5, 7}),
                                  F32(4, {3, 2, 7, 4}), GP_FLOAT32};
    ASSERT_OK(bench_open(&bench, 0));
    check_calls(&even, 1);
    check_calls(&stacked, 1);
    check_calls(&vectors, 1);
    check_calls(&shared_a, 1);
    check_calls(&windows, 1);
    check_calls(&thinned, 1);
    check_calls(&next_to_each_other, 1);
    check_calls(&crossed, 2);
    check_calls(&turned, 2);
    ASSERT_OK(bench_close(&bench));
}

/* The least alignment that an algorithm may count on is that of every call. */
TEST(matmul_cublas_states_how_addresses_are_aligned)
{
    const bench_product aligned = {"float32", F32(2, {5, 7}), F32(2, {7, 3}), GP_FLOAT32};
    const bench_product odd = {"float32", F32_LAID(2, NULL, 8, {5, 7}),
                               F32_LAID(2, NULL, 16, {7, 3}), GP_FLOAT32};
    ASSERT_OK(bench_open(&bench, 0));
    bench_check(&bench, &aligned);
    ASSERT_INT(256, cublas_script.alignment);
    bench_check(&bench, &odd);
    ASSERT_INT(8, cublas_script.alignment);
    ASSERT_INT(2, cublas_script.asked);
    ASSERT_OK(bench_close(&bench));
}

typedef struct refusal {
    const char *why;
    bench_product product;
} refusal;

static void
check_refused(const refusal *refusals, size_t count)
{
    ASSERT_OK(bench_open(&bench, 0));
    for (size_t i = 0; i < count; i++) {
        gp_status st = bench_multiply(&bench, &refusals[i].product);
        ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
        ASSERT_CONTAINS(refusals[i].why, st.call);
    }
    ASSERT_INT(0, cublas_script.products);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
}

TEST(matmul_cublas_refuses_strides_that_it_cannot_follow_and_says_why)
{
    const refusal refusals[] = {
        {"negative",
         {"float32", F32_LAID(2, STRIDES(-7, 1), 0, {5, 7}), F32(2, {7, 3}), GP_FLOAT32}},
        {"negative",
         {"float32", F32(2, {5, 7}), F32_LAID(2, STRIDES(3, -1), 0, {7, 3}), GP_FLOAT32}},
        {"overlap", {"float32", F32_LAID(2, STRIDES(0, 1), 0, {5, 7}), F32(2, {7, 3}), GP_FLOAT32}},
        {"overlap", {"float32", F32_LAID(2, STRIDES(2, 1), 0, {5, 7}), F32(2, {7, 3}), GP_FLOAT32}},
        {"gaps", {"float32", F32_LAID(2, STRIDES(28, 2), 0, {5, 7}), F32(2, {7, 3}), GP_FLOAT32}},
        {"address", {"float32", F32_LAID(2, NULL, 2, {5, 7}), F32(2, {7, 3}), GP_FLOAT32}},
        {"batch",
         {"float32", F32_LAID(3, STRIDES(-35, 7, 1), 0, {4, 5, 7}), F32(3, {4, 7, 3}), GP_FLOAT32}},
    };
    check_refused(refusals, COUNT(refusals));
}

TEST(matmul_cublas_refuses_strides_of_parts_of_elements)
{
    for (int of_b = 0; of_b < 2; of_b++) {
        gp_tensor a = {.dtype = GP_FLOAT32, .ndim = 2, .shape = {5, 7}, .strides = {30, 4}};
        gp_tensor b = {.dtype = GP_FLOAT32, .ndim = 2, .shape = {7, 3}, .strides = {14, 4}};
        gp_tensor c = {.dtype = GP_FLOAT32};
        gp_matmul_shape shape;
        gp_cublas_product product;
        gp_tensor_set_compact(of_b ? &a : &b);
        ASSERT_INT(GP_MATMUL_FITS, gp_matmul_shape_of(&a, &b, &shape, &c));
        gp_status st =
            gp_cublas_product_of(&shape, &a, &b, &c, gp_arithmetic_find("float32"), 90, &product);
        ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
        ASSERT_CONTAINS("parts of elements", st.call);
    }
}

TEST(matmul_cublas_refuses_sides_that_its_kernels_cannot_count)
{
    const int64_t many = INT64_C(1) << 31;
    gp_tensor a = {.dtype = GP_FLOAT32, .ndim = 2, .shape = {1, many}};
    gp_tensor b = {.dtype = GP_FLOAT32, .ndim = 2, .shape = {many, 1}};
    gp_tensor c = {.dtype = GP_FLOAT32};
    gp_matmul_shape shape;
    gp_cublas_product product;
    gp_tensor_set_compact(&a);
    gp_tensor_set_compact(&b);
    ASSERT_INT(GP_MATMUL_FITS, gp_matmul_shape_of(&a, &b, &shape, &c));
    const gp_arithmetic *arithmetic = gp_arithmetic_find("float32");
    gp_status st = gp_cublas_product_of(&shape, &a, &b, &c, arithmetic, 90, &product);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS("2^31", st.call);
    shape.k--;
    ASSERT_OK(gp_cublas_product_of(&shape, &a, &b, &c, arithmetic, 90, &product));
}

/* As one matrix they would have too many rows. */
TEST(matmul_cublas_leaves_a_batch_of_many_rows_a_batch)
{
    const int64_t half = INT64_C(1) << 16;
    gp_tensor a = {.dtype = GP_FLOAT32, .ndim = 3, .shape = {half, half / 2, 4}};
    gp_tensor b = {.dtype = GP_FLOAT32, .ndim = 2, .shape = {4, 4}};
    gp_tensor c = {.dtype = GP_FLOAT32};
    gp_matmul_shape shape;
    gp_cublas_product product;
    gp_tensor_set_compact(&a);
    gp_tensor_set_compact(&b);
    ASSERT_INT(GP_MATMUL_FITS, gp_matmul_shape_of(&a, &b, &shape, &c));
    const gp_arithmetic *arithmetic = gp_arithmetic_find("float32");
    ASSERT_OK(gp_cublas_product_of(&shape, &a, &b, &c, arithmetic, 90, &product));
    ASSERT_INT(half, product.problem.batch);
    ASSERT_INT(half / 2, product.problem.columns);
}

TEST(matmul_cublas_refuses_types_that_it_does_not_multiply)
{
    const bench_array e5m2 = ARRAY(GP_FLOAT8_E5M2, 2, {16, 16});
    const refusal refusals[] = {
        {"these types",
         {"int32", ARRAY(GP_INT32, 2, {4, 4}), ARRAY(GP_INT32, 2, {4, 4}), GP_INT32}},
        {"these types", {"float16", F32(2, {4, 4}), F32(2, {4, 4}), GP_FLOAT32}},
        {"float8_e5m2", {"float8", e5m2, e5m2, GP_FLOAT32}},
        {"in this type",
         {"float64", ARRAY(GP_FLOAT64, 2, {4, 4}), ARRAY(GP_FLOAT64, 2, {4, 4}), GP_FLOAT32}},
        {"b by columns", {"int32", I8(2, {8, 8}), I8(2, {8, 8}), GP_INT32}},
        {"b by columns", {"float8", F8(2, {16, 16}), F8(2, {16, 16}), GP_FLOAT32}},
        {"multiples", {"int32", I8(2, {8, 6}), I8_LAID(2, STRIDES(1, 6), 0, {6, 8}), GP_INT32}},
        {"multiples", {"int32", I8(2, {8, 8}), I8_LAID(2, STRIDES(1, 8), 0, {8, 6}), GP_INT32}},
        {"multiples",
         {"int32", I8_LAID(2, NULL, 2, {8, 8}), I8_LAID(2, STRIDES(1, 8), 0, {8, 8}), GP_INT32}},
        {"multiples",
         {"float8", F8(2, {16, 24}), F8_LAID(2, STRIDES(1, 24), 0, {24, 16}), GP_FLOAT32}},
    };
    check_refused(refusals, COUNT(refusals));
}

TEST(matmul_cublas_asks_a_gpu_for_no_arithmetic_that_it_lacks)
{
    const refusal refusals[] = {
        {"older", {"tf32", F32(2, {4, 4}), F32(2, {4, 4}), GP_FLOAT32}},
        {"older",
         {"bfloat16", ARRAY(GP_BFLOAT16, 2, {4, 4}), ARRAY(GP_BFLOAT16, 2, {4, 4}), GP_BFLOAT16}},
        {"older", {"float8", F8(2, {16, 16}), F8_LAID(2, STRIDES(1, 16), 0, {16, 16}), GP_FLOAT32}},
    };
    bench_capability = 75;
    check_refused(refusals, COUNT(refusals));
}

TEST(matmul_cublas_asks_the_first_gpu_of_each_arithmetic_for_it)
{
    const struct {
        int capability;
        bench_product product;
    } firsts[] = {
        {53, {"float16", ARRAY(GP_FLOAT16, 2, {4, 4}), ARRAY(GP_FLOAT16, 2, {4, 4}), GP_FLOAT16}},
        {75, {"int32", I8(2, {8, 8}), I8_LAID(2, STRIDES(1, 8), 0, {8, 8}), GP_INT32}},
        {80, {"tf32", F32(2, {4, 4}), F32(2, {4, 4}), GP_FLOAT32}},
        {80,
         {"bfloat16", ARRAY(GP_BFLOAT16, 2, {4, 4}), ARRAY(GP_BFLOAT16, 2, {4, 4}), GP_BFLOAT16}},
        {89, {"float8", F8(2, {16, 16}), F8_LAID(2, STRIDES(1, 16), 0, {16, 16}), GP_FLOAT32}},
    };
    for (size_t i = 0; i < COUNT(firsts); i++) {
        bench_capability = firsts[i].capability;
        check_all(&firsts[i].product, 1);
    }
}

/* Blackwell's data-center GPUs read it as it lies, its consumers' ones do not. */
TEST(matmul_cublas_reads_float8_in_any_order_on_capability_10)
{
    const bench_product by_rows = {"float8", F8(2, {16, 16}), F8(2, {16, 32}), GP_FLOAT32};
    const refusal refused = {"b by columns", by_rows};
    bench_capability = 120;
    check_refused(&refused, 1);
    bench_capability = 100;
    check_all(&by_rows, 1);
}

/* xorshift: the same numbers in every run. */
static int64_t
below(int64_t limit)
{
    static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)limit);
}

/* Axes in any order in memory, with and without gaps; `strides` is kept by the caller. */
static bench_array
laid_anyhow(const int64_t shape[4], int64_t strides[4])
{
    bench_array array = ARRAY(GP_FLOAT32, 4, {shape[0], shape[1], shape[2], shape[3]});
    int order[4] = {3, 2, 1, 0};
    int64_t step = below(8) == 0 ? 2 : 1;
    for (int i = 3; i > 0 && below(2) == 0; i--) {
        int other = (int)below(i + 1);
        int kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int i = 0; i < 4; i++) {
        strides[order[i]] = step;
        step *= shape[order[i]];
        if (below(4) == 0) { step += below(3); }
    }
    array.strides = strides;
    array.offset = 4 * below(5);
    return array;
}

TEST(matmul_cublas_is_right_for_whatever_it_does_not_refuse)
{
    int done = 0;
    ASSERT_OK(bench_open(&bench, 0));
    for (int i = 0; i < 400; i++) {
        int64_t strides[2][4];
        const int64_t k = 1 + below(6);
        const int64_t batch[2] = {1 + below(3), 1 + below(3)};
        const int64_t a[4] = {below(2) ? batch[0] : 1, below(2) ? batch[1] : 1, 1 + below(6), k};
        const int64_t b[4] = {below(2) ? batch[0] : 1, below(2) ? batch[1] : 1, k, 1 + below(6)};
        const bench_product product = {"float32", laid_anyhow(a, strides[0]),
                                       laid_anyhow(b, strides[1]), GP_FLOAT32};
        gp_status st = bench_multiply(&bench, &product);
        if (st.kind == GP_UNSUPPORTED) { continue; }
        bench_check(&bench, &product);
        done++;
    }
    ASSERT(done > 200);
    ASSERT_OK(bench_close(&bench));
    scripted_cublaslt_assert_released();
}
