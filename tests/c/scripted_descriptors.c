#include "scripted_descriptors.h"

#include "harness.h"
#include "ops/gp_conv2d_reference.h"

#include <string.h>

const void *
value_of(const descriptor *d, gp_cudnn_attribute name)
{
    for (size_t i = 0; i < d->count; i++) {
        if (d->attributes[i].name == name) { return d->attributes[i].values; }
    }
    return NULL;
}

int64_t
count_of(const descriptor *d, gp_cudnn_attribute name)
{
    for (size_t i = 0; i < d->count; i++) {
        if (d->attributes[i].name == name) { return d->attributes[i].count; }
    }
    return 0;
}

const descriptor *
part_of(const descriptor *d, gp_cudnn_attribute name, size_t index)
{
    const void *values = value_of(d, name);
    const descriptor *part = NULL;
    ASSERT(values != NULL);
    memcpy(&part, (const unsigned char *)values + index * sizeof(part), sizeof(part));
    ASSERT(part != NULL && part->is_final);
    return part;
}

unsigned int
enum_of(const descriptor *d, gp_cudnn_attribute name)
{
    const void *value = value_of(d, name);
    unsigned int number = 0;
    ASSERT(value != NULL);
    memcpy(&number, value, sizeof(number));
    return number;
}

const int64_t *
numbers_of(const descriptor *d, gp_cudnn_attribute name, int64_t count)
{
    ASSERT_INT(count, count_of(d, name));
    return value_of(d, name);
}

static gp_dtype
dtype_of(unsigned int theirs)
{
    switch (theirs) {
    case GP_CUDNN_DATA_DOUBLE: return GP_FLOAT64;
    case GP_CUDNN_DATA_HALF: return GP_FLOAT16;
    case GP_CUDNN_DATA_BFLOAT16: return GP_BFLOAT16;
    default: ASSERT_INT(GP_CUDNN_DATA_FLOAT, theirs); return GP_FLOAT32;
    }
}

/* The memory that a pack gives for the tensor; NULL: none. */
static void *
memory_of(const descriptor *pack, const descriptor *tensor)
{
    int64_t count = count_of(pack, GP_CUDNN_VARIANT_PACK_UNIQUE_IDS);
    const int64_t *uids = numbers_of(pack, GP_CUDNN_VARIANT_PACK_UNIQUE_IDS, count);
    int64_t uid = *numbers_of(tensor, GP_CUDNN_TENSOR_UNIQUE_ID, 1);
    void *address = NULL;
    ASSERT_INT(count, count_of(pack, GP_CUDNN_VARIANT_PACK_DATA_POINTERS));
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *at = value_of(pack, GP_CUDNN_VARIANT_PACK_DATA_POINTERS);
        if (uids[i] == uid) { memcpy(&address, at + (size_t)i * sizeof(address), sizeof(address)); }
    }
    return address;
}

static gp_tensor
tensor_of(const descriptor *pack, const descriptor *d, int64_t strides[4])
{
    gp_tensor tensor = {.dtype = dtype_of(enum_of(d, GP_CUDNN_TENSOR_DATA_TYPE)), .ndim = 4};
    int64_t size = (int64_t)gp_dtype_size(tensor.dtype);
    int64_t alignment = *numbers_of(d, GP_CUDNN_TENSOR_BYTE_ALIGNMENT, 1);
    for (int i = 0; i < 4; i++) {
        tensor.shape[i] = numbers_of(d, GP_CUDNN_TENSOR_DIMENSIONS, 4)[i];
        tensor.strides[i] = numbers_of(d, GP_CUDNN_TENSOR_STRIDES, 4)[i] * size;
        strides[i] = tensor.strides[i];
    }
    tensor.data = memory_of(pack, d);
    ASSERT((uintptr_t)tensor.data % (uintptr_t)alignment == 0);
    return tensor;
}

static gp_conv2d_shape
shape_of(const descriptor *conv, const gp_tensor *x, const gp_tensor *w)
{
    gp_conv2d_shape shape = {.n = x->shape[0], .c = x->shape[1], .k = w->shape[0]};
    ASSERT_INT(GP_CUDNN_CROSS_CORRELATION, enum_of(conv, GP_CUDNN_CONVOLUTION_CONV_MODE));
    shape.groups = x->shape[1] / w->shape[1];
    for (int i = 0; i < 2; i++) {
        shape.in[i] = x->shape[2 + i];
        shape.filter[i] = w->shape[2 + i];
        shape.pad_before[i] = numbers_of(conv, GP_CUDNN_CONVOLUTION_PRE_PADDINGS, 2)[i];
        shape.pad_after[i] = numbers_of(conv, GP_CUDNN_CONVOLUTION_POST_PADDINGS, 2)[i];
        shape.stride[i] = numbers_of(conv, GP_CUDNN_CONVOLUTION_FILTER_STRIDES, 2)[i];
        shape.dilation[i] = numbers_of(conv, GP_CUDNN_CONVOLUTION_DILATIONS, 2)[i];
    }
    return shape;
}

/* `add` is the operation that adds a bias in the same graph, or NULL. */
static void
convolve(const descriptor *pack, const descriptor *forward, const descriptor *add)
{
    const descriptor *conv = part_of(forward, GP_CUDNN_FORWARD_CONV_DESC, 0);
    const descriptor *sum = part_of(forward, GP_CUDNN_FORWARD_Y, 0);
    const descriptor *result =
        add == NULL ? sum : part_of(add, GP_CUDNN_OPERATION_POINTWISE_YDESC, 0);
    gp_conv2d_shape strides;
    gp_tensor x = tensor_of(pack, part_of(forward, GP_CUDNN_FORWARD_X, 0), strides.x_strides);
    gp_tensor w = tensor_of(pack, part_of(forward, GP_CUDNN_FORWARD_W, 0), strides.w_strides);
    gp_tensor y = tensor_of(pack, result, strides.y_strides);
    gp_tensor bias;
    gp_conv2d_shape shape = shape_of(conv, &x, &w);
    memcpy(shape.x_strides, strides.x_strides, sizeof(shape.x_strides));
    memcpy(shape.w_strides, strides.w_strides, sizeof(shape.w_strides));
    memcpy(shape.y_strides, strides.y_strides, sizeof(shape.y_strides));
    shape.out[0] = y.shape[2];
    shape.out[1] = y.shape[3];
    if (add != NULL) {
        int64_t unused[4];
        bias = tensor_of(pack, part_of(add, GP_CUDNN_OPERATION_POINTWISE_BDESC, 0), unused);
        bias.strides[0] = bias.strides[1];
        ASSERT(*(const bool *)value_of(sum, GP_CUDNN_TENSOR_IS_VIRTUAL));
        ASSERT(part_of(add, GP_CUDNN_OPERATION_POINTWISE_XDESC, 0) == sum);
    }
    bool is_double = enum_of(conv, GP_CUDNN_CONVOLUTION_COMP_TYPE) == GP_CUDNN_DATA_DOUBLE;
    gp_conv2d_reference(&shape, gp_arithmetic_find(is_double ? "float64" : "float32"), &x, &w,
                        add == NULL ? NULL : &bias, &y);
}

/* y = y + bias, n k p q */
static void
add_in_place(const descriptor *pack, const descriptor *add)
{
    int64_t at[4];
    int64_t strides[4];
    int64_t unused[4];
    gp_tensor sum = tensor_of(pack, part_of(add, GP_CUDNN_OPERATION_POINTWISE_XDESC, 0), unused);
    gp_tensor bias = tensor_of(pack, part_of(add, GP_CUDNN_OPERATION_POINTWISE_BDESC, 0), unused);
    gp_tensor y = tensor_of(pack, part_of(add, GP_CUDNN_OPERATION_POINTWISE_YDESC, 0), strides);
    ASSERT(sum.data == y.data && sum.dtype == y.dtype);
    ASSERT_INT(GP_CUDNN_POINTWISE_ADD,
               enum_of(part_of(add, GP_CUDNN_OPERATION_POINTWISE_PW_DESCRIPTOR, 0),
                       GP_CUDNN_POINTWISE_MODE));
    for (at[0] = 0; at[0] < y.shape[0]; at[0]++) {
        for (at[1] = 0; at[1] < y.shape[1]; at[1]++) {
            for (at[2] = 0; at[2] < y.shape[2] * y.shape[3]; at[2]++) {
                int64_t row = at[2] / y.shape[3];
                int64_t column = at[2] % y.shape[3];
                unsigned char *place = (unsigned char *)y.data + at[0] * strides[0] +
                                       at[1] * strides[1] + row * strides[2] + column * strides[3];
                const unsigned char *b = (unsigned char *)bias.data + at[1] * bias.strides[1];
                double value = gp_dtype_load(y.dtype, place) + gp_dtype_load(bias.dtype, b);
                gp_dtype_store(y.dtype, value, place);
            }
        }
    }
}

void
scripted_compute(const descriptor *graph, const descriptor *pack)
{
    const descriptor *first = part_of(graph, GP_CUDNN_OPERATIONGRAPH_OPS, 0);
    bool is_fused = count_of(graph, GP_CUDNN_OPERATIONGRAPH_OPS) == 2;
    ASSERT(value_of(graph, GP_CUDNN_OPERATIONGRAPH_HANDLE) != NULL);
    if (first->kind == GP_CUDNN_OPERATION_POINTWISE) { add_in_place(pack, first); }
    else {
        convolve(pack, first, is_fused ? part_of(graph, GP_CUDNN_OPERATIONGRAPH_OPS, 1) : NULL);
    }
}
