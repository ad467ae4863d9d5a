/* Our own declarations of the part of cuDNN's graph interface that we call, so that the core needs
 * no vendor header. tests/conformance compares every line with the real cudnn_graph.h.
 *
 * A problem is a graph of operations on tensors; engines that can compute it are asked for, and a
 * plan is made of one of them. All of these are descriptors: made, given attributes one by one, and
 * finalized, after which they can be read and used, and no longer changed. */
#ifndef GP_ABI_CUDNN_H
#define GP_ABI_CUDNN_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned int gp_cudnn_result;         /* cudnnStatus_t */
typedef struct cudnnContext *gp_cudnn_handle; /* cudnnHandle_t */
typedef void *gp_cudnn_descriptor;            /* cudnnBackendDescriptor_t */

enum {
    GP_CUDNN_SUCCESS = 0,
    GP_CUDNN_NOT_INITIALIZED = 1001,
    GP_CUDNN_NOT_SUPPORTED = 3000,
    GP_CUDNN_INTERNAL_ERROR = 4000,
    GP_CUDNN_HOST_ALLOCATION_FAILED = 4003,
    GP_CUDNN_DEVICE_ALLOCATION_FAILED = 4004
};

/* Codes come in groups of a thousand: 3002 is one of the reasons for 3000. */
#define GP_CUDNN_GROUP(code) ((code) / 1000 * 1000)

/* cudnnBackendDescriptorType_t */
typedef unsigned int gp_cudnn_kind;
enum {
    GP_CUDNN_POINTWISE = 0,
    GP_CUDNN_CONVOLUTION = 1,
    GP_CUDNN_ENGINE = 2,
    GP_CUDNN_ENGINECFG = 3,
    GP_CUDNN_ENGINEHEUR = 4,
    GP_CUDNN_EXECUTION_PLAN = 5,
    GP_CUDNN_OPERATION_CONVOLUTION_FORWARD = 10,
    GP_CUDNN_OPERATION_POINTWISE = 13,
    GP_CUDNN_OPERATIONGRAPH = 15,
    GP_CUDNN_VARIANT_PACK = 16,
    GP_CUDNN_TENSOR = 17
};

/* cudnnBackendAttributeType_t */
typedef unsigned int gp_cudnn_type;
enum {
    GP_CUDNN_TYPE_HANDLE = 0,
    GP_CUDNN_TYPE_DATA_TYPE = 1,
    GP_CUDNN_TYPE_BOOLEAN = 2,
    GP_CUDNN_TYPE_INT64 = 3,
    GP_CUDNN_TYPE_VOID_PTR = 6,
    GP_CUDNN_TYPE_CONVOLUTION_MODE = 7,
    GP_CUDNN_TYPE_HEUR_MODE = 8,
    GP_CUDNN_TYPE_NUMERICAL_NOTE = 11,
    GP_CUDNN_TYPE_POINTWISE_MODE = 14,
    GP_CUDNN_TYPE_BACKEND_DESCRIPTOR = 15
};

/* cudnnBackendAttributeName_t */
typedef unsigned int gp_cudnn_attribute;
enum {
    GP_CUDNN_POINTWISE_MODE = 0,
    GP_CUDNN_POINTWISE_MATH_PREC = 1,
    GP_CUDNN_CONVOLUTION_COMP_TYPE = 100,
    GP_CUDNN_CONVOLUTION_CONV_MODE = 101,
    GP_CUDNN_CONVOLUTION_DILATIONS = 102,
    GP_CUDNN_CONVOLUTION_FILTER_STRIDES = 103,
    GP_CUDNN_CONVOLUTION_POST_PADDINGS = 104,
    GP_CUDNN_CONVOLUTION_PRE_PADDINGS = 105,
    GP_CUDNN_CONVOLUTION_SPATIAL_DIMS = 106,
    GP_CUDNN_ENGINEHEUR_MODE = 200,
    GP_CUDNN_ENGINEHEUR_OPERATION_GRAPH = 201,
    GP_CUDNN_ENGINEHEUR_RESULTS = 202,
    GP_CUDNN_ENGINECFG_ENGINE = 300,
    GP_CUDNN_EXECUTION_PLAN_HANDLE = 400,
    GP_CUDNN_EXECUTION_PLAN_ENGINE_CONFIG = 401,
    GP_CUDNN_EXECUTION_PLAN_WORKSPACE_SIZE = 402,
    GP_CUDNN_FORWARD_CONV_DESC = 702,
    GP_CUDNN_FORWARD_W = 703,
    GP_CUDNN_FORWARD_X = 704,
    GP_CUDNN_FORWARD_Y = 705,
    GP_CUDNN_OPERATION_POINTWISE_PW_DESCRIPTOR = 750,
    GP_CUDNN_OPERATION_POINTWISE_XDESC = 751,
    GP_CUDNN_OPERATION_POINTWISE_BDESC = 752,
    GP_CUDNN_OPERATION_POINTWISE_YDESC = 753,
    GP_CUDNN_OPERATIONGRAPH_HANDLE = 800,
    GP_CUDNN_OPERATIONGRAPH_OPS = 801,
    GP_CUDNN_TENSOR_BYTE_ALIGNMENT = 900,
    GP_CUDNN_TENSOR_DATA_TYPE = 901,
    GP_CUDNN_TENSOR_DIMENSIONS = 902,
    GP_CUDNN_TENSOR_STRIDES = 903,
    GP_CUDNN_TENSOR_UNIQUE_ID = 906,
    GP_CUDNN_TENSOR_IS_VIRTUAL = 907,
    GP_CUDNN_VARIANT_PACK_UNIQUE_IDS = 1000,
    GP_CUDNN_VARIANT_PACK_DATA_POINTERS = 1001,
    GP_CUDNN_VARIANT_PACK_WORKSPACE = 1003,
    GP_CUDNN_ENGINE_GLOBAL_INDEX = 1301,
    GP_CUDNN_ENGINE_NUMERICAL_NOTE = 1303
};

/* cudnnDataType_t */
typedef unsigned int gp_cudnn_dtype;
enum {
    GP_CUDNN_DATA_FLOAT = 0,
    GP_CUDNN_DATA_DOUBLE = 1,
    GP_CUDNN_DATA_HALF = 2,
    GP_CUDNN_DATA_BFLOAT16 = 9
};

/* cudnnConvolutionMode_t, cudnnPointwiseMode_t */
enum { GP_CUDNN_CROSS_CORRELATION = 1, GP_CUDNN_POINTWISE_ADD = 0 };

/* cudnnBackendHeurMode_t: the usual one, and the engines that work where no other does. */
typedef unsigned int gp_cudnn_heuristic;
enum { GP_CUDNN_HEUR_FALLBACK = 2, GP_CUDNN_HEUR_A = 3 };

/* cudnnBackendNumericalNote_t: what an engine says of its arithmetic. */
enum {
    GP_CUDNN_NOTE_TENSOR_CORE = 0, /* on float32 tensors that means TF32 */
    GP_CUDNN_NOTE_DOWN_CONVERT_INPUTS = 1,
    GP_CUDNN_NOTE_REDUCED_PRECISION_REDUCTION = 2,
    GP_CUDNN_NOTE_FFT = 3,
    GP_CUDNN_NOTE_NONDETERMINISTIC = 4,
    GP_CUDNN_NOTE_WINOGRAD = 5,
    GP_CUDNN_NOTE_WINOGRAD_TILE_4x4 = 6,
    GP_CUDNN_NOTE_WINOGRAD_TILE_6x6 = 7,
    GP_CUDNN_NOTE_WINOGRAD_TILE_13x13 = 8,
    GP_CUDNN_NOTE_STRICT_NAN_PROP = 9
};

/* Notes as a set. */
#define GP_CUDNN_NOTE_BIT(note) (INT64_C(1) << (note))

#endif
