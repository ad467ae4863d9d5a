/* NumPy's arrays as the core knows arrays. The one file that includes NumPy's C API; its table is
 * fetched at the first use of an array, so that importing gpuprobe never imports NumPy. */
#ifndef PY_NUMPY_H
#define PY_NUMPY_H

#include "gp_core_module.h"

#include "base/gp_tensor.h"
#include "ops/gp_arithmetic.h"

/* Describes a NumPy array without copying it; the caller's reference must outlive the description.
 * `name` is what messages call it. Returns -1 with ImportError (no NumPy), TypeError (no array, or
 * a type or byte order that is none of ours) or ValueError (too many axes). */
int core_read_array(PyObject *array, const char *name, gp_tensor *tensor);

/* The memory of a NumPy array of any type but objects that has no gaps, the last axis fastest.
 * Returns -1 with ImportError, TypeError (no array, or one of objects) or ValueError (gaps, or
 * `is_written` and read-only). */
int core_read_bytes(PyObject *array, bool is_written, void **data, size_t *size);

/* A new numpy.dtype of what numpy.dtype() takes, and which of our types it is. That may call any
 * code of Python's, which may change arrays: to be called before they are read, and once. NULL with
 * an exception. */
PyObject *core_new_dtype(PyObject *given, gp_dtype *found);

/* A new array of the type `dtype`, which core_new_dtype made, in the shape of `tensor`, whose data
 * it sets: without gaps, its elements not yet written. NULL with an exception. */
PyObject *core_new_array(PyObject *dtype, gp_tensor *tensor);

/* The arithmetic of that name. NULL with ValueError for another one. */
const gp_arithmetic *core_find_arithmetic(const char *name);

/* Sets ValueError; `format` takes the shapes of two arrays as %S, and the reason as %s. */
void core_set_misfit(const char *format, PyObject *a, PyObject *b, const char *reason);

#endif
