#include "gp_core_module.h"

#include <string.h>

#include "kernels/images.h"

PyDoc_STRVAR(core_doc, "The C core of gpuprobe. Private: use the functions of gpuprobe.");

PyDoc_STRVAR(probe_doc,
             "probe(argv, *, trace=False)\n--\n\n"
             "Run one step of the probe program in this process and return its JSON text.\n\n"
             "argv is what follows the program's name, e.g. ['load', 'libz.so.1']. trace=True\n"
             "writes the name of each risky call to the standard error first. A step can hang\n"
             "or crash: call it only in a process that may be lost.\n\n"
             "Raises UsageError for an unknown step, MemoryError without memory.");

PyDoc_STRVAR(kernel_images_doc,
             "kernel_images()\n--\n\n"
             "Return the compiled kernels that are embedded, as a tuple of KernelImage.");

PyDoc_STRVAR(
    cuda_state_doc,
    "cuda_state()\n--\n\n"
    "Return what CUDA is doing in this process, as a CudaState. CUDA is not started by it,\n"
    "and libcuda is not loaded.\n\n"
    "In a fork of a process that has started CUDA the answer is 'not started', as nobody\n"
    "can start it there any more. Raises MemoryError without memory.");

PyDoc_STRVAR(
    getenv_doc,
    "getenv(name, /)\n--\n\n"
    "Return the variable as C libraries read it, None where it is not set. os.environ may\n"
    "differ: it does not see what C code has changed. Raises MemoryError without memory.");

PyDoc_STRVAR(is_sticky_doc,
             "is_sticky(code, /)\n--\n\n"
             "Return whether CUDA is lost to the process after this code of a CUresult.");

PyDoc_STRVAR(pointer_device_doc,
             "pointer_device(address, /)\n--\n\n"
             "Return the ordinal of the CUDA device whose memory is at the address. CUDA is not\n"
             "started by it, and libcuda is not loaded.\n\n"
             "Raises BufferError where the address is none of CUDA's.");

PyDoc_STRVAR(
    dlpack_lend_doc,
    "dlpack_lend(owner, address, place, dtype, shape, strides, versioned, read_only,\n"
    "copied, /)\n--\n\n"
    "Return a capsule that lends memory, and keeps its owner meanwhile.\n\n"
    "place: DLPack's (device type, device); dtype: its (code, bits); strides in elements.");

PyDoc_STRVAR(dlpack_take_doc,
             "dlpack_take(capsule, /)\n--\n\n"
             "Return what a capsule lends: owner, address, (device type, device), (code, bits,\n"
             "lanes), shape, strides in elements or None, whether it is read-only.\n\n"
             "It is given back when the owner goes. Raises TypeError for what is no such capsule,\n"
             "BufferError for another major version.");

#ifdef GPUPROBE_NUMPY
PyDoc_STRVAR(matmul_shape_doc,
             "matmul_shape(a, b, /)\n--\n\n"
             "Return the shape of numpy.matmul(a, b), of whatever has a shape.\n\n"
             "Raises ValueError for arrays that do not fit.");

PyDoc_STRVAR(matmul_reference_doc,
             "matmul_reference(a, b, dtype, compute, /)\n--\n\n"
             "Return numpy.matmul(a, b), computed by plain C in the arithmetic `compute`.\n\n"
             "Raises TypeError and ValueError for arrays that do not fit.");

PyDoc_STRVAR(conv2d_reference_doc,
             "conv2d_reference(x, w, bias, dtype, compute, options, /)\n--\n\n"
             "Return the convolution of x with w, computed by plain C. For options see\n"
             "conv2d_shape.\n\n"
             "Raises TypeError and ValueError for arrays that do not fit.");

PyDoc_STRVAR(
    conv2d_shape_doc,
    "conv2d_shape(x, w, options, /)\n--\n\n"
    "Return the shape of the convolution, and the zeros before and behind: (height, "
    "width).\n\n"
    "options: (layout, padding, before, after, stride, dilation, groups); layout: 0 NCHW,\n"
    "1 NHWC; padding: 0 as before and after say, 1 'valid', 2 'same'.\n\n"
    "Raises TypeError and ValueError for arrays that do not fit.");

PyDoc_STRVAR(prove_product_doc,
             "prove_product(a, b, c, axes, compute, seed, zero_steps=0, /)\n--\n\n"
             "Return what a proof of c = numpy.tensordot(a, b, axes) found, as a dictionary.\n\n"
             "zero_steps: so many products of every sum have a factor that is 0.\n\n"
             "Raises TypeError and ValueError for arrays that do not fit.");
#endif

bool
core_has_arguments(const char *call, Py_ssize_t given, Py_ssize_t wanted)
{
    if (given == wanted) { return true; }
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, got %zd", call, wanted, given);
    return false;
}

static core_state *
get_state(PyObject *module)
{
    return PyModule_GetState(module);
}

/* A free-threaded build would switch its GIL on instead of refusing. */
static int
refuse_free_threading(void)
{
    if (strstr(Py_GetVersion(), "free-threading") == NULL) { return 0; }
    PyErr_SetString(PyExc_ImportError,
                    "gpuprobe._core is not tested on free-threaded Python; use a build with a GIL");
    return -1;
}

/* What DLPack lends comes back on any thread, with the GIL or without, and PyGILState, by which
 * such a thread finds its interpreter, knows the main one alone: in another one it would wait for
 * the GIL that its own thread holds. The slot Py_mod_multiple_interpreters would say so from 3.12
 * on, and CPython 3.10 refuses a module that has it. */
static int
refuse_other_interpreters(void)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) { return 0; }
    PyErr_SetString(PyExc_ImportError,
                    "gpuprobe._core works in the main interpreter only, and this is another one");
    return -1;
}

static int
add_errors(PyObject *module, core_state *state)
{
    state->arena_error = PyErr_NewExceptionWithDoc(
        "gpuprobe._core.ArenaError",
        "args: kind, call, code, name, text or None, what was lacking or None.", NULL, NULL);
    if (state->arena_error == NULL) { return -1; }
    if (PyModule_AddObjectRef(module, "ArenaError", state->arena_error) < 0) { return -1; }
    state->arena_full =
        PyErr_NewExceptionWithDoc("gpuprobe._core.ArenaFull", "It has no memory for what is asked.",
                                  state->arena_error, NULL);
    if (state->arena_full == NULL) { return -1; }
    return PyModule_AddObjectRef(module, "ArenaFull", state->arena_full);
}

static int
add_arena(PyObject *module, core_state *state)
{
    if (add_errors(module, state) < 0) { return -1; }
    state->block = core_new_block_type(module);
    if (state->block == NULL) { return -1; }
    if (PyModule_AddType(module, state->block) < 0) { return -1; }
    state->device_tensor = core_new_device_tensor_type(module);
    if (state->device_tensor == NULL) { return -1; }
    if (PyModule_AddType(module, state->device_tensor) < 0) { return -1; }
    state->arena = core_new_arena_type(module);
    return state->arena == NULL ? -1 : PyModule_AddType(module, state->arena);
}

/* Each object is stored in the state first, so that core_clear finds it whatever fails later. */
static int
core_exec(PyObject *module)
{
    core_state *state = get_state(module);
    if (refuse_free_threading() < 0 || refuse_other_interpreters() < 0) { return -1; }
    state->usage_error = PyErr_NewExceptionWithDoc("gpuprobe._core.UsageError",
                                                   "The arguments name no step of the probe.",
                                                   PyExc_ValueError, NULL);
    if (state->usage_error == NULL) { return -1; }
    if (PyModule_AddObjectRef(module, "UsageError", state->usage_error) < 0) { return -1; }
    state->kernel_image = core_new_kernel_image_type();
    if (state->kernel_image == NULL) { return -1; }
    if (PyModule_AddType(module, state->kernel_image) < 0) { return -1; }
    state->cuda_state = core_new_cuda_state_type();
    if (state->cuda_state == NULL) { return -1; }
    if (PyModule_AddType(module, state->cuda_state) < 0) { return -1; }
    if (add_arena(module, state) < 0) { return -1; }
    if (PyModule_AddIntConstant(module, "kernels_cuda", gp_images_cuda) < 0) { return -1; }
    return PyModule_AddStringConstant(module, "version", GP_VERSION);
}

static int
core_traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *state = get_state(module);
    Py_VISIT(state->usage_error);
    Py_VISIT(state->kernel_image);
    Py_VISIT(state->cuda_state);
    Py_VISIT(state->arena_error);
    Py_VISIT(state->arena_full);
    Py_VISIT(state->arena);
    Py_VISIT(state->block);
    Py_VISIT(state->device_tensor);
    return 0;
}

static int
core_clear(PyObject *module)
{
    core_state *state = get_state(module);
    Py_CLEAR(state->usage_error);
    Py_CLEAR(state->kernel_image);
    Py_CLEAR(state->cuda_state);
    Py_CLEAR(state->arena_error);
    Py_CLEAR(state->arena_full);
    Py_CLEAR(state->arena);
    Py_CLEAR(state->block);
    Py_CLEAR(state->device_tensor);
    return 0;
}

static void
core_free(void *module)
{
    (void)core_clear((PyObject *)module);
}

/* The three writable globals of this file: CPython's API takes no const here. */

static PyMethodDef core_methods[] = {
    {"probe", (PyCFunction)(void (*)(void))core_probe, METH_VARARGS | METH_KEYWORDS, probe_doc},
    {"kernel_images", core_kernel_images, METH_NOARGS, kernel_images_doc},
#ifdef GPUPROBE_NUMPY
    {"matmul_reference", core_matmul_reference, METH_VARARGS, matmul_reference_doc},
    {"conv2d_reference", core_conv2d_reference, METH_VARARGS, conv2d_reference_doc},
    {"conv2d_shape", core_conv2d_shape, METH_VARARGS, conv2d_shape_doc},
    {"matmul_shape", (PyCFunction)(void (*)(void))core_matmul_shape, METH_FASTCALL,
     matmul_shape_doc},
    {"prove_product", core_prove_product, METH_VARARGS, prove_product_doc},
#endif
    {"cuda_state", core_cuda_state, METH_NOARGS, cuda_state_doc},
    {"getenv", core_getenv, METH_O, getenv_doc},
    {"is_sticky", core_is_sticky, METH_O, is_sticky_doc},
    {"pointer_device", core_pointer_device, METH_O, pointer_device_doc},
    {"dlpack_lend", core_dlpack_lend, METH_VARARGS, dlpack_lend_doc},
    {"dlpack_take", core_dlpack_take, METH_O, dlpack_take_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot core_slots[] = {
    {Py_mod_exec, (void *)core_exec},
    {0, NULL},
};

static struct PyModuleDef core_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "gpuprobe._core",
    .m_doc = core_doc,
    .m_size = sizeof(core_state),
    .m_methods = core_methods,
    .m_slots = core_slots,
    .m_traverse = core_traverse,
    .m_clear = core_clear,
    .m_free = core_free,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC
PyInit__core(void)
{
    return PyModuleDef_Init(&core_module);
}
