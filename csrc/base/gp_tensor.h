/* An array as NumPy describes one: where, of what type, how large, and how many bytes from one
 * element to the next along each axis. It owns nothing. */
#ifndef GP_TENSOR_H
#define GP_TENSOR_H

#include "gp_dtype.h"
#include "gp_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GP_MAX_NDIM = 32 };

typedef struct gp_tensor {
    void *data; /* in host or in device memory: whoever uses it has to know */
    gp_dtype dtype;
    int ndim;
    int64_t shape[GP_MAX_NDIM];
    int64_t strides[GP_MAX_NDIM]; /* bytes; negative and 0 too */
} gp_tensor;

/* The number of elements; GP_BAD_ARGUMENT where it, or their bytes, do not fit into int64_t. */
gp_status gp_tensor_count(const gp_tensor *tensor, int64_t *count);

/* Sets the strides of an array without gaps, the last axis fastest. */
void gp_tensor_set_compact(gp_tensor *tensor);

/* Whether there is no element. */
bool gp_tensor_is_empty(const gp_tensor *tensor);

/* From one element to the next along the axis; 0 in an array without elements, whose strides may be
 * any number, so that nobody computes with them. */
int64_t gp_tensor_stride(const gp_tensor *tensor, int axis);

/* GP_BAD_ARGUMENT where what the strides lead to does not fit into int64_t, or lies beyond either
 * end of the address space. In an array that passes, an extent above 1 times gp_tensor_stride
 * is a number, and so are all offsets of elements. */
gp_status gp_tensor_check_reach(const gp_tensor *tensor);

/* Whether the bytes between the first and the last of one meet those of the other; arrays that lie
 * in each other's gaps count as such. Both have passed gp_tensor_check_reach. */
bool gp_tensor_overlap(const gp_tensor *one, const gp_tensor *other);

#endif
