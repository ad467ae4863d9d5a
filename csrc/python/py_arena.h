/* An arena as Python sees it, for the files of its methods. */
#ifndef PY_ARENA_H
#define PY_ARENA_H

#include "gp_core_module.h"

#include "device/gp_arena.h"
#include "ops/gp_backends.h"

/* What changes, changes under the GIL alone. */
typedef struct arena_object {
    PyObject_HEAD gp_cuda cu;
    gp_arena arena;
    gp_backends backends; /* compute in the arena's context */
    int ordinal;          /* CUDA's, of the device */
    bool is_open;
    bool has_settled_cublas; /* gp_backends_is_final: where they are is not asked again */
    bool has_settled_cudnn;
    size_t users; /* calls that have dropped the GIL and are in the arena */
} arena_object;

/* To be called with the GIL, around the part without it. arena_enter: false with an exception where
 * the arena is closed. */
bool arena_enter(arena_object *self);
void arena_leave(arena_object *self);

/* Raises ArenaError(kind, call, code, name, text, shortage), ArenaFull where the arena had a
 * shortage; `shortage` may be NULL. Returns NULL. */
PyObject *arena_set_error(arena_object *self, gp_status st, const gp_shortage *shortage);

/* ArenaError with the words of the library that failed, which may be NULL; the driver's are known.
 * A shortage is that of the library. */
PyObject *
arena_set_failure(arena_object *self, gp_status st, const char *text, const gp_shortage *shortage);

#ifdef GPUPROBE_NUMPY
/* Methods of an arena, in py_copy.c. */
PyObject *arena_copy_in(PyObject *object, PyObject *args);
PyObject *arena_copy_out(PyObject *object, PyObject *args);
PyObject *arena_copy_rows_out(PyObject *object, PyObject *args);
PyObject *arena_copy_within(PyObject *object, PyObject *args);
PyObject *arena_copy_across(PyObject *object, PyObject *args);
/* In py_gpu_matmul.c and py_gpu_conv2d.c. */
PyObject *arena_matmul(PyObject *object, PyObject *const *args, Py_ssize_t count);
PyObject *arena_conv2d(PyObject *object, PyObject *const *args, Py_ssize_t count);
#endif
/* In py_device_tensor.c. */
PyObject *arena_empty(PyObject *object, PyObject *const *args, Py_ssize_t count);

/* A new Block of at least so many bytes, for work on the stream. NULL with an exception. */
PyObject *core_new_block(arena_object *owner, size_t size, gp_cu_stream stream);

/* Where a Block lies. It knows that itself, also when its arena is closed, which code that any
 * allocation of Python's may run can do. */
unsigned long long core_block_address(PyObject *block);

#endif
