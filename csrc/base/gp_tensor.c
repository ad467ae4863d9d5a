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

/* Adds what one axis reaches over to `*bytes`; false where a number does not hold it. One step more
 * than there is has to be a number, too: whoever joins two axes computes it. */
static bool
add_reach(int64_t extent, int64_t step, int64_t *bytes)
{
    if (is_product_too_large(extent, step)) { return false; }
    int64_t steps = (extent - 1) * step;
    if (steps > INT64_MAX - *bytes) { return false; }
    *bytes += steps;
    return true;
}

/* From the first element to the lowest byte, and to behind the highest one. */
static bool
measure_reach(const gp_tensor *tensor, int64_t *below, int64_t *above)
{
    *below = 0;
    *above = (int64_t)gp_dtype_size(tensor->dtype);
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t stride = tensor->strides[i];
        if (tensor->shape[i] == 1) { continue; }
        if (stride == INT64_MIN) { return false; }
        bool is_down = stride < 0;
        if (!add_reach(tensor->shape[i], is_down ? -stride : stride, is_down ? below : above)) {
            return false;
        }
    }
    return true;
}

bool
gp_tensor_is_empty(const gp_tensor *tensor)
{
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] == 0) { return true; }
    }
    return false;
}

int64_t
gp_tensor_stride(const gp_tensor *tensor, int axis)
{
    return gp_tensor_is_empty(tensor) ? 0 : tensor->strides[axis];
}

gp_status
gp_tensor_check_reach(const gp_tensor *tensor)
{
    uintptr_t first = (uintptr_t)tensor->data;
    int64_t below = 0;
    int64_t above = 0;
    if (gp_tensor_is_empty(tensor)) { return gp_ok(); }
    bool is_there = measure_reach(tensor, &below, &above) && (uint64_t)below <= first &&
                    (uint64_t)above <= UINTPTR_MAX - first;
    return is_there ? gp_ok() : gp_fail(GP_BAD_ARGUMENT, 0, "gp_tensor_check_reach");
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
    if (gp_tensor_is_empty(tensor)) { return (reach){first, first}; } /* with any strides */
    for (int i = 0; i < tensor->ndim; i++) {
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
