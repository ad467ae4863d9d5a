#include "device/gp_image_text.h"
#include "gp_answer.h"
#include "gp_steps.h"

static void
write_image(gp_json *json, const gp_image *image)
{
    char capability[GP_IMAGE_TEXT_SIZE];
    gp_image_capability(image, capability);
    gp_json_open_object(json);
    gp_member_string(json, "kind", true, gp_image_kind_name(image->kind));
    gp_member_string(json, "capability", true, capability);
    gp_member_int(json, "min_cuda", true, image->min_cuda);
    gp_member_uint(json, "bytes", true, image->size);
    gp_json_close_object(json);
}

void
gp_step_images(const gp_request *request, gp_trace trace, gp_json *json)
{
    (void)request;
    (void)trace;
    gp_answer answer = {.step = "images"};
    gp_answer_open(json, &answer);
    gp_json_key(json, "images");
    gp_json_open_array(json);
    for (size_t i = 0; i < gp_image_count; i++) {
        write_image(json, &gp_images[i]);
    }
    gp_json_close_array(json);
    gp_json_close_object(json);
}
