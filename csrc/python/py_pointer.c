/* Whose memory an address is, asked of the libcuda that this process uses already. */
#include "gp_core_module.h"

#include "device/gp_pointer.h"

static PyObject *
refuse(unsigned long long address, gp_status st)
{
    char name[GP_STATUS_NAME_SIZE];
    if (st.kind == GP_NO_MEMORY) { return PyErr_NoMemory(); }
    (void)gp_status_name(st, name);
    return PyErr_Format(PyExc_BufferError, "address %p is none of CUDA's: %s failed with %s (%d)",
                        (void *)(uintptr_t)address, st.call,
                        *name == '\0' ? gp_kind_name(st.kind) : name, st.code);
}

static gp_status
find_device(const gp_settings *settings, unsigned long long address, int *ordinal)
{
    gp_cuda cu;
    gp_status st = gp_cuda_find(&cu, settings);
    if (!gp_failed(st)) { st = gp_pointer_device(&cu, address, ordinal); }
    gp_cuda_free(&cu);
    return st;
}

PyObject *
core_pointer_device(PyObject *module, PyObject *py_address)
{
    int ordinal = 0;
    (void)module;
    unsigned long long address = PyLong_AsUnsignedLongLong(py_address);
    if (PyErr_Occurred()) { return NULL; }
    PyObject *py_device = NULL;
    gp_settings settings;
    if (core_read_settings(&settings) < 0) { goto done; }
    PyThreadState *saved = PyEval_SaveThread();
    gp_status st = find_device(&settings, address, &ordinal);
    PyEval_RestoreThread(saved);
    py_device = gp_failed(st) ? refuse(address, st) : PyLong_FromLong(ordinal);
done:
    gp_settings_free(&settings);
    return py_device;
}
