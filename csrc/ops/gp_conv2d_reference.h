/* The plain-C convolution: slow, obvious, and what every other way of computing it is compared
 * with.
 */
#ifndef GP_CONV2D_REFERENCE_H
#define GP_CONV2D_REFERENCE_H

#include "gp_arithmetic.h"
#include "gp_conv2d_shape.h"

/* y[n, k, p, q] = bias[k] + sum over c, r, s of
 *     x[n, g * C/G + c, p * stride - pad + r * dilation, …] * w[k, c, r, s]
 * where g is the group of filter k, summed in the order c, r, s as gp_accumulator.h sums; the bias
 * is added last. `bias` may be NULL; else it is 1-D with k elements. `y` is laid out as `shape`
 * says. */
void gp_conv2d_reference(const gp_conv2d_shape *shape, const gp_arithmetic *arithmetic,
                         const gp_tensor *x, const gp_tensor *w, const gp_tensor *bias,
                         const gp_tensor *y);

/* The elements from `begin` to before `end` alone, counted in the order n, k, p, q. */
void gp_conv2d_reference_part(const gp_conv2d_shape *shape, const gp_arithmetic *arithmetic,
                              const gp_tensor *x, const gp_tensor *w, const gp_tensor *bias,
                              const gp_tensor *y, int64_t begin, int64_t end);

#endif
