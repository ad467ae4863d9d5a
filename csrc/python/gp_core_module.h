/* What the files of the binding share. All state is in the module: nothing of ours is global, so a
 * second import does not meet the first; NumPy's table is, which is the same for all. Interpreters
 * but the main one are refused. */
#ifndef GP_CORE_MODULE_H
#define GP_CORE_MODULE_H

/* One binary for CPython 3.10 and everything after it; the build names the same version. */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030A0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "platform/gp_settings.h"

#include <stdbool.h>

#ifdef Py_GIL_DISABLED
#error "gpuprobe._core is not tested without the GIL: build it for a CPython that has one"
#endif

typedef struct core_state {
    PyObject *usage_error;       /* gpuprobe._core.UsageError */
    PyTypeObject *kernel_image;  /* gpuprobe._core.KernelImage */
    PyTypeObject *cuda_state;    /* gpuprobe._core.CudaState */
    PyObject *arena_error;       /* gpuprobe._core.ArenaError */
    PyObject *arena_full;        /* gpuprobe._core.ArenaFull */
    PyTypeObject *arena;         /* gpuprobe._core.Arena */
    PyTypeObject *block;         /* gpuprobe._core.Block */
    PyTypeObject *device_tensor; /* gpuprobe._core.DeviceTensor */
} core_state;

/* Whether a fast call was given so many arguments; false with TypeError. */
bool core_has_arguments(const char *call, Py_ssize_t given, Py_ssize_t wanted);

/* The variables that the core heeds. To be called with the GIL, which whoever sets one in
 * os.environ holds; to be released in any case. Returns -1 with MemoryError. */
int core_read_settings(gp_settings *settings);

PyObject *core_probe(PyObject *module, PyObject *args, PyObject *kwargs);
PyObject *core_kernel_images(PyObject *module, PyObject *ignored);

/* On NumPy's arrays: only where the build found NumPy's headers (GPUPROBE_NUMPY). */
PyObject *core_matmul_shape(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *core_matmul_reference(PyObject *module, PyObject *args);
PyObject *core_conv2d_reference(PyObject *module, PyObject *args);
PyObject *core_conv2d_shape(PyObject *module, PyObject *args);
PyObject *core_prove_product(PyObject *module, PyObject *args);

PyObject *core_cuda_state(PyObject *module, PyObject *ignored);
PyObject *core_getenv(PyObject *module, PyObject *py_name);

PyObject *core_is_sticky(PyObject *module, PyObject *py_code);
PyObject *core_pointer_device(PyObject *module, PyObject *py_address);

PyObject *core_dlpack_lend(PyObject *module, PyObject *args);
PyObject *core_dlpack_take(PyObject *module, PyObject *capsule);

/* A new type CudaState, or NULL with an exception. */
PyTypeObject *core_new_cuda_state_type(void);

/* New types Arena, Block and DeviceTensor, or NULL with an exception. */
PyTypeObject *core_new_arena_type(PyObject *module);
PyTypeObject *core_new_block_type(PyObject *module);
PyTypeObject *core_new_device_tensor_type(PyObject *module);

/* A new type KernelImage, or NULL with an exception. */
PyTypeObject *core_new_kernel_image_type(void);

#endif
