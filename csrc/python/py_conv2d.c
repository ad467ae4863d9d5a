/* The shape of a convolution, and the plain-C convolution of NumPy arrays. */
#include "py_fit.h"
#include "py_numpy.h"
#include "py_shape.h"
#include "py_signals.h"

#include "ops/gp_conv2d_reference.h"

#include <stdio.h>

/* Between two looks for Ctrl-C. */
#define STEPS_AT_ONCE ((int64_t)1 << 16)

/* Of an option that cannot be: which of them it is stands among the values. */
static void
tell_options(const gp_conv2d_options *options, char *text, size_t size)
{
    (void)snprintf(text, size,
                   "stride, dilation and groups must be at least 1, padding at least 0, none above "
                   "2**31; given are stride (%lld, %lld), dilation (%lld, %lld), padding (%lld, "
                   "%lld) before and (%lld, %lld) behind, groups %lld",
                   (long long)options->stride[0], (long long)options->stride[1],
                   (long long)options->dilation[0], (long long)options->dilation[1],
                   (long long)options->pad_before[0], (long long)options->pad_before[1],
                   (long long)options->pad_after[0], (long long)options->pad_after[1],
                   (long long)options->groups);
}

int
core_fit_conv2d(PyObject *py_x, PyObject *py_w, const gp_tensor *x, const gp_tensor *w,
                const gp_conv2d_options *options, gp_conv2d_shape *shape, gp_tensor *y)
{
    static const char *const why[] = {
        [GP_CONV2D_FITS] = "",
        [GP_CONV2D_NDIM] = "both must have four axes",
        [GP_CONV2D_GROUPS] = "groups must divide the channels of x and the filters of w",
        [GP_CONV2D_CHANNELS] = "w must have as many channels as x has in one group",
        [GP_CONV2D_OPTION] = "",
        [GP_CONV2D_EXTENT] = "extents must be from 0 to 2**62, those of the filter from 1 to 2**31",
        [GP_CONV2D_TOO_SMALL] = "the filter reaches over more than the padded input",
        [GP_CONV2D_TOO_LARGE] = "the result is larger than memory can be",
    };
    gp_conv2d_misfit misfit = gp_conv2d_shape_of(x, w, options, shape, y);
    if (misfit == GP_CONV2D_FITS) { return 0; }
    char text[512];
    (void)snprintf(text, sizeof(text), "%s", why[misfit]);
    if (misfit == GP_CONV2D_OPTION) { tell_options(options, text, sizeof(text)); }
    core_set_misfit("conv2d: x of shape %S and w of shape %S do not fit: %s", py_x, py_w, text);
    return -1;
}

int
core_read_conv2d_options(PyObject *py_options, gp_conv2d_options *options)
{
    int layout = 0;
    int padding = 0;
    long long before[2];
    long long after[2];
    long long stride[2];
    long long dilation[2];
    long long groups = 1;
    if (!PyTuple_Check(py_options)) {
        PyErr_SetString(PyExc_TypeError, "conv2d: its options are no tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(py_options, "ii(LL)(LL)(LL)(LL)L:options", &layout, &padding, &before[0],
                          &before[1], &after[0], &after[1], &stride[0], &stride[1], &dilation[0],
                          &dilation[1], &groups)) {
        return -1;
    }
    if (layout < GP_NCHW || layout > GP_NHWC || padding < GP_PADDING_GIVEN ||
        padding > GP_PADDING_SAME) {
        PyErr_Format(PyExc_ValueError, "conv2d: no layout %d, or no padding %d", layout, padding);
        return -1;
    }
    *options = (gp_conv2d_options){(gp_layout)layout,
                                   (gp_padding)padding,
                                   {before[0], before[1]},
                                   {after[0], after[1]},
                                   {stride[0], stride[1]},
                                   {dilation[0], dilation[1]},
                                   groups};
    return 0;
}

PyObject *
core_conv2d_shape(PyObject *module, PyObject *args)
{
    PyObject *x = NULL;
    PyObject *w = NULL;
    PyObject *py_options = NULL;
    gp_conv2d_options options;
    gp_conv2d_shape shape;
    gp_tensor image;
    gp_tensor filters;
    gp_tensor y = {.dtype = GP_FLOAT64};
    const core_state *state = PyModule_GetState(module);
    if (!PyArg_ParseTuple(args, "OOO!:conv2d_shape", &x, &w, &PyTuple_Type, &py_options) ||
        core_read_conv2d_options(py_options, &options) < 0 ||
        core_read_shape(state, x, "x", &image) < 0 ||
        core_read_shape(state, w, "w", &filters) < 0 ||
        core_fit_conv2d(x, w, &image, &filters, &options, &shape, &y) < 0) {
        return NULL;
    }
    return Py_BuildValue("((LLLL)(LL)(LL))", (long long)y.shape[0], (long long)y.shape[1],
                         (long long)y.shape[2], (long long)y.shape[3],
                         (long long)shape.pad_before[0], (long long)shape.pad_before[1],
                         (long long)shape.pad_after[0], (long long)shape.pad_after[1]);
}

int
core_fit_bias(const gp_tensor *bias, int64_t filters)
{
    if (bias->ndim == 1 && bias->shape[0] == filters) { return 0; }
    PyErr_Format(PyExc_ValueError, "bias: expected one axis of %lld elements, one a filter",
                 (long long)filters);
    return -1;
}

/* `*given` becomes NULL where there is no bias. */
static int
read_bias(PyObject *py_bias, int64_t filters, gp_tensor *bias, const gp_tensor **given)
{
    *given = NULL;
    if (py_bias == Py_None) { return 0; }
    if (core_read_array(py_bias, "bias", bias) < 0 || core_fit_bias(bias, filters) < 0) {
        return -1;
    }
    *given = bias;
    return 0;
}

/* In parts, so that Ctrl-C is looked for between two of them. */
static int
convolve(const gp_conv2d_shape *shape, const gp_arithmetic *arithmetic, const gp_tensor *x,
         const gp_tensor *w, const gp_tensor *bias, const gp_tensor *y)
{
    int64_t steps = shape->c / shape->groups * shape->filter[0] * shape->filter[1];
    int64_t at_once = STEPS_AT_ONCE / (steps + 1) + 1;
    int64_t count = shape->n * shape->k * shape->out[0] * shape->out[1];
    core_signals signals;
    core_signals_begin(&signals);
    for (int64_t begin = 0; begin < count && !gp_is_over(&signals.watch); begin += at_once) {
        int64_t end = count - begin < at_once ? count : begin + at_once;
        gp_conv2d_reference_part(shape, arithmetic, x, w, bias, y, begin, end);
    }
    return core_signals_end(&signals) ? 0 : -1;
}

typedef struct conv2d_call {
    PyObject *x; /* all borrowed */
    PyObject *w;
    PyObject *bias; /* Py_None for none */
    PyObject *dtype;
    const gp_arithmetic *arithmetic;
    gp_conv2d_options options;
} conv2d_call;

static int
parse(PyObject *args, conv2d_call *call)
{
    const char *compute = NULL;
    PyObject *py_options = NULL;
    if (!PyArg_ParseTuple(args, "OOOOsO!:conv2d_reference", &call->x, &call->w, &call->bias,
                          &call->dtype, &compute, &PyTuple_Type, &py_options) ||
        core_read_conv2d_options(py_options, &call->options) < 0) {
        return -1;
    }
    call->arithmetic = core_find_arithmetic(compute);
    return call->arithmetic == NULL ? -1 : 0;
}

PyObject *
core_conv2d_reference(PyObject *module, PyObject *args)
{
    conv2d_call call;
    gp_tensor x;
    gp_tensor w;
    gp_tensor y;
    gp_tensor bias;
    const gp_tensor *given_bias = NULL;
    gp_conv2d_shape shape;
    (void)module;
    PyObject *py_dtype = parse(args, &call) < 0 ? NULL : core_new_dtype(call.dtype, &y.dtype);
    if (py_dtype == NULL) { return NULL; }
    bool is_read = core_read_array(call.x, "x", &x) == 0 && core_read_array(call.w, "w", &w) == 0 &&
                   core_fit_conv2d(call.x, call.w, &x, &w, &call.options, &shape, &y) == 0 &&
                   read_bias(call.bias, shape.k, &bias, &given_bias) == 0;
    PyObject *py_y = is_read ? core_new_array(py_dtype, &y) : NULL;
    Py_DECREF(py_dtype);
    if (py_y == NULL) { return NULL; }
    if (convolve(&shape, call.arithmetic, &x, &w, given_bias, &y) < 0) { Py_CLEAR(py_y); }
    return py_y;
}
