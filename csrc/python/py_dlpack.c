/* Capsules of DLPack. The name of a capsule tells what is in it and whether it was taken. */
#include "gp_core_module.h"

#include "py_shape.h"

#include "abi/gp_abi_dlpack.h"

#include <stdbool.h>

#define LEGACY          "dltensor"
#define VERSIONED       "dltensor_versioned"
#define TAKEN_LEGACY    "used_dltensor"
#define TAKEN_VERSIONED "used_dltensor_versioned"
/* What we took from a capsule of somebody's. */
#define OURS_LEGACY    "gpuprobe.dltensor"
#define OURS_VERSIONED "gpuprobe.dltensor_versioned"

/* What we lend. */
typedef struct loan {
    union {
        gp_dl_managed legacy;
        gp_dl_managed_versioned versioned;
    } as;
    PyObject *owner; /* a reference */
    int64_t extents[];
} loan;

/* To be called with the GIL. */
static void
end_loan(loan *lent)
{
    Py_DECREF(lent->owner);
    PyMem_Free(lent);
}

/* Who has taken the memory calls a deleter, on any thread, also one without the GIL, and also after
 * the interpreter: then what is left is left. */
static void
end_loan_anywhere(loan *lent)
{
    if (!Py_IsInitialized()) { return; }
    PyGILState_STATE state = PyGILState_Ensure();
    end_loan(lent);
    PyGILState_Release(state);
}

static void
delete_legacy(gp_dl_managed *self)
{
    end_loan_anywhere(self->owner);
}

static void
delete_versioned(gp_dl_managed_versioned *self)
{
    end_loan_anywhere(self->owner);
}

/* NULL: the capsule has neither name, be it that somebody took what is in it or that it has none.
 */
static void *
content_named(PyObject *capsule, const char *lent, const char *ours)
{
    const char *name = PyCapsule_IsValid(capsule, lent) ? lent : ours;
    return PyCapsule_IsValid(capsule, name) ? PyCapsule_GetPointer(capsule, name) : NULL;
}

/* Of a capsule that nobody took, and of one with what we took; the GIL is held, and what is ours
 * needs no deleter. */
static void
destroy_capsule(PyObject *capsule)
{
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    gp_dl_managed *legacy = content_named(capsule, LEGACY, OURS_LEGACY);
    gp_dl_managed_versioned *versioned = content_named(capsule, VERSIONED, OURS_VERSIONED);
    if (legacy != NULL && legacy->deleter == delete_legacy) { end_loan(legacy->owner); }
    else if (legacy != NULL && legacy->deleter != NULL) {
        legacy->deleter(legacy);
    }
    if (versioned != NULL && versioned->deleter == delete_versioned) { end_loan(versioned->owner); }
    else if (versioned != NULL && versioned->deleter != NULL) {
        versioned->deleter(versioned);
    }
    PyErr_Restore(type, value, traceback);
}

static int
read_extents(PyObject *py_extents, Py_ssize_t count, int64_t *extents)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        extents[i] = PyLong_AsLongLong(PyTuple_GetItem(py_extents, i));
        if (extents[i] == -1 && PyErr_Occurred()) { return -1; }
    }
    return 0;
}

/* Gives `lent` away, also where it fails. */
static PyObject *
new_capsule(loan *lent, const gp_dl_tensor *tensor, bool is_versioned, uint64_t flags)
{
    if (is_versioned) {
        lent->as.versioned = (gp_dl_managed_versioned){
            {GP_DL_MAJOR, GP_DL_MINOR}, lent, delete_versioned, flags, *tensor};
    }
    else {
        lent->as.legacy = (gp_dl_managed){*tensor, lent, delete_legacy};
    }
    PyObject *capsule = PyCapsule_New(lent, is_versioned ? VERSIONED : LEGACY, destroy_capsule);
    if (capsule == NULL) { end_loan(lent); }
    return capsule;
}

PyObject *
core_dlpack_lend(PyObject *module, PyObject *args)
{
    gp_dl_tensor tensor = {.dtype = {0, 0, 1}};
    PyObject *py_owner = NULL;
    PyObject *py_shape = NULL;
    PyObject *py_strides = NULL;
    unsigned long long address = 0;
    int is_versioned = 0;
    int is_read_only = 0;
    int is_copied = 0;
    uint64_t flags = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OK(ii)(bb)O!O!ppp:dlpack_lend", &py_owner, &address,
                          &tensor.device.type, &tensor.device.id, &tensor.dtype.code,
                          &tensor.dtype.bits, &PyTuple_Type, &py_shape, &PyTuple_Type, &py_strides,
                          &is_versioned, &is_read_only, &is_copied)) {
        return NULL;
    }
    Py_ssize_t ndim = PyTuple_Size(py_shape);
    if (ndim != PyTuple_Size(py_strides) || ndim > INT32_MAX / 2) {
        PyErr_SetString(PyExc_ValueError, "dlpack_lend: one stride for each axis");
        return NULL;
    }
    loan *lent = PyMem_Malloc(sizeof(*lent) + 2 * (size_t)ndim * sizeof(lent->extents[0]));
    if (lent == NULL) { return PyErr_NoMemory(); }
    if (read_extents(py_shape, ndim, lent->extents) < 0 ||
        read_extents(py_strides, ndim, lent->extents + ndim) < 0) {
        PyMem_Free(lent);
        return NULL;
    }
    lent->owner = Py_NewRef(py_owner);
    tensor.data = (void *)(uintptr_t)address;
    tensor.ndim = (int32_t)ndim;
    tensor.shape = lent->extents;
    tensor.strides = lent->extents + ndim;
    if (is_read_only) { flags |= GP_DL_READ_ONLY; }
    if (is_copied) { flags |= GP_DL_IS_COPIED; }
    return new_capsule(lent, &tensor, is_versioned != 0, flags);
}

/* Gives `py_owner` away, also where it fails. */
static PyObject *
tensor_object(PyObject *py_owner, const gp_dl_tensor *tensor, uint64_t flags)
{
    PyObject *py_shape = core_new_numbers(tensor->shape, tensor->ndim);
    PyObject *py_strides = tensor->strides == NULL
                               ? Py_NewRef(Py_None)
                               : core_new_numbers(tensor->strides, tensor->ndim);
    unsigned long long address = (uintptr_t)tensor->data + tensor->byte_offset;
    if (py_shape == NULL || py_strides == NULL) {
        Py_XDECREF(py_shape);
        Py_XDECREF(py_strides);
        Py_DECREF(py_owner);
        return NULL;
    }
    return Py_BuildValue("(NK(ii)(iii)NNO)", py_owner, address, tensor->device.type,
                         tensor->device.id, tensor->dtype.code, tensor->dtype.bits,
                         tensor->dtype.lanes, py_shape, py_strides,
                         (flags & GP_DL_READ_ONLY) != 0 ? Py_True : Py_False);
}

/* The capsule is renamed only once its content has found its next owner. */
static PyObject *
take_content(PyObject *capsule, const char *name, const char *taken, const char *ours)
{
    void *content = PyCapsule_GetPointer(capsule, name);
    if (content == NULL) { return NULL; }
    PyObject *py_owner = PyCapsule_New(content, ours, NULL);
    if (py_owner == NULL) { return NULL; }
    if (PyCapsule_SetName(capsule, taken) < 0 ||
        PyCapsule_SetDestructor(py_owner, destroy_capsule) < 0) {
        Py_CLEAR(py_owner);
    }
    return py_owner;
}

static PyObject *
take_versioned(PyObject *capsule)
{
    PyObject *py_owner = take_content(capsule, VERSIONED, TAKEN_VERSIONED, OURS_VERSIONED);
    if (py_owner == NULL) { return NULL; }
    const gp_dl_managed_versioned *managed = PyCapsule_GetPointer(py_owner, OURS_VERSIONED);
    if (managed->version.major != GP_DL_MAJOR) {
        PyErr_Format(PyExc_BufferError, "DLPack %u.%u is not known; gpuprobe knows 1.x",
                     managed->version.major, managed->version.minor);
        Py_DECREF(py_owner);
        return NULL;
    }
    return tensor_object(py_owner, &managed->tensor, managed->flags);
}

PyObject *
core_dlpack_take(PyObject *module, PyObject *capsule)
{
    (void)module;
    if (PyCapsule_IsValid(capsule, VERSIONED)) { return take_versioned(capsule); }
    if (!PyCapsule_IsValid(capsule, LEGACY)) {
        PyErr_Format(PyExc_TypeError, "expected a capsule of DLPack that nobody took, got %R",
                     capsule);
        return NULL;
    }
    PyObject *py_owner = take_content(capsule, LEGACY, TAKEN_LEGACY, OURS_LEGACY);
    if (py_owner == NULL) { return NULL; }
    const gp_dl_managed *managed = PyCapsule_GetPointer(py_owner, OURS_LEGACY);
    return tensor_object(py_owner, &managed->tensor, 0);
}
