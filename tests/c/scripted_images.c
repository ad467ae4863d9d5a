/* Stands in the place of the embedded images, so that the tests need no nvcc. */
#include "kernels/images.h"

#define IMAGE ((const unsigned char *)"image"), sizeof("image")

const gp_image gp_images[] = {
    {GP_IMAGE_CUBIN, 90, 1, 13000, IMAGE},
    {GP_IMAGE_CUBIN, 90, 0, 13000, IMAGE},
    {GP_IMAGE_PTX, 50, 0, 9000, IMAGE},
};
const size_t gp_image_count = sizeof(gp_images) / sizeof(gp_images[0]);
