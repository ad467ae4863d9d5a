/* The shape of a two-dimensional convolution, as frameworks mean it: a cross-correlation. */
#ifndef GP_CONV2D_SHAPE_H
#define GP_CONV2D_SHAPE_H

#include "base/gp_tensor.h"

/* Where the channels stand, in x, w and y alike. */
typedef enum gp_layout {
    GP_NCHW, /* x: n c h w; w: k c/groups r s; y: n k p q */
    GP_NHWC  /* x: n h w c; w: k r s c/groups; y: n p q k */
} gp_layout;

typedef enum gp_padding {
    GP_PADDING_GIVEN, /* as many zeros as `pad_before` and `pad_after` say */
    GP_PADDING_VALID, /* none */
    GP_PADDING_SAME   /* so many that the result has ceil(extent / stride) places, none of an extent
                         of 0; where their number is odd, one more behind, as TensorFlow and torch
                         have it */
} gp_padding;

/* Index 0 is the height, 1 the width. */
typedef struct gp_conv2d_options {
    gp_layout layout;
    gp_padding padding;
    int64_t pad_before[2];
    int64_t pad_after[2];
    int64_t stride[2];
    int64_t dilation[2];
    int64_t groups;
} gp_conv2d_options;

/* All in the order n c h w, k c r s, n k p q, whatever the layout: strides are in bytes. */
typedef struct gp_conv2d_shape {
    int64_t n;
    int64_t c;
    int64_t in[2];
    int64_t k;
    int64_t filter[2];
    int64_t out[2];
    int64_t groups;
    int64_t pad_before[2];
    int64_t pad_after[2];
    int64_t stride[2];
    int64_t dilation[2];
    int64_t x_strides[4];
    int64_t w_strides[4];
    int64_t y_strides[4];
} gp_conv2d_shape;

typedef enum gp_conv2d_misfit {
    GP_CONV2D_FITS,
    GP_CONV2D_NDIM,      /* x or w has not four axes */
    GP_CONV2D_GROUPS,    /* the groups do not divide the channels of x, or the filters of w */
    GP_CONV2D_CHANNELS,  /* w has not c / groups channels */
    GP_CONV2D_OPTION,    /* stride, dilation or groups below 1, padding below 0, one above 2^31 */
    GP_CONV2D_EXTENT,    /* an extent below 0 or above 2^62, a filter's below 1 or above 2^31 */
    GP_CONV2D_TOO_SMALL, /* the filter is larger than the padded input */
    GP_CONV2D_TOO_LARGE  /* the result has more bytes than can be counted */
} gp_conv2d_misfit;

/* Fills `shape`, and in `y` ndim, shape and compact strides of the result for its dtype. */
gp_conv2d_misfit
gp_conv2d_shape_of(const gp_tensor *x, const gp_tensor *w, const gp_conv2d_options *options,
                   gp_conv2d_shape *shape, gp_tensor *y);

#endif
