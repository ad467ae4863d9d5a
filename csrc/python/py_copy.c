/* Copies between NumPy's arrays and addresses of an arena's device. */
#include "py_arena.h"
#include "py_numpy.h"

#include "device/gp_copy.h"

typedef struct copy_arguments {
    unsigned long long address;
    PyObject *array; /* borrowed; the caller's arguments outlive the copy */
    gp_cu_stream stream;
    void *host;
    size_t size;
} copy_arguments;

static bool
read_arguments(PyObject *args, const char *format, bool is_written, copy_arguments *read)
{
    Py_ssize_t stream = 0;
    if (!PyArg_ParseTuple(args, format, &read->address, &read->array, &stream)) { return false; }
    read->stream = (gp_cu_stream)(uintptr_t)stream;
    return core_read_bytes(read->array, is_written, &read->host, &read->size) == 0;
}

static PyObject *
outcome(arena_object *self, gp_status st)
{
    arena_leave(self);
    return gp_failed(st) ? arena_set_error(self, st, NULL) : Py_NewRef(Py_None);
}

PyObject *
arena_copy_in(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    copy_arguments read;
    if (!read_arguments(args, "KOn:copy_in", false, &read) || !arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st =
        gp_copy_to_device(&self->arena.context, read.address, read.host, read.size, read.stream);
    PyEval_RestoreThread(saved);
    return outcome(self, st);
}

PyObject *
arena_copy_out(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    copy_arguments read;
    if (!read_arguments(args, "KOn:copy_out", true, &read) || !arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st =
        gp_copy_to_host(&self->arena.context, read.host, read.address, read.size, read.stream);
    PyEval_RestoreThread(saved);
    return outcome(self, st);
}
