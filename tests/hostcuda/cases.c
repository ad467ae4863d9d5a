#include "cases.h"

#include "gp_formulas.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 16 };

typedef struct piece {
    unsigned char *memory;
    size_t bytes;
} piece;

static uint64_t seed;
static uint64_t drawn;
static piece arrays[MOST_ARRAYS];
static size_t array_count;

void
random_begin(uint64_t of)
{
    seed = of;
    drawn = 0;
}

uint64_t
random_below(uint64_t n)
{
    return gp_random_u64(seed, drawn++) % n;
}

int64_t
random_of(const int64_t *numbers, size_t count)
{
    return numbers[random_below(count)];
}

/* Of exactly this size, so that the sanitizers see an access beyond it. */
static unsigned char *
new_memory(size_t bytes)
{
    unsigned char *memory = malloc(bytes);
    if (array_count == MOST_ARRAYS || (memory == NULL && bytes > 0)) {
        fprintf(stderr, "no room for an array of %zu bytes\n", bytes);
        exit(1);
    }
    arrays[array_count++] = (piece){memory, bytes};
    return memory;
}

void
free_arrays(void)
{
    while (array_count > 0) {
        free(arrays[--array_count].memory);
    }
}

static double
random_number(gp_dtype dtype, contents what)
{
    static const double specials[] = {0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, NAN};
    /* Integers go over the ends of their type, as sums modulo 2^32 may. */
    if (dtype == GP_INT32) { return (double)(int32_t)random_below(UINT64_C(1) << 32); }
    if (dtype == GP_INT8) { return (double)((int)random_below(256) - 128); }
    if (what == SPECIALS) { return specials[random_below(6)]; }
    double sign = random_below(2) == 0 ? 1.0 : -1.0;
    if (what == FLOATS) {
        double significand = 1.0 + ldexp((double)random_below(1 << 30), -30);
        return sign * ldexp(significand, -(int)random_below(12));
    }
    /* A sum of a hundred products of these is a value of bfloat16, and of float32. */
    return sign * (double)random_below(gp_dtype_size(dtype) < 4 ? 2 : 100);
}

/* An axis of one place is never gone along: its stride may be anything. */
static int64_t
random_stride(int64_t extent, int64_t least)
{
    if (extent == 1 && random_below(3) == 0) { return INT64_C(1) << 40; }
    return random_below(8) == 0 ? 0 : least * (int64_t)(1 + random_below(2));
}

/* Strides of an array whose axes lie in random order; returns its bytes, and where it starts. */
static size_t
choose_strides(gp_tensor *tensor, size_t *start)
{
    int64_t next = (int64_t)gp_dtype_size(tensor->dtype);
    int64_t last = 0;
    bool is_done[GP_MAX_NDIM] = {false};
    *start = 0;
    for (int i = 0; i < tensor->ndim; i++) {
        int axis = (int)random_below((uint64_t)tensor->ndim);
        while (is_done[axis]) {
            axis = (axis + 1) % tensor->ndim;
        }
        is_done[axis] = true;
        int64_t extent = tensor->shape[axis];
        int64_t stride = random_stride(extent, next);
        int64_t span = extent > 0 ? stride * (extent - 1) : 0;
        bool is_backwards = random_below(3) == 0;
        tensor->strides[axis] = is_backwards ? -stride : stride;
        if (is_backwards) { *start += (size_t)span; }
        last += span;
        next = last + (int64_t)gp_dtype_size(tensor->dtype);
    }
    return (size_t)next;
}

gp_tensor
new_array(gp_dtype dtype, int ndim, const int64_t *shape, contents what)
{
    gp_tensor tensor = {.dtype = dtype, .ndim = ndim};
    size_t start = 0;
    memcpy(tensor.shape, shape, (size_t)ndim * sizeof(*shape));
    size_t size = gp_dtype_size(dtype);
    size_t bytes = choose_strides(&tensor, &start);
    unsigned char *memory = new_memory(bytes);
    for (size_t at = 0; at + size <= bytes; at += size) {
        gp_dtype_store(dtype, random_number(dtype, what), memory + at);
    }
    tensor.data = memory + start;
    return tensor;
}

gp_tensor
new_magnitudes(const gp_tensor *of)
{
    gp_tensor magnitudes = *of;
    size_t size = gp_dtype_size(of->dtype);
    const unsigned char *data = of->data;
    const piece *from = arrays;
    while (data < from->memory || data >= from->memory + from->bytes) {
        from++;
    }
    unsigned char *memory = new_memory(from->bytes);
    for (size_t at = 0; at + size <= from->bytes; at += size) {
        gp_dtype_store(of->dtype, fabs(gp_dtype_load(of->dtype, from->memory + at)), memory + at);
    }
    magnitudes.data = memory + (data - from->memory);
    return magnitudes;
}

void
new_result(gp_tensor *tensor)
{
    int64_t count = 0;
    (void)gp_tensor_count(tensor, &count);
    size_t bytes = (size_t)count * gp_dtype_size(tensor->dtype);
    tensor->data = new_memory(bytes);
    if (bytes > 0) { memset(tensor->data, 0xCC, bytes); }
}

void
print_array(const char *name, const gp_tensor *tensor)
{
    fprintf(stderr, "  %s: %s", name, gp_dtype_name(tensor->dtype));
    for (int i = 0; i < tensor->ndim; i++) {
        fprintf(stderr, "%s%" PRId64 " by %" PRId64, i == 0 ? " (" : ", ", tensor->shape[i],
                tensor->strides[i]);
    }
    fprintf(stderr, "%s\n", tensor->ndim == 0 ? "" : ")");
}
