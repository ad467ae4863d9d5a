/* The compiled kernels, embedded: a table without a fat binary, so that the loader decides which
 * image a driver gets, and can say which one it was. images.c is made by embed.py at build time. */
#ifndef GP_IMAGES_H
#define GP_IMAGES_H

#include <stddef.h>

typedef enum gp_image_kind { GP_IMAGE_CUBIN, GP_IMAGE_PTX } gp_image_kind;

typedef struct gp_image {
    gp_image_kind kind;
    int capability;    /* 75, 90 …: compute capability without the dot */
    int arch_specific; /* 1 for 90a: runs on exactly this capability */
    int min_cuda;      /* the CUDA version that the driver must offer at least: 13000, 9000 */
    const unsigned char *data; /* PTX ends with a NUL, which `size` counts */
    size_t size;
} gp_image;

/* The count is 0 where the core was built without nvcc. */
extern const gp_image gp_images[];
extern const size_t gp_image_count;
extern const int gp_images_cuda; /* of the compiler, such as 13000; 0 without kernels */

#endif
