/* Writes down every kind of graph that gpuprobe gives cuDNN, and says what the library named on the
 * command line makes of each. Needs no device: only the handle, which would need one, is left out.
 */
#include "ops/cudnn/gp_cudnn_graph.h"

#include <stdio.h>

static gp_cudnn library;

static gp_cudnn_result
set_all_but_handles(gp_cudnn_descriptor descriptor, gp_cudnn_attribute attribute,
                    gp_cudnn_type type, int64_t count, const void *values)
{
    if (type == GP_CUDNN_TYPE_HANDLE) { return GP_CUDNN_SUCCESS; }
    return library.cudnnBackendSetAttribute(descriptor, attribute, type, count, values);
}

static gp_tensor
tensor_of(gp_dtype dtype, gp_layout layout, int64_t n, int64_t c, int64_t h, int64_t w)
{
    static _Alignas(16) char memory[16]; /* never read: only its alignment counts */
    gp_tensor tensor = {.data = memory, .dtype = dtype, .ndim = 4, .shape = {n, c, h, w}};
    if (layout == GP_NHWC) {
        tensor.shape[1] = h;
        tensor.shape[2] = w;
        tensor.shape[3] = c;
    }
    gp_tensor_set_compact(&tensor);
    return tensor;
}

/* Two groups, uneven padding, strides and dilations: every attribute has a value of its own. */
static gp_status
describe(gp_dtype dtype, gp_layout layout, gp_cudnn_problem *problem)
{
    const gp_conv2d_options options = {layout, GP_PADDING_GIVEN, {1, 0}, {2, 1}, {1, 2}, {2, 1}, 2};
    gp_conv2d_shape shape;
    gp_tensor x = tensor_of(dtype, layout, 2, 8, 16, 18);
    gp_tensor w = tensor_of(dtype, layout, 16, 4, 3, 2);
    gp_tensor bias = {.data = x.data, .dtype = dtype, .ndim = 1, .shape = {16}};
    gp_tensor y = {.data = x.data, .dtype = dtype};
    gp_tensor_set_compact(&bias);
    if (gp_conv2d_shape_of(&x, &w, &options, &shape, &y) != GP_CONV2D_FITS) {
        return gp_fail(GP_BAD_ARGUMENT, 0, "gp_conv2d_shape_of");
    }
    return gp_cudnn_problem_of(&shape, &x, &w, &bias, &y, gp_arithmetic_of(dtype), problem);
}

static void
try_graph(const gp_cudnn *dnn, gp_dtype dtype, gp_layout layout, gp_cudnn_graph graph)
{
    static const char *const names[] = {"conv", "conv and bias", "bias"};
    char nobody = 0;
    gp_cudnn_bag bag;
    gp_cudnn_problem problem;
    gp_status st = describe(dtype, layout, &problem);
    gp_cudnn_bag_begin(&bag, dnn);
    if (!gp_failed(st)) {
        (void)gp_cudnn_graph_make(&bag, (gp_cudnn_handle)(void *)&nobody, &problem, graph);
        st = bag.failure.status;
    }
    printf("%s %s %s: %d %s %s\n", gp_dtype_name(dtype), layout == GP_NHWC ? "NHWC" : "NCHW",
           names[graph], st.code, gp_failed(st) ? st.call : "ready", bag.failure.text);
    gp_cudnn_bag_free(&bag);
}

int
main(int argc, char **argv)
{
    static const gp_dtype dtypes[] = {GP_FLOAT64, GP_FLOAT32, GP_FLOAT16, GP_BFLOAT16};
    const gp_settings settings = {.values = {[GP_VAR_LIBCUDNN] = argc == 2 ? argv[1] : NULL}};
    const gp_toolkit_place place = {&settings, NULL};
    if (argc != 2 || gp_failed(gp_cudnn_load(&library, &place, (gp_trace){NULL}))) {
        printf("no library: %s\n", gp_text_get(&library.library.error));
        return 1;
    }
    gp_cudnn dnn = library;
    dnn.cudnnBackendSetAttribute = set_all_but_handles;
    for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++) {
        for (int layout = GP_NCHW; layout <= GP_NHWC; layout++) {
            for (int graph = GP_CUDNN_GRAPH_CONV; graph <= GP_CUDNN_GRAPH_BIAS; graph++) {
                try_graph(&dnn, dtypes[i], (gp_layout)layout, (gp_cudnn_graph)graph);
            }
        }
    }
    gp_cudnn_free(&library);
    return 0;
}
