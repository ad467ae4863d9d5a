/* What is checked when a descriptor is finalized. */
#include "fake_cudnn.h"

#include <stddef.h>

static cudnnStatus_t
bad(const char *why)
{
    return fake_refuse(CUDNN_STATUS_BAD_PARAM, why);
}

size_t
fake_size_of(cudnnDataType_t dtype)
{
    switch (dtype) {
    case CUDNN_DATA_DOUBLE: return 8;
    case CUDNN_DATA_FLOAT: return 4;
    case CUDNN_DATA_HALF:
    case CUDNN_DATA_BFLOAT16: return 2;
    default: return 0;
    }
}

static cudnnStatus_t
check_tensor(const fake_descriptor *d)
{
    const int64_t axes = fake_count(d, CUDNN_ATTR_TENSOR_DIMENSIONS);
    const int64_t alignment = fake_number(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0, 1);
    const int64_t size =
        (int64_t)fake_size_of((cudnnDataType_t)fake_enum(d, CUDNN_ATTR_TENSOR_DATA_TYPE, 0));
    if (axes < 1) { return bad("Tensor must have at least 1 dimension"); }
    if (axes != fake_count(d, CUDNN_ATTR_TENSOR_STRIDES)) {
        return bad("Tensor dimension count does not match stride count");
    }
    if (size == 0 || axes != 4) { fake_die("only tensors of four axes of floats are played"); }
    if (alignment <= 0 || alignment % size != 0) {
        return bad("Tensor pointer alignment must be positive and a multiple of element size");
    }
    for (size_t i = 0; i < 4; i++) {
        if (fake_number(d, CUDNN_ATTR_TENSOR_STRIDES, i, 0) < 0) {
            return bad("Tensor stride has invalid value");
        }
    }
    return CUDNN_STATUS_SUCCESS;
}

/* Every list has a value for each spatial axis, if it was set, and none below the least. */
static bool
is_list(const fake_descriptor *d, cudnnBackendAttributeName_t name, int64_t least)
{
    const int64_t count = fake_count(d, name);
    bool is_good = count == 0 || count == fake_number(d, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0, 0);
    for (int64_t i = 0; i < count; i++) {
        is_good = is_good && fake_number(d, name, (size_t)i, 0) >= least;
    }
    return is_good;
}

static cudnnStatus_t
check_convolution(const fake_descriptor *d)
{
    const bool is_good = is_list(d, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 0) &&
                         is_list(d, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 0) &&
                         is_list(d, CUDNN_ATTR_CONVOLUTION_DILATIONS, 1) &&
                         is_list(d, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 1);
    return is_good ? CUDNN_STATUS_SUCCESS : bad("finalize_internal()");
}

static bool
is_ready(const fake_descriptor *d, cudnnBackendAttributeName_t name)
{
    const fake_descriptor *part = fake_part(d, name, 0);
    return part != NULL && part->is_final;
}

/* y = 1 + (x + pre + post - (1 + (w - 1) * dilation)) / stride */
static bool
is_extent(const fake_descriptor *conv, size_t i, int64_t x, int64_t w, int64_t y)
{
    const int64_t reach = 1 + (w - 1) * fake_number(conv, CUDNN_ATTR_CONVOLUTION_DILATIONS, i, 1);
    const int64_t room = x + fake_number(conv, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, i, 0) +
                         fake_number(conv, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, i, 0) - reach;
    return room >= 0 &&
           y == 1 + room / fake_number(conv, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, i, 1);
}

static cudnnStatus_t
check_forward(const fake_descriptor *d)
{
    if (!is_ready(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X) ||
        !is_ready(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W) ||
        !is_ready(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y) ||
        !is_ready(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC)) {
        return bad("(!xPort.tensor.isFinalized()) || …");
    }
    const fake_descriptor *conv =
        fake_part(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, 0);
    const fake_tensor x =
        fake_read_tensor(fake_part(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, 0));
    const fake_tensor w =
        fake_read_tensor(fake_part(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, 0));
    const fake_tensor y =
        fake_read_tensor(fake_part(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, 0));
    if (x.extents[1] == 0 || w.extents[1] == 0 || x.extents[1] % w.extents[1] != 0) {
        return bad("(0 == wDimA[1]) || (0 == xDimA[1]) || (0 != xDimA[1] % wDimA[1])");
    }
    for (size_t i = 0; i < 2; i++) {
        if (!is_extent(conv, i, x.extents[2 + i], w.extents[2 + i], y.extents[2 + i])) {
            return bad("is_valid_spatial_dim(…)");
        }
    }
    const bool is_one = x.extents[0] == y.extents[0] && w.extents[0] == y.extents[1];
    return is_one ? CUDNN_STATUS_SUCCESS : bad("x, w and y are of several sizes");
}

/* The bias has one value a channel: other broadcasts are not played. */
static cudnnStatus_t
check_addition(const fake_descriptor *d)
{
    if (!is_ready(d, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR) ||
        !is_ready(d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC) ||
        !is_ready(d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC) ||
        !is_ready(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC)) {
        return bad("a part of the operation is not finalized");
    }
    const fake_tensor x = fake_read_tensor(fake_part(d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, 0));
    const fake_tensor b = fake_read_tensor(fake_part(d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, 0));
    const fake_tensor y = fake_read_tensor(fake_part(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, 0));
    for (size_t i = 0; i < 4; i++) {
        if (x.extents[i] != y.extents[i] || b.extents[i] != (i == 1 ? y.extents[1] : 1)) {
            return bad("shapes that cannot be added");
        }
    }
    return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t
check_graph(const fake_descriptor *d)
{
    const int64_t count = fake_count(d, CUDNN_ATTR_OPERATIONGRAPH_OPS);
    if (count == 0) { return bad("outputGraph.buildDAG()"); }
    for (int64_t i = 0; i < count; i++) {
        if (!fake_part(d, CUDNN_ATTR_OPERATIONGRAPH_OPS, (size_t)i)->is_final) {
            return fake_refuse(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "an operation");
        }
    }
    if (count > 2 || (count == 2 && (fake_forward_of(d) == NULL || fake_addition_of(d) == NULL))) {
        fake_die("only a convolution, and a bias behind it, are played");
    }
    return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t
check_engine(fake_descriptor *d)
{
    fake_descriptor *graph = fake_part(d, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, 0);
    d->engine = fake_engine_of(fake_number(d, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, 0, -1));
    if (graph == NULL || d->engine == NULL) { return bad("no such engine for the graph"); }
    return CUDNN_STATUS_SUCCESS;
}

/* A real one dies of a configuration that is missing, or that nothing was written to. */
static cudnnStatus_t
check_plan(const fake_descriptor *d)
{
    const fake_descriptor *config = fake_part(d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 0);
    if (config == NULL || !config->is_final) { fake_die("a plan without a configuration"); }
    return fake_engine_check(config->engine, config->graph);
}

cudnnStatus_t
fake_check(fake_descriptor *d)
{
    const bool has_graph = fake_find(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH) != NULL;
    const int64_t uids = fake_count(d, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    const bool is_pack = uids == fake_count(d, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
    switch (d->kind) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR: return check_tensor(d);
    case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR: return check_convolution(d);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR: return check_forward(d);
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: return check_addition(d);
    case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR: return check_graph(d);
    case CUDNN_BACKEND_ENGINE_DESCRIPTOR: return check_engine(d);
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: return check_plan(d);
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
        return has_graph ? CUDNN_STATUS_SUCCESS : bad("operation graph is NULL");
    case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
        return is_pack ? CUDNN_STATUS_SUCCESS : bad("ptrs_count != uids_count");
    default: return CUDNN_STATUS_SUCCESS;
    }
}
