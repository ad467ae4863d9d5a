/* One GPU of NVML's list, as JSON. */
#ifndef GP_NVML_GPU_JSON_H
#define GP_NVML_GPU_JSON_H

#include "base/gp_json.h"
#include "device/gp_nvml_devices.h"

/* Writes gpus->list[at]. Each member is null where it was not read, and then its code stands in
 * "unread". `failed_text`: NVML's words for why the GPU cannot be reached, or NULL. */
void gp_nvml_gpu_write(gp_json *json, const gp_nvml_gpus *gpus, size_t at, const char *failed_text);

#endif
