#include "py_gpu_work.h"

#include "py_numpy.h"

#include "device/gp_copy.h"

#include <string.h>

gp_work
gpu_find_work(const gpu_backend *backends, PyObject *py_name)
{
    const char *name = PyUnicode_AsUTF8AndSize(py_name, NULL);
    if (name == NULL) { return NULL; }
    while (backends->name != NULL && strcmp(backends->name, name) != 0) {
        backends++;
    }
    if (backends->name == NULL) { PyErr_Format(PyExc_ValueError, "no back end %s", name); }
    return backends->work;
}

const gp_arithmetic *
gpu_find_arithmetic(PyObject *py_name)
{
    const char *name = PyUnicode_AsUTF8AndSize(py_name, NULL);
    return name == NULL ? NULL : core_find_arithmetic(name);
}

/* `*py_path` stays NULL where nobody knows one. Returns -1 with an exception. */
static int
ask_for_path(PyObject *py_find, PyObject *py_name, PyObject **py_path)
{
    if (py_find == Py_None) { return 0; }
    PyObject *py_found = PyObject_CallFunctionObjArgs(py_find, py_name, NULL);
    if (py_found == NULL) { return -1; }
    /* As the system spells it: a folder's name need not be UTF-8. */
    bool is_read = py_found == Py_None || PyUnicode_FSConverter(py_found, py_path) != 0;
    Py_DECREF(py_found);
    return is_read ? 0 : -1;
}

int
gpu_find_library(bool is_wanted, PyObject *py_find, PyObject *py_name, gpu_library *library)
{
    *library = (gpu_library){.place = NULL};
    if (!is_wanted) { return 0; }
    if (ask_for_path(py_find, py_name, &library->py_path) < 0 ||
        core_read_settings(&library->settings) < 0) {
        gpu_end_library(library);
        return -1;
    }
    const char *path = library->py_path == NULL ? NULL : PyBytes_AsString(library->py_path);
    library->found = (gp_toolkit_place){&library->settings, path};
    library->place = &library->found;
    return 0;
}

void
gpu_end_library(gpu_library *library)
{
    gp_settings_free(&library->settings);
    Py_CLEAR(library->py_path);
}

/* -- arrays ---------------------------------------------------------------------------------- */

int
gpu_read_tuple(PyObject *py_tuple, const char *name, int least, int most, PyObject **py_items)
{
    Py_ssize_t count = PyTuple_Check(py_tuple) ? PyTuple_Size(py_tuple) : -1;
    if (count < least || count > most) {
        PyErr_Format(PyExc_TypeError, "%s: no tuple of %d to %d", name, least, most);
        return -1;
    }
    for (int i = 0; i < most; i++) {
        py_items[i] = i < count ? PyTuple_GetItem(py_tuple, i) : NULL;
    }
    return 0;
}

const gp_tensor *
gpu_add_input(arena_object *arena, PyObject *py_array, const char *name, gpu_operands *arrays)
{
    const core_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)arena));
    const device_tensor *array = core_as_device_tensor(state, py_array, name);
    if (array == NULL) { return NULL; }
    if (array->device != arena->ordinal) {
        PyErr_Format(PyExc_ValueError,
                     "%s: the arrays are not on the same GPU: %s is on GPU %d, and the work on "
                     "GPU %d",
                     arrays->call, name, array->device, arena->ordinal);
        return NULL;
    }
    arrays->inputs[arrays->count++] = array;
    return &array->tensor;
}

/* -- the order of streams -------------------------------------------------------------------- */

/* The result's stream waits for what those of the inputs were given so far. */
static gp_status
begin_after_inputs(arena_object *arena, const gpu_operands *arrays)
{
    gp_cu_stream stream = arrays->result->stream;
    gp_status st = gp_ok();
    for (int i = 0; i < arrays->count && !gp_failed(st); i++) {
        if (arrays->inputs[i]->stream == stream) { continue; }
        st = gp_stream_follow(&arena->arena.context, stream, arrays->inputs[i]->stream);
    }
    return st;
}

/* What the streams of the inputs are given from now on waits for this work, also what others do in
 * their memory that was freed meanwhile. */
static gp_status
end_before_inputs(arena_object *arena, const gpu_operands *arrays)
{
    gp_cu_stream stream = arrays->result->stream;
    gp_status st = gp_ok();
    for (int i = 0; i < arrays->count; i++) {
        gp_cu_stream owner = arrays->inputs[i]->stream;
        if (owner == stream) { continue; }
        st = gp_first_error(st, gp_stream_give_back(&arena->arena.context, owner, stream));
    }
    return st;
}

static gp_status
run_in_order(arena_object *arena, gp_work work, const void *what, const gpu_operands *arrays,
             gp_work_times *times)
{
    gp_status st = begin_after_inputs(arena, arrays);
    if (gp_failed(st)) { return st; }
    st = gp_backends_run(&arena->backends, work, what, arrays->result->stream, times);
    return gp_first_error(st, end_before_inputs(arena, arrays));
}

/* -- what Python is told --------------------------------------------------------------------- */

/* Which of its engines cuDNN took, by its own numbers. */
static PyObject *
cudnn_object(const gp_cudnn_told *told)
{
    if (told->engine < 0) { Py_RETURN_NONE; }
    if (told->bias_engine < 0) {
        return PyUnicode_FromFormat("engine %lld", (long long)told->engine);
    }
    return PyUnicode_FromFormat("engine %lld, then engine %lld for the bias",
                                (long long)told->engine, (long long)told->bias_engine);
}

static PyObject *
cublas_object(const gp_cublas_told *told)
{
    if (told->algorithm < 0) { Py_RETURN_NONE; }
    if (told->split_k <= 1) { return PyUnicode_FromFormat("algorithm %d", (int)told->algorithm); }
    return PyUnicode_FromFormat("algorithm %d, sums in %d parts", (int)told->algorithm,
                                (int)told->split_k);
}

/* None: the back end has one way alone. */
static PyObject *
algorithm_object(const gpu_told *told)
{
    if (told->cudnn != NULL) { return cudnn_object(told->cudnn); }
    return told->cublas == NULL ? Py_NewRef(Py_None) : cublas_object(told->cublas);
}

/* Takes the reference to the result over. */
static PyObject *
with_times(PyObject *py_result, const gp_work_times *times, const gpu_told *told)
{
    return Py_BuildValue("(N(ddN))", py_result, times->submit_s, times->kernel_s,
                         algorithm_object(told));
}

static PyObject *
failure(arena_object *arena, gp_status st, const gpu_told *told)
{
    if (told->cudnn != NULL) {
        return arena_set_failure(arena, st, told->cudnn->text, &told->cudnn->shortage);
    }
    bool is_missing = st.kind == GP_LIBRARY_MISSING && told->loader != NULL;
    return arena_set_failure(arena, st, is_missing ? gp_text_get(told->loader) : NULL, NULL);
}

PyObject *
gpu_run(arena_object *arena, gp_work work, const void *what, const gpu_operands *arrays,
        bool is_timed, const gpu_told *told)
{
    PyObject *py_result = (PyObject *)(uintptr_t)arrays->result;
    gp_work_times times = {.is_timed = is_timed};
    if (!arena_enter(arena)) {
        Py_DECREF(py_result);
        return NULL;
    }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = run_in_order(arena, work, what, arrays, &times);
    PyEval_RestoreThread(saved);
    arena_leave(arena);
    if (!gp_failed(st)) { return is_timed ? with_times(py_result, &times, told) : py_result; }
    Py_DECREF(py_result);
    return failure(arena, st, told);
}
