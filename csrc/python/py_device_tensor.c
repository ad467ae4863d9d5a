#include "py_device_tensor.h"

#include "py_shape.h"

#include <string.h>

const device_tensor *
core_as_device_tensor(const core_state *state, PyObject *object, const char *name)
{
    if (PyObject_TypeCheck(object, state->device_tensor)) { return (const device_tensor *)object; }
    PyErr_Format(PyExc_TypeError, "%s: expected a gpuprobe.DeviceArray, got %R", name,
                 (PyObject *)Py_TYPE(object));
    return NULL;
}

/* References to the name of its type and to its owner are added. NULL with an exception. */
static device_tensor *
new_object(PyTypeObject *type, const gp_tensor *tensor, PyObject *py_dtype, PyObject *owner)
{
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    device_tensor *self = (device_tensor *)allocate(type, 0);
    if (self == NULL) { return NULL; }
    self->tensor = *tensor;
    self->dtype = Py_NewRef(py_dtype);
    self->owner = Py_NewRef(owner);
    return self;
}

int
core_read_type(PyObject *py_dtype, gp_tensor *tensor)
{
    if (!PyUnicode_Check(py_dtype)) {
        PyErr_Format(PyExc_TypeError, "DeviceArray: dtype has to be a name, got %R", py_dtype);
        return -1;
    }
    Py_ssize_t size = 0;
    const char *name = PyUnicode_AsUTF8AndSize(py_dtype, &size);
    if (name == NULL) { return -1; }
    bool is_whole = strlen(name) == (size_t)size; /* no NUL cuts it */
    if (is_whole && gp_dtype_from_name(name, &tensor->dtype)) { return 0; }
    PyErr_Format(PyExc_ValueError, "DeviceArray: no such type: %S", py_dtype);
    return -1;
}

/* The number of elements. Returns -1 with ValueError where no array has this shape. */
static int
count_elements(const gp_tensor *form, PyObject *py_dtype, int64_t *count)
{
    if (!gp_failed(gp_tensor_count(form, count))) { return 0; }
    PyObject *py_shape = core_new_numbers(form->shape, form->ndim);
    if (py_shape != NULL) {
        PyErr_Format(PyExc_ValueError, "DeviceArray: there is no array of the shape %R of %S",
                     py_shape, py_dtype);
    }
    Py_XDECREF(py_shape);
    return -1;
}

/* Fills shape, strides and type. Returns -1 with an exception. */
static int
read_form(PyObject *py_shape, PyObject *py_strides, PyObject *py_dtype, gp_tensor *tensor)
{
    tensor->ndim = core_read_numbers(py_shape, "DeviceArray", "shape", tensor->shape);
    if (tensor->ndim < 0) { return -1; }
    int strides = core_read_numbers(py_strides, "DeviceArray", "strides", tensor->strides);
    if (strides < 0) { return -1; }
    if (strides != tensor->ndim) {
        PyErr_Format(PyExc_ValueError, "DeviceArray: %d axes, %d strides", tensor->ndim, strides);
        return -1;
    }
    int64_t count = 0;
    return core_read_type(py_dtype, tensor) < 0 ? -1 : count_elements(tensor, py_dtype, &count);
}

static PyObject *
device_tensor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"shape",   "strides", "dtype",        "device", "stream",
                                        "address", "owner",   "is_read_only", NULL};
    PyObject *py_shape = NULL;
    PyObject *py_strides = NULL;
    PyObject *py_dtype = NULL;
    PyObject *py_stream = NULL;
    PyObject *py_address = NULL;
    PyObject *owner = NULL;
    gp_tensor tensor;
    int device = 0;
    unsigned long long stream = 0;
    unsigned long long address = 0;
    int is_read_only = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOiOOO|p:DeviceArray",
                                     (char **)(uintptr_t)names, &py_shape, &py_strides, &py_dtype,
                                     &device, &py_stream, &py_address, &owner, &is_read_only) ||
        core_read_address(py_stream, &stream) < 0 || core_read_address(py_address, &address) < 0 ||
        read_form(py_shape, py_strides, py_dtype, &tensor) < 0) {
        return NULL;
    }
    tensor.data = (void *)(uintptr_t)address;
    if (core_check_reach(&tensor, "DeviceArray") < 0) { return NULL; }
    device_tensor *self = new_object(type, &tensor, py_dtype, owner);
    if (self == NULL) { return NULL; }
    self->device = device;
    self->stream = (gp_cu_stream)(uintptr_t)stream;
    self->is_read_only = is_read_only != 0;
    return (PyObject *)self;
}

PyObject *
core_new_empty(arena_object *arena, PyTypeObject *type, const gp_tensor *form, PyObject *py_dtype,
               gp_cu_stream stream)
{
    int64_t count = 0;
    if (count_elements(form, py_dtype, &count) < 0) { return NULL; }
    size_t size = (size_t)count * gp_dtype_size(form->dtype);
    PyObject *block = core_new_block(arena, size, stream);
    if (block == NULL) { return NULL; }
    device_tensor *made = new_object(type, form, py_dtype, block);
    Py_DECREF(block);
    if (made == NULL) { return NULL; }
    made->tensor.data = size == 0 ? NULL : (void *)(uintptr_t)core_block_address(made->owner);
    gp_tensor_set_compact(&made->tensor);
    made->device = arena->ordinal;
    made->stream = stream;
    return (PyObject *)made;
}

PyObject *
arena_empty(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    arena_object *arena = (arena_object *)object;
    const core_state *state = PyType_GetModuleState(Py_TYPE(object));
    gp_tensor form;
    if (!core_has_arguments("empty", count, 4)) { return NULL; }
    if (!PyType_Check(args[0]) ||
        !PyType_IsSubtype((PyTypeObject *)args[0], state->device_tensor)) {
        PyErr_Format(PyExc_TypeError, "empty: %R is no kind of DeviceTensor", args[0]);
        return NULL;
    }
    size_t stream = PyLong_AsSize_t(args[3]);
    if (PyErr_Occurred() || core_read_type(args[2], &form) < 0) { return NULL; }
    form.ndim = core_read_numbers(args[1], "DeviceArray", "shape", form.shape);
    if (form.ndim < 0) { return NULL; }
    return core_new_empty(arena, (PyTypeObject *)args[0], &form, args[2],
                          (gp_cu_stream)(uintptr_t)stream);
}

static int
device_tensor_traverse(PyObject *object, visitproc visit, void *arg)
{
    const device_tensor *self = (const device_tensor *)object;
    Py_VISIT((PyObject *)Py_TYPE(object));
    Py_VISIT(self->dtype);
    Py_VISIT(self->owner);
    return 0;
}

/* None stands for the owner then: whoever still reads `owner` finds an object. */
static int
device_tensor_clear(PyObject *object)
{
    device_tensor *self = (device_tensor *)object;
    PyObject *owner = self->owner;
    self->owner = Py_NewRef(Py_None);
    Py_XDECREF(owner);
    return 0;
}

static void device_tensor_dealloc(PyObject *object);

/* Of this very type, and of nobody else. */
static bool
is_last_reference(PyObject *object)
{
    return Py_REFCNT(object) == 1 &&
           PyType_GetSlot(Py_TYPE(object), Py_tp_dealloc) == (void *)device_tensor_dealloc;
}

/* Owners that own each other end link by link: one within the other they would fill the stack. */
static void
drop_owner(PyObject *owner)
{
    while (owner != NULL && is_last_reference(owner)) {
        device_tensor *link = (device_tensor *)owner;
        PyObject *next = link->owner;
        link->owner = NULL;
        Py_DECREF(owner);
        owner = next;
    }
    Py_XDECREF(owner);
}

static void
device_tensor_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    Py_XDECREF(((device_tensor *)object)->dtype);
    drop_owner(((device_tensor *)object)->owner);
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF((PyObject *)type);
}

static PyObject *
get_shape(PyObject *object, void *closure)
{
    const gp_tensor *tensor = &((const device_tensor *)object)->tensor;
    (void)closure;
    return core_new_numbers(tensor->shape, tensor->ndim);
}

static PyObject *
get_strides(PyObject *object, void *closure)
{
    const gp_tensor *tensor = &((const device_tensor *)object)->tensor;
    (void)closure;
    return core_new_numbers(tensor->strides, tensor->ndim);
}

static PyObject *
get_dtype(PyObject *object, void *closure)
{
    (void)closure;
    return Py_NewRef(((const device_tensor *)object)->dtype);
}

static PyObject *
get_device(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((const device_tensor *)object)->device);
}

static PyObject *
get_stream(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t((uintptr_t)((const device_tensor *)object)->stream);
}

static PyObject *
get_address(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t((uintptr_t)((const device_tensor *)object)->tensor.data);
}

static PyObject *
get_owner(PyObject *object, void *closure)
{
    (void)closure;
    return Py_NewRef(((const device_tensor *)object)->owner);
}

static PyObject *
get_is_read_only(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((const device_tensor *)object)->is_read_only);
}

/* The table is constant for us; CPython's API takes no const, and does not write. */
PyTypeObject *
core_new_device_tensor_type(PyObject *module)
{
    static const PyGetSetDef getters[] = {
        {"shape", get_shape, NULL, PyDoc_STR("Elements along each axis."), NULL},
        {"strides", get_strides, NULL, PyDoc_STR("Bytes from one element to the next."), NULL},
        {"dtype", get_dtype, NULL, PyDoc_STR("The type's name."), NULL},
        {"device", get_device, NULL, PyDoc_STR("CUDA's ordinal."), NULL},
        {"stream", get_stream, NULL, PyDoc_STR("The handle of the stream."), NULL},
        {"address", get_address, NULL, PyDoc_STR("Of the first element."), NULL},
        {"owner", get_owner, NULL, PyDoc_STR("What keeps the memory."), NULL},
        {"is_read_only", get_is_read_only, NULL, PyDoc_STR("Nobody may write."), NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)(uintptr_t) "DeviceTensor(shape, strides, dtype, device, stream, "
                                        "address, owner, is_read_only=False)\n--\n\n"
                                        "The form and the place of an array of a device."},
        {Py_tp_new, (void *)device_tensor_new},
        {Py_tp_dealloc, (void *)device_tensor_dealloc},
        {Py_tp_traverse, (void *)device_tensor_traverse},
        {Py_tp_clear, (void *)device_tensor_clear},
        {Py_tp_getset, (void *)(uintptr_t)getters},
        {0, NULL},
    };
    PyType_Spec spec = {"gpuprobe._core.DeviceTensor", sizeof(device_tensor), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
