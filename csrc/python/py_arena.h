/* What py_arena.c and py_block.c share: an arena as Python sees it. */
#ifndef PY_ARENA_H
#define PY_ARENA_H

#include "gp_core_module.h"

#include "device/gp_arena.h"
#include "ops/gp_backends.h"

/* The counters change under the GIL alone. */
typedef struct arena_object {
    PyObject_HEAD gp_cuda cu;
    gp_arena arena;
    gp_backends backends; /* compute in the arena's context */
    bool is_open;
    size_t users; /* calls that have dropped the GIL and are in the arena */
} arena_object;

/* To be called with the GIL, around the part without it. arena_enter: false with an exception where
 * the arena is closed. */
bool arena_enter(arena_object *self);
void arena_leave(arena_object *self);

/* Raises ArenaError(kind, call, code, name, text, shortage); `shortage` may be NULL. Returns NULL.
 */
PyObject *arena_set_error(arena_object *self, gp_status st, const gp_shortage *shortage);

/* The same with the words of the library that failed, which may be NULL; the driver's are known. */
PyObject *
arena_set_failure(arena_object *self, gp_status st, const char *text, const gp_shortage *shortage);

#ifdef GPUPROBE_NUMPY
/* Methods of an arena, in py_copy.c. */
PyObject *arena_copy_in(PyObject *object, PyObject *args);
PyObject *arena_copy_out(PyObject *object, PyObject *args);
PyObject *arena_copy_rows_out(PyObject *object, PyObject *args);
PyObject *arena_copy_within(PyObject *object, PyObject *args);
PyObject *arena_copy_across(PyObject *object, PyObject *args);
/* In py_gpu_work.c. */
PyObject *arena_matmul(PyObject *self, PyObject *args);
PyObject *arena_conv2d(PyObject *self, PyObject *args);
#endif

/* A new reference to a block that the arena has handed out; gives it back where it fails. */
PyObject *core_new_block(arena_object *owner, gp_block *block);

#endif
