/* What fails in an arena as an exception of Python's: which call, its code and words, and what an
 * allocation lacked. */
#include "py_arena.h"

#include <limits.h>
#include <string.h>

/* None, or a library's words. A loader quotes file names, which may be any bytes, and a text may
 * have been cut within a character. */
static PyObject *
text_object(const char *text)
{
    if (text == NULL) { Py_RETURN_NONE; }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* None, or what an allocation lacked. */
static PyObject *
shortage_object(const gp_shortage *shortage)
{
    if (shortage == NULL || !gp_failed(shortage->why)) { Py_RETURN_NONE; }
    PyObject *py_device = gp_failed(shortage->device_read)
                              ? Py_NewRef(Py_None)
                              : Py_BuildValue("(KK)", (unsigned long long)shortage->device_free,
                                              (unsigned long long)shortage->device_total);
    if (py_device == NULL) { return NULL; }
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:N}", "asked", (unsigned long long)shortage->asked,
                         "limit", (unsigned long long)shortage->limit, "in_use",
                         (unsigned long long)shortage->in_use, "reserved",
                         (unsigned long long)shortage->reserved, "largest_free",
                         (unsigned long long)shortage->largest_free, "device", py_device);
}

static PyObject *
raise_error(const arena_object *self, PyObject *type, gp_status st, const char *text,
            const gp_shortage *shortage)
{
    char name[GP_STATUS_NAME_SIZE];
    (void)gp_status_name(st, name);
    if (st.kind == GP_NO_MEMORY) { return PyErr_NoMemory(); }
    if (st.kind == GP_CUDA) { text = gp_cuda_error_text(&self->cu, st.code); }
    PyObject *py_text = text_object(text);
    PyObject *py_shortage = py_text == NULL ? NULL : shortage_object(shortage);
    if (py_shortage == NULL) {
        Py_XDECREF(py_text);
        return NULL;
    }
    PyObject *py_what = Py_BuildValue("(ssisNN)", gp_kind_name(st.kind), st.call, st.code, name,
                                      py_text, py_shortage);
    if (py_what == NULL) { return NULL; }
    PyErr_SetObject(type, py_what);
    Py_DECREF(py_what);
    return NULL;
}

PyObject *
arena_set_error(arena_object *self, gp_status st, const gp_shortage *shortage)
{
    const core_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)self));
    bool is_missing = st.kind == GP_LIBRARY_MISSING;
    bool is_full = shortage != NULL && gp_failed(shortage->why);
    return raise_error(self, is_full ? state->arena_full : state->arena_error, st,
                       is_missing ? gp_text_get(&self->cu.library.error) : NULL, shortage);
}

PyObject *
core_is_sticky(PyObject *module, PyObject *py_code)
{
    (void)module;
    long long code = PyLong_AsLongLong(py_code);
    if (code == -1 && PyErr_Occurred()) { return NULL; }
    bool is_code = code >= 0 && code <= INT_MAX;
    return PyBool_FromLong(is_code && gp_is_sticky(gp_fail(GP_CUDA, (int)code, "")));
}

PyObject *
arena_set_failure(arena_object *self, gp_status st, const char *text, const gp_shortage *shortage)
{
    const core_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)self));
    return raise_error(self, state->arena_error, st, text, shortage);
}
