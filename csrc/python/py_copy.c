/* Copies between NumPy's arrays and addresses of an arena's device, and from one address to
 * another.
 */
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
        gp_staging_to_device(&self->arena.staging, read.address, read.host, read.size, read.stream);
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
        gp_staging_to_host(&self->arena.staging, read.host, read.address, read.size, read.stream);
    PyEval_RestoreThread(saved);
    return outcome(self, st);
}

/* False with an exception where the bytes are no whole rows. */
static bool
fit_rows(size_t size, Py_ssize_t width, Py_ssize_t pitch, gp_rows *rows)
{
    *rows = (gp_rows){0, (size_t)width, (size_t)pitch};
    if (width > 0 && size % rows->width == 0) { rows->count = size / rows->width; }
    if (rows->count == 1 || (rows->count > 1 && pitch >= width && pitch <= INT32_MAX)) {
        return true;
    }
    PyErr_Format(PyExc_ValueError, "%zu bytes are no rows of %zd bytes every %zd", size, width,
                 pitch);
    return false;
}

PyObject *
arena_copy_rows_out(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    copy_arguments read;
    gp_rows rows;
    Py_ssize_t width = 0;
    Py_ssize_t pitch = 0;
    Py_ssize_t stream = 0;
    if (!PyArg_ParseTuple(args, "KOnnn:copy_rows_out", &read.address, &read.array, &width, &pitch,
                          &stream) ||
        core_read_bytes(read.array, true, &read.host, &read.size) < 0 ||
        !fit_rows(read.size, width, pitch, &rows) || !arena_enter(self)) {
        return NULL;
    }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_copy_rows_to_host(&self->arena.context, read.host, read.address, rows,
                                        (gp_cu_stream)(uintptr_t)stream);
    PyEval_RestoreThread(saved);
    return outcome(self, st);
}

PyObject *
arena_copy_within(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    unsigned long long to = 0;
    unsigned long long from = 0;
    Py_ssize_t size = 0;
    Py_ssize_t width = 0;
    Py_ssize_t pitch = 0;
    Py_ssize_t stream = 0;
    gp_rows rows;
    if (!PyArg_ParseTuple(args, "KKnnnn:copy_within", &to, &from, &size, &width, &pitch, &stream) ||
        !fit_rows((size_t)size, width, pitch, &rows) || !arena_enter(self)) {
        return NULL;
    }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st =
        gp_copy_rows(&self->arena.context, to, from, rows, (gp_cu_stream)(uintptr_t)stream);
    PyEval_RestoreThread(saved);
    return outcome(self, st);
}

PyObject *
arena_copy_across(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    arena_object *source = NULL;
    unsigned long long to = 0;
    unsigned long long from = 0;
    Py_ssize_t size = 0;
    Py_ssize_t to_stream = 0;
    Py_ssize_t from_stream = 0;
    if (!PyArg_ParseTuple(args, "KnO!Knn:copy_across", &to, &to_stream, Py_TYPE(object), &source,
                          &from, &from_stream, &size) ||
        !arena_enter(self)) {
        return NULL;
    }
    if (!arena_enter(source)) {
        arena_leave(self);
        return NULL;
    }
    const gp_copy_end ends[] = {
        {&self->arena.context, to, (gp_cu_stream)(uintptr_t)to_stream},
        {&source->arena.context, from, (gp_cu_stream)(uintptr_t)from_stream},
    };
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_copy_to_peer(ends[0], ends[1], (size_t)size);
    PyEval_RestoreThread(saved);
    arena_leave(source);
    return outcome(self, st);
}
