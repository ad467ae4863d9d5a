#include "gp_conv2d_shape.h"

/* The axis of a tensor at which n, c, h, w (or k, c, r, s) stand. */
static const int axes_of[][4] = {
    [GP_NCHW] = {0, 1, 2, 3},
    [GP_NHWC] = {0, 3, 1, 2},
};

/* What is computed with these cannot overflow: a filter reaches over less than 2^62, so that an
 * input with its padding, and the zeros that make a result the same size, stay below 2^63. */
#define GREATEST_OPTION (INT64_C(1) << 31)
#define GREATEST_EXTENT (INT64_C(1) << 62)

static bool
are_within(const int64_t values[2], int64_t least)
{
    return values[0] >= least && values[1] >= least && values[0] <= GREATEST_OPTION &&
           values[1] <= GREATEST_OPTION;
}

static bool
are_possible(const gp_conv2d_options *options)
{
    return are_within(options->stride, 1) && are_within(options->dilation, 1) &&
           are_within(options->pad_before, 0) && are_within(options->pad_after, 0) &&
           options->groups >= 1 && options->groups <= GREATEST_OPTION;
}

static bool
are_extents(const int64_t extents[4])
{
    bool are = true;
    for (int i = 0; i < 4; i++) {
        are = are && extents[i] >= 0 && extents[i] <= GREATEST_EXTENT;
    }
    return are;
}

static void
read_axes(const gp_tensor *tensor, gp_layout layout, int64_t extents[4], int64_t strides[4])
{
    for (int i = 0; i < 4; i++) {
        extents[i] = tensor->shape[axes_of[layout][i]];
        strides[i] = gp_tensor_stride(tensor, axes_of[layout][i]);
    }
}

static gp_conv2d_misfit
read_inputs(const gp_tensor *x, const gp_tensor *w, const gp_conv2d_options *options,
            gp_conv2d_shape *shape)
{
    int64_t xs[4];
    int64_t ws[4];
    if (x->ndim != 4 || w->ndim != 4) { return GP_CONV2D_NDIM; }
    read_axes(x, options->layout, xs, shape->x_strides);
    read_axes(w, options->layout, ws, shape->w_strides);
    if (!are_extents(xs) || !are_extents(ws) || !are_within(ws + 2, 1)) { return GP_CONV2D_EXTENT; }
    shape->n = xs[0];
    shape->c = xs[1];
    shape->k = ws[0];
    shape->groups = options->groups;
    if (shape->c % options->groups != 0 || shape->k % options->groups != 0) {
        return GP_CONV2D_GROUPS;
    }
    if (ws[1] != shape->c / options->groups) { return GP_CONV2D_CHANNELS; }
    for (int i = 0; i < 2; i++) {
        shape->in[i] = xs[2 + i];
        shape->filter[i] = ws[2 + i];
        shape->stride[i] = options->stride[i];
        shape->dilation[i] = options->dilation[i];
    }
    return GP_CONV2D_FITS;
}

/* What a filter reaches over, dilation included. */
static int64_t
span_of(const gp_conv2d_shape *shape, int i)
{
    return (shape->filter[i] - 1) * shape->dilation[i] + 1;
}

static void
choose_padding(const gp_conv2d_options *options, int i, gp_conv2d_shape *shape)
{
    int64_t total = 0;
    switch (options->padding) {
    case GP_PADDING_GIVEN:
        shape->pad_before[i] = options->pad_before[i];
        shape->pad_after[i] = options->pad_after[i];
        return;
    case GP_PADDING_SAME:
        total = ((shape->in[i] + shape->stride[i] - 1) / shape->stride[i] - 1) * shape->stride[i] +
                span_of(shape, i) - shape->in[i];
        total = total > 0 ? total : 0;
        break;
    case GP_PADDING_VALID: break;
    }
    shape->pad_before[i] = total / 2;
    shape->pad_after[i] = total - total / 2;
}

/* The zeros around it and the places of the filter along one axis; false where it has none. */
static bool
shape_axis(const gp_conv2d_options *options, int i, gp_conv2d_shape *shape)
{
    /* ceil(0 / stride) places: there is nothing that zeros could stand around. */
    if (options->padding == GP_PADDING_SAME && shape->in[i] == 0) { return true; }
    choose_padding(options, i, shape);
    int64_t room = shape->in[i] + shape->pad_before[i] + shape->pad_after[i] - span_of(shape, i);
    if (room < 0) { return false; }
    shape->out[i] = room / shape->stride[i] + 1;
    return true;
}

static gp_conv2d_misfit
shape_result(const gp_conv2d_options *options, gp_conv2d_shape *shape, gp_tensor *y)
{
    for (int i = 0; i < 2; i++) {
        if (!shape_axis(options, i, shape)) { return GP_CONV2D_TOO_SMALL; }
    }
    const int64_t extents[4] = {shape->n, shape->k, shape->out[0], shape->out[1]};
    int64_t count = 0;
    y->ndim = 4;
    for (int i = 0; i < 4; i++) {
        y->shape[axes_of[options->layout][i]] = extents[i];
    }
    if (gp_failed(gp_tensor_count(y, &count))) { return GP_CONV2D_TOO_LARGE; }
    gp_tensor_set_compact(y);
    for (int i = 0; i < 4; i++) {
        shape->y_strides[i] = y->strides[axes_of[options->layout][i]];
    }
    return GP_CONV2D_FITS;
}

gp_conv2d_misfit
gp_conv2d_shape_of(const gp_tensor *x, const gp_tensor *w, const gp_conv2d_options *options,
                   gp_conv2d_shape *shape, gp_tensor *y)
{
    *shape = (gp_conv2d_shape){.n = 0};
    if (!are_possible(options)) { return GP_CONV2D_OPTION; }
    gp_conv2d_misfit misfit = read_inputs(x, w, options, shape);
    return misfit == GP_CONV2D_FITS ? shape_result(options, shape, y) : misfit;
}
