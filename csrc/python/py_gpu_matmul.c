/* Products of arrays in an arena's memory. */
#include "py_fit.h"
#include "py_gpu_work.h"

#include "ops/native/gp_matmul_native.h"

typedef struct product {
    gp_matmul_shape shape;
    const gp_arithmetic *arithmetic;
    const gp_tensor *a;
    const gp_tensor *b;
    const gp_tensor *c;
    gpu_library *library; /* of the back end */
    gp_cublas_told *told;
} product;

static gp_status
by_native(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const product *work = what;
    const gp_module *module = NULL;
    gp_status st = gp_backends_module(backends, &module);
    if (gp_failed(st)) { return st; }
    return gp_matmul_native(module, &work->shape, work->a, work->b, work->c, work->arithmetic,
                            stream);
}

static gp_status
by_cublas(gp_backends *backends, const void *what, gp_cu_stream stream)
{
    const product *work = what;
    gp_cublas *cublas = NULL;
    gp_status st = gp_backends_cublas(backends, work->library->place, &cublas);
    work->library->is_settled = gp_backends_is_final(st);
    if (gp_failed(st)) { return st; }
    return gp_matmul_cublas(cublas, &work->shape, work->a, work->b, work->c, work->arithmetic,
                            stream, work->told);
}

static const gpu_backend backends[] = {{"cublas", by_cublas}, {"native", by_native}, {NULL, NULL}};

enum { DTYPE, COMPUTE, SETTINGS };

/* backend, find_library, (a, b), out or None, is_timed, (dtype, compute) */
PyObject *
arena_matmul(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    arena_object *arena = (arena_object *)object;
    gpu_operands arrays = {.call = "matmul"};
    gp_cublas_told cublas = {.algorithm = -1};
    gpu_library library;
    product work = {.library = &library, .told = &cublas};
    PyObject *py[2];
    PyObject *settings[SETTINGS];
    PyObject *py_outcome = NULL;
    gp_tensor expected;
    if (!core_has_arguments("matmul", count, 6)) { return NULL; }
    int is_timed = PyObject_IsTrue(args[4]);
    if (is_timed < 0) { return NULL; }
    gp_work by = gpu_find_work(backends, args[0]);
    bool is_cublas = by == by_cublas;
    if (by == NULL || gpu_read_tuple(args[2], "matmul: a and b", 2, 2, py) < 0 ||
        gpu_read_tuple(args[5], "matmul: settings", SETTINGS, SETTINGS, settings) < 0 ||
        (work.a = gpu_add_input(arena, py[0], "a", &arrays)) == NULL ||
        (work.b = gpu_add_input(arena, py[1], "b", &arrays)) == NULL ||
        core_read_type(settings[DTYPE], &expected) < 0 ||
        (work.arithmetic = gpu_find_arithmetic(settings[COMPUTE])) == NULL ||
        core_fit_matmul(py[0], py[1], work.a, work.b, &work.shape, &expected) < 0 ||
        gpu_find_library(is_cublas && !arena->has_settled_cublas, args[1], args[0], &library) < 0) {
        return NULL;
    }
    if (gpu_set_result(arena, args[3], settings[DTYPE], &expected, &arrays) != NULL) {
        const gp_text *words = &arena->backends.cublaslt.library.error;
        const gpu_told told = {.cublas = is_cublas ? &cublas : NULL,
                               .loader = is_cublas ? words : NULL};
        work.c = &arrays.result->tensor;
        py_outcome = gpu_run(arena, by, &work, &arrays, is_timed != 0, &told);
        arena->has_settled_cublas = arena->has_settled_cublas || library.is_settled;
    }
    gpu_end_library(&library);
    return py_outcome;
}
