/* gpuprobe.DeviceArray as the core knows arrays, and what every array says of itself. */
#ifndef PY_DEVICE_ARRAY_H
#define PY_DEVICE_ARRAY_H

#include "gp_core_module.h"

#include "base/gp_tensor.h"

/* The shape alone, of an array of any library: no data, all strides 0. `name` is what messages call
 * it. Returns -1 with TypeError or ValueError (too many axes). */
int core_read_shape(PyObject *array, const char *name, gp_tensor *tensor);

/* A whole DeviceArray; `data` is its address on the device. Returns -1 with an exception. */
int core_read_device_array(PyObject *array, const char *name, gp_tensor *tensor);

/* A new tuple of the extents. */
PyObject *core_new_shape(const gp_tensor *tensor);

#endif
