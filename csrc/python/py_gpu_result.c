/* The array that gets the result of a product or a convolution: a new one, or one that somebody has
 * brought, and why that cannot be written. */
#include "py_gpu_work.h"
#include "py_shape.h"

static PyObject *
new_result(arena_object *arena, PyObject *py_dtype, const gp_tensor *expected, gpu_operands *arrays)
{
    const device_tensor *first = arrays->inputs[0];
    PyTypeObject *type = Py_TYPE((PyObject *)(uintptr_t)first);
    PyObject *py_new = core_new_empty(arena, type, expected, py_dtype, first->stream);
    arrays->result = (const device_tensor *)py_new;
    return py_new;
}

static bool
has_shape(const gp_tensor *tensor, const gp_tensor *expected)
{
    bool is_same = tensor->ndim == expected->ndim;
    for (int i = 0; is_same && i < tensor->ndim; i++) {
        is_same = tensor->shape[i] == expected->shape[i];
    }
    return is_same;
}

/* The stride of an axis of one element leads nowhere, and those of no elements lead nowhere. */
static bool
has_gaps(const gp_tensor *tensor, const gp_tensor *expected)
{
    bool are_there = false;
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] == 0) { return false; }
        are_there =
            are_there || (tensor->shape[i] > 1 && tensor->strides[i] != expected->strides[i]);
    }
    return are_there;
}

static bool
overlaps_input(const gp_tensor *result, const gpu_operands *arrays)
{
    for (int i = 0; i < arrays->count; i++) {
        if (gp_tensor_overlap(result, &arrays->inputs[i]->tensor)) { return true; }
    }
    return false;
}

/* -1 with TypeError or ValueError. */
static int
check_form(const gp_tensor *given, const gp_tensor *expected, const char *call)
{
    if (given->dtype != expected->dtype) {
        PyErr_Format(PyExc_TypeError, "%s: out is %s, and the result %s", call,
                     gp_dtype_name(given->dtype), gp_dtype_name(expected->dtype));
        return -1;
    }
    if (has_shape(given, expected)) { return 0; }
    PyObject *py_given = core_new_numbers(given->shape, given->ndim);
    PyObject *py_expected = core_new_numbers(expected->shape, expected->ndim);
    if (py_given != NULL && py_expected != NULL) {
        PyErr_Format(PyExc_ValueError, "%s: out has the shape %R, and the result %R", call,
                     py_given, py_expected);
    }
    Py_XDECREF(py_given);
    Py_XDECREF(py_expected);
    return -1;
}

/* -1 with ValueError. */
static int
check_memory(const device_tensor *out, const gp_tensor *expected, const gpu_operands *arrays)
{
    const gp_tensor *given = &out->tensor;
    if (out->is_read_only) {
        PyErr_Format(PyExc_ValueError, "%s: out is read-only", arrays->call);
        return -1;
    }
    if ((uintptr_t)given->data % gp_dtype_size(given->dtype) != 0) {
        PyErr_Format(PyExc_ValueError, "%s: out lies at %p, no multiple of its elements' size",
                     arrays->call, given->data);
        return -1;
    }
    if (has_gaps(given, expected)) {
        PyObject *py_strides = core_new_numbers(given->strides, given->ndim);
        if (py_strides == NULL) { return -1; }
        PyErr_Format(PyExc_ValueError, "%s: out has gaps, or another order: its strides are %R",
                     arrays->call, py_strides);
        Py_DECREF(py_strides);
        return -1;
    }
    if (overlaps_input(given, arrays)) {
        PyErr_Format(PyExc_ValueError, "%s: out shares memory with an input", arrays->call);
        return -1;
    }
    return 0;
}

PyObject *
gpu_set_result(arena_object *arena, PyObject *py_out, PyObject *py_dtype, gp_tensor *expected,
               gpu_operands *arrays)
{
    if (py_out == Py_None) { return new_result(arena, py_dtype, expected, arrays); }
    const core_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)arena));
    if (!PyObject_TypeCheck(py_out, state->device_tensor)) {
        PyErr_Format(PyExc_TypeError,
                     "%s: out has to be a gpuprobe.DeviceArray, as the inputs are, got %R",
                     arrays->call, (PyObject *)Py_TYPE(py_out));
        return NULL;
    }
    const device_tensor *out = (const device_tensor *)py_out;
    if (check_form(&out->tensor, expected, arrays->call) < 0) { return NULL; }
    if (out->device != arena->ordinal) {
        PyErr_Format(PyExc_ValueError, "%s: out is on GPU %d, and the inputs on GPU %d",
                     arrays->call, out->device, arena->ordinal);
        return NULL;
    }
    gp_tensor_set_compact(expected);
    if (check_memory(out, expected, arrays) < 0) { return NULL; }
    arrays->result = out;
    return Py_NewRef(py_out);
}
