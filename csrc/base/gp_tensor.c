#include "gp_tensor.h"

gp_status
gp_tensor_count(const gp_tensor *tensor, int64_t *count)
{
    int64_t limit = INT64_MAX / (int64_t)gp_dtype_size(tensor->dtype);
    int64_t product = 1;
    bool is_empty = false;
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t extent = tensor->shape[i];
        if (extent < 0) { return gp_fail(GP_BAD_ARGUMENT, 0, "gp_tensor_count"); }
        is_empty = is_empty || extent == 0;
        if (extent > 0 && product > limit / extent) {
            return gp_fail(GP_BAD_ARGUMENT, 0, "gp_tensor_count");
        }
        product *= extent > 0 ? extent : 1;
    }
    *count = is_empty ? 0 : product;
    return gp_ok();
}

void
gp_tensor_set_compact(gp_tensor *tensor)
{
    int64_t stride = (int64_t)gp_dtype_size(tensor->dtype);
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        tensor->strides[i] = stride;
        stride *= tensor->shape[i] > 0 ? tensor->shape[i] : 1;
    }
}

/* The first byte, and the one behind the last; the same where there is no element. */
typedef struct reach {
    uintptr_t begin;
    uintptr_t end;
} reach;

static reach
reach_of(const gp_tensor *tensor)
{
    uintptr_t first = (uintptr_t)tensor->data;
    reach found = {first, first + gp_dtype_size(tensor->dtype)};
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] == 0) { return (reach){first, first}; }
        int64_t steps = (tensor->shape[i] - 1) * tensor->strides[i];
        if (steps < 0) { found.begin -= (uintptr_t)-steps; }
        if (steps > 0) { found.end += (uintptr_t)steps; }
    }
    return found;
}

bool
gp_tensor_overlap(const gp_tensor *one, const gp_tensor *other)
{
    reach a = reach_of(one);
    reach b = reach_of(other);
    return a.begin < a.end && b.begin < b.end && a.begin < b.end && b.begin < a.end;
}
