/* Launches whose kernel computes right, and whose result is wrong nevertheless: broken hardware. */
#ifndef FAKE_SPOILED_H
#define FAKE_SPOILED_H

#include <hostcuda.h>

/* Inputs of a kernel as they were before they were rounded. */
typedef struct kept_inputs {
    hostcuda_span spans[HOSTCUDA_MOST_SPANS];
    void *bytes[HOSTCUDA_MOST_SPANS]; /* NULL: as it is */
} kept_inputs;

/* Before and after a launch with this fault (fault.h), which may be none. The kernel is one of
 * matmul's or conv2d's: the process ends where another one is to be spoilt. */
void fake_before_launch(int fault, const char *kernel, void **params, kept_inputs *kept);
void fake_after_launch(int fault, const char *kernel, void **params, kept_inputs *kept);

#endif
