#include "gp_cublas_batch.h"

/* Whether `outer` goes on where `inner` ends, in all three matrices. */
static bool
goes_on(const gp_cublas_axis *inner, const gp_cublas_axis *outer)
{
    bool is_even = true;
    for (int i = 0; i < GP_CUBLAS_MATRICES; i++) {
        is_even = is_even && outer->strides[i] == inner->extent * inner->strides[i];
    }
    return is_even;
}

static void
add_axis(gp_cublas_batch *batch, gp_cublas_axis axis)
{
    gp_cublas_axis *inner = batch->ndim == 0 ? NULL : &batch->axes[batch->ndim - 1];
    if (axis.extent == 1) { return; }
    if (inner != NULL && goes_on(inner, &axis)) { inner->extent *= axis.extent; }
    else {
        batch->axes[batch->ndim++] = axis;
    }
}

static void
put_largest_last(gp_cublas_batch *batch)
{
    for (int i = 0; i + 1 < batch->ndim; i++) {
        gp_cublas_axis *last = &batch->axes[batch->ndim - 1];
        if (batch->axes[i].extent > last->extent) {
            gp_cublas_axis larger = batch->axes[i];
            batch->axes[i] = *last;
            *last = larger;
        }
    }
}

void
gp_cublas_batch_of(const gp_matmul_shape *shape, int64_t size, gp_cublas_batch *batch)
{
    int64_t result_stride = shape->m * shape->n * size;
    batch->ndim = 0;
    for (int i = shape->batch_ndim - 1; i >= 0; i--) {
        gp_cublas_axis axis = {shape->batch_shape[i],
                               {[GP_FIRST] = shape->b_batch_strides[i],
                                [GP_SECOND] = shape->a_batch_strides[i],
                                [GP_RESULT] = result_stride}};
        add_axis(batch, axis);
        result_stride *= shape->batch_shape[i];
    }
    put_largest_last(batch);
}

void
gp_cublas_batch_offsets(const gp_cublas_batch *batch, int64_t index,
                        int64_t offsets[GP_CUBLAS_MATRICES])
{
    offsets[GP_FIRST] = 0;
    offsets[GP_SECOND] = 0;
    offsets[GP_RESULT] = 0;
    for (int i = batch->ndim - 2; i >= 0; i--) {
        const gp_cublas_axis *axis = &batch->axes[i];
        for (int matrix = 0; matrix < GP_CUBLAS_MATRICES; matrix++) {
            offsets[matrix] += index % axis->extent * axis->strides[matrix];
        }
        index /= axis->extent;
    }
}

int64_t
gp_cublas_batch_calls(const gp_cublas_batch *batch)
{
    int64_t calls = 1;
    for (int i = 0; i + 1 < batch->ndim; i++) {
        calls *= batch->axes[i].extent;
    }
    return calls;
}
