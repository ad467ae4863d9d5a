/* What the launchers of our own kernels share. */
#ifndef GP_NATIVE_H
#define GP_NATIVE_H

#include "base/gp_tensor.h"
#include "device/gp_module.h"
#include "ops/gp_arithmetic.h"

/* Reasons of GP_UNSUPPORTED. */
#define GP_NATIVE_NO_KERNEL   "native: no kernel has this combination of types and arithmetic"
#define GP_NATIVE_NOT_ALIGNED "native: an element does not lie at a multiple of its size"

/* Whether every element lies at a multiple of its size: others would be a fault on the device. */
bool gp_native_is_aligned(const gp_tensor *tensor);

/* Whether this is the arithmetic that the type has where nothing else is said: the only one that
 * our kernels have. */
bool gp_native_computes(gp_dtype input, const gp_arithmetic *arithmetic);

/* How a sum in float32 is stored as this type: a GP_STORE_ number. */
int64_t gp_native_store(gp_dtype output);

/* Queues a kernel with one structure as its parameter, on at most as many blocks as there is work
 * for. A failure names the kernel. */
gp_status gp_native_launch(const gp_module *module, gp_kernel kernel, int64_t blocks, void *work,
                           gp_cu_stream stream);

#endif
