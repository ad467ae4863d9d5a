/* The convolution by our own kernels, for which the driver is enough: csrc/kernels/conv2d.cu. */
#ifndef GP_CONV2D_NATIVE_H
#define GP_CONV2D_NATIVE_H

#include "device/gp_module.h"
#include "ops/gp_arithmetic.h"
#include "ops/gp_conv2d_shape.h"

/* Whether there is a kernel for these types and this arithmetic: all that conv2d knows, but tf32.
 */
bool gp_conv2d_native_has(gp_dtype input, gp_dtype output, const gp_arithmetic *arithmetic);

/* Queues the convolution on `stream` and waits for nothing. The tensors lie in the memory of the
 * current context's device, of which `module` is; `shape` is theirs, and `y` is compact and
 * overlaps no input. `bias` is NULL or has one element for each filter; it has the type of x and w.
 * GP_UNSUPPORTED: there is no such kernel, or an element does not lie at a multiple of its size. A
 * failure of the launch names the kernel; `y` is unspecified then. */
gp_status
gp_conv2d_native(const gp_module *module, const gp_conv2d_shape *shape, const gp_tensor *x,
                 const gp_tensor *w, const gp_tensor *bias, const gp_tensor *y,
                 const gp_arithmetic *arithmetic, gp_cu_stream stream);

#endif
