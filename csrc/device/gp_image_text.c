#include "gp_image_text.h"

#include <stdio.h>

const char *
gp_image_kind_name(gp_image_kind kind)
{
    return kind == GP_IMAGE_CUBIN ? "cubin" : "ptx";
}

void
gp_image_capability(const gp_image *image, char text[GP_IMAGE_TEXT_SIZE])
{
    const char *suffix = image->arch_specific ? "a" : "";
    (void)snprintf(text, GP_IMAGE_TEXT_SIZE, "%d%s", image->capability, suffix);
}

void
gp_image_text(const gp_image *image, char text[GP_IMAGE_TEXT_SIZE])
{
    const char *suffix = image->arch_specific ? "a" : "";
    (void)snprintf(text, GP_IMAGE_TEXT_SIZE, "%s sm_%d%s", gp_image_kind_name(image->kind),
                   image->capability, suffix);
}
