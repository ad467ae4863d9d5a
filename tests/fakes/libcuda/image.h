/* Reads the two kinds of kernel image that gpuprobe embeds, as far as a driver judges them. */
#ifndef FAKE_IMAGE_H
#define FAKE_IMAGE_H

#include "fake_cuda.h"

/* CUDA_SUCCESS, or why a driver of this CUDA version (12020) cannot run the image on a device of
 * this capability (90). */
CUresult fake_image_check(const void *image, uint64_t capability, uint64_t driver_cuda);

/* Whether the image holds a kernel of this name. */
bool fake_image_has_kernel(const void *image, const char *name);

#endif
