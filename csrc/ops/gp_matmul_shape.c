#include "gp_matmul_shape.h"

static int
batch_ndim_of(const gp_tensor *tensor)
{
    return tensor->ndim > 2 ? tensor->ndim - 2 : 0;
}

/* The last two axes of each; a vector gets the axis that it lacks. */
static gp_matmul_misfit
read_matrices(const gp_tensor *a, const gp_tensor *b, gp_matmul_shape *shape)
{
    if (a->ndim == 0 || b->ndim == 0) { return GP_MATMUL_SCALAR; }
    shape->a_is_vector = a->ndim == 1;
    shape->b_is_vector = b->ndim == 1;
    shape->m = shape->a_is_vector ? 1 : a->shape[a->ndim - 2];
    shape->a_strides[0] = shape->a_is_vector ? 0 : gp_tensor_stride(a, a->ndim - 2);
    shape->k = a->shape[a->ndim - 1];
    shape->a_strides[1] = gp_tensor_stride(a, a->ndim - 1);
    shape->n = shape->b_is_vector ? 1 : b->shape[b->ndim - 1];
    shape->b_strides[1] = shape->b_is_vector ? 0 : gp_tensor_stride(b, b->ndim - 1);
    int inner = shape->b_is_vector ? 0 : b->ndim - 2;
    shape->b_strides[0] = gp_tensor_stride(b, inner);
    return b->shape[inner] == shape->k ? GP_MATMUL_FITS : GP_MATMUL_INNER;
}

/* Extent and stride of a batch axis, counted from the last; axes in front of the first are 1. */
static int64_t
batch_axis(const gp_tensor *tensor, int from_last, int64_t *stride)
{
    int axis = batch_ndim_of(tensor) - 1 - from_last;
    int64_t extent = axis < 0 ? 1 : tensor->shape[axis];
    *stride = axis < 0 || extent == 1 ? 0 : gp_tensor_stride(tensor, axis);
    return extent;
}

static gp_matmul_misfit
read_batch(const gp_tensor *a, const gp_tensor *b, gp_matmul_shape *shape)
{
    int a_ndim = batch_ndim_of(a);
    int b_ndim = batch_ndim_of(b);
    shape->batch_ndim = a_ndim > b_ndim ? a_ndim : b_ndim;
    for (int i = 0; i < shape->batch_ndim; i++) {
        int axis = shape->batch_ndim - 1 - i;
        int64_t a_extent = batch_axis(a, i, &shape->a_batch_strides[axis]);
        int64_t b_extent = batch_axis(b, i, &shape->b_batch_strides[axis]);
        if (a_extent != b_extent && a_extent != 1 && b_extent != 1) { return GP_MATMUL_BATCH; }
        shape->batch_shape[axis] = a_extent == 1 ? b_extent : a_extent;
    }
    return GP_MATMUL_FITS;
}

static gp_matmul_misfit
shape_result(const gp_matmul_shape *shape, gp_tensor *c)
{
    c->ndim = 0;
    for (int i = 0; i < shape->batch_ndim; i++) {
        c->shape[c->ndim++] = shape->batch_shape[i];
    }
    if (!shape->a_is_vector) { c->shape[c->ndim++] = shape->m; }
    if (!shape->b_is_vector) { c->shape[c->ndim++] = shape->n; }
    int64_t count = 0;
    if (gp_failed(gp_tensor_count(c, &count))) { return GP_MATMUL_TOO_LARGE; }
    gp_tensor_set_compact(c);
    return GP_MATMUL_FITS;
}

gp_matmul_misfit
gp_matmul_shape_of(const gp_tensor *a, const gp_tensor *b, gp_matmul_shape *shape, gp_tensor *c)
{
    *shape = (gp_matmul_shape){.batch = 1};
    gp_matmul_misfit misfit = read_matrices(a, b, shape);
    if (misfit == GP_MATMUL_FITS) { misfit = read_batch(a, b, shape); }
    if (misfit == GP_MATMUL_FITS) { misfit = shape_result(shape, c); }
    if (misfit != GP_MATMUL_FITS) { return misfit; }
    for (int i = 0; i < shape->batch_ndim; i++) {
        shape->batch *= shape->batch_shape[i];
    }
    return GP_MATMUL_FITS;
}

/* Bytes from the start of an input to its matrix number `index`, the last batch axis fastest. */
static int64_t
batch_offset(const gp_matmul_shape *shape, const int64_t *strides, int64_t index)
{
    int64_t offset = 0;
    for (int i = shape->batch_ndim - 1; i >= 0; i--) {
        offset += index % shape->batch_shape[i] * strides[i];
        index /= shape->batch_shape[i];
    }
    return offset;
}

static gp_matrix
matrix_at(const gp_tensor *tensor, int64_t offset, int64_t rows, int64_t columns,
          const int64_t strides[2])
{
    return gp_matrix_of((unsigned char *)tensor->data + offset, tensor->dtype, (size_t)rows,
                        (size_t)columns, (ptrdiff_t)strides[0], (ptrdiff_t)strides[1]);
}

void
gp_matmul_matrices(const gp_matmul_shape *shape, const gp_tensor *a, const gp_tensor *b,
                   const gp_tensor *c, int64_t index, gp_matrix matrices[3])
{
    int64_t size = (int64_t)gp_dtype_size(c->dtype);
    int64_t c_strides[2] = {shape->n * size, size};
    matrices[0] = matrix_at(a, batch_offset(shape, shape->a_batch_strides, index), shape->m,
                            shape->k, shape->a_strides);
    matrices[1] = matrix_at(b, batch_offset(shape, shape->b_batch_strides, index), shape->k,
                            shape->n, shape->b_strides);
    matrices[2] = matrix_at(c, index * shape->m * shape->n * size, shape->m, shape->n, c_strides);
}
