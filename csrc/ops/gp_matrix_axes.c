/* How the axes of an array become the rows and columns of a matrix. */
#include "gp_matrix.h"

/* One direction: all its lines, and the fastest axis apart from the others. */
typedef struct direction {
    size_t lines;
    ptrdiff_t stride;
    gp_outer_axes outer;
} direction;

/* Takes the next axis outwards. One that goes on where those before it end is no axis of its own:
 * the rows of a plain array are one run of memory. */
static bool
add_axis(direction *found, size_t extent, ptrdiff_t stride)
{
    gp_outer_axes *outer = &found->outer;
    size_t *last_extent = outer->ndim == 0 ? &outer->inner : &outer->shape[outer->ndim - 1];
    ptrdiff_t last_stride = outer->ndim == 0 ? found->stride : outer->strides[outer->ndim - 1];
    found->lines *= extent;
    if (extent == 1) { return true; }
    if (*last_extent == 1 && outer->ndim == 0) {
        outer->inner = extent;
        found->stride = stride;
        return true;
    }
    if (stride == last_stride * (ptrdiff_t)*last_extent) {
        *last_extent *= extent;
        return true;
    }
    if (outer->ndim == GP_MAX_OUTER) { return false; }
    outer->shape[outer->ndim] = extent;
    outer->strides[outer->ndim] = stride;
    outer->ndim++;
    return true;
}

/* They were found from the fastest to the slowest. */
static void
reverse(gp_outer_axes *outer)
{
    for (int i = 0, j = outer->ndim - 1; i < j; i++, j--) {
        size_t extent = outer->shape[i];
        ptrdiff_t stride = outer->strides[i];
        outer->shape[i] = outer->shape[j];
        outer->strides[i] = outer->strides[j];
        outer->shape[j] = extent;
        outer->strides[j] = stride;
    }
}

/* The axes begin <= i < end; none at all make one line. */
static bool
read_direction(const gp_tensor *tensor, int begin, int end, direction *found)
{
    *found = (direction){.lines = 1, .outer = {.inner = 1}};
    for (int i = begin; i < end; i++) {
        if (tensor->shape[i] == 0) {
            found->lines = 0;
            return true;
        }
    }
    for (int i = end - 1; i >= begin; i--) {
        if (!add_axis(found, (size_t)tensor->shape[i], (ptrdiff_t)gp_tensor_stride(tensor, i))) {
            return false;
        }
    }
    reverse(&found->outer);
    return true;
}

bool
gp_matrix_of_tensor(const gp_tensor *tensor, int split, gp_matrix *matrix)
{
    direction rows;
    direction columns;
    if (!read_direction(tensor, 0, split, &rows) ||
        !read_direction(tensor, split, tensor->ndim, &columns)) {
        return false;
    }
    *matrix = gp_matrix_of(tensor->data, tensor->dtype, rows.lines, columns.lines, rows.stride,
                           columns.stride);
    matrix->outer_rows = rows.outer;
    matrix->outer_columns = columns.outer;
    return true;
}
