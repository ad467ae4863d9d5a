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
    const char *library; /* where Python has found the back end's; NULL: nowhere */
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
    gp_status st = gp_backends_cublas(backends, work->library, &cublas);
    if (gp_failed(st)) { return st; }
    return gp_matmul_cublas(cublas, &work->shape, work->a, work->b, work->c, work->arithmetic,
                            stream, work->told);
}

static const gpu_backend backends[] = {{"cublas", by_cublas}, {"native", by_native}, {NULL, NULL}};

/* backend, library, a, b, out or None, dtype, compute, is_timed */
PyObject *
arena_matmul(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    arena_object *arena = (arena_object *)object;
    gpu_operands arrays = {.call = "matmul"};
    gp_cublas_told cublas = {.algorithm = -1};
    product work;
    gp_tensor expected;
    if (!core_has_arguments("matmul", count, 8)) { return NULL; }
    gp_work by = gpu_find_work(backends, args[0]);
    if (by == NULL || gpu_read_path(args[1], &work.library) < 0 ||
        (work.a = gpu_add_input(arena, args[2], "a", &arrays)) == NULL ||
        (work.b = gpu_add_input(arena, args[3], "b", &arrays)) == NULL ||
        (work.arithmetic = gpu_find_arithmetic(args[6])) == NULL ||
        core_read_type(args[5], &expected) < 0 ||
        core_fit_matmul(args[2], args[3], work.a, work.b, &work.shape, &expected) < 0 ||
        gpu_set_result(arena, args[4], args[5], &expected, &arrays) == NULL) {
        return NULL;
    }
    work.c = &arrays.result->tensor;
    work.told = &cublas;
    bool is_cublas = by == by_cublas;
    const gpu_told told = {.cublas = is_cublas ? &cublas : NULL,
                           .loader = is_cublas ? &arena->backends.cublaslt.library.error : NULL};
    return gpu_run(arena, by, &work, &arrays, args[7] == Py_True, &told);
}
