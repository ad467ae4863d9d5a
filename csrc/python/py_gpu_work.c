/* Products and convolutions of DeviceArrays: what an arena's device computes. */
#include "py_arena.h"
#include "py_device_array.h"
#include "py_fit.h"
#include "py_numpy.h"

#include "ops/native/gp_conv2d_native.h"
#include "ops/native/gp_matmul_native.h"

#include <string.h>

typedef struct product {
    gp_matmul_shape shape;
    const gp_arithmetic *arithmetic;
    gp_tensor a;
    gp_tensor b;
    gp_tensor c;
    const char *library; /* where Python has found the back end's; NULL: nowhere */
} product;

typedef struct convolution {
    gp_conv2d_shape shape;
    const gp_arithmetic *arithmetic;
    gp_tensor x;
    gp_tensor w;
    gp_tensor bias;
    gp_tensor y;
    bool has_bias;
    const char *library; /* where Python has found the back end's; NULL: nowhere */
    gp_cudnn_told *told;
} convolution;

static gp_status
multiply_by_native(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const product *work = what;
    const gp_module *module = NULL;
    gp_status st = gp_backends_module(backends, &module);
    if (gp_failed(st)) { return st; }
    return gp_matmul_native(module, &work->shape, &work->a, &work->b, &work->c, work->arithmetic,
                            stream);
}

static gp_status
multiply_by_cublas(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const product *work = what;
    gp_cublas *cublas = NULL;
    gp_status st = gp_backends_cublas(backends, work->library, &cublas);
    if (gp_failed(st)) { return st; }
    return gp_matmul_cublas(cublas, &work->shape, &work->a, &work->b, &work->c, work->arithmetic,
                            stream);
}

static gp_status
convolve_by_native(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const convolution *work = what;
    const gp_tensor *bias = work->has_bias ? &work->bias : NULL;
    const gp_module *module = NULL;
    gp_status st = gp_backends_module(backends, &module);
    if (gp_failed(st)) { return st; }
    return gp_conv2d_native(module, &work->shape, &work->x, &work->w, bias, &work->y,
                            work->arithmetic, stream);
}

static gp_status
convolve_by_cudnn(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const convolution *work = what;
    const gp_tensor *bias = work->has_bias ? &work->bias : NULL;
    gp_cudnn_device *device = NULL;
    gp_status st = gp_backends_cudnn(backends, work->library, &device, work->told);
    if (gp_failed(st)) { return st; }
    return gp_conv2d_cudnn(device, &work->shape, &work->x, &work->w, bias, &work->y,
                           work->arithmetic, stream, work->told);
}

/* Who can do it, by the name that Python gives. */
typedef struct backend_row {
    const char *name;
    gp_work work;
} backend_row;

static const backend_row products[] = {
    {"cublas", multiply_by_cublas}, {"native", multiply_by_native}, {NULL, NULL}};
static const backend_row convolutions[] = {
    {"cudnn", convolve_by_cudnn}, {"native", convolve_by_native}, {NULL, NULL}};

static gp_work
find_work(const backend_row *rows, const char *name)
{
    while (rows->name != NULL && strcmp(rows->name, name) != 0) {
        rows++;
    }
    if (rows->name == NULL) { PyErr_Format(PyExc_ValueError, "no back end %s", name); }
    return rows->work;
}

/* The caller has checked that the result has the right shape, and its type is written as such. */
static int
check_result(const gp_tensor *expected, const gp_tensor *given)
{
    bool is_same = given->ndim == expected->ndim;
    for (int i = 0; is_same && i < given->ndim; i++) {
        is_same = given->shape[i] == expected->shape[i] &&
                  (given->shape[i] < 2 || given->strides[i] == expected->strides[i]);
    }
    if (!is_same) { PyErr_SetString(PyExc_ValueError, "the result has another shape, or gaps"); }
    return is_same ? 0 : -1;
}

/* Which of its engines cuDNN took, by its own numbers; None: another back end has computed. */
static PyObject *
algorithm_object(const gp_cudnn_told *told)
{
    if (told == NULL || told->engine < 0) { Py_RETURN_NONE; }
    if (told->bias_engine < 0) {
        return PyUnicode_FromFormat("engine %lld", (long long)told->engine);
    }
    return PyUnicode_FromFormat("engine %lld, then engine %lld for the bias",
                                (long long)told->engine, (long long)told->bias_engine);
}

/* Seconds of the host until it was queued, and of the device, and the algorithm; or None. `told` is
 * what cuDNN says of its work; NULL: it has done none. */
static PyObject *
run(arena_object *self, gp_work work, const void *what, const gp_cudnn_told *told,
    Py_ssize_t stream, int is_timed)
{
    gp_work_times times = {.is_timed = is_timed != 0};
    if (!arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st =
        gp_backends_run(&self->backends, work, what, (gp_cu_stream)(uintptr_t)stream, &times);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    if (gp_failed(st)) {
        bool is_of_loader = work == multiply_by_cublas && st.kind == GP_LIBRARY_MISSING;
        const char *words =
            is_of_loader ? gp_text_get(&self->backends.cublaslt.library.error) : NULL;
        return told == NULL ? arena_set_failure(self, st, words, NULL)
                            : arena_set_failure(self, st, told->text, &told->shortage);
    }
    if (!is_timed) { Py_RETURN_NONE; }
    return Py_BuildValue("(ddN)", times.submit_s, times.kernel_s, algorithm_object(told));
}

PyObject *
arena_matmul(PyObject *self, PyObject *args)
{
    const char *backend = NULL;
    const char *compute = NULL;
    PyObject *py[3];
    Py_ssize_t stream = 0;
    int is_timed = 0;
    product work;
    gp_tensor expected;
    if (!PyArg_ParseTuple(args, "szOOOsnp:matmul", &backend, &work.library, &py[0], &py[1], &py[2],
                          &compute, &stream, &is_timed)) {
        return NULL;
    }
    gp_work by = find_work(products, backend);
    work.arithmetic = core_find_arithmetic(compute);
    if (by == NULL || work.arithmetic == NULL || core_read_device_array(py[0], "a", &work.a) < 0 ||
        core_read_device_array(py[1], "b", &work.b) < 0 ||
        core_read_device_array(py[2], "out", &work.c) < 0) {
        return NULL;
    }
    expected.dtype = work.c.dtype;
    if (core_fit_matmul(py[0], py[1], &work.a, &work.b, &work.shape, &expected) < 0 ||
        check_result(&expected, &work.c) < 0) {
        return NULL;
    }
    return run((arena_object *)self, by, &work, NULL, stream, is_timed);
}

static int
read_bias(PyObject *py_bias, convolution *work)
{
    work->has_bias = py_bias != Py_None;
    if (!work->has_bias) { return 0; }
    return core_read_device_array(py_bias, "bias", &work->bias) < 0
               ? -1
               : core_fit_bias(&work->bias, work->shape.k);
}

PyObject *
arena_conv2d(PyObject *self, PyObject *args)
{
    const char *backend = NULL;
    const char *compute = NULL;
    PyObject *py[5]; /* x, w, bias, y, options */
    Py_ssize_t stream = 0;
    int is_timed = 0;
    convolution work;
    gp_conv2d_options options;
    gp_tensor expected;
    gp_cudnn_told told = {.text = ""};
    work.told = &told;
    if (!PyArg_ParseTuple(args, "szOOOOsO!np:conv2d", &backend, &work.library, &py[0], &py[1],
                          &py[2], &py[3], &compute, &PyTuple_Type, &py[4], &stream, &is_timed)) {
        return NULL;
    }
    gp_work by = find_work(convolutions, backend);
    work.arithmetic = core_find_arithmetic(compute);
    if (by == NULL || work.arithmetic == NULL || core_read_conv2d_options(py[4], &options) < 0 ||
        core_read_device_array(py[0], "x", &work.x) < 0 ||
        core_read_device_array(py[1], "w", &work.w) < 0 ||
        core_read_device_array(py[3], "out", &work.y) < 0) {
        return NULL;
    }
    expected.dtype = work.y.dtype;
    if (core_fit_conv2d(py[0], py[1], &work.x, &work.w, &options, &work.shape, &expected) < 0 ||
        check_result(&expected, &work.y) < 0 || read_bias(py[2], &work) < 0) {
        return NULL;
    }
    bool is_ours = by == convolve_by_native;
    return run((arena_object *)self, by, &work, is_ours ? NULL : &told, stream, is_timed);
}
