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
