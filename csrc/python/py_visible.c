#include "gp_core_module.h"

#include "device/gp_visible.h"
#include "platform/gp_env.h"

PyTypeObject *
core_new_cuda_state_type(void)
{
    PyStructSequence_Field fields[] = {
        {"state", "'not loaded', 'not started', 'started' or 'refuses'"},
        {"uuids", "of the devices in CUDA's order; None for one that does not tell its own"},
        {"code", "what libcuda answered: 0, 3 before cuInit; None without libcuda"},
        {"driver_cuda", "the newest CUDA of this driver: 12040; None where nobody tells"},
        {NULL, NULL},
    };
    PyStructSequence_Desc description = {"gpuprobe._core.CudaState",
                                         "CUDA as it is in this process.", fields, 4};
    return PyStructSequence_NewType(&description);
}

static PyObject *
uuid_object(const gp_device *device)
{
    if (gp_failed(device->read[GP_DEVICE_UUID])) { Py_RETURN_NONE; }
    return PyUnicode_FromString(device->uuid);
}

static PyObject *
uuids_object(const gp_visible *visible)
{
    PyObject *py_uuids = PyTuple_New((Py_ssize_t)visible->count);
    if (py_uuids == NULL) { return NULL; }
    for (size_t i = 0; i < visible->count; i++) {
        PyObject *py_uuid = uuid_object(&visible->devices[i]);
        if (py_uuid == NULL) {
            Py_DECREF(py_uuids);
            return NULL;
        }
        (void)PyTuple_SetItem(py_uuids, (Py_ssize_t)i, py_uuid);
    }
    return py_uuids;
}

static PyObject *
code_object(const gp_visible *visible)
{
    if (visible->state == GP_CUDA_NOT_LOADED) { Py_RETURN_NONE; }
    return PyLong_FromLong(visible->failure.code);
}

static PyObject *
driver_cuda_object(const gp_visible *visible)
{
    if (visible->driver_cuda == 0) { Py_RETURN_NONE; }
    return PyLong_FromLong(visible->driver_cuda);
}

static PyObject *
new_cuda_state(PyTypeObject *type, const gp_visible *visible)
{
    PyObject *py_state = PyStructSequence_New(type);
    if (py_state == NULL) { return NULL; }
    PyObject *values[] = {
        PyUnicode_FromString(gp_cuda_state_name(visible->state)),
        uuids_object(visible),
        code_object(visible),
        driver_cuda_object(visible),
    };
    for (Py_ssize_t i = 0; i < 4; i++) {
        if (values[i] != NULL) { PyStructSequence_SetItem(py_state, i, values[i]); }
    }
    if (PyErr_Occurred()) { Py_CLEAR(py_state); }
    return py_state;
}

static gp_status
read_visible(const gp_settings *settings, gp_visible *visible)
{
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = gp_visible_read(settings, visible);
    PyEval_RestoreThread(saved);
    return st;
}

PyObject *
core_cuda_state(PyObject *module, PyObject *ignored)
{
    (void)ignored;
    const core_state *state = PyModule_GetState(module);
    PyObject *py_state = NULL;
    gp_visible visible;
    gp_settings settings;
    if (core_read_settings(&settings) < 0) { goto done; }
    gp_status st = read_visible(&settings, &visible);
    py_state = gp_failed(st) ? PyErr_NoMemory() : new_cuda_state(state->cuda_state, &visible);
    gp_visible_free(&visible);
done:
    gp_settings_free(&settings);
    return py_state;
}

int
core_read_settings(gp_settings *settings)
{
    gp_status st = gp_settings_read(settings);
    if (!gp_failed(st)) { return 0; }
    (void)PyErr_NoMemory();
    return -1;
}

/* The GIL is kept: os.environ changes the same block while it holds it. */
PyObject *
core_getenv(PyObject *module, PyObject *py_name)
{
    (void)module;
    PyObject *py_encoded = NULL;
    PyObject *py_value = NULL;
    gp_text value = GP_TEXT_EMPTY;
    bool is_set = false;
    if (!PyUnicode_FSConverter(py_name, &py_encoded)) { return NULL; }
    gp_status st = gp_env_get(PyBytes_AsString(py_encoded), &value, &is_set);
    if (gp_failed(st)) {
        (void)PyErr_NoMemory();
        goto done;
    }
    py_value = is_set
                   ? PyUnicode_DecodeFSDefaultAndSize(gp_text_get(&value), (Py_ssize_t)value.size)
                   : Py_NewRef(Py_None);
done:
    gp_text_free(&value);
    Py_DECREF(py_encoded);
    return py_value;
}
