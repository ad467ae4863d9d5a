#include "py_arena.h"

#include "device/gp_copy.h"

bool
arena_enter(arena_object *self)
{
    if (!self->is_open) {
        PyErr_SetString(PyExc_RuntimeError, "the arena is closed");
        return false;
    }
    self->users++;
    return true;
}

void
arena_leave(arena_object *self)
{
    self->users--;
}

static gp_status
open_arena(arena_object *self, const gp_settings *settings, int ordinal, gp_growth_wish wish,
           gp_shortage *shortage)
{
    gp_cu_device device = 0;
    gp_status st = gp_cuda_load(&self->cu, settings, (gp_trace){NULL});
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(&self->cu, cuInit, (0));
    if (gp_failed(st)) { return st; }
    st = GP_CUDA_CALL(&self->cu, cuDeviceGet, (&device, ordinal));
    if (gp_failed(st)) { return st; }
    st = gp_arena_open(&self->cu, device, wish, &self->arena, shortage);
    if (gp_failed(st)) { return st; }
    st = gp_backends_open(&self->arena, &self->backends);
    /* Best effort: the failure that brought us here is the one to tell. */
    if (gp_failed(st)) { (void)gp_arena_close(&self->arena); }
    return st;
}

static PyObject *
arena_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    int ordinal = 0;
    gp_growth_wish wish = {0, 0};
    Py_ssize_t limit = 0;
    gp_shortage shortage = {.why = gp_ok()};
    gp_settings settings;
    if (kwargs != NULL && PyDict_Size(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "Arena takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "idn:Arena", &ordinal, &wish.fraction, &limit)) { return NULL; }
    if (!(wish.fraction >= 0 && wish.fraction <= 1) || limit < 0) {
        PyErr_SetString(PyExc_ValueError, "Arena: 0 <= fraction <= 1 and limit >= 0");
        return NULL;
    }
    wish.limit = (size_t)limit;
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    arena_object *self = (arena_object *)allocate(type, 0);
    if (self == NULL) { return NULL; }
    gp_status st = gp_settings_read(&settings); /* with the GIL */
    PyThreadState *saved = PyEval_SaveThread();
    if (!gp_failed(st)) { st = open_arena(self, &settings, ordinal, wish, &shortage); }
    PyEval_RestoreThread(saved);
    gp_settings_free(&settings);
    self->ordinal = ordinal;
    self->is_open = !gp_failed(st);
    if (!self->is_open) {
        (void)arena_set_error(self, st, &shortage);
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static gp_status
close_arena(arena_object *self)
{
    self->is_open = false;
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_backends_close(&self->backends);
    st = gp_first_error(st, gp_arena_close(&self->arena));
    PyEval_RestoreThread(saved);
    return st;
}

/* Ctrl-C while CUDA starts is heard once the arena is there, and before anybody has it. Where the
 * interpreter is ending an open one stays as it is: the driver may be gone. */
static void
arena_dealloc(PyObject *object)
{
    arena_object *self = (arena_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    /* Best effort: nobody is there to be told. */
    if (self->is_open && Py_IsInitialized()) { (void)close_arena(self); }
    gp_cuda_free(&self->cu);
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF((PyObject *)type);
}

static PyObject *
arena_alloc(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    Py_ssize_t size = 0;
    Py_ssize_t stream = 0;
    if (!PyArg_ParseTuple(args, "nn:alloc", &size, &stream)) { return NULL; }
    if (size < 0) {
        PyErr_Format(PyExc_ValueError, "alloc: %zd bytes are fewer than none", size);
        return NULL;
    }
    return core_new_block(self, (size_t)size, (gp_cu_stream)(uintptr_t)stream);
}

static PyObject *
arena_device_memory(PyObject *object, PyObject *ignored)
{
    arena_object *self = (arena_object *)object;
    size_t free_bytes = 0;
    size_t total = 0;
    (void)ignored;
    if (!arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_context_memory(&self->arena.context, &free_bytes, &total);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    if (gp_failed(st)) { return arena_set_error(self, st, NULL); }
    return Py_BuildValue("(KK)", (unsigned long long)free_bytes, (unsigned long long)total);
}

static PyObject *
arena_trim(PyObject *object, PyObject *py_keep)
{
    arena_object *self = (arena_object *)object;
    size_t freed = 0;
    size_t keep = PyLong_AsSize_t(py_keep);
    if (PyErr_Occurred() || !arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_arena_trim(&self->arena, keep, &freed);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    return gp_failed(st) ? arena_set_error(self, st, NULL) : PyLong_FromSize_t(freed);
}

static PyObject *
arena_forget(PyObject *object, PyObject *py_stream)
{
    arena_object *self = (arena_object *)object;
    size_t stream = PyLong_AsSize_t(py_stream);
    if (PyErr_Occurred() || !arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_arena_forget(&self->arena, (gp_cu_stream)(uintptr_t)stream);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    if (gp_failed(st)) { return arena_set_error(self, st, NULL); }
    return Py_NewRef(Py_None);
}

static PyObject *
arena_follow(PyObject *object, PyObject *args)
{
    arena_object *self = (arena_object *)object;
    Py_ssize_t later = 0;
    Py_ssize_t earlier = 0;
    if (!PyArg_ParseTuple(args, "nn:follow", &later, &earlier)) { return NULL; }
    if (!arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_stream_follow(&self->arena.context, (gp_cu_stream)(uintptr_t)later,
                                    (gp_cu_stream)(uintptr_t)earlier);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    if (gp_failed(st)) { return arena_set_error(self, st, NULL); }
    return Py_NewRef(Py_None);
}

static PyObject *
arena_synchronize(PyObject *object, PyObject *ignored)
{
    arena_object *self = (arena_object *)object;
    (void)ignored;
    if (!arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_arena_synchronize(&self->arena);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    if (gp_failed(st)) { return arena_set_error(self, st, NULL); }
    return Py_NewRef(Py_None);
}

static PyObject *
arena_reset_peak(PyObject *object, PyObject *ignored)
{
    arena_object *self = (arena_object *)object;
    (void)ignored;
    if (!arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_arena_reset_peak(&self->arena);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    return Py_NewRef(Py_None);
}

static PyObject *
stats_object(const gp_arena_stats *stats)
{
    const struct {
        const char *name;
        size_t value;
    } rows[] = {
        {"limit", stats->limit},
        {"in_use", stats->in_use},
        {"in_use_peak", stats->in_use_peak},
        {"reserved", stats->reserved},
        {"reserved_peak", stats->reserved_peak},
        {"largest_free", stats->largest_free},
        {"blocks", stats->blocks},
        {"allocations", stats->allocations},
        {"frees", stats->frees},
        {"growths", stats->growths},
        {"growth_bytes", stats->growth_bytes},
        {"shrinks", stats->shrinks},
        {"retries", stats->retries},
        {"shortages", stats->shortages},
    };
    PyObject *py_stats = Py_BuildValue("{s:s}", "backing", stats->backing);
    for (size_t i = 0; py_stats != NULL && i < sizeof(rows) / sizeof(rows[0]); i++) {
        PyObject *py_value = PyLong_FromSize_t(rows[i].value);
        if (py_value == NULL || PyDict_SetItemString(py_stats, rows[i].name, py_value) < 0) {
            Py_CLEAR(py_stats);
        }
        Py_XDECREF(py_value);
    }
    return py_stats;
}

static PyObject *
arena_stats(PyObject *object, PyObject *ignored)
{
    arena_object *self = (arena_object *)object;
    gp_arena_stats stats;
    (void)ignored;
    if (!arena_enter(self)) { return NULL; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_arena_stats_read(&self->arena, &stats);
    PyEval_RestoreThread(saved);
    arena_leave(self);
    return stats_object(&stats);
}

static PyObject *
arena_close(PyObject *object, PyObject *ignored)
{
    arena_object *self = (arena_object *)object;
    (void)ignored;
    if (!self->is_open) { Py_RETURN_NONE; }
    if (self->users > 0) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using the arena");
        return NULL;
    }
    gp_status st = close_arena(self);
    if (gp_failed(st)) { return arena_set_error(self, st, NULL); }
    return Py_NewRef(Py_None);
}

/* In a forked child the driver is dead, and a lock may be held by a thread that is not there. */
static PyObject *
arena_abandon(PyObject *object, PyObject *ignored)
{
    (void)ignored;
    ((arena_object *)object)->is_open = false;
    return Py_NewRef(Py_None);
}

/* The table is constant for us; CPython's API takes no const, and does not write. */
PyTypeObject *
core_new_arena_type(PyObject *module)
{
    static const PyMethodDef methods[] = {
        {"alloc", arena_alloc, METH_VARARGS,
         PyDoc_STR("alloc(size, stream, /)\n--\n\nReturn a Block for work on the stream.")},
#ifdef GPUPROBE_NUMPY
        {"copy_in", arena_copy_in, METH_VARARGS,
         PyDoc_STR("copy_in(address, array, stream, /)\n--\n\nCopy an array to the device.")},
        {"copy_out", arena_copy_out, METH_VARARGS,
         PyDoc_STR("copy_out(address, array, stream, /)\n--\n\nFill an array from the device.")},
        {"copy_rows_out", arena_copy_rows_out, METH_VARARGS,
         PyDoc_STR("copy_rows_out(address, array, rows, stream, /)\n--\n\n"
                   "Fill an array with rows that lie apart on the device.")},
        {"copy_within", arena_copy_within, METH_VARARGS,
         PyDoc_STR("copy_within(to, to_stream, from, from_stream, rows, /)\n--\n\n"
                   "Put rows that lie apart end to end; queued, not waited for.")},
        {"copy_across", arena_copy_across, METH_VARARGS,
         PyDoc_STR("copy_across(to, to_stream, arena, from, from_stream, size, /)\n--\n\n"
                   "Copy from the device of another arena.")},
        {"matmul", (PyCFunction)(void (*)(void))arena_matmul, METH_FASTCALL,
         PyDoc_STR(
             "matmul(backend, find_library, arrays, out, is_timed, (dtype, compute), /)\n"
             "--\n\n"
             "Queue a product on the stream of out, else of the first array, in order with\n"
             "the others'. Return out, else a new array of this type, or, timed, it and\n"
             "(submit s, kernel s, algorithm or None). find_library(backend) is asked before\n"
             "the first use. Raises ArenaFull where a new array has no room.")},
        {"conv2d", (PyCFunction)(void (*)(void))arena_conv2d, METH_FASTCALL,
         PyDoc_STR("conv2d(backend, find_library, arrays, out, is_timed,\n"
                   "       (dtype, compute, options), /)\n--\n\nQueue a convolution; see matmul.")},
#endif
        {"empty", (PyCFunction)(void (*)(void))arena_empty, METH_FASTCALL,
         PyDoc_STR("empty(kind, shape, dtype, stream, /)\n--\n\n"
                   "Return a DeviceTensor of the class `kind`, without gaps; nothing is written.")},
        {"device_memory", arena_device_memory, METH_NOARGS,
         PyDoc_STR("Return the free and all bytes of the device.")},
        {"trim", arena_trim, METH_O,
         PyDoc_STR("trim(keep, /)\n--\n\nGive free memory back; return the bytes.")},
        {"forget", arena_forget, METH_O,
         PyDoc_STR("forget(stream, /)\n--\n\nWait for a stream that is about to end.")},
        {"follow", arena_follow, METH_VARARGS,
         PyDoc_STR("follow(later, earlier, /)\n--\n\nLet a stream wait for another one.")},
        {"synchronize", arena_synchronize, METH_NOARGS,
         PyDoc_STR("Wait for all that this process gave to the device.")},
        {"reset_peak", arena_reset_peak, METH_NOARGS, PyDoc_STR("Begin the peaks anew.")},
        {"stats", arena_stats, METH_NOARGS, PyDoc_STR("Return the statistics as a dictionary.")},
        {"close", arena_close, METH_NOARGS, PyDoc_STR("Give everything back, blocks too.")},
        {"abandon", arena_abandon, METH_NOARGS, PyDoc_STR("Never call the driver again.")},
        {NULL, NULL, 0, NULL},
    };
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t) "Arena(device, fraction, limit, /)\n--\n\n"
                                        "Memory of one device. Starts CUDA in this process."},
        {Py_tp_new, (void *)arena_new},
        {Py_tp_dealloc, (void *)arena_dealloc},
        {Py_tp_methods, (void *)(uintptr_t)methods},
        {0, NULL},
    };
    PyType_Spec spec = {"gpuprobe._core.Arena", sizeof(arena_object), 0, Py_TPFLAGS_DEFAULT, slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
