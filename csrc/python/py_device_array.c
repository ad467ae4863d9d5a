#include "py_device_array.h"

/* A tuple of whole numbers. Returns how many there are, or -1 with an exception. */
static int
read_numbers(PyObject *array, const char *attribute, const char *name, int64_t *numbers)
{
    int count = -1;
    PyObject *py_numbers = PyObject_GetAttrString(array, attribute);
    if (py_numbers == NULL) { return -1; }
    if (!PyTuple_Check(py_numbers)) {
        PyErr_Format(PyExc_TypeError, "%s: its %s is no tuple", name, attribute);
        goto done;
    }
    if (PyTuple_Size(py_numbers) > GP_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%s: %zd axes; at most %d are supported", name,
                     PyTuple_Size(py_numbers), GP_MAX_NDIM);
        goto done;
    }
    count = (int)PyTuple_Size(py_numbers);
    for (int i = 0; i < count; i++) {
        numbers[i] = PyLong_AsLongLong(PyTuple_GetItem(py_numbers, i));
        if (numbers[i] == -1 && PyErr_Occurred()) {
            count = -1;
            break;
        }
    }
done:
    Py_DECREF(py_numbers);
    return count;
}

int
core_read_shape(PyObject *array, const char *name, gp_tensor *tensor)
{
    *tensor = (gp_tensor){.data = NULL};
    tensor->ndim = read_numbers(array, "shape", name, tensor->shape);
    return tensor->ndim < 0 ? -1 : 0;
}

PyObject *
core_new_shape(const gp_tensor *tensor)
{
    PyObject *py_shape = PyTuple_New(tensor->ndim);
    for (int i = 0; py_shape != NULL && i < tensor->ndim; i++) {
        PyObject *py_extent = PyLong_FromLongLong(tensor->shape[i]);
        if (py_extent == NULL || PyTuple_SetItem(py_shape, i, py_extent) < 0) {
            Py_CLEAR(py_shape); /* the extent was given away, or is not there */
        }
    }
    return py_shape;
}

static int
find_dtype(PyObject *py_name, gp_dtype *found)
{
    PyObject *py_bytes = PyUnicode_AsUTF8String(py_name);
    if (py_bytes == NULL) { return -1; }
    bool is_known = gp_dtype_from_name(PyBytes_AsString(py_bytes), found);
    Py_DECREF(py_bytes);
    if (!is_known) { PyErr_Format(PyExc_ValueError, "no such type: %R", py_name); }
    return is_known ? 0 : -1;
}

static int
read_type(PyObject *array, gp_tensor *tensor)
{
    PyObject *py_name = PyObject_GetAttrString(array, "dtype");
    if (py_name == NULL) { return -1; }
    int outcome = find_dtype(py_name, &tensor->dtype);
    Py_DECREF(py_name);
    return outcome;
}

static int
read_address(PyObject *array, gp_tensor *tensor)
{
    PyObject *py_address = PyObject_GetAttrString(array, "address");
    if (py_address == NULL) { return -1; }
    size_t address = PyLong_AsSize_t(py_address);
    Py_DECREF(py_address);
    tensor->data = (void *)(uintptr_t)address;
    return PyErr_Occurred() ? -1 : 0;
}

int
core_read_device_array(PyObject *array, const char *name, gp_tensor *tensor)
{
    if (core_read_shape(array, name, tensor) < 0 || read_type(array, tensor) < 0 ||
        read_address(array, tensor) < 0) {
        return -1;
    }
    int strides = read_numbers(array, "strides", name, tensor->strides);
    if (strides < 0) { return -1; }
    if (strides != tensor->ndim) {
        PyErr_Format(PyExc_ValueError, "%s: %d axes, %d strides", name, tensor->ndim, strides);
        return -1;
    }
    return 0;
}
