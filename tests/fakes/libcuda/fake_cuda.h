/* What the parts of the fake libcuda share.
 *
 * The fake is compiled against NVIDIA's own cuda.h, so that a signature that gpuprobe misread does
 * not pass twice. Functions are defined under the exact exported name (cuMemAlloc_v2 …). What it
 * answers follows the header's documentation; where that is silent a comment says "assumed". */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include "../common/fault.h"
#include "../common/scenario.h"

#include <stdatomic.h>
#include <stdbool.h>

/* The library is built with hidden visibility; the vendor's declarations alone are exported. */
#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

/* The vendor's handles point to these. A context is a device's primary one; there are no others. */
struct CUctx_st {
    CUdevice device;
    unsigned retained; /* 0: does not exist */
    size_t allocated;  /* bytes */
};

/* What CUDA lists: a GPU, or a MIG instance in its place. */
typedef struct fake_seen {
    const fake_gpu *gpu;
    const fake_mig *mig; /* NULL: the whole GPU */
} fake_seen;

enum { FAKE_MAX_SEEN = FAKE_MAX_GPUS + FAKE_MAX_MIGS };

typedef struct fake_device {
    const fake_gpu *gpu;
    const fake_mig *mig;
    struct CUctx_st primary;
} fake_device;

/* What a call needs before it can do anything; each includes the ones above it. */
typedef enum { FAKE_ANYTIME, FAKE_AFTER_INIT, FAKE_IN_CONTEXT } fake_need;

/* Counts the call, applies the scenario's faults, and checks the need. FAKE_FLIP passes through. */
int fake_cuda_enter(const char *call, fake_need need);

/* The first line of every exported function but the copies to the host, which can be flipped. */
#define FAKE_CALL(need)                                                             \
    do {                                                                            \
        const int code_ = fake_cuda_enter(__func__, (need));                        \
        if (code_ < 0) { fake_die("%s copies nothing that could flip", __func__); } \
        if (code_ != 0) { return (CUresult)code_; }                                 \
    } while (0)

/* Fills `devices` as the driver does at cuInit, from CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER. */
size_t fake_enumerate(fake_seen devices[FAKE_MAX_SEEN]);

/* The same before any variable is looked at but CUDA_DEVICE_ORDER. */
size_t fake_list_all(fake_seen all[FAKE_MAX_SEEN]);

/* MIG as CUDA 12 brought it: a process sees several instances, and GPUs beside them. Else one. */
bool fake_sees_several_migs(void);

/* The visible device with this ordinal, or NULL. */
fake_device *fake_device_at(CUdevice ordinal);
size_t fake_device_count(void);

/* What a function does that has an older name as well. */
CUresult fake_give_uuid(CUuuid *uuid, const char *text);
CUresult fake_release_primary(CUdevice ordinal);
CUresult fake_elapsed(float *milliseconds, CUevent begin, CUevent end);

/* The context on top of this thread's stack, or NULL. */
struct CUctx_st *fake_current(void);

/* Once a kernel or copy ended like this, the context answers nothing else until the process ends.
 */
bool fake_is_sticky(int code);

/* Bytes that nobody holds: neither the scenario's processes nor this one. */
size_t fake_free_bytes(const fake_device *device);

/* Takes them, false where there are not as many, and gives them back. */
bool fake_hold_bytes(fake_device *device, size_t bytes);
void fake_drop_bytes(fake_device *device, size_t bytes);

/* Host address of the device range, or NULL where it does not lie within one allocation, or within
 * mapped addresses. */
char *fake_range(CUdeviceptr pointer, size_t bytes);
char *fake_mapped_range(CUdeviceptr pointer, size_t bytes);

/* The device whose memory is at the address, or NULL. */
const fake_device *fake_device_of(CUdeviceptr pointer);
const fake_device *fake_mapped_device(CUdeviceptr pointer);

/* Whether this device and driver have virtual memory management. */
bool fake_has_vmm(const fake_device *device);

/* Live objects, for the report. */
size_t fake_live_contexts(void);
extern atomic_size_t fake_live_allocations, fake_live_modules, fake_bad_frees;
extern atomic_size_t fake_live_streams, fake_live_events;
extern atomic_size_t fake_live_reservations, fake_live_handles, fake_live_mappings;
extern atomic_size_t fake_live_pinned;

#endif
