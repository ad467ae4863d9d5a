/* A convolution through the scripted cuDNN, in the host's memory, which the script takes for the
 * device's, compared with the plain reference. */
#ifndef CUDNN_FIXTURE_H
#define CUDNN_FIXTURE_H

#include "ops/cudnn/gp_conv2d_cudnn.h"
#include "scripted_cudnn.h"

/* Any address: nobody follows it. */
#define STREAM ((gp_cu_stream)(void *)&dnn_script)

/* One convolution, in the host's memory. */
typedef struct problem {
    gp_dtype dtype;
    const char *compute;
    int64_t x[4]; /* in the order of the layout */
    int64_t w[4];
    gp_conv2d_options options;
    bool has_bias;
} problem;

typedef struct fixture {
    gp_cuda cu;
    gp_cudnn dnn;
    gp_arena arena;
    gp_cudnn_device device;
    gp_cudnn_told told;
} fixture;

/* A filter of 3 x 3, padded by one. */
problem problem_of(gp_dtype dtype, bool has_bias);

/* A failure leaves nothing. */
gp_status fixture_open(fixture *f);
gp_status fixture_close(fixture *f);

/* The same, and fail the test on a failure, or if anything is still held. */
void begin(fixture *f);
void end(fixture *f);

/* Fails the test if anything is still held. */
void assert_released(void);

/* Computes it, and compares a result with the plain reference's, bit by bit. */
gp_status convolve(fixture *f, const problem *p);

void assert_computes(problem p);
void assert_refuses(problem p, const char *reason);

#endif
