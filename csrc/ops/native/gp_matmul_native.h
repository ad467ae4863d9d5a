/* The product by our own kernels, for which the driver is enough: csrc/kernels/matmul.cu. */
#ifndef GP_MATMUL_NATIVE_H
#define GP_MATMUL_NATIVE_H

#include "device/gp_module.h"
#include "ops/gp_arithmetic.h"
#include "ops/gp_matmul_shape.h"

/* Whether there is a kernel for inputs of this type (either of the two float8 types stands for
 * both), this result and this arithmetic: all that matmul knows, but tf32. */
bool gp_matmul_native_has(gp_dtype input, gp_dtype output, const gp_arithmetic *arithmetic);

/* Queues c = a b on `stream` and waits for nothing. The tensors lie in the memory of the current
 * context's device, of which `module` is; `shape` is theirs, and `c` is compact and overlaps no
 * input. GP_UNSUPPORTED: there is no such kernel, or an element does not lie at a multiple of its
 * size. A failure of the launch names the kernel; `c` is unspecified then. */
gp_status gp_matmul_native(const gp_module *module, const gp_matmul_shape *shape,
                           const gp_tensor *a, const gp_tensor *b, const gp_tensor *c,
                           const gp_arithmetic *arithmetic, gp_cu_stream stream);

#endif
