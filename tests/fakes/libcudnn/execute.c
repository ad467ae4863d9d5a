/* A plan is run: the tensors of its graph are found in the pack and in the device's memory. */
#include "fake_cudnn.h"

#include "../common/spoil.h"

#include <stddef.h>
#include <string.h>

/* One run; the first refusal stays. */
typedef struct run {
    const fake_descriptor *pack;
    void *stream;
    int fault; /* what happens to the result; 0: nothing */
    cudnnStatus_t status;
} run;

fake_tensor
fake_read_tensor(const fake_descriptor *d)
{
    const fake_attribute *virtual = fake_find(d, CUDNN_ATTR_TENSOR_IS_VIRTUAL);
    fake_tensor tensor = {
        .dtype = (cudnnDataType_t)fake_enum(d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_DATA_FLOAT),
        .uid = fake_number(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, 0, 0),
        .alignment = fake_number(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0, 1),
        .is_virtual = virtual != NULL && virtual->values[0] != 0,
    };
    for (size_t i = 0; i < 4; i++) {
        tensor.extents[i] = fake_number(d, CUDNN_ATTR_TENSOR_DIMENSIONS, i, 0);
        tensor.strides[i] = fake_number(d, CUDNN_ATTR_TENSOR_STRIDES, i, 0);
    }
    return tensor;
}

size_t
fake_span(const fake_tensor *tensor)
{
    int64_t last = 0;
    for (int i = 0; i < 4; i++) {
        last += (tensor->extents[i] - 1) * tensor->strides[i];
    }
    return (size_t)(last + 1) * fake_size_of(tensor->dtype);
}

static void
refuse(run *r, cudnnStatus_t status, const char *why)
{
    if (r->status == CUDNN_STATUS_SUCCESS) { r->status = fake_refuse(status, why); }
}

/* The pack's pointer for a tensor, checked; NULL after a refusal. */
static void *
pointer_of(run *r, const fake_tensor *tensor)
{
    const int64_t count = fake_count(r->pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    for (int64_t i = 0; i < count; i++) {
        const size_t at = (size_t)i;
        if (fake_number(r->pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, at, 0) != tensor->uid) {
            continue;
        }
        const int64_t address = fake_number(r->pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, at, 0);
        if (address % tensor->alignment != 0) {
            refuse(r, CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER, "less aligned than declared");
            return NULL;
        }
        return (void *)(uintptr_t)address;
    }
    refuse(r, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "a tensor of the graph is not in the pack");
    return NULL;
}

static fake_tensor
take(run *r, const fake_descriptor *d, bool writes)
{
    fake_tensor tensor = fake_read_tensor(d);
    if (tensor.is_virtual) { return tensor; }
    void *pointer = pointer_of(r, &tensor);
    if (pointer == NULL) { return tensor; }
    tensor.data = fake_device_touch(r->stream, pointer, fake_span(&tensor), writes);
    if (tensor.data == NULL) {
        fake_die("tensor %d lies outside of device memory", (int)tensor.uid);
    }
    return tensor;
}

/* Engines write all over their workspace. */
static void
take_workspace(run *r, int64_t bytes)
{
    const int64_t address = fake_number(r->pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, 0, 0);
    if (bytes == 0) { return; }
    if (address == 0) {
        refuse(r, CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "workspace");
        return;
    }
    void *place = fake_device_touch(r->stream, (void *)(uintptr_t)address, (size_t)bytes, true);
    if (place == NULL) { fake_die("the workspace lies outside of device memory"); }
    memset(place, 0xA5, (size_t)bytes);
}

/* The result as a matrix, whose rows are those of the images or, with channels last, their places.
 */
static void
spoil(int fault, const fake_tensor *y)
{
    const int fastest = y->strides[1] == 1 ? 1 : 3;
    const size_t columns = (size_t)y->extents[fastest];
    const size_t rows = fake_span(y) / fake_size_of(y->dtype) / columns;
    const spoiled matrix = {y->data, fake_dtype_of(y), rows, columns,
                            columns * fake_size_of(y->dtype)};
    fake_spoil(fault, &matrix);
}

static void
run_forward(run *r, const fake_engine *engine, const fake_descriptor *forward,
            const fake_descriptor *add)
{
    const fake_descriptor *d =
        fake_part(forward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, 0);
    fake_convolution conv = {
        .x = take(r, fake_part(forward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, 0), false),
        .w = take(r, fake_part(forward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, 0), false),
        .y = take(r, fake_part(forward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, 0), true),
        .has_bias = add != NULL,
        .is_double = fake_enum(d, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, 0) == CUDNN_DATA_DOUBLE,
        .is_flipped =
            fake_enum(d, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CONVOLUTION) == CUDNN_CONVOLUTION,
        .habit = r->fault == FAKE_TF32 ? FAKE_AS_TF32 : engine->habit,
    };
    for (size_t i = 0; i < 2; i++) {
        conv.before[i] = fake_number(d, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, i, 0);
        conv.stride[i] = fake_number(d, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, i, 1);
        conv.dilation[i] = fake_number(d, CUDNN_ATTR_CONVOLUTION_DILATIONS, i, 1);
    }
    if (add != NULL) {
        conv.bias = take(r, fake_part(add, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, 0), false);
        conv.y = take(r, fake_part(add, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, 0), true);
    }
    if (r->status != CUDNN_STATUS_SUCCESS) { return; }
    fake_convolve(&conv);
    spoil(r->fault, &conv.y);
}

static void
run_addition(run *r, const fake_descriptor *add)
{
    const fake_tensor x = take(r, fake_part(add, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, 0), false);
    const fake_tensor b = take(r, fake_part(add, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, 0), false);
    const fake_tensor y = take(r, fake_part(add, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, 0), true);
    if (r->status == CUDNN_STATUS_SUCCESS) { fake_add(&x, &b, &y); }
}

cudnnStatus_t
cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                    cudnnBackendDescriptor_t pack)
{
    const int fault = fake_enter(__func__);
    if (fault > 0) { return fake_refuse((cudnnStatus_t)fault, "as planned"); }
    const fake_descriptor *ready = plan;
    run r = {.pack = pack, .fault = fault, .status = CUDNN_STATUS_SUCCESS};
    if (handle == NULL || plan == NULL || pack == NULL) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "nullptr");
    }
    if (!ready->is_final || !r.pack->is_final) {
        return fake_refuse(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "plan or pack");
    }
    const fake_descriptor *config = fake_part(ready, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 0);
    const fake_descriptor *forward = fake_forward_of(config->graph);
    r.stream = handle->stream;
    fake_device_begin(r.stream);
    take_workspace(&r, config->engine->workspace);
    if (forward == NULL) { run_addition(&r, fake_addition_of(config->graph)); }
    else {
        run_forward(&r, config->engine, forward, fake_addition_of(config->graph));
    }
    return r.status;
}
