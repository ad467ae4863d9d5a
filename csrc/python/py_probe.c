#include "gp_core_module.h"

#include "base/gp_alloc.h"
#include "probe/gp_probe.h"

#include <limits.h>

/* A list of new bytes objects, in the encoding of file names: "load" takes a path. */
static PyObject *
encode_arguments(PyObject *argv)
{
    PyObject *encoded = NULL;
    PyObject *py_list = PySequence_List(argv);
    if (py_list == NULL) { return NULL; }
    Py_ssize_t count = PyList_Size(py_list);
    encoded = PyList_New(count);
    if (encoded == NULL) { goto done; }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *py_bytes = NULL;
        /* Also refuses a NUL inside, which would cut the argument. */
        if (!PyUnicode_FSConverter(PyList_GetItem(py_list, i), &py_bytes)) {
            Py_CLEAR(encoded);
            goto done;
        }
        (void)PyList_SetItem(encoded, i, py_bytes);
    }
done:
    Py_DECREF(py_list);
    return encoded;
}

/* The C strings of `encoded`, which must outlive them; released with gp_free. */
static const char **
borrow_strings(PyObject *encoded, int *count)
{
    Py_ssize_t size = PyList_Size(encoded);
    if (size > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "too many arguments");
        return NULL;
    }
    const char **strings = gp_alloc((size_t)size + 1, sizeof(*strings));
    if (strings == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        strings[i] = PyBytes_AsString(PyList_GetItem(encoded, i));
    }
    *count = (int)size;
    return strings;
}

static PyObject *
answer_object(PyObject *module, gp_probe_outcome outcome, const gp_text *out)
{
    const core_state *state = PyModule_GetState(module);
    switch (outcome) {
    case GP_PROBE_ANSWERED:
        return PyUnicode_DecodeUTF8(gp_text_get(out), (Py_ssize_t)out->size, "strict");
    case GP_PROBE_NO_MEMORY: return PyErr_NoMemory();
    case GP_PROBE_USAGE: break;
    }
    PyErr_SetString(state->usage_error, gp_text_get(out));
    return NULL;
}

PyObject *
core_probe(PyObject *module, PyObject *args, PyObject *kwargs)
{
    PyObject *argv = NULL;
    int is_traced = 0;
    char name_argv[] = "argv";
    char name_trace[] = "trace";
    char *names[] = {name_argv, name_trace, NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$p:probe", names, &argv, &is_traced)) {
        return NULL;
    }
    PyObject *answer = NULL;
    const char **strings = NULL;
    int count = 0;
    gp_text out = GP_TEXT_EMPTY;
    gp_settings settings = {.text = GP_TEXT_EMPTY};
    gp_probe_outcome outcome = GP_PROBE_NO_MEMORY;
    PyObject *encoded = encode_arguments(argv);
    if (encoded == NULL) { goto done; }
    strings = borrow_strings(encoded, &count);
    if (strings == NULL || core_read_settings(&settings) < 0) { goto done; }
    gp_trace trace = is_traced ? gp_probe_trace() : (gp_trace){NULL};
    PyThreadState *saved = PyEval_SaveThread();
    outcome = gp_probe_run(count, strings, &settings, trace, &out);
    PyEval_RestoreThread(saved);
    answer = answer_object(module, outcome, &out);
done:
    gp_settings_free(&settings);
    gp_text_free(&out);
    gp_free(strings);
    Py_XDECREF(encoded);
    return answer;
}
