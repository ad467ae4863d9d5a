#include "gp_conv2d_reference.h"

#include "gp_accumulator.h"
#include "platform/gp_float_env.h"

typedef struct convolution {
    const gp_conv2d_shape *shape;
    const gp_arithmetic *arithmetic;
    gp_accumulator kind;
    const gp_tensor *x;
    const gp_tensor *w;
} convolution;

/* Index n c h w, or k c r s, or n k p q. */
typedef struct place {
    int64_t at[4];
} place;

static unsigned char *
address(const gp_tensor *tensor, const int64_t strides[4], place index)
{
    int64_t offset = 0;
    for (int i = 0; i < 4; i++) {
        offset += index.at[i] * strides[i];
    }
    return (unsigned char *)tensor->data + offset;
}

/* Outside of the input there is nothing to add: padding is zeros. */
static bool
is_inside(const gp_conv2d_shape *shape, place x)
{
    return x.at[2] >= 0 && x.at[2] < shape->in[0] && x.at[3] >= 0 && x.at[3] < shape->in[1];
}

static double
sum_of(const convolution *conv, place y)
{
    const gp_conv2d_shape *shape = conv->shape;
    int64_t channels = shape->c / shape->groups;
    int64_t first = y.at[1] / (shape->k / shape->groups) * channels;
    double sum = 0.0;
    for (int64_t c = 0; c < channels; c++) {
        for (int64_t r = 0; r < shape->filter[0]; r++) {
            for (int64_t s = 0; s < shape->filter[1]; s++) {
                place w = {{y.at[1], c, r, s}};
                place x = {
                    {y.at[0], first + c,
                     y.at[2] * shape->stride[0] - shape->pad_before[0] + r * shape->dilation[0],
                     y.at[3] * shape->stride[1] - shape->pad_before[1] + s * shape->dilation[1]}};
                if (!is_inside(shape, x)) { continue; }
                double a = gp_dtype_load(conv->x->dtype, address(conv->x, shape->x_strides, x));
                double b = gp_dtype_load(conv->w->dtype, address(conv->w, shape->w_strides, w));
                sum = gp_accumulate(conv->kind, sum, gp_round_input(conv->arithmetic, a),
                                    gp_round_input(conv->arithmetic, b));
            }
        }
    }
    return sum;
}

static double
bias_of(const gp_tensor *bias, int64_t k)
{
    if (bias == NULL) { return 0.0; }
    return gp_dtype_load(bias->dtype, (unsigned char *)bias->data + k * bias->strides[0]);
}

/* Element number `index` of the result, counted in the order n, k, p, q. */
static place
place_of(const int64_t extents[4], int64_t index)
{
    place found;
    for (int i = 3; i >= 0; i--) {
        found.at[i] = index % extents[i];
        index /= extents[i];
    }
    return found;
}

static void
advance(const int64_t extents[4], place *index)
{
    for (int i = 3; i >= 0 && ++index->at[i] == extents[i]; i--) {
        index->at[i] = 0;
    }
}

void
gp_conv2d_reference_part(const gp_conv2d_shape *shape, const gp_arithmetic *arithmetic,
                         const gp_tensor *x, const gp_tensor *w, const gp_tensor *bias,
                         const gp_tensor *y, int64_t begin, int64_t end)
{
    if (begin >= end) { return; }
    gp_float_env callers;
    gp_float_env_begin(&callers);
    convolution conv = {shape, arithmetic, gp_accumulator_of(arithmetic), x, w};
    const int64_t extents[4] = {shape->n, shape->k, shape->out[0], shape->out[1]};
    place index = place_of(extents, begin);
    for (int64_t i = begin; i < end; i++, advance(extents, &index)) {
        double value = sum_of(&conv, index);
        /* 1 * bias in the same accumulator: one more step of the sum. */
        if (bias != NULL) {
            value = gp_accumulate(conv.kind, value, 1.0, bias_of(bias, index.at[1]));
        }
        gp_dtype_store(y->dtype, value, address(y, shape->y_strides, index));
    }
    gp_float_env_end(&callers);
}

void
gp_conv2d_reference(const gp_conv2d_shape *shape, const gp_arithmetic *arithmetic,
                    const gp_tensor *x, const gp_tensor *w, const gp_tensor *bias,
                    const gp_tensor *y)
{
    int64_t count = shape->n * shape->k * shape->out[0] * shape->out[1];
    gp_conv2d_reference_part(shape, arithmetic, x, w, bias, y, 0, count);
}
