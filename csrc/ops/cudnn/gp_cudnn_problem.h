/* One convolution as cuDNN's graph interface takes it, and as its plans are looked up: everything
 * that a plan depends on, and nothing else. */
#ifndef GP_CUDNN_PROBLEM_H
#define GP_CUDNN_PROBLEM_H

#include "abi/gp_abi_cudnn.h"
#include "ops/gp_arithmetic.h"
#include "ops/gp_conv2d_shape.h"

/* The tensors, in the order of their unique ids. */
typedef enum gp_cudnn_place {
    GP_CUDNN_X,
    GP_CUDNN_W,
    GP_CUDNN_BIAS,
    GP_CUDNN_Y,
    GP_CUDNN_PLACES
} gp_cudnn_place;

/* In the order n c h w, or k c r s, whatever the layout. */
typedef struct gp_cudnn_operand {
    int64_t dtype; /* gp_cudnn_dtype */
    int64_t extents[4];
    int64_t strides[4];      /* in elements */
    int64_t alignment_bytes; /* of the address, as far as it helps */
} gp_cudnn_operand;

/* Of int64_t alone, so that there is no gap between members and two can be compared by bytes. */
typedef struct gp_cudnn_problem {
    gp_cudnn_operand operands[GP_CUDNN_PLACES]; /* that of the bias all 0 without one */
    int64_t has_bias;
    int64_t sum_dtype;     /* gp_cudnn_dtype in which products are summed */
    int64_t refused_notes; /* GP_CUDNN_NOTE_BIT of each note that breaks the arithmetic's promise */
    int64_t pad_before[2];
    int64_t pad_after[2];
    int64_t stride[2];
    int64_t dilation[2];
} gp_cudnn_problem;

/* GP_UNSUPPORTED, with the reason, for what cuDNN cannot be asked for at all. `bias` may be NULL;
 * all tensors have elements. */
gp_status gp_cudnn_problem_of(const gp_conv2d_shape *shape, const gp_tensor *x, const gp_tensor *w,
                              const gp_tensor *bias, const gp_tensor *y,
                              const gp_arithmetic *arithmetic, gp_cudnn_problem *problem);

#endif
