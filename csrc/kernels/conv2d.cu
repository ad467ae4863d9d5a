#include "gp_device.h"
#include "gp_elements.cuh"

/* y[n, k, p, q] = bias[k] + sum over c, r, s of
 *     x[n, g * C/G + c, p * stride - pad + r * dilation, …] * w[k, c, r, s]
 *
 * where g is the group of filter k: a cross-correlation, which frameworks call convolution. Summed
 * in the order c, r, s; what lies outside of x is left out; the bias is added last. The error is
 * that of a sum of C/G * R * S products, and one more where there is a bias: see matmul.cu.
 *
 * One thread makes one element and reads two from memory, through the caches, for each product and
 * addition: that is the bound.
 *
 * Launch: block (GP_KERNEL_BLOCK, 1, 1), grid (any number, 1, 1); every grid gives the same bits.
 */

struct gp_conv2d_place {
    int64_t n, k, p, q;
};

/* Where element number `i` of y stands, so that neighbouring threads write side by side. */
GP_FORMULA gp_conv2d_place
gp_conv2d_place_of(const gp_conv2d_work &work, int64_t i)
{
    gp_conv2d_place at;
    if (work.channels_last) { at.k = gp_split(i, work.k); }
    at.q = gp_split(i, work.out[1]);
    at.p = gp_split(i, work.out[0]);
    if (!work.channels_last) { at.k = gp_split(i, work.k); }
    at.n = i;
    return at;
}

/* Adds the products of one row of a filter, which begins `x` and `w` bytes behind the arrays, and
 * over the column `left` of the image. */
template <class Element>
static __device__ __forceinline__ typename Element::sum
gp_conv2d_add_row(const gp_conv2d_work &work, int64_t x, int64_t w, int64_t left,
                  typename Element::sum sum)
{
    GP_ROLLED
    for (int64_t s = 0; s < work.filter[1]; s++) {
        const int64_t column = left + s * work.dilation[1];
        if (column < 0 || column >= work.in[1]) { continue; }
        sum = gp_add_product(sum, gp_load<Element>(work.x, x + column * work.x_strides[3]),
                             gp_load<Element>(work.w, w + s * work.w_strides[3]));
    }
    return sum;
}

template <class Element>
static __device__ __forceinline__ typename Element::sum
gp_conv2d_sum(const gp_conv2d_work &work, gp_conv2d_place at)
{
    const int64_t first_channel = at.k / work.filters * work.channels;
    const int64_t top = at.p * work.stride[0] - work.pad[0];
    const int64_t left = at.q * work.stride[1] - work.pad[1];
    typename Element::sum sum = 0;
    GP_ROLLED
    for (int64_t c = 0; c < work.channels; c++) {
        const int64_t x = at.n * work.x_strides[0] + (first_channel + c) * work.x_strides[1];
        const int64_t w = at.k * work.w_strides[0] + c * work.w_strides[1];
        GP_ROLLED
        for (int64_t r = 0; r < work.filter[0]; r++) {
            const int64_t row = top + r * work.dilation[0];
            if (row < 0 || row >= work.in[0]) { continue; }
            sum = gp_conv2d_add_row<Element>(work, x + row * work.x_strides[2],
                                             w + r * work.w_strides[2], left, sum);
        }
    }
    return sum;
}

template <class Element>
static __device__ __forceinline__ void
gp_conv2d(const gp_conv2d_work &work)
{
    const int64_t count = work.n * work.k * work.out[0] * work.out[1];
    const int64_t step = (int64_t)gridDim.x * blockDim.x;
    GP_ROLLED
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const gp_conv2d_place at = gp_conv2d_place_of(work, i);
        typename Element::sum sum = gp_conv2d_sum<Element>(work, at);
        if (work.bias != nullptr) { sum += gp_load<Element>(work.bias, at.k * work.bias_stride); }
        gp_store(work.y, i, work.store, sum);
    }
}

#define GP_CONV2D(name, Element)    \
    GP_KERNEL                       \
    name(const gp_conv2d_work work) \
    {                               \
        gp_conv2d<Element>(work);   \
    }

GP_CONV2D(gp_conv2d_f64, gp_f64)
GP_CONV2D(gp_conv2d_f32, gp_f32)
GP_CONV2D(gp_conv2d_f16, gp_f16)
GP_CONV2D(gp_conv2d_bf16, gp_bf16)
