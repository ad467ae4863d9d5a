#include "gp_cudnn_graph.h"

static gp_cudnn_descriptor
make_tensor(gp_cudnn_bag *bag, const gp_cudnn_operand *operand, int64_t dtype, int64_t uid,
            bool is_virtual)
{
    gp_cudnn_descriptor tensor = gp_cudnn_make(bag, GP_CUDNN_TENSOR);
    gp_cudnn_set_enum(bag, tensor, GP_CUDNN_TENSOR_DATA_TYPE, GP_CUDNN_TYPE_DATA_TYPE,
                      (unsigned int)dtype);
    gp_cudnn_set(bag, tensor, GP_CUDNN_TENSOR_DIMENSIONS, GP_CUDNN_TYPE_INT64, 4, operand->extents);
    gp_cudnn_set(bag, tensor, GP_CUDNN_TENSOR_STRIDES, GP_CUDNN_TYPE_INT64, 4, operand->strides);
    gp_cudnn_set_int64(bag, tensor, GP_CUDNN_TENSOR_UNIQUE_ID, uid);
    gp_cudnn_set_int64(bag, tensor, GP_CUDNN_TENSOR_BYTE_ALIGNMENT, operand->alignment_bytes);
    gp_cudnn_set(bag, tensor, GP_CUDNN_TENSOR_IS_VIRTUAL, GP_CUDNN_TYPE_BOOLEAN, 1, &is_virtual);
    gp_cudnn_finalize(bag, tensor);
    return tensor;
}

/* A tensor in the caller's memory. */
static gp_cudnn_descriptor
make_operand(gp_cudnn_bag *bag, const gp_cudnn_problem *problem, gp_cudnn_place place)
{
    const gp_cudnn_operand *operand = &problem->operands[place];
    return make_tensor(bag, operand, operand->dtype, GP_CUDNN_UID(place), false);
}

/* The product of x and w before the bias is added: in the memory of y, or, virtual, in none: then
 * in the type of the sum, so that nothing is rounded before the bias is there. */
static gp_cudnn_descriptor
make_sum(gp_cudnn_bag *bag, const gp_cudnn_problem *problem, bool is_virtual)
{
    gp_cudnn_operand sum = problem->operands[GP_CUDNN_Y];
    int64_t dtype = is_virtual ? problem->sum_dtype : sum.dtype;
    if (is_virtual) { sum.alignment_bytes = 16; }
    return make_tensor(bag, &sum, dtype, GP_CUDNN_UID_SUM, is_virtual);
}

static gp_cudnn_descriptor
make_conv(gp_cudnn_bag *bag, const gp_cudnn_problem *problem)
{
    gp_cudnn_descriptor conv = gp_cudnn_make(bag, GP_CUDNN_CONVOLUTION);
    gp_cudnn_set_int64(bag, conv, GP_CUDNN_CONVOLUTION_SPATIAL_DIMS, 2);
    gp_cudnn_set_enum(bag, conv, GP_CUDNN_CONVOLUTION_COMP_TYPE, GP_CUDNN_TYPE_DATA_TYPE,
                      (unsigned int)problem->sum_dtype);
    gp_cudnn_set_enum(bag, conv, GP_CUDNN_CONVOLUTION_CONV_MODE, GP_CUDNN_TYPE_CONVOLUTION_MODE,
                      GP_CUDNN_CROSS_CORRELATION);
    gp_cudnn_set(bag, conv, GP_CUDNN_CONVOLUTION_PRE_PADDINGS, GP_CUDNN_TYPE_INT64, 2,
                 problem->pad_before);
    gp_cudnn_set(bag, conv, GP_CUDNN_CONVOLUTION_POST_PADDINGS, GP_CUDNN_TYPE_INT64, 2,
                 problem->pad_after);
    gp_cudnn_set(bag, conv, GP_CUDNN_CONVOLUTION_FILTER_STRIDES, GP_CUDNN_TYPE_INT64, 2,
                 problem->stride);
    gp_cudnn_set(bag, conv, GP_CUDNN_CONVOLUTION_DILATIONS, GP_CUDNN_TYPE_INT64, 2,
                 problem->dilation);
    gp_cudnn_finalize(bag, conv);
    return conv;
}

/* result = x * w. Groups are implied by the channels of x and w. */
static gp_cudnn_descriptor
convolve(gp_cudnn_bag *bag, const gp_cudnn_problem *problem, gp_cudnn_descriptor result)
{
    gp_cudnn_descriptor x = make_operand(bag, problem, GP_CUDNN_X);
    gp_cudnn_descriptor w = make_operand(bag, problem, GP_CUDNN_W);
    gp_cudnn_descriptor conv = make_conv(bag, problem);
    gp_cudnn_descriptor forward = gp_cudnn_make(bag, GP_CUDNN_OPERATION_CONVOLUTION_FORWARD);
    gp_cudnn_set_descriptor(bag, forward, GP_CUDNN_FORWARD_CONV_DESC, conv);
    gp_cudnn_set_descriptor(bag, forward, GP_CUDNN_FORWARD_X, x);
    gp_cudnn_set_descriptor(bag, forward, GP_CUDNN_FORWARD_W, w);
    gp_cudnn_set_descriptor(bag, forward, GP_CUDNN_FORWARD_Y, result);
    gp_cudnn_finalize(bag, forward);
    return forward;
}

/* y = sum + bias */
static gp_cudnn_descriptor
add_bias(gp_cudnn_bag *bag, const gp_cudnn_problem *problem, gp_cudnn_descriptor sum)
{
    gp_cudnn_descriptor bias = make_operand(bag, problem, GP_CUDNN_BIAS);
    gp_cudnn_descriptor y = make_operand(bag, problem, GP_CUDNN_Y);
    gp_cudnn_descriptor pointwise = gp_cudnn_make(bag, GP_CUDNN_POINTWISE);
    gp_cudnn_set_enum(bag, pointwise, GP_CUDNN_POINTWISE_MODE, GP_CUDNN_TYPE_POINTWISE_MODE,
                      GP_CUDNN_POINTWISE_ADD);
    gp_cudnn_set_enum(bag, pointwise, GP_CUDNN_POINTWISE_MATH_PREC, GP_CUDNN_TYPE_DATA_TYPE,
                      (unsigned int)problem->sum_dtype);
    gp_cudnn_finalize(bag, pointwise);
    gp_cudnn_descriptor add = gp_cudnn_make(bag, GP_CUDNN_OPERATION_POINTWISE);
    gp_cudnn_set_descriptor(bag, add, GP_CUDNN_OPERATION_POINTWISE_PW_DESCRIPTOR, pointwise);
    gp_cudnn_set_descriptor(bag, add, GP_CUDNN_OPERATION_POINTWISE_XDESC, sum);
    gp_cudnn_set_descriptor(bag, add, GP_CUDNN_OPERATION_POINTWISE_BDESC, bias);
    gp_cudnn_set_descriptor(bag, add, GP_CUDNN_OPERATION_POINTWISE_YDESC, y);
    gp_cudnn_finalize(bag, add);
    return add;
}

gp_cudnn_descriptor
gp_cudnn_graph_make(gp_cudnn_bag *bag, gp_cudnn_handle handle, const gp_cudnn_problem *problem,
                    gp_cudnn_graph graph)
{
    gp_cudnn_descriptor operations[2] = {NULL, NULL};
    int64_t count = 0;
    gp_cudnn_descriptor result = graph == GP_CUDNN_GRAPH_CONV
                                     ? make_operand(bag, problem, GP_CUDNN_Y)
                                     : make_sum(bag, problem, graph == GP_CUDNN_GRAPH_CONV_BIAS);
    if (graph != GP_CUDNN_GRAPH_BIAS) { operations[count++] = convolve(bag, problem, result); }
    if (graph != GP_CUDNN_GRAPH_CONV) { operations[count++] = add_bias(bag, problem, result); }
    gp_cudnn_descriptor made = gp_cudnn_make(bag, GP_CUDNN_OPERATIONGRAPH);
    /* Not needed from cuDNN 9.8 on, and taken by every version. */
    gp_cudnn_set_handle(bag, made, GP_CUDNN_OPERATIONGRAPH_HANDLE, handle);
    gp_cudnn_set(bag, made, GP_CUDNN_OPERATIONGRAPH_OPS, GP_CUDNN_TYPE_BACKEND_DESCRIPTOR, count,
                 operations);
    gp_cudnn_finalize(bag, made);
    return gp_cudnn_has_failed(bag) ? NULL : made;
}
