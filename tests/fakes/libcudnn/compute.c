/* What the engines compute, in the order that suits them: each sum from its last product to its
 * first, since no engine promises an order. */
#include "fake_cudnn.h"

#include <string.h>

gp_dtype
fake_dtype_of(const fake_tensor *tensor)
{
    switch (tensor->dtype) {
    case CUDNN_DATA_DOUBLE: return GP_FLOAT64;
    case CUDNN_DATA_HALF: return GP_FLOAT16;
    case CUDNN_DATA_BFLOAT16: return GP_BFLOAT16;
    default: return GP_FLOAT32;
    }
}

static unsigned char *
place_of(const fake_tensor *tensor, const int64_t at[4])
{
    int64_t offset = 0;
    for (int i = 0; i < 4; i++) {
        offset += at[i] * tensor->strides[i];
    }
    return tensor->data + offset * (int64_t)fake_size_of(tensor->dtype);
}

static double
load(const fake_tensor *tensor, int64_t i, int64_t j, int64_t k, int64_t l)
{
    const int64_t at[4] = {i, j, k, l};
    return gp_dtype_load(fake_dtype_of(tensor), place_of(tensor, at));
}

static float
as_tf32(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0xFFF + ((bits >> 13) & 1)) & ~UINT32_C(0x1FFF);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* An input as the engine takes it. */
static double
taken(const fake_convolution *conv, double value)
{
    unsigned char half[2];
    switch (conv->habit) {
    case FAKE_AS_TF32:
        return conv->x.dtype == CUDNN_DATA_FLOAT ? (double)as_tf32((float)value) : value;
    case FAKE_AS_HALF:
        gp_dtype_store(GP_FLOAT16, value, half);
        return gp_dtype_load(GP_FLOAT16, half);
    default: return value;
    }
}

/* A sum as the engine gives it. */
static double
given(const fake_convolution *conv, double sum)
{
    static atomic_uint runs;
    switch (conv->habit) {
    case FAKE_ROUGHLY: return sum * (1 + 0x1p-18);
    case FAKE_CHANGING: return sum * (1 + (double)(runs++ % 3) * 0x1p-22);
    default: return sum;
    }
}

static double
sum_of(const fake_convolution *conv, const int64_t at[4])
{
    const fake_tensor *x = &conv->x;
    const fake_tensor *w = &conv->w;
    const int64_t channels = w->extents[1];
    const int64_t groups = x->extents[1] / channels;
    const int64_t first = at[1] / (w->extents[0] / groups) * channels;
    double sum = 0;
    for (int64_t s = w->extents[3] - 1; s >= 0; s--) {
        for (int64_t r = w->extents[2] - 1; r >= 0; r--) {
            const int64_t row = at[2] * conv->stride[0] - conv->before[0] + r * conv->dilation[0];
            const int64_t column =
                at[3] * conv->stride[1] - conv->before[1] + s * conv->dilation[1];
            if (row < 0 || row >= x->extents[2] || column < 0 || column >= x->extents[3]) {
                continue;
            }
            const int64_t u = conv->is_flipped ? w->extents[2] - 1 - r : r;
            const int64_t v = conv->is_flipped ? w->extents[3] - 1 - s : s;
            for (int64_t c = channels - 1; c >= 0; c--) {
                const double product = taken(conv, load(x, at[0], first + c, row, column)) *
                                       taken(conv, load(w, at[1], c, u, v));
                sum = conv->is_double ? sum + product : (double)((float)sum + (float)product);
            }
        }
    }
    return given(conv, sum);
}

/* Calls for every place of a tensor. */
typedef double (*value_at)(const void *what, const int64_t at[4]);

static void
fill(const fake_tensor *y, value_at value, const void *what)
{
    int64_t at[4];
    for (at[0] = 0; at[0] < y->extents[0]; at[0]++) {
        for (at[1] = 0; at[1] < y->extents[1]; at[1]++) {
            for (at[2] = 0; at[2] < y->extents[2]; at[2]++) {
                for (at[3] = 0; at[3] < y->extents[3]; at[3]++) {
                    gp_dtype_store(fake_dtype_of(y), value(what, at), place_of(y, at));
                }
            }
        }
    }
}

static double
convolved(const void *what, const int64_t at[4])
{
    const fake_convolution *conv = what;
    const double sum = sum_of(conv, at);
    if (!conv->has_bias) { return sum; }
    const double bias = load(&conv->bias, 0, at[1], 0, 0);
    return conv->is_double ? sum + bias : (double)((float)sum + (float)bias);
}

void
fake_convolve(const fake_convolution *conv)
{
    fill(&conv->y, convolved, conv);
}

typedef struct addition {
    const fake_tensor *x;
    const fake_tensor *bias;
} addition;

static double
added(const void *what, const int64_t at[4])
{
    const addition *add = what;
    return load(add->x, at[0], at[1], at[2], at[3]) + load(add->bias, 0, at[1], 0, 0);
}

void
fake_add(const fake_tensor *x, const fake_tensor *bias, const fake_tensor *y)
{
    const addition add = {x, bias};
    fill(y, added, &add);
}
