#include "cudnn_fixture.h"

#include "harness.h"
#include "ops/gp_conv2d_reference.h"
#include "scripted_memory.h"

#include <string.h>

enum { MOST_BYTES = 1 << 15 };

static const gp_conv2d_options plain = {.layout = GP_NCHW,
                                        .padding = GP_PADDING_GIVEN,
                                        .pad_before = {1, 1},
                                        .pad_after = {1, 1},
                                        .stride = {1, 1},
                                        .dilation = {1, 1},
                                        .groups = 1};

problem
problem_of(gp_dtype dtype, bool has_bias)
{
    return (problem){dtype, gp_dtype_name(dtype), {2, 4, 5, 6}, {6, 4, 3, 3}, plain, has_bias};
}

gp_status
fixture_open(fixture *f)
{
    gp_shortage shortage;
    f->cu = scripted_memory_table();
    f->dnn = scripted_cudnn_table();
    gp_status st = gp_arena_open(&f->cu, 0, (gp_growth_wish){0, 0}, &f->arena, &shortage);
    if (gp_failed(st)) { return st; }
    st = gp_cudnn_open(&f->dnn, &f->arena, &f->device, &f->told);
    return gp_failed(st) ? gp_first_error(st, gp_arena_close(&f->arena)) : st;
}

gp_status
fixture_close(fixture *f)
{
    gp_status st = gp_cudnn_close(&f->device);
    return gp_first_error(st, gp_arena_close(&f->arena));
}

void
assert_released(void)
{
    scripted_cudnn_assert_released();
    scripted_memory_assert_released();
}

void
begin(fixture *f)
{
    ASSERT_OK(fixture_open(f));
}

void
end(fixture *f)
{
    gp_arena_stats stats;
    gp_arena_stats_read(&f->arena, &stats);
    ASSERT_INT(0, stats.in_use); /* workspaces were given back */
    ASSERT_OK(fixture_close(f));
    assert_released();
}

/* Whole numbers and halves: every type and every sum of them is exact. */
static void
fill(gp_tensor *tensor, uint32_t seed)
{
    int64_t count = 0;
    size_t size = gp_dtype_size(tensor->dtype);
    ASSERT_OK(gp_tensor_count(tensor, &count));
    ASSERT((size_t)count * size <= MOST_BYTES);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 1664525U + 1013904223U;
        gp_dtype_store(tensor->dtype, (double)(seed >> 29) / 2 - 2,
                       (unsigned char *)tensor->data + (size_t)i * size);
    }
}

static gp_tensor
tensor_of(gp_dtype dtype, int ndim, const int64_t *extents, unsigned char *data)
{
    gp_tensor tensor = {.data = data, .dtype = dtype, .ndim = ndim};
    memcpy(tensor.shape, extents, (size_t)ndim * sizeof(*extents));
    gp_tensor_set_compact(&tensor);
    return tensor;
}

static _Alignas(16) unsigned char x_data[MOST_BYTES];
static _Alignas(16) unsigned char w_data[MOST_BYTES];
static _Alignas(16) unsigned char bias_data[MOST_BYTES];
static _Alignas(16) unsigned char y_data[MOST_BYTES];
static _Alignas(16) unsigned char expected_data[MOST_BYTES];

/* Computes it, and compares a result with the plain reference's, bit by bit. */
gp_status
convolve(fixture *f, const problem *p)
{
    gp_conv2d_shape shape;
    gp_tensor x = tensor_of(p->dtype, 4, p->x, x_data);
    gp_tensor w = tensor_of(p->dtype, 4, p->w, w_data);
    gp_tensor bias = tensor_of(p->dtype, 1, p->w, bias_data);
    gp_tensor y = {.data = y_data, .dtype = p->dtype};
    const gp_tensor *given = p->has_bias ? &bias : NULL;
    const gp_arithmetic *arithmetic = gp_arithmetic_find(p->compute);
    fill(&x, 1);
    fill(&w, 2);
    fill(&bias, 3);
    ASSERT_INT(GP_CONV2D_FITS, gp_conv2d_shape_of(&x, &w, &p->options, &shape, &y));
    memset(y_data, 0xA5, sizeof(y_data));
    memset(expected_data, 0xA5, sizeof(expected_data));
    memset(&f->told, 'A', sizeof(f->told)); /* what a call before left */
    gp_status st =
        gp_conv2d_cudnn(&f->device, &shape, &x, &w, given, &y, arithmetic, STREAM, &f->told);
    if (gp_failed(st)) { return st; }
    gp_tensor expected = y;
    expected.data = expected_data;
    gp_conv2d_reference(&shape, arithmetic, &x, &w, given, &expected);
    ASSERT(memcmp(expected_data, y_data, sizeof(y_data)) == 0);
    return st;
}

void
assert_computes(problem p)
{
    fixture f;
    begin(&f);
    ASSERT_OK(convolve(&f, &p));
    ASSERT_INT(1, f.told.engine);
    ASSERT(dnn_script.stream == STREAM);
    end(&f);
}

void
assert_refuses(problem p, const char *reason)
{
    fixture f;
    begin(&f);
    gp_status st = convolve(&f, &p);
    ASSERT_FAILED(GP_UNSUPPORTED, 0, st);
    ASSERT_CONTAINS(reason, st.call);
    ASSERT_TEXT("", f.told.text);
    end(&f);
}
