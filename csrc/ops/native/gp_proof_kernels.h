/* The first thing that a GPU is asked to compute: fill two vectors, add them, hash the sum; judged
 * by the plain-C reference, bit for bit, and once more after copying the sum back. */
#ifndef GP_PROOF_KERNELS_H
#define GP_PROOF_KERNELS_H

#include "api/gp_cuda.h"
#include "device/gp_devices.h"
#include "kernels/images.h"

#include <stdint.h>

enum { GP_PROOF_ELEMENTS = 1 << 20 };

typedef struct gp_proof {
    uint64_t expected;     /* the reference's hash of the sum */
    uint64_t got;          /* the device's, or that of the copied sum if only the copy is wrong */
    const gp_image *image; /* what ran; NULL if none was loaded */
    uint64_t context_ns;   /* retaining the primary context */
    uint64_t module_ns;    /* loading the image, with JIT compilation if it is PTX */
    uint64_t run_ns;       /* allocations, launches, copies */
} gp_proof;

/* Runs the proof on a device whose handle and capability were read. The primary context is given
 * back and the caller's current context restored on every path. GP_WRONG_RESULT names the kernel or
 * the copy that gave other bits. */
gp_status
gp_proof_kernels(const gp_cuda *cu, const gp_device *device, int driver_cuda, gp_proof *proof);

#endif
