/* Convolutions of arrays in an arena's memory. */
#include "py_fit.h"
#include "py_gpu_work.h"

#include "ops/native/gp_conv2d_native.h"

typedef struct convolution {
    gp_conv2d_shape shape;
    const gp_arithmetic *arithmetic;
    const gp_tensor *x;
    const gp_tensor *w;
    const gp_tensor *bias; /* NULL: none */
    const gp_tensor *y;
    gpu_library *library; /* of the back end */
    gp_cudnn_told *told;
} convolution;

static gp_status
by_native(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const convolution *work = what;
    const gp_module *module = NULL;
    gp_status st = gp_backends_module(backends, &module);
    if (gp_failed(st)) { return st; }
    return gp_conv2d_native(module, &work->shape, work->x, work->w, work->bias, work->y,
                            work->arithmetic, stream);
}

static gp_status
by_cudnn(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const convolution *work = what;
    gp_cudnn_device *device = NULL;
    gp_status st = gp_backends_cudnn(backends, work->library->place, &device, work->told);
    work->library->is_settled = gp_backends_is_final(st);
    if (gp_failed(st)) { return st; }
    return gp_conv2d_cudnn(device, &work->shape, work->x, work->w, work->bias, work->y,
                           work->arithmetic, stream, work->told);
}

static const gpu_backend backends[] = {{"cudnn", by_cudnn}, {"native", by_native}, {NULL, NULL}};

/* Fills `work->bias`. Returns -1 with an exception. */
static int
add_bias(arena_object *arena, PyObject *py_bias, convolution *work, gpu_operands *arrays)
{
    if (py_bias == NULL) { return 0; }
    work->bias = gpu_add_input(arena, py_bias, "bias", arrays);
    return work->bias == NULL ? -1 : core_fit_bias(work->bias, work->shape.k);
}

enum { DTYPE, COMPUTE, OPTIONS, SETTINGS };

/* The inputs, the options and the form of the result. Returns -1 with an exception. */
static int
read_work(arena_object *arena, PyObject *py_arrays, PyObject *const settings[SETTINGS],
          convolution *work, gpu_operands *arrays, gp_tensor *expected)
{
    PyObject *py[GPU_WORK_INPUTS];
    gp_conv2d_options options;
    if (gpu_read_tuple(py_arrays, "conv2d: x, w and bias", 2, 3, py) < 0 ||
        (work->x = gpu_add_input(arena, py[0], "x", arrays)) == NULL ||
        (work->w = gpu_add_input(arena, py[1], "w", arrays)) == NULL ||
        core_read_type(settings[DTYPE], expected) < 0 ||
        (work->arithmetic = gpu_find_arithmetic(settings[COMPUTE])) == NULL ||
        core_read_conv2d_options(settings[OPTIONS], &options) < 0 ||
        core_fit_conv2d(py[0], py[1], work->x, work->w, &options, &work->shape, expected) < 0) {
        return -1;
    }
    return add_bias(arena, py[2], work, arrays);
}

/* backend, find_library, (x, w) or (x, w, bias), out or None, is_timed,
 * (dtype, compute, options) */
PyObject *
arena_conv2d(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    arena_object *arena = (arena_object *)object;
    gpu_operands arrays = {.call = "conv2d"};
    gp_cudnn_told cudnn = {.text = ""};
    gpu_library library;
    convolution work = {.library = &library, .told = &cudnn};
    PyObject *settings[SETTINGS];
    PyObject *py_outcome = NULL;
    gp_tensor expected;
    if (!core_has_arguments("conv2d", count, 6)) { return NULL; }
    int is_timed = PyObject_IsTrue(args[4]);
    if (is_timed < 0) { return NULL; }
    gp_work by = gpu_find_work(backends, args[0]);
    bool is_cudnn = by == by_cudnn;
    if (by == NULL ||
        gpu_read_tuple(args[5], "conv2d: settings", SETTINGS, SETTINGS, settings) < 0 ||
        read_work(arena, args[2], settings, &work, &arrays, &expected) < 0 ||
        gpu_find_library(is_cudnn && !arena->has_settled_cudnn, args[1], args[0], &library) < 0) {
        return NULL;
    }
    if (gpu_set_result(arena, args[3], settings[DTYPE], &expected, &arrays) != NULL) {
        const gpu_told told = {.cudnn = is_cudnn ? &cudnn : NULL};
        work.y = &arrays.result->tensor;
        py_outcome = gpu_run(arena, by, &work, &arrays, is_timed != 0, &told);
        arena->has_settled_cudnn = arena->has_settled_cudnn || library.is_settled;
    }
    gpu_end_library(&library);
    return py_outcome;
}
