/* What memory each kernel reads and writes, by its arguments. */
#ifndef HOSTCUDA_SPANS_H
#define HOSTCUDA_SPANS_H

#include "gp_elements.cuh"
#include "hostcuda.h"

static inline hostcuda_span
reads(const void *begin, std::size_t bytes)
{
    return {begin, bytes, 0};
}

static inline hostcuda_span
writes(const void *begin, std::size_t bytes)
{
    return {begin, bytes, 1};
}

/* Stretches the span of one element along an axis; one of an axis without places is empty. */
static inline void
stretch(hostcuda_span *span, int64_t extent, int64_t stride)
{
    if (extent == 0) { span->bytes = 0; }
    if (span->bytes == 0) { return; }
    const int64_t reach = (extent - 1) * stride;
    if (reach < 0) { span->begin = static_cast<const unsigned char *>(span->begin) + reach; }
    span->bytes += static_cast<std::size_t>(reach < 0 ? -reach : reach);
}

template <class Element>
static std::size_t
result_bytes(int64_t count, int64_t store)
{
    const std::size_t size = store == GP_STORE_F32 ? sizeof(typename Element::sum) : 2;
    return static_cast<std::size_t>(count) * size;
}

template <class Element>
static int
spans_of_matmul(void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS])
{
    const auto &work = *static_cast<const gp_matmul_work *>(params[0]);
    spans[0] = reads(work.a, sizeof(typename Element::stored));
    spans[1] = reads(work.b, sizeof(typename Element::stored));
    for (int64_t axis = 0; axis < work.batch_ndim; axis++) {
        stretch(&spans[0], work.batch_shape[axis], work.a_batch_strides[axis]);
        stretch(&spans[1], work.batch_shape[axis], work.b_batch_strides[axis]);
    }
    stretch(&spans[0], work.m, work.a_strides[0]);
    stretch(&spans[0], work.k, work.a_strides[1]);
    stretch(&spans[1], work.k, work.b_strides[0]);
    stretch(&spans[1], work.n, work.b_strides[1]);
    spans[2] = writes(work.c, result_bytes<Element>(work.batch * work.m * work.n, work.store));
    return 3;
}

template <class Element>
static int
spans_of_conv2d(void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS])
{
    const auto &work = *static_cast<const gp_conv2d_work *>(params[0]);
    const int64_t groups = work.k / work.filters;
    const int64_t x[] = {work.n, groups * work.channels, work.in[0], work.in[1]};
    const int64_t w[] = {work.k, work.channels, work.filter[0], work.filter[1]};
    spans[0] = reads(work.x, sizeof(typename Element::stored));
    spans[1] = reads(work.w, sizeof(typename Element::stored));
    for (int axis = 0; axis < 4; axis++) {
        stretch(&spans[0], x[axis], work.x_strides[axis]);
        stretch(&spans[1], w[axis], work.w_strides[axis]);
    }
    spans[2] = reads(work.bias, work.bias == nullptr ? 0 : sizeof(typename Element::stored));
    stretch(&spans[2], work.k, work.bias_stride);
    spans[3] = writes(
        work.y, result_bytes<Element>(work.n * work.k * work.out[0] * work.out[1], work.store));
    return 4;
}

template <class T>
static T
argument(void **params, int i)
{
    return *static_cast<const T *>(params[i]);
}

static int
spans_of_fill(void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS])
{
    spans[0] = writes(argument<float *>(params, 0), argument<uint64_t>(params, 1) * 4);
    return 1;
}

static int
spans_of_add(void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS])
{
    const std::size_t bytes = argument<uint64_t>(params, 3) * 4;
    spans[0] = writes(argument<float *>(params, 0), bytes);
    spans[1] = reads(argument<const float *>(params, 1), bytes);
    spans[2] = reads(argument<const float *>(params, 2), bytes);
    return 3;
}

static int
spans_of_hash(void **params, hostcuda_span spans[HOSTCUDA_MOST_SPANS])
{
    spans[0] = writes(argument<void *>(params, 0), 8);
    spans[1] = reads(argument<const void *>(params, 1), argument<uint64_t>(params, 2) * 4);
    return 2;
}

#endif
