#include "gp_cudnn_problem.h"

/* Engines load up to 16 bytes at a time: what is aligned better is as good as this. */
enum { BEST_ALIGNMENT = 16 };

/* What no arithmetic of ours allows. FFT and Winograd sum other products than the text book's, so
 * that the bounds of gp_arithmetic.h would not hold for them, and whole numbers not be exact. */
#define ALWAYS_REFUSED                                                                          \
    (GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_DOWN_CONVERT_INPUTS) |                                     \
     GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_REDUCED_PRECISION_REDUCTION) |                             \
     GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_FFT) | GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_NONDETERMINISTIC) | \
     GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_WINOGRAD) |                                                \
     GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_WINOGRAD_TILE_4x4) |                                       \
     GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_WINOGRAD_TILE_6x6) |                                       \
     GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_WINOGRAD_TILE_13x13))

static gp_status
unsupported(const char *reason)
{
    return gp_fail(GP_UNSUPPORTED, 0, reason);
}

static bool
read_dtype(gp_dtype dtype, int64_t *ours)
{
    switch (dtype) {
    case GP_FLOAT64: *ours = GP_CUDNN_DATA_DOUBLE; return true;
    case GP_FLOAT32: *ours = GP_CUDNN_DATA_FLOAT; return true;
    case GP_FLOAT16: *ours = GP_CUDNN_DATA_HALF; return true;
    case GP_BFLOAT16: *ours = GP_CUDNN_DATA_BFLOAT16; return true;
    default: return false;
    }
}

/* float64 is summed in double, all others in float; only where TF32 is asked for may tensor cores
 * take float32, which they read as TF32. */
static gp_status
read_arithmetic(const gp_arithmetic *arithmetic, gp_dtype input, gp_cudnn_problem *problem)
{
    bool is_usual = arithmetic == gp_arithmetic_of(input);
    bool is_tf32 = !is_usual && input == GP_FLOAT32 && arithmetic == gp_arithmetic_find("tf32");
    if (!is_usual && !is_tf32) {
        return unsupported("cuDNN has no such arithmetic for inputs of this type");
    }
    problem->sum_dtype = input == GP_FLOAT64 ? GP_CUDNN_DATA_DOUBLE : GP_CUDNN_DATA_FLOAT;
    problem->refused_notes = ALWAYS_REFUSED;
    if (input == GP_FLOAT32 && !is_tf32) {
        problem->refused_notes |= GP_CUDNN_NOTE_BIT(GP_CUDNN_NOTE_TENSOR_CORE);
    }
    return gp_ok();
}

/* The largest power of two that divides the address, up to the best. */
static int64_t
alignment_of(const void *data)
{
    uintptr_t address = (uintptr_t)data | BEST_ALIGNMENT;
    return (int64_t)(address & (~address + 1));
}

/* Along an axis of one element nothing is ever stepped, so that any stride is right. */
static gp_status
read_strides(const int64_t strides[4], int64_t size, gp_cudnn_operand *operand)
{
    for (int i = 0; i < 4; i++) {
        bool is_usable = strides[i] > 0 && strides[i] % size == 0;
        if (!is_usable && operand->extents[i] > 1) {
            return unsupported("this back end gives cuDNN positive strides of whole elements only");
        }
        operand->strides[i] = is_usable ? strides[i] / size : 1;
    }
    return gp_ok();
}

static gp_status
read_operand(const gp_tensor *tensor, const int64_t extents[4], const int64_t strides[4],
             gp_cudnn_operand *operand)
{
    int64_t size = (int64_t)gp_dtype_size(tensor->dtype);
    if (!read_dtype(tensor->dtype, &operand->dtype)) {
        return unsupported("this back end gives cuDNN float64, float32, float16 and bfloat16 only");
    }
    for (int i = 0; i < 4; i++) {
        operand->extents[i] = extents[i];
    }
    operand->alignment_bytes = alignment_of(tensor->data);
    if (operand->alignment_bytes % size != 0) {
        return unsupported("cuDNN takes addresses that are multiples of an element's size");
    }
    return read_strides(strides, size, operand);
}

/* One value a filter, the same for all images and places. */
static gp_status
read_bias(const gp_tensor *bias, int64_t filters, gp_cudnn_problem *problem)
{
    const int64_t extents[4] = {1, filters, 1, 1};
    const int64_t strides[4] = {filters * bias->strides[0], bias->strides[0],
                                filters * bias->strides[0], filters * bias->strides[0]};
    problem->has_bias = 1;
    return read_operand(bias, extents, strides, &problem->operands[GP_CUDNN_BIAS]);
}

static void
read_options(const gp_conv2d_shape *shape, gp_cudnn_problem *problem)
{
    for (int i = 0; i < 2; i++) {
        problem->pad_before[i] = shape->pad_before[i];
        problem->pad_after[i] = shape->pad_after[i];
        problem->stride[i] = shape->stride[i];
        problem->dilation[i] = shape->dilation[i];
    }
}

gp_status
gp_cudnn_problem_of(const gp_conv2d_shape *shape, const gp_tensor *x, const gp_tensor *w,
                    const gp_tensor *bias, const gp_tensor *y, const gp_arithmetic *arithmetic,
                    gp_cudnn_problem *problem)
{
    const int64_t xs[4] = {shape->n, shape->c, shape->in[0], shape->in[1]};
    const int64_t ws[4] = {shape->k, shape->c / shape->groups, shape->filter[0], shape->filter[1]};
    const int64_t ys[4] = {shape->n, shape->k, shape->out[0], shape->out[1]};
    *problem = (gp_cudnn_problem){.has_bias = 0};
    read_options(shape, problem);
    gp_status st = read_arithmetic(arithmetic, x->dtype, problem);
    if (gp_failed(st)) { return st; }
    st = read_operand(x, xs, shape->x_strides, &problem->operands[GP_CUDNN_X]);
    if (gp_failed(st)) { return st; }
    st = read_operand(w, ws, shape->w_strides, &problem->operands[GP_CUDNN_W]);
    if (gp_failed(st)) { return st; }
    st = read_operand(y, ys, shape->y_strides, &problem->operands[GP_CUDNN_Y]);
    if (gp_failed(st) || bias == NULL) { return st; }
    return read_bias(bias, shape->k, problem);
}
