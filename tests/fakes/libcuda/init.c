/* Before anything else: cuInit, the version, and the gate that every call passes. */
#include "fake_cuda.h"

#include <pthread.h>
#include <stdio.h>

const char fake_prefix[] = "cu";

static fake_device devices[FAKE_MAX_SEEN];
static size_t device_count;
static enum { NOT_YET, HERE, BEFORE_A_FORK } initialised;
static int sticky_code;

/* A child forked after cuInit inherits a driver that is dead for it: everything answers 3. */
static void
die_in_child(void)
{
    if (initialised == HERE) { initialised = BEFORE_A_FORK; }
}

bool
fake_is_sticky(int code)
{
    switch (code) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_LAUNCH_FAILED: return true;
    default: return false;
    }
}

int
fake_cuda_enter(const char *call, fake_need need)
{
    const int fault = fake_enter(call);
    if (fake_is_sticky(fault)) { sticky_code = fault; }
    if (fault > 0) { return fault; }
    if (need >= FAKE_AFTER_INIT && initialised != HERE) { return CUDA_ERROR_NOT_INITIALIZED; }
    if (need == FAKE_IN_CONTEXT) {
        if (sticky_code != 0) { return sticky_code; }
        if (fake_current() == NULL) { return CUDA_ERROR_INVALID_CONTEXT; }
    }
    return fault;
}

CUresult CUDAAPI
cuInit(unsigned int flags)
{
    FAKE_CALL(FAKE_ANYTIME);
    if (flags != 0) { return CUDA_ERROR_INVALID_VALUE; }
    if (initialised != NOT_YET) {
        return initialised == HERE ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
    }
    fake_seen visible[FAKE_MAX_SEEN];
    device_count = fake_enumerate(visible);
    if (device_count == 0) { return CUDA_ERROR_NO_DEVICE; }
    for (size_t i = 0; i < device_count; i++) {
        devices[i] = (fake_device){visible[i].gpu, visible[i].mig, {.device = (CUdevice)i}};
    }
    if (pthread_atfork(NULL, NULL, die_in_child) != 0) { return CUDA_ERROR_OUT_OF_MEMORY; }
    initialised = HERE;
    return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDriverGetVersion(int *version)
{
    FAKE_CALL(FAKE_ANYTIME);
    if (version == NULL) { return CUDA_ERROR_INVALID_VALUE; }
    *version = (int)fake_machine()->driver.cuda_version;
    return CUDA_SUCCESS;
}

fake_device *
fake_device_at(CUdevice ordinal)
{
    return ordinal >= 0 && (size_t)ordinal < device_count ? &devices[ordinal] : NULL;
}

size_t
fake_device_count(void)
{
    return device_count;
}

__attribute__((destructor)) static void
report(void)
{
    char counts[320];
    (void)snprintf(counts, sizeof counts,
                   "\"contexts\":%zu,\"allocations\":%zu,\"modules\":%zu,\"bad_frees\":%zu,"
                   "\"streams\":%zu,\"events\":%zu,"
                   "\"reservations\":%zu,\"handles\":%zu,\"mappings\":%zu,\"pinned\":%zu",
                   fake_live_contexts(), (size_t)fake_live_allocations, (size_t)fake_live_modules,
                   (size_t)fake_bad_frees, (size_t)fake_live_streams, (size_t)fake_live_events,
                   (size_t)fake_live_reservations, (size_t)fake_live_handles,
                   (size_t)fake_live_mappings, (size_t)fake_live_pinned);
    fake_report("libcuda", counts);
}
