#include "gp_core_module.h"

#include "device/gp_image_text.h"

/* The type's maker copies what it needs of the description, so that can live on the stack. */
PyTypeObject *
core_new_kernel_image_type(void)
{
    PyStructSequence_Field fields[] = {
        {"kind", "'cubin' (machine code) or 'ptx' (compiled by the driver)"},
        {"capability", "compute capability without the dot: '75', '90a'"},
        {"size_bytes", "size of the image"},
        {NULL, NULL},
    };
    PyStructSequence_Desc description = {"gpuprobe._core.KernelImage",
                                         "A compiled form of the embedded kernels.", fields, 3};
    return PyStructSequence_NewType(&description);
}

static PyObject *
new_kernel_image(PyTypeObject *type, const gp_image *image)
{
    char capability[GP_IMAGE_TEXT_SIZE];
    gp_image_capability(image, capability);
    PyObject *py_image = PyStructSequence_New(type);
    if (py_image == NULL) { return NULL; }
    PyObject *values[] = {
        PyUnicode_FromString(gp_image_kind_name(image->kind)),
        PyUnicode_FromString(capability),
        PyLong_FromSize_t(image->size),
    };
    for (Py_ssize_t i = 0; i < 3; i++) {
        if (values[i] != NULL) { PyStructSequence_SetItem(py_image, i, values[i]); }
    }
    if (PyErr_Occurred()) { Py_CLEAR(py_image); }
    return py_image;
}

PyObject *
core_kernel_images(PyObject *module, PyObject *ignored)
{
    (void)ignored;
    const core_state *state = PyModule_GetState(module);
    PyObject *py_images = PyTuple_New((Py_ssize_t)gp_image_count);
    if (py_images == NULL) { return NULL; }
    for (size_t i = 0; i < gp_image_count; i++) {
        PyObject *py_image = new_kernel_image(state->kernel_image, &gp_images[i]);
        if (py_image == NULL) {
            Py_DECREF(py_images);
            return NULL;
        }
        (void)PyTuple_SetItem(py_images, (Py_ssize_t)i, py_image);
    }
    return py_images;
}
