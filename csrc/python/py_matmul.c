/* The shape of a product, and the plain-C product of NumPy arrays. */
#include "py_fit.h"
#include "py_numpy.h"
#include "py_shape.h"
#include "py_signals.h"

#include "ops/gp_matmul_reference.h"

int
core_fit_matmul(PyObject *py_a, PyObject *py_b, const gp_tensor *a, const gp_tensor *b,
                gp_matmul_shape *shape, gp_tensor *c)
{
    static const char *const why[] = {
        [GP_MATMUL_FITS] = "",
        [GP_MATMUL_SCALAR] = "a scalar has no rows and columns; use multiplication",
        [GP_MATMUL_INNER] = "the last axis of a must be as long as the rows of b",
        [GP_MATMUL_BATCH] = "the axes before the last two cannot be broadcast together",
        [GP_MATMUL_TOO_LARGE] = "the result is larger than memory can be",
    };
    gp_matmul_misfit misfit = gp_matmul_shape_of(a, b, shape, c);
    if (misfit == GP_MATMUL_FITS) { return 0; }
    core_set_misfit("matmul: shapes %S and %S do not fit: %s", py_a, py_b, why[misfit]);
    return -1;
}

PyObject *
core_matmul_shape(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_state *state = PyModule_GetState(module);
    gp_tensor a;
    gp_tensor b;
    gp_tensor result = {.dtype = GP_FLOAT64};
    gp_matmul_shape shape;
    if (!core_has_arguments("matmul_shape", count, 2) ||
        core_read_shape(state, args[0], "a", &a) < 0 ||
        core_read_shape(state, args[1], "b", &b) < 0 ||
        core_fit_matmul(args[0], args[1], &a, &b, &shape, &result) < 0) {
        return NULL;
    }
    return core_new_numbers(result.shape, result.ndim);
}

/* Without the GIL; leaves off once the watch is over. */
static gp_status
multiply_batch(const gp_matmul_shape *shape, const gp_tensor *a, const gp_tensor *b,
               const gp_arithmetic *arithmetic, const gp_tensor *c, const gp_watch *watch)
{
    if (shape->m == 0 || shape->n == 0) { return gp_ok(); } /* however many there are of them */
    int64_t matrix_bytes = shape->m * shape->n * (int64_t)gp_dtype_size(c->dtype);
    for (int64_t i = 0; i < shape->batch && !gp_is_over(watch); i++) {
        gp_matrix matrices[3];
        gp_matmul_matrices(shape, a, b, c, i, matrices);
        unsigned char *out = (unsigned char *)c->data + i * matrix_bytes;
        gp_status st =
            gp_matmul_reference(&matrices[0], &matrices[1], arithmetic, c->dtype, out, watch);
        if (gp_failed(st)) { return st; }
    }
    return gp_ok();
}

PyObject *
core_matmul_reference(PyObject *module, PyObject *args)
{
    PyObject *a = NULL;
    PyObject *b = NULL;
    PyObject *dtype = NULL;
    const char *compute = NULL;
    gp_tensor left;
    gp_tensor right;
    gp_tensor result;
    gp_matmul_shape shape;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOs:matmul_reference", &a, &b, &dtype, &compute)) { return NULL; }
    const gp_arithmetic *arithmetic = core_find_arithmetic(compute);
    PyObject *py_dtype = arithmetic == NULL ? NULL : core_new_dtype(dtype, &result.dtype);
    if (py_dtype == NULL) { return NULL; }
    bool is_read = core_read_array(a, "a", &left) == 0 && core_read_array(b, "b", &right) == 0 &&
                   core_fit_matmul(a, b, &left, &right, &shape, &result) == 0;
    PyObject *py_result = is_read ? core_new_array(py_dtype, &result) : NULL;
    Py_DECREF(py_dtype);
    if (py_result == NULL) { return NULL; }
    core_signals signals;
    core_signals_begin(&signals);
    gp_status st = multiply_batch(&shape, &left, &right, arithmetic, &result, &signals.watch);
    bool is_done = core_signals_end(&signals);
    if (is_done && gp_failed(st)) { (void)PyErr_NoMemory(); }
    if (!is_done || gp_failed(st)) { Py_CLEAR(py_result); }
    return py_result;
}
