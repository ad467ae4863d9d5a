/* Whether arrays fit together, and the errors that say why they do not; on the CPU and on a device
 * alike. Each function returns -1 with ValueError, or what PyArg_ParseTuple raises. */
#ifndef PY_FIT_H
#define PY_FIT_H

#include "gp_core_module.h"

#include "ops/gp_conv2d_shape.h"
#include "ops/gp_matmul_shape.h"

/* Fills `shape` and the shape of the result; `py_a` and `py_b` are the arrays for the message. */
int core_fit_matmul(PyObject *py_a, PyObject *py_b, const gp_tensor *a, const gp_tensor *b,
                    gp_matmul_shape *shape, gp_tensor *c);
int core_fit_conv2d(PyObject *py_x, PyObject *py_w, const gp_tensor *x, const gp_tensor *w,
                    const gp_conv2d_options *options, gp_conv2d_shape *shape, gp_tensor *y);

/* One element for each filter. */
int core_fit_bias(const gp_tensor *bias, int64_t filters);

/* (layout, padding, before, after, stride, dilation, groups) */
int core_read_conv2d_options(PyObject *py_options, gp_conv2d_options *options);

#endif
