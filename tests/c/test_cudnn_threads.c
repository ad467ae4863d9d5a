/* For the thread sanitizer: many threads, one handle of cuDNN. */
#include "cudnn_fixture.h"
#include "harness.h"
#include "platform/gp_parallel.h"
#include "scripted_memory.h"

enum { WORKERS = 4, ROUNDS = 200, MOST_PLACES = 24 };

typedef struct shared {
    fixture fixture;
    bool is_right[WORKERS];
} shared;

/* Images of one row and of many widths; a filter of one place, so that y = 2 x. */
static gp_status
double_row(gp_cudnn_device *device, int64_t width, float *x, float *y)
{
    float two = 2.0F;
    gp_cudnn_told told;
    gp_conv2d_shape shape;
    const gp_conv2d_options options = {.layout = GP_NCHW,
                                       .padding = GP_PADDING_VALID,
                                       .stride = {1, 1},
                                       .dilation = {1, 1},
                                       .groups = 1};
    gp_tensor image = {.data = x, .dtype = GP_FLOAT32, .ndim = 4, .shape = {1, 1, 1, width}};
    gp_tensor filter = {.data = &two, .dtype = GP_FLOAT32, .ndim = 4, .shape = {1, 1, 1, 1}};
    gp_tensor result = {.data = y, .dtype = GP_FLOAT32};
    gp_tensor_set_compact(&image);
    gp_tensor_set_compact(&filter);
    (void)gp_conv2d_shape_of(&image, &filter, &options, &shape, &result);
    return gp_conv2d_cudnn(device, &shape, &image, &filter, NULL, &result,
                           gp_arithmetic_find("float32"), STREAM, &told);
}

static void
work(void *context, size_t worker, size_t begin, size_t end)
{
    shared *own = context;
    bool is_right = true;
    float x[MOST_PLACES];
    for (size_t i = begin; i < end; i++) {
        float y[MOST_PLACES] = {0.0F};
        size_t width = i % MOST_PLACES + 1;
        for (size_t k = 0; k < width; k++) {
            x[k] = (float)(worker + k);
        }
        gp_status st = double_row(&own->fixture.device, (int64_t)width, x, y);
        is_right = is_right && !gp_failed(st);
        for (size_t k = 0; k < width; k++) {
            is_right = is_right && y[k] == 2 * x[k];
        }
    }
    own->is_right[worker] = is_right;
}

TEST(cudnn_serves_several_threads)
{
    static shared s;
    dnn_script.usual[0].workspace = 1 * MIB;
    begin(&s.fixture);
    gp_parallel((size_t)WORKERS * ROUNDS, WORKERS, work, &s);
    for (size_t i = 0; i < WORKERS; i++) {
        ASSERT(s.is_right[i]);
    }
    ASSERT_INT(WORKERS * ROUNDS, dnn_script.executed);
    end(&s.fixture);
}
