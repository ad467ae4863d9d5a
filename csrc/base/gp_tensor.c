#include "gp_tensor.h"

/* Neither is negative. Divides only where that can be: it costs more than the rest of a count. */
static bool
is_product_too_large(int64_t a, int64_t b)
{
    return ((a | b) >> 31) != 0 && b > 0 && a > INT64_MAX / b;
}

gp_status
gp_tensor_count(const gp_tensor *tensor, int64_t *count)
{
    int64_t bytes = (int64_t)gp_dtype_size(tensor->dtype); /* as if no extent were 0 */
    int64_t elements = 1;
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t extent = tensor->shape[i];
        if (extent < 0 || is_product_too_large(bytes, extent)) {
            return gp_fail(GP_BAD_ARGUMENT, 0, "gp_tensor_count");
        }
        bytes *= extent > 0 ? extent : 1;
        elements *= extent;
    }
    *count = elements;
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
