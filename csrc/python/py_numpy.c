#include "py_numpy.h"

#include "py_shape.h"

/* Built with the headers of NumPy 2, it runs with every NumPy that CPython 3.10 and later have. */
#define NPY_TARGET_VERSION    NPY_1_20_API_VERSION /* also 1.21 */
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

/* The types of ml_dtypes have no number of their own: their scalar type tells them apart. */
static int
find_by_name(PyArray_Descr *descr, gp_dtype *found)
{
    PyObject *py_name = PyObject_GetAttrString((PyObject *)descr, "name");
    if (py_name == NULL) { return -1; }
    PyObject *py_bytes = PyUnicode_AsUTF8String(py_name);
    Py_DECREF(py_name);
    if (py_bytes == NULL) { return -1; }
    int is_known = gp_dtype_from_name(PyBytes_AsString(py_bytes), found);
    Py_DECREF(py_bytes);
    return is_known;
}

/* 1: it is one of ours, 0: it is none, -1: an exception. Where `long` has 32 bits there are two
 * types of that size, and both are called int32. Records and raw bytes may have any name. */
static int
find_dtype(PyArray_Descr *descr, gp_dtype *found)
{
    int is_known = 0;
    switch (descr->type_num) {
    case NPY_DOUBLE: *found = GP_FLOAT64; return 1;
    case NPY_FLOAT: *found = GP_FLOAT32; return 1;
    case NPY_HALF: *found = GP_FLOAT16; return 1;
    case NPY_BYTE: *found = GP_INT8; return 1;
    case NPY_VOID: return 0;
    default: is_known = find_by_name(descr, found);
    }
    bool is_of_size = is_known > 0 && (size_t)PyDataType_ELSIZE(descr) == gp_dtype_size(*found);
    return is_known > 0 ? is_of_size : is_known;
}

static int
read_descr(PyArray_Descr *descr, const char *name, gp_dtype *found)
{
    int is_known = find_dtype(descr, found);
    if (is_known < 0) { return -1; }
    if (is_known && PyDataType_ISNOTSWAPPED(descr)) { return 0; }
    PyErr_Format(PyExc_TypeError,
                 "%s: %R is not supported; use float64, float32, float16, bfloat16, "
                 "float8_e4m3fn, float8_e5m2, int8 or int32 in this machine's byte order",
                 name, (PyObject *)descr);
    return -1;
}

int
core_read_array(PyObject *array, const char *name, gp_tensor *tensor)
{
    if (PyArray_ImportNumPyAPI() < 0) { return -1; }
    if (!PyArray_Check(array)) {
        PyErr_Format(PyExc_TypeError, "%s: expected a numpy.ndarray, got %R", name,
                     (PyObject *)Py_TYPE(array));
        return -1;
    }
    PyArrayObject *py_array = (PyArrayObject *)array;
    if (read_descr(PyArray_DESCR(py_array), name, &tensor->dtype) < 0) { return -1; }
    tensor->ndim = PyArray_NDIM(py_array);
    if (tensor->ndim > GP_MAX_NDIM) {
        PyErr_Format(PyExc_ValueError, "%s: %d axes; at most %d are supported", name, tensor->ndim,
                     GP_MAX_NDIM);
        return -1;
    }
    tensor->data = PyArray_DATA(py_array);
    for (int i = 0; i < tensor->ndim; i++) {
        tensor->shape[i] = (int64_t)PyArray_DIM(py_array, i);
        tensor->strides[i] = (int64_t)PyArray_STRIDE(py_array, i);
    }
    return core_check_reach(tensor, name);
}

int
core_read_bytes(PyObject *array, bool is_written, void **data, size_t *size)
{
    if (PyArray_ImportNumPyAPI() < 0) { return -1; }
    if (!PyArray_Check(array)) {
        PyErr_Format(PyExc_TypeError, "expected a numpy.ndarray, got %R",
                     (PyObject *)Py_TYPE(array));
        return -1;
    }
    PyArrayObject *py_array = (PyArrayObject *)array;
    if (PyDataType_REFCHK(PyArray_DESCR(py_array))) {
        PyErr_SetString(PyExc_TypeError, "the array holds references to objects of Python's");
        return -1;
    }
    if (!PyArray_IS_C_CONTIGUOUS(py_array) || (is_written && !PyArray_ISWRITEABLE(py_array))) {
        PyErr_SetString(PyExc_ValueError, "the array has gaps, or is read-only");
        return -1;
    }
    *data = PyArray_DATA(py_array);
    *size = (size_t)PyArray_NBYTES(py_array);
    return 0;
}

PyObject *
core_new_dtype(PyObject *given, gp_dtype *found)
{
    PyArray_Descr *descr = NULL;
    if (PyArray_ImportNumPyAPI() < 0 || !PyArray_DescrConverter(given, &descr)) { return NULL; }
    if (read_descr(descr, "dtype of the result", found) < 0) { Py_CLEAR(descr); }
    return (PyObject *)descr;
}

PyObject *
core_new_array(PyObject *dtype, gp_tensor *tensor)
{
    npy_intp shape[GP_MAX_NDIM];
    for (int i = 0; i < tensor->ndim; i++) {
        shape[i] = (npy_intp)tensor->shape[i];
    }
    /* Takes a reference to the dtype, also where it fails. */
    PyArray_Descr *descr = (PyArray_Descr *)Py_NewRef(dtype);
    PyObject *py_array =
        PyArray_NewFromDescr(&PyArray_Type, descr, tensor->ndim, shape, NULL, NULL, 0, NULL);
    if (py_array == NULL) { return NULL; }
    tensor->data = PyArray_DATA((PyArrayObject *)py_array);
    return py_array;
}

const gp_arithmetic *
core_find_arithmetic(const char *name)
{
    const gp_arithmetic *found = gp_arithmetic_find(name);
    if (found == NULL) { PyErr_Format(PyExc_ValueError, "compute=%s: no such arithmetic", name); }
    return found;
}

void
core_set_misfit(const char *format, PyObject *a, PyObject *b, const char *reason)
{
    PyObject *py_a = PyObject_GetAttrString(a, "shape");
    PyObject *py_b = py_a == NULL ? NULL : PyObject_GetAttrString(b, "shape");
    if (py_b != NULL) { PyErr_Format(PyExc_ValueError, format, py_a, py_b, reason); }
    Py_XDECREF(py_a);
    Py_XDECREF(py_b);
}
