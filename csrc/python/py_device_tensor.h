/* The base of gpuprobe.DeviceArray: an array in the memory of a device, as the core keeps it. */
#ifndef PY_DEVICE_TENSOR_H
#define PY_DEVICE_TENSOR_H

#include "py_arena.h"

#include "base/gp_tensor.h"

/* Nothing of it changes once it is made, so that it may be read without the GIL; only the collector
 * takes the owner from one that nobody can reach. */
typedef struct device_tensor {
    PyObject_HEAD gp_tensor tensor; /* data: an address on the device */
    PyObject *dtype;                /* a reference: the name of tensor.dtype */
    PyObject *owner;                /* a reference to what keeps the memory */
    int device;                     /* CUDA's ordinal */
    gp_cu_stream stream;
    bool is_read_only;
} device_tensor;

/* The object as what it is; NULL with TypeError where it is none. `name` is for the message. */
const device_tensor *
core_as_device_tensor(const core_state *state, PyObject *object, const char *name);

/* The type of that name into `tensor`. Returns -1 with TypeError or ValueError. */
int core_read_type(PyObject *py_dtype, gp_tensor *tensor);

/* A new one of the class `type` in new memory of the arena, without gaps, of the shape and the type
 * of `form`. `py_dtype` is the type's name. NULL with an exception. */
PyObject *core_new_empty(arena_object *arena, PyTypeObject *type, const gp_tensor *form,
                         PyObject *py_dtype, gp_cu_stream stream);

#endif
