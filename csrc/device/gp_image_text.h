/* The words for an embedded image. */
#ifndef GP_IMAGE_TEXT_H
#define GP_IMAGE_TEXT_H

#include "kernels/images.h"

#define GP_IMAGE_TEXT_SIZE 32

/* "cubin", "ptx" */
const char *gp_image_kind_name(gp_image_kind kind);

/* "75", "90a" */
void gp_image_capability(const gp_image *image, char text[GP_IMAGE_TEXT_SIZE]);

/* "cubin sm_90a", "ptx sm_50" */
void gp_image_text(const gp_image *image, char text[GP_IMAGE_TEXT_SIZE]);

#endif
