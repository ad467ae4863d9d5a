/* The steps of the probe. Each writes one whole JSON object. */
#ifndef GP_STEPS_H
#define GP_STEPS_H

#include "base/gp_json.h"
#include "base/gp_trace.h"
#include "platform/gp_settings.h"

typedef struct gp_request {
    const char *library; /* `load`: name or path */
    int device;          /* `kernel`: ordinal */
    const gp_settings *settings;
} gp_request;

typedef void (*gp_step)(const gp_request *request, gp_trace trace, gp_json *json);

void gp_step_cuda(const gp_request *request, gp_trace trace, gp_json *json);
void gp_step_images(const gp_request *request, gp_trace trace, gp_json *json);
void gp_step_kernel(const gp_request *request, gp_trace trace, gp_json *json);
void gp_step_load(const gp_request *request, gp_trace trace, gp_json *json);
void gp_step_nvml(const gp_request *request, gp_trace trace, gp_json *json);
void gp_step_version(const gp_request *request, gp_trace trace, gp_json *json);

#endif
