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

/* The numbers of a gp_rows, as Python gives them. */
typedef struct row_numbers {
    Py_ssize_t planes;
    Py_ssize_t count;
    Py_ssize_t width;
    Py_ssize_t pitch;
    Py_ssize_t height;
} row_numbers;

/* False with an exception where they are no rows that a device takes. */
static bool
fit_rows(row_numbers given, gp_rows *rows)
{
    bool is_one = given.planes == 1 && given.count == 1;
    bool lie_apart = given.width <= given.pitch && given.pitch <= INT32_MAX;
    bool has_bytes = given.planes > 0 && given.count > 0 && given.width > 0;
    *rows = (gp_rows){(size_t)given.planes, (size_t)given.count, (size_t)given.width,
                      (size_t)given.pitch, (size_t)given.height};
    if (has_bytes && (is_one || (lie_apart && given.count <= given.height))) { return true; }
    PyErr_Format(PyExc_ValueError, "no rows: %zd x %zd of %zd bytes, every %zd, a plane every %zd",
                 given.planes, given.count, given.width, given.pitch, given.height);
    return false;
}

static bool
fill_all(gp_rows rows, size_t size)
{
    bool does = size % rows.width == 0 && size / rows.width % rows.count == 0 &&
                size / rows.width / rows.count == rows.planes;
    if (!does) { PyErr_Format(PyExc_ValueError, "the rows do not fill %zu bytes", size); }
    return does;
}

PyObject *
arena_copy_rows_out(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    copy_arguments read;
    gp_rows rows;
    row_numbers given;
    Py_ssize_t stream = 0;
    if (!PyArg_ParseTuple(args, "KO(nnnnn)n:copy_rows_out", &read.address, &read.array,
                          &given.planes, &given.count, &given.width, &given.pitch, &given.height,
                          &stream) ||
        core_read_bytes(read.array, true, &read.host, &read.size) < 0 || !fit_rows(given, &rows) ||
        !fill_all(rows, read.size) || !arena_enter(self)) {
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
    row_numbers given;
    Py_ssize_t to_stream = 0;
    Py_ssize_t from_stream = 0;
    gp_rows rows;
    if (!PyArg_ParseTuple(args, "KnKn(nnnnn):copy_within", &to, &to_stream, &from, &from_stream,
                          &given.planes, &given.count, &given.width, &given.pitch, &given.height) ||
        !fit_rows(given, &rows) || !arena_enter(self)) {
        return NULL;
    }
    const gp_copy_end ends[] = {
        {&self->arena.context, to, (gp_cu_stream)(uintptr_t)to_stream},
        {&self->arena.context, from, (gp_cu_stream)(uintptr_t)from_stream},
    };
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_copy_rows(ends[0], ends[1], rows);
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
                          &from, &from_stream, &size)) {
        return NULL;
    }
    if (size < 0) {
        PyErr_Format(PyExc_ValueError, "copy_across: %zd bytes are fewer than none", size);
        return NULL;
    }
    if (!arena_enter(self)) { return NULL; }
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
