#include "py_shape.h"

#include "py_device_tensor.h"

#include <string.h>

int
core_read_numbers(PyObject *py_numbers, const char *name, const char *what, int64_t *numbers)
{
    if (!PyTuple_Check(py_numbers)) {
        PyErr_Format(PyExc_TypeError, "%s: its %s is no tuple", name, what);
        return -1;
    }
    Py_ssize_t count = PyTuple_Size(py_numbers);
    if (count > GP_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%s: %zd axes; at most %d are supported", name, count,
                     GP_MAX_NDIM);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        numbers[i] = PyLong_AsLongLong(PyTuple_GetItem(py_numbers, i));
        if (numbers[i] == -1 && PyErr_Occurred()) { return -1; }
    }
    return (int)count;
}

int
core_read_address(PyObject *py_number, unsigned long long *number)
{
    PyObject *py_whole = PyNumber_Index(py_number);
    if (py_whole == NULL) { return -1; }
    *number = PyLong_AsUnsignedLongLong(py_whole);
    Py_DECREF(py_whole);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *
core_new_numbers(const int64_t *numbers, int count)
{
    PyObject *py_numbers = PyTuple_New(count);
    for (int i = 0; py_numbers != NULL && i < count; i++) {
        PyObject *py_number = PyLong_FromLongLong(numbers[i]);
        if (py_number == NULL || PyTuple_SetItem(py_numbers, i, py_number) < 0) {
            Py_CLEAR(py_numbers); /* the number was given away, or is not there */
        }
    }
    return py_numbers;
}

int
core_check_reach(const gp_tensor *tensor, const char *name)
{
    if (!gp_failed(gp_tensor_check_reach(tensor))) { return 0; }
    PyObject *py_shape = core_new_numbers(tensor->shape, tensor->ndim);
    PyObject *py_strides = core_new_numbers(tensor->strides, tensor->ndim);
    if (py_shape != NULL && py_strides != NULL) {
        PyErr_Format(PyExc_ValueError,
                     "%s: from %p the shape %R with strides of %R bytes reaches beyond all memory",
                     name, tensor->data, py_shape, py_strides);
    }
    Py_XDECREF(py_shape);
    Py_XDECREF(py_strides);
    return -1;
}

int
core_read_shape(const core_state *state, PyObject *array, const char *name, gp_tensor *tensor)
{
    *tensor = (gp_tensor){.data = NULL};
    if (PyObject_TypeCheck(array, state->device_tensor)) {
        const gp_tensor *there = &((const device_tensor *)array)->tensor;
        tensor->ndim = there->ndim;
        memcpy(tensor->shape, there->shape, sizeof(tensor->shape));
        return 0;
    }
    PyObject *py_shape = PyObject_GetAttrString(array, "shape");
    if (py_shape == NULL) { return -1; }
    tensor->ndim = core_read_numbers(py_shape, name, "shape", tensor->shape);
    bool is_read = tensor->ndim >= 0;
    for (int i = 0; is_read && i < tensor->ndim; i++) {
        is_read = tensor->shape[i] >= 0;
        if (!is_read) { PyErr_Format(PyExc_ValueError, "%s: %R is no shape", name, py_shape); }
    }
    Py_DECREF(py_shape);
    return is_read ? 0 : -1;
}
