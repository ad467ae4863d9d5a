/* Tuples of whole numbers, and the shape that every array tells of itself. */
#ifndef PY_SHAPE_H
#define PY_SHAPE_H

#include "gp_core_module.h"

#include "base/gp_tensor.h"

/* Reads a tuple of at most GP_MAX_NDIM whole numbers. `name` and `what` are for messages. Returns
 * how many there are, or -1 with TypeError, ValueError (too many) or OverflowError. */
int core_read_numbers(PyObject *py_numbers, const char *name, const char *what, int64_t *numbers);

/* A whole number of 64 bits: an address or a handle. Returns -1 with TypeError or OverflowError. */
int core_read_address(PyObject *py_number, unsigned long long *number);

/* A new tuple. */
PyObject *core_new_numbers(const int64_t *numbers, int count);

/* Returns -1 with ValueError where the strides lead out of all memory. `name` is for the message.
 */
int core_check_reach(const gp_tensor *tensor, const char *name);

/* The shape alone, of an array of any library: no data, all strides 0. Returns -1 with an
 * exception. */
int core_read_shape(const core_state *state, PyObject *array, const char *name, gp_tensor *tensor);

#endif
