/* A driver of our own making behind a gp_cuda table: it computes nothing, gives scripted answers,
 * counts what is held, and lets the n-th call fail. For tests of who releases what; whether kernels
 * compute is proved with tests/fakes and tests/hostcuda. */
#ifndef SCRIPTED_CUDA_H
#define SCRIPTED_CUDA_H

#include "api/gp_cuda.h"
#include "device/gp_module.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCRIPTED_CODE = 719 };

typedef struct scripted_cuda {
    /* What to do. */
    size_t fail_at; /* the n-th call returns SCRIPTED_CODE; 0: none */
    int device_count;
    int lost_ordinal;     /* cuDeviceGet of it returns SCRIPTED_CODE; -1: none */
    int is_mig;           /* the device's own UUID differs from its parent's */
    gp_cu_result refusal; /* cuModuleLoadData returns it for the first `refused` images */
    int refused;
    uint64_t hash; /* what a copy of 8 bytes brings */
    float *sum;    /* what a larger copy brings */
    void *work;    /* where a launch leaves the structure that is its parameter; NULL: nowhere */
    size_t work_bytes;

    /* What was done. */
    size_t calls;
    int loads;
    int lookups; /* of functions */
    int retained;
    int current;
    int modules;
    int allocations;
    int launches;
    bool is_busy;        /* nobody has waited since the last launch */
    unsigned int blocks; /* of the last launch */
    gp_cu_stream stream; /* likewise */
    const char *kernel;  /* likewise */
} scripted_cuda;

/* The state of this process, all zero but one device that is not lost. */
extern scripted_cuda script;

/* A table of all functions but those of scripted_memory.h. */
gp_cuda scripted_cuda_table(void);

/* The kernels, loaded by calls that are not counted and do not fail. */
gp_module scripted_module(const gp_cuda *cu);

/* Counts a call; true where it is the one that fails. */
bool scripted_fails(void);

/* What a call that fails may write in place of a handle: nobody may give it back. */
#define SCRIPTED_GARBAGE ((uintptr_t)0xDEAD0)

#define RETURN_IF_FAILING()                             \
    do {                                                \
        if (scripted_fails()) { return SCRIPTED_CODE; } \
    } while (0)

/* Fails the test if anything is still held. */
void scripted_cuda_assert_released(void);

#endif
